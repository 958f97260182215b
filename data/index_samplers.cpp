// Drawing indices: of a list, weighted, and the lengths of splits.
#include "data/index_samplers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/generator.h"
#include "data/combined.h"

namespace strata::data {
namespace {

/// Philox numbers of one place of the default generator, the same on every machine.
class Draws {
 public:
  uint64_t bits() {
    const Philox4x32 draw = Philox4x32::at(random_.seed, count_++, random_.offset);
    return uint64_t{draw.word[0]} << 32 | draw.word[1];
  }
  /// In (0, 1).
  double uniform() { return (static_cast<double>(bits() >> 11) + 0.5) * 0x1p-53; }

 private:
  Generator::Position random_ = default_generator().next();
  uint64_t count_ = 0;
};

}  // namespace

namespace samplers {

SubsetRandomSampler::SubsetRandomSampler(std::vector<size_t> indices) : chosen_(std::move(indices)) {
  IndexSampler::reset();
}

std::vector<size_t> SubsetRandomSampler::draw(size_t) const {
  std::vector<size_t> order = random_permutation(chosen_.size());
  for (size_t& i : order) i = chosen_[i];
  return order;
}

WeightedRandomSampler::WeightedRandomSampler(std::vector<double> weights, size_t num_samples, bool replacement)
    : weights_(std::move(weights)), num_samples_(num_samples), replacement_(replacement) {
  size_t positive = 0;
  for (const double w : weights_) {
    STRATA_CHECK(std::isfinite(w) && w >= 0, "WeightedRandomSampler: a weight is {}", w);
    positive += w > 0;
  }
  STRATA_CHECK(num_samples == 0 || positive >= (replacement ? 1 : num_samples),
               "WeightedRandomSampler: {} samples of {} indices with a weight", num_samples, positive);
  IndexSampler::reset();
}

std::vector<size_t> WeightedRandomSampler::draw(size_t) const {
  Draws draws;
  std::vector<size_t> out(num_samples_);
  if (replacement_) {
    std::vector<double> sums(weights_.size());
    std::partial_sum(weights_.begin(), weights_.end(), sums.begin());
    for (size_t& i : out)
      i = static_cast<size_t>(std::upper_bound(sums.begin(), sums.end() - 1, draws.uniform() * sums.back()) -
                              sums.begin());
    return out;
  }
  // The smallest of exponential times at the rates of the weights come in the order of successive weighted draws
  // (Efraimidis and Spirakis, 2006).
  std::vector<std::pair<double, size_t>> times;
  for (size_t i = 0; i < weights_.size(); ++i)
    if (weights_[i] > 0) times.emplace_back(-std::log(draws.uniform()) / weights_[i], i);
  std::partial_sort(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(num_samples_), times.end());
  for (size_t i = 0; i < num_samples_; ++i) out[i] = times[i].second;
  return out;
}

}  // namespace samplers

std::vector<size_t> datasets::SplitLengths::of(size_t size) const {
  std::vector<size_t> out;
  size_t sum = 0;
  double whole = 0;
  for (const double length : lengths_) {
    STRATA_CHECK(length >= 0, "random_split: a length is {}", length);
    out.push_back(static_cast<size_t>(fractions_ ? length * static_cast<double>(size) : length));
    sum += out.back();
    whole += length;
  }
  if (fractions_) {
    STRATA_CHECK(std::abs(whole - 1) < 1e-6 && sum <= size, "random_split: the fractions add up to {}, not 1", whole);
    for (size_t i = 0; sum < size; ++sum, ++i) ++out[i % out.size()];
  }
  STRATA_CHECK(sum == size, "random_split: the lengths add up to {}, the dataset has {} examples", sum, size);
  return out;
}

}  // namespace strata::data
