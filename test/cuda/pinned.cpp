// Pinned memory from the functions that make tensors and from data loaders, on the stand-in for a device.
#include <strata/strata.h>

#include <map>

#include "test/catch.h"
#include "test/cuda_stand_in.h"

namespace strata::test {
namespace {

[[maybe_unused]] StandIn* const installed = stand_in();
const TensorOptions kPinned = TensorOptions().pinned_memory(true);

data::datasets::TensorPairDataset rows() { return {arange(40, kFloat).view({20, 2}), arange(20, kLong)}; }

}  // namespace

TEST_CASE("functions that make tensors make them in pinned memory") {
  CHECK(!empty({3}).is_pinned());
  CHECK(kPinned.pinned_memory());
  CHECK(!kPinned.pinned_memory(false).pinned_memory());
  for (const Tensor& t :
       {empty({3}, kPinned), zeros({3}, kPinned), ones({3}, kPinned), full({3}, 2, kPinned), arange(3, kPinned),
        linspace(0, 1, 3, kPinned), logspace(0, 1, 3, 10, kPinned), eye(3, kPinned), rand({3}, kPinned),
        randn({3}, kPinned.dtype(kDouble)), randint(5, {3}, kPinned), randperm(3, kPinned), normal(0, 1, {3}, kPinned),
        tensor({1, 2, 3}, kPinned), tensor(std::vector<double>{1, 2, 3}, kPinned), tensor(1.5, kPinned),
        empty_strided({2, 3}, {1, 2}, kPinned), zeros_like(ones({3}), kPinned), rand_like(ones({3}), kPinned)}) {
    CHECK(t.is_cpu());
    CHECK(t.is_pinned());
  }
  CHECK(zeros({3}, kPinned).equal(zeros({3})));
  CHECK(arange(3, kPinned).equal(arange(3)));
  CHECK(tensor({1, 2, 3}, kPinned).equal(tensor({1, 2, 3})));
  CHECK(eye(3, kPinned).equal(eye(3)));
  const Tensor leaf = ones({2}, kPinned.requires_grad(true));
  CHECK(leaf.is_pinned());
  CHECK(leaf.is_leaf());
  CHECK(leaf.requires_grad());
  CHECK_THROWS_WITH(zeros({3}, kPinned.device(kCUDA)),
                    Catch::Matchers::ContainsSubstring("host memory alone can be pinned"));
  CHECK_THROWS_WITH(rand({3}, kPinned.device(kCUDA)),
                    Catch::Matchers::ContainsSubstring("host memory alone can be pinned"));
  float number = 1;
  CHECK_THROWS_WITH(from_blob(&number, {1}, kPinned), Catch::Matchers::ContainsSubstring("pin_memory()"));
}

TEST_CASE("loaders pin batches, with workers and without") {
  for (const size_t workers : {0, 2}) {
    const auto options = data::DataLoaderOptions(8).workers(workers).pin_memory(true);
    auto loader =
        data::make_data_loader<data::samplers::SequentialSampler>(rows().map(data::transforms::Stack<>()), options);
    int64_t count = 0;
    for (auto& batch : *loader) {
      CHECK(batch.data.is_pinned());
      CHECK(batch.target.is_pinned());
      CHECK(batch.data.to(kCUDA, kFloat, /*non_blocking=*/true).cpu()[0][0].item<float>() == float(16 * count));
      ++count;
    }
    CHECK(count == 3);
  }
  auto plain = data::make_data_loader(rows().map(data::transforms::Stack<>()), data::DataLoaderOptions(8));
  CHECK(!plain->begin()->data.is_pinned());
}

TEST_CASE("batches of any make are pinned") {
  using Example = data::Example<>;
  std::vector<Example> examples = {{ones({2}), ones({1})}, {ones({2}), Tensor()}};
  data::detail::pin(examples);
  CHECK(examples[1].data.is_pinned());
  CHECK(examples[0].target.is_pinned());
  std::map<std::string, std::tuple<Tensor, int, std::optional<Tensor>>> named;
  named["a"] = {ones({2}), 3, ones({3})};
  data::detail::pin(named);
  CHECK(std::get<0>(named["a"]).is_pinned());
  CHECK(std::get<2>(named["a"])->is_pinned());
  data::TensorExample alone(ones({2}));
  data::detail::pin(alone);
  CHECK(alone.data.is_pinned());
}

}  // namespace strata::test
