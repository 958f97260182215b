// Complex parameters take the steps of the pairs of real numbers that they are, as torch.optim's do. The numbers are
// those of PyTorch 2.15.
#include <cmath>
#include <complex>
#include <vector>

#include "nn/utils.h"
#include "ops/binary.h"
#include "ops/complex.h"
#include "ops/creation.h"
#include "ops/reduce.h"
#include "ops/unary.h"
#include "optim/optim.h"
#include "test/catch.h"

using namespace strata;
using namespace strata::optim;
using Number = Complex<double>;
using Numbers = std::vector<Number>;

namespace {

Tensor complex_start() {
  return tensor({{Number(4, 0), Number(1, 1)}, {Number(1, -1), Number(3, 0.5)}}).requires_grad_();
}
Tensor loss_of(const Tensor& z) { return (abs(z * z * Number(1, 0.5)) + real(z) * 0.3).sum(); }

void check_near(const Tensor& z, const Numbers& expected, double tolerance = 1e-10) {
  const Tensor flat = z.detach().reshape({-1});
  for (size_t i = 0; i < expected.size(); ++i) {
    INFO("element " << i << " of " << z.detach());
    CHECK(std::abs(std::complex<double>(flat[i].item<Number>()) - std::complex<double>(expected[i])) < tolerance);
  }
}

/// Three steps, and the same of a transposed parameter, whose memory is not in order.
template <class O, class Options>
void check_steps(const Options& options, const Numbers& expected) {
  const bool transposes[] = {false, true};
  for (const bool transposed : transposes) {
    Tensor z = transposed ? complex_start().detach().t().contiguous().t().requires_grad_() : complex_start();
    REQUIRE(z.is_contiguous() == !transposed);
    O optimizer({z}, options);
    for (int i = 0; i < 3; ++i) {
      optimizer.zero_grad(/*set_to_none=*/i == 1);
      loss_of(z).backward();
      optimizer.step();
    }
    check_near(z, expected);
  }
}

}  // namespace

TEST_CASE("optimizers step complex parameters as PyTorch does") {
  check_steps<SGD>(SGDOptions(0.1), {{1.80062167925, 0},
                                     {0.39662387866, 0.467999266863},
                                     {0.39662387866, -0.467999266863},
                                     {1.33262241239, 0.233999633431}});
  check_steps<SGD>(SGDOptions(0.1).momentum(0.9).nesterov(true).weight_decay(0.01),
                   {{-0.89391886745, 0},
                    {-0.342081558326, -0.183945769708},
                    {-0.342081558326, 0.183945769708},
                    {-0.709973097742, -0.0919728848539}});
  const Numbers adam = {{3.70026381498, 0},
                        {0.701323689354, 0.701586272782},
                        {0.701323689354, -0.701586272782},
                        {2.7003624756, 0.204871252225}};
  check_steps<Adam>(AdamOptions(0.1), adam);
  check_steps<Adam>(AdamOptions(0.1).amsgrad(true), adam);
  check_steps<Adam>(AdamOptions(0.1).capturable(true), adam);
  check_steps<AdamW>(AdamWOptions(0.1), {{3.68858749434, 0},
                                         {0.698644348466, 0.698911182994},
                                         {0.698644348466, -0.698911182994},
                                         {2.6916838639, 0.203712382638}});
  check_steps<RMSprop>(
      RMSpropOptions(0.1),
      {{1.95296828664, 0}, {-0.132300504393, 0}, {-0.132300504393, 0}, {1.05003185093, -0.0763871752429}});
  check_steps<RMSprop>(RMSpropOptions(0.1).centered(true).momentum(0.5), {{0.9540401788, 0},
                                                                          {-0.533378060801, -0.298190710706},
                                                                          {-0.533378060801, 0.298190710706},
                                                                          {0.112741571442, 0.196108448268}});
  check_steps<Adagrad>(AdagradOptions(0.1).initial_accumulator_value(0.1).lr_decay(0.01),
                       {{3.7754580648, 0},
                        {0.782165545197, 0.783593733913},
                        {0.782165545197, -0.783593733913},
                        {2.7761733688, 0.29770592296}});
}

TEST_CASE("LBFGS finds the least complex number") {
  Tensor z = complex_start(), wanted = tensor({Number(1, 2), Number(-3, 0.5)});
  LBFGS optimizer({z}, LBFGSOptions().line_search_fn("strong_wolfe"));
  optimizer.step([&] {
    optimizer.zero_grad();
    const Tensor loss = square(abs(z - wanted)).sum();
    loss.backward();
    return loss;
  });
  check_near(z, {{1, 2}, {-3, 0.5}, {1, 2}, {-3, 0.5}}, 1e-6);
}

TEST_CASE("gradients of complex and real numbers are clipped by one norm") {
  struct Expected {
    double p, norm, real_grad;
    Number grad;
  };
  const std::vector<Expected> cases = {
      {1, 28.0695624847, 0.1068773300174345, {0.07966165839088744, 0.07966165839088744}},
      {2, 12.816005618, 0.23408227612742236, {0.17447462724959756, 0.17447462724959756}},
      {3, 10.4687546165, 0.2865670104368244, {0.21359443848187706, 0.21359443848187706}},
      {INFINITY, 8.94427191, 0.3354101591249727, {0.24999997204915345, 0.24999997204915345}}};
  for (const Expected& e : cases) {
    Tensor z = complex_start(), x = ones({2}, kDouble).requires_grad_();
    (abs(z * z * Number(1, 0.5)).sum() + (3 * x).sum()).backward();
    CHECK(std::abs(nn::utils::clip_grad_norm_({z, x}, 1.0, e.p) - e.norm) < 1e-9);
    CHECK(std::abs(x.grad()[0].item<double>() - e.real_grad) < 1e-12);
    check_near(z.grad()[0][1], {e.grad}, 1e-12);
  }
  Tensor z = complex_start();
  loss_of(z).backward();
  CHECK_THROWS_WITH(nn::utils::clip_grad_value_(z, 1.0),
                    Catch::Matchers::ContainsSubstring("floating point, got complex128"));
}
