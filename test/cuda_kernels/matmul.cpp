// Matrix products on a CUDA device against the CPU's: layouts, batches, dtypes, what is asked of cuBLASLt, epilogues.
#include "kernels/cuda/matmul/matmul.h"

#include "core/cuda.h"
#include "kernels/cuda/runtime/launch.h"
#include "ops/activation.h"
#include "ops/binary.h"
#include "ops/linalg.h"
#include "ops/reduce.h"
#include "ops/unary.h"
#include "test/cuda_kernels/device.h"
#include "test/cuda_kernels/pair.h"
#include "test/op_sweep.h"
#include "test/ops/matrices.h"

// What matmul_lt.cpp needs here, where its epilogues are called without the library of kernels.
namespace strata::cuda {
cudaStream_t stream_of(DeviceIndex) { return nullptr; }
void check_launch(std::string_view) {}
}  // namespace strata::cuda

namespace strata::test {
namespace {

template <class View>
Pair random_pair(IntArrayRef sizes, DType dtype, unsigned seed, View view) {
  return pair(random_matrix(sizes, dtype, seed), view);
}

constexpr int kBatchLayouts = 9;
/// `(2, 3, rows, cols)` in one of many layouts.
Pair batch_of(int64_t rows, int64_t cols, int layout, DType dtype, unsigned seed) {
  const auto make = [&](IntArrayRef sizes, auto view) { return random_pair(sizes, dtype, seed, view); };
  switch (layout) {
    case 0:
      return make({2, 3, rows, cols}, [](const Tensor& t) { return t; });
    case 1:
      return make({2, 3, cols, rows}, [](const Tensor& t) { return t.mT(); });
    case 2:
      return make({2, 3, rows, 2 * cols}, [](const Tensor& t) { return slice(t, 3, 1, std::nullopt, 2); });
    case 3:
      return make({2, 3, rows, cols + 3}, [&](const Tensor& t) { return narrow(t, 3, 1, cols); });
    case 4:
      return make({3, 2, rows, cols}, [](const Tensor& t) { return transpose(t, 0, 1); });
    case 5:
      return make({1, 3, rows, cols}, [&](const Tensor& t) { return expand(t, {2, 3, rows, cols}); });
    case 6:
      return make({cols, rows}, [&](const Tensor& x) { return expand(t(x), {2, 3, rows, cols}); });
    case 7:
      return make({2, rows, 3, cols}, [](const Tensor& t) { return transpose(t, 1, 2); });
    default:
      return make({1, 1, 1, 1}, [&](const Tensor& t) { return expand(t, {2, 3, rows, cols}); });
  }
}
/// Layouts that the library takes as they are.
bool needs_copy(int layout) { return layout == 2 || layout == 8; }

void check_close(const Tensor& there, const Tensor& here) {
  CHECK(there.is_cuda());
  CHECK(close(there.cpu(), here, 4));
}

const std::vector<DType> kFloating = {kFloat, kDouble, kHalf, kBFloat16};
const std::vector<DType> kAllTypes = {kFloat, kDouble, kHalf, kBFloat16, kByte, kChar, kShort, kUInt32, kInt, kLong};

/// What the library and the emulator were asked while f ran.
struct Counts {
  int64_t heuristics, products, launches;
};
template <class F>
Counts counted(F f) {
  const auto before = emulator::lt_counts();
  const int64_t launched = launches();
  f();
  const auto after = emulator::lt_counts();
  return {after.heuristics - before.heuristics, after.products - before.products, launches() - launched};
}

}  // namespace

TEST_CASE("batches of products of all pairs of layouts") {
  for (DType dtype : kAllTypes) {
    for (int i = 0; i < kBatchLayouts; ++i) {
      for (int j = 0; j < kBatchLayouts; ++j) {
        CAPTURE(name(dtype), i, j);
        const Pair a = batch_of(4, 5, i, dtype, 1), b = batch_of(5, 3, j, dtype, 2);
        check_close(matmul(a.there, b.there), matmul(a.here, b.here));
      }
    }
  }
}

TEST_CASE("sums of a product and what it starts from, of all layouts") {
  for (DType dtype : kAllTypes) {
    for (int i = 0; i < kBatchLayouts; ++i) {
      CAPTURE(name(dtype), i);
      const Pair init = batch_of(4, 3, i, dtype, 3), a = batch_of(4, 5, i, dtype, 1), b = batch_of(5, 3, 0, dtype, 2);
      const auto run = [&](Tensor Pair::*on) {
        const auto flat = [&](const Pair& p) { return reshape(p.*on, {6, (p.*on).size(2), (p.*on).size(3)}); };
        return baddbmm((init.*on)[0], (a.*on)[0], (b.*on)[1], 2, 3) + baddbmm(flat(init), flat(a), flat(b))[3];
      };
      check_close(run(&Pair::there), run(&Pair::here));
    }
  }
}

TEST_CASE("addmm from a row, a column, a number, in place and with beta 0") {
  for (DType dtype : kAllTypes) {
    for (const DimVector& shape : {DimVector{4, 3}, DimVector{3}, DimVector{4, 1}, DimVector{1, 1}}) {
      CAPTURE(name(dtype), shape);
      const auto same = [](const Tensor& t) { return t; };
      const Pair init = random_pair(shape, dtype, 3, same), a = random_pair({4, 5}, dtype, 1, same),
                 b = random_pair({5, 3}, dtype, 2, same);
      check_close(addmm(init.there, a.there, b.there), addmm(init.here, a.here, b.here));
      check_close(addmm(init.there, a.there, b.there, 2, 3), addmm(init.here, a.here, b.here, 2, 3));
      check_close(addmm(init.there, a.there, b.there, 0, 3), addmm(init.here, a.here, b.here, 0, 3));
      if (shape.size() < 2 || shape[1] != 3) continue;
      Tensor here = init.here, there = init.there;
      check_close(there.addmm_(a.there, b.there, 2, 3), here.addmm_(a.here, b.here, 2, 3));
    }
  }
}

TEST_CASE("linear of inputs of any dims and layouts, with and without bias") {
  for (DType dtype : kAllTypes) {
    const Pair w = random_pair({3, 5}, dtype, 2, [](const Tensor&t) { return t; }),
               narrow_w =
                   random_pair({3, 10}, dtype, 2, [](const Tensor&t) { return slice(t, 1, 0, std::nullopt, 2); }),
               bias = random_pair({3}, dtype, 4, [](const Tensor&t) { return t; }),
               strided_bias =
                   random_pair({6}, dtype, 4, [](const Tensor&t) { return slice(t, 0, 0, std::nullopt, 2); });
    for (int i = 0; i < kBatchLayouts; ++i) {
      CAPTURE(name(dtype), i);
      const Pair x = batch_of(4, 5, i, dtype, 1);
      check_close(linear(x.there, w.there, bias.there), linear(x.here, w.here, bias.here));
      check_close(linear(x.there, narrow_w.there, strided_bias.there),
                  linear(x.here, narrow_w.here, strided_bias.here));
      check_close(linear(x.there[0], w.there), linear(x.here[0], w.here));
      check_close(linear(x.there[0][1][2], w.there, bias.there), linear(x.here[0][1][2], w.here, bias.here));
    }
  }
}

TEST_CASE("products without rows, columns or terms") {
  for (DType dtype : {kFloat, kBFloat16, kInt}) {
    for (const auto& [m, k, n] : {std::array{0, 3, 2}, std::array{2, 0, 3}, std::array{2, 3, 0}, std::array{0, 0, 0}}) {
      CAPTURE(name(dtype), m, k, n);
      const Tensor a = random_matrix({m, k}, dtype, 1), b = random_matrix({k, n}, dtype, 2),
                   init = random_matrix({m, n}, dtype, 3), bias = random_matrix({n}, dtype, 4);
      const Tensor x = a.to(kCUDA), y = b.to(kCUDA);
      check_close(matmul(x, y), matmul(a, b));
      check_close(addmm(init.to(kCUDA), x, y, 2), addmm(init, a, b, 2));
      check_close(linear(x, y.t(), bias.to(kCUDA)), linear(a, b.t(), bias));
    }
  }
}

TEST_CASE("vectors and single rows and columns") {
  for (DType dtype : kFloating) {
    for (const auto& [m, k, n] : {std::array{1, 5, 3}, std::array{4, 1, 3}, std::array{4, 5, 1}, std::array{1, 1, 1}}) {
      CAPTURE(name(dtype), m, k, n);
      const Tensor a = random_matrix({m, k}, dtype, 1), b = random_matrix({k, n}, dtype, 2),
                   bias = random_matrix({n}, dtype, 3), x = a.to(kCUDA), y = b.to(kCUDA);
      const Tensor columns_x = x.t().contiguous().t(), columns_y = y.t().contiguous().t();
      check_close(matmul(x, y), matmul(a, b));
      check_close(matmul(columns_x, columns_y), matmul(a, b));
      check_close(addmm(bias.to(kCUDA), columns_x, y), addmm(bias, a, b));
      check_close(linear(x, columns_y.t(), bias.to(kCUDA)), linear(a, b.t(), bias));
    }
  }
}

TEST_CASE("outputs that cannot be written row by row, and those that lie apart") {
  for (DType dtype : kFloating) {
    const Tensor a = random_matrix({4, 5}, dtype, 1), b = random_matrix({5, 3}, dtype, 2);
    const Tensor expected = matmul(a, b), x = a.to(kCUDA), y = b.to(kCUDA);
    const auto empty = [&](IntArrayRef sizes) { return full(sizes, 7, TensorOptions(kCUDA).dtype(dtype)); };
    for (Tensor out : {empty({3, 4}).t(), slice(empty({4, 6}), 1, 0, std::nullopt, 2),
                       narrow(narrow(empty({6, 8}), 1, 2, 3), 0, 1, 4)}) {
      check_close(matmul_out(out, x, y), expected);
      check_close(addmm_out(out, out, x, y, 2), expected * 3);
    }
  }
}

TEST_CASE("the library computes what it can without copies") {
  if (!emulated) return;
  for (int i = 0; i < kBatchLayouts; ++i) {
    for (int j = 0; j < kBatchLayouts; ++j) {
      CAPTURE(i, j);
      const Pair a = batch_of(6, 8, i, kBFloat16, 1), b = batch_of(8, 16, j, kBFloat16, 2);
      const Counts c = counted([&] { matmul(a.there, b.there); });
      CHECK(c.products >= 1);
      CHECK(c.products <= 3);
      if (!needs_copy(i) && !needs_copy(j)) CHECK(c.launches == 0);
    }
  }
  const Tensor x = random_matrix({2, 3, 8}, kFloat, 1).to(kCUDA), w = random_matrix({4, 8}, kFloat, 2).to(kCUDA),
               bias = random_matrix({4}, kFloat, 3).to(kCUDA);
  const Counts c = counted([&] { linear(x, w, bias); });
  CHECK(c.products == 1);
  CHECK(c.launches == 0);
}

TEST_CASE("linear with an activation, of inputs of any dims and layouts, with and without bias") {
  for (DType dtype : kFloating) {
    for (int64_t n : {3, 8, 24}) {
      const Pair w = random_pair({n, 5}, dtype, 2, [](const Tensor&t) { return t; }),
                 bias = random_pair({n}, dtype, 4, [](const Tensor&t) { return t; });
      for (int i = 0; i < kBatchLayouts; ++i) {
        CAPTURE(name(dtype), n, i);
        const Pair x = batch_of(4, 5, i, dtype, 1);
        for (const auto f : {linear_relu, linear_gelu}) {
          check_close(f(x.there, w.there, bias.there), f(x.here, w.here, bias.here));
          check_close(f(x.there, w.there, {}), f(x.here, w.here, {}));
          check_close(f(x.there[0][1][2], w.there, bias.there), f(x.here[0][1][2], w.here, bias.here));
          check_close(f(narrow(x.there, 3, 0, 0), narrow(w.there, 1, 0, 0), bias.there),
                      f(narrow(x.here, 3, 0, 0), narrow(w.here, 1, 0, 0), bias.here));
        }
      }
    }
  }
  const Tensor x = random_matrix({4, 5}, kInt, 1), w = random_matrix({3, 5}, kInt, 2);
  check_close(linear_relu(x.to(kCUDA), w.to(kCUDA)), linear_relu(x, w));
}

TEST_CASE("the library adds the bias and applies the activation itself") {
  if (!emulated) return;
  for (DType dtype : {kFloat, kHalf, kBFloat16}) {
    const Tensor x = random_matrix({2, 3, 8}, dtype, 1).to(kCUDA), w = random_matrix({16, 8}, dtype, 2).to(kCUDA),
                 bias = random_matrix({16}, dtype, 3).to(kCUDA);
    for (const auto f : {linear_relu, linear_gelu}) {
      for (const Tensor& b : {bias, Tensor()}) {
        const Counts c = counted([&] { f(x, w, b); });
        CHECK(c.products == 1);
        CHECK(c.launches == 0);
      }
    }
  }
}

TEST_CASE("algorithms are chosen once; another alignment or TF32 is another choice") {
  if (!emulated) return;
  const Tensor base = random_matrix({9, 8}, kFloat, 1).to(kCUDA), w = random_matrix({8, 8}, kFloat, 2).to(kCUDA);
  const Tensor flat = base.view({72});
  Tensor out = empty({8, 8}, TensorOptions(kCUDA));  // the same for all, since its address counts
  const auto product = [&](int64_t start) {
    return counted([&] { matmul_out(out, as_strided(flat, {8, 8}, {8, 1}, start), w); }).heuristics;
  };
  CHECK(product(0) == 1);
  CHECK(product(0) == 0);
  CHECK(product(1) == 1);
  CHECK(product(3) == 0);
  CHECK(!cuda::allow_tf32_matmul());
  cuda::set_allow_tf32_matmul(true);
  CHECK(cuda::allow_tf32_matmul());
  CHECK(product(0) == 1);
  cuda::set_allow_tf32_matmul(false);
  CHECK(product(0) == 0);
}

TEST_CASE("bools are refused as on the CPU") {
  const Tensor a = ones({2, 2}, kBool);
  CHECK_THROWS_WITH(matmul(a.to(kCUDA), a.to(kCUDA)),
                    Catch::Matchers::ContainsSubstring("matmul: not implemented for bool; it takes"));
}

TEST_CASE("epilogues: bias, activations, their gradients and sums of columns") {
  if (!emulated) return;
  const int64_t m = 4, n = 8, k = 5;
  const Tensor a = random_matrix({m, k}, kFloat, 1), b = random_matrix({k, n}, kFloat, 2);
  const Tensor bias = random_matrix({n}, kFloat, 3), product = matmul(a, b), sum = product + bias;
  const auto matrix = [](const Tensor& t) { return cuda::matmul::Matrix{t.bytes(), t.stride(0), t.stride(1)}; };
  Tensor out, aux;
  const auto run = [&](cublasLtEpilogue_t epilogue, const Tensor& row, bool new_aux = false) {
    out = full({m, n}, 7.0f);
    cuda::matmul::Gemm p{"test", kFloat, 0, m, n, k, 1, matrix(a), matrix(b), {}, matrix(out)};
    if (new_aux) aux = zeros({m, 128});
    p.epilogue = epilogue, p.bias = row.defined() ? row.bytes() : nullptr;
    if (aux.defined()) p.aux = aux.bytes(), p.aux_row = 128;
    REQUIRE(cuda::matmul::gemm_by_library(p));
    return out;
  };
  CHECK(close(run(CUBLASLT_EPILOGUE_BIAS, bias), sum));
  CHECK(close(run(CUBLASLT_EPILOGUE_RELU_BIAS, bias), relu(sum)));
  CHECK(close(run(CUBLASLT_EPILOGUE_RELU, {}), relu(product)));
  CHECK(close(run(CUBLASLT_EPILOGUE_GELU_BIAS, bias), gelu(sum, "tanh")));
  const Tensor sums = zeros({n}), rows = zeros({m});
  run(CUBLASLT_EPILOGUE_RELU_AUX_BIAS, bias, true);
  const Tensor masked = product * (sum > 0).to(kFloat);
  CHECK(close(run(CUBLASLT_EPILOGUE_DRELU_BGRAD, sums), masked));
  CHECK(close(sums, masked.sum(0)));
  run(CUBLASLT_EPILOGUE_GELU_AUX_BIAS, bias, true);
  CHECK(close(narrow(aux, 1, 0, n), sum));
  Tensor z = sum.clone().set_requires_grad(true);
  gelu(z, "tanh").backward(product);
  CHECK(close(run(CUBLASLT_EPILOGUE_DGELU_BGRAD, sums), z.grad()));
  CHECK(close(sums, z.grad().sum(0)));
  aux = Tensor();
  CHECK(close(run(CUBLASLT_EPILOGUE_BGRADB, rows), product));
  CHECK(close(rows, a.sum(1)));
}

}  // namespace strata::test
