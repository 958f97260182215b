// How samplers order, divide, save and restore their indices.
#include "data/samplers.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/generator.h"
#include "ops/creation.h"
#include "ops/random.h"
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

/// A count that was saved, checked to be at most `most`.
size_t read_count(serialize::InputArchive& archive, const char* key, size_t most) {
  Tensor value;
  archive.read(key, value, /*is_buffer=*/true);
  const auto count = value.item<int64_t>();
  STRATA_CHECK(count >= 0 && static_cast<uint64_t>(count) <= most,
               "sampler: {} is {} in the archive, at most {} is possible", key, count, most);
  return static_cast<size_t>(count);
}

void write_count(serialize::OutputArchive& archive, const char* key, size_t count) {
  archive.write(key, tensor(static_cast<int64_t>(count), kInt64), /*is_buffer=*/true);
}

constexpr size_t kMostReplicas = 1 << 24;  // that an archive may ask memory for

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

void SequentialSampler::load(serialize::InputArchive& archive) {
  // One of no size may get it later; programs load into SequentialSampler(0) what a ChunkDataset has saved, its index.
  index_ = read_count(archive, "index", size_ > 0 ? size_ : SIZE_MAX);
}

std::vector<size_t> random_permutation(size_t size) {
  // A program that asked for libtorch's numbers gets its order too, which is a randperm.
  if (default_generator().draw_as_libtorch([](Mt19937&) {})) return to_vector(randperm(static_cast<int64_t>(size)));
  std::vector<size_t> order(size);
  std::iota(order.begin(), order.end(), size_t{0});
  shuffle(order, default_generator().next());
  return order;
}

void IndexSampler::reset(std::optional<size_t> new_size) {
  indices_ = draw(new_size.value_or(indices_.size()));
  index_ = 0;
}

std::optional<std::vector<size_t>> IndexSampler::next(size_t batch_size) {
  return take(indices_, index_, indices_.size(), batch_size);
}

void IndexSampler::save(serialize::OutputArchive& archive) const {
  write_count(archive, "index", index_);
  const std::vector<int64_t> indices(indices_.begin(), indices_.end());
  archive.write("indices", tensor(indices, index_dtype_), /*is_buffer=*/true);
}

void IndexSampler::load(serialize::InputArchive& archive) {
  Tensor indices;
  archive.read("indices", indices, /*is_buffer=*/true);
  std::vector<size_t> loaded = to_vector(indices);
  const size_t end = limit(loaded.size());
  for (const size_t i : loaded)
    STRATA_CHECK(i < end, "sampler: the archive's indices, {} of them, have {}", loaded.size(),
                 static_cast<int64_t>(i));
  index_ = read_count(archive, "index", loaded.size());
  indices_ = std::move(loaded);
}

RandomSampler::RandomSampler(int64_t size, DType index_dtype) : IndexSampler(index_dtype) {
  STRATA_CHECK(size >= 0, "RandomSampler: a size of {}", size);
  IndexSampler::reset(static_cast<size_t>(size));
}

DistributedPartSampler::DistributedPartSampler(size_t size, size_t num_replicas, size_t rank, bool allow_duplicates,
                                               bool shuffle)
    : DistributedSampler<>(size, num_replicas, rank, allow_duplicates), shuffle_(shuffle) {
  STRATA_CHECK(rank < num_replicas, "distributed sampler: rank {} of {} replicas", rank, num_replicas);
  DistributedPartSampler::reset(size);
}

void DistributedPartSampler::reset(std::optional<size_t> new_size) {
  size_ = new_size.value_or(size_);
  shares_ = {{num_replicas_, 0}};
  all_indices_ = order_of_epoch(num_replicas_);
  begin_share();
}

/// With the padding for so many ranks.
std::vector<size_t> DistributedPartSampler::order_of_epoch(size_t replicas) const {
  std::vector<size_t> order(share_of(size_, replicas) * replicas);
  for (size_t i = 0; i < order.size(); ++i) order[i] = i % size_;
  if (shuffle_) shuffle(order, {epoch_, 0});
  return order;
}

/// What ranks that have each taken so many of their parts leave, for other ranks.
std::vector<size_t> DistributedPartSampler::rest_of(const std::vector<size_t>& order, const Share& share,
                                                    size_t replicas) const {
  const size_t each = order.size() / share.replicas;
  STRATA_CHECK(share.taken <= each, "sampler: {} examples were taken of {}, says the archive", share.taken, each);
  std::vector<size_t> rest;
  for (size_t i = 0; i < order.size(); ++i)
    if (i % each >= share.taken) rest.push_back(order[i]);
  const size_t left = rest.size();
  rest.resize(share_of(left, replicas) * replicas);
  for (size_t i = left; i < rest.size(); ++i) rest[i] = rest[i % left];
  return rest;
}

void DistributedPartSampler::begin_share() {
  const size_t each = all_indices_.size() / num_replicas_;
  begin_index_ = rank_ * each;
  end_index_ = begin_index_ + each;
  sample_index_ = begin_index_ + shares_.back().taken;
}

std::optional<std::vector<size_t>> DistributedPartSampler::next(size_t batch_size) {
  return take(all_indices_, sample_index_, end_index_, batch_size);
}

void DistributedPartSampler::save(serialize::OutputArchive& archive) const {
  write_count(archive, "sample_index_", sample_index_);
  write_count(archive, "epoch_", epoch_);
  std::vector<int64_t> shares;
  for (const Share& s : shares_) shares.insert(shares.end(), {int64_t(s.replicas), int64_t(s.taken)});
  shares.back() = static_cast<int64_t>(sample_index_ - begin_index_);
  archive.write("shares", tensor(shares), /*is_buffer=*/true);
}

void DistributedPartSampler::load(serialize::InputArchive& archive) {
  epoch_ = read_count(archive, "epoch_", SIZE_MAX);
  reset();
  Tensor shares;
  if (archive.try_read("shares", shares, /*is_buffer=*/true))
    load_shares(to_vector(shares));
  else
    sample_index_ = read_count(archive, "sample_index_", end_index_);
}

void DistributedPartSampler::load_shares(const std::vector<size_t>& numbers) {
  STRATA_CHECK(!numbers.empty() && numbers.size() % 2 == 0, "sampler: the archive's shares are {} numbers",
               numbers.size());
  std::vector<Share> shares;
  for (size_t i = 0; i < numbers.size(); i += 2) {
    STRATA_CHECK(numbers[i] > 0 && numbers[i] <= kMostReplicas, "sampler: {} replicas in the archive", numbers[i]);
    shares.push_back({numbers[i], numbers[i + 1]});
  }
  if (shares.back().replicas != num_replicas_) shares.push_back({num_replicas_, 0});
  std::vector<size_t> order = order_of_epoch(shares[0].replicas);
  for (size_t i = 0; i + 1 < shares.size(); ++i) order = rest_of(order, shares[i], shares[i + 1].replicas);
  STRATA_CHECK(shares.back().taken <= order.size() / num_replicas_, "sampler: {} examples were taken, says the archive",
               shares.back().taken);
  all_indices_ = std::move(order);
  shares_ = std::move(shares);
  begin_share();
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
