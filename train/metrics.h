// Metrics that grow batch by batch: means, accuracies, confusion matrices, areas under curves, R².
//
// All take tensors on any device and any floating point or integer dtype, record no gradients, keep their sums as
// tensors where the first batch was, and wait for a device only in `compute` (and where they check labels). Batches of
// any sizes give what all examples together give. `save` and `load` make them parts of a train::State.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "../core/arg.h"
#include "../core/function.h"
#include "../core/tensor.h"
#include "../ops/serialize.h"

namespace strata::train {

namespace detail {

/// Tensors that are added to, which is all that a metric remembers; undefined before the first batch.
class Sums {
 public:
  void reset();
  /// Joins what several processes have seen: replaces each sum by `sum(tensor)`, such as distributed::all_reduce. All
  /// of them have to have seen a batch.
  void reduce(const strata::detail::Function<Tensor(const Tensor&)>& sum);
  void save(serialize::OutputArchive& archive) const;
  void load(serialize::InputArchive& archive);

 protected:
  explicit Sums(size_t count) : sums_(count) {}
  ~Sums() = default;
  void add(size_t i, const Tensor& more);
  bool is_empty() const { return !sums_.front().defined(); }
  /// The sum on the CPU as float64; throws where no batch was seen.
  Tensor total(const char* metric, size_t i) const;

  std::vector<Tensor> sums_;
};

}  // namespace detail

/// The mean of all elements seen, for example of losses: `loss.update(batch_loss, batch_size)`.
class Mean : public detail::Sums {
 public:
  Mean() : Sums(2) {}
  /// Each element of `values` counts `weight` times.
  void update(const Tensor& values, double weight = 1);
  void update(double value, double weight = 1);
  /// Throws where nothing was seen.
  double compute() const;
};

/// Mean and standard deviation of all elements seen, without loss of digits where the deviation is small beside the
/// mean (Chan, Golub and LeVeque, 1979), with the smallest and the largest.
class MeanStd {
 public:
  void update(const Tensor& values);
  int64_t count() const { return count_; }
  double mean() const;
  /// With n - 1 in the denominator, or n; NaN where that is 0.
  double std(bool unbiased = true) const;
  double min() const;
  double max() const;
  void reset();
  void save(serialize::OutputArchive& archive) const;
  void load(serialize::InputArchive& archive);

 private:
  template <class Self, class Archive>
  static void transfer(Self& self, Archive& archive);
  void check_not_empty(const char* function) const;
  int64_t count_ = 0;
  Tensor mean_, squares_, min_, max_;  // 0-dim float64; squares_ of the distances from the mean
};

struct AccuracyOptions {
  AccuracyOptions() = default;
  AccuracyOptions(int64_t top_k) : top_k_(top_k) {}
  /// How many of the highest scores are guesses.
  STRATA_ARG(int64_t, top_k) = 1;
  /// Examples with this label do not count.
  STRATA_ARG(std::optional<int64_t>, ignore_index);
};

/// The share of examples whose label is among the k highest scores. Of equal scores `topk` chooses.
class Accuracy : public detail::Sums {
 public:
  explicit Accuracy(AccuracyOptions options = {});
  /// Scores `(N, C)` or `(N, C, ...)`, or labels in the shape of `target`, which is integral: `(N,)` or `(N, ...)`.
  void update(const Tensor& predictions, const Tensor& target);
  double compute() const;

 private:
  AccuracyOptions options_;
};

/// How numbers of classes become one.
enum class Average {
  kMacro,     ///< their mean over the classes that were seen as label or as guess
  kWeighted,  ///< their mean weighted by how many examples each class has
  kMicro,     ///< of all guesses together: for one label per example the accuracy
  kBinary,    ///< that of class 1
};

/// How often each class was taken for each, and what follows from it. Where a denominator is 0 the number is 0.
class ConfusionMatrix : public detail::Sums {
 public:
  explicit ConfusionMatrix(int64_t classes);
  /// Scores `(N, C)` or `(N, C, ...)`, or classes in the shape of the integral `target`. Throws for a class that is
  /// not from 0 to C - 1.
  void update(const Tensor& predictions, const Tensor& target);
  /// `(C, C)` int64 on the CPU: entry (i, j) counts the examples of class i that were taken for j.
  Tensor counts() const;
  int64_t classes() const { return classes_; }

  double accuracy() const;
  double precision(Average average = Average::kMacro) const;
  double recall(Average average = Average::kMacro) const;
  double f1(Average average = Average::kMacro) const { return fbeta(1, average); }
  double fbeta(double beta, Average average = Average::kMacro) const;
  /// The mean recall of the classes that occur as labels.
  double balanced_accuracy() const;
  /// `(C,)` float64, one for each class.
  Tensor precisions() const;
  Tensor recalls() const;
  Tensor f1s() const { return fbetas(1); }
  Tensor fbetas(double beta) const;

 private:
  /// What a class is charged for examples that were missed and for those that were taken for it wrongly: with both 1 it
  /// is F1, with one of them 0 precision or recall.
  struct Charges {
    double missed, wrong;
  };
  Tensor scores(Charges charges) const;
  double averaged(Average average, Charges charges) const;
  int64_t classes_;
};

/// Points of a curve over falling thresholds; all of one length.
struct Curve {
  std::vector<double> x, y, thresholds;
};

/// All scores seen with their labels, and the areas under the curves over all thresholds. It is exact and so keeps
/// every example: 16 bytes each.
class BinaryScores {
 public:
  /// Scores (any increasing function of the probability of class 1) and labels 0 or 1 of the same shape. Throws for
  /// other labels and for NaN.
  void update(const Tensor& scores, const Tensor& target);
  int64_t count() const;
  /// The area under the receiver operating characteristic: how probable it is that of an example of class 1 and one of
  /// class 0 the first has the higher score, half where they are equal. Throws where a class is missing.
  double roc_auc() const;
  /// The sum of precisions weighted by the recall that each threshold adds. Throws without an example of class 1.
  double average_precision() const;
  /// x: share of class 0 above the threshold (false positives), y: share of class 1 (true positives), from (0, 0).
  Curve roc_curve() const;
  /// x: recall, y: precision.
  Curve precision_recall_curve() const;
  void reset() { batches_.clear(); }
  void save(serialize::OutputArchive& archive) const;
  void load(serialize::InputArchive& archive);

 private:
  std::vector<std::pair<double, bool>> sorted() const;
  std::vector<Tensor> batches_;  // (2, N) float64: scores and labels
};

/// BinaryScores of each class against all others.
class MulticlassScores {
 public:
  explicit MulticlassScores(int64_t classes);
  /// Scores `(N, C)` and labels `(N,)` from 0 to C - 1.
  void update(const Tensor& scores, const Tensor& target);
  /// The mean over the classes (macro). Throws where a class is missing.
  double roc_auc() const;
  double average_precision() const;
  const BinaryScores& of_class(int64_t index) const { return classes_.at(static_cast<size_t>(index)); }
  void reset();
  void save(serialize::OutputArchive& archive) const;
  void load(serialize::InputArchive& archive);

 private:
  std::vector<BinaryScores> classes_;
};

/// The coefficient of determination: 1 - (sum of squared errors) / (sum of squared distances from the mean).
class R2 {
 public:
  /// `(N,)` or `(N, outputs)`.
  void update(const Tensor& predictions, const Tensor& target);
  /// The mean over the outputs. Of a constant target it is 1 where all errors are 0, else 0, as in scikit-learn. Throws
  /// for fewer than two examples.
  double compute() const;
  void reset();
  void save(serialize::OutputArchive& archive) const;
  void load(serialize::InputArchive& archive);

 private:
  template <class Self, class Archive>
  static void transfer(Self& self, Archive& archive);
  int64_t count_ = 0;
  Tensor mean_, squares_, errors_;  // (outputs,) float64
};

}  // namespace strata::train
