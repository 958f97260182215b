// Rows of attention, against loops.
#include <algorithm>
#include <cmath>

#include "ops/attention.h"
#include "ops/attention_def.h"
#include "test/recorder.h"

namespace strata::test {
namespace {

struct Sizes {
  int64_t queries, keys, width, out;
};

/// The weights of query `i` of head `h`, not yet divided by their sum.
std::vector<double> weights_of(const Sizes& s, const std::vector<double>& q, const std::vector<double>& k, int64_t h,
                               int64_t i, bool causal, double scale) {
  std::vector<double> w;
  const int64_t seen = causal ? std::min(s.keys, i + 1) : s.keys;
  for (int64_t j = 0; j < seen; ++j) {
    double score = 0;
    for (int64_t e = 0; e < s.width; ++e) {
      score += q[static_cast<size_t>((h * s.queries + i) * s.width + e)] *
               k[static_cast<size_t>((h * s.keys + j) * s.width + e)];
    }
    w.push_back(std::exp(score * scale));
  }
  return w;
}

Function reference(const Sizes& s, DimVector lead, bool causal, double scale) {
  return [=](const List& in) {
    const std::vector<double> q = values(in[0]), k = values(in[1]), v = values(in[2]);
    std::vector<double> y;
    for (int64_t h = 0; h < numel_of(lead); ++h) {
      for (int64_t i = 0; i < s.queries; ++i) {
        const std::vector<double> w = weights_of(s, q, k, h, i, causal, scale);
        double total = 0;
        for (double x : w) total += x;
        for (int64_t o = 0; o < s.out; ++o) {
          double sum = 0;
          for (size_t j = 0; j < w.size(); ++j)
            sum += w[j] / total * v[(static_cast<size_t>(h * s.keys) + j) * static_cast<size_t>(s.out) + o];
          y.push_back(sum);
        }
      }
    }
    DimVector sizes = lead;
    sizes.push_back(s.queries);
    sizes.push_back(s.out);
    return List{from_values(y, sizes)};
  };
}

Sample sample(DimVector lead, const Sizes& s, bool causal, double scale) {
  const auto make = [&](int64_t rows, int64_t cols, unsigned seed) {
    DimVector sizes = lead;
    sizes.push_back(rows);
    sizes.push_back(cols);
    return uniform_values(sizes, -1, 1, seed);
  };
  return {{make(s.queries, s.width, 1), make(s.keys, s.width, 2), make(s.keys, s.out, 3)},
          [=](const List& in) {
            // The public function keeps small sizes to itself.
            if (lead.size() == 2)
              return List{call1(op_named("attention"), {&in[0], &in[1], &in[2]}, AttentionParams{scale, causal})};
            return List{scaled_dot_product_attention(in[0], in[1], in[2], std::nullopt, 0, causal, scale)};
          },
          reference(s, lead, causal, scale),
          1e-12};
}

}  // namespace

void add_attention(Table& t) {
  Row row{"attention", {}, Takes::kFloating};
  for (bool causal : {false, true}) {
    row.samples.push_back(sample({2, 3}, {4, 6, 5, 2}, causal, 0.7));
    row.samples.push_back(sample({1, 2}, {7, 3, 2, 4}, causal, 1));
    row.samples.push_back(sample({1, 1}, {1, 1, 1, 1}, causal, 1));
    row.samples.push_back(sample({1, 2}, {70, 70, 3, 2}, causal, 0.5));
    row.samples.push_back(sample({1, 1}, {3, 530, 2, 3}, causal, 0.5));
    row.samples.push_back(sample({2, 0}, {4, 6, 5, 2}, causal, 1));
    row.samples.push_back(sample({1, 1}, {0, 6, 5, 2}, causal, 1));
    row.samples.push_back(sample({}, {130, 140, 2, 2}, causal, 1));
    row.samples.push_back(sample({2, 1, 2}, {130, 140, 1, 1}, causal, 1));
  }
  row.errors.push_back({[] {
                          const Tensor k = uniform_values({3, 140, 2});
                          scaled_dot_product_attention(uniform_values({2, 140, 2}), k, k);
                        },
                        "scaled_dot_product_attention"});
  t.push_back(row);
}

}  // namespace strata::test
