// The dtypes that indices and targets may have, by function: what PyTorch 2.15 takes and refuses.
#include "ops/index_dtypes.h"

#include <functional>
#include <string>
#include <vector>

#include "nn/loss.h"
#include "ops/indexing.h"
#include "ops/loss.h"
#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
namespace F = strata::nn::functional;

namespace {

const Tensor x = arange(12, kDouble).view({3, 4});
const DTypes kByteOrLong(kByte, kLong), kMasksToo(kBool, kByte, kInt, kLong);

struct IndexDtypesCase {
  std::string name;
  DTypes taken;
  std::vector<int64_t> shape;
  std::function<Tensor(const Tensor& index)> f;
};

const std::vector<IndexDtypesCase> kCases = {
    {"gather", kIntOrLongIndex, {1, 3}, [](const Tensor& i) { return gather(x, 0, i); }},
    {"gather of nothing", kAllTypes, {0, 3}, [](const Tensor& i) { return gather(x, 0, i); }},
    {"scatter", kIntOrLongIndex, {1, 3}, [](const Tensor& i) { return scatter(x, 0, i, 5); }},
    {"scatter a tensor", kIntOrLongIndex, {1, 3}, [](const Tensor& i) { return scatter(x, 0, i, x); }},
    {"scatter nothing", kAllTypes, {0, 3}, [](const Tensor& i) { return scatter(x, 0, i, 5); }},
    {"scatter_", kIntOrLongIndex, {1, 3}, [](const Tensor& i) { return x.clone().scatter_(0, i, x); }},
    {"scatter_add", kIntOrLongIndex, {1, 3}, [](const Tensor& i) { return scatter_add(x, 0, i, x); }},
    {"scatter_add_", kIntOrLongIndex, {1, 3}, [](const Tensor& i) { return x.clone().scatter_add_(0, i, x); }},
    {"index_select", kIntOrLongIndex, {3}, [](const Tensor& i) { return index_select(x, 0, i); }},
    {"index_select of nothing", kIntOrLongIndex, {0}, [](const Tensor& i) { return index_select(x, 0, i); }},
    {"index_add", kIntOrLongIndex, {3}, [](const Tensor& i) { return index_add(x, 0, i, x); }},
    {"index_add_", kIntOrLongIndex, {3}, [](const Tensor& i) { return x.clone().index_add_(0, i, x); }},
    {"index_copy", kLongIndex, {3}, [](const Tensor& i) { return index_copy(x, 0, i, x); }},
    {"index_copy_", kLongIndex, {3}, [](const Tensor& i) { return x.clone().index_copy_(0, i, x); }},
    {"index_fill", kLongIndex, {3}, [](const Tensor& i) { return index_fill(x, 0, i, 5); }},
    {"index_fill_", kLongIndex, {3}, [](const Tensor& i) { return x.clone().index_fill_(0, i, 5); }},
    {"index_fill a tensor", kLongIndex, {3}, [](const Tensor& i) { return index_fill(x, 0, i, x[0][0]); }},
    {"take", kLongIndex, {3}, [](const Tensor& i) { return take(x, i); }},
    {"take_along_dim", kLongIndex, {1, 4}, [](const Tensor& i) { return take_along_dim(x, i, 0); }},
    {"take_along_dim of all", kIntOrLongIndex, {3}, [](const Tensor& i) { return take_along_dim(x, i); }},
    {"index", kMasksToo, {3}, [](const Tensor& i) { return x.index({i}); }},
    {"index_put_", kMasksToo, {3}, [](const Tensor& i) { return x.clone().index_put_({i}, x); }},
    {"index by a number", kIntegralTypes, {}, [](const Tensor& i) { return x.index({i}); }},
    {"embedding", kIntOrLongIndex, {3}, [](const Tensor& i) { return embedding(x, i); }},
    {"one_hot", kLongIndex, {3}, [](const Tensor& i) { return one_hot(i, 2); }},
    {"nll_loss", kByteOrLong, {3}, [](const Tensor& i) { return nll_loss(x, i); }},
    {"nll_loss of one", kByteOrLong, {}, [](const Tensor& i) { return nll_loss(x[0], i); }},
    {"nll_loss of rows",
     kLongIndex,
     {1, 4},
     [](const Tensor& i) {
       return nll_loss(x.view({1, 3, 4}), i);
     }},
    {"nll_loss of images",
     kLongIndex,
     {1, 2, 2},
     [](const Tensor& i) {
       return nll_loss(x.view({1, 3, 2, 2}), i);
     }},
    {"cross_entropy", kByteOrLong, {3}, [](const Tensor& i) { return cross_entropy(x, i); }},
    {"multi_margin_loss", kLongIndex, {3}, [](const Tensor& i) { return F::multi_margin_loss(x, i); }},
    {"multi_margin_loss of nothing",
     kAllTypes,
     {0},
     [](const Tensor& i) {
       return F::multi_margin_loss(x.slice(0, 0, 0), i, F::MultiMarginLossFuncOptions().reduction(kSum));
     }},
};

bool runs(const IndexDtypesCase& c, DType dtype) {
  try {
    c.f(ones(c.shape, dtype));
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

TEST_CASE("indices and targets are of the dtypes that PyTorch takes") {
  for (const IndexDtypesCase& c : kCases)
    for (const DType t : {kBool, kByte, kChar, kShort, kInt, kUInt32, kLong, kHalf, kFloat, kDouble, kComplexFloat}) {
      INFO(c.name << " by " << t);
      CHECK(runs(c, t) == c.taken.has(t));
      if (c.taken.has(t) && is_integral(t) && t != kByte && c.taken.has(kLong))
        CHECK(c.f(ones(c.shape, t)).equal(c.f(ones(c.shape, kLong))));
    }
}

TEST_CASE("a refused index is named with what the function takes") {
  const Tensor bytes = ones({2}, kChar);
  CHECK_THROWS_WITH(embedding(x, bytes),
                    Catch::Matchers::ContainsSubstring("embedding: expected indices of int32 or int64, got int8"));
  CHECK_THROWS_WITH(take(x, bytes.to(kInt)),
                    Catch::Matchers::ContainsSubstring("take: expected index of int64, got int32"));
  CHECK_THROWS_WITH(nll_loss(x, ones({3}, kInt)),
                    Catch::Matchers::ContainsSubstring("nll_loss: expected targets of uint8 or int64, got int32"));
}
