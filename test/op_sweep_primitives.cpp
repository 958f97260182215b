// For each primitive call: what infer says, layouts, in-place and strided outputs, thread counts, unmodified inputs,
// vector edges.
#include "core/grad_mode.h"
#include "core/parallel.h"
#include "core/shape.h"
#include "dispatcher/layout.h"
#include "test/op_sweep.h"

namespace strata::test {
namespace {

bool reads_strides(const Call& c) {
  return c.op->name() == "as_strided" || c.op->name() == "view" || c.op->name() == "view_as_complex";
}

void check_infer(const Call& c) {
  if (c.op->is(kDataDependent)) return;
  const Metas metas = c.op->infer(ArgList(c.inputs), c.params.data());
  const Tensors out = c.run();
  expect(metas.size() == out.size(), "infer: number of outputs of " + c.text());
  for (size_t i = 0; i < out.size(); ++i) {
    expect(out[i].dtype() == metas[i].dtype && out[i].sizes() == IntArrayRef(metas[i].sizes),
           "infer: dtype or shape of " + c.text());
    DimVector strides = contiguous_strides(out[i].sizes());
    if (c.op->is(kPointwise) && !(c.op->flags & dispatch::kRowMajor))
      dispatch::strides_of_result(ArgList(c.inputs), out[i].sizes(), strides);
    if (!metas[i].strided)
      expect(out[i].numel() == 0 || out[i].strides() == strides, "infer: the order of dims of " + c.text());
    expect(out[i].dim() == 0 || c.op->is(kView) ||
               !(out[i].has_storage() && c.inputs.size() && c.inputs[0].defined() &&
                 out[i].storage() == c.inputs[0].storage()),
           "infer: only a view may share storage: " + c.text());
  }
}

void check_inputs_unmodified(const Call& c) {
  std::vector<std::string> before;
  for (const Tensor& t : c.inputs) before.push_back(t.defined() ? bytes(t) : "");
  const Tensors first = c.run(), second = c.run();
  for (size_t i = 0; i < c.inputs.size(); ++i)
    expect(!c.inputs[i].defined() || bytes(c.inputs[i]) == before[i],
           "input " + std::to_string(i) + " was changed by " + c.text());
  for (size_t i = 0; i < first.size(); ++i)
    expect(bytes(first[i]) == bytes(second[i]), "two runs give the same bits: " + c.text());
}

void check_threads(const Call& c) {
  if (c.op->is(kView)) return;
  const int before = get_num_threads();
  set_num_threads(1);
  const Tensors one = c.run();
  set_num_threads(2);
  const Tensors two = c.run();
  set_num_threads(before);
  for (size_t i = 0; i < one.size(); ++i)
    expect(bytes(one[i]) == bytes(two[i]), "1 and 2 threads give the same bits: " + c.text());
}

void expect_equal_results(const Call& c, const List& a, const List& b, const std::string& what) {
  const Tensors x = c.run(a), y = c.run(b);
  for (size_t i = 0; i < x.size(); ++i) expect(close(x[i], y[i]), what + ": " + c.text());
}

void check_layouts(const Call& c) {
  if (is_random(c) || reads_strides(c)) return;
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    const Tensor& t = c.inputs[i];
    if (!t.defined() || t.numel() == 0) continue;
    List plain = c.inputs, other = c.inputs;
    plain[i] = contiguous_copy(t);
    for (const Tensor& like : {reversed_like(t), strided_like(t)}) {
      other[i] = in_layout(t, like);
      expect_equal_results(c, plain, other, "input " + std::to_string(i) + " strided");
    }
    for (unsigned dims = 1; dims < 1u << std::min<int64_t>(t.dim(), 3); ++dims) {
      other[i] = expanded(plain[i], dims);
      List copied = other;
      copied[i] = contiguous_copy(other[i]);
      expect_equal_results(c, copied, other, "input " + std::to_string(i) + " expanded");
    }
  }
}

/// Kernels write whatever output they are handed: here memory full of NaN with gaps.
void check_strided_outputs(const Call& c) {
  const KernelFn kernel = c.op->kernel(kCPU);
  if (!kernel || fills_fresh_outputs_only(c) || c.op->is(kView) || c.op->is(kDataDependent)) return;
  const Tensors expected = c.run();
  for (bool reversed : {true, false}) {
    Tensors out = Tensors::undefined(expected.size());
    for (size_t i = 0; i < out.size(); ++i) out[i] = reversed ? reversed_like(expected[i]) : strided_like(expected[i]);
    kernel(out, ArgList(c.inputs), c.params.data());
    for (size_t i = 0; i < out.size(); ++i) expect(close(expected[i], out[i]), "strided output of " + c.text());
  }
}

void check_inplace(const Call& c) {
  if (fills_fresh_outputs_only(c) || c.op->is(kView) || c.op->is(kDataDependent)) return;
  const Tensors expected = c.run();
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    const Tensor& t = c.inputs[i];
    if (!t.defined() || t.dtype() != expected[0].dtype() || !(t.sizes() == expected[0].sizes()) || expected.size() > 1)
      continue;
    for (const Tensor& like : {empty_cpu(t.sizes(), t.dtype()), strided_like(t)}) {
      List inputs = c.inputs;
      Tensor self = inputs[i] = in_layout(t, like);
      const int64_t version = self._version();
      call_backend_inplace(*c.op, self, ArgList(inputs), c.params);
      expect(close(expected[0], self), "in place over input " + std::to_string(i) + ": " + c.text());
      expect(self._version() > version, "an in-place call bumps the version: " + c.text());
    }
  }
}

/// The elements `first, first + step, ...` (n of them) of a 1-dim tensor.
Tensor piece(const Tensor& t, int64_t first, int64_t n, int64_t step) {
  auto* impl = new TensorImpl(t.dtype(), kCPU, t.storage());
  impl->set_geometry({n}, {step}, first);
  return Tensor::adopt(impl);
}

/// Element-wise kernels: each element comes out with the same bits wherever it stands in a vector, at any length and
/// alignment.
void check_vector_edges(const Call& c, DType dtype) {
  constexpr int64_t kLength = 1025;
  const bool complex = c.run()[0].is_complex() || c.inputs[0].is_complex();
  if (complex && item_size(dtype) < 4) return;
  List whole;
  for (const Tensor& t : c.inputs) {
    if (t.numel() == 0) return;
    const std::vector<double> v = values(t);
    const size_t numbers = static_cast<size_t>(kLength * numbers_in(t.dtype()));
    std::vector<double> cycled;
    for (size_t i = 0; i < numbers; ++i)
      cycled.push_back(v[i % v.size()] * (is_float(t) ? 1 - 1e-4 * static_cast<double>(i / v.size()) : 1));
    const DType type = !is_float(t) ? t.dtype() : t.is_complex() ? to_complex_dtype(dtype) : dtype;
    whole.push_back(from_values(cycled, {kLength}, type));
  }
  const Tensor expected = c.run(whole)[0];
  for (int64_t n : {0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1023})
    for (int64_t first : {0, 1})
      for (int64_t step : {1, 2}) {
        if (first + n * step > kLength) continue;
        List part;
        for (const Tensor& t : whole) part.push_back(piece(t, first, n, step));
        const Tensor got = c.run(part)[0];
        expect(bytes(got) == bytes(piece(expected, first, n, step)),
               detail::format_message("{} elements from {} by {} in {}: ", {n, first, step, name(dtype)}) + c.text());
      }
}

void check_edges(const Call& c) {
  if (!c.op->is(kPointwise) || is_random(c) || c.inputs.empty()) return;
  for (const Tensor& t : c.inputs)
    if (!t.defined()) return;
  check_vector_edges(c, kDouble);
  bool floating = false;
  for (const Tensor& t : c.inputs) floating |= is_float(t);
  if (floating)
    for (DType t : {kFloat, kHalf, kBFloat16})
      if (c.op->dtypes[0].has(t)) check_vector_edges(c, t);
}

void for_all_calls(const std::string& what, void (*check)(const Call&)) {
  const NoGradGuard no_grad;
  for (const Call& c : all_calls())
    if (!updates_state(c)) guarded(what + " of " + c.text(), [&] { check(c); });
}

}  // namespace

TEST_CASE("infer describes the outputs of every op") { for_all_calls("infer", check_infer); }
TEST_CASE("no op changes its inputs, and two runs agree") { for_all_calls("running", check_inputs_unmodified); }
TEST_CASE("results do not depend on the number of threads") { for_all_calls("threads", check_threads); }
TEST_CASE("strided, shifted and expanded inputs give the values of contiguous ones") {
  for_all_calls("layouts", check_layouts);
}
TEST_CASE("kernels fill strided outputs") { for_all_calls("strided outputs", check_strided_outputs); }
TEST_CASE("in-place equals out-of-place") { for_all_calls("in place", check_inplace); }
TEST_CASE("element-wise kernels give the same bits at every length and alignment") {
  std::set<const Op*> done;
  const NoGradGuard no_grad;
  for (const Call& c : all_calls())
    if (!updates_state(c) && done.insert(c.op).second) guarded("edges of " + c.text(), [&] { check_edges(c); });
}

}  // namespace strata::test
