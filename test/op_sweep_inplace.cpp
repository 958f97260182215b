// For each primitive call, its in-place form inside transforms gives what the call gives.
#include <algorithm>

#include "core/grad_mode.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/reduce.h"
#include "ops/view.h"
#include "test/op_sweep.h"
#include "transforms/func.h"

namespace strata::test {
namespace {

constexpr int64_t kBiggestWritten = 300;  // elements per input: writes do not depend on the size

/// A call and the input that its in-place form overwrites.
struct Write {
  const Call& c;
  size_t self;

  Tensor in_place(const List& in) const {
    Tensor target = in[self].clone();
    List args = in;
    args[self] = target;
    const KeySet keys = (keys_of(ArgList(args)) | target.keys()) - thread_state.excluded;
    call_inplace_with(*c.op, target, ArgList(args), c.params, keys);
    return target;
  }
  Tensor plain(const List& in) const { return call(*c.op, ArgList(in), Params(c.params))[0]; }
  std::string text(const char* what) const {
    return detail::format_message("{} of input {} of ", {what, self}) + c.text();
  }
};

/// The inputs of `size` examples, but for those not `mapped`.
List examples(const Call& c, const std::vector<bool>& mapped, int64_t size) {
  List in = c.inputs;
  for (size_t i = 0; i < in.size(); ++i)
    if (mapped[i]) in[i] = stacked(in[i], size);
  return in;
}

void check_vmap(const Write& w, const std::vector<bool>& mapped, const char* what) {
  if (std::find(mapped.begin(), mapped.end(), true) == mapped.end()) return;
  std::vector<func::Dims> dims;
  for (bool m : mapped) dims.push_back(m ? func::Dims(0) : func::Dims(nullopt));
  const List in = examples(w.c, mapped, 2);
  const std::vector<func::Dims> argument(1, func::Dims(dims));
  const Tensor out = func::vmap([&](const List& x) { return w.in_place(x); }, {.in_dims = argument})(in);
  for (int64_t b : {0, 1}) {
    List one = in;
    for (size_t i = 0; i < one.size(); ++i)
      if (mapped[i]) one[i] = contiguous_copy(entry(in[i], b));
    expect(close(select(out, 0, b), w.c.run(one)[0]), w.text(what));
  }
}

/// All inputs, of which the floating point ones are `variables`.
List joined(const Call& c, const List& variables) {
  List in = c.inputs;
  size_t next = 0;
  for (Tensor& t : in)
    if (is_float(t)) t = variables[next++];
  return in;
}

void check_derivatives(const Write& w) {
  List x, t, examples;
  for (const Tensor& v : w.c.inputs) {
    if (!is_float(v)) continue;
    x.push_back(v);
    t.push_back(uniform_values(v.sizes(), -1, 1, 3, v.dtype()));
    examples.push_back(stacked(v, 2));
  }
  const auto in_place = [&](const List& v) { return w.in_place(joined(w.c, v)); };
  const auto plain = [&](const List& v) { return w.plain(joined(w.c, v)); };
  const auto gradients = [&](const auto& f) {
    return func::vmap(func::grad([&f](const List& v) {
      const Tensor y = numbers_of(f(v));
      return sum(mul(mul(y, y), uniform_values(y.sizes(), -1, 1, 7, y.dtype())));
    }))(examples);
  };
  expect(close(func::jvp(in_place, x, t).second, func::jvp(plain, x, t).second), w.text("jvp of the in-place form"));
  const List got = gradients(in_place), expected = gradients(plain);
  for (size_t i = 0; i < got.size(); ++i)
    expect(close(got[i], expected[i]), w.text("vmap of grad of the in-place form"));
}

void check_writes(const Call& c) {
  const Tensors out = c.run();
  if (out.size() != 1) return;
  std::vector<bool> all;
  for (const Tensor& t : c.inputs) {
    all.push_back(t.defined());
    if (t.defined() && t.numel() > kBiggestWritten) return;
  }
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    const Tensor& self = c.inputs[i];
    if (!self.defined() || self.dtype() != out[0].dtype() || !(self.sizes() == out[0].sizes())) continue;
    const Write w{c, i};
    check_vmap(w, all, "vmap of the in-place form");
    std::vector<bool> others = all;
    others[i] = false;
    check_vmap(w, others, "vmap of the in-place form with a constant target");
    if (is_float(self) && !c.op->is(kNotDifferentiable)) check_derivatives(w);
  }
}

}  // namespace

TEST_CASE("in-place forms inside transforms give what the calls give") {
  const NoGradGuard no_grad;
  for (const Call& c : all_calls())
    if (!updates_state(c) && !is_random(c) && !c.op->is(kDataDependent) && !c.op->is(kView))
      guarded("in-place form of " + c.text(), [&] { check_writes(c); });
}

}  // namespace strata::test
