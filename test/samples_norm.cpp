// Rows of the normalisations, against means and variances taken by loops.
#include <cmath>

#include "ops/norm.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

constexpr double kNormEps = 1e-5;

/// x as (A, C, S): normalised over A and S (`batch`) or over each group of C and S, then scaled and shifted per
/// channel.
Function normalized(int64_t a, int64_t c, int64_t s, std::function<int64_t(int64_t, int64_t, int64_t)> group,
                    std::function<int64_t(int64_t, int64_t)> affine) {
  return [=](const List& in) {
    std::vector<double> x = values(in[0]);
    const std::vector<double> weight = values(in[1]), bias = values(in[2]);
    std::vector<double> sum(x.size(), 0), squares(x.size(), 0), n(x.size(), 0);
    const auto each = [&](auto f) {
      for_each_index({a, c, s}, [&](const std::vector<int64_t>& i) {
        f(x[static_cast<size_t>((i[0] * c + i[1]) * s + i[2])], static_cast<size_t>(group(i[0], i[1], i[2])),
          static_cast<size_t>(affine(i[1], i[2])));
      });
    };
    each([&](double v, size_t g, size_t) { sum[g] += v, n[g] += 1; });
    each([&](double v, size_t g, size_t) { squares[g] += (v - sum[g] / n[g]) * (v - sum[g] / n[g]); });
    each([&](double& v, size_t g, size_t k) {
      v = (v - sum[g] / n[g]) / std::sqrt(squares[g] / n[g] + kNormEps) * weight[k] + bias[k];
    });
    return List{from_values(x, in[0].sizes())};
  };
}

}  // namespace

void add_norm(Table& t) {
  const auto x = [](IntArrayRef sizes) { return uniform_values(sizes, -2, 3); };
  const auto w = [](IntArrayRef sizes) { return uniform_values(sizes, 0.5, 1.5, 5); };
  const auto b = [](IntArrayRef sizes) { return uniform_values(sizes, -1, 1, 6); };
  const auto by_channel = [](int64_t c, int64_t) { return c; };
  const Function batch = [](const List& in) {
    return List{batch_norm(in[0], in[1], in[2], {}, {}, true, 0.1, kNormEps)};
  };
  Row row{"normalize", {}};
  row.samples.push_back({{x({4, 3, 2, 5}), w({3}), b({3})},
                         batch,
                         normalized(
                             4, 3, 10, [](int64_t, int64_t c, int64_t) { return c; }, by_channel)});
  row.samples.push_back({{x({6, 3}), w({3}), b({3})},
                         batch,
                         normalized(
                             6, 3, 1, [](int64_t, int64_t c, int64_t) { return c; }, by_channel)});
  row.samples.push_back(
      {{x({6, 3})}, [](const List& in) { return List{batch_norm(in[0], {}, {}, {}, {}, true, 0.1, kNormEps)}; }});
  row.samples.push_back(
      {{x({4, 3, 5}), w({5}), b({5})},
       [](const List& in) { return List{layer_norm(in[0], {5}, in[1], in[2], kNormEps)}; },
       normalized(
           1, 12, 5, [](int64_t, int64_t c, int64_t) { return c; }, [](int64_t, int64_t s) { return s; })});
  row.samples.push_back(
      {{x({4, 3, 5}), w({3, 5}), b({3, 5})},
       [](const List& in) {
         return List{layer_norm(in[0], {3, 5}, in[1], in[2], kNormEps)};
       },
       normalized(
           1, 4, 15, [](int64_t, int64_t c, int64_t) { return c; }, [](int64_t, int64_t s) { return s; })});
  row.samples.push_back({{x({2, 6, 4}), w({6}), b({6})},
                         [](const List& in) { return List{group_norm(in[0], 3, in[1], in[2], kNormEps)}; },
                         normalized(
                             2, 6, 4, [](int64_t a, int64_t c, int64_t) { return a * 3 + c / 2; }, by_channel)});
  row.samples.push_back(
      {{x({2, 3, 8}), w({3}), b({3})},
       [](const List& in) { return List{instance_norm(in[0], in[1], in[2], {}, {}, true, 0.1, kNormEps)}; },
       normalized(
           2, 3, 8, [](int64_t a, int64_t c, int64_t) { return a * 3 + c; }, by_channel)});
  // Runs long enough for the op itself to apply the channels' weights.
  row.samples.push_back({{x({2, 6, 17}), w({6}), b({6})},
                         [](const List& in) { return List{group_norm(in[0], 3, in[1], in[2], kNormEps)}; },
                         normalized(
                             2, 6, 17, [](int64_t a, int64_t c, int64_t) { return a * 3 + c / 2; }, by_channel)});
  row.samples.push_back(
      {{x({2, 3, 16}), w({3}), b({3})},
       [](const List& in) { return List{instance_norm(in[0], in[1], in[2], {}, {}, true, 0.1, kNormEps)}; },
       normalized(
           2, 3, 16, [](int64_t a, int64_t c, int64_t) { return a * 3 + c; }, by_channel)});
  const Tensor m = x({4, 3});
  row.errors = {{[=] { batch_norm(m, uniform_values({4}), {}, {}, {}, true, 0.1, kNormEps); }, "batch_norm"},
                {[=] { batch_norm(m, {}, {}, {}, {}, false, 0.1, kNormEps); }, "batch_norm"},
                {[=] {
                   batch_norm(x({1, 3}), {}, {}, {}, {}, true, 0.1, kNormEps);
                 },
                 "batch_norm"},
                {[=] { layer_norm(m, {4}); }, "layer_norm"},
                {[=] {
                   group_norm(x({2, 6}), 4);
                 },
                 "group_norm"}};
  t.push_back(row);
  t.push_back(
      {"",
       {{{m, w({3}), b({3}), b({3}), w({3})},
         [](const List& in) { return List{batch_norm(in[0], in[1], in[2], in[3], in[4], false, 0.1, kNormEps)}; },
         [](const List& in) {
           std::vector<double> v = values(in[0]);
           const auto weight = values(in[1]), bias = values(in[2]), mean = values(in[3]), var = values(in[4]);
           for (size_t i = 0; i < v.size(); ++i)
             v[i] = (v[i] - mean[i % 3]) / std::sqrt(var[i % 3] + kNormEps) * weight[i % 3] + bias[i % 3];
           return List{from_values(v, in[0].sizes())};
         }},
        {{x({4, 5}), w({5})},
         [](const List& in) { return List{rms_norm(in[0], {5}, in[1], kNormEps)}; },
         [](const List& in) {
           std::vector<double> v = values(in[0]);
           const auto weight = values(in[1]);
           for (size_t r = 0; r < 4; ++r) {
             double s = 0;
             for (size_t i = 0; i < 5; ++i) s += v[r * 5 + i] * v[r * 5 + i];
             for (size_t i = 0; i < 5; ++i) v[r * 5 + i] *= weight[i] / std::sqrt(s / 5 + kNormEps);
           }
           return List{from_values(v, in[0].sizes())};
         }}}});
}

}  // namespace strata::test
