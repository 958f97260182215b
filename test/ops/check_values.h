// Comparing a tensor's elements with numbers, strict about what stands at edges.
#pragma once
#include <cmath>
#include <vector>

#include "test/catch.h"
#include "test/ops/tools.h"

namespace strata::test {

/// Equal to a relative error of `epsilon`, NaN where NaN is wanted, infinities and zeros by their sign.
inline void check_values(const Tensor& got, const std::vector<double>& wanted, double epsilon = 1e-13) {
  const std::vector<double> is = values(got);
  REQUIRE(is.size() == wanted.size());
  for (size_t i = 0; i < is.size(); ++i) {
    INFO("element " << i << ": " << is[i] << ", wanted " << wanted[i]);
    if (std::isnan(wanted[i]))
      CHECK(std::isnan(is[i]));
    else if (wanted[i] == 0 || std::isinf(wanted[i]))
      CHECK((is[i] == wanted[i] && std::signbit(is[i]) == std::signbit(wanted[i])));
    else
      CHECK(is[i] == Approx(wanted[i]).epsilon(epsilon));
  }
}

inline void check_close(const Tensor& a, const Tensor& b, double tolerance) {
  REQUIRE(a.sizes() == b.sizes());
  const Values x = values(a), y = values(b);
  for (size_t i = 0; i < x.size(); ++i) CHECK(x[i] == Approx(y[i]).margin(tolerance));
}

}  // namespace strata::test
