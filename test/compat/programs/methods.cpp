// Every method of at::Tensor that has a function, overloads with absent tensors, lists of dims and flags, and the
// errors of at::tensor. Builds against libtorch and Strata, which must agree.
#include <torch/torch.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <vector>

namespace {

using torch::Tensor;
using Scalars = std::vector<double>;

int failures = 0;

void require(bool ok, const char* what) {
  if (ok) return;
  std::printf("%s: wrong\n", what);
  ++failures;
}
bool same(const Tensor& a, const Tensor& b) {
  return a.sizes() == b.sizes() && a.scalar_type() == b.scalar_type() && torch::allclose(a, b, 1e-12, 1e-12, true);
}
void refused(const char* what, const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception&) {
    return;
  }
  require(false, what);
}
Tensor vec(const Scalars& values) { return torch::tensor(values, torch::kFloat64); }

/// A method against its function, and the in-place form against both: the same tensor, of the same dtype.
void pair(const char* what, const Tensor& x, const std::function<Tensor(const Tensor&)>& method,
          const std::function<Tensor&(Tensor&)>& in_place, const Tensor& expected) {
  if (method) require(same(method(x), expected), what);
  if (!in_place) return;
  Tensor y = x.clone();
  const void* const data = y.data_ptr();
  require(same(in_place(y), expected.to(x.scalar_type())) && y.data_ptr() == data, what);
}

#define METHOD(name, x, expected, ...) \
  pair(                                \
      #name, x, [&](const Tensor& t) { return t.name(__VA_ARGS__); }, nullptr, expected)
#define IN_PLACE(name, x, expected, ...) \
  pair(                                  \
      #name, x, nullptr, [&](Tensor& t) -> Tensor& { return t.name(__VA_ARGS__); }, expected)

const Tensor half = vec({-0.5, 0.25, 0.75}), big = vec({1.5, 2.5, 7.0}), other = vec({0.25, 0.25, -2.0});

void unary() {
  METHOD(arcsin, half, half.asin());
  METHOD(arccos, half, half.acos());
  METHOD(arctan, half, half.atan());
  METHOD(arcsinh, half, half.asinh());
  METHOD(arccosh, big, big.acosh());
  METHOD(arctanh, half, half.atanh());
  IN_PLACE(arcsin_, half, half.asin());
  IN_PLACE(arccos_, half, half.acos());
  IN_PLACE(arctan_, half, half.atan());
  IN_PLACE(arcsinh_, half, half.asinh());
  IN_PLACE(arccosh_, big, big.acosh());
  IN_PLACE(arctanh_, half, half.atanh());
  IN_PLACE(absolute_, half, half.abs());
  IN_PLACE(negative_, half, -half);
  IN_PLACE(fix_, big, big.trunc());
  IN_PLACE(sgn_, half, vec({-1, 1, 1}));
  METHOD(round, big / 3, vec({0.5, 0.83, 2.33}), 2);
  IN_PLACE(round_, big / 3, vec({0.5, 0.83, 2.33}), 2);
  METHOD(deg2rad, big, big * (M_PI / 180));
  METHOD(rad2deg, big, big * (180 / M_PI));
  IN_PLACE(deg2rad_, big, big * (M_PI / 180));
  IN_PLACE(rad2deg_, big, big * (180 / M_PI));
  METHOD(logit, half.abs(), (half.abs() / (1 - half.abs())).log());
  METHOD(logit, half, torch::logit(half, 0.25), 0.25);
  IN_PLACE(logit_, half, torch::logit(half, 0.25), 0.25);
  METHOD(polygamma, big, torch::polygamma(1, big), 1);
  IN_PLACE(polygamma_, big, torch::polygamma(2, big), 2);
  const Tensor odd = vec({NAN, INFINITY, 1});
  METHOD(nan_to_num, odd, vec({0, 5, 1}), torch::nullopt, 5.0);
  IN_PLACE(nan_to_num_, odd, vec({2, 5, 1}), 2.0, 5.0);
  METHOD(hardshrink, half, vec({0, 0, 0.75}));
  METHOD(hardshrink, half, half, 0.1);
  METHOD(prelu, half, vec({-0.125, 0.25, 0.75}), vec({0.25}));
  const Tensor z = torch::complex(half, big);
  Tensor conjugate = z.clone();
  require(torch::equal(conjugate.conj_physical_(), torch::complex(half, -big)), "conj_physical_");
}

void comparisons() {
  const Tensor less = vec({1, 0, 0}), equal = vec({0, 1, 0}), greater = vec({0, 0, 1});
  IN_PLACE(lt_, half, less, other);
  IN_PLACE(less_, half, less, 0.25);
  IN_PLACE(lt_, half, less, 0.25);
  IN_PLACE(less_, half, less, other);
  IN_PLACE(le_, half, less + equal, other);
  IN_PLACE(le_, half, less + equal, 0.25);
  IN_PLACE(less_equal_, half, less + equal, other);
  IN_PLACE(less_equal_, half, less + equal, 0.25);
  IN_PLACE(gt_, half, greater, other);
  IN_PLACE(gt_, half, greater, 0.25);
  IN_PLACE(greater_, half, greater, other);
  IN_PLACE(greater_, half, greater, 0.25);
  IN_PLACE(ge_, half, greater + equal, other);
  IN_PLACE(ge_, half, greater + equal, 0.25);
  IN_PLACE(greater_equal_, half, greater + equal, other);
  IN_PLACE(greater_equal_, half, greater + equal, 0.25);
  IN_PLACE(eq_, half, equal, other);
  IN_PLACE(eq_, half, equal, 0.25);
  IN_PLACE(ne_, half, less + greater, other);
  IN_PLACE(ne_, half, less + greater, 0.25);
  IN_PLACE(not_equal_, half, less + greater, other);
  IN_PLACE(not_equal_, half, less + greater, 0.25);
  const Tensor ones = vec({1, 0, 2}), twos = vec({0, 0, 3});
  IN_PLACE(logical_and_, ones, vec({0, 0, 1}), twos);
  IN_PLACE(logical_or_, ones, vec({1, 0, 1}), twos);
  IN_PLACE(logical_xor_, ones, vec({1, 0, 0}), twos);
  refused("lt_ into a larger shape", [] { half.clone().lt_(torch::zeros({2, 3}, torch::kFloat64)); });
}

void integers() {
  const Tensor x = torch::tensor({1, 6, 12}), by = torch::tensor({2, 1, 3});
  METHOD(bitwise_left_shift, x, torch::tensor({4, 12, 96}), by);
  METHOD(bitwise_left_shift, x, torch::tensor({2, 12, 24}), 1);
  METHOD(bitwise_right_shift, x, torch::tensor({0, 3, 1}), by);
  METHOD(bitwise_right_shift, x, torch::tensor({0, 3, 6}), 1);
  IN_PLACE(bitwise_left_shift_, x, torch::tensor({4, 12, 96}), by);
  IN_PLACE(bitwise_left_shift_, x, torch::tensor({2, 12, 24}), 1);
  IN_PLACE(bitwise_right_shift_, x, torch::tensor({0, 3, 1}), by);
  IN_PLACE(bitwise_right_shift_, x, torch::tensor({0, 3, 6}), 1);
  IN_PLACE(bitwise_and_, x, torch::tensor({1, 0, 0}), 1);
  IN_PLACE(bitwise_or_, x, torch::tensor({1, 7, 13}), 1);
  IN_PLACE(bitwise_xor_, x, torch::tensor({0, 7, 13}), 1);
  require(same(torch::bitwise_and(3, x), torch::tensor({1, 2, 0})), "bitwise_and of a number");
  require(same(torch::bitwise_or(3, x), torch::tensor({3, 7, 15})), "bitwise_or of a number");
  require(same(torch::bitwise_xor(3, x), torch::tensor({2, 5, 15})), "bitwise_xor of a number");
  require(same(torch::bitwise_left_shift(1, by), torch::tensor({4, 2, 8})), "bitwise_left_shift of a number");
  require(same(torch::bitwise_right_shift(8, by), torch::tensor({2, 4, 1})), "bitwise_right_shift of a number");
  const Tensor counts = torch::tensor({0, 2, 2});
  METHOD(bincount, counts, torch::tensor({1, 0, 2}));
  METHOD(bincount, counts, vec({1.5, 0, 9.5}), std::optional<Tensor>(big));
  METHOD(bincount, counts, torch::tensor({1, 0, 2, 0}), torch::nullopt, 4);
}

void binary() {
  METHOD(subtract, half, half - 2 * other, other, 2);
  METHOD(subtract, half, half - 3, 1.5, 2);
  IN_PLACE(subtract_, half, half - 2 * other, other, 2);
  IN_PLACE(subtract_, half, half - 3, 1.5, 2);
  IN_PLACE(multiply_, half, half * other, other);
  IN_PLACE(multiply_, half, half * 3, 3);
  IN_PLACE(divide_, half, half / other, other);
  IN_PLACE(divide_, half, half / 3, 3);
  IN_PLACE(true_divide_, half, half / other, other);
  IN_PLACE(true_divide_, half, half / 3, 3);
  METHOD(div, big, vec({0, 1, 3}), 2, "floor");
  METHOD(divide, big, vec({0, 1, 3}), 2, "trunc");
  METHOD(divide, big, vec({6, 10, -3}), other, "trunc");
  IN_PLACE(div_, big, vec({6, 10, -4}), other, "floor");
  IN_PLACE(div_, big, vec({0, 1, 3}), 2, "floor");
  IN_PLACE(divide_, big, vec({6, 10, -3}), other, "trunc");
  IN_PLACE(divide_, big, vec({0, 1, 3}), 2, "trunc");
  METHOD(arctan2, half, torch::atan2(half, other), other);
  IN_PLACE(arctan2_, half, torch::atan2(half, other), other);
  IN_PLACE(hypot_, half, torch::hypot(half, other), other);
  METHOD(logaddexp, half, (half.exp() + other.exp()).log(), other);
  METHOD(xlogy, half, half * big.log(), big);
  METHOD(xlogy, half, half * std::log(2.0), 2);
  IN_PLACE(xlogy_, half, half * big.log(), big);
  IN_PLACE(xlogy_, half, half * std::log(2.0), 2);
  require(same(torch::xlogy(2, big), 2 * big.log()), "xlogy of a number");
  require(torch::xlogy(torch::tensor({1, 2}), 2).scalar_type() == torch::kFloat32, "xlogy of integers");
  refused("xlogy_ of integers", [] { torch::tensor({1, 2}).xlogy_(2); });
  IN_PLACE(lerp_, half, half + vec({1, 0.5, 0}) * (other - half), other, vec({1, 0.5, 0}));
}

void clamps() {
  const Tensor low = vec({0, 0, 0}), high = vec({0.5, 0.1, 0.5});
  const std::optional<Tensor> some = low;
  METHOD(clamp, half, vec({0, 0.1, 0.5}), low, high);
  METHOD(clamp, half, vec({0, 0.25, 0.75}), some);
  METHOD(clamp, half, vec({-0.5, 0.1, 0.5}), torch::nullopt, high);
  METHOD(clip, half, vec({0, 0.25, 0.75}), some, torch::nullopt);
  METHOD(clamp_min, half, vec({0, 0.25, 0.75}), low);
  METHOD(clamp_max, half, vec({-0.5, 0.1, 0.5}), high);
  IN_PLACE(clamp_, half, vec({0, 0.1, 0.5}), low, high);
  IN_PLACE(clip_, half, vec({0, 0.1, 0.5}), low, high);
  IN_PLACE(clamp_min_, half, vec({0, 0.25, 0.75}), low);
  IN_PLACE(clamp_max_, half, vec({-0.5, 0.1, 0.5}), high);
  require(same(torch::clamp(half, torch::nullopt, high), vec({-0.5, 0.1, 0.5})), "clamp from above");
  require(same(torch::clip(half, some), vec({0, 0.25, 0.75})), "clip from below");
  require(same(torch::clamp(torch::tensor({1, 3}), torch::nullopt, 2), torch::tensor({1, 2})), "clamp by a number");
  refused("clamp without bounds", [] { torch::clamp(half); });
  refused("clamp_ of integers by floats", [] { torch::tensor({1, 2}).clamp_(torch::tensor({1.5, 1.5})); });
}

void reductions() {
  const Tensor x = torch::tensor({{1.0, 0.0, 2.0}, {3.0, 4.0, 5.0}}, torch::kFloat64);
  const Tensor nan = torch::tensor({{1.0, NAN * 1.0}, {2.0, 4.0}}, torch::kFloat64);
  const std::vector<int64_t> both = {0, 1};
  require(same(x.all(both), torch::tensor(false)) && same(x.any(both), torch::tensor(true)), "all and any of dims");
  require(same(torch::all(x, both, true), torch::tensor({{false}}, torch::kBool)), "all of dims kept");
  require(same(torch::any(x, torch::nullopt), torch::tensor(true)), "any of nullopt");
  require(same(torch::all(x, std::vector<int64_t>{}), x.to(torch::kBool)), "all of no dims");
  require(same(x.all(at::OptionalIntArrayRef(std::vector<int64_t>{-1})), torch::tensor({false, true}, torch::kBool)),
          "all of an optional list");
  require(x.sum(at::OptionalIntArrayRef(torch::nullopt)).item<double>() == 15, "sum of nullopt");
  require(same(x.mean(at::OptionalIntArrayRef(1), true), torch::tensor({{1.0}, {4.0}}, torch::kFloat64)), "mean");
  require(nan.nansum().item<double>() == 7 && same(nan.nansum(1), vec({1, 6})), "nansum");
  require(x.prod(torch::kInt64).scalar_type() == torch::kInt64, "prod in a dtype");
  require(same(x.prod(1, false, torch::kFloat32), torch::tensor({0.f, 60.f})), "prod of a dim in a dtype");
  require(same(x.count_nonzero(torch::IntArrayRef{1}), torch::tensor({2, 3})), "count_nonzero");
  require(same(x.norm(torch::nullopt, {1}), (x * x).sum(1).sqrt()), "norm");
  require(x.to(torch::kFloat32).norm(2, torch::kFloat64).scalar_type() == torch::kFloat64, "norm in a dtype");
  require(same(x.norm(1, {1}, true, torch::kFloat64), x.sum(1, true)), "norm of dims in a dtype");
  const auto [least, most] = x.aminmax();
  require(least.item<double>() == 0 && most.item<double>() == 5, "aminmax");
  require(same(std::get<1>(x.aminmax(1)), vec({2, 5})), "aminmax of a dim");
  require(same(std::get<0>(x.cummax(1)), torch::tensor({{1.0, 1.0, 2.0}, {3.0, 4.0, 5.0}}, torch::kFloat64)), "cummax");
  require(same(std::get<1>(x.cummin(1)), torch::tensor({{0, 1, 1}, {0, 0, 0}})), "cummin");
  require(x.cumsum(0, torch::kFloat32).scalar_type() == torch::kFloat32, "cumsum in a dtype");
  IN_PLACE(cumsum_, x, x.cumsum(1), 1);
  IN_PLACE(cumprod_, x, x.cumprod(1), 1, torch::kFloat64);
  require(same(torch::tensor({1, 2}, torch::kInt32).cumsum_(0), torch::tensor({1, 3}, torch::kInt32)),
          "cumsum_ of int32");
  refused("cumsum_ in another dtype", [] { half.clone().cumsum_(0, torch::kFloat32); });
}

void shapes() {
  const Tensor x = torch::arange(6, torch::kFloat64).view({2, 3});
  require(same(x.broadcast_to({2, 2, 3}), x.expand({2, 2, 3})) && same(x.alias(), x), "broadcast_to and alias");
  require(x.split_with_sizes({1, 2}, 1)[1].sizes() == torch::IntArrayRef({2, 2}), "split_with_sizes");
  require(same(x.narrow(1, torch::tensor(1), 2), x.slice(1, 1)), "narrow by a tensor");
  require(same(torch::narrow(x, 1, torch::tensor(-1), 1), x.slice(1, 2)), "narrow from the end by a tensor");
  refused("narrow by a floating point tensor", [&] { x.narrow(1, torch::tensor(1.0), 1); });
  refused("narrow by a vector", [&] { x.narrow(1, torch::tensor({1}), 1); });
  Tensor y = x.clone();
  y.swapaxes_(0, 1);
  require(same(y, x.t().contiguous()), "swapaxes_");
  y.swapdims_(0, 1);
  require(same(y, x), "swapdims_");
  y = torch::zeros({1, 2, 1});
  y.squeeze_(std::vector<int64_t>{0, 2});
  require(y.dim() == 1, "squeeze_ of dims");
  y = x.clone();
  y.as_strided_({2}, {2}, 1);
  require(same(y, vec({1, 3})), "as_strided_");
  require(same(x.slice_scatter(torch::ones({2, 1}, torch::kFloat64), 1, 1, 2).select(1, 1), vec({1, 1})),
          "slice_scatter");
  require(same(x.diagonal_scatter(vec({9, 9})).diagonal(), vec({9, 9})), "diagonal_scatter");
  require(
      same(x.as_strided_scatter(vec({7, 8}), {2}, {4}).view(-1).index_select(0, torch::tensor({0, 4})), vec({7, 8})),
      "as_strided_scatter");
  y = torch::zeros({5, 2}, torch::kInt64);
  y.fill_diagonal_(1, true);
  require(same(y, torch::tensor({{1, 0}, {0, 1}, {0, 0}, {1, 0}, {0, 1}})), "fill_diagonal_ that wraps");
  y = torch::zeros({2, 2, 2}, torch::kInt64);
  y.fill_diagonal_(1);
  require(y.sum().item<int64_t>() == 2, "fill_diagonal_ of a cube");
  refused("fill_diagonal_ of a vector", [] { torch::zeros({2}).fill_diagonal_(1); });
  refused("fill_diagonal_ of a box", [] { torch::zeros({2, 2, 3}).fill_diagonal_(1); });

  const Tensor repeats = torch::tensor({1, 2});
  require(same(x.repeat_interleave(repeats, 0, 3).select(1, 0), vec({0, 3, 3})), "repeat_interleave of a known size");
  require(same(torch::repeat_interleave(x, 2, 1, 6).select(0, 0), vec({0, 0, 1, 1, 2, 2})), "repeat_interleave");
  require(same(torch::repeat_interleave(repeats), torch::tensor({0, 1, 1})), "repeat_interleave of counts");
  refused("a wrong output_size", [&] { x.repeat_interleave(2, 0, 5); });
  refused("a wrong output_size of counts", [&] { x.repeat_interleave(repeats, 0, 4); });
}

void indexing() {
  using torch::indexing::Slice;
  const Tensor x = torch::zeros({2, 3}, torch::kFloat64);
  const Tensor written =
      x.index_put({torch::tensor({0, 0}), torch::tensor({1, 1})}, torch::tensor({2.0, 3.0}, torch::kFloat64), true);
  require(written.sum().item<double>() == 5 && x.sum().item<double>() == 0, "index_put");
  Tensor y = x.clone();
  y.index_put_({torch::tensor({0, 0}), torch::tensor({1, 1})}, torch::tensor({2.0, 3.0}, torch::kFloat64), true);
  require(same(y, written), "index_put_ that adds");
  require(same(x.index_fill(1, torch::tensor({2}), torch::tensor(4.0, torch::kFloat64)).select(1, 2), vec({4, 4})),
          "index_fill");
  IN_PLACE(index_fill_, x, x.index_fill(0, torch::tensor({1}), 3), 0, torch::tensor({1}),
           torch::tensor(3.0, torch::kFloat64));
  const Tensor v = vec({5, 6, 7});
  require(same(v.take_along_dim(torch::tensor({2, 0})), vec({7, 5})), "take_along_dim");
  require(same(v.where(v > 5, 0), vec({0, 6, 7})), "where with a number");

  const Tensor sorted = vec({1, 3, 5});
  require(torch::searchsorted(sorted, 3).item<int64_t>() == 1, "searchsorted of a number");
  require(torch::searchsorted(sorted, 3, false, false, "right").item<int64_t>() == 2, "searchsorted from the right");
  const Tensor jumbled = vec({5, 1, 3}), order = torch::tensor({1, 2, 0});
  require(same(torch::searchsorted(jumbled, vec({3, 4}), false, false, "left", order), torch::tensor({1, 2})),
          "sorter");
  require(same(torch::searchsorted(sorted, vec({3, 4}), false, false, torch::nullopt, torch::nullopt),
               torch::tensor({1, 2})),
          "searchsorted without a sorter");
  require(torch::bucketize(3, sorted, false, true).item<int64_t>() == 2, "bucketize of a number");
  refused("a side that is none", [&] { torch::searchsorted(sorted, 3, false, false, "middle"); });
  refused("side left and right", [&] { torch::searchsorted(sorted, 3, false, true, "left"); });
  refused("a sorter of another shape",
          [&] { torch::searchsorted(sorted, vec({3}), false, false, "left", torch::tensor({0})); });
  refused("a sorter out of range", [&] {
    torch::searchsorted(sorted, vec({3}), false, false, "left", torch::tensor({0, 1, 7}));
  });
}

void matrices() {
  const Tensor m = torch::arange(6, torch::kFloat64).view({2, 3}), v = vec({1, 2, 3}), two = vec({1, -1});
  METHOD(addr, m, m * 2 + 3 * torch::outer(two, v), two, v, 2, 3);
  IN_PLACE(addr_, m, m * 2 + 3 * torch::outer(two, v), two, v, 2, 3);
  IN_PLACE(addmv_, two, two + torch::mv(m, v), m, v);
  const Tensor batch = torch::stack({m, m + 1}), right = torch::ones({2, 3, 2}, torch::kFloat64);
  const Tensor square = torch::eye(2, torch::kFloat64), squares = torch::stack({square, square});
  IN_PLACE(baddbmm_, squares, squares + torch::bmm(batch, right), batch, right);
  IN_PLACE(addbmm_, square, square + torch::bmm(batch, right).sum(0), batch, right);
  METHOD(kron, square, torch::kron(square, m), m);
  METHOD(_addmm_activation, square, (square + torch::mm(m, right[0])).relu(), m, right[0]);
}

void signals() {
  const Tensor x = torch::sin(torch::arange(16, torch::kFloat64)), window = torch::ones({4}, torch::kFloat64);
  const Tensor s = x.stft(4, 2, 4, window, true, "reflect", false, torch::nullopt, true);
  require(s.sizes() == torch::IntArrayRef({3, 9}), "stft");
  require(torch::allclose(s, x.stft(4, 2, 4, torch::nullopt, true, "reflect", false, torch::nullopt, true)),
          "stft without a window");
  require(torch::allclose(s.istft(4, 2, 4, std::optional<Tensor>(window)), x), "istft");
}

void absent_tensors() {
  const torch::nullopt_t none = torch::nullopt;
  const std::optional<Tensor> no, ones = torch::ones({2}), zeros = torch::zeros({2});
  const Tensor x = torch::rand({3, 2, 4, 4}), w = torch::rand({2, 2, 3, 3}), rows = torch::rand({5, 2}),
               target = torch::tensor({0, 1, 1, 0, 1});
  const auto near = [](const Tensor& a, const Tensor& b) { return torch::allclose(a, b, 1e-4, 1e-6); };
  require(near(torch::conv2d(x, w, none, 1), torch::conv2d(x, w, zeros, 1)), "conv2d");
  require(near(torch::conv2d(x, w, no, 1, "same"), torch::conv2d(x, w, {}, 1, 1)), "conv2d with padding");
  const Tensor line = x.select(3, 0), taps = w.select(3, 0);
  require(near(torch::conv1d(line, taps, none), torch::conv1d(line, taps, no)), "conv1d");
  require(near(torch::conv_transpose2d(x, w, none), torch::conv_transpose2d(x, w, zeros)), "conv_transpose2d");
  require(near(torch::conv_transpose1d(line, taps, none), torch::conv_transpose1d(line, taps, no)), "conv_transpose1d");
  require(near(torch::convolution(x, w, no, 1, 0, 1, false, 0, 1), torch::conv2d(x, w)), "convolution");
  require(near(torch::linear(rows, rows, none), torch::linear(rows, rows)), "linear");
  require(near(torch::bilinear(rows, rows, torch::ones({1, 2, 2}), no), (rows.sum(1, true) * rows.sum(1, true))),
          "bilinear");
  require(near(torch::batch_norm(x, none, no, none, none, true, 0.1, 1e-5, false),
               torch::batch_norm(x, ones, zeros, {}, {}, true, 0.1, 1e-5, false)),
          "batch_norm");
  require(near(torch::instance_norm(x, no, none, no, none, true, 0.1, 1e-5, false),
               torch::instance_norm(x, ones, zeros, {}, {}, true, 0.1, 1e-5, false)),
          "instance_norm");
  require(near(torch::layer_norm(rows, {2}, none, none), torch::layer_norm(rows, {2}, ones, zeros)), "layer_norm");
  require(near(torch::group_norm(x, 1, no, no), torch::group_norm(x, 1, ones, zeros)), "group_norm");
  require(near(torch::rms_norm(rows, {2}, none), torch::rms_norm(rows, {2}, ones)), "rms_norm");
  const Tensor logs = torch::log_softmax(rows, 1), unit = rows * 0 + 0.5;
  require(near(torch::nll_loss(logs, target, none), torch::nll_loss(logs, target, ones)), "nll_loss");
  require(near(torch::cross_entropy_loss(rows, target, no), torch::cross_entropy_loss(rows, target, ones)),
          "cross_entropy_loss");
  require(near(torch::binary_cross_entropy(unit, unit, none), torch::binary_cross_entropy(unit, unit, ones)),
          "binary_cross_entropy");
  require(near(torch::binary_cross_entropy_with_logits(rows, unit, none, no),
               torch::binary_cross_entropy_with_logits(rows, unit, ones, ones)),
          "binary_cross_entropy_with_logits");
  require(torch::scaled_dot_product_attention(x, x, x, none).sizes() == x.sizes(), "scaled_dot_product_attention");
  require(torch::bincount(target, none, 4).size(0) == 4, "bincount");
}

/// Absent tensors and generators among the arguments of functions.
void absent_arguments() {
  const torch::nullopt_t none = torch::nullopt;
  const std::optional<Tensor> absent;
  const Tensor m = vec({1, 2, 4, 8, 16, 31}).reshape({2, 3}), one = vec({0.1}).squeeze(0), all = torch::linalg_pinv(m);
  const Tensor largest = torch::linalg_pinv(m, 0.1);
  require(same(torch::linalg_pinv(m, absent, absent), all), "pinv without tolerances");
  require(same(torch::linalg_pinv(m, none, one), largest), "pinv with a relative tolerance");
  require(same(torch::linalg_pinv(m, one), largest), "pinv with a tensor");
  require(!torch::allclose(all, largest), "the tolerance counts");
  require(torch::linalg_matrix_rank(m, absent, absent).item<int64_t>() == 2, "the rank without tolerances");
  require(torch::linalg_matrix_rank(m, absent, one).item<int64_t>() == 1, "the rank, relative");
  require(torch::linalg_matrix_rank(m, one).item<int64_t>() == 1, "the rank, absolute");
  const Tensor each = vec({0.01, 10, 100}), rows = m.unsqueeze(0).expand({3, 2, 3});
  require(same(torch::linalg_matrix_rank(rows, each, absent), torch::tensor({2, 1, 0})), "a tolerance per matrix");
  require(same(torch::linalg_pinv(rows, each, absent)[0], all), "a tolerance per matrix");
  require(same(torch::linalg_pinv(rows, each, absent)[2], torch::zeros_like(all)), "a tolerance per matrix");
  require(
      torch::linalg_matrix_rank(torch::tensor({{1.0, 0.0}, {0.0, 1e-30}}, torch::kFloat64), 0.0).item<int64_t>() == 2,
      "tol 0 counts all");
  refused("a complex tolerance", [&] { torch::linalg_pinv(m, absent, one.to(torch::kComplexDouble)); });

  const Tensor first = torch::tensor({0});
  require(same(torch::index(m, {absent, first}), m.narrow(1, 0, 1)), "index");
  require(same(torch::index_put(m, {absent, first}, vec({9}).squeeze(0)).select(1, 0), vec({9, 9})), "index_put");
  c10::List<std::optional<Tensor>> list;
  list.push_back(none);
  list.push_back(first);
  require(same(torch::index(m, list), m.narrow(1, 0, 1)), "index by a list");
  Tensor written = m.clone();
  require(same(torch::index_put_(written, list, vec({9}).squeeze(0)).select(1, 0), vec({9, 9})), "index_put_");
  require(same(written, torch::index_put(m, list, vec({9}).squeeze(0))), "index_put by a list");

  require(same(torch::bernoulli(torch::ones_like(m), none), torch::ones_like(m)), "bernoulli");
  require(same(torch::bernoulli(m, 0.0, none), torch::zeros_like(m)), "bernoulli of a number");
  require(torch::multinomial(vec({0, 1}), 3, true, none).sum().item<int64_t>() == 3, "multinomial");
  const Tensor ones = torch::ones_like(m);
  require(same(m.clone().bernoulli_(1.0, none), ones) && same(ones.bernoulli(none), ones), "bernoulli, the methods");
  require(same(m.clone().bernoulli_(ones, none), ones), "bernoulli_ of probabilities");
  require(same(m.clone().normal_(1, 0, none), ones), "normal_");
  require(same(m.clone().uniform_(1, 1, none), ones), "uniform_");
  require(same(m.clone().random_(1, 2, none), ones), "random_");
  require(m.clone().random_(none).min().item<double>() >= 0, "random_ of all");
  require(m.clone().exponential_(1, none).min().item<double>() > 0, "exponential_");
  require(vec({0, 1}).multinomial(3, true, none).sum().item<int64_t>() == 3, "multinomial, the method");
  require(torch::normal(2, 0, {4}, none).sum().item<double>() == 8, "normal");
}

void made_of_numbers() {
  using Complex = c10::complex<double>;
  refused("a complex number of a real dtype", [] { torch::tensor({Complex(1, 2)}, torch::kFloat64); });
  refused("a complex number of an integer dtype", [] { torch::tensor(Complex(1, 2), torch::kInt64); });
  refused("a vector of complex numbers of a real dtype",
          [] { torch::tensor(std::vector<Complex>{Complex(1, 0)}, torch::kFloat32); });
  refused("an integer beside a fraction", [] { torch::tensor({1, 2.5}); });
  refused("a bool beside an integer", [] { torch::tensor({true, 2}); });
  refused("a fraction beside a complex number", [] { torch::tensor({Complex(1, 2), 1.0}); });
  refused("mixed rows", [] { torch::tensor({{1, 2}, {1.0, 2.0}}); });
  require(torch::tensor({Complex(1, 0)}, torch::kFloat64).item<double>() == 1, "a complex number that is real");
  require(torch::tensor({Complex(1, 2)}).scalar_type() == torch::kComplexDouble, "complex numbers");
  require(torch::tensor({1, 2}, torch::kFloat64)[1].item<double>() == 2, "integers as fractions");
}

void gradients() {
  Tensor x = half.clone().requires_grad_();
  Tensor y = x * 2;
  y.lt_(0.7);
  y.mul_(x);
  y.sum().backward();
  require(same(x.grad(), vec({1, 1, 0})), "gradient past lt_");
  Tensor a = half.clone().requires_grad_(), b = a * 1;
  b.cumsum_(0).hypot_(big).sum().backward();
  Tensor c = half.clone().requires_grad_();
  torch::hypot(c.cumsum(0), big).sum().backward();
  require(same(a.grad(), c.grad()), "gradient past cumsum_ and hypot_");
}

}  // namespace

/// <torch/torch.h> alone brings std::thread.
void threads() {
  Tensor made;
  std::thread([&] { made = vec({1, 2}); }).join();
  require(same(made, vec({1, 2})), "made in a thread");
}

int main() {
  for (void (*group)() : {unary, comparisons, integers, binary, clamps, reductions, shapes, indexing, matrices, signals,
                          absent_tensors, absent_arguments, made_of_numbers, gradients, threads}) {
    try {
      group();
    } catch (const std::exception& e) {
      std::printf("a refusal of what should work: %s\n", e.what());
      ++failures;
    }
  }
  if (failures) return 1;
  std::printf("ok\n");
  return 0;
}
