// A value of any of the kinds that files hold and that functions keep for their gradient: nothing, a number, text, a
// tensor, or a list, tuple, dict or set of values.
#pragma once
#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "complex.h"
#include "ordered_dict.h"
#include "tensor.h"

namespace strata {

template <class T>
class intrusive_ptr;  // compat/parts/custom_class.h

/// What a pickle or an archive holds, by the names of libtorch's IValue. Copies share lists and dicts, as handles do.
class Value {
 public:
  enum class Kind : uint8_t {
    kNone,
    kBoolean,
    kInteger,
    kFloating,
    kComplexNumber,
    kText,
    kBytes,
    kElementType,
    kPlace,
    kTensorValue,
    kList,
    kTuple,
    kDict,
    kSet,
    kObject
  };
  using List = std::vector<Value>;
  /// A list of numbers, which gives itself as a vector by `vec()` too, as libtorch's do.
  template <class T>
  struct Numbers : std::vector<T> {
    Numbers(std::vector<T> numbers) : std::vector<T>(std::move(numbers)) {}
    std::vector<T> vec() const { return *this; }
  };
  struct Bytes {
    std::string data;
    bool operator==(const Bytes&) const = default;
  };
  /// Pairs in their order; `find` looks one up by text.
  struct Dict {
    std::vector<std::pair<Value, Value>> items;
    /// The value of a key that is this text, or null.
    const Value* find(const std::string& key) const;
    /// The same; throws where there is none.
    const Value& at(const std::string& key) const;
    size_t size() const { return items.size(); }
    auto begin() const { return items.begin(); }
    auto end() const { return items.end(); }
  };

  // What touches the variant stands in value.cpp, since each source that reads this header would instantiate it.
  Value() noexcept;
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();
  Value(std::nullptr_t) : Value() {}
  Value(std::nullopt_t) : Value() {}
  /// Of bool alone: a pointer is none.
  template <std::same_as<bool> T>
  Value(T v) : Value(OfNumber(), v) {}
  template <std::integral T>
  requires(!std::same_as<T, bool>) Value(T v) : Value(OfNumber(), static_cast<int64_t>(v)) {}
  template <std::floating_point T>
  Value(T v) : Value(OfNumber(), static_cast<double>(v)) {}
  Value(Complex<double> v);
  Value(const char* v);
  Value(std::string v);
  Value(Bytes v);
  Value(const Scalar& v);
  Value(DType v);
  Value(Device v);
  Value(const Tensor& v);
  Value(List v);
  Value(Dict v);
  template <class T>
  requires(!std::same_as<T, Value> && std::constructible_from<Value, const T&>) Value(const std::vector<T>& v)
      : Value(List(v.begin(), v.end())) {}
  template <class T>
  Value(ArrayRef<T> v) : Value(List(v.begin(), v.end())) {}
  /// None where there is nothing.
  template <class T>
  Value(const std::optional<T>& v) : Value(v ? Value(*v) : Value()) {}
  template <class K, class V>
  Value(const std::map<K, V>& v) : Value(dict_of(v)) {}
  template <class K, class V>
  Value(const std::unordered_map<K, V>& v) : Value(dict_of(v)) {}
  Value(const OrderedDict<std::string, Tensor>& v);
  template <class... T>
  Value(const std::tuple<T...>& v)
      : Value(tuple(std::apply([](const T&... part) { return List{Value(part)...}; }, v))) {}
  static Value tuple(List v);
  static Value set(List v);
  /// An object of a class of the program's own, which no file holds. Copies share it.
  static Value object(std::shared_ptr<void> v);

  Kind kind() const { return static_cast<Kind>(data_.index()); }
  /// "a list", for messages.
  const char* kind_name() const;

  bool isNone() const { return kind() == Kind::kNone; }
  bool isBool() const { return kind() == Kind::kBoolean; }
  bool isInt() const { return kind() == Kind::kInteger; }
  bool isDouble() const { return kind() == Kind::kFloating; }
  bool isComplexDouble() const { return kind() == Kind::kComplexNumber; }
  bool isScalar() const { return isInt() || isDouble() || isBool() || isComplexDouble(); }
  bool isString() const { return kind() == Kind::kText; }
  bool isBytes() const { return kind() == Kind::kBytes; }
  bool isDevice() const { return kind() == Kind::kPlace; }
  bool isTensor() const { return kind() == Kind::kTensorValue; }
  bool isList() const { return kind() == Kind::kList; }
  bool isTuple() const { return kind() == Kind::kTuple; }
  bool isSet() const { return kind() == Kind::kSet; }
  bool isGenericDict() const { return kind() == Kind::kDict; }
  bool isCustomClass() const { return kind() == Kind::kObject; }
  bool isTensorList() const;
  bool isIntList() const;
  bool isDoubleList() const;

  /// Each throws where the value is of another kind. A tensor of one element is a number as well.
  bool toBool() const;
  int64_t toInt() const;
  double toDouble() const;
  Complex<double> toComplexDouble() const;
  Scalar toScalar() const;
  const std::string& toStringRef() const;
  const std::string& toStringView() const { return toStringRef(); }
  /// Text as libtorch's `toString()` gives it, a pointer there: `v.toString()->string()`.
  struct Text {
    std::string text;
    const std::string& string() const { return text; }
    const Text* operator->() const { return this; }
    operator const std::string&() const { return text; }
  };
  Text toString() const { return Text{toStringRef()}; }
  const std::string& toBytes() const;
  DType toScalarType() const;
  Device toDevice() const;
  const Tensor& toTensor() const;
  /// The items of a list, a tuple or a set.
  const List& toListRef() const;
  std::vector<Tensor> toTensorVector() const;
  std::vector<int64_t> toIntVector() const;
  std::vector<double> toDoubleVector() const;
  /// The same, by the names that libtorch gives its lists.
  std::vector<Tensor> toTensorList() const { return toTensorVector(); }
  Numbers<int64_t> toIntList() const { return toIntVector(); }
  std::vector<int64_t> toSymIntVector() const { return toIntVector(); }
  int64_t toSymInt() const { return toInt(); }
  Numbers<double> toDoubleList() const { return toDoubleVector(); }
  const Dict& toGenericDict() const;
  const std::shared_ptr<void>& toObjectRef() const;
  /// The object, of a class that a program written for libtorch derives from CustomClassHolder.
  template <class T>
  intrusive_ptr<T> toCustomClass() const;
  /// The value as a C++ one: a number, text, a tensor, a pointer to an object, or a vector of these.
  template <class T>
  T to() const;
  /// The same, or nothing where the value is none.
  template <class T>
  std::optional<T> toOptional() const {
    if (isNone()) return std::nullopt;
    return to<T>();
  }

  /// Equal kinds and equal contents; tensors are compared element by element.
  friend bool operator==(const Value& a, const Value& b);

 private:
  struct OfNumber {};
  Value(OfNumber, bool v);
  Value(OfNumber, int64_t v);
  Value(OfNumber, double v);

  struct ListBox {
    std::shared_ptr<List> items;
  };
  struct TupleBox {
    std::shared_ptr<List> items;
  };
  struct SetBox {
    std::shared_ptr<List> items;
  };
  /// In the order of Kind.
  using Data = std::variant<std::monostate, bool, int64_t, double, Complex<double>, std::string, Bytes, DType, Device,
                            Tensor, ListBox, TupleBox, std::shared_ptr<Dict>, SetBox, std::shared_ptr<void>>;
  template <class Map>
  static Dict dict_of(const Map& map) {
    Dict d;
    for (const auto& [key, value] : map) d.items.emplace_back(Value(key), Value(value));
    return d;
  }
  const List* items_or_null() const;
  template <class T>
  const T& as(const char* wanted) const;
  [[noreturn]] void fail(const char* wanted) const;

  Data data_;
};

template <class T>
T Value::to() const {
  if constexpr (std::is_same_v<T, Tensor>)
    return toTensor();
  else if constexpr (std::is_same_v<T, std::string>)
    return toStringRef();
  else if constexpr (std::is_same_v<T, bool>)
    return toBool();
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(toInt());
  else if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(toDouble());
  else if constexpr (std::is_same_v<T, Value>)
    return *this;
  else if constexpr (requires { typename T::element_type; })
    return toCustomClass<typename T::element_type>();
  else {
    T items;
    for (const Value& v : toListRef()) items.push_back(v.to<typename T::value_type>());
    return items;
  }
}

}  // namespace strata
