// gradcheck and opcheck: does a function's gradient, or an op with all its rules, do what it says?
#pragma once
#include <vector>

#include "../core/function.h"
#include "../dispatcher/call.h"

namespace strata::func {

/// Steps and tolerances of gradcheck; PyTorch's names and defaults.
struct GradcheckOptions {
  double eps = 1e-6;   ///< step of the central differences
  double atol = 1e-5;  ///< an entry may differ by atol + rtol * its size
  double rtol = 1e-3;
};

/// Compares the gradient of `f` with central differences, entry by entry, for all inputs that require grad; `f` takes
/// and gives float64 tensors. Throws with the place and both numbers where they differ. After
/// torch.autograd.gradcheck.
void gradcheck(const strata::detail::Function<Tensor(const std::vector<Tensor>&)>& f, const std::vector<Tensor>& inputs,
               GradcheckOptions options = {});

/// Checks an op with these inputs (float64 where it is to be differentiated). How it runs: inputs left as they were,
/// outputs as `infer` describes them; strided, transposed, expanded and empty inputs; the in-place form over strided
/// memory, of an element-wise op; the same bits again and on 1, 2 and 4 threads; params read back from their fields; in
/// each dtype that it says it takes, near the values of float64; under autocast, by its policy. Its rules: the
/// decomposition against the kernel, a traced program, the vjp rule of all outputs against differences, for each input
/// alone, and against the jvp rule, the batch rule against a loop over examples. Of a random op only the first two.
/// Throws naming the first that fails. After the opcheck of PyTorch's custom ops.
void opcheck(const dispatch::Op& op, const std::vector<Tensor>& inputs, dispatch::Params params,
             GradcheckOptions options = {});
inline void opcheck(const dispatch::Op& op, const std::vector<Tensor>& inputs) {
  opcheck(op, inputs, dispatch::Params::of(dispatch::NoParams()));
}
template <class P>
void opcheck(const dispatch::Op& op, const std::vector<Tensor>& inputs, const P& params) {
  opcheck(op, inputs, dispatch::Params::of(params));
}

}  // namespace strata::func
