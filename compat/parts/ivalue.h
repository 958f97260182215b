// c10::IValue: a Value that is also made from and given as libtorch's lists, dicts and tuples.
#pragma once
#include <strata/strata.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "check.h"
#include "containers.h"

namespace strata {

namespace jit {
class Module;
}

/// What a file, a pickle or a function's argument holds.
class IValue : public Value {
 public:
  using Value::Value;
  IValue() = default;
  IValue(Value value) : Value(std::move(value)) {}
  template <class T>
  IValue(const strata::List<T>& list) : Value(list.vec()) {}
  template <class K, class V>
  IValue(const strata::Dict<K, V>& dict) : Value(static_cast<Value>(dict)) {}
  /// Of an object whose class derives from CustomClassHolder; custom_class.h.
  template <class T>
  IValue(const intrusive_ptr<T>& object);

  /// What `toTuple()` gives: a pointer in libtorch, to be followed by `->`.
  struct Tuple {
    std::vector<IValue> items;
    const std::vector<IValue>& elements() const { return items; }
    size_t size() const { return items.size(); }
    const Tuple* operator->() const { return this; }
    const Tuple& operator*() const { return *this; }
  };
  IValue(const Text& text) : Value(text.text) {}

  bool isBoolList() const {
    return is_list_of([](const Value& v) { return v.isBool(); });
  }
  bool isObject() const { return isCustomClass(); }
  bool isModule() const { return false; }
  bool isPtrType() const {
    return isTensor() || isString() || isList() || isTuple() || isGenericDict() || isCustomClass();
  }
  IValue toIValue() const { return *this; }
  strata::List<IValue> toList() const {
    strata::List<IValue> out;
    for (const Value& item : toListRef()) out.push_back(item);
    return out;
  }
  std::vector<IValue> toListVector() const { return {toListRef().begin(), toListRef().end()}; }
  strata::List<Tensor> toTensorList() const { return strata::List<Tensor>(toTensorVector()); }
  strata::List<bool> toBoolList() const {
    strata::List<bool> out;
    for (const Value& item : toListRef()) out.push_back(item.toBool());
    return out;
  }
  strata::List<int64_t> toIntList() const { return strata::List<int64_t>(toIntVector()); }
  strata::List<double> toDoubleList() const { return strata::List<double>(toDoubleVector()); }
  Tuple toTuple() const { return Tuple{toListVector()}; }
  Tuple toTupleRef() const { return toTuple(); }
  strata::Dict<IValue, IValue> toGenericDict() const;
  jit::Module toModule() const;
  /// "Int", "Tensor" and so on.
  std::string tagKind() const;
  friend std::ostream& operator<<(std::ostream& out, const IValue& value) {
    value.print(out);
    return out;
  }

 private:
  template <class F>
  bool is_list_of(F is) const {
    if (!isList()) return false;
    for (const Value& item : toListRef())
      if (!is(item)) return false;
    return true;
  }
  void print(std::ostream& out) const;
  void print_items(std::ostream& out, char open, char close) const {
    out << open;
    const char* separator = "";
    for (const Value& item : toListRef()) out << std::exchange(separator, ", ") << IValue(item);
    out << close;
  }
};

/// Of a value that a function kept for its gradient; a template, since a Value is made from nearly anything.
template <std::same_as<Value> V>
std::ostream& operator<<(std::ostream& out, const V& value) {
  return out << IValue(value);
}

}  // namespace strata

/// Of what a dict's key may be: numbers, text, devices.
template <>
struct std::hash<strata::IValue> {
  size_t operator()(const strata::IValue& value) const {
    if (value.isString()) return std::hash<std::string>()(value.toStringRef());
    if (value.isInt()) return std::hash<int64_t>()(value.toInt());
    if (value.isDouble()) return std::hash<double>()(value.toDouble());
    if (value.isBool()) return std::hash<bool>()(value.toBool());
    throw strata::Error("Can't hash IValues with tag '" + value.tagKind() + "'");
  }
};

namespace strata {

inline Dict<IValue, IValue> IValue::toGenericDict() const {
  strata::Dict<IValue, IValue> out;
  for (const auto& item : Value::toGenericDict()) out.insert(item.first, item.second);
  return out;
}

inline std::string IValue::tagKind() const {
  static constexpr const char* kNames[] = {"None",        "Bool",  "Int",         "Double", "ComplexDouble",
                                           "String",      "Bytes", "Scalar",      "Device", "Tensor",
                                           "GenericList", "Tuple", "GenericDict", "Set",    "Object"};
  return kNames[static_cast<int>(kind())];
}

inline void IValue::print(std::ostream& out) const {
  if (isNone()) {
    out << "None";
  } else if (isBool()) {
    out << (toBool() ? "True" : "False");
  } else if (isInt()) {
    out << toInt();
  } else if (isDouble()) {
    const double value = toDouble();
    out << value << (std::isfinite(value) && value == std::trunc(value) && std::abs(value) < 1e10 ? "." : "");
  } else if (isString()) {
    out << toStringRef();
  } else if (isTensor()) {
    out << toTensor();
  } else if (isDevice()) {
    out << toDevice();
  } else if (isList()) {
    print_items(out, '[', ']');
  } else if (isTuple()) {
    print_items(out, '(', ')');
  } else if (isGenericDict()) {
    out << '{';
    const char* separator = "";
    for (const auto& item : Value::toGenericDict())
      out << std::exchange(separator, ", ") << IValue(item.first) << ": " << IValue(item.second);
    out << '}';
  } else {
    out << tagKind();
  }
}

namespace impl {
using GenericDict = Dict<IValue, IValue>;
using GenericList = List<IValue>;
/// The same entries with keys and values of these types, which they must have.
template <class K, class V>
Dict<K, V> toTypedDict(const GenericDict& dict) {
  Dict<K, V> out;
  for (const auto& entry : dict) out.insert(entry.key().template to<K>(), entry.value().template to<V>());
  return out;
}
}  // namespace impl

}  // namespace strata
