// An op of a program's own, defined outside of the repository: docs/custom_ops.md shows its definition.
#include <strata/custom_op.h>
#include <strata/strata.h>

#include <cmath>
#include <cstdio>

namespace dispatch = strata::dispatch;
using strata::Tensor;

// x * sigmoid(beta * x), after Ramachandran et al., "Searching for Activation Functions".
struct SwishParams {
  double beta;
};
STRATA_OP(swish_op) = dispatch::pointwise<SwishParams>("swish(Tensor x, float beta) -> Tensor",
                                                       [](const dispatch::Primals& c, const SwishParams& p) {
                                                         const Tensor s = sigmoid(p.beta * c.in(0));
                                                         return s + p.beta * c.in(0) * s * (1 - s);
                                                       })
                          .saves(dispatch::saves_in(0))
                          .dtypes(strata::kFloatingTypes)
                          .autocast(dispatch::AutocastPolicy::kFloat32)
                          .cpu_kernel([](auto x, const SwishParams& p) { return x / (1 + std::exp(-p.beta * x)); });

Tensor swish(const Tensor& x, double beta = 1) { return dispatch::call1(swish_op, {&x}, SwishParams{beta}); }

// Without rules but `infer`: vmap runs it example by example.
STRATA_OP(parts_op) = dispatch::op("parts(Tensor x) -> Tensor[]").infer([](dispatch::Args in) {
  std::vector<dispatch::Meta> metas;
  for (int i = 0; i < 5; ++i) metas.push_back(dispatch::meta_like(in[0]));
  return dispatch::Metas(std::move(metas));
});
void parts_cpu(dispatch::Tensors& out, dispatch::Args in, const dispatch::NoParams&) {
  for (size_t i = 0; i < out.size(); ++i) out[i].copy_(in[0] * static_cast<double>(i));
}
STRATA_KERNEL(parts_op, CPU, parts_cpu);

namespace {
int failures = 0;
void check(bool good, const char* what) {
  if (good) return;
  std::printf("own_op: %s\n", what);
  ++failures;
}
}  // namespace

namespace strata {
extern dispatch::Op matmul_op;
}

int main() {
  namespace func = strata::func;
  const Tensor x = strata::linspace(-3, 3, 12, strata::kDouble).reshape({3, 4});
  func::opcheck(swish_op, {x}, SwishParams{1.5});
  const Tensor s = sigmoid(1.5 * x), slope = s + 1.5 * x * s * (1 - s);
  check(allclose(swish(x, 1.5), x * s), "values");
  check(allclose(swish(x.t(), 1.5), (x * s).t()), "values of a transposed tensor");
  const auto total = [](const Tensor& t) { return swish(t, 1.5).sum(); };
  check(allclose(func::grad(total)(x), slope), "grad");
  check(allclose(func::vmap(func::grad(total))(x), slope), "vmap of grad");
  check(allclose(func::trace(func::grad(total))(x)(x), slope), "trace of grad");
  {
    const strata::AutocastGuard guard(strata::kCPU, strata::kBFloat16);
    check(swish(strata::ones({2}).to(strata::kBFloat16)).dtype() == strata::kFloat, "autocast");
    // The program names the op's object: the loader may move it here, and the library has to follow.
    const dispatch::Op* const matmul = &strata::matmul_op;
    check(matmul->kernels[0] && matmul->name() == "matmul", "an op's address leads to its kernels");
    check(strata::matmul(strata::ones({2, 3}), strata::ones({3, 2})).dtype() == strata::kBFloat16,
          "autocast of matmul");
    bool listed = false;
    for (const dispatch::Op& op : dispatch::all_ops()) listed |= &op == matmul;
    check(listed, "all_ops has the op that a program names");
  }
  const auto fifth = [](const Tensor& t) { return dispatch::call(parts_op, {&t})[4]; };
  check(allclose(func::vmap(fifth)(x), 4 * x), "an op of five outputs without a batch rule under vmap");
  std::printf("own ops: %s\n", failures ? "fail" : "work");
  return failures;
}
