// Sorting, the largest k, distinct values, searching and permutations on a CUDA device.
#include "ops/sort.h"

#include "core/generator.h"
#include "ops/random.h"
#include "test/cuda_kernels/both.h"

namespace strata::test {
namespace {

constexpr DType kAll[] = {kBool, kByte, kChar, kShort, kInt, kUInt32, kLong, kHalf, kBFloat16, kFloat, kDouble};

List both(std::tuple<Tensor, Tensor> r) { return {std::get<0>(r), std::get<1>(r)}; }

}  // namespace

TEST_CASE("sort and topk order every dtype as the CPU does") {
  for (DType dtype : kAll) {
    INFO(name(dtype));
    check_both({random_tensor({4, 50, 3}, dtype, 5, 0, 20)}, [](const List& t) {
      List out;
      for (int64_t dim : {0, 1, 2})
        for (bool falling : {false, true}) {
          for (const Tensor& r : both(sort(t[0], dim, falling))) out.push_back(r);
          for (const Tensor& r : both(topk(t[0].transpose(0, 2), 2, dim, falling))) out.push_back(r);
        }
      return out;
    });
  }
}

TEST_CASE("topk selects from lines that are not worth sorting") {
  for (DType dtype : {kByte, kLong, kHalf, kFloat, kDouble})
    for (int64_t n : {256, 511, 513, 1500}) {
      INFO(name(dtype) << ", " << n);
      check_both({random_tensor({3, n}, dtype, 5, -40, 40), random_tensor({3, n}, dtype, 6, 0, 2)}, [&](const List& t) {
        List out;
        for (int64_t k : {int64_t{1}, int64_t{2}, int64_t{40}, n / 4})
          for (const Tensor& x : t)
            for (bool largest : {false, true})
              for (const Tensor& r : both(topk(x, k, 1, largest))) out.push_back(r);
        return out;
      });
    }
  Tensor x = random_tensor({2, 300}, kFloat);
  x.slice(1, 0, 300, 40).fill_(kNaN);
  check_both({x}, [](const List& t) {
    List out = both(topk(t[0], 12));
    for (const Tensor& r : both(topk(t[0].t(), 70, 0, false))) out.push_back(r);
    return out;
  });
}

TEST_CASE("equal elements keep their order, -0 equals 0, NaN comes last") {
  check_both({tensor({0.0, -0.0, kNaN, 1.0, -kInf, kInf, -0.0, kNaN, 0.0}), tensor(2.0)}, [](const List& t) {
    List out;
    for (DType dtype : {kHalf, kFloat, kDouble})
      for (bool falling : {false, true}) {
        for (const Tensor& r : both(sort(t[0].to(dtype), 0, falling))) out.push_back(r);
        for (const Tensor& r : both(topk(t[0].to(dtype), 4, 0, falling))) out.push_back(r);
        for (const Tensor& r : both(sort(t[1].to(dtype), 0, falling))) out.push_back(r);
      }
    return out;
  });
}

TEST_CASE("empty lines sort, and integers at the ends of their range") {
  check_both({zeros({3, 0}), zeros({0, 3}), tensor({INT64_MAX, INT64_MIN, int64_t{0}, int64_t{-1}, INT64_MAX})},
             [](const List& t) {
               List out;
               for (const Tensor& x : t)
                 for (const Tensor& r : both(sort(x))) out.push_back(r);
               for (const Tensor& r : both(topk(t[2], 0))) out.push_back(r);
               const auto [values, inverse, counts] = unique(t[2], true, true, true);
               for (const Tensor& r : {values, inverse, counts}) out.push_back(r);
               return out;
             });
}

TEST_CASE("unique gives values, inverse and counts") {
  for (DType dtype : kAll)
    for (int64_t n : {0, 1, 40, 1024, 3000}) {
      INFO(name(dtype) << ", " << n);
      check_both({random_tensor({n}, dtype, 3, 0, 60)}, [](const List& t) {
        const auto [values, inverse, counts] = unique(t[0], true, true, true);
        return List{values, inverse, counts};
      });
    }
  check_both({tensor({kNaN, 1.0, -0.0, kNaN, 0.0, kInf})}, [](const List& t) {
    const auto [values, inverse, counts] = unique(t[0].slice(0, 0, 6, 1), true, true, true);
    return List{values, inverse, counts};
  });
}

TEST_CASE("searchsorted finds places from both sides") {
  for (DType dtype : {kInt, kLong, kHalf, kFloat, kDouble})
    check_both({random_tensor({3, 40}, dtype, 3, 0, 30), random_tensor({3, 25}, dtype, 4, -3, 33)}, [](const List& t) {
      const Tensor sorted = std::get<0>(sort(t[0]));
      return List{searchsorted(sorted, t[1]), searchsorted(sorted, t[1], false, true),
                  searchsorted(sorted[1], t[1].t()), searchsorted(sorted.narrow(1, 0, 0), t[1])};
    });
}

TEST_CASE("randperm gives the CPU's permutation") {
  for (int64_t n : {0, 1, 2, 100, 5000})
    for (DType dtype : {kInt, kLong, kFloat}) {
      Generator here(5), there(5);
      const Tensor expected = randperm(n, here, TensorOptions(dtype));
      CHECK(same_bits(randperm(n, there, TensorOptions(dtype).device(kCUDA)).cpu(), expected));
    }
}

}  // namespace strata::test
