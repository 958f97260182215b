// Buckets and grids.
#include "train/summary_values.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/error.h"
#include "core/warning.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/sort.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"
#include "train/png.h"

namespace strata::train::board {
namespace {

/// Edges of buckets, ascending.
const std::vector<double>& edges() {
  static const std::vector<double> all = [] {
    std::vector<double> list = {0};
    for (double v = 1e-12; v < 1e20; v *= 1.1) list.insert(list.end(), {v, -v});
    std::sort(list.begin(), list.end());
    return list;
  }();
  return all;
}

std::vector<double> numbers_of(const Tensor& t) {
  const Tensor dense = t.to(kDouble).contiguous();
  return {dense.data_ptr<double>(), dense.data_ptr<double>() + dense.numel()};
}

/// Keeps the buckets from the first to the last that is not empty, and an empty one before them for its edge.
void set_buckets(Histogram& histogram, const std::vector<double>& counts) {
  const auto is_used = [](double count) { return count > 0; };
  const auto first = std::find_if(counts.begin(), counts.end(), is_used);
  const auto last = std::find_if(counts.rbegin(), counts.rend(), is_used).base();
  const auto edge = edges().begin() + (first - counts.begin());
  histogram.limits.assign(edge, edge + (last - first) + 1);
  histogram.counts.assign(1, 0);
  histogram.counts.insert(histogram.counts.end(), first, last);
}

/// `(N, H, W, C)` as `(rows * H, columns * W, C)`; cells that are left over are black.
Tensor grid(const Tensor& pictures, int64_t columns) {
  const int64_t count = pictures.size(0), height = pictures.size(1), width = pictures.size(2), depth = pictures.size(3);
  const int64_t rows = (count + columns - 1) / columns;
  const Tensor rest = zeros({rows * columns - count, height, width, depth}, kUInt8);
  return cat({pictures, rest})
      .reshape({rows, columns, height, width, depth})
      .permute({0, 2, 1, 3, 4})
      .reshape({rows * height, columns * width, depth});
}

}  // namespace

std::optional<Histogram> histogram_of(const Tensor& values) {
  STRATA_CHECK(values.numel() > 0, "add_histogram: there are no values in a tensor of {}", values.sizes());
  STRATA_CHECK(!values.is_complex(), "add_histogram: {} has no order", name(values.dtype()));
  Tensor v = values.detach().cpu().to(kDouble).flatten();
  const Tensor finite = isfinite(v);
  if (!finite.all().item<bool>()) {
    v = v.masked_select(finite);
    warn("add_histogram: {} of {} values are not finite and are left out", values.numel() - v.numel(), values.numel());
    if (v.numel() == 0) return std::nullopt;
  }
  Histogram out;
  out.min = v.min().item<double>(), out.max = v.max().item<double>();
  out.count = static_cast<double>(v.numel());
  out.sum = v.sum().item<double>(), out.sum_squares = v.square().sum().item<double>();
  const auto buckets = static_cast<int64_t>(edges().size()) - 1;
  const Tensor places = bucketize(v, tensor(edges(), kDouble), false, true).sub(1).clamp(0, buckets - 1);
  set_buckets(out, numbers_of(bincount(places, {}, buckets)));
  return out;
}

Picture picture_of(const Tensor& image, const std::string& format, const char* user, int64_t columns) {
  constexpr std::string_view kDims = "NHWC";
  std::string sorted = format;
  std::sort(sorted.begin(), sorted.end());
  const bool is_known = sorted == "HW" || sorted == "CHW" || sorted == "CHNW";
  STRATA_CHECK(is_known, "{}: '{}' does not name the dims of a picture, as CHW, HWC, HW or NCHW do", user, format);
  STRATA_CHECK(image.dim() == static_cast<int64_t>(format.size()), "{}: a tensor of {} is not {}", user, image.sizes(),
               format);
  Tensor pixels = picture_bytes(image, user);
  std::vector<int64_t> order;
  for (const char dim : kDims)
    if (const size_t place = format.find(dim); place != format.npos) order.push_back(static_cast<int64_t>(place));
  pixels = pixels.permute(order);
  if (format.find('N') == format.npos) pixels = pixels.unsqueeze(0);
  if (format.find('C') == format.npos) pixels = pixels.unsqueeze(-1);
  STRATA_CHECK(pixels.numel() > 0 && pixels.size(3) <= 4, "{}: pictures have one to four channels, got {} as {}", user,
               image.sizes(), format);
  pixels = grid(pixels, std::min(columns, pixels.size(0))).contiguous();
  return {pixels.size(0), pixels.size(1), pixels.size(2), png(pixels)};
}

}  // namespace strata::train::board
