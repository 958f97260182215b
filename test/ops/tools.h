// Random tensors, their elements as doubles, and running things on one and on several threads.
#pragma once
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "core/parallel.h"
#include "ops/creation.h"
#include "ops/view.h"

namespace strata::test {

inline Tensor random(IntArrayRef sizes, DType dtype = kFloat, unsigned seed = 1, double low = -1, double high = 1) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(low, high);
  std::vector<double> values(numel_of(sizes));
  for (double& v : values) v = uniform(engine);
  return tensor(values, TensorOptions(kDouble)).view(sizes).to(dtype);
}

/// The elements in row-major order.
inline std::vector<double> values(const Tensor& t) {
  const Tensor c = t.detach().to(kDouble).contiguous();
  return {c.data_ptr<double>(), c.data_ptr<double>() + c.numel()};
}

inline bool same_bits(const Tensor& a, const Tensor& b) {
  return a.sizes() == b.sizes() && a.dtype() == b.dtype() && std::memcmp(a.bytes(), b.bytes(), a.nbytes()) == 0;
}

/// Does `f` give the same bits on one thread and on three?
template <class F>
bool thread_independent(F f) {
  const int before = get_num_threads();
  set_num_threads(1);
  const Tensor one = f();
  set_num_threads(3);
  const Tensor three = f();
  set_num_threads(before);
  return same_bits(one, three);
}

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();

}  // namespace strata::test
