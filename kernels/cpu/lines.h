// Strided tensors as sets of lines: what reductions, scans and sorts along dimensions iterate over.
#pragma once
#include <array>
#include <cstdint>
#include <type_traits>

#include "core/shape.h"
#include "core/tensor.h"

namespace strata::cpu {

/// A line holds the elements of one result: the dims in `line`, merged where memory allows. The other dims tell lines apart.
struct Lines {
  static constexpr int kTensors = 3;
  DimVector size, stride[kTensors];  // between lines: of the input and of up to two outputs, in elements
  DimVector line_size, line_stride;  // within a line of the input
  int64_t count = 1, length = 1;

  /// Offset of line `i` in tensor `t`.
  int64_t offset(int64_t i, int t) const {
    int64_t at = 0;
    for (size_t d = size.size(); d-- > 0; i /= size[d]) {
      if (d == 0) return at + i * stride[t][0];
      at += i % size[d] * stride[t][d];
    }
    return at;
  }
  /// Do the elements of a line lie next to each other?
  bool contiguous() const { return length <= 1 || (line_stride.size() == 1 && line_stride[0] == 1); }
  /// Neighbouring lines lie next to each other, elements of a line do not: reading several lines at once saves memory traffic.
  bool interleaved() const {
    return !contiguous() && line_stride.size() == 1 && !size.empty() && stride[0].back() == 1 && size.back() > 1;
  }
};

/// Sorted, non-negative `dims` of `x` make the lines. Outputs have x's shape with these dims absent (`kept` ones may stay, of any size).
/// With `reorder`, the order of elements within a line follows memory instead of the dims.
Lines make_lines(const Tensor& x, IntArrayRef dims, ArrayRef<const Tensor*> outputs, bool reorder);

/// The type that values of T are reduced in: float for the 16-bit types, int64 for integers and bool.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float,
                                std::conditional_t<std::is_floating_point_v<T>, T, int64_t>>;

/// Reads elements [begin, end) of the line at `base`: the line itself if it is contiguous and of type C, else a copy in `buffer`.
template <class C>
using LineReader = const C* (*)(const void* base, const Lines& lines, int64_t begin, int64_t end, C* buffer);
/// Reads elements [begin, end) of `n` lines of one interleaved run, line j to buffer + j * (end - begin).
template <class C>
using BundleReader = void (*)(const void* base, const Lines& lines, int64_t begin, int64_t end, int64_t n, C* buffer);
/// Writes `n` values with stride.
template <class C>
using LineWriter = void (*)(void* base, int64_t stride, const C* values, int64_t n);

template <class C>
struct LineAccess {
  LineReader<C> read;
  BundleReader<C> read_bundle;
  LineWriter<C> write;
  int64_t item_size;
};
/// Access to tensors of `dtype` whose wide type is C, or to any dtype when C is the type computed in.
template <class C>
const LineAccess<C>& line_access(DType dtype);

/// Calls f.template operator()<C>() with the wide type of `dtype`.
template <class F>
void visit_wide(DType dtype, F&& f) {
  if (dtype == kDouble) return f.template operator()<double>();
  if (is_floating_point(dtype)) return f.template operator()<float>();
  f.template operator()<int64_t>();
}

/// Lines that are read together when they are interleaved: one cache line of floats.
inline constexpr int64_t kBundle = 16;

}  // namespace strata::cpu
