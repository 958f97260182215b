// Metrics over batches of uneven sizes equal scikit-learn's of all examples together.
#include <strata/strata.h>
#include <strata/train/metrics.h>

#include <cmath>

#include "test/catch.h"
#include "test/error_of.h"
#include "test/source_dir.h"

using namespace strata;
using namespace strata::train;
using Catch::Matchers::ContainsSubstring;

namespace {

Tensor reference(const std::string& name) {
  static serialize::InputArchive archive = [] {
    serialize::InputArchive a;
    a.load_from(source_dir() + "/test/train/reference.safetensors");
    return a;
  }();
  Tensor t;
  archive.read(name, t);
  return t;
}

double number(const std::string& name) { return reference(name).item<double>(); }

auto close(double value) { return Approx(value).epsilon(1e-12); }

/// Calls `update(a, b)` with rows [0, 1), [1, 8), [8, 8), … of both.
template <class Update>
void in_batches(const Tensor& a, const Tensor& b, Update update) {
  const int64_t ends[] = {1, 8, 8, 70, a.size(0)};
  int64_t begin = 0;
  for (const int64_t end : ends) {
    update(a.slice(0, begin, end), b.slice(0, begin, end));
    begin = end;
  }
}

/// The metric after a way through an archive.
template <class Metric>
Metric reloaded(const Metric& metric, Metric fresh) {
  serialize::OutputArchive out;
  metric.save(out);
  serialize::InputArchive in(out.tensors());
  fresh.load(in);
  return fresh;
}

}  // namespace

TEST_CASE("accuracies equal scikit-learn's") {
  const Tensor scores = reference("scores"), target = reference("target");
  Accuracy plain, top2(2), ignoring(AccuracyOptions().ignore_index(2)), labels;
  in_batches(scores, target, [&](const Tensor& s, const Tensor& t) {
    plain.update(s.requires_grad_(), t);
    top2.update(s, t);
    ignoring.update(s, t);
    labels.update(s.argmax(1), t);
  });
  CHECK(plain.compute() == close(number("accuracy")));
  CHECK(top2.compute() == close(number("top2")));
  CHECK(ignoring.compute() == close(number("ignoring_2")));
  CHECK(labels.compute() == plain.compute());
  CHECK(reloaded(plain, Accuracy()).compute() == plain.compute());
  plain.reset();
  CHECK_THAT(error_of([&] { plain.compute(); }), ContainsSubstring("Accuracy: nothing was seen yet"));
  // Scores for pixels: (N, C, H) and (N, H).
  Accuracy pixels;
  pixels.update(scores.reshape({50, 4, 6}).transpose(1, 2), target.reshape({50, 4}));
  CHECK(pixels.compute() == close(number("accuracy")));
}

TEST_CASE("a network of NaN is not accurate") {
  Accuracy top1, top2(2);
  const Tensor scores = full({4, 5}, NAN), target = tensor({4, 3, 2, 1});
  top1.update(scores, target);
  top2.update(scores, target);
  CHECK(top1.compute() == 0);
  CHECK(top2.compute() < 1);
}

TEST_CASE("confusion matrices and what follows from them equal scikit-learn's") {
  ConfusionMatrix matrix(6);
  in_batches(reference("scores"), reference("target"), [&](const Tensor& s, const Tensor& t) { matrix.update(s, t); });
  for (const ConfusionMatrix& m : {matrix, reloaded(matrix, ConfusionMatrix(6))}) {
    CHECK(equal(m.counts(), reference("confusion")));
    CHECK(m.accuracy() == close(number("accuracy")));
    CHECK(m.balanced_accuracy() == close(number("balanced")));
    for (const auto& [name, average] : {std::pair{"macro", Average::kMacro}, std::pair{"weighted", Average::kWeighted},
                                        std::pair{"micro", Average::kMicro}}) {
      INFO(name);
      CHECK(m.precision(average) == close(number(std::string("precision_") + name)));
      CHECK(m.recall(average) == close(number(std::string("recall_") + name)));
      CHECK(m.f1(average) == close(number(std::string("f1_") + name)));
      CHECK(m.fbeta(2, average) == close(number(std::string("f2_") + name)));
    }
    CHECK(m.precisions().allclose(reference("precisions"), 1e-12));
    CHECK(m.recalls().allclose(reference("recalls"), 1e-12));
    CHECK(m.f1s().allclose(reference("f1s"), 1e-12));
  }
  ConfusionMatrix binary(2);
  binary.update((reference("binary_scores") > 0.5).to(kLong), reference("binary_target"));
  CHECK(binary.f1(Average::kBinary) == close(number("binary_f1")));
}

TEST_CASE("areas under curves equal scikit-learn's, with many equal scores") {
  BinaryScores all;
  in_batches(reference("binary_scores"), reference("binary_target"),
             [&](const Tensor& s, const Tensor& t) { all.update(s, t); });
  for (const BinaryScores& b : {all, reloaded(all, BinaryScores())}) {
    CHECK(b.count() == 300);
    CHECK(b.roc_auc() == close(number("roc_auc")));
    CHECK(b.average_precision() == close(number("average_precision")));
    const Curve roc = b.roc_curve(), pr = b.precision_recall_curve();
    CHECK(tensor(roc.x, kDouble).allclose(reference("fpr"), 1e-12));
    CHECK(tensor(roc.y, kDouble).allclose(reference("tpr"), 1e-12));
    CHECK(tensor(roc.thresholds, kDouble).to(kFloat).equal(reference("thresholds").to(kFloat)));
    CHECK(tensor(pr.x, kDouble).allclose(reference("curve_recall"), 1e-12));
    CHECK(tensor(pr.y, kDouble).allclose(reference("curve_precision"), 1e-12));
  }
  MulticlassScores classes(4);
  in_batches(reference("chances"), reference("target"),
             [&](const Tensor& s, const Tensor& t) { classes.update(s, t); });
  CHECK(classes.roc_auc() == close(number("multiclass_auc")));
  CHECK(reloaded(classes, MulticlassScores(4)).average_precision() == close(number("multiclass_precision")));
}

TEST_CASE("R2, means and deviations keep their digits far from zero") {
  R2 all, first;
  MeanStd spread;
  Mean mean;
  in_batches(reference("predicted"), reference("truth"), [&](const Tensor& p, const Tensor& t) {
    all.update(p, t);
    first.update(p.select(1, 0), t.select(1, 0));
    spread.update(t.select(1, 0));
    mean.update(t.select(1, 0));
  });
  CHECK(all.compute() == Approx(number("r2")).epsilon(1e-9));
  CHECK(reloaded(first, R2()).compute() == Approx(number("r2_first")).epsilon(1e-9));
  for (const MeanStd& m : {spread, reloaded(spread, MeanStd())}) {
    CHECK(m.count() == 150);
    CHECK(m.mean() == close(number("mean")));
    CHECK(m.std() == Approx(number("std")).epsilon(1e-9));
    CHECK(m.std(false) == Approx(number("population_std")).epsilon(1e-9));
    CHECK(m.min() == reference("truth").select(1, 0).min().item<double>());
    CHECK(m.max() == reference("truth").select(1, 0).max().item<double>());
  }
  CHECK(mean.compute() == close(number("mean")));
}

TEST_CASE("a mean weighs batches by their examples") {
  Mean mean;
  mean.update(tensor(2.0f), 3);
  mean.update(5.0);
  CHECK(mean.compute() == 11.0 / 4);
  Mean other = mean;  // as two processes with the same numbers would see it
  other.reduce([](const Tensor& t) { return t * 2; });
  CHECK(other.compute() == mean.compute());
  CHECK_THAT(error_of([] { Mean().reduce([](const Tensor& t) { return t; }); }), ContainsSubstring("without a batch"));
}

TEST_CASE("integers above 2^24 and half precision are counted exactly") {
  Mean mean;
  mean.update(full({3}, 16777217, kLong));
  CHECK(mean.compute() == 16777217);
  Mean half;
  for (int i = 0; i < 5000; ++i) half.update(tensor(1.0f).to(kHalf));
  CHECK(half.compute() == 1);
}

TEST_CASE("metrics say what is wrong with their arguments") {
  ConfusionMatrix matrix(3);
  CHECK_THAT(error_of([&] {
               matrix.update(tensor({0, 3}), tensor({0, 1}));
             }),
             ContainsSubstring("ConfusionMatrix: a class 3, expected 0 to 2"));
  CHECK_THAT(error_of([&] {
               matrix.update(zeros({4, 3}), zeros({5}, kLong));
             }),
             ContainsSubstring("scores (4, 3) for labels (5,)"));
  CHECK_THAT(error_of([&] { Accuracy().update(zeros({4}), zeros({4}, kLong)); }), ContainsSubstring("dim of classes"));
  CHECK_THAT(error_of([&] { Accuracy().update(zeros({4, 3}), zeros({4})); }), ContainsSubstring("expected integers"));
  BinaryScores one;
  CHECK_THAT(error_of([&] { one.update(tensor({1.0f, NAN}), tensor({0, 1})); }), ContainsSubstring("NaN"));
  CHECK_THAT(error_of([&] { one.update(tensor({1.0}), tensor({2})); }), ContainsSubstring("0 or 1"));
  one.update(tensor({1.0, 2.0}), tensor({1, 1}));
  CHECK_THAT(error_of([&] { one.roc_auc(); }), ContainsSubstring("both classes"));
  CHECK_THAT(error_of([&] { R2().update(zeros({3}), zeros({3, 1})); }), ContainsSubstring("(3,) for targets (3, 1)"));
}
