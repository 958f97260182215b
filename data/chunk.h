// Datasets that are read chunk by chunk, by threads of their own: for files too large to be indexed by example.
#pragma once
#include <condition_variable>
#include <deque>
#include <exception>
#include <iterator>
#include <mutex>
#include <thread>

#include "../core/arg.h"
#include "../core/error.h"
#include "../core/function.h"
#include "dataloader.h"
#include "dataset.h"
#include "samplers.h"

namespace strata::data::datasets {

/// Reads chunks, from several threads at a time.
template <class SingleExample, class Chunk = std::vector<SingleExample>>
class ChunkDataReader {
 public:
  using ChunkType = Chunk;
  using ExampleType = SingleExample;
  using BatchType = Chunk;

  virtual ~ChunkDataReader() = default;
  virtual ChunkType read_chunk(size_t chunk_index) = 0;
  virtual size_t chunk_count() = 0;
  /// Called at the start of each epoch.
  virtual void reset() = 0;
};

/// How a ChunkDataset reads ahead.
struct ChunkDatasetOptions {
  /// Throws unless all numbers are positive and the cache holds a batch.
  ChunkDatasetOptions(size_t preloader_count, size_t batch_size, size_t cache_size = 2048,
                      size_t cross_chunk_shuffle_count = 1)
      : preloader_count_(preloader_count),
        batch_size_(batch_size),
        cache_size_(cache_size),
        cross_chunk_shuffle_count_(cross_chunk_shuffle_count) {
    STRATA_CHECK(preloader_count > 0, "Preloader count is 0. At least one preloader needs to be specified.");
    STRATA_CHECK(batch_size > 0, "Batch size is 0. A positive batch size needs to be specified.");
    STRATA_CHECK(cache_size > 0, "Cache size is 0. A positive cache size needs to be specified.");
    STRATA_CHECK(cache_size >= batch_size,
                 "Cache size is less than batch size. Cache needs to be large enough to hold at least one batch: {} "
                 "examples of {}",
                 cache_size, batch_size);
    STRATA_CHECK(cross_chunk_shuffle_count > 0, "cross_chunk_shuffle_count needs to be greater than 0.");
  }
  /// Threads that read.
  STRATA_ARG(size_t, preloader_count);
  /// Examples per batch; the loader's must be the same.
  STRATA_ARG(size_t, batch_size);
  /// No more chunks are read while so many examples wait.
  STRATA_ARG(size_t, cache_size);
  /// Chunks whose examples are shuffled together.
  STRATA_ARG(size_t, cross_chunk_shuffle_count);
};

namespace detail {

/// Examples on their way from the threads that read to those that ask for batches.
template <class Batch>
class ExampleQueue {
 public:
  ExampleQueue(size_t capacity, size_t writers) : capacity_(capacity), writers_(writers) {}

  /// Waits for room. False when the queue was closed.
  bool push(Batch examples) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || examples_.size() < capacity_; });
    if (closed_) return false;
    examples_.insert(examples_.end(), std::make_move_iterator(examples.begin()),
                     std::make_move_iterator(examples.end()));
    changed_.notify_all();
    return true;
  }
  void fail(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    errors_.push_back(std::move(error));
    changed_.notify_all();
  }
  void writer_is_done() {
    const std::lock_guard lock(mutex_);
    --writers_;
    changed_.notify_all();
  }
  /// So many examples, fewer at the end, then nothing. Throws what a reader threw.
  std::optional<Batch> pop(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !errors_.empty() || examples_.size() >= count || writers_ == 0 || closed_; });
    if (!errors_.empty()) {
      const std::exception_ptr error = errors_.front();
      errors_.pop_front();
      throw WorkerException(error);
    }
    if (examples_.empty()) return std::nullopt;
    const auto end = examples_.begin() + static_cast<std::ptrdiff_t>(std::min(count, examples_.size()));
    Batch batch(std::make_move_iterator(examples_.begin()), std::make_move_iterator(end));
    examples_.erase(examples_.begin(), end);
    changed_.notify_all();
    return batch;
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  const size_t capacity_;
  size_t writers_;
  bool closed_ = false;
  std::deque<typename Batch::value_type> examples_;
  std::deque<std::exception_ptr> errors_;
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace detail

/// Batches of the examples of chunks that `chunk_sampler` orders; those of each chunk, or of some together, are ordered
/// by `example_sampler`. Threads read ahead from `reset()` on. A loader takes it by `make_shared_dataset`. With one
/// preloader the order follows from the samplers; with more, also from which chunk was read first.
template <class ChunkReader, class ChunkSampler = samplers::RandomSampler,
          class ExampleSampler = samplers::RandomSampler>
class ChunkDataset final : public StatefulDataset<ChunkDataset<ChunkReader, ChunkSampler, ExampleSampler>,
                                                  typename ChunkReader::BatchType, size_t> {
 public:
  using UnwrappedBatchType = typename ChunkReader::BatchType;
  using BatchType = std::optional<UnwrappedBatchType>;
  using BatchRequestType = size_t;
  using ChunkSamplerType = ChunkSampler;
  using ExampleSamplerType = ExampleSampler;
  using PreprocessingPolicy = strata::detail::Function<void(UnwrappedBatchType&)>;

  /// `preprocessing_policy` may change the examples of a chunk before they are shuffled.
  ChunkDataset(ChunkReader chunk_reader, ChunkSampler chunk_sampler, ExampleSampler example_sampler,
               ChunkDatasetOptions options, PreprocessingPolicy preprocessing_policy = nullptr)
      : reader_(std::move(chunk_reader)),
        chunk_sampler_(std::move(chunk_sampler)),
        example_sampler_(std::move(example_sampler)),
        options_(options),
        policy_(std::move(preprocessing_policy)) {}
  ChunkDataset(const ChunkDataset&) = delete;
  ChunkDataset& operator=(const ChunkDataset&) = delete;
  ~ChunkDataset() override { stop(); }

  BatchType get_batch(size_t batch_size) override {
    STRATA_CHECK(queue_ != nullptr, "ChunkDataset: reset() comes before get_batch()");
    STRATA_CHECK(
        batch_size == options_.batch_size(),
        "The requested batch size does not match with the initialized batch size.\n The requested batch size is "
        "{}, while the dataset is created with batch size equal to {}",
        batch_size, options_.batch_size());
    return queue_->pop(batch_size);
  }
  BatchType get_batch() { return get_batch(options_.batch_size()); }

  void reset() override {
    stop();
    if (!loaded_) {
      reader_.reset();
      chunk_sampler_.reset(reader_.chunk_count());
    }
    loaded_ = false;
    queue_ =
        std::make_unique<detail::ExampleQueue<UnwrappedBatchType>>(options_.cache_size(), options_.preloader_count());
    for (size_t i = 0; i < options_.preloader_count(); ++i) threads_.emplace_back([this] { preload(); });
  }
  std::optional<size_t> size() const override { return std::nullopt; }
  ChunkSampler& chunk_sampler() { return chunk_sampler_; }

  /// The place in the order of chunks, which counts those that were read ahead.
  void save(serialize::OutputArchive& archive) const override {
    const std::lock_guard lock(sampler_mutex_);
    chunk_sampler_.save(archive);
  }
  /// The next `reset()` goes on from there.
  void load(serialize::InputArchive& archive) override {
    const std::lock_guard lock(sampler_mutex_);
    chunk_sampler_.load(archive);
    loaded_ = true;
  }

 private:
  void stop() {
    if (queue_) queue_->close();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }
  auto next_chunks() {
    const std::lock_guard lock(sampler_mutex_);
    return chunk_sampler_.next(options_.cross_chunk_shuffle_count());
  }
  UnwrappedBatchType read(const std::vector<size_t>& chunks) {
    UnwrappedBatchType all;
    for (const size_t chunk : chunks) {
      auto examples = reader_.read_chunk(chunk);
      all.insert(all.end(), std::make_move_iterator(examples.begin()), std::make_move_iterator(examples.end()));
    }
    if (policy_) policy_(all);
    return all;
  }
  UnwrappedBatchType ordered(UnwrappedBatchType examples) {
    const std::lock_guard lock(sampler_mutex_);
    example_sampler_.reset(examples.size());
    UnwrappedBatchType out;
    while (const auto indices = example_sampler_.next(examples.size()))
      for (const size_t i : *indices) out.push_back(std::move(examples.at(i)));
    return out;
  }
  /// What `f` returns; `otherwise` where it throws, which goes to whoever asks for examples. This thread holds nothing
  /// of the exception by then: others read it, and who holds it is counted where ThreadSanitizer does not see.
  template <class F>
  bool pass_errors_on(F f, bool otherwise) {
    std::exception_ptr error;
    try {
      return f();
    } catch (...) {
      error = std::current_exception();
    }
    queue_->fail(std::move(error));
    return otherwise;
  }
  void preload() {
    decltype(next_chunks()) chunks;
    const auto choose = [&] { return (chunks = next_chunks()).has_value(); };
    const auto load = [&] {
      UnwrappedBatchType examples = read(*chunks);
      return examples.empty() || queue_->push(ordered(std::move(examples)));
    };
    while (pass_errors_on(choose, false) && pass_errors_on(load, true)) {
    }
    queue_->writer_is_done();
  }

  ChunkReader reader_;
  ChunkSampler chunk_sampler_;
  ExampleSampler example_sampler_;
  const ChunkDatasetOptions options_;
  PreprocessingPolicy policy_;
  mutable std::mutex sampler_mutex_;
  bool loaded_ = false;
  std::unique_ptr<detail::ExampleQueue<UnwrappedBatchType>> queue_;
  std::vector<std::thread> threads_;
};

}  // namespace strata::data::datasets
