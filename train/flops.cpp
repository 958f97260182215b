// One formula for each op that multiplies and adds: two operations for each pair.
#include "train/flops.h"

#include <array>
#include <string_view>

namespace strata::train {
namespace {

using dispatch::Args;
using dispatch::Tensors;

int64_t product(const Tensor& out, const Tensor& a) { return 2 * out.numel() * a.size(-1); }

/// Every element of the output, or of the input that is spread to many, meets one filter.
int64_t filtered(const Tensor& meets, const Tensor& filters) {
  return filters.numel() == 0 ? 0 : 2 * meets.numel() * (filters.numel() / filters.size(0));
}

struct Formula {
  std::string_view op;
  int64_t (*count)(Args in, const Tensors& out);
};

constexpr std::array kFormulas = {
    Formula{"matmul", [](Args in, const Tensors& out) { return product(out[0], in[0]); }},
    Formula{"dot", [](Args in, const Tensors&) { return 2 * in[0].numel(); }},
    Formula{"addmm", [](Args in, const Tensors& out) { return product(out[0], in[1]); }},
    Formula{"linear", [](Args in, const Tensors& out) { return product(out[0], in[0]); }},
    Formula{"linear_relu", [](Args in, const Tensors& out) { return product(out[0], in[0]); }},
    Formula{"linear_gelu", [](Args in, const Tensors& out) { return product(out[0], in[0]); }},
    Formula{"convolution", [](Args in, const Tensors& out) { return filtered(out[0], in[1]); }},
    Formula{"convolution_backward_input", [](Args in, const Tensors&) { return filtered(in[0], in[1]); }},
    Formula{"attention",
            [](Args in, const Tensors& out) {  // scores, then their weighted sums
              return 2 * out[0].numel() * in[1].size(-2) + 2 * in[0].numel() * in[1].size(-2);
            }},
    Formula{"lstm_sequence",
            [](Args in, const Tensors&) {
              return in[0].numel() == 0 ? 0 : 2 * (in[0].numel() / in[0].size(-1)) * in[1].numel();
            }},
};

const Formula* formula_of(const dispatch::Op& op) {
  for (const Formula& f : kFormulas) {
    if (f.op == op.name()) return &f;
  }
  return nullptr;
}

}  // namespace

bool FlopLayer::takes(const dispatch::Op& op, Args, dispatch::Params) const { return formula_of(op); }

Tensors FlopLayer::process(const dispatch::Op& op, Args args, dispatch::Params params) {
  const dispatch::Below below(*this);
  Tensors out = dispatch::call(op, args, params);
  if (const Formula* f = formula_of(op)) count_(f->count(args, out));
  return out;
}

}  // namespace strata::train
