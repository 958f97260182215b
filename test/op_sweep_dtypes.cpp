// For each op: it runs in every dtype that it says it takes, as input 0, 1, and 2 and later, and refuses the others
// with one message. Compiled, it gives the bits of 16-bit calls.
#include <algorithm>
#include <cmath>

#include "compile/compile.h"
#include "core/grad_mode.h"
#include "ops/binary.h"
#include "test/op_sweep.h"

namespace strata::test {
namespace {

constexpr int kCallsPerInput = 3;

/// On the CPU these kernels take float32 and float64 alone, on CUDA 16 bits too; public functions convert.
bool takes_16_bits_on_cuda_alone(const Op& op) {
  return op.name() == "total_norm" || op.name() == "attention_backward";
}

/// The sample's values so that every dtype that can have them has the same: of few digits, small whole numbers in
/// integers, imaginary parts where there were none.
Tensor in_dtype(const Tensor& t, DType dtype) {
  std::vector<double> numbers;
  const std::vector<double> v = values(t);
  for (size_t i = 0; i < v.size(); i += static_cast<size_t>(numbers_in(t.dtype()))) {
    const double x = v[i];
    if (is_integral(dtype, true) && is_float(t))
      numbers.push_back(dtype == kBool ? x > 0 : std::floor(std::abs(x) * 3) + 1);
    else
      numbers.push_back(dtype == kBool ? x != 0 : static_cast<float>(BFloat16(static_cast<float>(x))));
    if (is_complex(dtype)) numbers.push_back(is_complex(t.dtype()) ? v[i + 1] : x / 4);
  }
  return from_values(numbers, t.sizes(), dtype);
}

/// Copies of the call's inputs, since steps write to theirs, with one, and those of the same dtype that go with it, in
/// another dtype.
List retyped(const Call& c, size_t input, DType dtype) {
  List in = c.inputs;
  for (size_t i = input; i < in.size(); ++i)
    if (in[i].defined() && in[i].dtype() == c.inputs[input].dtype()) in[i] = contiguous_copy(in_dtype(in[i], dtype));
  return in;
}

/// The same numbers in float64: 8-bit floats have too few digits for the samples' own.
List widened(const List& inputs, DType narrow) {
  List in = inputs;
  for (Tensor& t : in)
    if (t.defined() && t.dtype() == narrow) t = t.to(kDouble);
  return in;
}

/// Has the call an input there that may differ in dtype from those before it?
bool has_own_dtype(const Call& c, size_t input) {
  if (input >= c.inputs.size() || !c.inputs[input].defined() || c.inputs[input].numel() == 0) return false;
  for (size_t i = 0; i < input; ++i)
    if (c.inputs[i].defined() && c.inputs[i].dtype() == c.inputs[input].dtype()) return false;
  return true;
}

void check_taken(const Call& c, size_t input, DType dtype) {
  if (updates_state(c) || (takes_16_bits_on_cuda_alone(*c.op) && item_size(dtype) < 4)) return;
  const std::string what = detail::format_message("input {} in {}: ", {input, name(dtype)}) + c.text();
  guarded(what, [&] {
    const List in = retyped(c, input, dtype);
    const Tensors out = c.run(in);
    if (!is_floating_point(dtype) || !is_float(c.inputs[input])) return;
    const Tensors exact = c.run(is_float8(dtype) ? widened(in, dtype) : retyped(c, input, kDouble));
    for (size_t i = 0; i < out.size(); ++i)
      if (is_floating_point(out[i].dtype()) && is_floating_point(exact[i].dtype()))
        expect(distance(out[i], exact[i]) < (is_float8(dtype) ? 0.13 : 0.1),
               detail::format_message("off by {}: ", {distance(out[i], exact[i])}) + what);
  });
}

void check_refused(const Call& c, size_t input, DType dtype) {
  const std::string start = detail::format_message("{}: not implemented for {}", {c.op->name(), name(dtype)});
  std::string message;
  try {
    c.run(retyped(c, input, dtype));
  } catch (const Error& e) {
    message = e.what();
  }
  expect(message.starts_with(start) && message.find("it takes ") != std::string::npos,
         detail::format_message("input {} in {} is not refused but says '{}': ", {input, name(dtype), message}) +
             c.text());
}

bool is_half(const Tensor& t) { return t.defined() && (t.dtype() == kHalf || t.dtype() == kBFloat16); }

/// Compiled alone and among element-wise ops on the same numbers, whose tape it then stands in if it is one.
void check_compiled(const Call& c, DType dtype) {
  const auto alone = [&](const List& in) {
    const Tensors out = call(*c.op, ArgList(in), Params(c.params));
    return List(out.begin(), out.end());
  };
  const auto in_chain = [&](List in) {
    for (Tensor& t : in)
      if (is_half(t)) t = maximum(t, t);
    List out = alone(in);
    for (Tensor& t : out)
      if (is_half(t)) t = t + t;
    return out;
  };
  const List in = retyped(c, 0, dtype);
  const std::string what = detail::format_message("{}, compiled: ", {name(dtype)}) + c.text();
  expect(same_bits(func::compile(alone)(in), alone(in)), what);
  expect(same_bits(func::compile(in_chain)(in), in_chain(in)), what + " in a chain");
}

}  // namespace

TEST_CASE("compiled, every op gives the bits of its 16-bit calls") {
  const NoGradGuard no_grad;
  std::set<const Op*> ops;
  for (const Call& c : all_calls()) {
    if (!has_own_dtype(c, 0) || !is_float(c.inputs[0]) || is_random(c) || updates_state(c)) continue;
    // Params of calls on complex numbers may be complex.
    if (c.op->is(kDataDependent) || takes_16_bits_on_cuda_alone(*c.op) || c.inputs[0].is_complex()) continue;
    for (const DType dtype : {kBFloat16, kHalf})
      if (c.op->dtypes_for(0).has(dtype)) guarded(c.text(), [&] { check_compiled(c, dtype); }), ops.insert(c.op);
  }
  CHECK(ops.size() > 220);
}

TEST_CASE("an op takes the dtypes that it says and refuses all others with one message") {
  const NoGradGuard no_grad;
  std::map<std::pair<const Op*, size_t>, int> calls;
  for (const Call& c : all_calls())
    for (size_t input = 0; input < 3; ++input) {
      if (!has_own_dtype(c, input) || is_random(c) || ++calls[{c.op, input}] > kCallsPerInput) continue;
      for (int i = 0; i < kNumDTypes; ++i) {
        const DType dtype = static_cast<DType>(i);
        c.op->dtypes_for(input).has(dtype) ? check_taken(c, input, dtype) : check_refused(c, input, dtype);
      }
    }
  CHECK(calls.size() >= 150);
}

}  // namespace strata::test
