// For each primitive call: its params read back from their fields, and what its op is made of where a device has no
// kernel.
#include <algorithm>
#include <bit>
#include <deque>

#include "core/grad_mode.h"
#include "test/op_sweep.h"

namespace strata::test {
namespace {

/// One field of a params struct, with its kind.
struct Field {
  char kind;
  std::vector<int64_t> integers = {};
  std::vector<double> reals = {};
  std::string text = {};
  friend bool operator==(const Field& a, const Field& b) {  // NaN is NaN
    constexpr auto bits = [](double v) { return std::bit_cast<uint64_t>(v); };
    return a.kind == b.kind && a.integers == b.integers && a.text == b.text &&
           std::ranges::equal(a.reals, b.reals, {}, bits, bits);
  }
};
using Fields = std::deque<Field>;

class Writer final : public FieldVisitor {
 public:
  void integer(int64_t v) override { fields.push_back({'i', {v}}); }
  void real(double v) override { fields.push_back({'r', {}, {v}}); }
  void boolean(bool v) override { fields.push_back({'b', {v}}); }
  void integers(IntArrayRef v) override { fields.push_back({'d', {v.begin(), v.end()}}); }
  void text(std::string_view v) override { fields.push_back({'t', {}, {}, std::string(v)}); }
  void number(const Scalar& v) override {
    const Complex<double> parts = v.isIntegral(true) ? Complex<double>() : v.toComplexDouble();
    fields.push_back(
        {'n', {static_cast<int64_t>(v.type()), v.isIntegral(true) ? v.toLong() : 0}, {parts.real(), parts.imag()}});
  }
  Fields fields;
};

class Reader final : public FieldReader {
 public:
  explicit Reader(Fields fields) : fields_(std::move(fields)) {}
  int64_t integer() override { return next('i').integers[0]; }
  double real() override { return next('r').reals[0]; }
  bool boolean() override { return next('b').integers[0] != 0; }
  DimVector integers() override {
    const Field f = next('d');
    return IntArrayRef(f.integers);
  }
  std::string text() override { return next('t').text; }
  Scalar number() override {
    const Field f = next('n');
    switch (static_cast<DType>(f.integers[0])) {
      case kBool:
        return f.integers[1] != 0;
      case kLong:
        return f.integers[1];
      case kDouble:
        return f.reals[0];
      default:
        return Complex<double>(f.reals[0], f.reals[1]);
    }
  }
  bool at_end() const { return fields_.empty(); }

 private:
  Field next(char kind) {
    STRATA_CHECK(!fields_.empty() && fields_.front().kind == kind, "no field of kind {}", std::string(1, kind));
    Field f = std::move(fields_.front());
    fields_.pop_front();
    return f;
  }
  Fields fields_;
};

Fields fields_of(Params params) {
  Writer writer;
  params.visit_fields(writer);
  return std::move(writer.fields);
}

void expect_same_results(const Tensors& a, const Tensors& b, const std::string& what) {
  expect(a.size() == b.size(), what);
  for (size_t i = 0; i < a.size(); ++i)
    expect(a[i].dtype() == b[i].dtype() && a[i].sizes() == b[i].sizes() && bytes(a[i]) == bytes(b[i]), what);
}

void check_params(const Call& c) {
  const Fields fields = fields_of(c.params);
  Reader reader(fields);
  Call again = c;
  again.params = OwnedParams::read(*c.op->params, reader);
  expect(reader.at_end() && fields_of(again.params) == fields, "params read back differ: " + c.text());
  if (!updates_state(c)) expect_same_results(c.run(), again.run(), "a call with params read back differs: " + c.text());
}

void check_decomposition(const Call& c) {
  if (!c.op->decompose || updates_state(c)) return;
  const Tensors expected = c.run(), got = c.op->decompose(ArgList(c.inputs), Params(c.params).data());
  expect(expected.size() == got.size(), "decomposition: number of outputs of " + c.text());
  for (size_t i = 0; i < std::min(expected.size(), got.size()); ++i)
    expect(got[i].dtype() == expected[i].dtype() && close(expected[i], got[i], 16),
           detail::format_message("decomposition: output {} is off by {} in ", {i, distance(expected[i], got[i])}) +
               c.text());
}

}  // namespace

TEST_CASE("params can be read back from their fields") {
  const NoGradGuard no_grad;
  for (const Call& c : all_calls()) guarded("fields of " + c.text(), [&] { check_params(c); });
}

TEST_CASE("decompositions give what kernels give") {
  const NoGradGuard no_grad;
  std::set<const Op*> checked;
  for (const Call& c : all_calls()) {
    guarded("decomposition of " + c.text(), [&] { check_decomposition(c); });
    if (c.op->decompose) checked.insert(c.op);
  }
  CHECK(checked.size() >= 20);
}

}  // namespace strata::test
