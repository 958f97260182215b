// Random tensors, their elements as doubles, and running things on one and on several threads.
#pragma once
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "ops/creation.h"
#include "ops/view.h"
#include "test/same_bits.h"

namespace strata::test {

inline Tensor random_tensor(IntArrayRef sizes, DType dtype = kFloat, unsigned seed = 1, double low = -1,
                            double high = 1) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(low, high);
  std::vector<double> values(numel_of(sizes));
  for (double& v : values) v = uniform(engine);
  return tensor(values, TensorOptions(kDouble)).view(sizes).to(dtype);
}

using Values = std::vector<double>;

inline Tensor doubles(const Values& v) { return tensor(v, TensorOptions(kDouble)); }
inline Tensor longs(const std::vector<int64_t>& v) { return tensor(v); }
/// 0, 1, 2 and so on.
inline Tensor counted(IntArrayRef sizes, DType dtype = kFloat) { return arange(numel_of(sizes), dtype).reshape(sizes); }

/// The element type of this name, DType::Undefined where none has it.
inline DType dtype_named(const std::string& text) {
  for (int i = 0; i < kNumDTypes; ++i)
    if (text == name(static_cast<DType>(i))) return static_cast<DType>(i);
  return DType::Undefined;
}

/// The elements in row-major order.
inline Values values(const Tensor& t) {
  const Tensor c = t.detach().to(kDouble).contiguous();
  return {c.data_ptr<double>(), c.data_ptr<double>() + c.numel()};
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
