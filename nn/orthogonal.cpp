// Parameters that are orthogonal matrices (nn::utils::parametrizations::orthogonal).
#include "core/grad_mode.h"
#include "nn/parametrize.h"
#include "ops/binary.h"
#include "ops/complex.h"
#include "ops/creation.h"
#include "ops/eigen.h"
#include "ops/factor.h"
#include "ops/linalg.h"
#include "ops/random.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/ternary.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata::nn::utils::parametrizations {
namespace {

enum class Map : uint8_t { kMatrixExp, kCayley, kHouseholder };

Map map_of(const Tensor& weight, std::string_view name) {
  STRATA_CHECK(weight.dim() >= 2, "orthogonal: expected a matrix or a batch of matrices, got {}", weight.sizes());
  if (name.empty())
    return weight.size(-2) == weight.size(-1) || weight.is_complex() ? Map::kMatrixExp : Map::kHouseholder;
  if (name == "matrix_exp") return Map::kMatrixExp;
  if (name == "cayley") return Map::kCayley;
  STRATA_CHECK(name == "householder",
               "orthogonal: the map has to be one of \"matrix_exp\", \"cayley\", \"householder\", got \"{}\"", name);
  STRATA_CHECK(!weight.is_complex(), "orthogonal: \"householder\" does not support complex tensors");
  return Map::kHouseholder;
}

Tensor diagonal_of(const Tensor& matrices) { return diagonal(matrices, 0, -2, -1); }

/// Are the columns orthonormal, but for rounding?
bool is_orthogonal(const Tensor& q) {
  const double eps = q.dtype() == kDouble || q.dtype() == kComplexDouble ? 0x1p-52 : 0x1p-23;
  const Tensor product = matmul(adjoint(q), q);
  return product.allclose(eye(q.size(-1), q.options()).expand_as(product), 1e-5,
                          10 * static_cast<double>(q.size(-2)) * eps);
}

/// Q of tall matrices' QR decomposition in which R's diagonal is positive.
Tensor orthonormalised(const Tensor& matrices) {
  const auto [reflections, tau] = geqrf(matrices);
  return linalg::householder_product(reflections, tau) * diagonal_of(reflections).sgn().unsqueeze(-2);
}

class Orthogonal : public parametrize::Parametrization {
 public:
  Orthogonal(const Tensor& weight, Map map, bool use_trivialization)
      : Parametrization("Orthogonal"), sizes_(weight.sizes()), map_(map), trivialises_(use_trivialization) {}

  Tensor forward(const Tensor& original) override {
    const bool wide = original.size(-2) < original.size(-1);
    const Tensor x = wide ? original.transpose(-2, -1) : original;
    Tensor q = map_ == Map::kHouseholder ? by_reflections(x) : by_rotation(x);
    if (trivialises_) q = matmul(base_, q);
    return wide ? q.transpose(-2, -1) : q;
  }

  Tensor right_inverse(const Tensor& value) override {
    const NoGradGuard no_grad;
    STRATA_CHECK(value.sizes() == sizes_, "orthogonal: expected a matrix or batch of matrices {}, got {}", sizes_,
                 value.sizes());
    const bool wide = value.size(-2) < value.size(-1);
    const Tensor q = wide ? value.transpose(-2, -1) : value;
    if (!trivialises_) {
      STRATA_CHECK(map_ == Map::kHouseholder,
                   "orthogonal: without use_trivialization no value can be given to \"matrix_exp\" or \"cayley\"");
      const Tensor packed = reflections_of(q);
      return wide ? packed.transpose(-2, -1).contiguous() : packed;
    }
    set_base(completed(q));
    Tensor negative_identity = zeros_like(value);
    diagonal_of(negative_identity).fill_(-1);
    return negative_identity;
  }

 private:
  /// A rotation by the skew-symmetric matrix of what lies below the diagonal.
  Tensor by_rotation(const Tensor& x) const {
    const int64_t n = x.size(-2), k = x.size(-1);
    Tensor square = x.tril();
    if (n != k) {
      DimVector sizes = x.sizes();
      sizes[sizes.size() - 1] = n - k;
      square = cat({square, x.new_zeros(sizes)}, -1);
    }
    const Tensor skew = square - adjoint(square);
    const Tensor q = map_ == Map::kMatrixExp ? linalg::matrix_exp(skew) : cayley(skew);
    return n == k ? q : q.narrow(-1, 0, k);
  }
  /// `(I - A / 2)^-1 (I + A / 2)`.
  static Tensor cayley(const Tensor& a) {
    const Tensor identity = eye(a.size(-1), a.options());
    return linalg::solve(identity - a / 2, identity + a / 2);
  }
  /// The product of the reflections below the diagonal, with the signs that stand on it, which do not learn.
  static Tensor by_reflections(const Tensor& x) {
    const Tensor a = x.tril(-1), tau = 2 / (1 + (a * a).sum(-2));
    return linalg::householder_product(a, tau) * diagonal_of(x).detach().trunc().unsqueeze(-2);
  }
  /// The reflections whose product is a matrix's Q, and signs on the diagonal.
  static Tensor reflections_of(const Tensor& q) {
    const auto [packed, tau] = geqrf(q);
    Tensor signs = diagonal_of(packed);
    // LAPACK gives a tau of exactly zero where it uses no reflection.
    signs.copy_(where(tau.eq(0), signs.sign().neg(), signs.sign()));
    return packed;
  }
  /// An orthogonal matrix whose first columns are those of q made orthonormal.
  static Tensor completed(const Tensor& q) {
    const int64_t n = q.size(-2), k = q.size(-1);
    if (n == k) return is_orthogonal(q) ? q.clone() : orthonormalised(q);
    DimVector sizes = q.sizes();
    sizes[sizes.size() - 1] = n - k;
    return orthonormalised(cat({q, randn(sizes, q.options())}, -1));
  }
  void set_base(const Tensor& base) {
    if (base_.defined())
      base_.copy_(base);
    else
      base_ = register_buffer("base", base);
  }

  DimVector sizes_;
  Map map_;
  bool trivialises_;
  Tensor base_;
};

}  // namespace

std::shared_ptr<parametrize::Parametrization> make_orthogonal(const Tensor& weight, std::string_view orthogonal_map,
                                                              bool use_trivialization) {
  return std::make_shared<Orthogonal>(weight, map_of(weight, orthogonal_map), use_trivialization);
}

}  // namespace strata::nn::utils::parametrizations
