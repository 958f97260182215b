// Grouping dims into lines, and the typed readers and writers of line elements.
#include "kernels/cpu/common/lines.h"

#include <algorithm>
#include <array>

#include "kernels/cpu/common/blocks.h"

namespace strata::cpu {
namespace {

/// Appends a dim, merging it into the last one when its elements follow on.
void append_dim(DimVector& sizes, DimVector& strides, int64_t size, int64_t stride) {
  if (size == 1) return;
  if (!sizes.empty() && strides.back() == stride * size) {
    sizes.back() *= size;
    strides.back() = stride;
    return;
  }
  sizes.push_back(size);
  strides.push_back(stride);
}

/// Puts the dims with the longer strides first.
void sort_by_stride(int64_t* dims, int64_t n, IntArrayRef strides) {
  std::stable_sort(dims, dims + n, [&](int64_t a, int64_t b) { return strides[a] > strides[b]; });
}

}  // namespace

Lines make_lines(const Tensor& t, IntArrayRef dims, bool reorder) {
  Lines lines;
  const IntArrayRef sizes = t.sizes(), strides = t.strides();
  int64_t in_line[kMaxDims];
  int64_t n = 0;
  for (int64_t d = 0; d < t.dim(); ++d) {
    if (n < static_cast<int64_t>(dims.size()) && dims[n] == d) {
      in_line[n++] = d;
    } else {
      append_dim(lines.size, lines.stride, sizes[d], strides[d]);
      lines.count *= sizes[d];
    }
  }
  if (reorder && n > 1) sort_by_stride(in_line, n, strides);
  for (int64_t i = 0; i < n; ++i) {
    append_dim(lines.line_size, lines.line_stride, sizes[in_line[i]], strides[in_line[i]]);
    lines.length *= sizes[in_line[i]];
  }
  return lines;
}

namespace {

/// 16-bit floating point types have vectorized conversions from and to float.
template <class T, class C>
constexpr bool kIsHalfAndFloat = (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)&&std::is_same_v<C, float>;

template <class In, class C>
void read_run(const In* x, C* to, int64_t n) {
  if constexpr (std::is_same_v<In, C>)
    std::copy_n(x, n, to);
  else if constexpr (kIsHalfAndFloat<In, C>)
    half_to_float(x, to, n);
  else
    for (int64_t i = 0; i < n; ++i) to[i] = static_cast<C>(x[i]);
}

template <class In, class C>
const C* read_strided(const In* x, const Lines& lines, int64_t begin, int64_t n, C* buffer) {
  const size_t last = lines.line_size.size() - 1;
  const int64_t run = lines.line_size[last], step = lines.line_stride[last];
  for (int64_t done = 0; done < n;) {
    int64_t outer = (begin + done) / run, at = 0;
    const int64_t inner = (begin + done) % run, count = std::min(run - inner, n - done);
    for (size_t d = last; d-- > 0; outer /= lines.line_size[d]) at += outer % lines.line_size[d] * lines.line_stride[d];
    const In* from = x + at + inner * step;
    if constexpr (std::is_same_v<In, C>)
      if (step == 1 && count == n) return from;
    if (step == 1)
      read_run(from, buffer + done, count);
    else
      for (int64_t i = 0; i < count; ++i) buffer[done + i] = static_cast<C>(from[i * step]);
    done += count;
  }
  return buffer;
}

template <class In, class C>
const C* read_line(const void* base, const Lines& lines, int64_t begin, int64_t end, C* buffer) {
  const In* x = static_cast<const In*>(base);
  const int64_t n = end - begin;
  if (!lines.contiguous()) return read_strided(x, lines, begin, n, buffer);
  if constexpr (std::is_same_v<In, C>) return x + begin;
  read_run(x + begin, buffer, n);
  return buffer;
}

template <class In, class C>
void read_bundle(const void* base, const Lines& lines, int64_t begin, int64_t end, int64_t n, C* buffer) {
  const int64_t step = lines.line_stride[0], length = end - begin;
  const In* x = static_cast<const In*>(base) + begin * step;
  for (int64_t i = 0; i < length; ++i)
    for (int64_t j = 0; j < n; ++j) buffer[j * length + i] = static_cast<C>(x[i * step + j]);
}

template <class Out, class C>
void write_line(void* base, const Lines& lines, const C* values, int64_t n) {
  Out* out = static_cast<Out*>(base);
  const int64_t stride = lines.step();
  if constexpr (kIsHalfAndFloat<Out, C>)
    if (stride == 1) return float_to_half(values, out, n);
  for (int64_t i = 0; i < n; ++i) out[i * stride] = static_cast<Out>(values[i]);
}

template <class Out, class C>
void write_bundle(void* base, const Lines& lines, int64_t n, const C* buffer) {
  Out* out = static_cast<Out*>(base);
  const int64_t step = lines.line_stride[0];
  for (int64_t i = 0; i < lines.length; ++i)
    for (int64_t j = 0; j < n; ++j) out[i * step + j] = static_cast<Out>(buffer[j * lines.length + i]);
}

/// Lines of these are worked on as they are only.
template <class C>
constexpr bool kIsNarrowInteger = std::is_integral_v<C> && sizeof(C) < 8;

template <class T, class C>
constexpr LineAccess<C> access() {
  return {read_line<T, C>, read_bundle<T, C>, write_line<T, C>, write_bundle<T, C>, sizeof(T)};
}

}  // namespace

template <class C>
const LineAccess<C>& line_access([[maybe_unused]] DType dtype) {
  if constexpr (kIsComplex<C> || kIsNarrowInteger<C>) {
    static constexpr LineAccess<C> own = access<C, C>();
    return own;
  } else {
    static constexpr std::array<LineAccess<C>, kNumDTypes> table = {
        access<bool, C>(),     access<uint8_t, C>(),  access<int8_t, C>(),  access<int16_t, C>(),
        access<int32_t, C>(),  access<uint32_t, C>(), access<int64_t, C>(), access<Half, C>(),
        access<BFloat16, C>(), access<float, C>(),    access<double, C>()};
    return table[static_cast<int>(dtype)];
  }
}
template const LineAccess<uint8_t>& line_access<uint8_t>(DType);
template const LineAccess<int8_t>& line_access<int8_t>(DType);
template const LineAccess<int16_t>& line_access<int16_t>(DType);
template const LineAccess<int32_t>& line_access<int32_t>(DType);
template const LineAccess<uint32_t>& line_access<uint32_t>(DType);
template const LineAccess<float>& line_access<float>(DType);
template const LineAccess<double>& line_access<double>(DType);
template const LineAccess<int64_t>& line_access<int64_t>(DType);
template const LineAccess<Complex<float>>& line_access<Complex<float>>(DType);
template const LineAccess<Complex<double>>& line_access<Complex<double>>(DType);

}  // namespace strata::cpu
