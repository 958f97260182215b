// The data loader: order, workers, early ends, exceptions, time limits.
#include <strata/strata.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "test/catch.h"
#include "test/data/indices.h"

using namespace strata::data;
using Catch::Matchers::ContainsSubstring;

namespace {

/// The numbers from 0 to `count`; later ones of a batch's worth are ready sooner.
struct Numbers : datasets::BatchDataset<Numbers, Indices> {
  explicit Numbers(size_t count, int delay_ms = 0) : count(count), delay_ms(delay_ms) {}
  Indices get_batch(strata::ArrayRef<size_t> indices) override {
    const int wait = delay_ms * static_cast<int>(3 - indices[0] % 3);
    std::this_thread::sleep_for(std::chrono::milliseconds(wait));
    if (std::find(indices.begin(), indices.end(), bad) != indices.end()) throw std::out_of_range("bad number");
    return indices.vec();
  }
  std::optional<size_t> size() const override { return count; }

  size_t count;
  int delay_ms;
  size_t bad = SIZE_MAX;
};

template <class Loader>
std::vector<Indices> epoch(Loader& loader) {
  std::vector<Indices> batches;
  for (Indices& batch : loader) batches.push_back(batch);
  return batches;
}

/// Counts down from 10, shared by all workers.
struct Countdown : datasets::StatefulDataset<Countdown, int> {
  std::optional<int> get_batch(size_t) override {
    const int n = (*left)--;
    return n > 0 ? std::optional<int>(n) : std::nullopt;
  }
  std::optional<size_t> size() const override { return std::nullopt; }
  void reset() override { *left = 10; }
  void save(strata::serialize::OutputArchive&) const override {}
  void load(strata::serialize::InputArchive&) override {}
  std::shared_ptr<std::atomic<int>> left = std::make_shared<std::atomic<int>>(0);
};

/// Examples that are random numbers, with more of them from a transform, each ready after another time.
struct Noise : datasets::Dataset<Noise, strata::Tensor> {
  strata::Tensor get(size_t index) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(index % 3));
    return strata::randn({3});
  }
  std::optional<size_t> size() const override { return 23; }
};

strata::Tensor noisy_stack(const std::vector<strata::Tensor>& examples) {
  const strata::Tensor batch = strata::stack(examples);
  return strata::cat({batch, strata::rand_like(batch)}, 1);
}

/// Two epochs' batches and what the loop itself draws beside them, as one tensor.
strata::Tensor noisy_run(size_t workers) {
  strata::manual_seed(7);
  auto noise = Noise().map(transforms::Collate<strata::Tensor, std::vector<strata::Tensor>>(noisy_stack));
  auto loader = make_data_loader(std::move(noise), DataLoaderOptions(4).workers(workers));
  std::vector<strata::Tensor> all;
  for (int epoch = 0; epoch < 2; ++epoch)
    for (const strata::Tensor& batch : *loader) all.insert(all.end(), {batch.flatten(), strata::rand({5})});
  return strata::cat(all);
}

}  // namespace

TEST_CASE("loader's random numbers are the same with any number of workers") {
  const strata::Tensor alone = noisy_run(0);
  const size_t workers = GENERATE(0, 1, 2, 5);
  CHECK(strata::equal(noisy_run(workers), alone));
}

TEST_CASE("loader's examples draw by seed, epoch and index, whatever the order and the batches") {
  const auto epochs = [](size_t batch_size) {
    strata::manual_seed(3);
    auto loader = make_data_loader<samplers::SequentialSampler>(Noise(), DataLoaderOptions(batch_size).workers(2));
    std::vector<strata::Tensor> all;
    for (int epoch = 0; epoch < 2; ++epoch)
      for (const auto& batch : *loader) all.insert(all.end(), batch.begin(), batch.end());
    return strata::stack(all).view({2, 23, 3});
  };
  const strata::Tensor fives = epochs(5);
  CHECK(strata::equal(fives, epochs(8)));
  CHECK_FALSE(strata::equal(fives[0], fives[1]));
  CHECK_FALSE(strata::equal(fives[0][0], fives[0][1]));
}

TEST_CASE("loader's workers compute without the pool, and leave the number of threads as it is") {
  const int threads = strata::get_num_threads();
  struct Inline : datasets::Dataset<Inline, bool> {
    bool get(size_t) override { return strata::in_parallel_region(); }
    std::optional<size_t> size() const override { return 8; }
  };
  auto loader = make_data_loader(Inline(), DataLoaderOptions(2).workers(2));
  for (const auto& batch : *loader) CHECK(std::find(batch.begin(), batch.end(), false) == batch.end());
  CHECK(strata::get_num_threads() == threads);
  CHECK_FALSE(strata::in_parallel_region());
}

TEST_CASE("loader gives every example once, in order, with any number of workers") {
  const size_t workers = GENERATE(0, 1, 3);
  auto loader = make_data_loader<samplers::SequentialSampler>(Numbers(10, 1), DataLoaderOptions(3).workers(workers));
  for (int repeat = 0; repeat < 3; ++repeat) {
    CHECK(epoch(*loader) == std::vector<Indices>{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9}});
  }
}

TEST_CASE("loader without order gives every example once") {
  auto loader = make_data_loader<samplers::SequentialSampler>(Numbers(50, 1),
                                                              DataLoaderOptions(1).workers(3).enforce_ordering(false));
  Indices all = joined(epoch(*loader));
  std::sort(all.begin(), all.end());
  CHECK(all == range(50));
}

TEST_CASE("loader can leave out a short last batch") {
  const size_t workers = GENERATE(0, 2);
  auto loader =
      make_data_loader<samplers::SequentialSampler>(Numbers(10), DataLoaderOptions(3).drop_last(true).workers(workers));
  CHECK(joined(epoch(*loader)) == range(9));
}

TEST_CASE("loader shuffles anew for each epoch by default, the same with one seed") {
  strata::manual_seed(5);
  auto loader = make_data_loader(Numbers(100), 7);
  const Indices first = joined(epoch(*loader)), second = joined(epoch(*loader));
  CHECK(first != second);
  CHECK(first != range(100));
  strata::manual_seed(5);
  auto same = make_data_loader(Numbers(100), DataLoaderOptions(7).workers(2));
  CHECK(joined(epoch(*same)) == first);
}

TEST_CASE("loader starts again after an epoch that was left half-way") {
  const size_t workers = GENERATE(0, 2);
  auto loader = make_data_loader<samplers::SequentialSampler>(Numbers(20, 1), DataLoaderOptions(2).workers(workers));
  for (Indices& batch : *loader) {
    if (batch[0] == 4) break;
  }
  CHECK(joined(epoch(*loader)) == range(20));
  auto old = loader->begin();
  CHECK((*old)[0] == 0);
  loader->begin();
  CHECK_THROWS_WITH(++old, ContainsSubstring("epoch is over"));
}

TEST_CASE("loader destroyed in the middle of an epoch joins its workers") {
  for (int repeat = 0; repeat < 20; ++repeat) {
    auto loader =
        make_data_loader<samplers::SequentialSampler>(Numbers(100), DataLoaderOptions(1).workers(4).max_jobs(16));
    if (repeat % 2 == 0) CHECK((*loader->begin())[0] == 0);
  }
}

TEST_CASE("loader passes on what a worker throws, in its place, and goes on in the next epoch") {
  Numbers numbers(10);
  numbers.bad = 4;
  auto loader = make_data_loader<samplers::SequentialSampler>(numbers, DataLoaderOptions(2).workers(2));
  for (int repeat = 0; repeat < 2; ++repeat) {
    auto batch = loader->begin();
    CHECK((*batch)[0] == 0);
    ++batch;
    CHECK_THROWS_WITH(++batch, ContainsSubstring("worker thread") && ContainsSubstring("bad number"));
  }
  try {
    epoch(*loader);
    FAIL("no exception");
  } catch (const WorkerException& e) {
    CHECK_THROWS_AS(std::rethrow_exception(e.original_exception), std::out_of_range);
  }
}

TEST_CASE("loader without workers lets exceptions through as they are") {
  Numbers numbers(10);
  numbers.bad = 0;
  auto loader = make_data_loader<samplers::SequentialSampler>(numbers, 2);
  CHECK_THROWS_AS(epoch(*loader), std::out_of_range);
}

TEST_CASE("loader gives up when a batch takes too long") {
  auto loader = make_data_loader<samplers::SequentialSampler>(
      Numbers(2, 200), DataLoaderOptions(1).workers(1).timeout(std::chrono::milliseconds(5)));
  CHECK_THROWS_WITH(epoch(*loader), ContainsSubstring("no batch within 5 ms"));
}

TEST_CASE("loader of a stateful dataset runs until it is exhausted") {
  const size_t workers = GENERATE(0, 3);
  auto loader = make_data_loader(Countdown(), DataLoaderOptions(1).workers(workers));
  for (int repeat = 0; repeat < 2; ++repeat) {
    int sum = 0;
    for (const int n : *loader) sum += n;
    CHECK(sum == 55);
  }
}

TEST_CASE("loader checks its options and its iterators") {
  CHECK_THROWS_WITH(make_data_loader(Numbers(3), 0), ContainsSubstring("batch_size"));
  CHECK_THROWS_WITH(make_data_loader(Numbers(3), DataLoaderOptions(1).workers(1).max_jobs(0)),
                    ContainsSubstring("max_jobs"));
  auto loader = make_data_loader(Numbers(3), 5);
  auto batch = loader->begin();
  CHECK(batch->size() == 3);
  ++batch;
  CHECK(batch == loader->end());
  CHECK_THROWS_AS(*batch, strata::Error);
  CHECK_THROWS_AS(++batch, strata::Error);
}

TEST_CASE("loader of nothing ends at once") {
  auto loader = make_data_loader(Numbers(0), DataLoaderOptions(4).workers(2));
  CHECK(loader->begin() == loader->end());
}

TEST_CASE("without a GPU pinning changes nothing, and asking for pinned memory is an error") {
  if (strata::cuda::is_available()) return;
  auto loader = make_data_loader<samplers::SequentialSampler>(Numbers(5), DataLoaderOptions(2).pin_memory(true));
  CHECK(!loader->options().pin_memory);
  CHECK(*loader->begin() == Indices{0, 1});
  CHECK_THROWS_WITH(strata::zeros({2}, strata::TensorOptions().pinned_memory(true)),
                    ContainsSubstring("no CUDA device can be used"));
}
