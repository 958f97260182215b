// Text for people: PyTorch's two renderings of tensors, how much of them is shown, and shapes and scalars on streams.
#pragma once
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "../core/tensor.h"
#include "tensor_index.h"

namespace strata {

/// How tensors are printed (torch.set_printoptions). What is not set stays as it is, but for `sci_mode`, which goes
/// back to being chosen by the values; a profile is applied before the rest.
struct PrintOptions {
  std::optional<int64_t> precision = {};  ///< digits behind the point; 4
  std::optional<int64_t> threshold = {};  ///< tensors of more elements are shortened; 1000
  std::optional<int64_t> edgeitems = {};  ///< elements shown at each end of a shortened dim; 3
  std::optional<int64_t> linewidth = {};  ///< characters in a line; 80
  std::optional<bool> sci_mode = {};      ///< exponents always or never, in place of where the values ask for them
  std::string_view profile = {};          ///< "default", "short" (2 digits, 2 edge items) or "full" (never shortened)
};
/// Sets the options of the process; throws on negative numbers, an empty line and unknown profiles. Programs that
/// include libtorch's headers (compat/) have them in `repr` only: libtorch's streams know no options and shorten
/// nothing.
void set_printoptions(const PrintOptions& options);
/// What is set now: each number has a value.
PrintOptions get_printoptions();

/// Other options until the end of the scope.
class PrintOptionsGuard {
 public:
  explicit PrintOptionsGuard(const PrintOptions& options) : before_(get_printoptions()) { set_printoptions(options); }
  ~PrintOptionsGuard() { set_printoptions(before_); }
  PrintOptionsGuard(const PrintOptionsGuard&) = delete;
  PrintOptionsGuard& operator=(const PrintOptionsGuard&) = delete;

 private:
  PrintOptions before_;
};

/// PyTorch's Python rendering, by the options. Of a matrix: `tensor([[1., 2.],\n        [3., 4.]])`. Dtypes are
/// `torch.float64` where libtorch's headers are included (compat/), else `float64`.
std::string repr(const Tensor& x);
/// libtorch's C++ rendering, as `stream << x` writes it.
std::string str(const Tensor& x);
/// Writes libtorch's C++ rendering with lines of at most `line_size` characters. Big tensors are shortened by the
/// options:
/// `...` stands for the rows, columns and matrices left out.
std::ostream& print(std::ostream& out, const Tensor& x, int64_t line_size);
/// Prints a line to standard output as Python's `print(x)`; where libtorch's headers are included as its `print(x)`.
void print(const Tensor& x);
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
