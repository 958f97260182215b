// Fold and Unfold: functions and modules.
#include "nn/fold.h"

#include <ostream>

#include "core/called.h"
#include "nn/detail.h"
#include "ops/fold.h"

namespace strata::nn {

Tensor functional::fold(const Tensor& input, const FoldFuncOptions& o) {
  const Called called;
  return col2im(input, o.output_size(), o.kernel_size(), o.dilation(), o.padding(), o.stride());
}

Tensor functional::unfold(const Tensor& input, const UnfoldFuncOptions& o) {
  const Called called;
  return im2col(input, o.kernel_size(), o.dilation(), o.padding(), o.stride());
}

void FoldImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "Fold",
               {{"output_size", options.output_size()},
                {"kernel_size", options.kernel_size()},
                {"dilation", options.dilation()},
                {"padding", options.padding()},
                {"stride", options.stride()}});
}
Tensor FoldImpl::forward(const Tensor& input) { return functional::fold(input, options); }

void UnfoldImpl::pretty_print(std::ostream& stream) const {
  print_module(stream, "Unfold",
               {{"kernel_size", options.kernel_size()},
                {"dilation", options.dilation()},
                {"padding", options.padding()},
                {"stride", options.stride()}});
}
Tensor UnfoldImpl::forward(const Tensor& input) { return functional::unfold(input, options); }

}  // namespace strata::nn
