// What the kernel of a formula checks before it runs.
#include "dispatcher/formula.h"

#include <algorithm>

#include "core/error.h"
#include "dispatcher/half_loops.h"

namespace strata::dispatch {
namespace {

ElementwiseFn elementwise = nullptr;

/// Kernels are not told their op.
std::string_view name_of(KernelFn kernel) {
  for (const Op& op : all_ops())
    if (op.kernel(DeviceType::CPU) == kernel) return op.name();
  return "the kernel of a formula";
}

Loop loop_for(KernelFn kernel, ArrayRef<FormulaLoop> loops, DType in, DType out) {
  const DType as = is_half16(in) ? kFloat : in;
  const auto* const found = std::find_if(loops.begin(), loops.end(), [&](const FormulaLoop& l) { return l.in == as; });
  STRATA_CHECK_AS(NotImplementedError, found != loops.end(),
                  "{}: not implemented for {}; give cpu_kernel its type, or say with .dtypes(...) what the op takes",
                  name_of(kernel), name(in));
  const DType given = found->out == as ? in : found->out;
  STRATA_CHECK(given == out, "{}: its formula gives {} where infer says {}", name_of(kernel), name(given), name(out));
  return found->loop;
}

}  // namespace

void set_elementwise(ElementwiseFn walk) { elementwise = walk; }

void run_formula(KernelFn kernel, ArrayRef<FormulaLoop> loops, size_t inputs, Tensors& out, Args in,
                 const void* params) {
  STRATA_CHECK(in.size() == inputs && out.size() == 1,
               "{}: its formula makes 1 output of {} inputs, but the op has {} and {}", name_of(kernel), inputs,
               out.size(), in.size());
  for (size_t i = 0; i < inputs; ++i) {
    STRATA_CHECK(in[i].dtype() == in[0].dtype(), "{}: input {} is {} and input 0 is {}; convert one with to()",
                 name_of(kernel), i, name(in[i].dtype()), name(in[0].dtype()));
    STRATA_CHECK(in[i].sizes() == out[0].sizes(),
                 "{}: input {} has shape {} and the output {}; expand() the inputs before the call", name_of(kernel), i,
                 in[i].sizes(), out[0].sizes());
  }
  const Loop loop = loop_for(kernel, loops, in[0].dtype(), out[0].dtype());
  // The loop knows the type of the params; where they lie is all that it is told, in place of an op's numbers.
  elementwise(out[0], in, loop, reinterpret_cast<const double*>(&params));
}

}  // namespace strata::dispatch
