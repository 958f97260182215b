// A program outside the repository: its own core/tensor.h beside the installed <strata/strata.h>.
#include <strata/strata.h>

#include <cstdio>
#include <string>

#include "core/tensor.h"

int main() {
  strata::Tensor x = strata::ones({2, 3}, strata::requires_grad());
  strata::Tensor loss = (x * 3).sum();
  loss.backward();
  bool good = loss.item<float>() == 18 && x.grad().sum().item<float>() == 18 && foreign::Tensor().answer == 42;
  std::printf("strata %s: %s\n", strata::version(), good ? "works" : "gives wrong values");
  return good ? 0 : 1;
}
