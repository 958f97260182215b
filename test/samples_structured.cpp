// Rows of the losses of sequences and label sets, and of bags of rows.
#include <cmath>

#include "ops/ctc_loss.h"
#include "ops/embedding_bag.h"
#include "ops/margin_loss.h"
#include "ops/softmax.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

/// Does a path of classes read as the target, once repetitions and the blanks (0) are taken out?
bool reads_as(const std::vector<int>& path, const std::vector<int>& target) {
  std::vector<int> read;
  for (size_t t = 0; t < path.size(); ++t)
    if (path[t] != 0 && (t == 0 || path[t] != path[t - 1])) read.push_back(path[t]);
  return read == target;
}

/// Minus the logarithm of the summed probabilities of all paths of 4 steps over 3 classes, from logits.
double ctc_by_paths(const double* logits, int64_t samples, int64_t n, int64_t steps, const std::vector<int>& target) {
  double total = 0;
  for (int number = 0; number < std::pow(3, steps); ++number) {
    std::vector<int> path;
    double probability = 1;
    for (int64_t t = 0, rest = number; t < steps; ++t, rest /= 3) {
      const double* const row = logits + (t * samples + n) * 3;
      path.push_back(static_cast<int>(rest % 3));
      probability *= std::exp(row[rest % 3]) / (std::exp(row[0]) + std::exp(row[1]) + std::exp(row[2]));
    }
    if (reads_as(path, target)) total += probability;
  }
  return -std::log(total);
}

}  // namespace

void add_structured(Table& t) {
  const Tensor logits = uniform_values({4, 2, 3}, -1, 1), targets = from_values({1, 2, 2, 2}, {2, 2}, kLong);
  const Function loss = [targets](const List& in) {
    return List{
        ctc_loss(log_softmax(in[0], 2), targets, IntArrayRef{4, 3}, IntArrayRef{2, 2}, 0, Reduction::None, true)};
  };
  const Function by_paths = [](const List& in) {
    const std::vector<double> x = values(in[0]);
    return List{from_values({ctc_by_paths(x.data(), 2, 0, 4, {1, 2}), ctc_by_paths(x.data(), 2, 1, 3, {2, 2})}, {2})};
  };
  const Function mean_of_joined = [](const List& in) {
    return List{ctc_loss(log_softmax(in[0], 2), from_values({2, 1, 1}, {3}, kLong), IntArrayRef{3, 4},
                         IntArrayRef{1, 2}, 0, Reduction::Mean, true)};
  };
  const Tensor log_probs = log_softmax(logits, 2);
  // Not smooth: finite differences see minus infinity in log_alpha, and that the slope is that of normalised log_probs.
  t.push_back({"ctc_loss",
               {{{logits}, loss, by_paths, 1e-11, false}, {{logits}, mean_of_joined, nullptr, 1e-11, false}},
               Takes::kFixed,
               {{[=] {
                   ctc_loss(log_probs, targets, IntArrayRef{5, 3}, IntArrayRef{2, 2});
                 },
                 "input_lengths"},
                {[=] {
                   ctc_loss(log_probs, targets, IntArrayRef{4, 3}, IntArrayRef{2, 3});
                 },
                 "target_lengths"}}});
  const Tensor x = uniform_values({3, 4}, -2, 2),
               labels = from_values({1, 3, -1, 0, -1, 0, 0, 0, 2, 0, 1, 3}, {3, 4}, kLong);
  t.push_back({"", {{{x, labels}, [](const List& in) { return List{multilabel_margin_loss(in[0], in[1])}; }}}});
  const Tensor table = uniform_values({5, 3}, -2, 2), index = from_values({1, 4, 4, 0, 2}, {5}, kLong),
               offsets = from_values({0, 2, 2}, {3}, kLong), weights = uniform_values({5}, 0.5, 2);
  const auto bag = [&](int64_t mode) {
    return Sample{{table},
                  [=](const List& in) {
                    return List{std::get<0>(embedding_bag(in[0], index, offsets, false, mode, false, {}, false, 4))};
                  },
                  nullptr,
                  1e-11,
                  mode < 2};
  };
  t.push_back({"", {bag(0), bag(1), bag(2), {{table, weights}, [=](const List& in) {
                                               return List{std::get<0>(
                                                   embedding_bag(in[0], index, offsets, false, 0, false, in[1]))};
                                             }}}});
}

}  // namespace strata::test
