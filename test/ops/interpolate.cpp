// Tests of resampling: PyTorch's numbers, the adjoint as gradient, errors.
#include "ops/interpolate.h"

#include "ops/creation.h"
#include "ops/view.h"
#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using strata::test::values;

namespace {

Tensor image() { return tensor({{1.0, 4.0, 2.0}, {0.0, 3.0, 8.0}}, kDouble).view({1, 1, 2, 3}); }

void check_values(const Tensor& t, const std::vector<double>& expected) {
  const std::vector<double> got = values(t);
  REQUIRE(got.size() == expected.size());
  for (size_t i = 0; i < got.size(); ++i) CHECK(got[i] == Approx(expected[i]).margin(1e-9));
}

}  // namespace

TEST_CASE("nearest neighbours") {
  const std::vector<double> expected{1, 1, 4, 4, 2, 1, 1, 4, 4, 2, 0, 0, 3, 3, 8};
  check_values(upsample_nearest2d(image(), {3, 5}), expected);
  check_values(upsample_nearest2d(image(), {3, 5}, 1.5, 1.7), expected);
  check_values(upsample_nearest1d(image().squeeze(0), 2), {1, 4, 0, 3});
}

TEST_CASE("linear interpolation") {
  check_values(upsample_bilinear2d(image(), {3, 5}, false),
               {1.0, 2.2, 4.0, 2.8, 2.0, 0.5, 1.7, 3.5, 4.4, 5.0, 0.0, 1.2, 3.0, 6.0, 8.0});
  check_values(upsample_bilinear2d(image(), {3, 5}, true),
               {1.0, 2.5, 4.0, 3.0, 2.0, 0.5, 2.0, 3.5, 4.25, 5.0, 0.0, 1.5, 3.0, 5.5, 8.0});
  check_values(upsample_bilinear2d(image(), {3, 5}, false, 1.5, 1.7),
               {1.0, 2.1470588235, 3.9117647059, 2.8823529412, 2.0, 0.5, 1.6470588235, 3.4117647059, 4.3382352941, 5.0,
                0.0, 1.1470588235, 2.9117647059, 5.7941176471, 8.0});
  check_values(upsample_bilinear2d(image(), {1, 2}, false), {1.25, 4.625});
  check_values(upsample_linear1d(image().squeeze(0), 7, false),
               {1.0, 1.4285714286, 2.7142857143, 4.0, 3.1428571429, 2.2857142857, 2.0, 0.0, 0.4285714286, 1.7142857143,
                3.0, 5.1428571429, 7.2857142857, 8.0});
}

TEST_CASE("the gradient of resampling is its adjoint") {
  const Tensor g = test::random({1, 1, 5, 7}, kDouble, 2), direction = test::random({1, 1, 2, 3}, kDouble, 3);
  for (const bool nearest : {true, false}) {
    const auto f = [&](const Tensor& x) {
      return nearest ? upsample_nearest2d(x, {5, 7}) : upsample_bilinear2d(x, {5, 7}, false);
    };
    const Tensor x = image().requires_grad_();
    f(x).backward(g);
    CHECK(x.grad().mul(direction).sum().item<double>() == Approx(f(direction).mul(g).sum().item<double>()));
  }
}

TEST_CASE("wrong calls of resampling say what is wrong") {
  CHECK_THROWS_WITH(upsample_nearest2d(image(), {0, 5}),
                    "upsample_nearest2d: cannot resample the input (1, 1, 2, 3) to (0, 5)");
  CHECK_THROWS_WITH(upsample_linear1d(image(), 5, false),
                    "upsample_linear1d: expected an input of 3 dims, got (1, 1, 2, 3)");
  CHECK_THROWS_WITH(upsample_bilinear2d(image().to(kLong), {4, 6}, false),
                    "upsample_bilinear2d: expected a floating point input, got int64");
}
