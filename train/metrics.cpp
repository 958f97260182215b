// Sums that grow by a batch's, in float64 and int64.
#include "train/metrics.h"

#include <cmath>
#include <limits>
#include <string>

#include "core/grad_mode.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/reduce.h"
#include "ops/serialize_fields.h"
#include "ops/shaping.h"
#include "ops/sort.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata::train {
namespace {

Tensor doubles(const Tensor& t) { return t.detach().to(kDouble); }

/// The labels that predictions stand for: those of the highest scores where they have a dim of classes.
Tensor guesses_of(const char* metric, const Tensor& predictions, const Tensor& target) {
  STRATA_CHECK(!is_floating_point(target.dtype()), "{}: labels of {}, expected integers", metric, name(target.dtype()));
  if (predictions.dim() == target.dim() + 1) {
    DimVector sizes = predictions.sizes();
    sizes.erase(1);
    STRATA_CHECK(target.dim() >= 1 && IntArrayRef(sizes) == target.sizes(), "{}: scores {} for labels {}", metric,
                 predictions.sizes(), target.sizes());
    return predictions.detach().argmax(1);
  }
  STRATA_CHECK(predictions.sizes() == target.sizes(), "{}: predictions {} for labels {}", metric, predictions.sizes(),
               target.sizes());
  STRATA_CHECK(!is_floating_point(predictions.dtype()),
               "{}: scores of {} in the shape {} of the labels; give them a dim of classes, or compare them with a "
               "threshold",
               metric, name(predictions.dtype()), target.sizes());
  return predictions;
}

/// The counts, means and sums of squared distances of two sets of numbers become those of both.
struct Moments {
  double count;
  Tensor mean, squares;
};

Moments joined(const Moments& a, const Moments& b) {
  if (a.count == 0) return b;
  const double n = a.count + b.count;
  const Tensor by = b.mean.to(a.mean.device()) - a.mean;
  return {n, a.mean + by * (b.count / n),
          a.squares + b.squares.to(a.mean.device()) + by * by * (a.count * (b.count / n))};
}

/// Of the rows of `(N, ...)`.
Moments moments_of(const Tensor& rows) {
  const Tensor mean = rows.mean(IntArrayRef{0});
  return {static_cast<double>(rows.size(0)), mean, (rows - mean).square().sum(IntArrayRef{0})};
}

}  // namespace

namespace detail {

void Sums::reset() {
  for (Tensor& sum : sums_) sum = Tensor();
}

void Sums::reduce(const strata::detail::Function<Tensor(const Tensor&)>& sum) {
  for (Tensor& each : sums_) {
    STRATA_CHECK(each.defined(), "reduce: a metric without a batch, which other processes would wait for");
    each = sum(each);
  }
}

void Sums::add(size_t i, const Tensor& more) {
  Tensor& sum = sums_[i];
  sum = sum.defined() ? sum + more.to(sum.device()) : more;
}

Tensor Sums::total(const char* metric, size_t i) const {
  STRATA_CHECK(sums_[i].defined(), "{}: nothing was seen yet", metric);
  return sums_[i].cpu().to(kDouble);
}

void Sums::save(serialize::OutputArchive& archive) const {
  for (size_t i = 0; i < sums_.size(); ++i) serialize::detail::transfer(archive, "sum" + std::to_string(i), sums_[i]);
  archive.write("sums", static_cast<int64_t>(sums_.size()));
}

void Sums::load(serialize::InputArchive& archive) {
  int64_t count = 0;
  archive.read("sums", count);
  STRATA_CHECK(count == static_cast<int64_t>(sums_.size()), "load: a metric of {} sums in place of one of {}", count,
               sums_.size());
  for (size_t i = 0; i < sums_.size(); ++i) serialize::detail::transfer(archive, "sum" + std::to_string(i), sums_[i]);
}

}  // namespace detail

void Mean::update(const Tensor& values, double weight) {
  const NoGradGuard no_grad;
  add(0, doubles(values).sum() * weight);
  add(1, full({}, weight * static_cast<double>(values.numel()), TensorOptions(kDouble).device(values.device())));
}

void Mean::update(double value, double weight) { update(scalar_tensor(value, kDouble), weight); }

double Mean::compute() const {
  const double weight = total("Mean", 1).item<double>();
  STRATA_CHECK(weight != 0, "Mean: all weights are 0");
  return total("Mean", 0).item<double>() / weight;
}

void MeanStd::update(const Tensor& values) {
  if (values.numel() == 0) return;
  const NoGradGuard no_grad;
  const Tensor x = doubles(values).flatten();
  const bool is_first = count_ == 0;
  const Moments both = joined({static_cast<double>(count_), mean_, squares_}, moments_of(x));
  mean_ = both.mean;
  squares_ = both.squares;
  min_ = is_first ? x.amin() : minimum(min_, x.amin().to(min_.device()));
  max_ = is_first ? x.amax() : maximum(max_, x.amax().to(max_.device()));
  count_ += x.numel();
}

void MeanStd::check_not_empty(const char* function) const {
  STRATA_CHECK(count_ > 0, "MeanStd: {} of no values", function);
}

double MeanStd::mean() const {
  check_not_empty("mean");
  return mean_.item<double>();
}

double MeanStd::std(bool unbiased) const {
  check_not_empty("std");
  const double denominator = static_cast<double>(count_) - (unbiased ? 1 : 0);
  return denominator == 0 ? std::numeric_limits<double>::quiet_NaN() : std::sqrt(squares_.item<double>() / denominator);
}

double MeanStd::min() const {
  check_not_empty("min");
  return min_.item<double>();
}

double MeanStd::max() const {
  check_not_empty("max");
  return max_.item<double>();
}

void MeanStd::reset() { *this = MeanStd(); }

template <class Self, class Archive>
void MeanStd::transfer(Self& self, Archive& archive) {
  serialize::detail::transfer(archive, "count", self.count_);
  serialize::detail::transfer(archive, "mean", self.mean_);
  serialize::detail::transfer(archive, "squares", self.squares_);
  serialize::detail::transfer(archive, "min", self.min_);
  serialize::detail::transfer(archive, "max", self.max_);
}

void MeanStd::save(serialize::OutputArchive& archive) const { transfer(*this, archive); }
void MeanStd::load(serialize::InputArchive& archive) { transfer(*this, archive); }

Accuracy::Accuracy(AccuracyOptions options) : Sums(2), options_(options) {
  STRATA_CHECK(options.top_k() >= 1, "Accuracy: top_k {}, expected 1 or more", options.top_k());
}

void Accuracy::update(const Tensor& predictions, const Tensor& target) {
  const NoGradGuard no_grad;
  const int64_t k = options_.top_k();
  Tensor right;
  if (k == 1) {
    right = guesses_of("Accuracy", predictions, target) == target;
  } else {
    STRATA_CHECK(predictions.dim() == target.dim() + 1 && predictions.size(1) >= k,
                 "Accuracy: the {} highest of scores {} for labels {}", k, predictions.sizes(), target.sizes());
    const Tensor highest = std::get<1>(predictions.detach().topk(k, 1));
    right = (highest == target.unsqueeze(1)).any(1);
  }
  const Tensor counted = options_.ignore_index() ? target != *options_.ignore_index() : ones_like(target, kBool);
  add(0, (right & counted).sum());
  add(1, counted.sum());
}

double Accuracy::compute() const {
  const double count = total("Accuracy", 1).item<double>();
  STRATA_CHECK(count > 0, "Accuracy: no example counts");
  return total("Accuracy", 0).item<double>() / count;
}

ConfusionMatrix::ConfusionMatrix(int64_t classes) : Sums(1), classes_(classes) {
  STRATA_CHECK(classes >= 2, "ConfusionMatrix: {} classes, expected 2 or more", classes);
}

void ConfusionMatrix::update(const Tensor& predictions, const Tensor& target) {
  const NoGradGuard no_grad;
  const Tensor labels = target.flatten().to(kLong);
  const Tensor guesses = guesses_of("ConfusionMatrix", predictions, target).flatten().to(kLong);
  if (labels.numel() == 0) return;
  for (const Tensor& each : {labels, guesses}) {
    const int64_t low = each.min().item<int64_t>(), high = each.max().item<int64_t>();
    STRATA_CHECK(low >= 0 && high < classes_, "ConfusionMatrix: a class {}, expected 0 to {}", low < 0 ? low : high,
                 classes_ - 1);
  }
  add(0, bincount(labels * classes_ + guesses, {}, classes_ * classes_).view({classes_, classes_}));
}

Tensor ConfusionMatrix::counts() const { return is_empty() ? zeros({classes_, classes_}, kLong) : sums_[0].cpu(); }

double ConfusionMatrix::accuracy() const { return averaged(Average::kMicro, {1, 1}); }
double ConfusionMatrix::precision(Average average) const { return averaged(average, {0, 1}); }
double ConfusionMatrix::recall(Average average) const { return averaged(average, {1, 0}); }
double ConfusionMatrix::fbeta(double beta, Average average) const { return averaged(average, {beta * beta, 1}); }
Tensor ConfusionMatrix::precisions() const { return scores({0, 1}); }
Tensor ConfusionMatrix::recalls() const { return scores({1, 0}); }
Tensor ConfusionMatrix::fbetas(double beta) const { return scores({beta * beta, 1}); }

double ConfusionMatrix::balanced_accuracy() const {
  const Tensor occurs = total("ConfusionMatrix", 0).sum(IntArrayRef{1}) > 0;
  return (recalls() * occurs).sum().item<double>() / occurs.sum().item<double>();
}

Tensor ConfusionMatrix::scores(Charges charges) const {
  const Tensor table = total("ConfusionMatrix", 0);
  const Tensor right = table.diagonal();
  const Tensor missed = table.sum(IntArrayRef{1}) - right, wrong = table.sum(IntArrayRef{0}) - right;
  const Tensor gain = right * (charges.missed + charges.wrong);
  const Tensor all = gain + missed * charges.missed + wrong * charges.wrong;
  return where(all > 0, gain / all, zeros_like(all));
}

double ConfusionMatrix::averaged(Average average, Charges charges) const {
  const Tensor table = total("ConfusionMatrix", 0);
  const Tensor occurs = table.sum(IntArrayRef{1});
  STRATA_CHECK(occurs.sum().item<double>() > 0, "ConfusionMatrix: nothing was seen yet");
  // With one label per example all guesses together miss as often as they are wrong, so every charge says the same.
  if (average == Average::kMicro) return (table.diagonal().sum() / table.sum()).item<double>();
  const Tensor each = scores(charges);
  if (average == Average::kBinary) {
    STRATA_CHECK(classes_ == 2, "ConfusionMatrix: the binary average of {} classes", classes_);
    return each[1].item<double>();
  }
  const Tensor seen = ((occurs + table.sum(IntArrayRef{0})) > 0).to(kDouble);
  const Tensor weights = average == Average::kWeighted ? occurs : seen;
  return ((each * weights).sum() / weights.sum()).item<double>();
}

void R2::update(const Tensor& predictions, const Tensor& target) {
  STRATA_CHECK(predictions.sizes() == target.sizes() && (target.dim() == 1 || target.dim() == 2),
               "R2: predictions {} for targets {}, expected both (N,) or (N, outputs)", predictions.sizes(),
               target.sizes());
  if (target.size(0) == 0) return;
  const NoGradGuard no_grad;
  const Tensor y = doubles(target).reshape({target.size(0), -1});
  const Tensor errors = (y - doubles(predictions).reshape(y.sizes())).square().sum(IntArrayRef{0});
  STRATA_CHECK(count_ == 0 || mean_.size(0) == y.size(1), "R2: {} outputs after batches of {}", y.size(1),
               count_ == 0 ? 0 : mean_.size(0));
  const Moments both = joined({static_cast<double>(count_), mean_, squares_}, moments_of(y));
  mean_ = both.mean;
  squares_ = both.squares;
  errors_ = count_ == 0 ? errors : errors_ + errors.to(errors_.device());
  count_ += y.size(0);
}

double R2::compute() const {
  STRATA_CHECK(count_ >= 2, "R2: of {} examples, expected 2 or more", count_);
  const Tensor share = where(squares_ > 0, errors_ / squares_, (errors_ > 0).to(kDouble));
  return 1 - share.mean().item<double>();
}

void R2::reset() { *this = R2(); }

template <class Self, class Archive>
void R2::transfer(Self& self, Archive& archive) {
  serialize::detail::transfer(archive, "count", self.count_);
  serialize::detail::transfer(archive, "mean", self.mean_);
  serialize::detail::transfer(archive, "squares", self.squares_);
  serialize::detail::transfer(archive, "errors", self.errors_);
}

void R2::save(serialize::OutputArchive& archive) const { transfer(*this, archive); }
void R2::load(serialize::InputArchive& archive) { transfer(*this, archive); }

}  // namespace strata::train
