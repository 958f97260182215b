// Programs as StableHLO: the text of small ones, whole nets with their gradients, control flow, and what cannot be
// written.
#include "test/stablehlo_files.h"

#include "test/catch.h"
#include "test/error_of.h"

namespace strata {
namespace {

using List = std::vector<Tensor>;
namespace F = nn::functional;

Tensor numbers(IntArrayRef sizes, double shift = 0) {
  return (arange(numel_of(sizes), kDouble) * 0.7 + shift).sin().to(kFloat).view(sizes);
}

void written(const std::string& name, const std::function<List(List)>& f, const List& inputs) {
  INFO(name);
  const func::Program program = func::trace(f)(inputs).program();
  CHECK(test::write_stablehlo(name, program, inputs, program(inputs)).find("func.func public @main(%arg0") !=
        std::string::npos);
}

/// f and its gradient for all inputs that have one.
void written_with_gradient(const std::string& name, const std::function<Tensor(List)>& f, const List& inputs) {
  written(
      name, [&](List x) { return List{f(x)}; }, inputs);
  written(
      name + "_grad",
      [&](List x) {
        return func::grad([&](List y) {
          y.resize(x.size());
          return f(y);
        })(x);
      },
      inputs);
}

}  // namespace

TEST_CASE("a program is a module of StableHLO") {
  const auto traced =
      func::trace([](Tensor x, Tensor w) { return (matmul(x, w) + 1).relu().sum(1); })(ones({2, 3}), ones({3, 4}));
  CHECK(to_stablehlo(traced) == R"(module @program {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>) -> (tensor<2xf32>) {
    %0 = stablehlo.constant dense<1.0> : tensor<2x4xf32>
    %1 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %2 = stablehlo.add %1, %0 : tensor<2x4xf32>
    %3 = stablehlo.constant dense<0.0> : tensor<2x4xf32>
    %4 = stablehlo.maximum %2, %3 : tensor<2x4xf32>
    %5 = stablehlo.constant dense<0.0> : tensor<f32>
    %9 = "stablehlo.reduce"(%4, %5) ({
    ^bb0(%6: tensor<f32>, %7: tensor<f32>):
      %8 = stablehlo.add %6, %7 : tensor<f32>
      stablehlo.return %8 : tensor<f32>
    }) {dimensions = array<i64: 1>} : (tensor<2x4xf32>, tensor<f32>) -> (tensor<2xf32>)
    return %9 : tensor<2xf32>
  }
}
)");
}

TEST_CASE("nets and their gradients are written as StableHLO") {
  const Tensor classes = tensor({0, 2, 1, 2}, kLong);
  written_with_gradient(
      "mlp",
      [&](List p) {
        const Tensor h = F::gelu(layer_norm(linear(p[0], p[1], p[2]).relu(), {6}, p[3], p[4]));
        return cross_entropy_loss(linear(h, p[5]), classes);
      },
      {numbers({4, 5}), numbers({6, 5}, 1), numbers({6}, 2), numbers({6}, 3), numbers({6}, 4), numbers({3, 6}, 5)});
  written_with_gradient(
      "cnn", [](List p) { return conv2d(conv2d(p[0], p[1], p[2], 2, 1).tanh(), p[3], {}, 1, 0, 2).square().mean(); },
      {numbers({2, 3, 9, 8}), numbers({4, 3, 3, 2}, 1), numbers({4}, 2), numbers({2, 4, 2, 2}, 3)});
  written_with_gradient("attention",
                        [](List p) {
                          const Tensor h = matmul(p[0], p[1]).view({2, 5, 2, 4}).transpose(1, 2);
                          return scaled_dot_product_attention(h, h * 2, h, {}, 0.0, true).square().sum();
                        },
                        {numbers({2, 5, 8}), numbers({8, 8}, 1)});
  written_with_gradient(
      "embedding",
      [](List p) {
        return (embedding(p[0], tensor({3, 0, 3}, kLong)).sin().std(1) + p[0].select(0, 1).sum()).sum();
      },
      {numbers({6, 4})});
}

TEST_CASE("pools, scans, sorting, spectra and triangular systems are written as StableHLO") {
  written_with_gradient("pools",
                        [](List p) {
                          const Tensor h = max_pool2d(conv2d(p[0], p[1], {}, 1, 1), 3, 2, 1, 1, true);
                          return avg_pool2d(h, 2, 2, 1, true, false).square().mean() +
                                 adaptive_avg_pool2d(h, 1).sin().sum();
                        },
                        {numbers({2, 3, 9, 8}), numbers({4, 3, 3, 3}, 1)});
  written_with_gradient("lines",
                        [](List p) {
                          const auto [sorted, places] = sort(p[0], 1, true);
                          const Tensor largest = std::get<0>(topk(p[0], 3, 0)), running = std::get<0>(cummax(p[0], 0));
                          return (sorted.cumsum(1) * p[0].cumsum(0)).sum() + largest.square().sum() +
                                 (running * p[0]).mean();
                        },
                        {numbers({5, 7})});
  written_with_gradient("spectrum",
                        [](List p) {
                          const Tensor s = fft::rfft2(p[0]), back = fft::irfft2(s * s, IntArrayRef{4, 6});
                          return (abs(fft::fft(s, std::nullopt, 0)).sum() + back.square().sum()).log();
                        },
                        {numbers({4, 6})});
  written_with_gradient(
      "triangle", [](List p) { return linalg_solve_triangular(p[0].tril() + eye(3) * 3, p[1], false).square().sum(); },
      {numbers({2, 3, 3}), numbers({2, 3, 2}, 1)});
}

TEST_CASE("control flow is written as StableHLO") {
  written("power",
          [](List x) {
            return List{func::fori_loop(
                0, 5, [&](Tensor, Tensor y) { return y * x[0] + 1; }, ones_like(x[0]))};
          },
          {numbers({3})});
  written("branches",
          [](List x) {
            return List{func::cond(
                x[0].sum() > 0, [](Tensor y) { return y.sin(); }, [](Tensor y) { return y * 3 - 1; }, x[0])};
          },
          {numbers({3})});
}

TEST_CASE("what StableHLO has nothing for is named") {
  const auto error = [](const std::function<List(List)>& f) {
    return error_of([&] { to_stablehlo(func::trace(f)(List{ones({3, 3})})); });
  };
  CHECK(error([](List x) {
          return List{logcumsumexp(x[0], 0) + linalg_det(x[0]) + rand_like(x[0])};
        }).find("to_stablehlo: ops that have no counterpart here: det, logcumsumexp, lu_factor_ex, uniform") !=
        std::string::npos);
  CHECK(error([&](List x) {
          return List{x[0].to(kFloat8_e4m3fn).to(kFloat)};
        }).find("to_stablehlo: StableHLO has no float8_e4m3fn") != std::string::npos);
}

}  // namespace strata
