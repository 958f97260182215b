// What a Value holds, asked for by kind.
#include "core/value.h"

#include <algorithm>

#include "core/error.h"

namespace strata {

namespace {

bool all_are(const Value& value, Value::Kind kind) {
  return value.isList() && std::ranges::all_of(value.toListRef(), [&](const Value& v) { return v.kind() == kind; });
}

bool tensors_equal(const Tensor& a, const Tensor& b) {
  if (!a.defined() || !b.defined()) return a.defined() == b.defined();
  return a.dtype() == b.dtype() && a.sizes() == b.sizes() && a.equal(b);
}

}  // namespace

Value::Value() noexcept = default;
Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;
Value::Value(OfNumber, bool v) : data_(v) {}
Value::Value(OfNumber, int64_t v) : data_(v) {}
Value::Value(OfNumber, double v) : data_(v) {}
Value::Value(Complex<double> v) : data_(v) {}
Value::Value(const char* v) : data_(std::string(v)) {}
Value::Value(std::string v) : data_(std::move(v)) {}
Value::Value(Bytes v) : data_(std::move(v)) {}
Value::Value(DType v) : data_(v) {}
Value::Value(Device v) : data_(v) {}
Value::Value(const Tensor& v) : data_(v) {}
Value::Value(List v) : data_(ListBox{std::make_shared<List>(std::move(v))}) {}
Value::Value(Dict v) : data_(std::make_shared<Dict>(std::move(v))) {}

const Value* Value::Dict::find(const std::string& key) const {
  for (const auto& [k, v] : items)
    if (k.isString() && k.toStringRef() == key) return &v;
  return nullptr;
}

const Value& Value::Dict::at(const std::string& key) const {
  const Value* found = find(key);
  STRATA_CHECK(found != nullptr, "value: the dict has no '{}'", key);
  return *found;
}

Value::Value(const OrderedDict<std::string, Tensor>& v) {
  Dict d;
  for (const auto& item : v) d.items.emplace_back(Value(item.key()), Value(item.value()));
  *this = Value(std::move(d));
}

Value::Value(const Scalar& v) {
  if (v.is_complex())
    data_ = v.toComplexDouble();
  else if (v.is_floating_point())
    data_ = v.toDouble();
  else if (v.type() == kBool)
    data_ = v.toBool();
  else
    data_ = v.toLong();
}

Value Value::tuple(List v) {
  Value value;
  value.data_ = TupleBox{std::make_shared<List>(std::move(v))};
  return value;
}

Value Value::set(List v) {
  Value value;
  value.data_ = SetBox{std::make_shared<List>(std::move(v))};
  return value;
}

Value Value::object(std::shared_ptr<void> v) {
  Value value;
  value.data_ = std::move(v);
  return value;
}

const char* Value::kind_name() const {
  static constexpr const char* kNames[] = {"None",   "a bool",  "an integer", "a number", "a complex number",
                                           "text",   "bytes",   "a dtype",    "a device", "a tensor",
                                           "a list", "a tuple", "a dict",     "a set",    "an object"};
  return kNames[data_.index()];
}

void Value::fail(const char* wanted) const { STRATA_THROW("value: wanted {}, it is {}", wanted, kind_name()); }

template <class T>
const T& Value::as(const char* wanted) const {
  const T* found = std::get_if<T>(&data_);
  if (!found) fail(wanted);
  return *found;
}

bool Value::isTensorList() const { return all_are(*this, Kind::kTensorValue); }
bool Value::isIntList() const { return all_are(*this, Kind::kInteger); }
bool Value::isDoubleList() const { return all_are(*this, Kind::kFloating); }

Scalar Value::toScalar() const {
  switch (kind()) {
    case Kind::kBoolean:
      return std::get<bool>(data_);
    case Kind::kInteger:
      return std::get<int64_t>(data_);
    case Kind::kFloating:
      return std::get<double>(data_);
    case Kind::kComplexNumber:
      return std::get<Complex<double>>(data_);
    case Kind::kTensorValue:
      if (const Tensor& t = std::get<Tensor>(data_); t.defined() && t.numel() == 1) return t.item();
      [[fallthrough]];
    default:
      fail("a number");
  }
}

bool Value::toBool() const {
  if (isTensor()) return toScalar().to<bool>();
  return as<bool>("a bool");
}

int64_t Value::toInt() const {
  if (isTensor()) return toScalar().to<int64_t>();
  return as<int64_t>("an integer");
}

double Value::toDouble() const {
  if (isTensor() || isInt()) return toScalar().to<double>();
  return as<double>("a number");
}

Complex<double> Value::toComplexDouble() const { return toScalar().to<Complex<double>>(); }
const std::string& Value::toStringRef() const { return as<std::string>("text"); }
const std::string& Value::toBytes() const { return as<Bytes>("bytes").data; }
DType Value::toScalarType() const { return as<DType>("a dtype"); }
Device Value::toDevice() const { return as<Device>("a device"); }
const std::shared_ptr<void>& Value::toObjectRef() const { return as<std::shared_ptr<void>>("an object"); }
const Tensor& Value::toTensor() const { return as<Tensor>("a tensor"); }

const Value::List* Value::items_or_null() const {
  if (const auto* list = std::get_if<ListBox>(&data_)) return list->items.get();
  if (const auto* tuple = std::get_if<TupleBox>(&data_)) return tuple->items.get();
  if (const auto* set = std::get_if<SetBox>(&data_)) return set->items.get();
  return nullptr;
}

const Value::List& Value::toListRef() const {
  const List* items = items_or_null();
  if (!items) fail("a list");
  return *items;
}

std::vector<Tensor> Value::toTensorVector() const { return to<std::vector<Tensor>>(); }
std::vector<int64_t> Value::toIntVector() const { return to<std::vector<int64_t>>(); }
std::vector<double> Value::toDoubleVector() const { return to<std::vector<double>>(); }

const Value::Dict& Value::toGenericDict() const { return *as<std::shared_ptr<Dict>>("a dict"); }

bool operator==(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  if (a.isTensor()) return tensors_equal(a.toTensor(), b.toTensor());
  if (a.isGenericDict()) return a.toGenericDict().items == b.toGenericDict().items;
  if (const Value::List* items = a.items_or_null()) return *items == *b.items_or_null();
  return std::visit(
      [&]<class T>(const T& x) {
        if constexpr (requires {
                        { x == x } -> std::convertible_to<bool>;
                      })
          return x == std::get<T>(b.data_);
        else
          return false;
      },
      a.data_);
}

}  // namespace strata
