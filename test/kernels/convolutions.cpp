// Convolutions of single points, and of bfloat16 numbers, by products, against the plain loops.
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "core/half.h"
#include "kernels/cpu/conv/conv_own.h"
#include "kernels/cpu/conv/conv_pointwise.h"
#include "test/catch.h"

using namespace strata;
using namespace strata::cpu::conv;

namespace {

template <class T>
std::vector<T> drawn(int64_t n, std::mt19937& random) {
  std::normal_distribution<float> of;
  std::vector<T> all;
  for (int64_t i = 0; i < n; ++i) all.push_back(static_cast<T>(of(random)));
  return all;
}
template <class T>
std::vector<double> widened(const std::vector<T>& x) {
  std::vector<double> wide;
  for (const T e : x)
    wide.push_back(static_cast<double>(static_cast<std::conditional_t<std::is_same_v<T, double>, double, float>>(e)));
  return wide;
}

/// Beside the size that a sum of so many terms has.
template <class T>
double furthest(const std::vector<T>& x, const std::vector<double>& wanted, int64_t terms) {
  const std::vector<double> wide = widened(x);
  double most = 0;
  for (size_t i = 0; i < wide.size(); ++i)
    most =
        std::max(most, std::abs(wide[i] - wanted[i]) / (std::abs(wanted[i]) + std::sqrt(static_cast<double>(terms))));
  return most;
}

template <class T>
void check_passes(const ConvShape& s, double tolerance) {
  REQUIRE(is_pointwise(s));
  std::mt19937 random(3);
  const auto x = drawn<T>(s.n * s.x_image(), random), w = drawn<T>(s.w_size(), random), bias = drawn<T>(s.oc, random),
             gy = drawn<T>(s.n * s.y_image(), random);
  const auto wide_x = widened(x), wide_w = widened(w), wide_bias = widened(bias), wide_gy = widened(gy);
  for (const bool adds : {false, true}) {
    std::vector<T> y(gy.size());
    std::vector<double> wanted(gy.size());
    pointwise_forward(s, x.data(), w.data(), adds ? bias.data() : nullptr, y.data());
    direct_forward(s, wide_x.data(), wide_w.data(), adds ? wide_bias.data() : nullptr, wanted.data());
    CHECK(furthest(y, wanted, s.ic) < tolerance);
  }
  std::vector<T> gx(x.size());
  std::vector<double> wanted(x.size());
  pointwise_backward_input(s, gy.data(), w.data(), gx.data());
  direct_backward_input(s, wide_gy.data(), wide_w.data(), wanted.data());
  CHECK(furthest(gx, wanted, s.oc) < tolerance);
  if constexpr (sizeof(T) >= 4) {
    std::vector<T> gw(w.size());
    std::vector<double> wanted_w(w.size());
    pointwise_backward_weight(s, gy.data(), x.data(), gw.data());
    direct_backward_weight(s, wide_gy.data(), wide_x.data(), wanted_w.data());
    CHECK(furthest(gw, wanted_w, s.n * s.y_channel()) < tolerance);
  }
}

}  // namespace

TEST_CASE("convolutions of single points are products", "[kernels]") {
  for (const int64_t n : {1, 3})
    for (const auto& [ic, oc, size] :
         std::vector<std::array<int64_t, 3>>{{1, 1, 1}, {3, 5, 7}, {16, 40, 9}, {70, 33, 20}}) {
      const ConvShape s{n, 1, ic, oc, 1, size, size, 1, size, size, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1};
      INFO(n << " of " << ic << " to " << oc << " channels, " << size);
      check_passes<double>(s, 1e-14);
      check_passes<float>(s, 1e-6);
      check_passes<Half>(s, 5e-4);
      check_passes<BFloat16>(s, 4e-3);
    }
  ConvShape strided{1, 1, 2, 2, 1, 4, 4, 1, 2, 2, 1, 1, 1, 1, 2, 2, 0, 0, 0, 1, 1, 1};
  CHECK(!is_pointwise(strided));
  ConvShape grouped{1, 2, 2, 2, 1, 4, 4, 1, 4, 4, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1};
  CHECK(!is_pointwise(grouped));
}

TEST_CASE("convolutions of bfloat16 numbers are products of their columns", "[kernels]") {
  const cpu::matmul::VecBFloat16* const unit = cpu::matmul::vec_bfloat16();
  if (!unit) WARN("skipped in part: this processor has no instructions for bfloat16 numbers");
  std::mt19937 random(4);
  // n, groups, channels, sizes of x, of y and of the kernel, strides, padding, dilation
  for (const ConvShape& s : {ConvShape{3, 1, 17, 20, 1, 9, 8, 1, 9, 8, 1, 3, 3, 1, 1, 1, 0, 1, 1, 1, 1, 1},
                             {2, 1, 16, 33, 1, 12, 12, 1, 12, 12, 1, 3, 3, 1, 1, 1, 0, 2, 2, 1, 2, 2},
                             {2, 1, 20, 16, 1, 11, 13, 1, 6, 7, 1, 3, 3, 1, 2, 2, 0, 1, 1, 1, 1, 1},
                             {1, 1, 16, 16, 4, 5, 6, 4, 5, 6, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1},
                             {40, 1, 64, 16, 1, 40, 40, 1, 38, 38, 1, 3, 3, 1, 1, 1, 0, 0, 0, 1, 1, 1}}) {
    INFO(s.n << " of " << s.ic << " to " << s.oc << ", " << s.ih << "x" << s.iw);
    const auto x = drawn<BFloat16>(s.n * s.x_image(), random), w = drawn<BFloat16>(s.w_size(), random),
               gy = drawn<BFloat16>(s.n * s.y_image(), random);
    const auto wide_x = widened(x), wide_w = widened(w), wide_gy = widened(gy);
    std::vector<BFloat16> y(gy.size()), gx(x.size()), gw(w.size());
    std::vector<double> wanted(gy.size());
    columns_forward<BFloat16>(s, x.data(), w.data(), nullptr, y.data());
    direct_forward<double>(s, wide_x.data(), wide_w.data(), nullptr, wanted.data());
    CHECK(furthest(y, wanted, s.ic * s.taps()) < 4e-3);
    CHECK(has_columns_backward_input(s) == (s.sh == 1));
    if (s.sh == 1) {
      wanted.assign(x.size(), 0);
      columns_backward_input(s, gy.data(), w.data(), gx.data());
      direct_backward_input(s, wide_gy.data(), wide_w.data(), wanted.data());
      CHECK(furthest(gx, wanted, s.oc * s.taps()) < 4e-3);
    }
    if (!unit) continue;
    wanted.assign(w.size(), 0);
    columns_backward_weight(s, gy.data(), x.data(), gw.data(), *unit);
    direct_backward_weight(s, wide_gy.data(), wide_x.data(), wanted.data());
    CHECK(furthest(gw, wanted, s.n * s.y_channel()) < 4e-3);
  }
}

TEST_CASE("a picture is cut into patches by products of columns", "[kernels]") {
  std::mt19937 random(5);
  for (const ConvShape& s : {ConvShape{1, 1, 3, 700, 1, 32, 40, 1, 4, 5, 1, 8, 8, 1, 8, 8, 0, 0, 0, 1, 1, 1},
                             {1, 1, 300, 440, 1, 9, 7, 1, 5, 4, 1, 1, 1, 1, 2, 2, 0, 0, 0, 1, 1, 1},
                             {1, 1, 90, 190, 4, 6, 6, 2, 4, 2, 2, 2, 2, 2, 2, 3, 0, 1, 0, 1, 1, 1}}) {
    INFO(s.ic << " to " << s.oc << ", " << s.ih << "x" << s.iw);
    REQUIRE(columns_pay(s));
    const auto x = drawn<float>(s.x_image(), random), w = drawn<float>(s.w_size(), random),
               bias = drawn<float>(s.oc, random);
    std::vector<float> y(s.y_image());
    std::vector<double> wanted(s.y_image());
    conv_forward(s, x.data(), w.data(), bias.data(), y.data());
    direct_forward(s, widened(x).data(), widened(w).data(), widened(bias).data(), wanted.data());
    CHECK(furthest(y, wanted, s.ic * s.taps()) < 4e-6);  // of up to 720 terms one after the other
  }
  const ConvShape apart{1, 1, 300, 440, 1, 9, 9, 1, 4, 4, 1, 2, 2, 1, 2, 2, 0, 0, 0, 1, 1, 1};
  CHECK(columns_pay(apart));
  for (const auto change : {+[](ConvShape& s) { s.sh = s.sw = 1, s.oh = s.ow = 8; }, +[](ConvShape& s) { s.n = 2; },
                            +[](ConvShape& s) { s.dw = 2, s.ow = 3; }, +[](ConvShape& s) { s.oc = 20; }}) {
    ConvShape s = apart;
    change(s);
    CHECK(!columns_pay(s));
  }
}
