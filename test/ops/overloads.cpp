// Tests of overloads that take a dim or a flag: a number is never a flag and a flag never a dim.
#include <cmath>
#include <string>
#include <vector>

#include "core/warning.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/reduce.h"
#include "ops/sort.h"
#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;

namespace {

using Shape = std::vector<int64_t>;
const Tensor kMatrix = tensor({1.0, 2.0, 4.0, 3.0, 3.0, 9.0}, kDouble).view({2, 3});

Shape shape(const Tensor& t) { return t.sizes().vec(); }

/// Both ways of one function: numbers in front name dims, flags are `unbiased`.
template <class F>
void check_moment(const F& f) {
  CHECK(shape(f(1)) == Shape{2});
  CHECK(shape(f(0)) == Shape{3});
  CHECK(shape(f(-1)) == Shape{2});
  CHECK(shape(f(int64_t{0})) == Shape{3});
  CHECK(shape(f(Shape{0, 1})) == Shape{});
  CHECK(shape(f(true)) == Shape{});
  CHECK(shape(f(false)) == Shape{});
  CHECK(shape(f()) == Shape{});
  CHECK(f().equal(f(true)));
  CHECK(f(false).equal(f(std::nullopt, 0)));
  CHECK(!f(false).equal(f(true)));
  CHECK(shape(f(1, false)) == Shape{2});
  CHECK(shape(f(1, true, true)) == Shape{2, 1});
  CHECK(f(1, false).equal(f(1, 0)));
  CHECK(f(1, true).equal(f(1, 1)));
  CHECK(f(1, 2).equal(f(Shape{1}, Scalar(2), false)));
  CHECK(f(1).equal(f(1, std::nullopt)));
}

template <class... A>
constexpr bool has_sum = requires(A... a) {
  strata::sum(kMatrix, a...);
};
template <class... A>
constexpr bool has_sum_method = requires(A... a) {
  kMatrix.sum(a...);
};
template <class... A>
constexpr bool has_max = requires(A... a) {
  strata::max(kMatrix, a...);
};
template <class... A>
constexpr bool has_any = requires(A... a) {
  strata::any(kMatrix, a...);
};
template <class... A>
constexpr bool has_prod = requires(A... a) {
  strata::prod(kMatrix, a...);
};
template <class... A>
constexpr bool has_var = requires(A... a) {
  kMatrix.var(a...);
};
template <class... A>
constexpr bool has_argsort = requires(A... a) {
  strata::argsort(kMatrix, a...);
};

}  // namespace

TEST_CASE("var and std: a number names dims, a flag is unbiased") {
  check_moment([](auto... a) { return strata::var(kMatrix, a...); });
  check_moment([](auto... a) { return strata::std(kMatrix, a...); });
  check_moment([](auto... a) { return kMatrix.var(a...); });
  check_moment([](auto... a) { return kMatrix.std(a...); });
  check_moment([](auto... a) { return std::get<0>(var_mean(kMatrix, a...)); });
  check_moment([](auto... a) { return std::get<0>(std_mean(kMatrix, a...)); });
  CHECK(values(kMatrix.var(1)) == std::vector<double>{std::nextafter(7.0 / 3, 0), 12});  // PyTorch's last bit too
  CHECK(values(kMatrix.var(0, 0)) == std::vector<double>{1, 0.25, 6.25});
  CHECK(values(std::get<1>(std_mean(kMatrix, true))) == std::vector<double>{22.0 / 6});
  CHECK(values(std::get<1>(var_mean(kMatrix, 0, false))) == std::vector<double>{2, 2.5, 6.5});
}

TEST_CASE("sort and argsort: a number is a dim, a flag is stable") {
  const auto expected = std::vector<double>{0, 0, 0, 1, 1, 1};
  CHECK(values(argsort(kMatrix, 0)) == expected);
  CHECK(values(kMatrix.argsort(0)) == expected);
  CHECK(values(argsort(kMatrix, true, 0)) == expected);
  CHECK(values(kMatrix.argsort(false, 0)) == expected);
  CHECK(argsort(kMatrix, true).equal(argsort(kMatrix, -1)));
  CHECK(argsort(kMatrix, false).equal(argsort(kMatrix)));
  CHECK(kMatrix.argsort(true).equal(argsort(kMatrix)));
  CHECK(argsort(kMatrix, 1, true).equal(argsort(kMatrix, true, 1, true)));
  CHECK(!argsort(kMatrix, 1, true).equal(argsort(kMatrix)));
  CHECK(std::get<0>(sort(kMatrix, true)).equal(std::get<0>(sort(kMatrix, -1))));
  CHECK(std::get<0>(kMatrix.sort(false, 0)).equal(std::get<0>(sort(kMatrix, 0))));
}

TEST_CASE("a flag is refused where only a dim can stand") {
  STATIC_REQUIRE(has_sum<int>);
  STATIC_REQUIRE(!has_sum<bool>);
  STATIC_REQUIRE(!has_sum_method<bool>);
  STATIC_REQUIRE(has_max<int, bool>);
  STATIC_REQUIRE(!has_max<bool>);
  STATIC_REQUIRE(has_any<int, bool>);
  STATIC_REQUIRE(!has_any<bool>);
  STATIC_REQUIRE(!has_prod<bool>);
  STATIC_REQUIRE(!has_var<bool, bool>);
  STATIC_REQUIRE(has_argsort<bool, int, bool>);
  STATIC_REQUIRE(!has_argsort<bool, bool>);
}

TEST_CASE("var and std warn where no degree of freedom is left") {
  struct Listener : WarningHandler {
    void process(const Warning& warning) override { heard = warning.msg(); }
    std::string heard;
  } listener;
  const WarningUtils::WarningHandlerGuard guard(&listener);
  kMatrix.var(0);
  CHECK(listener.heard.empty());
  CHECK(std::isnan(kMatrix[0][0].var().item<double>()));
  CHECK(listener.heard == "var: 1 values less a correction of 1 leave no degree of freedom");
}
