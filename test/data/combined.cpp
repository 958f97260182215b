// Datasets made of others, the samplers of chosen indices, and loaders that are saved in the middle of an epoch.
#include <strata/strata.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <set>
#include <sstream>

#include "test/catch.h"

using namespace strata;
using namespace strata::data;
using namespace strata::data::datasets;
using namespace strata::data::samplers;
using Catch::Matchers::ContainsSubstring;

namespace {

TensorDataset numbers(int64_t from, int64_t to) { return TensorDataset(arange(from, to)); }

struct Number : Dataset<Number, int> {
  explicit Number(int count) : count_(count) {}
  int get(size_t index) override { return static_cast<int>(index); }
  std::optional<size_t> size() const override { return static_cast<size_t>(count_); }
  int count_;
};

/// All indices of one epoch.
template <class AnySampler>
std::vector<size_t> epoch_of(AnySampler& sampler, size_t batch_size = 3) {
  std::vector<size_t> all;
  while (const auto batch = sampler.next(batch_size)) all.insert(all.end(), batch->begin(), batch->end());
  return all;
}

}  // namespace

TEST_CASE("a random split shares out all examples") {
  const auto check = [](const SplitLengths& lengths, std::vector<size_t> sizes) {
    auto parts = random_split(Number(11), lengths);
    std::set<int> seen;
    std::vector<size_t> found;
    for (auto& part : parts) {
      found.push_back(*part.size());
      for (size_t i = 0; i < *part.size(); ++i) seen.insert(part.get(i));
    }
    CHECK(found == sizes);
    CHECK(seen.size() == 11);
  };
  check({8, 3}, {8, 3});
  check({0.5, 0.25, 0.25}, {6, 3, 2});  // 5, 2 and 2, and one more for the first two
  check(std::vector<size_t>{11, 0}, {11, 0});
  CHECK_THROWS_WITH(random_split(Number(11), {5, 5}), ContainsSubstring("add up to 10"));
  CHECK_THROWS_WITH(random_split(Number(11), {0.5, 0.4}), ContainsSubstring("not 1"));
  manual_seed(3);
  const auto first = random_split(Number(11), {8, 3})[0].indices();
  manual_seed(3);
  CHECK(random_split(Number(11), {8, 3})[0].indices() == first);
  CHECK_FALSE(std::is_sorted(first.begin(), first.end()));
}

TEST_CASE("a subset maps its indices, whole batches included") {
  Subset part(numbers(10, 20), {7, 0, 3});
  CHECK(part.get(0).data.item<int64_t>() == 17);
  CHECK(part.stacked({2, 1}).data.equal(tensor({13, 10})));
  const auto batch = part.get_batch({0, 2});
  CHECK(batch[1].data.item<int64_t>() == 13);
  CHECK_THROWS_WITH(Subset(numbers(0, 3), {3}), ContainsSubstring("no example 3"));
  auto loader = make_data_loader<SequentialSampler>(part.map(transforms::Stack<TensorExample>()), 2);
  CHECK(loader->begin()->data.equal(tensor({17, 10})));
}

TEST_CASE("a concatenation numbers its parts' examples on") {
  ConcatDataset<TensorDataset> all({numbers(0, 3), numbers(10, 12), numbers(20, 21)});
  CHECK(all.size() == 6u);
  std::vector<int64_t> found;
  for (size_t i = 0; i < 6; ++i) found.push_back(all.get(i).data.item<int64_t>());
  CHECK(found == std::vector<int64_t>{0, 1, 2, 10, 11, 20});
  CHECK_THROWS_WITH(all.get(6), ContainsSubstring("no example 6"));
}

TEST_CASE("a chain of stateful datasets gives every batch once, to any number of workers") {
  struct Stream : StatefulDataset<Stream, std::vector<int>> {
    Stream(int from, int to) : from_(from), to_(to), next_(std::make_shared<std::atomic<int>>(from)) {}
    std::optional<std::vector<int>> get_batch(size_t) override {
      const int n = (*next_)++;
      if (n >= to_) return std::nullopt;
      return std::vector<int>{n};
    }
    std::optional<size_t> size() const override { return static_cast<size_t>(to_ - from_); }
    void reset() override { *next_ = from_; }
    void save(serialize::OutputArchive&) const override {}
    void load(serialize::InputArchive&) override {}
    int from_, to_;
    std::shared_ptr<std::atomic<int>> next_;
  };
  const ChainDataset<Stream> chain({Stream(0, 5), Stream(5, 5), Stream(5, 60)});
  CHECK(chain.size() == 60);
  for (const size_t workers : {0, 4}) {
    auto loader = make_data_loader(chain, DataLoaderOptions(1).workers(workers));
    for (int epoch = 0; epoch < 2; ++epoch) {
      std::multiset<int> seen;
      for (const std::vector<int>& batch : *loader) seen.insert(batch.begin(), batch.end());
      CHECK(seen.size() == 60);
      CHECK(std::set<int>(seen.begin(), seen.end()).size() == 60);
    }
  }
}

TEST_CASE("samplers of chosen indices, and their files") {
  SubsetRandomSampler subset({4, 9, 2, 7, 5});
  std::vector<size_t> first = epoch_of(subset);
  subset.reset();
  const std::vector<size_t> second = epoch_of(subset);
  CHECK(std::set<size_t>(first.begin(), first.end()) == std::set<size_t>{2, 4, 5, 7, 9});
  CHECK(std::is_permutation(first.begin(), first.end(), second.begin()));
  subset.reset();
  subset.next(2);
  std::stringstream stream;
  save(subset, stream);
  SubsetRandomSampler other({1});
  load(other, stream);
  CHECK(epoch_of(other) == epoch_of(subset));

  BatchSampler batches(SequentialSampler(7), 3, /*drop_last=*/true);
  CHECK(epoch_of(batches, 100) == std::vector<size_t>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("weighted samples come in proportion to their weights") {
  manual_seed(0);
  WeightedRandomSampler with({1, 0, 3, 4}, 8000);
  std::vector<double> counts(4);
  for (const size_t i : epoch_of(with)) ++counts[i];
  CHECK(counts[1] == 0);
  CHECK(counts[0] / 8000 == Approx(0.125).margin(0.015));  // four deviations
  CHECK(counts[3] / 8000 == Approx(0.5).margin(0.023));
  double firsts = 0;
  WeightedRandomSampler without({1, 0, 3}, 2, /*replacement=*/false);
  for (int i = 0; i < 2000; ++i) {
    without.reset();
    const std::vector<size_t> pair = epoch_of(without);
    CHECK(std::set<size_t>(pair.begin(), pair.end()) == std::set<size_t>{0, 2});
    firsts += pair[0] == 2;
  }
  CHECK(firsts / 2000 == Approx(0.75).margin(0.039));
  CHECK_THROWS_WITH(WeightedRandomSampler({1, 0}, 2, false), ContainsSubstring("2 samples of 1"));
  CHECK_THROWS_WITH(WeightedRandomSampler({1, -1}, 2), ContainsSubstring("a weight is -1"));
}

namespace {

/// Adds a random number to each example.
struct Noisy : Dataset<Noisy, TensorExample> {
  TensorExample get(size_t index) override { return rand({1}) + static_cast<double>(index); }
  std::optional<size_t> size() const override { return 23; }
};

}  // namespace

TEST_CASE("a loader that was saved in the middle of an epoch gives the rest of it") {
  for (const size_t workers : {0u, 2u}) {
    const auto make = [&] {
      return make_data_loader(Noisy().map(transforms::Stack<TensorExample>()), DataLoaderOptions(3).workers(workers));
    };
    manual_seed(5);
    auto loader = make();
    std::vector<Tensor> expected, rest;
    for (int epoch = 0; epoch < 2; ++epoch) {
      std::stringstream saved;
      int batches = 0;
      for (auto& batch : *loader) {
        if (batches >= 4) expected.push_back(batch.data);
        if (++batches == 4) save(*loader, saved);
      }
      manual_seed(99);
      auto resumed = make();
      load(*resumed, saved);
      rest.clear();
      for (auto& batch : *resumed) rest.push_back(batch.data);
      CHECK(rest.size() == 4);
      REQUIRE(rest.size() == expected.size());
      for (size_t i = 0; i < rest.size(); ++i) CHECK(rest[i].equal(expected[i]));
      expected.clear();
      CHECK(std::distance(resumed->begin(), resumed->end()) == 8);  // and whole epochs then
    }
    const auto state = loader->state_dict();  // between epochs
    CHECK(state.size() == 1);
    auto fresh = make();
    fresh->load_state_dict(state);
    CHECK(std::distance(fresh->begin(), fresh->end()) == 8);
    auto before = fresh->begin();
    ++before;
    fresh->load_state_dict(fresh->state_dict());
    CHECK_THROWS_WITH(++before, ContainsSubstring("this iterator's epoch is over"));
    CHECK(std::distance(fresh->begin(), fresh->end()) == 6);
  }
}
