// What of the outputs of factorizations does not depend on choices that algorithms are free to make.
#pragma once
#include <string_view>
#include <vector>

#include "ops/binary.h"
#include "ops/indexing.h"
#include "ops/linalg.h"
#include "ops/shaping.h"
#include "ops/view.h"

namespace strata::test {

/// Singular vectors and eigenvectors are unique up to signs (and bases of equal values' spaces), reflections up to
/// signs, and what is left of a matrix whose Cholesky factor does not exist may be anything: so products with A's value
/// and with the identity's stand for them. Other ops' outputs are returned as they are.
inline std::vector<Tensor> without_gauge(std::string_view op, const std::vector<Tensor>& out) {
  const auto gram = [](const Tensor& columns) { return matmul(columns.mT(), columns); };
  if (op == "svd") {
    const Tensor &u = out[0], &s = out[1], &vh = out[2];
    const int64_t k = s.size(-1);
    const Tensor a = matmul(narrow(u, -1, 0, k).mul(unsqueeze(s, -2)), narrow(vh, -2, 0, k));
    return {s, a, gram(u), gram(vh.mT())};
  }
  if (op == "eigh") {
    const Tensor &w = out[0], &v = out[1];
    return {w, matmul(v.mul(unsqueeze(w, -2)), v.mT()), gram(v)};
  }
  if (op == "qr") return {matmul(out[0], out[1]), gram(out[0]), tril(out[1], -1)};
  if (op == "cholesky_ex") {
    const Tensor failed = unsqueeze(unsqueeze(out[1].ne(0), -1), -1);
    return {masked_fill(out[0], expand(failed, out[0].sizes()), 0), out[1]};
  }
  return out;
}

}  // namespace strata::test
