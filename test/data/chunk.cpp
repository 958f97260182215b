// Datasets that are read chunk by chunk.
#include "data/chunk.h"

#include <strata/strata.h>

#include <algorithm>
#include <sstream>

#include "test/catch.h"

using namespace strata;
using namespace strata::data;
using namespace strata::data::datasets;
using namespace strata::data::samplers;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Chunk i has i + 1 numbers from 10 i on; one may fail.
struct Reader : ChunkDataReader<int> {
  explicit Reader(size_t chunks, size_t failing = 100) : chunks_(chunks), failing_(failing) {}
  std::vector<int> read_chunk(size_t chunk) override {
    if (chunk == failing_) throw std::runtime_error("this chunk is damaged");
    std::vector<int> out;
    for (size_t i = 0; i <= chunk; ++i) out.push_back(static_cast<int>(10 * chunk + i));
    return out;
  }
  size_t chunk_count() override { return chunks_; }
  void reset() override {}
  size_t chunks_, failing_;
};

using Ordered = ChunkDataset<Reader, SequentialSampler, SequentialSampler>;
using Shuffled = ChunkDataset<Reader>;

template <class D>
std::vector<std::vector<int>> batches_of(D& dataset) {
  std::vector<std::vector<int>> out;
  while (auto batch = dataset.get_batch()) out.push_back(*batch);
  return out;
}

std::vector<int> sorted_elements(const std::vector<std::vector<int>>& batches) {
  std::vector<int> all;
  for (const auto& batch : batches) all.insert(all.end(), batch.begin(), batch.end());
  std::sort(all.begin(), all.end());
  return all;
}

const std::vector<int> kAll = {0, 10, 11, 20, 21, 22, 30, 31, 32, 33};

}  // namespace

TEST_CASE("batches of chunks in order go across the chunks") {
  Ordered dataset(Reader(4), SequentialSampler(0), SequentialSampler(0), ChunkDatasetOptions(1, 4, 5));
  CHECK_THROWS_WITH(dataset.get_batch(), ContainsSubstring("reset()"));
  for (int epoch = 0; epoch < 2; ++epoch) {
    dataset.reset();
    CHECK(batches_of(dataset) == std::vector<std::vector<int>>{{0, 10, 11, 20}, {21, 22, 30, 31}, {32, 33}});
  }
  CHECK_THROWS_WITH(dataset.get_batch(3), ContainsSubstring("The requested batch size is 3"));
  CHECK_FALSE(dataset.size().has_value());
}

TEST_CASE("all examples of shuffled chunks come once, by any number of threads") {
  for (const size_t preloaders : {1u, 3u}) {
    Shuffled dataset(Reader(4), RandomSampler(0), RandomSampler(0), ChunkDatasetOptions(preloaders, 3, 4, 2));
    dataset.reset();
    CHECK(sorted_elements(batches_of(dataset)) == kAll);
    dataset.reset();  // an epoch that is left at once
    dataset.reset();
    CHECK(sorted_elements(batches_of(dataset)) == kAll);
  }
}

TEST_CASE("chunks are preprocessed, and a damaged one is an error at its place") {
  Ordered twice(Reader(3), SequentialSampler(0), SequentialSampler(0), ChunkDatasetOptions(1, 6),
                [](std::vector<int>& examples) {
                  for (int& e : examples) e *= 2;
                });
  twice.reset();
  CHECK(batches_of(twice) == std::vector<std::vector<int>>{{0, 20, 22, 40, 42, 44}});
  Ordered damaged(Reader(3, 1), SequentialSampler(0), SequentialSampler(0), ChunkDatasetOptions(1, 6));
  damaged.reset();
  CHECK_THROWS_WITH(damaged.get_batch(), ContainsSubstring("damaged"));
  CHECK(damaged.get_batch() == std::vector<int>{0, 20, 21, 22});
}

TEST_CASE("chunks resume where their sampler was, and load through a loader") {
  Ordered first(Reader(4), SequentialSampler(4), SequentialSampler(0), ChunkDatasetOptions(1, 1, 1));
  first.chunk_sampler().next(2);
  std::stringstream stream;
  serialize::OutputArchive out;
  first.save(out);
  out.save_to(stream);
  Ordered second(Reader(4), SequentialSampler(4), SequentialSampler(0), ChunkDatasetOptions(1, 20));
  serialize::InputArchive in;
  in.load_from(stream);
  second.load(in);
  second.reset();
  CHECK(batches_of(second) == std::vector<std::vector<int>>{{20, 21, 22, 30, 31, 32, 33}});

  auto shared = make_shared_dataset<Shuffled>(Reader(4), RandomSampler(0), RandomSampler(0), ChunkDatasetOptions(2, 3));
  auto loader = make_data_loader(shared, DataLoaderOptions(3).workers(2));
  std::vector<std::vector<int>> batches;
  for (auto& batch : *loader) batches.push_back(batch);
  CHECK(sorted_elements(batches) == kAll);
}

TEST_CASE("wrong options of chunks are errors") {
  CHECK_THROWS_AS(ChunkDatasetOptions(0, 1), Error);
  CHECK_THROWS_AS(ChunkDatasetOptions(1, 0), Error);
  CHECK_THROWS_WITH(ChunkDatasetOptions(1, 8, 4), ContainsSubstring("hold at least one batch"));
}
