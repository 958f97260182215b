// Reductions on a CUDA device: every way in which lines are shared out to threads, at its edges.
#include "ops/reduce.h"

#include "ops/binary.h"
#include "ops/linalg.h"
#include "ops/unary.h"
#include "test/cuda_kernels/near.h"

namespace strata::test {
namespace {

/// All float reductions over `dims`.
List all_sums(const Tensor& x, IntArrayRef dims, bool keepdim = false) {
  List out{sum(x, dims, keepdim),      mean(x, dims, keepdim),      amax(x, dims, keepdim),
           amin(x, dims, keepdim),     var(x, dims, true, keepdim), std(x, dims, false, keepdim),
           logsumexp(x, dims, keepdim)};
  for (double p : {0.0, 1.0, 2.0, 3.0, kInf, -kInf}) out.push_back(norm(x, p, dims, keepdim));
  return out;
}
List with_index(const Tensor& x, int64_t dim) {
  const auto [max_values, max_at] = max(x, dim);
  const auto [min_values, min_at] = min(x, dim);
  return {max_values, max_at, min_values, min_at, argmax(x, dim), argmin(x, dim), sum(x, {dim}), prod(x, dim)};
}
/// Values of which many are equal.
Tensor ties(IntArrayRef sizes, DType dtype, unsigned seed = 1) {
  return random_tensor(sizes, kDouble, seed, -4, 4).round().to(dtype);
}

}  // namespace

TEST_CASE("rows of any length and number are reduced") {
  for (int64_t n : {1, 5, 31, 32, 33, 1023, 1025, 2049, 5000})
    for (int64_t rows : {1, 3, 40}) {
      if (n * rows > 16000) continue;
      CAPTURE(n, rows);
      check_near({random_tensor({rows, n}, kFloat, 1), ties({rows, n}, kBFloat16)}, [](const List& t) {
        List out = all_sums(t[0], {1});
        for (const Tensor& r : with_index(t[1], 1)) out.push_back(r);
        return out;
      });
    }
}

TEST_CASE("many short rows are reduced") {
  for (int64_t n : {1, 3, 4, 8, 17})
    check_near({random_tensor({5000, n})}, [](const List& t) { return List{sum(t[0], {1}), argmax(t[0], 1)}; });
}

TEST_CASE("columns of any height and width are reduced") {
  for (int64_t n : {1, 3, 8, 33, 500, 5000})
    for (int64_t columns : {2, 3, 31, 32, 65, 300}) {
      if (n * columns > 400000) continue;
      CAPTURE(n, columns);
      check_near({random_tensor({n, columns}, kFloat, 2), ties({n, columns}, kChar)}, [](const List& t) {
        List out = all_sums(t[0], {0}, true);
        for (const Tensor& r : with_index(t[1], 0)) out.push_back(r);
        return out;
      });
    }
}

TEST_CASE("inner, outer and middle dims are reduced together") {
  check_near({random_tensor({3, 5, 4, 33}), random_tensor({2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3}, kDouble)},
             [](const List& t) {
               List out;
               for (const DimVector& dims : {DimVector{0, 2}, DimVector{1, 3}, DimVector{0, 3}, DimVector{1, 2},
                                             DimVector{0, 1, 3}, DimVector{0, 1, 2, 3}, DimVector{2}})
                 for (const Tensor& r : all_sums(t[0], dims)) out.push_back(r);
               for (const Tensor& r : all_sums(t[1], {0, 2, 4, 6, 8, 10})) out.push_back(r);
               for (const Tensor& r : all_sums(t[1], {1, 3, 5, 7, 9, 11})) out.push_back(r);
               for (const Tensor& r : all_sums(t[1], {3, 8})) out.push_back(r);
               return out;
             });
}

TEST_CASE("totals of many values are summed in parts") {
  for (DType dtype : {kFloat, kDouble, kHalf, kBFloat16}) {
    CAPTURE(name(dtype));
    check_near(
        {random_tensor({30003}, dtype, 3), random_tensor({2, 9000}, dtype, 4), random_tensor({1500, 5}, dtype, 5)},
        [](const List& t) {
          List out = all_sums(t[0], {0});
          for (const Tensor& r : all_sums(t[1], {1})) out.push_back(r);
          for (const Tensor& r : all_sums(t[2], {0})) out.push_back(r);
          out.push_back(argmax(t[0], 0));
          out.push_back(argmin(t[1], 1));
          out.push_back(argmax(t[2], 0));
          out.push_back(dot(t[0], t[0]));
          return out;
        },
        2);
  }
}

TEST_CASE("all integer types are reduced") {
  for (DType dtype : {kByte, kChar, kShort, kInt, kUInt32, kLong, kBool})
    for (const DimVector& sizes : {DimVector{7, 1025}, DimVector{300, 9}, DimVector{1, 9001}}) {
      CAPTURE(name(dtype), sizes);
      check_both({random_tensor(sizes, kDouble, 6, 0, 100).floor().to(dtype)}, [&](const List& t) {
        List out{sum(t[0]), amax(t[0], {0}), amin(t[0], {1}), amax(t[0], {0, 1}), any(t[0], 1), all(t[0], 0)};
        for (int64_t dim : {0, 1})
          for (const Tensor& r : with_index(t[0], dim)) out.push_back(r);
        return out;
      });
    }
}

TEST_CASE("the first of equal values and the first NaN are found") {
  std::vector<Tensor> inputs;
  for (const auto& [rows, n] : {std::pair<int64_t, int64_t>{4, 37}, {4, 9001}}) {
    Tensor x = ties({rows, n}, kFloat);
    x[1].fill_(kNaN);
    x[2][n / 2] = kNaN;
    x[2][n - 1] = kNaN;
    x[3].fill_(-kInf);
    inputs.push_back(x);
    inputs.push_back(x.t().contiguous());
  }
  check_both(inputs, [](const List& t) {
    List out;
    for (size_t i = 0; i < t.size(); ++i) {
      for (const Tensor& r : with_index(t[i], i % 2 ? 0 : 1)) out.push_back(isnan(r));
      const int64_t dim = i % 2 ? 0 : 1;
      out.insert(out.end(), {argmax(t[i], dim), argmin(t[i], dim), argmax(t[i]), isnan(amax(t[i], {dim}))});
    }
    return out;
  });
}

TEST_CASE("infinite and huge values give what the CPU gives") {
  Tensor x = random_tensor({6, 65}, kFloat, 7, 1e5, 1.00001e5);
  x[1][3] = kInf;
  x[2][64] = -kInf;
  x[3].fill_(-kInf);
  x[4].fill_(kInf);
  check_near({x, x.t().contiguous()}, [](const List& t) {
    return List{logsumexp(t[0], {1}), logsumexp(t[1], {0}),        sum(t[0], {1}),     isnan(var(t[0], {1})),
                std(t[0][0], {0}),    var(t[1].select(1, 5), {0}), norm(t[0], 2, {1}), logsumexp(t[0][0] * 1e30, {0})};
  });
}

TEST_CASE("reductions of nothing") {
  check_both({random_tensor({0, 3}), random_tensor({3, 0})}, [](const List& t) {
    List out;
    for (const Tensor& x : t)
      for (int64_t dim : {0, 1})
        out.insert(out.end(), {sum(x, {dim}), prod(x, dim), isnan(mean(x, {dim})), isnan(var(x, IntArrayRef{dim})),
                               logsumexp(x, {dim}), norm(x, 2, {dim}), all(x.to(kBool), dim), any(x.to(kBool), dim)});
    return out;
  });
  check_both({random_tensor({0})}, [](const List& t) { return List{dot(t[0], t[0]), sum(t[0]), prod(t[0])}; });
}

TEST_CASE("strided, shifted and expanded tensors are reduced, and strided ones written") {
  for (int64_t n : {40, 3000})
    check_near({random_tensor({n, 12}, kFloat, 8), random_tensor({1, 12}), random_tensor({6, n + 1}, kHalf, 9)},
               [&](const List& t) {
                 List out;
                 for (const Tensor& x : {t[0].t(), t[0].slice(0, 1, n, 2), t[0].slice(1, 1, 12, 3),
                                         t[1].expand({n, 12}), t[0].slice(1, 1, 12), t[2].slice(1, 1), t[2].t()})
                   for (const DimVector& dims : {DimVector{0}, DimVector{1}, DimVector{0, 1}})
                     for (const Tensor& r : {sum(x, dims), var(x, dims), amax(x, dims), logsumexp(x, dims)})
                       out.push_back(r);
                 out.push_back(dot(t[0].select(1, 2), t[0].select(1, 3)));
                 out.push_back(dot(t[2][1].slice(0, 1), t[2][2].slice(0, 0, n)));
                 return out;
               });
}

TEST_CASE("the bits of a sum do not depend on the layout") {
  const Tensor x = random_tensor({5, 3001}, kFloat, 10).to(kCUDA),
               shifted = random_tensor({5, 3002}, kFloat, 11).to(kCUDA);
  shifted.slice(1, 1).copy_(x);
  CHECK(same_bits(sum(x, {1}).cpu(), sum(shifted.slice(1, 1), {1}).cpu()));
}

}  // namespace strata::test
