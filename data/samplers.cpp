// How samplers order, divide, save and restore their indices.
#include "data/samplers.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/generator.h"
#include "ops/creation.h"
#include "ops/serialize.h"

namespace strata::data::samplers {
namespace {

/// The next of `indices` from `at` on, at most `count` and none from `end` on; moves `at` behind them.
std::optional<std::vector<size_t>> take(const std::vector<size_t>& indices, size_t& at, size_t end, size_t count) {
  if (at >= end) return std::nullopt;
  const auto first = indices.begin() + static_cast<std::ptrdiff_t>(at);
  const size_t taken = std::min(count, end - at);
  at += taken;
  return std::vector<size_t>(first, first + static_cast<std::ptrdiff_t>(taken));
}

std::vector<size_t> to_vector(const Tensor& indices) {
  const Tensor longs = indices.to(kInt64).contiguous();
  const auto* first = longs.data_ptr<int64_t>();
  return {first, first + longs.numel()};
}

/// A count that was saved, checked to be within a sampler of `size` examples.
size_t read_count(serialize::InputArchive& archive, const char* key, size_t size) {
  Tensor value;
  archive.read(key, value, /*is_buffer=*/true);
  const auto count = value.item<int64_t>();
  STRATA_CHECK(count >= 0 && static_cast<uint64_t>(count) <= size,
               "sampler: {} is {} in the archive, at most {} is possible", key, count, size);
  return static_cast<size_t>(count);
}

void write_count(serialize::OutputArchive& archive, const char* key, size_t count) {
  archive.write(key, tensor(static_cast<int64_t>(count), kInt64), /*is_buffer=*/true);
}

/// Fisher and Yates' shuffle with Philox numbers, the same on every machine.
void shuffle(std::vector<size_t>& indices, Generator::Position random) {
  for (size_t i = indices.size(); i > 1; --i) {
    const Philox4x32 draw = Philox4x32::at(random.seed, i, random.offset);
    const uint64_t bits = uint64_t{draw.word[0]} << 32 | draw.word[1];
    std::swap(indices[i - 1], indices[static_cast<size_t>(bits % i)]);
  }
}

}  // namespace

void SequentialSampler::reset(std::optional<size_t> new_size) {
  size_ = new_size.value_or(size_);
  index_ = 0;
}

std::optional<std::vector<size_t>> SequentialSampler::next(size_t batch_size) {
  if (index_ >= size_) return std::nullopt;
  std::vector<size_t> indices(std::min(batch_size, size_ - index_));
  std::iota(indices.begin(), indices.end(), index_);
  index_ += indices.size();
  return indices;
}

void SequentialSampler::save(serialize::OutputArchive& archive) const { write_count(archive, "index", index_); }

void SequentialSampler::load(serialize::InputArchive& archive) { index_ = read_count(archive, "index", size_); }

RandomSampler::RandomSampler(int64_t size, DType index_dtype) : index_dtype_(index_dtype) {
  STRATA_CHECK(size >= 0, "RandomSampler: a size of {}", size);
  reset(static_cast<size_t>(size));
}

void RandomSampler::reset(std::optional<size_t> new_size) {
  indices_.resize(new_size.value_or(indices_.size()));
  std::iota(indices_.begin(), indices_.end(), size_t{0});
  shuffle(indices_, default_generator().next());
  index_ = 0;
}

std::optional<std::vector<size_t>> RandomSampler::next(size_t batch_size) {
  return take(indices_, index_, indices_.size(), batch_size);
}

void RandomSampler::save(serialize::OutputArchive& archive) const {
  write_count(archive, "index", index_);
  const std::vector<int64_t> indices(indices_.begin(), indices_.end());
  archive.write("indices", tensor(indices, index_dtype_), /*is_buffer=*/true);
}

void RandomSampler::load(serialize::InputArchive& archive) {
  Tensor indices;
  archive.read("indices", indices, /*is_buffer=*/true);
  std::vector<size_t> loaded = to_vector(indices);
  const auto outside = [&](size_t i) { return i >= loaded.size(); };
  STRATA_CHECK(std::none_of(loaded.begin(), loaded.end(), outside),
               "RandomSampler: the archive's indices are no permutation");
  indices_ = std::move(loaded);
  index_ = read_count(archive, "index", indices_.size());
}

DistributedPartSampler::DistributedPartSampler(size_t size, size_t num_replicas, size_t rank, bool allow_duplicates,
                                               bool shuffle)
    : DistributedSampler<>(size, num_replicas, rank, allow_duplicates), shuffle_(shuffle) {
  STRATA_CHECK(rank < num_replicas, "distributed sampler: rank {} of {} replicas", rank, num_replicas);
  DistributedPartSampler::reset(size);
}

void DistributedPartSampler::reset(std::optional<size_t> new_size) {
  size_ = new_size.value_or(size_);
  const size_t share = local_sample_count();
  const size_t total = num_replicas_ == 1 ? size_ : share * num_replicas_;
  all_indices_.resize(total);
  for (size_t i = 0; i < total; ++i) all_indices_[i] = i % size_;
  if (shuffle_) shuffle(all_indices_, {epoch_, 0});
  begin_index_ = rank_ * share;
  end_index_ = begin_index_ + share;
  sample_index_ = begin_index_;
}

std::optional<std::vector<size_t>> DistributedPartSampler::next(size_t batch_size) {
  return take(all_indices_, sample_index_, end_index_, batch_size);
}

void DistributedPartSampler::save(serialize::OutputArchive& archive) const {
  write_count(archive, "sample_index_", sample_index_);
  write_count(archive, "epoch_", epoch_);
}

void DistributedPartSampler::load(serialize::InputArchive& archive) {
  epoch_ = read_count(archive, "epoch_", SIZE_MAX);
  reset();
  sample_index_ = read_count(archive, "sample_index_", end_index_);
}

void StreamSampler::reset(std::optional<size_t> new_size) {
  examples_retrieved_so_far_ = 0;
  epoch_size_ = new_size.value_or(epoch_size_);
}

std::optional<BatchSize> StreamSampler::next(size_t batch_size) {
  if (examples_retrieved_so_far_ >= epoch_size_) return std::nullopt;
  const size_t count = std::min(batch_size, epoch_size_ - examples_retrieved_so_far_);
  examples_retrieved_so_far_ += count;
  return BatchSize(count);
}

void StreamSampler::save(serialize::OutputArchive& archive) const {
  write_count(archive, "examples_retrieved_so_far", examples_retrieved_so_far_);
}

void StreamSampler::load(serialize::InputArchive& archive) {
  examples_retrieved_so_far_ = read_count(archive, "examples_retrieved_so_far", epoch_size_);
}

}  // namespace strata::data::samplers
