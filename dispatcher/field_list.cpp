// Writing fields to a list and reading them from it.
#include "dispatcher/field_list.h"

#include <algorithm>
#include <bit>

namespace strata::dispatch {
namespace {

using Kind = Field::Kind;

class Writer final : public FieldVisitor {
 public:
  void integer(int64_t v) override { fields.push_back({Kind::kInteger, {v}}); }
  void real(double v) override { fields.push_back({Kind::kReal, {}, {v}}); }
  void boolean(bool v) override { fields.push_back({Kind::kBoolean, {v}}); }
  void integers(IntArrayRef v) override { fields.push_back({Kind::kIntegers, {v.begin(), v.end()}}); }
  void text(std::string_view v) override { fields.push_back({Kind::kText, {}, {}, std::string(v)}); }
  void number(const Scalar& v) override {
    const bool whole = v.isIntegral(true);
    const Complex<double> parts = whole ? Complex<double>() : v.toComplexDouble();
    fields.push_back({Kind::kNumber,
                      {static_cast<int64_t>(v.type()), whole ? v.wrapped_to<int64_t>() : 0},
                      {parts.real(), parts.imag()}});
  }
  std::vector<Field> fields;
};

class Reader final : public FieldReader {
 public:
  explicit Reader(const std::vector<Field>& fields) : next_(fields.begin()), end_(fields.end()) {}
  int64_t integer() override { return take(Kind::kInteger).integers[0]; }
  double real() override { return take(Kind::kReal).reals[0]; }
  bool boolean() override { return take(Kind::kBoolean).integers[0] != 0; }
  DimVector integers() override { return IntArrayRef(take(Kind::kIntegers).integers); }
  std::string text() override { return take(Kind::kText).text; }
  Scalar number() override {
    const Field& f = take(Kind::kNumber);
    switch (static_cast<DType>(f.integers[0])) {
      case kBool:
        return f.integers[1] != 0;
      case kLong:
        return f.integers[1];
      case kUInt64:
        return static_cast<uint64_t>(f.integers[1]);
      case kDouble:
        return f.reals[0];
      default:
        return Complex<double>(f.reals[0], f.reals[1]);
    }
  }
  bool at_end() const { return next_ == end_; }

 private:
  const Field& take(Kind kind) {
    STRATA_CHECK(next_ != end_, "params: more fields are read than are shown");
    STRATA_CHECK(next_->kind == kind, "params: a field is read as another kind than it is shown as");
    return *next_++;
  }
  std::vector<Field>::const_iterator next_, end_;
};

}  // namespace

bool operator==(const Field& a, const Field& b) {
  constexpr auto bits = [](double v) { return std::bit_cast<uint64_t>(v); };
  return a.kind == b.kind && a.integers == b.integers && a.text == b.text &&
         std::ranges::equal(a.reals, b.reals, {}, bits, bits);
}

std::vector<Field> fields_of(Params params) {
  Writer writer;
  params.visit_fields(writer);
  return std::move(writer.fields);
}

OwnedParams params_of(const ParamsType& type, const std::vector<Field>& fields) {
  Reader reader(fields);
  OwnedParams params = OwnedParams::read(type, reader);
  STRATA_CHECK(reader.at_end(), "params: more fields are shown than are read");
  return params;
}

}  // namespace strata::dispatch
