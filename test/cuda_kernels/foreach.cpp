// The functions of lists of tensors against the CPU's, and clipping gradients inside of a graph.
#include "ops/foreach.h"

#include <strata/strata.h>

#include "test/catch.h"
#include "test/cuda_kernels/device.h"

namespace strata::test {
namespace {

/// More than one launch holds, of sizes around those of packs and blocks; some lie at odd addresses, some are strided.
std::vector<Tensor> list(DType dtype, Device device) {
  std::vector<Tensor> out;
  for (const int64_t n : {0, 1, 3, 7, 8, 9, 4095, 4096, 4097, 8191, 20000})
    out.push_back(
        random::normal(random::key(static_cast<uint64_t>(n)), {n + 1}).to(dtype).to(device).narrow(0, n % 2, n));
  while (out.size() < 80)
    out.push_back(full({int64_t(out.size() % 9)}, 0.01 * double(out.size()), kFloat).to(dtype).to(device));
  out.push_back(random::normal(random::key(3), {30, 20}).to(dtype).to(device).t());
  return out;
}

double tolerance_of_norms(DType dtype) { return dtype == kDouble ? 1e-12 : 1e-5; }

}  // namespace

TEST_CASE("norms of lists equal the CPU's") {
  for (const DType dtype : {kFloat, kDouble, kHalf, kBFloat16}) {
    for (const double p : {1.0, 2.0, 3.0, double{INFINITY}}) {
      CAPTURE(name(dtype), p);
      const Tensor here = total_norm(list(dtype, kCPU), p), there = total_norm(list(dtype, kCUDA), p);
      CHECK(there.is_cuda());
      CHECK(there.dtype() == here.dtype());
      CHECK(there.cpu().allclose(here, tolerance_of_norms(dtype)));
    }
  }
  std::vector<Tensor> with_nan = list(kFloat, kCUDA);
  with_nan[6].fill_(NAN);
  for (const double p : {1.0, 2.0, double{INFINITY}}) CHECK(std::isnan(total_norm(with_nan, p).item<double>()));
  const std::vector<Tensor> both = {ones({4}, kCUDA), ones({5}), ones({7}, TensorOptions(kCUDA).dtype(kDouble))};
  CHECK(total_norm(both).is_cuda());
  CHECK(total_norm(both).item<double>() == Approx(4));
}

TEST_CASE("lists are scaled, clamped and cleared as on the CPU") {
  for (const DType dtype : {kFloat, kDouble, kHalf, kBFloat16}) {
    const std::vector<Tensor> here = list(dtype, kCPU), there = list(dtype, kCUDA);
    const auto check = [&] {
      for (size_t i = 0; i < here.size(); ++i)
        CHECK(there[i].cpu().allclose(here[i], 1e-2 * tolerance_of_norms(dtype)));
    };
    foreach_mul_(here, full({}, 0.3));
    foreach_mul_(there, full({}, 0.3));
    check();
    foreach_clip_norm_(here, full({}, 3.0), 2.0);
    foreach_clip_norm_(there, full({}, 3.0), 2.0);
    check();
    foreach_clamp_(here, -0.1, 0.2);
    foreach_clamp_(there, -0.1, 0.2);
    check();
    foreach_zero_(there);
    for (const Tensor& t : there) CHECK(t.cpu().equal(zeros(t.sizes(), dtype)));
  }
}

TEST_CASE("clipping and clearing gradients are few launches") {
  if (!emulated) return;
  std::vector<Tensor> parameters;
  for (int i = 0; i < 60; ++i) {
    parameters.push_back(zeros({5}, kCUDA).requires_grad_());
    parameters.back().mutable_grad() = ones({5}, kCUDA).clone();
  }
  optim::SGD optimizer(parameters, 0.1);
  const int64_t before = launches();
  const Tensor norm = nn::utils::get_total_norm(nn::utils::gradients(parameters));
  CHECK(launches() - before == 2);
  nn::utils::clip_grads_with_norm_(parameters, 1.0, norm);
  CHECK(launches() - before == 4);
  const int64_t clipped = launches();
  optimizer.zero_grad(/*set_to_none=*/false);
  CHECK(launches() - clipped == 1);
}

TEST_CASE("gradients are clipped inside of a graph") {
  Tensor p = zeros({9}, kCUDA).requires_grad_(), q = zeros({5000}, kCUDA).requires_grad_();
  p.mutable_grad() = ones({9}, kCUDA).clone();
  q.mutable_grad() = ones({5000}, kCUDA).clone();
  const std::vector<Tensor> parameters = {p, q};
  optim::SGD optimizer(parameters, optim::SGDOptions(1).capturable(true));
  Tensor norm;
  const auto step = [&] {
    norm = nn::utils::get_total_norm(nn::utils::gradients(parameters));
    nn::utils::clip_grads_with_norm_(parameters, 1.0, norm);
    optimizer.step();
    optimizer.zero_grad(/*set_to_none=*/false);
  };
  cuda::Graph graph;
  CHECK_THROWS_WITH(graph.capture([&] { nn::utils::clip_grad_norm_(parameters, 1.0); }),
                    Catch::Matchers::ContainsSubstring("capture"));
  step();
  graph.capture(step);
  double expected = -1 / std::sqrt(5009.0);
  for (const double scale : {0.001, 3.0}) {
    p.mutable_grad().fill_(scale);
    q.mutable_grad().fill_(scale);
    graph.replay();
    const double total = scale * std::sqrt(5009.0);
    CHECK(norm.item<double>() == Approx(total));
    expected -= scale * std::min(1.0, 1 / (total + 1e-6));
    CHECK(p.detach().cpu().allclose(full({9}, expected), 1e-5));
    CHECK(q.grad().cpu().equal(zeros({5000})));
  }
}

}  // namespace strata::test
