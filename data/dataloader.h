// Loops over the batches of a dataset, made on the spot or ahead of time by worker threads.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "../core/arg.h"
#include "../core/cuda.h"
#include "../core/error.h"
#include "../core/naming.h"
#include "../ops/serialize.h"
#include "dataset_random.h"
#include "job_queue.h"
#include "pin_memory.h"
#include "samplers.h"

namespace strata::data {

/// How a data loader works, in libtorch's builder style.
class DataLoaderOptions {
 public:
  DataLoaderOptions() = default;
  DataLoaderOptions(size_t batch_size) : batch_size_(batch_size) {}

  /// Examples per batch.
  STRATA_ARG(size_t, batch_size) = 1;
  /// Worker threads; with 0 the loop's own thread makes the batches.
  STRATA_ARG(size_t, workers) = 0;
  /// Batches in the making at a time; twice the workers unless set.
  STRATA_ARG(std::optional<size_t>, max_jobs);
  /// The longest time to wait for a worker's batch; without one, for ever.
  STRATA_ARG(std::optional<std::chrono::milliseconds>, timeout);
  /// Whether batches come in the sampler's order even if a later one is ready first.
  STRATA_ARG(bool, enforce_ordering) = true;
  /// Whether to leave out a last batch of fewer than `batch_size` examples.
  STRATA_ARG(bool, drop_last) = false;
  /// Whether batches come in pinned memory, from which `to(kCUDA, dtype, /*non_blocking=*/true)` copies while the host
  /// goes on; the workers see to it. Without a GPU this does nothing but warn.
  STRATA_ARG(bool, pin_memory) = false;
};

/// The same with every default filled in.
struct FullDataLoaderOptions {
  explicit FullDataLoaderOptions(const DataLoaderOptions& options);

  size_t batch_size;
  size_t workers;
  size_t max_jobs;
  std::optional<std::chrono::milliseconds> timeout;
  bool enforce_ordering;
  bool drop_last;
  bool pin_memory;
};

/// What a worker thread threw, with the original exception.
struct WorkerException : Error {
  explicit WorkerException(std::exception_ptr original);
  std::exception_ptr original_exception;
};

/// A place in an epoch: `++` fetches the next batch. The first batch is fetched when it is looked for.
template <class Batch>
class Iterator {
 public:
  using difference_type = std::ptrdiff_t;
  using value_type = Batch;
  using pointer = Batch*;
  using reference = Batch&;
  using iterator_category = std::input_iterator_tag;
  /// Where batches come from.
  struct Source {
    virtual ~Source() = default;
    virtual std::optional<Batch> next_batch(uint64_t epoch) = 0;
  };

  /// The end of the loader's range: it equals every iterator that has no batch left.
  Iterator() = default;
  Iterator(Source& source, uint64_t epoch) : place_(new State{&source, epoch, {}, false}) {}

  Iterator& operator++() {
    STRATA_CHECK(place_ != nullptr, "Incrementing the DataLoader's past-the-end iterator is not allowed");
    STRATA_CHECK(!at_end(), "Attempted to increment iterator past the end");
    place_->batch = place_->source->next_batch(place_->epoch);
    return *this;
  }
  Batch& operator*() const { return current(); }
  Batch* operator->() const { return &current(); }
  /// Only an iterator that is compared with the end looks for its first batch.
  friend bool operator==(const Iterator& a, const Iterator& b) {
    if (a.place_ == b.place_) return true;
    if (a.place_ && b.place_) return a.is_exhausted() && b.is_exhausted();
    return a.at_end() && b.at_end();
  }

 private:
  struct State {
    Source* source;
    uint64_t epoch;
    std::optional<Batch> batch;
    bool started;
  };

  bool is_exhausted() const { return place_->started && !place_->batch; }
  bool at_end() const {
    if (!place_) return true;
    if (!place_->started) {
      place_->started = true;
      place_->batch = place_->source->next_batch(place_->epoch);
    }
    return !place_->batch;
  }
  Batch& current() const {
    STRATA_CHECK(place_ != nullptr, "Dereferencing the DataLoader's past-the-end iterator is not allowed");
    STRATA_CHECK(!at_end(), "Attempted to dereference iterator that was past the end");
    return *place_->batch;
  }

  std::shared_ptr<State> place_;
};

/// What data loaders share; `for (auto& batch : *loader)` is one epoch. Used from one thread.
template <class Dataset, class Batch, class BatchRequest>
class DataLoaderBase : private Iterator<Batch>::Source {
 public:
  using BatchType = Batch;
  using BatchRequestType = BatchRequest;

  DataLoaderBase(const DataLoaderBase&) = delete;
  DataLoaderBase& operator=(const DataLoaderBase&) = delete;

  /// Starts an epoch. An earlier one that was left half-way ends here; in programs for libtorch it is an error, as
  /// there, where workers have batches for it.
  Iterator<Batch> begin() {
    STRATA_CHECK(!libtorch_names() || resumes_ || !jobs_ || !jobs_->is_busy(),
                 "Attempted to get a new DataLoader iterator while another iterator is not yet exhausted");
    if (jobs_) jobs_->clear();
    ++epoch_;
    if (resumes_) {
      skip_delivered();
    } else {
      reset();
      random_ = default_generator().next();
      requests_ = delivered_ = 0;
    }
    resumes_ = false;
    in_epoch_ = true;
    if (options_.pin_memory) pins_for_ = Device(kCUDA, cuda::current_device());
    if (jobs_) {
      for (size_t i = 0; i < options_.max_jobs; ++i) prefetch();
    }
    return Iterator<Batch>(*this, epoch_);
  }
  Iterator<Batch> end() { return {}; }

  /// Ends the epoch and the worker threads; only the destructor may follow.
  void join() { jobs_.reset(); }

  const FullDataLoaderOptions& options() const noexcept { return options_; }

  /// Where the epoch is, between any two batches; whatever workers have ready beyond that is not counted. Throws
  /// without `enforce_ordering`, and for stateful datasets, which save themselves.
  void save(serialize::OutputArchive& archive) const {
    STRATA_CHECK(options_.enforce_ordering || !in_epoch_,
                 "data loader: it saves its place with enforce_ordering alone");
    archive.write("in_epoch", in_epoch_);
    if (!in_epoch_) return;
    archive.write("delivered", static_cast<int64_t>(delivered_));
    archive.write("seed", static_cast<int64_t>(random_.seed));
    archive.write("offset", static_cast<int64_t>(random_.offset));
    save_order(archive);
  }
  /// After it, the next `begin()` gives the rest of the epoch: the batches that would have come, to the bit. A place
  /// between two epochs leaves that to start a new one.
  void load(serialize::InputArchive& archive) {
    bool in_epoch = false;
    archive.read("in_epoch", in_epoch);
    if (in_epoch) {
      int64_t delivered = 0, seed = 0, offset = 0;
      archive.read("delivered", delivered);
      archive.read("seed", seed);
      archive.read("offset", offset);
      if (jobs_) jobs_->clear();
      ++epoch_;  // iterators of the pass before are at their end, as after begin()
      load_order(archive);
      delivered_ = static_cast<uint64_t>(delivered);
      random_.seed = static_cast<uint64_t>(seed);
      random_.offset = static_cast<uint64_t>(offset);
    }
    in_epoch_ = resumes_ = in_epoch;
  }
  /// The same as named tensors.
  OrderedDict<std::string, Tensor> state_dict() const {
    serialize::OutputArchive archive;
    save(archive);
    return archive.tensors();
  }
  void load_state_dict(const OrderedDict<std::string, Tensor>& state) {
    serialize::InputArchive archive(state);
    load(archive);
  }

 protected:
  /// One dataset for the caller's thread, or one for each worker.
  DataLoaderBase(const DataLoaderOptions& options, std::vector<std::shared_ptr<Dataset>> datasets)
      : options_(options), datasets_(std::move(datasets)) {
    if (options_.workers > 0) {
      jobs_ = std::make_unique<detail::JobQueue>(options_.workers, options_.enforce_ordering, options_.timeout);
    }
  }

  /// Restarts what `next_request` draws from.
  virtual void reset() = 0;
  virtual std::optional<BatchRequest> next_request() = 0;
  /// The order of the whole epoch; loading it goes to the epoch's start.
  virtual void save_order(serialize::OutputArchive& archive) const = 0;
  virtual void load_order(serialize::InputArchive& archive) = 0;

  const FullDataLoaderOptions options_;
  std::vector<std::shared_ptr<Dataset>> datasets_;

 private:
  static auto fetch(Dataset& dataset, BatchRequest request) {
    using Fetched = decltype(dataset.get_batch(std::move(request)));
    if constexpr (std::is_same_v<Fetched, std::optional<Batch>>)
      return dataset.get_batch(std::move(request));
    else
      return std::optional<Batch>(dataset.get_batch(std::move(request)));
  }
  /// The batch of that number as the options want it; runs on a worker where there is one.
  std::optional<Batch> make_batch(size_t worker, BatchRequest request, uint64_t number) {
    const detail::BatchRandom random(random_, number);
    std::optional<Batch> batch = fetch(*datasets_[worker], std::move(request));
    if (options_.pin_memory) {
      const cuda::DeviceGuard guard(pins_for_);
      detail::pin(batch);
    }
    return batch;
  }

  struct BatchJob final : detail::Job {
    BatchJob(DataLoaderBase& of_loader, BatchRequest of_request, uint64_t of_number)
        : loader(of_loader), request(std::move(of_request)), number(of_number) {}
    void run(size_t worker) override { batch = loader.make_batch(worker, std::move(request), number); }
    DataLoaderBase& loader;
    BatchRequest request;
    uint64_t number;
    std::optional<Batch> batch;
  };

  void prefetch() {
    if (auto request = next_request()) jobs_->push(std::make_unique<BatchJob>(*this, std::move(*request), requests_++));
  }

  std::optional<Batch> next_batch(uint64_t epoch) override {
    STRATA_CHECK(epoch == epoch_, "data loader: this iterator's epoch is over, begin() was called again");
    std::optional<Batch> batch = options_.workers > 0 ? finished_batch() : batch_on_the_spot();
    in_epoch_ = batch.has_value();
    delivered_ += in_epoch_;
    return batch;
  }
  std::optional<Batch> batch_on_the_spot() {
    auto request = next_request();
    return request ? make_batch(0, std::move(*request), requests_++) : std::nullopt;
  }
  /// From the start of the epoch's order to where `load` found it.
  void skip_delivered() {
    for (requests_ = 0; requests_ < delivered_; ++requests_)
      STRATA_CHECK(next_request().has_value(), "data loader: the archive says that {} batches were given, there are {}",
                   delivered_, requests_);
  }

  /// A stateful dataset may answer with nothing while other workers' last batches are still to come.
  std::optional<Batch> finished_batch() {
    STRATA_CHECK(jobs_ != nullptr, "data loader: its worker threads were joined");
    while (auto job = jobs_->pop()) {
      if (job->error) throw WorkerException(job->error);
      auto& batch = static_cast<BatchJob&>(*job).batch;
      if (!batch) continue;
      prefetch();
      return std::move(batch);
    }
    return std::nullopt;
  }

  uint64_t epoch_ = 0;
  Generator::Position random_{};  ///< what the epoch's random numbers follow from
  uint64_t requests_ = 0;         ///< batches of the epoch that were asked for
  uint64_t delivered_ = 0;        ///< and those of them that the loop has got
  bool in_epoch_ = false;
  bool resumes_ = false;                    ///< whether the next epoch is the rest of one that was loaded
  Device pins_for_;                         ///< the device that batches are pinned for
  std::unique_ptr<detail::JobQueue> jobs_;  // last, so that its threads end before what they use
};

/// Loads from a dataset what a sampler asks for; each worker has its own copy of the dataset.
template <class Dataset, class Sampler>
class StatelessDataLoader final
    : public DataLoaderBase<Dataset, typename Dataset::BatchType, typename Sampler::BatchRequestType> {
 public:
  using Base = DataLoaderBase<Dataset, typename Dataset::BatchType, typename Sampler::BatchRequestType>;
  using typename Base::BatchRequestType;

  StatelessDataLoader(Dataset dataset, Sampler sampler, const DataLoaderOptions& options)
      : Base(options, copies(std::move(dataset), options.workers())), sampler_(std::move(sampler)) {}

 private:
  static std::vector<std::shared_ptr<Dataset>> copies(Dataset dataset, size_t workers) {
    if (workers == 0) return {std::make_shared<Dataset>(std::move(dataset))};
    std::vector<std::shared_ptr<Dataset>> datasets;
    for (size_t i = 0; i < workers; ++i) datasets.push_back(std::make_shared<Dataset>(dataset));
    return datasets;
  }
  void reset() override {
    sampler_.reset(std::nullopt);
    if constexpr (std::is_copy_constructible_v<Sampler>) at_start_.emplace(sampler_);
  }
  void save_order(serialize::OutputArchive& archive) const override {
    STRATA_CHECK(at_start_.has_value(), "data loader: its sampler cannot be copied, so its place cannot be saved");
    serialize::OutputArchive order;
    at_start_->save(order);
    archive.write("sampler", order);
  }
  void load_order(serialize::InputArchive& archive) override {
    serialize::InputArchive order;
    archive.read("sampler", order);
    sampler_.load(order);
    if constexpr (std::is_copy_constructible_v<Sampler>) at_start_.emplace(sampler_);
  }
  std::optional<BatchRequestType> next_request() override {
    auto request = sampler_.next(this->options_.batch_size);
    if (request && this->options_.drop_last && request->size() < this->options_.batch_size) return std::nullopt;
    return request;
  }

  Sampler sampler_;
  std::optional<Sampler> at_start_;  ///< what it was when the epoch began
};

/// `archive << loader` and `archive >> loader`, for strata::save and strata::load.
template <class Dataset, class Batch, class BatchRequest>
serialize::OutputArchive& operator<<(serialize::OutputArchive& archive,
                                     const DataLoaderBase<Dataset, Batch, BatchRequest>& loader) {
  loader.save(archive);
  return archive;
}
template <class Dataset, class Batch, class BatchRequest>
serialize::InputArchive& operator>>(serialize::InputArchive& archive,
                                    DataLoaderBase<Dataset, Batch, BatchRequest>& loader) {
  loader.load(archive);
  return archive;
}

/// Loads what a stateful dataset chooses to give; the workers share it, so it must be safe to use from several threads.
template <class Dataset>
class StatefulDataLoader final
    : public DataLoaderBase<Dataset, typename Dataset::BatchType::value_type, typename Dataset::BatchRequestType> {
 public:
  using Base = DataLoaderBase<Dataset, typename Dataset::BatchType::value_type, typename Dataset::BatchRequestType>;
  using typename Base::BatchRequestType;

  StatefulDataLoader(Dataset dataset, const DataLoaderOptions& options)
      : Base(options, {options.workers() > 0 ? options.workers() : 1, std::make_shared<Dataset>(std::move(dataset))}) {}

 private:
  void reset() override { this->datasets_[0]->reset(); }
  std::optional<BatchRequestType> next_request() override { return this->options_.batch_size; }
  void save_order(serialize::OutputArchive&) const override { refuse(); }
  void load_order(serialize::InputArchive&) override { refuse(); }
  [[noreturn]] static void refuse() { STRATA_THROW("data loader: a stateful dataset saves its place itself"); }
};

/// A loader that visits `dataset` in the order of `sampler`.
template <class Dataset, class Sampler>
requires(!Dataset::is_stateful) std::unique_ptr<StatelessDataLoader<Dataset, Sampler>> make_data_loader(
    Dataset dataset, Sampler sampler, DataLoaderOptions options) {
  return std::make_unique<StatelessDataLoader<Dataset, Sampler>>(std::move(dataset), std::move(sampler), options);
}

/// The same with a sampler over the dataset's size, random unless another type is given.
template <class Sampler = samplers::RandomSampler, class Dataset>
requires(!Dataset::is_stateful && std::is_constructible_v<Sampler, size_t>)
    std::unique_ptr<StatelessDataLoader<Dataset, Sampler>> make_data_loader(Dataset dataset,
                                                                            DataLoaderOptions options = {}) {
  const std::optional<size_t> size = dataset.size();
  STRATA_CHECK(size.has_value(),
               "make_data_loader: Expected the dataset to be sized in order to construct the Sampler; give one with "
               "the dataset");
  return make_data_loader(std::move(dataset), Sampler(*size), options);
}

/// A loader of a stateful dataset.
template <class Dataset>
requires(Dataset::is_stateful) std::unique_ptr<StatefulDataLoader<Dataset>> make_data_loader(
    Dataset dataset, DataLoaderOptions options = {}) {
  return std::make_unique<StatefulDataLoader<Dataset>>(std::move(dataset), options);
}

}  // namespace strata::data
