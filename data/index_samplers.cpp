// Drawing indices: shuffles and weighted draws.
#include "data/index_samplers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/generator.h"
#include "data/combined.h"
#include "ops/creation.h"
#include "ops/serialize.h"

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

void shuffle(std::vector<size_t>& indices) {
  Draws draws;
  for (size_t i = indices.size(); i > 1; --i) std::swap(indices[i - 1], indices[static_cast<size_t>(draws.bits() % i)]);
}

}  // namespace

std::vector<size_t> samplers::random_permutation(size_t size) {
  std::vector<size_t> order(size);
  std::iota(order.begin(), order.end(), size_t{0});
  shuffle(order);
  return order;
}

namespace samplers {

void IndexSampler::reset(std::optional<size_t>) {
  indices_ = draw();
  at_ = 0;
}

std::optional<std::vector<size_t>> IndexSampler::next(size_t batch_size) {
  if (at_ >= indices_.size()) return std::nullopt;
  const auto first = indices_.begin() + static_cast<std::ptrdiff_t>(at_);
  const size_t count = std::min(batch_size, indices_.size() - at_);
  at_ += count;
  return std::vector<size_t>(first, first + static_cast<std::ptrdiff_t>(count));
}

void IndexSampler::save(serialize::OutputArchive& archive) const {
  archive.write("index", static_cast<int64_t>(at_));
  archive.write("indices", tensor(std::vector<int64_t>(indices_.begin(), indices_.end()), kInt64), true);
}

void IndexSampler::load(serialize::InputArchive& archive) {
  Tensor indices;
  int64_t at = 0;
  archive.read("indices", indices, true);
  archive.read("index", at);
  const Tensor longs = indices.to(kInt64).contiguous();
  const auto* const first = longs.data_ptr<int64_t>();
  STRATA_CHECK(
      at >= 0 && at <= longs.numel() && std::all_of(first, first + longs.numel(), [](int64_t i) { return i >= 0; }),
      "sampler: the archive's place {} or its indices are out of range", at);
  indices_.assign(first, first + longs.numel());
  at_ = static_cast<size_t>(at);
}

SubsetRandomSampler::SubsetRandomSampler(std::vector<size_t> indices) : chosen_(std::move(indices)) {
  IndexSampler::reset();
}

std::vector<size_t> SubsetRandomSampler::draw() const {
  std::vector<size_t> order = chosen_;
  shuffle(order);
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

std::vector<size_t> WeightedRandomSampler::draw() const {
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
