// Calling a function with tensors of the CPU and with the same on the CUDA device: results that may round differently.
#pragma once
#include "test/cuda_kernels/both.h"
#include "test/op_sweep.h"

namespace strata::test {

inline constexpr DType kFloatTypes[] = {kFloat, kDouble, kHalf, kBFloat16};

/// f(tensors) -> List on both devices: twice on the CUDA device, threads in both orders, with the same bits.
template <class F>
void check_near(const List& inputs, F f, double factor = 1) {
  const NoGradGuard no_grad;
  const List here = f(inputs);
  List moved, first;
  for (const Tensor& t : inputs) moved.push_back(t.defined() ? t.to(kCUDA) : t);
  for (bool falling : {false, true}) {
    set_falling_order(falling);
    const List there = f(moved);
    REQUIRE(there.size() == here.size());
    for (size_t i = 0; i < here.size(); ++i) {
      INFO("result " << i << (falling ? ", falling order" : ""));
      CHECK(there[i].is_cuda());
      const Tensor back = there[i].cpu().contiguous();
      CHECK(close(back, here[i], factor));
      if (falling) CHECK(same_bits(back, first[i]));
      if (!falling) first.push_back(back);
    }
  }
  set_falling_order(false);
}

}  // namespace strata::test
