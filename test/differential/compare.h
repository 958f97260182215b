// Is a tensor what PyTorch got?
#pragma once
#include <optional>
#include <string>

#include "test/differential/program.h"

namespace differential {

/// What differs, in one line; nothing where the tensor is as expected. Elements of floating point dtypes may differ by
/// what rounding explains; `magnitude` is that of the operands, whose sums may have cancelled.
/// A gradient is as precise as the coarsest dtype on its way, `through`.
std::optional<std::string> difference(const Tensor& tensor, const Expected& expected, double magnitude,
                                      strata::DType through);

/// The one of two dtypes with the larger rounding error; integers have none.
strata::DType coarser(strata::DType a, strata::DType b);

/// The largest finite magnitude among a tensor's elements, 0 for integers.
double magnitude_of(const Tensor& tensor);

/// Writes the expected elements into the tensor's memory behind autograd's back, so that the next statement starts from
/// the same bits in both libraries and one rounding error does not grow into the next difference.
void set_elements(const Tensor& tensor, const Expected& expected);

}  // namespace differential
