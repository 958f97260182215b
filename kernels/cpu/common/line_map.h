// Mapping every line of some tensors to a line of the output, in parallel.
#pragma once
#include <algorithm>
#include <array>
#include <optional>

#include "kernels/cpu/common/lines.h"

namespace strata::cpu {
namespace detail {

/// One tensor of a map: its lines and how values of type C get in and out of it.
template <class C>
class Side {
 public:
  Side(const Tensor& t, int64_t dim)
      : lines_(make_lines(t, dim)),
        access_(line_access<C>(t.dtype())),
        data_(t.bytes()),
        direct_(t.dtype() == dtype_of<C> && lines_.contiguous()) {}
  bool direct() const { return direct_; }
  const Lines& lines() const { return lines_; }
  /// Lines [first, first + n), one after the other.
  const C* load(int64_t first, int64_t n, C* buffer) const {
    if (n == 1) return access_.read(base(first), lines_, 0, lines_.length, buffer);
    access_.read_bundle(base(first), lines_, 0, lines_.length, n, buffer);
    return buffer;
  }
  /// Where to put the results that `store` will be called with.
  C* target(int64_t first, C* buffer) const { return direct_ ? reinterpret_cast<C*>(base(first)) : buffer; }
  void store(int64_t first, int64_t n, const C* values) const {
    if (direct_) return;
    if (n == 1) return access_.write(base(first), lines_, values, lines_.length);
    access_.write_bundle(base(first), lines_, n, values);
  }

 private:
  char* base(int64_t line) const { return data_ + lines_.offset(line) * access_.item_size; }
  Lines lines_;
  const LineAccess<C>& access_;
  char* data_;
  bool direct_;
};

template <class C, size_t kIn>
bool all_rows(const Tensor& out, const std::array<const Tensor*, kIn>& in, int64_t dim) {
  const auto plain = [&](const Tensor& t) {
    return t.dtype() == dtype_of<C> && t.is_contiguous() && dim == t.dim() - 1;
  };
  return plain(out) && std::all_of(in.begin(), in.end(), [&](const Tensor* t) { return plain(*t); });
}

/// The common case: every line of every tensor is a row of a matrix.
template <class C, size_t kIn, class F>
void map_rows(const Tensor& out, const std::array<const Tensor*, kIn>& in, int64_t grain, F fn) {
  const int64_t length = out.sizes().back(), count = length ? out.numel() / length : 0;
  parallel_for(0, count, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      std::array<const C*, kIn> x;
      for (size_t k = 0; k < kIn; ++k) x[k] = reinterpret_cast<const C*>(in[k]->bytes()) + i * length;
      fn(x, reinterpret_cast<C*>(out.bytes()) + i * length, length);
    }
  });
}

/// How many interleaved lines to take at once: the same everywhere, or just one.
template <class C, size_t kIn>
int64_t bundle_width(const Side<C>& out, const std::array<std::optional<Side<C>>, kIn>& in) {
  const Lines& o = out.lines();
  if (!o.interleaved()) return 1;
  for (const auto& side : in)
    if (!side->lines().interleaved() || side->lines().size.back() != o.size.back()) return 1;
  return std::clamp<int64_t>((int64_t{1} << 18) / o.length, 1, kBundle);
}

}  // namespace detail

/// fn(std::array<const C*, kIn> x, C* y, int64_t n) for every line along `dim` of inputs of the output's shape.
template <class C, size_t kIn, class F>
void map_lines(const Tensor& out, const std::array<const Tensor*, kIn>& in, int64_t dim, F fn) {
  using detail::Side;
  if (out.numel() == 0) return;
  const int64_t size = size_along(out, dim), grain = std::max<int64_t>(1, kLineGrain / 4 / size);
  if (detail::all_rows<C>(out, in, dim)) return detail::map_rows<C>(out, in, grain, fn);
  const Side<C> result(out, dim);
  std::array<std::optional<Side<C>>, kIn> sides;
  bool direct = result.direct();
  for (size_t k = 0; k < kIn; ++k) direct &= sides[k].emplace(*in[k], dim).direct();
  const int64_t length = result.lines().length, width = detail::bundle_width(result, sides);
  const int64_t run = width == 1 ? 1 : result.lines().size.back(), per_run = (run + width - 1) / width;
  parallel_for(
      0, result.lines().count / run * per_run, std::max<int64_t>(1, grain / width), [&](int64_t begin, int64_t end) {
        const int64_t room = direct ? 0 : width * length;
        Scratch<C> buffer((kIn + 1) * room);
        for (int64_t i = begin; i < end; ++i) {
          const int64_t at = i % per_run * width, first = i / per_run * run + at, n = std::min(width, run - at);
          std::array<const C*, kIn> x;
          for (size_t k = 0; k < kIn; ++k) x[k] = sides[k]->load(first, n, buffer.data() + k * room);
          C* const y = result.target(first, buffer.data() + kIn * room);
          for (int64_t j = 0; j < n; ++j) {
            fn(x, y + j * length, length);
            for (const C*& p : x) p += length;
          }
          result.store(first, n, y);
        }
      });
}

}  // namespace strata::cpu
