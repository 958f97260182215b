// The numbers under explicit keys one at a time, as GPUs make them, against the CPU's vector code: the same bits.
#include "kernels/keyed.h"

#include <vector>

#include "kernels/cpu/random/blocks.h"
#include "kernels/cpu/random/vec_threefry.h"
#include "test/catch.h"

using namespace strata;

namespace {

constexpr int64_t kKeyedCount = 64 * cpu::random::kRandomStep;

struct Blocks {
  std::vector<uint32_t> b0, b1;
  Blocks() : b0(kKeyedCount), b1(kKeyedCount) {
    const uint32_t key[2] = {42, 7};
    cpu::random::threefry_counted(key, 0xfffffff0, kKeyedCount, b0.data(), b1.data());
  }
  keyed::Words at(int64_t i) const { return {b0[i], b1[i]}; }
};

template <class T>
std::vector<T> units(const Blocks& w) {
  std::vector<T> x(kKeyedCount);
  if constexpr (sizeof(T) == 8)
    cpu::random::unit_block(w.b0.data(), w.b1.data(), kKeyedCount, x.data());
  else
    cpu::random::unit_block(w.b0.data(), w.b1.data(), kKeyedCount, 32, 23, x.data());
  return x;
}

template <class T, class F>
void check_all(const std::vector<T>& expected, F f) {
  int64_t differences = 0;
  for (int64_t i = 0; i < kKeyedCount; ++i) differences += !(f(i) == expected[i]);
  CHECK(differences == 0);
}

}  // namespace

TEST_CASE("one Threefry block at a time has the vector code's words") {
  const Blocks w;
  int64_t differences = 0;
  for (int64_t i = 0; i < kKeyedCount; ++i) {
    const keyed::Words one = keyed::threefry({42, 7}, 0xfffffff0 + static_cast<uint64_t>(i));
    differences += one.x0 != w.b0[i] || one.x1 != w.b1[i];
  }
  CHECK(differences == 0);
}

TEMPLATE_TEST_CASE("single samples have the vector code's bits", "", float, double) {
  using T = TestType;
  const Blocks w;
  const std::vector<T> x = units<T>(w);
  check_all(x, [&](int64_t i) { return keyed::unit<T>(w.at(i)); });
  std::vector<T> y = x;
  cpu::random::scale_block(y.data(), kKeyedCount, T(-1), T(2));
  check_all(y, [&](int64_t i) { return keyed::stretch<T>(x[i], -1, 2); });
  std::vector<T> z = y;
  cpu::random::erf_inv_block(z.data(), kKeyedCount, static_cast<T>(1.4142135623730951));
  check_all(z, [&](int64_t i) { return keyed::normal<T>(y[i]); });
  z = x;
  cpu::random::exponential_block(z.data(), kKeyedCount);
  check_all(z, [&](int64_t i) { return keyed::exponential<T>(x[i]); });
  z = x;
  for (T& v : z) v = std::max(v, std::numeric_limits<T>::min());
  cpu::random::neg_log_block(z.data(), kKeyedCount);
  cpu::random::neg_log_block(z.data(), kKeyedCount);
  check_all(z, [&](int64_t i) { return keyed::gumbel<T>(x[i]); });
}

TEST_CASE("the ends of the inverse of erf and of the logarithm") {
  CHECK(keyed::erf_inv(1.0f) == INFINITY);
  CHECK(keyed::erf_inv(-1.0) == -INFINITY);
  CHECK(keyed::log(0.0f) == -INFINITY);
  for (float x : {0.999999f, -0.99999994f, 1e-30f}) {
    float block[cpu::random::kRandomStep] = {x};
    cpu::random::erf_inv_block(block, cpu::random::kRandomStep, 1);
    CHECK(keyed::erf_inv(x) == block[0]);
  }
}
