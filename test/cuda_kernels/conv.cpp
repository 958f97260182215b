// Convolutions on a CUDA device against the CPU: groups, strides, dilation, layouts, dtypes, gradients.
#include "ops/conv.h"

#include "core/grad_mode.h"
#include "ops/conv_def.h"
#include "ops/rules.h"
#include "test/cuda_kernels/device.h"
#include "test/op_sweep.h"
#include "test/recorder.h"

namespace strata::test {
namespace {

ConvParams geometry(int64_t groups, int64_t ih, int64_t iw, int64_t kh, int64_t kw, int64_t stride, int64_t pad,
                    int64_t dilation) {
  const auto out = [&](int64_t i, int64_t k) { return (i + 2 * pad - dilation * (k - 1) - 1) / stride + 1; };
  return {groups, ih, iw, out(ih, kh), out(iw, kw), kh, kw, stride, stride, pad, pad, dilation, dilation};
}

struct Problem {
  ConvParams p;
  int64_t images, in, out;  ///< in and out channels
  bool deep = false;

  DimVector sizes(int64_t first, int64_t second, int64_t d, int64_t h, int64_t w) const {
    return deep ? DimVector{first, second, d, h, w} : DimVector{first, second, h, w};
  }
};

/// With a depth of `id` and the plane's stride, padding and dilation.
ConvParams with_depth(ConvParams p, int64_t id, int64_t kd) {
  p.id = id, p.kd = kd, p.sd = p.sh, p.pd = p.ph, p.dd = p.dh;
  p.od = (id + 2 * p.pd - p.dd * (kd - 1) - 1) / p.sd + 1;
  return p;
}

const Problem kProblems[] = {
    {geometry(1, 7, 9, 3, 3, 1, 1, 1), 2, 3, 4},
    {geometry(1, 8, 8, 3, 2, 2, 0, 1), 1, 5, 2},
    {geometry(2, 9, 7, 3, 3, 1, 2, 2), 3, 4, 6},
    {geometry(4, 6, 6, 5, 5, 3, 2, 1), 2, 4, 4},
    {geometry(1, 4, 4, 1, 1, 1, 0, 1), 1, 20, 3},
    {geometry(1, 1, 50, 1, 7, 2, 0, 3), 2, 2, 2},
    {geometry(1, 5, 5, 2, 2, 3, 0, 1), 1, 1, 1},
    {geometry(3, 20, 18, 3, 3, 2, 1, 1), 2, 3, 9},
    {with_depth(geometry(1, 5, 6, 3, 2, 1, 1, 1), 4, 2), 2, 3, 4, true},
    {with_depth(geometry(2, 6, 5, 2, 3, 2, 1, 2), 5, 2), 2, 4, 6, true},
    {with_depth(geometry(1, 3, 3, 1, 1, 1, 0, 1), 1, 1), 1, 2, 2, true},
};

using Relayout = Tensor (*)(const Tensor&);
Tensor plain(const Tensor& t) { return t; }
Tensor channels_last(const Tensor& t) { return t.movedim(1, -1).contiguous().movedim(-1, 1); }

/// The three ops here, in `here`, and on the device, in `there`, which is `here` or a 16-bit type.
void check(const Problem& c, DType here, DType there, Relayout layout) {
  const NoGradGuard no_grad;
  const Tensor x = uniform_values(c.sizes(c.images, c.in, c.p.id, c.p.ih, c.p.iw), -1, 1, 1, there).to(here),
               w = uniform_values(c.sizes(c.out, c.in / c.p.groups, c.p.kd, c.p.kh, c.p.kw), -1, 1, 2, there).to(here),
               y = uniform_values(c.sizes(c.images, c.out, c.p.od, c.p.oh, c.p.ow), -1, 1, 3, there).to(here),
               bias = uniform_values({c.out}, -1, 1, 4, there).to(here), none;
  const auto moved = [&](const Tensor& t) { return layout(t).to(there).to(kCUDA); };
  const Tensor dx = moved(x), dw = moved(w), dy = moved(y), dbias = bias.to(there).to(kCUDA);
  const auto compare = [&](const Op& op, Args a, Args b) {
    const Tensor expected = call1(op, a, c.p), got = call1(op, b, c.p);
    INFO(op.name() << " of " << c.in << " channels in " << c.p.groups << " groups, " << c.p.ih << " by " << c.p.iw
                   << " in " << name(there));
    CHECK(got.is_cuda());
    CHECK(close(got.cpu(), expected.to(there), 4));
  };
  compare(op_named("convolution"), {&x, &w, &bias}, {&dx, &dw, &dbias});
  compare(op_named("convolution"), {&x, &w, &none}, {&dx, &dw, &none});
  compare(op_named("convolution_backward_input"), {&y, &w}, {&dy, &dw});
  compare(op_named("convolution_backward_weight"), {&y, &x}, {&dy, &dx});
}

}  // namespace

TEST_CASE("convolutions on the device equal the CPU's") {
  for (const Problem& c : kProblems) {
    check(c, kDouble, kDouble, plain);
    check(c, kFloat, kFloat, plain);
    check(c, kFloat, kFloat, channels_last);
  }
}

TEST_CASE("convolutions on the device take 16-bit types, added up in float") {
  for (const Problem& c : kProblems) {
    check(c, kFloat, kHalf, plain);
    check(c, kFloat, kBFloat16, channels_last);
  }
}

TEST_CASE("a weight gradient on the device has the same bits whatever the order of the threads") {
  const NoGradGuard no_grad;
  const ConvParams p = geometry(1, 16, 16, 3, 3, 1, 1, 1);
  const Tensor x = uniform_values({3, 2, 16, 16}, -1, 1, 1, kFloat).to(kCUDA),
               y = uniform_values({3, 4, 16, 16}, -1, 1, 2, kFloat).to(kCUDA);
  const auto run = [&](bool falling) {
    set_falling_order(falling);
    const Tensor w = call1(op_named("convolution_backward_weight"), {&y, &x}, p);
    set_falling_order(false);
    return bytes(w.cpu());
  };
  CHECK(run(false) == run(true));
}

TEST_CASE("empty convolutions on the device") {
  const Tensor w = uniform_values({4, 3, 3, 3}, -1, 1, 1, kFloat).to(kCUDA);
  CHECK(conv2d(uniform_values({0, 3, 5, 5}, -1, 1, 1, kFloat).to(kCUDA), w).sizes() == IntArrayRef({0, 4, 3, 3}));
  const ConvParams p = geometry(1, 5, 5, 3, 3, 1, 0, 1);
  const Tensor x = uniform_values({0, 3, 5, 5}, -1, 1, 1, kFloat).to(kCUDA),
               y = uniform_values({0, 4, 3, 3}, -1, 1, 1, kFloat).to(kCUDA);
  CHECK(values(call1(op_named("convolution_backward_weight"), {&y, &x}, p).cpu()) == std::vector<double>(4 * 3 * 9, 0));
}

}  // namespace strata::test
