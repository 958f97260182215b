// Attention on a CUDA device against the CPU: sizes around the tiles, wide heads, strides, dtypes, gradients.
#include "ops/attention.h"

#include "core/grad_mode.h"
#include "ops/attention_def.h"
#include "ops/rules.h"
#include "test/cuda_kernels/device.h"
#include "test/op_sweep.h"
#include "test/recorder.h"

namespace strata::test {
namespace {

struct Sizes {
  int64_t batches, heads, queries, keys, width, out;
};

/// `(B, H, rows, cols)` as a model has it: a view of `(B, rows, H, cols)`.
Tensor heads_of(const Sizes& s, int64_t rows, int64_t cols, unsigned seed, DType dtype) {
  return uniform_values({s.batches, rows, s.heads, cols}, -1, 1, seed, dtype).transpose(1, 2);
}

void expect_same(const Tensors& here, const Tensors& there, double factor, const char* what) {
  REQUIRE(here.size() == there.size());
  for (size_t i = 0; i < here.size(); ++i) {
    INFO(what << " output " << i);
    CHECK(there[i].is_cuda());
    CHECK(close(there[i].cpu(), here[i], factor));
  }
}

/// Both ops, here and on the device.
void check(const Sizes& s, bool causal, DType dtype) {
  INFO("queries " << s.queries << " keys " << s.keys << " width " << s.width << " out " << s.out << " causal " << causal
                  << " in " << name(dtype));
  const NoGradGuard no_grad;
  const AttentionParams p{0.3, causal};
  const Tensor q = heads_of(s, s.queries, s.width, 1, dtype), k = heads_of(s, s.keys, s.width, 2, dtype),
               v = heads_of(s, s.keys, s.out, 3, dtype), grad = heads_of(s, s.queries, s.out, 4, dtype);
  const Tensor there[] = {q.to(kCUDA), k.to(kCUDA), v.to(kCUDA), grad.to(kCUDA)};
  const Tensors out = call(op_named("attention"), {&q, &k, &v}, p);
  expect_same(out, call(op_named("attention"), {&there[0], &there[1], &there[2]}, p), 4, "forward");
  const Tensor delta = uniform_values({s.batches, s.heads, s.queries}, -1, 1, 5, out[1].dtype());
  const Tensor logs = out[1].to(kCUDA), delta_there = delta.to(kCUDA);
  expect_same(
      call(op_named("attention_backward"), {&grad, &q, &k, &v, &out[1], &delta}, p),
      call(op_named("attention_backward"), {&there[3], &there[0], &there[1], &there[2], &logs, &delta_there}, p), 16,
      "backward");
}

}  // namespace

TEST_CASE("attention on the device equals the CPU's around the edges of tiles") {
  for (const int64_t n : {1, 31, 33, 64, 65, 130}) {
    for (const bool causal : {false, true}) {
      check({1, 2, n, n, 8, 8}, causal, kFloat);
      check({2, 1, n, 70, 5, 3}, causal, kDouble);
      check({1, 1, 40, n, 5, 3}, causal, kFloat);
    }
  }
}

TEST_CASE("attention on the device takes heads wider than a tile and of unequal widths") {
  for (const bool causal : {false, true}) {
    check({1, 2, 20, 30, 100, 8}, causal, kFloat);
    check({1, 2, 20, 30, 8, 100}, causal, kFloat);
    check({1, 1, 20, 30, 70, 150}, causal, kDouble);
  }
}

TEST_CASE("attention on the device computes 16-bit types in float") {
  for (const DType dtype : {kHalf, kBFloat16}) {
    check({2, 2, 70, 70, 16, 16}, true, dtype);
    check({1, 1, 10, 80, 70, 66}, false, dtype);
  }
}

TEST_CASE("attention on the device has the same bits in every run, whatever the order of the threads") {
  const Tensor q = uniform_values({2, 70, 9}, -1, 1, 1, kFloat).to(kCUDA);
  const auto run = [&](bool falling) {
    set_falling_order(falling);
    const Tensor x = q.detach().requires_grad_();
    const Tensor y = scaled_dot_product_attention(x, x, x, std::nullopt, 0, true);
    y.backward(q);
    set_falling_order(false);
    return bytes(y.detach().cpu()) + bytes(x.grad().cpu());
  };
  CHECK(run(false) == run(true));
}

}  // namespace strata::test
