// Tensors to be looked at by a debugger that stops in `here`.
#include <strata/autograd/autograd.h>
#include <strata/core/tensor.h>
#include <strata/ops/binary.h>
#include <strata/ops/cast.h>
#include <strata/ops/creation.h>

using namespace strata;

[[gnu::noinline]] void here() { asm volatile(""); }

int main() {
  const Tensor matrix = arange(6, kFloat).reshape({2, 3}) / 4;
  const Tensor turned = matrix.t();
  const Tensor wide = arange(1000);
  const Tensor leaf = ones({2}, kDouble).requires_grad_();
  const Tensor product = leaf * 2;
  const Tensor flags = tensor({true, false});
  const Tensor brain = tensor({1.5, -2.}, kBFloat16);
  const Tensor waves = ones({1}, kComplex64);
  const Tensor many_dims = zeros({1, 1, 1, 1, 1, 1, 2});
  const Tensor scalar = tensor(2.5);
  const Tensor nothing = zeros({0, 3});
  const Tensor undefined;
  here();
  return static_cast<int>(undefined.defined());
}
