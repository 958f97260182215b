// Datasets and transforms: values, shapes, and that whole batches equal stacked examples.
#include <strata/strata.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "test/catch.h"

using namespace strata::data;
using Catch::Matchers::ContainsSubstring;
using strata::Tensor;

namespace {

datasets::TensorPairDataset counted_rows(int64_t rows) {
  return {strata::arange(rows * 6, strata::kFloat32).view({rows, 1, 2, 3}), strata::arange(rows)};
}

/// The same rows, without the whole-batch way.
struct Slow : datasets::Dataset<Slow> {
  explicit Slow(int64_t rows) : rows(counted_rows(rows)) {}
  Example<> get(size_t i) override { return rows.get(i); }
  std::optional<size_t> size() const override { return rows.size(); }
  datasets::TensorPairDataset rows;
};

void check_equal(const Example<>& a, const Example<>& b) {
  CHECK(strata::equal(a.data, b.data));
  CHECK(strata::equal(a.target, b.target));
}

/// A folder with a set of `count` images of 2x2 in IDX, removed at the end.
struct Files {
  explicit Files(uint8_t count) {
    std::filesystem::create_directories(path);
    const char zero = '\0', n = static_cast<char>(count);
    const std::string head = {zero, zero, 8};
    const std::string images = head + std::string{3, zero, zero, zero, n, zero, zero, zero, 2, zero, zero, zero, 2};
    const std::string labels = head + std::string{1, zero, zero, zero, n};
    write("t10k-images-idx3-ubyte", images + std::string(count * 4, static_cast<char>(51)));
    write("t10k-labels-idx1-ubyte", labels + std::string(count, static_cast<char>(7)));
  }
  ~Files() { std::filesystem::remove_all(path); }
  void write(const char* name, const std::string& contents) {
    std::ofstream(path / name, std::ios::binary) << contents;
  }

  std::filesystem::path path = std::filesystem::temp_directory_path() / ("strata_mnist_" + std::to_string(::getpid()));
};

}  // namespace

TEST_CASE("tensor datasets give rows and refuse others") {
  auto rows = counted_rows(4);
  CHECK(rows.size() == 4);
  CHECK(rows.get(2).target.item<int64_t>() == 2);
  CHECK(strata::equal(rows.get(2).data, rows.data.select(0, 2)));
  CHECK_THROWS_AS(rows.get(4), strata::IndexError);
  CHECK_THROWS_AS(rows.stacked(std::vector<size_t>{0, 4}), strata::IndexError);
  datasets::TensorDataset single(std::vector<Tensor>{strata::tensor(1.0), strata::tensor(2.0)});
  CHECK(single.size() == 2);
  CHECK(single.get(1).data.item<double>() == 2);
  CHECK_THROWS_WITH(datasets::TensorPairDataset(strata::zeros({3, 2}), strata::zeros({4})),
                    ContainsSubstring("(3, 2)"));
}

TEST_CASE("whole batches equal stacked examples, normalised or not") {
  const std::vector<size_t> indices = {3, 0, 3, 1};
  auto fast = counted_rows(4).map(transforms::Stack<>());
  auto slow = Slow(4).map(transforms::Stack<>());
  check_equal(fast.get_batch(indices), slow.get_batch(indices));
  auto fast_normal = counted_rows(4).map(transforms::Normalize<>(3.5, 1.5)).map(transforms::Stack<>());
  auto slow_normal = Slow(4).map(transforms::Normalize<>(3.5, 1.5)).map(transforms::Stack<>());
  static_assert(datasets::HasStacked<datasets::MapDataset<datasets::TensorPairDataset, transforms::Normalize<>>>);
  static_assert(!datasets::HasStacked<datasets::MapDataset<Slow, transforms::Normalize<>>>);
  check_equal(fast_normal.get_batch(indices), slow_normal.get_batch(indices));
  CHECK(fast_normal.get_batch(indices).data.sizes() == std::vector<int64_t>{4, 1, 2, 3});
}

TEST_CASE("normalize takes a mean and a deviation per channel") {
  transforms::Normalize<> normalize({1.0, 2.0}, {2.0, 4.0});
  const Tensor image = strata::ones({2, 1, 2});
  CHECK(strata::equal(normalize(image), strata::tensor({{{0.0, 0.0}}, {{-0.25, -0.25}}})));
}

TEST_CASE("transforms chain in the order they are mapped") {
  const auto add_one = [](Tensor x) { return x + 1; };
  const auto twice = [](Example<> e) { return Example<>(e.data * 2, e.target); };
  const auto count = [](std::vector<Example<>> batch) { return batch.size(); };
  auto mapped = Slow(3).map(transforms::TensorLambda<>(add_one)).map(transforms::Lambda<Example<>>(twice));
  const auto batch = mapped.get_batch(std::vector<size_t>{0});
  CHECK(batch[0].data.sum().item<double>() == 2 * (15 + 6));
  auto counted = mapped.map(transforms::BatchLambda<std::vector<Example<>>, size_t>(count));
  CHECK(counted.get_batch(std::vector<size_t>{0, 1}) == 2);
  CHECK(counted.size() == 3);
}

TEST_CASE("copies of a function transform have states of their own") {
  int calls = 0;
  transforms::Lambda<int> original([calls](int x) mutable { return x + ++calls; });
  transforms::Lambda<int> copy = original;
  CHECK(original.apply(0) == 1);
  CHECK(original.apply(0) == 2);
  CHECK(copy.apply(0) == 1);
}

TEST_CASE("shared datasets are shared by their copies") {
  auto shared = datasets::make_shared_dataset<Slow>(5);
  auto copy = shared;
  CHECK(&*copy == &*shared);
  CHECK(copy->size() == 5);
  auto loader = make_data_loader(shared.map(transforms::Stack<>()), DataLoaderOptions(2).workers(2));
  int64_t sum = 0;
  for (Example<>& batch : *loader) sum += batch.target.sum().item<int64_t>();
  CHECK(sum == 10);
}

TEST_CASE("examples without target convert to their data") {
  datasets::TensorDataset rows(strata::ones({4, 2}));
  auto loader = make_data_loader(rows.map(transforms::Stack<TensorExample>()), 3);
  Tensor first = *loader->begin();
  CHECK(first.sizes() == std::vector<int64_t>{3, 2});
}

TEST_CASE("mnist reads images and labels from its four names") {
  const Files files(3);
  const datasets::MNIST mnist(files.path.string(), datasets::MNIST::Mode::kTest);
  CHECK_FALSE(mnist.is_train());
  CHECK(mnist.size() == 3);
  CHECK(mnist.images().sizes() == std::vector<int64_t>{3, 1, 2, 2});
  CHECK(mnist.images().dtype() == strata::kFloat32);
  CHECK(mnist.images().max().item<float>() == 51.0F / 255.0F);
  CHECK(mnist.targets().dtype() == strata::kInt64);
  CHECK(mnist.targets().sum().item<int64_t>() == 21);
}

TEST_CASE("mnist says which file is missing or does not fit") {
  Files files(3);
  CHECK_THROWS_WITH(datasets::MNIST(files.path.string()), ContainsSubstring("train-images-idx3-ubyte"));
  files.write("t10k-labels-idx1-ubyte", std::string{0, 0, 8, 1, 0, 0, 0, 1, 5});
  CHECK_THROWS_WITH(datasets::MNIST(files.path.string(), datasets::MNIST::Mode::kTest),
                    ContainsSubstring("(3, 1, 2, 2)"));
}

TEST_CASE("the embedded digits are all there") {
  const auto digits = datasets::embedded_digits();
  CHECK(digits.data.sizes() == std::vector<int64_t>{1797, 1, 8, 8});
  CHECK(digits.data.max().item<float>() == 1);
  CHECK(digits.data.min().item<float>() == 0);
  CHECK(digits.targets.min().item<int64_t>() == 0);
  CHECK(digits.targets.max().item<int64_t>() == 9);
  // Sums over the source file.
  CHECK(digits.data.sum(strata::kFloat64).item<double>() * 16 == 561718);
  CHECK(digits.targets.sum().item<int64_t>() == 8070);
}
