// Samplers: what they cover, how ranks share, and that a saved one goes on where it was.
#include <strata/strata.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <sstream>

#include "test/catch.h"
#include "test/data/indices.h"

using namespace strata::data::samplers;

namespace {

template <class S>
Indices rest(S& sampler, size_t batch_size = 3) {
  Indices all;
  while (auto batch = sampler.next(batch_size)) {
    REQUIRE(batch->size() <= batch_size);
    all.insert(all.end(), batch->begin(), batch->end());
  }
  return all;
}

Indices sorted(Indices numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

template <class S>
void copy_state(const S& from, S& to) {
  std::stringstream file;
  strata::save(from, file);
  strata::load(to, file);
}

/// What all ranks get.
template <class S>
std::vector<Indices> shares(size_t size, size_t ranks, bool duplicates, size_t epoch = 0) {
  std::vector<Indices> all;
  for (size_t rank = 0; rank < ranks; ++rank) {
    S sampler(size, ranks, rank, duplicates);
    sampler.set_epoch(epoch);
    sampler.reset();
    all.push_back(rest(sampler));
  }
  return all;
}

}  // namespace

TEST_CASE("sequential sampler counts, in batches, and again after a reset") {
  SequentialSampler sampler(7);
  CHECK(sampler.next(3) == Indices{0, 1, 2});
  CHECK(sampler.index() == 3);
  CHECK(rest(sampler) == Indices{3, 4, 5, 6});
  CHECK(sampler.next(1) == std::nullopt);
  sampler.reset(2);
  CHECK(rest(sampler) == Indices{0, 1});
}

TEST_CASE("random sampler gives a new permutation for each epoch") {
  strata::manual_seed(1);
  RandomSampler sampler(100);
  const Indices first = rest(sampler);
  CHECK(sorted(first) == range(100));
  CHECK(first != range(100));
  sampler.reset();
  const Indices second = rest(sampler);
  CHECK(sorted(second) == range(100));
  CHECK(second != first);
  sampler.reset(5);
  CHECK(sorted(rest(sampler)) == range(5));
  CHECK_THROWS_AS(RandomSampler(-1), strata::Error);
}

TEST_CASE("saved samplers go on where they were") {
  SequentialSampler sequential(10), other_sequential(10);
  RandomSampler random(10, strata::kInt32), other_random(10);
  DistributedRandomSampler distributed(20, 2, 1), other_distributed(20, 2, 1);
  distributed.set_epoch(3);
  distributed.reset();
  sequential.next(4);
  random.next(4);
  distributed.next(4);
  copy_state(sequential, other_sequential);
  copy_state(random, other_random);
  copy_state(distributed, other_distributed);
  CHECK(other_sequential.index() == 4);
  CHECK(other_random.index() == 4);
  CHECK(other_distributed.epoch() == 3);
  CHECK(rest(other_sequential) == rest(sequential));
  CHECK(rest(other_random) == rest(random));
  CHECK(rest(other_distributed) == rest(distributed));
}

TEST_CASE("samplers refuse states that are not theirs") {
  SequentialSampler large(10), small(3);
  large.next(5);
  CHECK_THROWS_WITH(copy_state(large, small), Catch::Matchers::ContainsSubstring("at most 3"));
}

TEST_CASE("other numbers of ranks share out what is left of an epoch") {
  const size_t size = 60;
  std::vector<size_t> used(size, 0);
  // What rank 1 has saved is loaded by all ranks of the next number.
  DistributedRandomSampler saved(size, 3, 1);
  saved.set_epoch(5), saved.reset();
  for (const size_t ranks : {3, 2, 7}) {
    std::vector<DistributedRandomSampler> samplers;
    for (size_t rank = 0; rank < ranks; ++rank) {
      samplers.emplace_back(size, ranks, rank);
      copy_state(saved, samplers.back());
      CHECK(samplers.back().epoch() == 5);
    }
    for (auto& sampler : samplers) {
      const Indices taken = ranks == 7 ? rest(sampler) : sampler.next(ranks == 3 ? 4 : 10).value();
      for (const size_t i : taken) ++used[i];
    }
    saved = samplers[1];
  }
  CHECK(used == std::vector<size_t>(size, 1));  // 60 = 3 * 4 + 2 * 10 + 7 * 4

  saved.reset();  // the next epoch is whole again
  CHECK(rest(saved).size() == 9);
}

TEST_CASE("a sequential sampler without a size loads any index") {
  SequentialSampler saved(5);
  saved.reset();
  CHECK(saved.next(3) == std::vector<size_t>{0, 1, 2});
  strata::serialize::OutputArchive written;
  saved.save(written);
  strata::serialize::InputArchive archive(written.tensors());
  SequentialSampler loaded(0);
  loaded.load(archive);
  CHECK(loaded.index() == 3);
  CHECK(loaded.next(1) == std::nullopt);
}

TEST_CASE("distributed samplers refuse shares that cannot be") {
  DistributedRandomSampler sampler(20, 2, 1);
  for (const std::vector<int64_t>& shares :
       {std::vector<int64_t>{}, {2}, {0, 1}, {2, 11}, {2, -1}, {-1, 0}, {3, 8, 2, 0}, {int64_t{1} << 40, 0}}) {
    strata::OrderedDict<std::string, strata::Tensor> tensors;
    tensors.insert("epoch_", strata::tensor(int64_t{0}));
    tensors.insert("shares", strata::tensor(shares));
    strata::serialize::InputArchive archive(tensors);
    CHECK_THROWS_WITH(sampler.load(archive), Catch::Matchers::ContainsSubstring("sampler: "));
  }
}

TEST_CASE("distributed samplers share all examples equally") {
  const size_t size = GENERATE(0, 1, 2, 7, 12), ranks = GENERATE(1, 2, 5);
  for (const auto& parts :
       {shares<DistributedSequentialSampler>(size, ranks, true), shares<DistributedRandomSampler>(size, ranks, true)}) {
    for (const Indices& part : parts) CHECK(part.size() == (size + ranks - 1) / ranks);
    const Indices all = joined(parts);
    CHECK(std::set<size_t>(all.begin(), all.end()).size() == size);
  }
  for (const auto& parts : {shares<DistributedSequentialSampler>(size, ranks, false),
                            shares<DistributedRandomSampler>(size, ranks, false)}) {
    for (const Indices& part : parts) CHECK(part.size() == size / ranks);
    const Indices all = joined(parts);
    CHECK(std::set<size_t>(all.begin(), all.end()).size() == size / ranks * ranks);
  }
}

TEST_CASE("distributed samplers order as they say") {
  CHECK(joined(shares<DistributedSequentialSampler>(5, 2, true)) == Indices{0, 1, 2, 3, 4, 0});
  CHECK(joined(shares<DistributedSequentialSampler>(5, 2, false)) == Indices{0, 1, 2, 3});
  const auto first = shares<DistributedRandomSampler>(50, 2, true, 0),
             second = shares<DistributedRandomSampler>(50, 2, true, 1);
  CHECK(first != second);
  CHECK(first == shares<DistributedRandomSampler>(50, 2, true, 0));
  CHECK_THROWS_WITH(DistributedRandomSampler(5, 2, 2), Catch::Matchers::ContainsSubstring("rank 2 of 2"));
}

TEST_CASE("stream sampler asks for batch sizes that add up") {
  StreamSampler sampler(10);
  CHECK(sampler.next(6)->size() == 6);
  CHECK(sampler.next(6)->size() == 4);
  CHECK_FALSE(sampler.next(6).has_value());
  sampler.reset();
  CHECK(static_cast<size_t>(*sampler.next(3)) == 3);
}
