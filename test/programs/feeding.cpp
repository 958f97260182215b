// Programs that feed data: datasets, transforms, samplers, loaders.
#include <torch/torch.h>

#include <algorithm>
#include <numeric>

#include "test/programs/programs.h"

namespace programs::feeding {
namespace {

namespace data = torch::data;

/// Pairs of (i, i * i), ten of them.
struct Squares : data::datasets::Dataset<Squares> {
  explicit Squares(int64_t n = 10) : n(n) {}
  data::Example<> get(size_t index) override {
    const auto i = static_cast<float>(index);
    return {torch::tensor({i}), torch::tensor({i * i})};
  }
  c10::optional<size_t> size() const override { return n; }
  size_t n;
};

const Program dataset("a dataset of one's own", [](std::ostream& out) {
  Squares squares;
  out << *squares.size() << '\n';
  const auto example = squares.get(3);
  show(out, "data", example.data);
  show(out, "target", example.target);
  std::vector<size_t> indices = {1, 4};
  const auto batch = squares.get_batch(indices);
  out << batch.size() << ' ' << batch[1].target.item<float>() << '\n';
});

const Program stacked("a loader with Stack", [](std::ostream& out) {
  auto dataset = Squares().map(data::transforms::Stack<>());
  auto loader = data::make_data_loader<data::samplers::SequentialSampler>(std::move(dataset),
                                                                          data::DataLoaderOptions().batch_size(4));
  for (auto& batch : *loader) {
    show(out, "data", batch.data);
    show(out, "target", batch.target);
  }
  int count = 0;
  for (auto it = loader->begin(); it != loader->end(); ++it) count += it->data.size(0);
  out << count << '\n';
});

const Program dropped("drop_last and workers", [](std::ostream& out) {
  auto dataset = Squares(11).map(data::transforms::Stack<>());
  auto loader = data::make_data_loader<data::samplers::SequentialSampler>(
      std::move(dataset), data::DataLoaderOptions().batch_size(3).drop_last(true).workers(2).enforce_ordering(true));
  double total = 0;
  int batches = 0;
  for (auto& batch : *loader) {
    total += batch.target.sum().item<double>();
    ++batches;
  }
  out << total << ' ' << batches << '\n';
});

const Program transforms("transforms", [](std::ostream& out) {
  auto dataset = Squares(4)
                     .map(data::transforms::Normalize<>(0.5, 2.0))
                     .map(data::transforms::Lambda<data::Example<>>(
                         [](data::Example<> e) { return data::Example<>(e.data + 100, e.target); }))
                     .map(data::transforms::Stack<>());
  auto loader = data::make_data_loader(std::move(dataset), data::DataLoaderOptions(4));
  double sum = 0;
  for (auto& batch : *loader) sum += batch.data.sum().item<double>();
  out << sum << '\n';
});

const Program tensors("a dataset of a tensor", [](std::ostream& out) {
  data::datasets::TensorDataset dataset(torch::arange(6.f).view({3, 2}));
  out << *dataset.size() << '\n';
  show(out, "one", dataset.get(1).data);
  auto loader = data::make_data_loader<data::samplers::SequentialSampler>(
      dataset.map(data::transforms::Stack<data::TensorExample>()), 2);
  for (auto& batch : *loader) show(out, "batch", batch.data);
});

const Program unstacked("batches as vectors", [](std::ostream& out) {
  auto loader =
      data::make_data_loader<data::samplers::SequentialSampler>(Squares(5), data::DataLoaderOptions().batch_size(2));
  for (auto& batch : *loader) {
    out << batch.size() << ':';
    for (auto& example : batch) out << ' ' << example.target.item<float>();
    out << '\n';
  }
});

const Program samplers("samplers", [](std::ostream& out) {
  data::samplers::SequentialSampler sequential(5);
  while (auto indices = sequential.next(2)) {
    for (const size_t i : *indices) out << i << ' ';
    out << '|';
  }
  sequential.reset();
  out << sequential.index() << '\n';
  data::samplers::RandomSampler random(20);
  std::vector<size_t> seen;
  while (auto indices = random.next(6)) seen.insert(seen.end(), indices->begin(), indices->end());
  std::sort(seen.begin(), seen.end());
  std::vector<size_t> all(20);
  std::iota(all.begin(), all.end(), 0);
  out << (seen == all) << '\n';
  random.reset(3);
  out << random.next(5)->size() << '\n';
});

const Program random_order("a loader in random order", [](std::ostream& out) {
  auto dataset = Squares(12).map(data::transforms::Stack<>());
  const size_t size = *dataset.size();
  auto loader = data::make_data_loader(std::move(dataset), data::DataLoaderOptions().batch_size(5));
  for (int epoch = 0; epoch < 2; ++epoch) {
    double sum = 0;
    for (const auto& batch : *loader) sum += batch.data.sum().item<double>();
    out << sum << ' ';
  }
  out << size << '\n';
});

struct Counting : data::datasets::BatchDataset<Counting, std::vector<int>> {
  std::vector<int> get_batch(c10::ArrayRef<size_t> indices) override {
    std::vector<int> batch;
    for (const size_t i : indices) batch.push_back(static_cast<int>(i) * 10);
    return batch;
  }
  c10::optional<size_t> size() const override { return 7; }
};

const Program batches("a dataset of batches", [](std::ostream& out) {
  auto loader = data::make_data_loader<data::samplers::SequentialSampler>(Counting(), 3);
  for (const auto& batch : *loader) out << batch.size() << ' ' << batch.front() << ' ' << batch.back() << '\n';
});

struct Stream : data::datasets::StreamDataset<Stream, torch::Tensor> {
  torch::Tensor get_batch(size_t batch_size) override {
    return torch::full({static_cast<int64_t>(batch_size)}, ++calls);
  }
  c10::optional<size_t> size() const override { return 8; }
  int calls = 0;
};

const Program streams("a stream", [](std::ostream& out) {
  auto loader = data::make_data_loader(Stream(), data::samplers::StreamSampler(8), 3);
  for (const auto& batch : *loader) show(out, batch);
});

struct Stateful : data::datasets::StatefulDataset<Stateful, int, int> {
  c10::optional<int> get_batch(int step) override {
    if (left < 1) return c10::nullopt;
    return left -= step;
  }
  void reset() override { left = 6; }
  c10::optional<size_t> size() const override { return c10::nullopt; }
  void save(torch::serialize::OutputArchive& archive) const override { archive.write("left", torch::tensor(left)); }
  void load(torch::serialize::InputArchive& archive) override {
    torch::Tensor tensor;
    archive.read("left", tensor);
    left = tensor.item<int>();
  }
  int left = 6;
};

const Program stateful("a dataset with a state", [](std::ostream& out) {
  auto loader = data::make_data_loader(Stateful(), data::DataLoaderOptions(2));
  for (int epoch = 0; epoch < 2; ++epoch) {
    for (const int value : *loader) out << value << ' ';
    out << '\n';
  }
});

const Program shared("a shared dataset", [](std::ostream& out) {
  auto shared = data::datasets::make_shared_dataset<Squares>(4);
  shared->n = 3;
  auto loader = data::make_data_loader<data::samplers::SequentialSampler>(shared, 2);
  for (auto& batch : *loader) out << batch.size() << ' ';
  out << *shared.size() << '\n';
});

#ifndef AWAITS_CHUNKS
struct Reader : data::datasets::ChunkDataReader<int> {
  using BatchType = data::datasets::ChunkDataReader<int>::ChunkType;
  BatchType read_chunk(size_t index) override {
    const int first = static_cast<int>(index) * 10;
    return {first, first + 1, first + 2};
  }
  size_t chunk_count() override { return 3; }
  void reset() override {}
};

const Program chunks("a dataset of chunks", [](std::ostream& out) {
  using Sampler = data::samplers::SequentialSampler;
  auto dataset = data::datasets::make_shared_dataset<data::datasets::ChunkDataset<Reader, Sampler, Sampler>>(
      Reader(), Sampler(0), Sampler(0), data::datasets::ChunkDatasetOptions(/*preloader_count=*/1, /*batch_size=*/2));
  auto loader = data::make_data_loader(dataset, data::DataLoaderOptions(2).workers(0));
  std::vector<int> all;
  for (const auto& batch : *loader) all.insert(all.end(), batch.begin(), batch.end());
  std::sort(all.begin(), all.end());
  for (const int i : all) out << i << ' ';
  out << '\n';
});
#endif

}  // namespace
}  // namespace programs::feeding
