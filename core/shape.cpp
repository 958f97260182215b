// Arithmetic on sizes and strides.
#include "core/shape.h"

#include <algorithm>
#include <string_view>

#include "core/error.h"

namespace strata {

void detail::fail_size_overflow(const char* op, char sign, int64_t a, int64_t b) {
  STRATA_THROW("{}: {} {} {} does not fit in 63 bits", op, a, std::string_view(&sign, 1), b);
}

void detail::fail_dim(const char* op, int64_t dim, int64_t ndim) {
  const int64_t n = std::max<int64_t>(ndim, 1);
  STRATA_THROW_AS(IndexError,
                  "{}: dim {} for {} dims: Dimension out of range (expected to be in range of [{}, {}], but got {})",
                  op, dim, ndim, -n, n - 1, dim);
}

int64_t detail::numel_of_unusual(IntArrayRef sizes) {
  for (int64_t s : sizes) STRATA_CHECK(s >= 0, "shape {}: sizes must not be negative", sizes);
  STRATA_CHECK(std::find(sizes.begin(), sizes.end(), 0) != sizes.end(), "shape {}: too many elements", sizes);
  return 0;
}

int64_t numel_of(IntArrayRef sizes) {
  int64_t n = 1;
  bool unusual = false;
  for (int64_t s : sizes) unusual |= (s < 0) | __builtin_mul_overflow(n, s, &n);
  return unusual ? detail::numel_of_unusual(sizes) : n;
}

DimVector contiguous_strides(IntArrayRef sizes) {
  DimVector strides;
  set_contiguous_strides(sizes, strides);
  return strides;
}

namespace {

/// Calls `f` with the dims from the innermost outwards where the channels lie last, until it gives false.
template <class F>
bool for_channels_last(size_t dims, F f) {
  if (dims != 4 && dims != 5) return false;
  if (!f(1)) return false;
  for (size_t d = dims - 1; d >= 2; --d)
    if (!f(d)) return false;
  return f(0);
}

}  // namespace

DimVector channels_last_strides(IntArrayRef sizes) {
  DimVector strides = sizes;
  int64_t step = 1;
  for_channels_last(sizes.size(), [&](size_t d) {
    strides[d] = step;
    step *= std::max<int64_t>(sizes[d], 1);
    return true;
  });
  return strides;
}

bool is_channels_last(IntArrayRef sizes, IntArrayRef strides) {
  int64_t expected = 1;
  return for_channels_last(sizes.size(), [&](size_t d) {
    const bool fits = sizes[d] == 1 || strides[d] == expected;
    expected *= sizes[d];
    return fits;
  });
}

bool looks_channels_last(IntArrayRef sizes, IntArrayRef strides) {
  if (strides.size() < 2 || strides[1] == 0) return false;
  int64_t least = 0;
  return for_channels_last(sizes.size(), [&](size_t d) {
    // Equal steps of images and channels are those of row-major columns.
    if (sizes[d] == 0 || strides[d] < least || (d == 0 && least == strides[1])) return false;
    least = strides[d] * std::max<int64_t>(sizes[d], 1);
    return true;
  });
}

bool is_contiguous(IntArrayRef sizes, IntArrayRef strides) {
  bool contiguous = false;
  numel_of(sizes, strides, contiguous);
  return contiguous;
}

DimVector wrap_dims(IntArrayRef dims, int64_t ndim, const char* op) {
  DimVector out;
  if (dims.empty()) {
    for (int64_t d = 0; d < ndim; ++d) out.push_back(d);
    return out;
  }
  for (int64_t d : dims) {
    const int64_t w = wrap_dim(d, ndim, op);
    STRATA_CHECK(std::find(out.begin(), out.end(), w) == out.end(), "{}: dim {} appears twice in {}", op, w, dims);
    out.push_back(w);
  }
  if (ndim == 0) return {};
  std::sort(out.begin(), out.end());
  return out;
}

DimVector broadcast_shapes(IntArrayRef a, IntArrayRef b, const char* op) {
  const IntArrayRef& longer = a.size() >= b.size() ? a : b;
  const IntArrayRef& shorter = a.size() >= b.size() ? b : a;
  DimVector out(longer);
  const size_t lead = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    const int64_t x = longer[lead + i], y = shorter[i];
    STRATA_CHECK(
        x == y || x == 1 || y == 1,
        "{}: shapes {} and {} do not broadcast: the size of tensor a ({}) must match the size of tensor b ({}) at "
        "non-singleton dimension {}",
        op, a, b, a.size() >= b.size() ? x : y, a.size() >= b.size() ? y : x, lead + i);
    out[lead + i] = x == 1 ? y : x;
  }
  return out;
}

}  // namespace strata
