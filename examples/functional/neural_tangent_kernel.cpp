// The empirical neural tangent kernel in two ways: products of whole Jacobians, and vjp followed by jvp.
#include <fmt/format.h>

#include "common/program.h"
#include "functional/mlp.h"

using namespace strata;
using namespace strata::examples;

namespace {

/// The outputs `(O,)` for one input `(I,)`.
Tensor predict(const Mlp& params, const Tensor& x) { return apply_mlp(params, x, tanh); }

/// `(N, M, O, O)`: the Jacobians of all outputs at both sets of inputs, and their products summed over the parameters.
Tensor kernel_by_jacobians(const Mlp& params, const Tensor& x1, const Tensor& x2) {
  const auto jacobian = vmap(jacrev(predict), {.in_dims = {nullopt, 0}});
  const std::vector<Tensor> j1 = tree::leaves(jacobian(params, x1)), j2 = tree::leaves(jacobian(params, x2));
  Tensor sum = zeros({});
  for (size_t i = 0; i < j1.size(); ++i) sum = sum + einsum("naf,mbf->nmab", {j1[i].flatten(2), j2[i].flatten(2)});
  return sum;
}

/// The same without a Jacobian: column b of the kernel of two inputs is J1 J2' e_b, a vjp at x2 pushed forward at x1.
Tensor kernel_by_products(const Mlp& params, const Tensor& x1, const Tensor& x2) {
  const auto kernel = [&](const Tensor& a, const Tensor& b) {
    const auto at = [](const Tensor& x) { return [x](const Mlp& p) { return predict(p, x); }; };
    const auto pull = vjp(at(b), params).second;
    const auto column = [&](const Tensor& unit) { return jvp(at(a), params, pull(unit)).second; };
    return vmap(column, {.out_dims = 1})(eye(params.back().bias.size(0)));
  };
  return vmap(vmap(kernel, {.in_dims = {nullopt, 0}}), {.in_dims = {0, nullopt}})(x1, x2);
}

struct Options {
  int64_t inputs = 20, others = 10, width = 128, seed = 0;
  std::string plot = "neural_tangent_kernel.svg";
};

void run(const Options& o) {
  const Tensor keys = random::split(random::key(o.seed), 3);
  const Mlp params = init_mlp(keys[0], {16, o.width, o.width, 4});
  const Tensor x1 = random::normal(keys[1], {o.inputs, 16}), x2 = random::normal(keys[2], {o.others, 16});

  const Tensor jacobians = kernel_by_jacobians(params, x1, x2), products = kernel_by_products(params, x1, x2);
  const double first = seconds_of([&] { kernel_by_jacobians(params, x1, x2); });
  const double second = seconds_of([&] { kernel_by_products(params, x1, x2); });
  fmt::print("Kernel of {} x {} inputs and 4 x 4 outputs\n", o.inputs, o.others);
  fmt::print("Jacobians {:.1f} ms, products {:.1f} ms\n", 1e3 * first, 1e3 * second);
  fmt::print("relative difference {:.1e}\n", ((jacobians - products).norm() / jacobians.norm()).item<double>());
  const Tensor trace = einsum("nmaa->nm", {kernel_by_jacobians(params, x1, x1)});
  fmt::print("asymmetry {:.1e}, smallest diagonal element {:.1f}\n",
             ((trace - trace.t()).norm() / trace.norm()).item<double>(), trace.diagonal().min().item<double>());
  save_plot(o.plot, "The neural tangent kernel",
            {train::Images{"How inputs move each other (white: most)",
                           (trace / trace.max()).clamp_min(0).unsqueeze(0).unsqueeze(0),
                           {}}});
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  Program program("The empirical neural tangent kernel of an MLP: Jacobian contraction, and vmap of vjp and jvp.");
  program.option("--inputs", o.inputs, "Inputs of the rows");
  program.option("--others", o.others, "Inputs of the columns");
  program.option("--width", o.width, "Units of the two hidden layers");
  program.option("--seed", o.seed, "Start of the random numbers");
  program.plot_option(o.plot);
  return program.run(argc, argv, [&] { run(o); });
}
