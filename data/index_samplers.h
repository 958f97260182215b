// Samplers of chosen indices, weighted ones and batches of a size of their own, as in PyTorch.
#pragma once
#include <vector>

#include "samplers.h"

namespace strata::data::samplers {

/// The given indices in a new order each epoch. `reset` ignores a new size.
class SubsetRandomSampler : public IndexSampler {
 public:
  explicit SubsetRandomSampler(std::vector<size_t> indices);

 protected:
  std::vector<size_t> draw(size_t size) const override;

 private:
  std::vector<size_t> chosen_;
};

/// Indices drawn in proportion to their weights, which need not add up to 1. `reset` ignores a new size.
class WeightedRandomSampler : public IndexSampler {
 public:
  /// Throws for weights that are negative, infinite or NaN, or too few positive ones for draws without replacement.
  WeightedRandomSampler(std::vector<double> weights, size_t num_samples, bool replacement = true);

 protected:
  std::vector<size_t> draw(size_t size) const override;

 private:
  std::vector<double> weights_;
  size_t num_samples_;
  bool replacement_;
};

/// Batches of another sampler, of a size that the loader's does not change.
template <class Source>
class BatchSampler : public Sampler<typename Source::BatchRequestType> {
 public:
  using BatchRequestType = typename Source::BatchRequestType;
  BatchSampler(Source sampler, size_t batch_size, bool drop_last)
      : sampler_(std::move(sampler)), batch_size_(batch_size), drop_last_(drop_last) {}
  void reset(std::optional<size_t> new_size = std::nullopt) override { sampler_.reset(new_size); }
  std::optional<BatchRequestType> next(size_t = 0) override {
    std::optional<BatchRequestType> batch = sampler_.next(batch_size_);
    if (batch && drop_last_ && batch->size() < batch_size_) return std::nullopt;
    return batch;
  }
  void save(serialize::OutputArchive& archive) const override { sampler_.save(archive); }
  void load(serialize::InputArchive& archive) override { sampler_.load(archive); }

 private:
  Source sampler_;
  size_t batch_size_;
  bool drop_last_;
};

}  // namespace strata::data::samplers
