// Normalisation on a CUDA device: rows in registers, long rows, slices of batch norm and columns.
#include "ops/norm.h"

#include "autograd/autograd.h"
#include "dispatcher/call.h"
#include "ops/creation.h"
#include "ops/norm_def.h"
#include "ops/shaping.h"
#include "test/cuda_kernels/near.h"
#include "transforms/func.h"

namespace strata::test {
namespace {

/// Forward and backward on x, g, weight and bias.
List both_ops(const List& t, int64_t affine_dim) {
  const NormalizeParams p{affine_dim, 1e-5};
  const Tensors y = call(normalize_op, {&t[0], &t[2], &t[3]}, p);
  const Tensor rstd = y[2].add(1e-5).rsqrt();
  const Tensors grads = call(normalize_backward_op, {&t[1], &t[0], &y[1], &rstd, &t[2]}, p);
  return {y[0], y[1], y[2], grads[0], grads[1], grads[2]};
}

void check_shape(IntArrayRef sizes, DType dtype) {
  for (int64_t affine_dim : {1, 2})
    for (bool affine : {true, false}) {
      if (affine_dim == 1 && !affine) continue;
      INFO(name(dtype) << " " << sizes[0] << "x" << sizes[1] << "x" << sizes[2] << ", affine dim " << affine_dim
                       << (affine ? "" : " without weight"));
      const int64_t n = sizes[static_cast<size_t>(affine_dim)];
      List t{random_tensor(sizes, dtype, 1, -1, 3), random_tensor(sizes, dtype, 2, -1, 1), {}, {}};
      if (affine) t[2] = random_tensor({n}, dtype, 3, 0.5, 2), t[3] = random_tensor({n}, dtype, 4, -1, 1);
      check_near(
          t, [&](const List& l) { return both_ops(l, affine_dim); }, 2);
    }
}

}  // namespace

TEST_CASE("normalising rows of any length") {
  for (int64_t length : {1, 31, 33, 64, 1000, 1024, 1025}) check_shape({1, 3, length}, kFloat);
  for (int64_t length : {33, 64, 1024}) check_shape({1, 3, length}, kDouble);
  check_shape({1, 2, 4096}, kFloat);
}

TEST_CASE("normalising more rows than there are parts of gradients") { check_shape({1, 700, 260}, kFloat); }

TEST_CASE("normalising rows that registers have no room for") {
  check_shape({1, 2, 4099}, kDouble);
  for (int64_t length : {33000, 33001})
    check_near({random_tensor({1, length}, kFloat, 1, -1, 3)}, [=](const List& t) {
      return List{layer_norm(t[0], {length}, t[0].select(0, 0), t[0].select(0, 0), 1e-5)};
    });
}

TEST_CASE("normalising slices over two dims") {
  for (DType dtype : {kFloat, kDouble})
    for (const DimVector& sizes : {DimVector{8, 3, 49}, DimVector{8, 3, 64}, DimVector{150, 40, 1}, DimVector{5, 70, 2},
                                   DimVector{2, 2, 1500}, DimVector{20, 2, 256}})
      check_shape(sizes, dtype);
}

TEST_CASE("normalising strided tensors") {
  check_near(
      {random_tensor({33, 64}, kFloat, 1, -1, 3), random_tensor({64}, kFloat, 2), random_tensor({64}, kFloat, 3)},
      [](const List& t) {
        return List{layer_norm(t[0].t().contiguous().t(), {64}, t[1], t[2], 1e-5),
                    layer_norm(t[0].slice(1, 1), {63}, t[1].slice(0, 1), t[2].slice(0, 1), 1e-5)};
      });
}

TEST_CASE("variances far from the mean keep their digits") {
  check_near(
      {random_tensor({1, 3, 5000}, kFloat, 1, 1000, 1001)},
      [](const List& t) {
        const Tensor none;
        const Tensors rows = call(normalize_op, {&t[0], &none, &none}, NormalizeParams{1, 1e-5});
        const Tensor slices = t[0].view({50, 3, 100});
        return List{rows[2], call(normalize_op, {&slices, &none, &none}, NormalizeParams{1, 1e-5})[2]};
      },
      100);
}

namespace {

using Norm = Tensor (*)(const Tensor& x, const Tensor& weight, const Tensor& bias);
Tensor of_rows(const Tensor& x, const Tensor& w, const Tensor& b) { return layer_norm(x, {x.size(-1)}, w, b); }
Tensor of_batches(const Tensor& x, const Tensor& w, const Tensor& b) {
  return batch_norm(x, w, b, {}, {}, true, 0.1, 1e-5);
}
Tensor of_groups(const Tensor& x, const Tensor& w, const Tensor& b) { return group_norm(x, 2, w, b); }
Tensor of_instances(const Tensor& x, const Tensor& w, const Tensor& b) {
  return instance_norm(x, w, b, {}, {}, true, 0.1, 1e-5);
}

/// The result, its gradients by x, weight and bias, and those of a function of the gradient of x.
List differentiated(Norm norm, const List& t) {
  const EnableGradGuard recorded;
  List leaves;
  for (size_t i = 0; i < 3; ++i) leaves.push_back(t[i].detach().requires_grad_(true));
  const Tensor y = norm(leaves[0], leaves[1], leaves[2]);
  const List grads = autograd::grad({y}, leaves, {t[3]}, true, true);
  const List second = autograd::grad({grads[0]}, {leaves[0], leaves[1]}, {t[3]});
  List all{y.detach()};
  for (const List* of : {&grads, &second})
    for (const Tensor& g : *of) all.push_back(g.detach());
  return all;
}

/// Gradients of x and weight for each example, and the derivative in a direction.
List transformed(Norm norm, const List& t) {
  const auto f = [&](const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& g) {
    return norm(x, w, b).mul(g).sum();
  };
  const auto of_weight = [&](const Tensor& w, const Tensor& x, const Tensor& b, const Tensor& g) {
    return f(x, w, b, g);
  };
  const Tensor xs = stack({t[0], t[3]}), gs = stack({t[3], t[0]});
  return {vmap(grad(f), {.in_dims = {0, nullopt, nullopt, 0}})(xs, t[1], t[2], gs),
          vmap(grad(of_weight), {.in_dims = {nullopt, 0, nullopt, 0}})(t[1], xs, t[2], gs),
          jvp(norm, std::tuple(t[0], t[1], t[2]), std::tuple(t[3], t[2], t[1])).second};
}

/// x, weight, bias and a direction; weight and bias of type `affine`.
List norm_inputs(IntArrayRef sizes, int64_t features, DType dtype, DType affine) {
  return {random_tensor(sizes, dtype, 1, -1, 3), random_tensor({features}, affine, 2, 0.5, 2),
          random_tensor({features}, affine, 3, -1, 1), random_tensor(sizes, dtype, 4, -1, 1)};
}

struct NormCase {
  const char* name;
  Norm norm;
  DimVector sizes;
  int64_t features;
};
const NormCase kNormCases[] = {{"layers of 64", of_rows, {5, 64}, 64},
                               {"layers of 33", of_rows, {2, 3, 33}, 33},
                               {"layers of 9000", of_rows, {2, 9000}, 9000},
                               {"batches of images", of_batches, {4, 6, 5, 8}, 6},
                               {"batches of short runs", of_batches, {4, 6, 3}, 6},
                               {"batches of rows", of_batches, {9, 6}, 6},
                               {"groups", of_groups, {3, 6, 16}, 6},
                               {"instances", of_instances, {3, 6, 17}, 6}};

/// For each type of 16 bits, with weights in it or in float.
template <class F>
void for_16_bit_cases(F f) {
  for (const NormCase& s : kNormCases)
    for (const DType dtype : {kHalf, kBFloat16})
      for (const DType affine : {dtype, kFloat}) {
        INFO(s.name << " in " << name(dtype) << ", weights in " << name(affine));
        f(s, norm_inputs(s.sizes, s.features, dtype, affine));
      }
}

}  // namespace

TEST_CASE("16-bit norms and their gradients are the CPU's") {
  for_16_bit_cases([](const NormCase& s, const List& t) {
    check_near(
        t, [&](const List& l) { return differentiated(s.norm, l); }, 4);
  });
}

TEST_CASE("16-bit norms under transforms are the CPU's") {
  for_16_bit_cases([](const NormCase& s, const List& t) {
    if (t[0].dtype() != t[1].dtype() || s.features == 9000) return;
    check_near(
        t, [&](const List& l) { return transformed(s.norm, l); }, 4);
  });
}

TEST_CASE("norms read 16-bit tensors as they are, in kernels of one launch") {
  const List t = norm_inputs({5, 64}, 64, kHalf, kFloat);
  const Tensor x = t[0].to(kCUDA), w = t[1].to(kCUDA), b = t[2].to(kCUDA);
  if (!emulated) return;
  const int64_t before = launches();
  CHECK(layer_norm(x, {64}, w, b).dtype() == kHalf);
  CHECK(launches() - before == 1);
}

}  // namespace strata::test
