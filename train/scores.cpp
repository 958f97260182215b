// Curves over all thresholds, from the sorted scores.
#include <algorithm>
#include <cmath>

#include "core/grad_mode.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/unary.h"
#include "ops/view.h"
#include "train/metrics.h"

namespace strata::train {
namespace {

/// How many examples of each class have at least the threshold as score.
struct Above {
  double threshold;
  double positive, negative;
};

/// One entry for each distinct score, the highest first.
std::vector<Above> thresholds_of(const std::vector<std::pair<double, bool>>& sorted) {
  std::vector<Above> out;
  double counts[2] = {0, 0};
  for (size_t i = 0; i < sorted.size(); ++i) {
    counts[sorted[i].second] += 1;
    const bool is_last = i + 1 == sorted.size() || sorted[i + 1].first != sorted[i].first;
    if (is_last) out.push_back({sorted[i].first, counts[1], counts[0]});
  }
  return out;
}

}  // namespace

void BinaryScores::update(const Tensor& scores, const Tensor& target) {
  STRATA_CHECK(scores.sizes() == target.sizes(), "BinaryScores: scores {} for labels {}", scores.sizes(),
               target.sizes());
  if (target.numel() == 0) return;
  const NoGradGuard no_grad;
  const Tensor s = scores.detach().to(kDouble).flatten(), t = target.to(kDouble).flatten().to(s.device());
  STRATA_CHECK(!((t != 0) & (t != 1)).any().item<bool>(), "BinaryScores: labels have to be 0 or 1");
  STRATA_CHECK(!s.isnan().any().item<bool>(), "BinaryScores: a score is NaN");
  batches_.push_back(stack({s, t}));
}

int64_t BinaryScores::count() const {
  int64_t count = 0;
  for (const Tensor& batch : batches_) count += batch.size(1);
  return count;
}

std::vector<std::pair<double, bool>> BinaryScores::sorted() const {
  std::vector<std::pair<double, bool>> all;
  all.reserve(static_cast<size_t>(count()));
  for (const Tensor& batch : batches_) {
    const Tensor here = batch.cpu().contiguous();
    const double* values = here.data_ptr<double>();
    for (int64_t i = 0, n = here.size(1); i < n; ++i) all.emplace_back(values[i], values[n + i] != 0);
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  return all;
}

Curve BinaryScores::roc_curve() const {
  const auto points = thresholds_of(sorted());
  STRATA_CHECK(!points.empty() && points.back().positive > 0 && points.back().negative > 0,
               "BinaryScores: the ROC curve needs examples of both classes, of {} all are of one", count());
  Curve curve{{0}, {0}, {INFINITY}};
  for (const Above& p : points) {
    curve.x.push_back(p.negative / points.back().negative);
    curve.y.push_back(p.positive / points.back().positive);
    curve.thresholds.push_back(p.threshold);
  }
  return curve;
}

Curve BinaryScores::precision_recall_curve() const {
  const auto points = thresholds_of(sorted());
  STRATA_CHECK(!points.empty() && points.back().positive > 0,
               "BinaryScores: precision and recall need an example of class 1 among the {}", count());
  Curve curve;
  for (const Above& p : points) {
    curve.x.push_back(p.positive / points.back().positive);
    curve.y.push_back(p.positive / (p.positive + p.negative));
    curve.thresholds.push_back(p.threshold);
  }
  return curve;
}

double BinaryScores::roc_auc() const {
  const Curve curve = roc_curve();
  double area = 0;
  for (size_t i = 1; i < curve.x.size(); ++i) area += (curve.x[i] - curve.x[i - 1]) * (curve.y[i] + curve.y[i - 1]) / 2;
  return area;
}

double BinaryScores::average_precision() const {
  const Curve curve = precision_recall_curve();
  double sum = 0, recall = 0;
  for (size_t i = 0; i < curve.x.size(); ++i) {
    sum += (curve.x[i] - recall) * curve.y[i];
    recall = curve.x[i];
  }
  return sum;
}

void BinaryScores::save(serialize::OutputArchive& archive) const {
  archive.write("count", count());
  if (!batches_.empty()) archive.write("examples", cat(batches_, 1));
}

void BinaryScores::load(serialize::InputArchive& archive) {
  int64_t count = 0;
  archive.read("count", count);
  batches_.clear();
  if (count == 0) return;
  Tensor examples;
  archive.read("examples", examples);
  batches_.push_back(std::move(examples));
}

MulticlassScores::MulticlassScores(int64_t classes) {
  STRATA_CHECK(classes >= 2, "MulticlassScores: {} classes, expected 2 or more", classes);
  classes_.resize(static_cast<size_t>(classes));
}

void MulticlassScores::update(const Tensor& scores, const Tensor& target) {
  const auto count = static_cast<int64_t>(classes_.size());
  STRATA_CHECK(scores.dim() == 2 && target.dim() == 1 && scores.size(0) == target.size(0) && scores.size(1) == count,
               "MulticlassScores: scores {} for labels {} of {} classes", scores.sizes(), target.sizes(), count);
  if (target.numel() == 0) return;
  STRATA_CHECK(!((target < 0) | (target >= count)).any().item<bool>(), "MulticlassScores: labels have to be 0 to {}",
               count - 1);
  for (int64_t c = 0; c < count; ++c) classes_[static_cast<size_t>(c)].update(scores.select(1, c), target == c);
}

double MulticlassScores::roc_auc() const {
  double sum = 0;
  for (const BinaryScores& each : classes_) sum += each.roc_auc();
  return sum / static_cast<double>(classes_.size());
}

double MulticlassScores::average_precision() const {
  double sum = 0;
  for (const BinaryScores& each : classes_) sum += each.average_precision();
  return sum / static_cast<double>(classes_.size());
}

void MulticlassScores::reset() {
  for (BinaryScores& each : classes_) each.reset();
}

void MulticlassScores::save(serialize::OutputArchive& archive) const {
  for (size_t i = 0; i < classes_.size(); ++i) {
    serialize::OutputArchive nested;
    classes_[i].save(nested);
    archive.write("class" + std::to_string(i), nested);
  }
}

void MulticlassScores::load(serialize::InputArchive& archive) {
  for (size_t i = 0; i < classes_.size(); ++i) {
    serialize::InputArchive nested = archive.nested("class" + std::to_string(i));
    classes_[i].load(nested);
  }
}

}  // namespace strata::train
