// Buckets, grids, samples and thresholds.
#include "train/summary_values.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/error.h"
#include "core/warning.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/indexing.h"
#include "ops/reduce.h"
#include "ops/scan.h"
#include "ops/shaping.h"
#include "ops/sort.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"
#include "train/png.h"
#include "train/wav.h"

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

Numbers numbers_in_rows(const Tensor& t) {
  const Tensor dense = t.detach().cpu().to(kFloat).contiguous();
  return {dense.sizes().vec(), {dense.data_ptr<float>(), dense.data_ptr<float>() + dense.numel()}};
}

/// `(B, N, 3)`, as a mesh's parts are.
void check_triples(const Tensor& t, const char* what) {
  STRATA_CHECK(t.dim() == 3 && t.size(2) == 3 && t.numel() > 0 && !t.is_complex(),
               "add_mesh: {} are a tensor of {}, not (B, N, 3)", what, t.sizes());
}

Tensor flat_doubles(const Tensor& t) { return t.detach().cpu().to(kDouble).flatten(); }

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

Picture video_of(const Tensor& videos, double fps, int64_t columns) {
  STRATA_CHECK(videos.dim() == 5 && videos.numel() > 0 && videos.size(2) <= 4,
               "add_video: a tensor of {} is not (N, T, C, H, W) with one to four channels", videos.sizes());
  STRATA_CHECK(fps >= 0.02 && fps <= 1000, "add_video: {} pictures a second, expected 0.02 to 1000", fps);
  const Tensor pictures = picture_bytes(videos, "add_video").permute({1, 0, 3, 4, 2});
  std::vector<Tensor> frames;
  for (int64_t t = 0; t < pictures.size(0); ++t)
    frames.push_back(grid(pictures.select(0, t), std::min(columns, pictures.size(1))));
  const Tensor all = stack(frames);
  return {all.size(1), all.size(2), all.size(3), animated_png(all, fps)};
}

Sound sound_of(const Tensor& sound, int64_t sample_rate) {
  Tensor samples = sound.dim() == 1 ? sound.unsqueeze(0) : sound;
  STRATA_CHECK(samples.dim() == 2 && samples.size(0) <= 2 && samples.numel() > 0,
               "add_audio: a tensor of {} is not (L) or (C, L) with one or two channels", sound.sizes());
  STRATA_CHECK(is_floating_point(sound.dtype()), "add_audio: samples of {}, expected floating point from -1 to 1",
               name(sound.dtype()));
  STRATA_CHECK(sample_rate > 0 && sample_rate <= 1'000'000, "add_audio: a sample rate of {}, expected 1 to 1000000",
               sample_rate);
  samples = samples.detach().cpu().to(kFloat).nan_to_num(0);
  if (samples.abs().max().item<float>() > 1) warn("add_audio: samples outside of -1 to 1 are cut off");
  samples = samples.clamp(-1, 1).mul(32767).to(kShort).t().contiguous();
  return {sample_rate, samples.size(1), samples.size(0), wav(samples, sample_rate)};
}

std::map<MeshPart, Numbers> mesh_of(const Tensor& vertices, const Tensor& colors, const Tensor& faces) {
  check_triples(vertices, "vertices");
  std::map<MeshPart, Numbers> parts = {{MeshPart::kVertex, numbers_in_rows(vertices)}};
  if (colors.defined()) {
    STRATA_CHECK(colors.sizes() == vertices.sizes(), "add_mesh: colors {} for vertices {}", colors.sizes(),
                 vertices.sizes());
    STRATA_CHECK(((colors >= 0) & (colors <= 255)).all().item<bool>(), "add_mesh: colors go from 0 to 255");
    parts[MeshPart::kColor] = numbers_in_rows(colors);
  }
  if (faces.defined()) {
    check_triples(faces, "faces");
    STRATA_CHECK(faces.size(0) == vertices.size(0), "add_mesh: faces of {} meshes for vertices of {}", faces.size(0),
                 vertices.size(0));
    STRATA_CHECK(((faces >= 0) & (faces < vertices.size(1))).all().item<bool>(),
                 "add_mesh: faces name vertices from 0 to {}", vertices.size(1) - 1);
    parts[MeshPart::kFace] = numbers_in_rows(faces);
  }
  return parts;
}

Numbers pr_curve_of(const Tensor& labels, const Tensor& predictions, int64_t thresholds, const Tensor& weights) {
  STRATA_CHECK(labels.sizes() == predictions.sizes() && labels.numel() > 0,
               "add_pr_curve: labels {} for predictions {}", labels.sizes(), predictions.sizes());
  STRATA_CHECK(!weights.defined() || weights.sizes() == labels.sizes(), "add_pr_curve: weights {} for labels {}",
               weights.defined() ? weights.sizes() : IntArrayRef(), labels.sizes());
  STRATA_CHECK(thresholds >= 2, "add_pr_curve: {} thresholds, expected 2 or more", thresholds);
  const Tensor truth = flat_doubles(labels), scores = flat_doubles(predictions);
  STRATA_CHECK(((truth == 0) | (truth == 1)).all().item<bool>(), "add_pr_curve: labels have to be 0 or 1");
  STRATA_CHECK(((scores >= 0) & (scores <= 1)).all().item<bool>(), "add_pr_curve: predictions have to be from 0 to 1");
  const Tensor each = weights.defined() ? flat_doubles(weights) : ones_like(truth);
  const Tensor reached = scores.mul(thresholds - 1).floor().to(kLong);
  const auto at_or_above = [&](const Tensor& weight) {
    return bincount(reached, weight, thresholds).flip({0}).cumsum(0).flip({0});
  };
  const Tensor true_positives = at_or_above(each * truth), false_positives = at_or_above(each * (1 - truth));
  const Tensor true_negatives = false_positives[0] - false_positives,
               false_negatives = true_positives[0] - true_positives;
  const auto share = [&](const Tensor& others) { return true_positives / (true_positives + others).clamp_min(1e-7); };
  return numbers_in_rows(stack({true_positives, false_positives, true_negatives, false_negatives,
                                share(false_positives), share(false_negatives)}));
}

}  // namespace strata::train::board
