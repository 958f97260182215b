// A strided tensor as a set of lines along dims: what reductions, softmax, scans and sorts iterate over.
#pragma once
#include <cstdint>
#include <type_traits>

#include "core/parallel.h"
#include "core/tensor.h"

namespace strata::cpu {

/// A line runs along the chosen dims; the others tell lines apart. Neighbouring dims are merged where memory allows.
/// Lines are numbered in row-major order of the other dims, so line i means the same in tensors that agree in those.
struct Lines {
  DimVector size, stride;            // of the dims that tell lines apart, in elements
  DimVector line_size, line_stride;  // of the dims within a line
  int64_t count = 1, length = 1;

  /// Where line `i` starts.
  int64_t offset(int64_t i) const {
    int64_t at = 0;
    for (size_t d = size.size(); d-- > 0; i /= size[d]) {
      if (d == 0) return at + i * stride[0];
      at += i % size[d] * stride[d];
    }
    return at;
  }
  /// From one element of a line along a single dim to the next.
  int64_t step() const { return line_stride.empty() ? 1 : line_stride[0]; }
  /// Do the elements of a line lie next to each other?
  bool contiguous() const { return length <= 1 || (line_stride.size() == 1 && line_stride[0] == 1); }
  /// Do neighbouring lines lie next to each other, but not the elements of a line? Reading several at once saves memory
  /// traffic.
  bool interleaved() const {
    return !contiguous() && line_stride.size() == 1 && !size.empty() && stride.back() == 1 && size.back() > 1;
  }
};

/// The lines of `t` along sorted, non-negative `dims`. With `reorder`, elements of a line follow memory instead of the
/// dims.
Lines make_lines(const Tensor& t, IntArrayRef dims, bool reorder = false);

/// The type that values of T are worked on in: float for the 16-bit types, int64 for integers and bool.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float,
                                std::conditional_t<std::is_floating_point_v<T>, T, int64_t>>;

/// How to reach the elements of a tensor whose values are worked on as C. Elements are [begin, end) of a line.
template <class C>
struct LineAccess {
  /// The elements of the line at `base`: in place if they are contiguous and of type C, else copied to `buffer`.
  const C* (*read)(const void* base, const Lines& lines, int64_t begin, int64_t end, C* buffer);
  /// The elements of `n` neighbours in one interleaved run, those of line j to buffer + j * (end - begin).
  void (*read_bundle)(const void* base, const Lines& lines, int64_t begin, int64_t end, int64_t n, C* buffer);
  /// Writes the first `n` elements of lines along a single dim.
  void (*write)(void* base, const Lines& lines, const C* values, int64_t n);
  /// The reverse of read_bundle for whole lines.
  void (*write_bundle)(void* base, const Lines& lines, int64_t n, const C* buffer);
  int64_t item_size;
};
template <class C>
const LineAccess<C>& line_access(DType dtype);

/// Calls f.template operator()<C>() with the wide type of `dtype`.
template <class F>
void visit_wide(DType dtype, F&& f) {
  if (dtype == kFloat) return f.template operator()<float>();
  if (dtype == kDouble) return f.template operator()<double>();
  if (is_floating_point(dtype)) return f.template operator()<float>();
  f.template operator()<int64_t>();
}

/// The same with the complex types too, which are worked on as they are.
template <class F>
void visit_wide_any(DType dtype, F&& f) {
  if (is_complex(dtype)) return visit_complex(dtype, f);
  visit_wide(dtype, f);
}

/// Lines that are read together when they are interleaved: one cache line of floats.
inline constexpr int64_t kBundle = 16;
/// Elements of work below which a second thread does not pay.
inline constexpr int64_t kLineGrain = 32768;

/// The `line`-th line's address.
inline char* line_base(const Tensor& t, const Lines& lines, int64_t line) {
  return t.bytes() + lines.offset(line) * static_cast<int64_t>(t.element_size());
}

/// Size of `dim`; 1 for the dim that a 0-dim tensor (batched or not) lends to ops along a dim.
inline int64_t size_along(const Tensor& t, int64_t dim) { return dim < t.dim() ? t.sizes()[dim] : 1; }

/// Uninitialised memory for a kernel's intermediate values.
template <class C>
class Scratch {
 public:
  explicit Scratch(int64_t n) : memory_(empty_cpu({n * static_cast<int64_t>(sizeof(C))}, kByte)) {}
  C* data() { return reinterpret_cast<C*>(memory_.bytes()); }

 private:
  Tensor memory_;
};

}  // namespace strata::cpu
