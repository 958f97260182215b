// Text for people: PyTorch's two renderings of tensors, and shapes and scalars on streams.
#pragma once
#include <iosfwd>
#include <string>

#include "../core/tensor.h"
#include "tensor_index.h"

namespace strata {

/// PyTorch's Python rendering: `tensor([[1., 2.],\n        [3., 4.]])`, four digits, summarised above 1000 elements.
std::string repr(const Tensor& x);
/// libtorch's C++ rendering, as `stream << x` writes it.
std::string str(const Tensor& x);
/// Writes libtorch's C++ rendering with lines of at most `line_size` characters.
std::ostream& print(std::ostream& out, const Tensor& x, int64_t line_size);
/// `[2, 3]`
std::ostream& operator<<(std::ostream& out, IntArrayRef values);
/// The number; bools as `true` and `false`.
std::ostream& operator<<(std::ostream& out, const Scalar& value);
namespace indexing {
/// `1:5:2`, with 0 and 2^62 - 1 for what is left out.
std::ostream& operator<<(std::ostream& out, const Slice& slice);
/// `None`, `...`, the number, `true`, `false`, the slice or the tensor.
std::ostream& operator<<(std::ostream& out, const TensorIndex& index);
}  // namespace indexing

}  // namespace strata
