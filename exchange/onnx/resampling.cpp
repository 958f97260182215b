// ONNX's Resize, axis by axis as a product with a matrix, and sampling by grids.
#include <cmath>

#include "exchange/onnx/ops.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/grid_sample.h"
#include "ops/indexing.h"
#include "ops/linalg.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata::onnx {
namespace {

using A = const Arguments&;

/// How one axis is resampled.
struct Axis {
  int64_t from = 0, to = 0;
  double scale = 1;
  double roi_start = 0, roi_end = 1;
};

struct Method {
  std::string mode, coordinates, nearest;
  double cubic = -0.75;
  bool antialias = false, excludes_outside = false;
};

/// Where the result's cell i lies in the input.
double coordinate(const Method& m, const Axis& axis, int64_t i) {
  const double n = static_cast<double>(axis.from), wanted = axis.scale * n, x = static_cast<double>(i);
  if (m.coordinates == "align_corners") return wanted == 1 ? 0 : x * (n - 1) / (wanted - 1);
  if (m.coordinates == "asymmetric") return x / axis.scale;
  if (m.coordinates == "pytorch_half_pixel" && wanted == 1) return -0.5;
  if (m.coordinates == "half_pixel" || m.coordinates == "pytorch_half_pixel") return (x + 0.5) / axis.scale - 0.5;
  if (m.coordinates == "half_pixel_symmetric")
    return n / 2 * (1 - static_cast<double>(axis.to) / wanted) + (x + 0.5) / axis.scale - 0.5;
  if (m.coordinates == "tf_crop_and_resize") {
    const double width = (axis.roi_end - axis.roi_start) * (n - 1);
    return (axis.to == 1 ? width / 2 : x * width / (static_cast<double>(axis.to) - 1)) + axis.roi_start * (n - 1);
  }
  STRATA_THROW("load_onnx: Resize by coordinates '{}'", m.coordinates);
}

int64_t nearest_place(const Method& m, double x) {
  const double below = std::floor(x), part = x - below;
  double place = below;
  if (m.nearest == "round_prefer_floor")
    place = part <= 0.5 ? below : below + 1;
  else if (m.nearest == "round_prefer_ceil")
    place = part < 0.5 ? below : below + 1;
  else if (m.nearest == "ceil")
    place = std::ceil(x);
  else
    STRATA_CHECK(m.nearest == "floor", "load_onnx: Resize to the nearest by '{}'", m.nearest);
  return static_cast<int64_t>(place);
}

double linear_weight(double x) { return std::max(1 - std::abs(x), 0.0); }

double cubic_weight(double x, double a) {
  x = std::abs(x);
  if (x <= 1) return (a + 2) * x * x * x - (a + 3) * x * x + 1;
  return x < 2 ? a * x * x * x - 5 * a * x * x + 8 * a * x - 4 * a : 0;
}

/// Adds to a row of the matrix the weights of the cells around x; those outside stand for the cell at the edge.
void add_weights(const Method& m, const Axis& axis, double x, double* row) {
  const double shrinking = m.antialias ? std::min(axis.scale, 1.0) : 1.0;
  const double reach = (m.mode == "cubic" ? 2 : 1) / shrinking;
  const auto first = static_cast<int64_t>(std::floor(x - reach)), last = static_cast<int64_t>(std::ceil(x + reach));
  double total = 0;
  for (int64_t i = first; i <= last; ++i) {
    const double distance = (static_cast<double>(i) - x) * shrinking;
    const double weight = m.mode == "cubic" ? cubic_weight(distance, m.cubic) : linear_weight(distance);
    const bool is_outside = i < 0 || i >= axis.from;
    if (is_outside && m.excludes_outside) continue;
    row[std::clamp<int64_t>(i, 0, axis.from - 1)] += weight;
    total += weight;
  }
  for (int64_t i = 0; i < axis.from; ++i) row[i] /= total;
}

/// Resamples the last axis of x.
Tensor resampled(const Tensor& x, const Method& m, const Axis& axis) {
  if (m.mode == "nearest") {
    Ints places;
    for (int64_t i = 0; i < axis.to; ++i)
      places.push_back(std::clamp<int64_t>(nearest_place(m, coordinate(m, axis, i)), 0, axis.from - 1));
    return index_select(x, -1, int64s(places));
  }
  std::vector<double> weights(static_cast<size_t>(axis.to * axis.from), 0.0);
  for (int64_t i = 0; i < axis.to; ++i)
    add_weights(m, axis, coordinate(m, axis, i), weights.data() + static_cast<size_t>(i * axis.from));
  const Tensor matrix = strata::tensor(weights, kDouble).reshape({axis.to, axis.from});
  return matmul(x, transpose(cast(matrix, x.dtype()), 0, 1));
}

/// Which of the last axis's cells lie outside of the input, for `tf_crop_and_resize`.
Tensor outside(const Method& m, const Axis& axis) {
  Ints flags;
  for (int64_t i = 0; i < axis.to; ++i) {
    const double x = coordinate(m, axis, i);
    flags.push_back(x < 0 || x > static_cast<double>(axis.from - 1));
  }
  return cast(int64s(flags), kBool);
}

std::vector<double> numbers_in(A a, size_t i) {
  std::vector<double> out;
  const Tensor& t = a[i];
  STRATA_CHECK(is_known(t), "load_onnx: input {} of {} must be known", i, a.op());
  for (int64_t n = 0; n < t.numel(); ++n) out.push_back(select(t.reshape({-1}), 0, n).item<double>());
  return out;
}

/// The axes that change, by their numbers.
std::vector<std::pair<int64_t, Axis>> axes_of(A a, size_t scales_at) {
  const Tensor& x = a[0];
  Ints all;
  for (int64_t d = 0; d < x.dim(); ++d) all.push_back(d);
  const Ints numbers = wrapped(a.ints("axes", all), x.dim());
  const std::string policy = a.text("keep_aspect_ratio_policy", "stretch");
  const bool by_sizes = scales_at == 2 && a.has(3);
  const Ints sizes = by_sizes ? a.ints_in(3) : Ints();
  std::vector<double> scales = by_sizes ? std::vector<double>() : numbers_in(a, scales_at);
  for (size_t i = 0; by_sizes && i < numbers.size(); ++i)
    scales.push_back(static_cast<double>(sizes.at(i)) / static_cast<double>(x.size(numbers[i])));
  STRATA_CHECK(scales.size() == numbers.size() && !scales.empty(), "load_onnx: {} of {} axes by {} numbers", a.op(),
               numbers.size(), scales.size());
  const bool keeps = by_sizes && policy != "stretch";
  if (keeps)
    scales.assign(scales.size(), policy == "not_larger" ? *std::min_element(scales.begin(), scales.end())
                                                        : *std::max_element(scales.begin(), scales.end()));
  const std::vector<double> roi = scales_at == 2 && a.has(1) ? numbers_in(a, 1) : std::vector<double>();
  std::vector<std::pair<int64_t, Axis>> out;
  for (size_t i = 0; i < numbers.size(); ++i) {
    Axis axis;
    axis.from = x.size(numbers[i]), axis.scale = scales[i];
    const double to = static_cast<double>(axis.from) * axis.scale;
    axis.to = keeps ? static_cast<int64_t>(to + 0.5) : by_sizes ? sizes[i] : static_cast<int64_t>(std::floor(to));
    if (roi.size() == 2 * numbers.size()) axis.roi_start = roi[i], axis.roi_end = roi[i + numbers.size()];
    out.emplace_back(numbers[i], axis);
  }
  return out;
}

Tensor rounded_to(const Tensor& x, DType dtype) {
  if (is_floating_point(dtype)) return cast(x, dtype);
  const Tensor whole = round(x);
  return cast(dtype == kByte   ? clamp(whole, Scalar(0), Scalar(255))
              : dtype == kChar ? clamp(whole, Scalar(-128), Scalar(127))
                               : whole,
              dtype);
}

Tensor resized(A a, const Method& m, size_t scales_at) {
  const Tensor& given = a[0];
  const double extrapolation = a.number("extrapolation_value", 0);
  Tensor x = m.mode == "nearest" || is_floating_point(given.dtype()) ? given : cast(given, kFloat);
  for (const auto& [number, axis] : axes_of(a, scales_at)) {
    const bool crops = m.coordinates == "tf_crop_and_resize";
    if (axis.from == axis.to && axis.scale == 1 && !crops) continue;
    Tensor moved = resampled(movedim(x, number, -1), m, axis);
    if (crops) moved = where(outside(m, axis), full({}, extrapolation, moved.dtype()), moved);
    x = movedim(moved, -1, number);
  }
  return rounded_to(x, given.dtype());
}

Tensor resize(A a) {
  Method m{a.text("mode", "nearest"), a.text("coordinate_transformation_mode", "half_pixel"),
           a.text("nearest_mode", "round_prefer_floor")};
  m.cubic = a.number("cubic_coeff_a", -0.75);
  m.antialias = a.flag("antialias"), m.excludes_outside = a.flag("exclude_outside");
  if (a.opset() >= 11) return resized(a, m, 2);
  m.coordinates = "asymmetric", m.nearest = "floor";
  return resized(a, m, 1);
}

Tensor sampled(A a) {
  const std::string mode = a.text("mode", "linear"), padding = a.text("padding_mode", "zeros");
  const GridInterpolation how = mode == "nearest"                      ? GridInterpolation::Nearest
                                : mode == "cubic" || mode == "bicubic" ? GridInterpolation::Bicubic
                                                                       : GridInterpolation::Bilinear;
  const GridPadding outside = padding == "zeros"    ? GridPadding::Zeros
                              : padding == "border" ? GridPadding::Border
                                                    : GridPadding::Reflection;
  return grid_sampler(a[0], a[1], static_cast<int64_t>(how), static_cast<int64_t>(outside), a.flag("align_corners"));
}

constexpr OpEntry kResamplingOps[] = {
    {"Resize", [](A a) { return resize(a); }},
    {"Upsample",
     [](A a) {
       return resized(a, {a.text("mode", "nearest"), "asymmetric", "floor"}, 1);
     }},
    {"GridSample", [](A a) { return sampled(a); }},
    {"AffineGrid", [](A a) { return affine_grid_generator(a[0], a.ints_in(1), a.flag("align_corners")); }},
};

}  // namespace

std::span<const OpEntry> resampling_ops() { return kResamplingOps; }

}  // namespace strata::onnx
