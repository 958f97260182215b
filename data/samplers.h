// The order in which a data loader visits the examples of a dataset.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "../core/dtype.h"

namespace strata::serialize {
class OutputArchive;
class InputArchive;
}  // namespace strata::serialize

namespace strata::data::samplers {

/// Gives a loader its batch requests, usually vectors of indices.
template <class BatchRequest = std::vector<size_t>>
class Sampler {
 public:
  using BatchRequestType = BatchRequest;

  virtual ~Sampler() = default;
  /// Starts a new epoch, over `new_size` examples if given.
  virtual void reset(std::optional<size_t> new_size) = 0;
  /// The next request, of `batch_size` examples or what is left of them; empty at the end of the epoch.
  virtual std::optional<BatchRequest> next(size_t batch_size) = 0;
  virtual void save(serialize::OutputArchive& archive) const = 0;
  virtual void load(serialize::InputArchive& archive) = 0;
};

/// 0, 1, 2, …
class SequentialSampler : public Sampler<> {
 public:
  explicit SequentialSampler(size_t size) : size_(size) {}
  void reset(std::optional<size_t> new_size = std::nullopt) override;
  std::optional<std::vector<size_t>> next(size_t batch_size) override;
  void save(serialize::OutputArchive& archive) const override;
  void load(serialize::InputArchive& archive) override;
  /// How many examples were given out in this epoch.
  size_t index() const noexcept { return index_; }

 private:
  size_t size_;
  size_t index_ = 0;
};

/// 0 to size - 1, shuffled by the default generator.
std::vector<size_t> random_permutation(size_t size);

/// Gives out a list of indices that it draws at the start of each epoch.
class IndexSampler : public Sampler<> {
 public:
  void reset(std::optional<size_t> new_size = std::nullopt) override;
  std::optional<std::vector<size_t>> next(size_t batch_size) override;
  void save(serialize::OutputArchive& archive) const override;
  void load(serialize::InputArchive& archive) override;
  /// How many indices were given out in this epoch.
  size_t index() const noexcept { return index_; }

 protected:
  /// `index_dtype` is how `save` stores the list.
  explicit IndexSampler(DType index_dtype = kInt64) : index_dtype_(index_dtype) {}
  /// The indices of the next epoch, `size` of them unless the sampler knows better: a new size, or that of the last
  /// epoch.
  virtual std::vector<size_t> draw(size_t size) const = 0;
  /// What the indices of a list of `size` are below; loading one checks it.
  virtual size_t limit(size_t) const { return static_cast<size_t>(std::numeric_limits<int64_t>::max()); }

 private:
  std::vector<size_t> indices_;
  size_t index_ = 0;
  DType index_dtype_;
};

/// A new permutation for each epoch, drawn from the default generator.
class RandomSampler : public IndexSampler {
 public:
  explicit RandomSampler(int64_t size, DType index_dtype = kInt64);

 protected:
  std::vector<size_t> draw(size_t size) const override { return random_permutation(size); }
  size_t limit(size_t size) const override { return size; }
};

/// One rank's share of the examples. Every rank gets equally many: with `allow_duplicates` the first examples are given
/// out again to fill up, without it some are left out.
template <class BatchRequest = std::vector<size_t>>
class DistributedSampler : public Sampler<BatchRequest> {
 public:
  DistributedSampler(size_t size, size_t num_replicas = 1, size_t rank = 0, bool allow_duplicates = true)
      : size_(size), num_replicas_(num_replicas), rank_(rank), allow_duplicates_(allow_duplicates) {}
  /// Which epoch the next `reset` prepares; all ranks must say the same.
  void set_epoch(size_t epoch) { epoch_ = epoch; }
  size_t epoch() const { return epoch_; }

 protected:
  size_t local_sample_count() const { return share_of(size_, num_replicas_); }
  size_t share_of(size_t size, size_t replicas) const {
    return (size + (allow_duplicates_ ? replicas - 1 : 0)) / replicas;
  }

  size_t size_;
  size_t num_replicas_;
  size_t rank_;
  size_t epoch_ = 0;
  bool allow_duplicates_;
};

/// A consecutive part of an order that all ranks agree on. Ranks take equally many; what one has saved then says how
/// far all are, and any rank of any number of ranks can load it: they share out what is left of the epoch.
class DistributedPartSampler : public DistributedSampler<> {
 public:
  void reset(std::optional<size_t> new_size = std::nullopt) override;
  std::optional<std::vector<size_t>> next(size_t batch_size) override;
  void save(serialize::OutputArchive& archive) const override;
  void load(serialize::InputArchive& archive) override;
  /// Place in the common order of the next example.
  size_t index() const noexcept { return sample_index_; }

 protected:
  DistributedPartSampler(size_t size, size_t num_replicas, size_t rank, bool allow_duplicates, bool shuffle);

 private:
  /// So many ranks have each taken so many examples.
  struct Share {
    size_t replicas, taken;
  };
  std::vector<size_t> order_of_epoch(size_t replicas) const;
  std::vector<size_t> rest_of(const std::vector<size_t>& order, const Share& share, size_t replicas) const;
  void begin_share();
  void load_shares(const std::vector<size_t>& numbers);

  bool shuffle_;
  std::vector<Share> shares_;  ///< of this epoch, in the order of resuming; the last one is the own
  size_t begin_index_ = 0;
  size_t end_index_ = 0;
  size_t sample_index_ = 0;
  std::vector<size_t> all_indices_;
};

/// A part of a permutation that depends on the epoch alone, so that all ranks shuffle alike.
class DistributedRandomSampler : public DistributedPartSampler {
 public:
  explicit DistributedRandomSampler(size_t size, size_t num_replicas = 1, size_t rank = 0, bool allow_duplicates = true)
      : DistributedPartSampler(size, num_replicas, rank, allow_duplicates, true) {}
};

/// A part of 0, 1, 2, …
class DistributedSequentialSampler : public DistributedPartSampler {
 public:
  explicit DistributedSequentialSampler(size_t size, size_t num_replicas = 1, size_t rank = 0,
                                        bool allow_duplicates = true)
      : DistributedPartSampler(size, num_replicas, rank, allow_duplicates, false) {}
};

/// A request that is not a vector of indices.
struct CustomBatchRequest {
  virtual ~CustomBatchRequest() = default;
  virtual size_t size() const = 0;
};

/// Asks a stream dataset for so many examples.
struct BatchSize : CustomBatchRequest {
  explicit BatchSize(size_t size) : size_(size) {}
  size_t size() const noexcept override { return size_; }
  operator size_t() const noexcept { return size_; }
  size_t size_;
};

/// Batch sizes that add up to `epoch_size` examples.
class StreamSampler : public Sampler<BatchSize> {
 public:
  explicit StreamSampler(size_t epoch_size) : epoch_size_(epoch_size) {}
  void reset(std::optional<size_t> new_size = std::nullopt) override;
  std::optional<BatchSize> next(size_t batch_size) override;
  void save(serialize::OutputArchive& archive) const override;
  void load(serialize::InputArchive& archive) override;

 private:
  size_t examples_retrieved_so_far_ = 0;
  size_t epoch_size_;
};

/// `archive << sampler` and `archive >> sampler`, for strata::save and strata::load.
template <class BatchRequest>
serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const Sampler<BatchRequest>& sampler) {
  sampler.save(archive);
  return archive;
}
template <class BatchRequest>
serialize::InputArchive& operator>>(serialize::InputArchive& archive, Sampler<BatchRequest>& sampler) {
  sampler.load(archive);
  return archive;
}

}  // namespace strata::data::samplers
