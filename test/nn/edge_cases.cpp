// Tests of modules and functionals at the edges, against what PyTorch 2.15 gives there.
#include "nn/nn.h"
#include "ops/creation.h"
#include "ops/norm.h"
#include "test/catch.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;
namespace F = strata::nn::functional;

TEST_CASE("Hardtanh refuses an empty range when it is made") {
  CHECK_THROWS_WITH(nn::Hardtanh(2.0, 1.0), ContainsSubstring("must be greater than min_val"));
  CHECK_THROWS_WITH(nn::Hardtanh(nn::HardtanhOptions().min_val(1)), ContainsSubstring("must be greater than min_val"));
  CHECK(nn::Hardtanh(-2.0, 1.0)(tensor(5.0)).item<double>() == 1);
}

TEST_CASE("activations of integers") {
  const Tensor x = tensor({-3, 2, 9});
  CHECK(F::relu6(x).equal(tensor({0, 2, 6})));
  CHECK(F::hardtanh(x, nn::HardtanhOptions().min_val(-1.5).max_val(2.5)).equal(tensor({-1, 2, 2})));
  CHECK(F::hardtanh(x.to(kByte)).equal(ones({3}, kByte)));
  CHECK(F::threshold(x, nn::ThresholdOptions(3.5, 7.5)).equal(tensor({7, 7, 9})));
  CHECK_THROWS_AS(F::relu6(x.gt(0)), Error);
}

TEST_CASE("pixel_shuffle without elements") {
  const auto shuffled = [](IntArrayRef sizes) { return F::pixel_shuffle(ones(sizes), F::PixelShuffleFuncOptions(2)); };
  CHECK(shuffled({0, 4, 2, 2}).sizes() == IntArrayRef({0, 1, 4, 4}));
  CHECK(shuffled({1, 0, 2, 2}).sizes() == IntArrayRef({1, 0, 4, 4}));
  CHECK(shuffled({2, 4, 0, 2}).sizes() == IntArrayRef({2, 1, 0, 4}));
  const Tensor back = F::pixel_unshuffle(ones({0, 1, 4, 4}), F::PixelUnshuffleFuncOptions(2));
  CHECK(back.sizes() == IntArrayRef({0, 4, 2, 2}));
}

TEST_CASE("normalisation of nothing") {
  const Tensor none;
  const auto normalised = [&](IntArrayRef sizes) {
    return batch_norm(ones(sizes), none, none, none, none, true, 0.1, 1e-5, false);
  };
  for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{0}, {0, 2}, {1, 0}})
    CHECK(normalised(sizes).sizes() == IntArrayRef(sizes));
  CHECK_THROWS_WITH(group_norm(ones({2, 0, 3}), 1), ContainsSubstring("nothing to normalise"));
  CHECK_THROWS_WITH(group_norm(ones({2, 4, 0}), 2), ContainsSubstring("nothing to normalise"));
  CHECK(group_norm(ones({0, 2, 3}), 2).sizes() == IntArrayRef({0, 2, 3}));
}

TEST_CASE("a query that may look at no key gives NaN, with its weights and without") {
  nn::MultiheadAttention attention(nn::MultiheadAttentionOptions(4, 2));
  const Tensor x = ones({2, 1, 4}), mask = tensor({true, true, false, false}).view({2, 2});
  for (const bool need_weights : {true, false}) {
    const Tensor y = std::get<0>(attention(x, x, x, Tensor(), need_weights, mask));
    CHECK(y[0].isnan().all().item<bool>());
    CHECK(y[1].isfinite().all().item<bool>());
  }
}
