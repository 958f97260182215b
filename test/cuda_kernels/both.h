// Calling a function with tensors of the CPU and with the same on the CUDA device: the results must have the same bits.
#pragma once
#include <vector>

#include "core/cuda.h"
#include "core/deterministic.h"
#include "core/grad_mode.h"
#include "ops/cast.h"
#include "test/catch.h"
#include "test/cuda_kernels/device.h"
#include "test/ops/tools.h"

namespace strata::test {

using List = std::vector<Tensor>;

/// Asks for deterministic algorithms until the end of the scope.
class Deterministic {
 public:
  Deterministic() { use_deterministic_algorithms(true); }
  ~Deterministic() { use_deterministic_algorithms(false); }
  Deterministic(const Deterministic&) = delete;
  Deterministic& operator=(const Deterministic&) = delete;
};

/// f(tensors) -> List on both devices, threads in both orders.
template <class F>
void check_both(const List& inputs, F f) {
  const NoGradGuard no_grad;
  const List here = f(inputs);
  for (bool falling : {false, true}) {
    set_falling_order(falling);
    List moved;
    for (const Tensor& t : inputs) moved.push_back(t.to(kCUDA));
    const List there = f(moved);
    REQUIRE(there.size() == here.size());
    for (size_t i = 0; i < here.size(); ++i) {
      INFO("result " << i << (falling ? ", falling order" : ""));
      CHECK(there[i].is_cuda());
      CHECK(same_bits(there[i].cpu().contiguous(), here[i].contiguous()));
    }
  }
  set_falling_order(false);
}

}  // namespace strata::test
