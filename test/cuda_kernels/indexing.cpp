// Indexed reads and writes on a CUDA device: repeated, negative and bad indices, wide rows, strides, deterministic
// sums.
#include "ops/indexing.h"

#include "ops/binary.h"
#include "ops/embedding.h"
#include "ops/indexing_def.h"
#include "ops/random.h"
#include "ops/tensor_index.h"
#include "test/cuda_kernels/both.h"

namespace strata::test {
namespace {

using indexing::Slice;

Tensor places(IntArrayRef sizes, int64_t low, int64_t high, unsigned seed = 7) {
  return random_tensor(sizes, kDouble, seed, static_cast<double>(low), static_cast<double>(high)).floor().to(kLong);
}

/// Runs `f` on the device and waits for it; what it throws.
template <class F>
std::string error_after(F f) {
  try {
    f();
    cuda::synchronize();
  } catch (const IndexError& e) {
    return e.what();
  }
  return "no error";
}

const std::string kFound = " (found by an earlier kernel on cuda:0)";

}  // namespace

TEST_CASE("kernels report indices out of range and the program goes on") {
  const Tensor x = random_tensor({10, 4}).to(kCUDA), bad = tensor({3, 12, 0}).to(kCUDA), column = bad.unsqueeze(1);
  const std::string expected = "index 12 is out of bounds for dimension 0 with size 10" + kFound;
  const Tensor ones = strata::ones({3, 4}).to(kCUDA), one = strata::ones({3, 1}).to(kCUDA);
  CHECK(error_after([&] { x.index({bad}); }) == "index: " + expected);
  CHECK(error_after([&] { gather(x, 0, column); }) == "gather: " + expected);
  CHECK(error_after([&] { scatter(x, 0, column, one); }) == "scatter: " + expected);
  CHECK(error_after([&] { scatter_add(x, 0, column, one); }) == "scatter_add: " + expected);
  CHECK(error_after([&] { index_put(x, {bad}, ones); }) == "index_put: " + expected);
  CHECK(error_after([&] { index_put(x, {bad}, ones, true); }) == "index_put: " + expected);
  CHECK(error_after([&] { embedding(x, bad, 1); }) == "embedding: index out of range in self: " + expected);
  CHECK(error_after([&] {
          x.index({Slice(), tensor({-5}).to(kCUDA)});
        }) == "index: index -5 is out of bounds for dimension 1 with size 4" + kFound);
  CHECK(error_after([&] { gather(x, 1, tensor({-1}).to(kCUDA).unsqueeze(1)); }) ==
        "gather: index -1 is out of bounds for dimension 1 with size 4" + kFound);
  CHECK(error_after([&] { x.index({tensor({INT64_MIN, INT64_MAX}).to(kCUDA)}); }) != "no error");
  CHECK(error_after([&] { x.index({tensor({9, -10}).to(kCUDA)}); }) == "no error");
}

TEST_CASE("of several bad indices one is reported, once") {
  const Tensor x = random_tensor({10}).to(kCUDA), bad = places({3000}, 10, 20).to(kCUDA);
  CHECK(error_after([&] { x.index({bad}); }).starts_with("index: index 1"));
  CHECK(error_after([&] { x.add(1); }) == "no error");
}

TEST_CASE("a bad index writes nothing, the others do") {
  const Tensor x = zeros({4, 3}).to(kCUDA), values = ones({3, 3}).to(kCUDA), at = tensor({1, 4, 2}).to(kCUDA);
  const IndexPutParams params{0, false, false};
  Tensors out(x);
  CHECK(error_after([&] {
          index_put_op.kernels[static_cast<int>(Key::CUDA)](out, {&x, &values, &at}, &params);
        }) != "no error");
  const std::vector<double> expected{0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0};
  CHECK(strata::test::values(x.cpu()) == expected);
}

TEST_CASE("reads at indices move rows of any width and alignment") {
  for (DType dtype : {kBool, kHalf, kFloat, kDouble})
    for (int64_t width : {1, 2, 3, 4, 8, 33, 256}) {
      INFO(name(dtype) << ", width " << width);
      check_both({random_tensor({50, width + 1}, dtype, 3, -2, 2), places({7, 5}, -50, 50), places({6}, 0, width)},
                 [&](const List& t) {
                   const Tensor whole = t[0].narrow(1, 0, width).contiguous(), part = t[0].narrow(1, 1, width);
                   return List{whole.index({t[1]}), part.index({t[1]}), whole.index({Slice(3, 9), t[2]}),
                               part.t().index({t[2]}), embedding(whole, t[1].abs().clamp_max(49))};
                 });
    }
}

TEST_CASE("several indices broadcast, and stand before, between and behind other dims") {
  check_both({random_tensor({4, 5, 6, 7}), places({3, 1}, -5, 5), places({2}, -6, 6), places({3, 2}, 0, 7)},
             [](const List& t) {
               return List{t[0].index({Slice(), t[1], t[2]}), t[0].index({t[2].clamp(-4, 3), t[1]}),
                           t[0].index({"...", t[1], t[2], t[3]}), t[0].index({Slice(1, 3), Slice(), t[2], t[3]}),
                           t[0].permute({3, 1, 0, 2}).index({Slice(), t[1], Slice(), t[2]})};
             });
}

TEST_CASE("gather and scatter along every dim, strided and expanded") {
  for (int64_t dim : {0, 1, 2}) {
    const int64_t least = std::min<int64_t>({4, 5, 6});
    check_both({random_tensor({4, 5, 6}), places({3, 4, 5}, 0, least), random_tensor({5, 4, 3})}, [&](const List& t) {
      const Tensor source = t[2].permute({2, 1, 0}), index = t[1].select(2, 0).unsqueeze(2).expand({3, 4, 5});
      const Tensor once = arange(3, TensorOptions(kLong).device(t[0].device())).view({3, 1, 1}).expand({3, 4, 5});
      return List{gather(t[0], dim, t[1]), gather(t[0].flip({0}), dim, index),
                  dim == 0 ? scatter(t[0], 0, once, source) : t[0], scatter(t[0], dim, t[1], 2.5)};
    });
  }
}

TEST_CASE("sums at repeated indices have the CPU's bits in deterministic mode") {
  const Deterministic mode;
  for (DType dtype : {kBool, kByte, kShort, kInt, kLong, kHalf, kBFloat16, kFloat, kDouble})
    for (int64_t width : {1, 3, 40, 300}) {
      INFO(name(dtype) << ", width " << width);
      check_both({random_tensor({9, width}, dtype, 3, -4, 4), places({70}, -9, 9),
                  random_tensor({70, width}, dtype, 4, -4, 4)},
                 [&](const List& t) {
                   const Tensor at = t[1].remainder(9), each = at.unsqueeze(1).expand({70, width});
                   Tensor strided = t[0].t().contiguous().t().clone();
                   return List{index_put(t[0], {t[1]}, t[2], true), scatter_add(t[0], 0, each, t[2]),
                               index_add(t[0], 0, at, t[2]), index_put_(strided, {t[1]}, t[2], true)};
                 });
    }
}

TEST_CASE("sums in any order agree with the CPU's") {
  for (DType dtype : {kInt, kLong, kFloat, kDouble}) {
    const Tensor x = random_tensor({5, 3}, dtype, 3, -9, 9), at = places({400, 3}, 0, 5);
    const Tensor source = random_tensor({400, 3}, dtype, 4, -9, 9).floor();  // sums without rounding
    const Tensor expected = scatter_add(x.floor(), 0, at, source);
    const Tensor found = scatter_add(x.floor().to(kCUDA), 0, at.to(kCUDA), source.to(kCUDA));
    CHECK(same_bits(found.cpu(), expected));
  }
}

TEST_CASE("sums at indices of dims that are not the first") {
  check_both(
      {random_tensor({3, 6, 5}), places({40}, 0, 6), places({40}, 0, 5), random_tensor({3, 40})}, [](const List& t) {
        Tensor wide = t[3].unsqueeze(2).expand({3, 40, 5});
        return List{index_put(t[0], {Slice(), t[1], t[2]}, t[3], true), index_put(t[0], {Slice(), t[1]}, wide, true)};
      });
}

TEST_CASE("the last of several values for a place stays in deterministic mode") {
  const Deterministic mode;
  for (DType dtype : {kBool, kHalf, kFloat, kDouble})
    check_both({random_tensor({9, 5}, dtype), places({200}, 0, 9), random_tensor({200, 5}, dtype, 3, -2, 2)},
               [](const List& t) {
                 const Tensor each = t[1].unsqueeze(1).expand({200, 5});
                 return List{index_put(t[0], {t[1]}, t[2]), scatter(t[0], 0, each, t[2])};
               });
}

TEST_CASE("empty indices and tensors") {
  check_both({random_tensor({4, 3}), places({0}, 0, 1), random_tensor({0, 3}), places({0, 3}, 0, 1)},
             [](const List& t) {
               return List{t[0].index({t[1]}),
                           index_put(t[0], {t[1]}, t[2]),
                           index_put(t[0], {t[1]}, t[2], true),
                           gather(t[0], 0, t[3]),
                           scatter(t[0], 0, t[3], t[2]),
                           scatter_add(t[0], 0, t[3], t[2]),
                           t[0].narrow(1, 0, 0).index({t[1]})};
             });
}

TEST_CASE("nonzero finds elements in row-major order") {
  for (int64_t n : {0, 1, 31, 33, 1023, 1024, 1025, 5000})
    check_both(
        {random_tensor({n}, kFloat, 3, -1, 1).clamp_min(0), random_tensor({3, n, 2}, kByte, 4, 0, 3)},
        [](const List& t) {
          return List{nonzero(t[0]), nonzero(t[1]), nonzero(t[1].transpose(0, 1)), nonzero(-t[0]), nonzero(t[1].eq(1))};
        });
  check_both({tensor({0.0, -0.0, kNaN, kInf, 1e-310}), tensor(3.0)}, [](const List& t) {
    return List{nonzero(t[0]), nonzero(t[0].to(kHalf)), nonzero(t[1]), nonzero(t[1].mul(0))};
  });
}

}  // namespace strata::test
