// Grouping dims into lines, and the typed readers and writers of line elements.
#include "kernels/cpu/lines.h"

#include <algorithm>
#include <numeric>

namespace strata::cpu {

namespace {

struct Dim {
  int64_t size;
  std::array<int64_t, Lines::kTensors> stride;
};

/// Appends `d`, merging it into the last dim when all strides allow.
void append_dim(std::vector<Dim>& list, const Dim& d) {
  if (d.size == 1) return;
  if (!list.empty()) {
    Dim& last = list.back();
    bool fits = true;
    for (int t = 0; t < Lines::kTensors; ++t) fits &= last.stride[t] == d.stride[t] * d.size;
    if (fits) {
      last.size *= d.size;
      last.stride = d.stride;
      return;
    }
  }
  list.push_back(d);
}

}  // namespace

Lines make_lines(const Tensor& x, IntArrayRef dims, ArrayRef<const Tensor*> outputs, bool reorder) {
  std::vector<Dim> kept, line, merged;
  for (int64_t d = 0; d < x.dim(); ++d) {
    const bool in_line = std::find(dims.begin(), dims.end(), d) != dims.end();
    Dim dim{x.sizes()[d], {x.strides()[d], 0, 0}};
    for (size_t t = 0; t < outputs.size() && !in_line; ++t) {
      const Tensor& out = *outputs[t];
      const int64_t at = out.dim() == x.dim() ? d : static_cast<int64_t>(kept.size());
      dim.stride[t + 1] = out.strides()[at];
    }
    (in_line ? line : kept).push_back(dim);
  }
  if (reorder) {
    std::stable_sort(line.begin(), line.end(), [](const Dim& a, const Dim& b) { return a.stride[0] > b.stride[0]; });
  }
  Lines lines;
  for (const Dim& d : kept) append_dim(merged, d), lines.count *= d.size;
  for (const Dim& d : merged) {
    lines.size.push_back(d.size);
    for (int t = 0; t < Lines::kTensors; ++t) lines.stride[t].push_back(d.stride[t]);
  }
  merged.clear();
  for (const Dim& d : line) append_dim(merged, d), lines.length *= d.size;
  for (const Dim& d : merged) {
    lines.line_size.push_back(d.size);
    lines.line_stride.push_back(d.stride[0]);
  }
  return lines;
}

namespace {

template <class In, class C>
const C* read_line(const void* base, const Lines& lines, int64_t begin, int64_t end, C* buffer) {
  const In* x = static_cast<const In*>(base);
  const int64_t n = end - begin;
  if (lines.contiguous()) {
    if constexpr (std::is_same_v<In, C>) return x + begin;
    for (int64_t i = 0; i < n; ++i) buffer[i] = static_cast<C>(x[begin + i]);
    return buffer;
  }
  const size_t last = lines.line_size.size() - 1;
  const int64_t run = lines.line_size[last], step = lines.line_stride[last];
  for (int64_t done = 0; done < n;) {
    int64_t outer = (begin + done) / run, at = 0;
    const int64_t inner = (begin + done) % run, count = std::min(run - inner, n - done);
    for (size_t d = last; d-- > 0; outer /= lines.line_size[d]) at += outer % lines.line_size[d] * lines.line_stride[d];
    const In* from = x + at + inner * step;
    for (int64_t i = 0; i < count; ++i) buffer[done + i] = static_cast<C>(from[i * step]);
    done += count;
  }
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
void write_line(void* base, int64_t stride, const C* values, int64_t n) {
  Out* out = static_cast<Out*>(base);
  for (int64_t i = 0; i < n; ++i) out[i * stride] = static_cast<Out>(values[i]);
}

}  // namespace

template <class C>
const LineAccess<C>& line_access(DType dtype) {
  static constexpr auto make = []<class T>() {
    return LineAccess<C>{read_line<T, C>, read_bundle<T, C>, write_line<T, C>, sizeof(T)};
  };
  static constexpr std::array<LineAccess<C>, kNumDTypes> table = {
      make.template operator()<bool>(),     make.template operator()<uint8_t>(), make.template operator()<int8_t>(),
      make.template operator()<int16_t>(),  make.template operator()<int32_t>(), make.template operator()<uint32_t>(),
      make.template operator()<int64_t>(),  make.template operator()<Half>(),    make.template operator()<BFloat16>(),
      make.template operator()<float>(),    make.template operator()<double>()};
  return table[static_cast<int>(dtype)];
}
template const LineAccess<float>& line_access<float>(DType);
template const LineAccess<double>& line_access<double>(DType);
template const LineAccess<int64_t>& line_access<int64_t>(DType);

}  // namespace strata::cpu
