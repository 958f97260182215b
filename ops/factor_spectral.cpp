// The ops that factor matrices by QR, eigenvalues and singular values, and pseudo-inverses, with their rules.
// The formulas are those of PyTorch's FunctionsManual.cpp, under the names cited.
#include "ops/factor_rules.h"
#include "ops/reduce.h"
#include "ops/ternary.h"
#include "ops/unary.h"

namespace strata {

using namespace factor;

namespace {

/// x R^-1 and x R^-H for upper triangular R.
Tensor undo_r(const Tensor& r, const Tensor& x) {
  return triangular(r, x, {.upper = true, .left = false, .unitriangular = false});
}
Tensor undo_r_adjoint(const Tensor& r, const Tensor& x) {
  return triangular(adjoint(r), x, {.upper = false, .left = false, .unitriangular = false});
}

void check_qr(const Tensor& a, const QrParams& p) {
  STRATA_CHECK(
      !p.complete || a.size(-2) <= a.size(-1),
      "linalg.qr: mode \"complete\" has no derivative for shape {}, as the further columns of Q may be any basis",
      a.sizes());
}

/// linalg_qr_backward for `(m, n)` with m >= n: gA = (gQ + Q sym) R^-H, where sym is the upper half of gR R^H - Q^H gQ
/// and its adjoint.
Tensor qr_tall_vjp(const Tensor& q, const Tensor& r, const Tensor& gq, const Tensor& gr) {
  Tensor w = times(gr, adjoint(r));
  if (gq.defined()) w = minus(w, matmul(adjoint(q), gq));
  const Tensor half = half_triu(w);
  return undo_r_adjoint(r, plus(gq, matmul(q, half.add(adjoint(half)))));
}

/// For m < n, R = [R1 R2] with R2 = Q^H A2, which is one more function of Q.
Tensors qr_vjp(const Vjp& c, const QrParams& p) {
  const Tensor &q = c.out(0), &r = c.out(1), &gq = c.grad(0), &gr = c.grad(1);
  const int64_t m = q.size(-2), n = r.size(-1);
  check_qr(r, p);
  if (m >= n) return qr_tall_vjp(q, r, gq, gr);
  const Tensor r1 = cols(r, 0, m), r2 = cols(r, m, n - m);
  if (!gr.defined()) {
    const Tensor g1 = qr_tall_vjp(q, r1, gq, gr);
    return cat({g1, zeros_like(r2)}, -1);
  }
  const Tensor g2 = matmul(q, cols(gr, m, n - m));
  const Tensor g1 = qr_tall_vjp(q, r1, minus(gq, matmul(g2, adjoint(r2))), cols(gr, 0, m));
  return cat({g1, g2}, -1);
}

/// linalg_qr_jvp: dR R^-1 is the upper half of M + M^H with M = Q^H dA R^-1, and dQ = dA R^-1 - Q dR R^-1.
Tensors qr_jvp(const Jvp& c, const QrParams& p) {
  const Tensor &q = c.out(0), &r = c.out(1), &da = c.tangent();
  const int64_t m = q.size(-2), n = r.size(-1), k = std::min(m, n);
  check_qr(r, p);
  const Tensor r1 = cols(r, 0, k), da1 = undo_r(r1, cols(da, 0, k)), mid = matmul(adjoint(q), da1);
  const Tensor e = half_triu(mid.add(adjoint(mid))), dq = da1.sub(matmul(q, e)), dr1 = matmul(e, r1);
  if (m >= n) return {dq, dr1};
  const Tensor dr2 = matmul(adjoint(q), cols(da, m, n - m).sub(matmul(dq, cols(r, m, n - m))));
  return {dq, cat({dr1, dr2}, -1)};
}

/// m over x[j] - x[i] at i, j, and 0 on the diagonal, also where m is infinite there.
Tensor over_differences(const Tensor& m, const Tensor& x) {
  const Tensor one = eye(x.size(-1), x.options());
  return where(one > 0, 0, m.div(unsqueeze(x, -2).sub(unsqueeze(x, -1)).add(one)));
}

/// linalg_eig_backward for Hermitian matrices: gA = V (diag(gw) + F (V^H gV)) V^H, F[i, j] = 1 / (w[j] - w[i]). Of it
/// the symmetric part, as if A had been made symmetric first.
Tensors eigh_vjp(const Vjp& c) {
  const Tensor &w = c.out(0), &v = c.out(1);
  Tensor inner = c.grad(1).defined() ? matmul(v, over_differences(matmul(adjoint(v), c.grad(1)), w)) : Tensor();
  if (c.grad(0).defined()) inner = plus(inner, scale_columns(v, c.grad(0)));
  return symmetric(matmul(inner, adjoint(v)));
}

Tensors eigh_jvp(const Jvp& c) {
  const Tensor &w = c.out(0), &v = c.out(1);
  const Tensor mid = matmul(adjoint(v), matmul(symmetric(c.tangent()), v));
  return {real(matrix_diagonal(mid)), matmul(v, over_differences(mid, w))};
}

/// U (m, m) and Vh (n, n) of a full SVD are U1 and Vh1 of the reduced one beside a basis U2 (V2) of what is left. The
/// choice of that basis has no derivative; here it moves no more than it must: dU2 = -U1 dU1^H U2. `g` counts gU2 in:
/// gU1 - U2 gU2^H U1.
struct Basis {
  Basis(const Tensor& whole, int64_t k) : first(cols(whole, 0, k)), rest(cols(whole, k, whole.size(-1) - k)) {}
  Tensor gradient(const Tensor& g) const {
    if (!g.defined() || rest.size(-1) == 0) return g;
    const int64_t k = first.size(-1);
    return cols(g, 0, k).sub(matmul(rest, matmul(adjoint(cols(g, k, rest.size(-1))), first)));
  }
  Tensor tangent(const Tensor& d) const {
    if (rest.size(-1) == 0) return d;
    return cat({d, matmul(first, matmul(adjoint(d), rest)).neg()}, -1);
  }
  /// x without what the first columns span.
  Tensor outside(const Tensor& x) const { return x.sub(matmul(first, matmul(adjoint(first), x))); }
  const Tensor first, rest;
};

struct SvdFactors {
  explicit SvdFactors(const Primals& c)
      : s(c.out(1)),
        u(c.out(0), s.size(-1)),
        v(adjoint(c.out(2)), s.size(-1)),
        m(c.out(0).size(-2)),
        n(c.out(2).size(-1)) {}
  int64_t k() const { return s.size(-1); }
  const Tensor& s;
  const Basis u, v;
  const int64_t m, n;
};

/// How the phases of complex singular vectors turn with A: i Im(diagonal) / (2 S), for U one way and for V the other.
Tensor phase(const Tensor& diagonal, const Tensor& s) {
  const Tensor turn = imag(diagonal).div(s.mul(2));
  return complex(zeros_like(turn), turn);
}

/// svd_backward: gA = U [(skew(U^H gU) / E) S + S (skew(V^H gV) / E) + diag(gS)] V^H, and what gU and gV ask of the
/// space outside of U and V; F[i, j] = 1 / (S[j]^2 - S[i]^2). Of complex numbers U and V are unique up to phases, so a
/// function of them has a gradient only if it asks opposite phases of the two, which U's tells.
Tensors svd_vjp(const Vjp& c) {
  const SvdFactors f(c);
  const Tensor &u = f.u.first, &v = f.v.first;
  const Tensor gu = f.u.gradient(c.grad(0)), gv = f.v.gradient(c.grad(2).defined() ? adjoint(c.grad(2)) : Tensor());
  Tensor mid = c.grad(1).defined() ? diag_embed(c.grad(1)).to(u.dtype()) : Tensor();
  if (gu.defined() || gv.defined()) {
    const Tensor squares = f.s.mul(f.s);
    if (gu.defined()) {
      const Tensor turned = skew(matmul(adjoint(u), gu));
      mid = plus(mid, scale_columns(over_differences(turned, squares), f.s));
      if (gv.defined() && is_complex(turned)) mid = mid.add(diag_embed(phase(matrix_diagonal(turned), f.s)));
    }
    if (gv.defined()) mid = plus(mid, scale_rows(over_differences(skew(matmul(adjoint(v), gv)), squares), f.s));
  }
  Tensor g = matmul(matmul(u, mid), adjoint(v));
  if (gu.defined() && f.m > f.k()) g = g.add(matmul(f.u.outside(gu).div(unsqueeze(f.s, -2)), adjoint(v)));
  if (gv.defined() && f.n > f.k()) g = g.add(matmul(u, adjoint(f.v.outside(gv).div(unsqueeze(f.s, -2)))));
  return g;
}

/// linalg_svd_jvp.
Tensors svd_jvp(const Jvp& c) {
  const SvdFactors f(c);
  const Tensor &u = f.u.first, &v = f.v.first, &da = c.tangent();
  const Tensor dav = matmul(da, v), dp = matmul(adjoint(u), dav), squares = f.s.mul(f.s);
  const Tensor right = scale_columns(dp, f.s), left = scale_rows(dp, f.s);
  Tensor mid_u = over_differences(right.add(adjoint(right)), squares),
         mid_v = over_differences(left.add(adjoint(left)), squares);
  if (is_complex(dp)) {
    const Tensor turn = diag_embed(phase(matrix_diagonal(dp), f.s));
    mid_u = mid_u.add(turn), mid_v = mid_v.sub(turn);
  }
  Tensor du = matmul(u, mid_u), dv = matmul(v, mid_v);
  if (f.m > f.k()) du = du.add(f.u.outside(dav).div(unsqueeze(f.s, -2)));
  if (f.n > f.k()) dv = dv.add(f.v.outside(matmul(adjoint(da), u)).div(unsqueeze(f.s, -2)));
  return {f.u.tangent(du), real(matrix_diagonal(dp)), adjoint(f.v.tangent(dv))};
}

Tensors reduced_svd(const Tensor& a) { return call(svd_op, {&a}, SvdParams{false}); }

/// d with X d + d X = dA for X^2 = A, which is its own adjoint map: Sylvester's equation between X's eigenvectors. X is
/// the op itself on A and its root, so that this can be derived again.
Tensor sqrth_derivative(const Tensor& a, const Tensor& root, const Tensor& da) {
  const Tensor constant = stop_gradient(root);
  const Tensor x = call1(matrix_sqrth_op, {&a, &constant});
  const Tensors values = call(eigh_op, {&x}, EighParams{.upper = false});
  const Tensor &s = values[0], &q = values[1];
  const Tensor between = matmul(matmul(adjoint(q), symmetric(da)), q);
  return matmul(matmul(q, between.div(unsqueeze(s, -1).add(unsqueeze(s, -2)))), adjoint(q));
}

/// The ranks of matrices with the pseudo-inverses P: the traces of the projections A P.
Tensor rank_by(const Tensor& a, const Tensor& p) {
  return round(real(stop_gradient(a).mul(transpose(stop_gradient(p), -2, -1))).sum({-2, -1}));
}

/// pinv_backward, without the terms that independent rows or columns leave nothing of; P is the op itself on A and its
/// pseudo-inverse, so that this can be derived again.
Tensor pinv_grad(const Tensor& a, const Tensor& p, const Tensor& grad) {
  const Tensor gh = adjoint(grad), ph = adjoint(p), rank = rank_by(a, p);
  const int64_t m = a.size(-2), n = a.size(-1);
  if (m <= n) {
    const Tensor k = matmul(gh, p), kph = matmul(k, ph);
    return beyond_rank(kph.sub(matmul(matmul(a, p), kph)), rank, m)
        .sub(adjoint(matmul(p, k)))
        .add(matmul(matmul(ph, p), beyond_rank(gh.sub(matmul(k, a)), rank, n)));
  }
  const Tensor k = matmul(p, gh), phk = matmul(ph, k);
  return matmul(matmul(beyond_rank(gh.sub(matmul(a, k)), rank, m), p), ph)
      .sub(adjoint(matmul(k, p)))
      .add(beyond_rank(phk.sub(matmul(matmul(phk, p), a)), rank, n));
}

/// pinv_jvp: dP = -P dA P + (I - P A) dA^H P^H P + P P^H dA^H (I - A P).
Tensor pinv_tangent(const Tensor& a, const Tensor& p, const Tensor& da) {
  const Tensor dah = adjoint(da), ph = adjoint(p), rank = rank_by(a, p);
  const Tensor kernel = matmul(dah, matmul(ph, p)), range = matmul(matmul(p, ph), dah);
  return beyond_rank(kernel.sub(matmul(p, matmul(a, kernel))), rank, a.size(-1))
      .add(beyond_rank(range.sub(matmul(matmul(range, a), p)), rank, a.size(-2)))
      .sub(matmul(matmul(p, da), p));
}

}  // namespace

STRATA_OP(qr_op) = op<QrParams>("qr(Tensor A, bool complete) -> (Tensor Q, Tensor R)")
                       .flag(kNeedsLapack)
                       .infer([](Args in, const QrParams& p) {
                         const int64_t m = in[0].size(-2), n = in[0].size(-1), k = p.complete ? m : std::min(m, n);
                         return Metas(meta_with(in[0], {m, k}), meta_with(in[0], {k, n}));
                       })
                       .vjp([](const Vjp& c, const QrParams& p) { return qr_vjp(c, p); })
                       .saves(saves_out(0, 1))
                       .jvp([](const Jvp& c, const QrParams& p) { return qr_jvp(c, p); })
                       .batch(pointwise_batch)
                       .dtypes(kSingleAndDouble | kComplexTypes);

STRATA_OP(eigh_op) = op<EighParams>("eigh(Tensor A, bool upper) -> (Tensor w, Tensor V)")
                         .flag(kNeedsLapack)
                         .infer([](Args in) {
                           return Metas(real_meta_with(in[0], {in[0].size(-1)}), meta_like(in[0]));
                         })
                         .vjp([](const Vjp& c) { return eigh_vjp(c); })
                         .saves(saves_out(0, 1))
                         .jvp([](const Jvp& c) { return eigh_jvp(c); })
                         .batch(pointwise_batch)
                         .dtypes(kSingleAndDouble | kComplexTypes);

STRATA_OP(eigvalsh_op) = op<EighParams>("eigvalsh(Tensor A, bool upper) -> Tensor")
                             .flag(kNeedsLapack)
                             .infer([](Args in) { return real_meta_with(in[0], {in[0].size(-1)}); })
                             .vjp([](const Vjp& c, const EighParams& p) -> Tensors {
                               const Tensor v = call(eigh_op, {&c.in(0)}, p)[1];
                               return matmul(scale_columns(v, c.grad()), adjoint(v));
                             })
                             .saves(saves_in(0))
                             .jvp([](const Jvp& c, const EighParams& p) -> Tensors {
                               const Tensor v = call(eigh_op, {&c.in(0)}, p)[1];
                               return real(conj(v).mul(matmul(c.tangent(), v))).sum({-2});
                             })
                             .batch(pointwise_batch)
                             .dtypes(kSingleAndDouble | kComplexTypes);

STRATA_OP(svd_op) = op<SvdParams>("svd(Tensor A, bool full_matrices) -> (Tensor U, Tensor S, Tensor Vh)")
                        .flag(kNeedsLapack)
                        .infer([](Args in, const SvdParams& p) {
                          const int64_t m = in[0].size(-2), n = in[0].size(-1), k = std::min(m, n);
                          return Metas(meta_with(in[0], {m, p.full_matrices ? m : k}), real_meta_with(in[0], {k}),
                                       meta_with(in[0], {p.full_matrices ? n : k, n}));
                        })
                        .vjp([](const Vjp& c) { return svd_vjp(c); })
                        .saves(saves_out(0, 1, 2))
                        .jvp([](const Jvp& c) { return svd_jvp(c); })
                        .batch(pointwise_batch)
                        .dtypes(kSingleAndDouble | kComplexTypes);

STRATA_OP(svdvals_op) = op("svdvals(Tensor A) -> Tensor")
                            .flag(kNeedsLapack)
                            .infer([](Args in) {
                              return real_meta_with(in[0], {std::min(in[0].size(-2), in[0].size(-1))});
                            })
                            .vjp([](const Vjp& c) -> Tensors {
                              const Tensors f = reduced_svd(c.in(0));
                              return matmul(scale_columns(f[0], c.grad()), f[2]);
                            })
                            .saves(saves_in(0))
                            .jvp([](const Jvp& c) -> Tensors {
                              const Tensors f = reduced_svd(c.in(0));
                              return real(conj(f[0]).mul(matmul(c.tangent(), adjoint(f[2])))).sum({-2});
                            })
                            .batch(pointwise_batch)
                            .dtypes(kSingleAndDouble | kComplexTypes);

// The matrices in between are constants: they are functions of A by the op itself.
STRATA_OP(matrix_sqrth_op) = op("matrix_sqrth(Tensor A, Tensor X) -> Tensor")
                                 .infer([](Args in) { return meta_like(in[1]); })
                                 .vjp([](const Vjp& c) -> Tensors {
                                   if (!c.needs(0)) return {Tensor(), Tensor()};
                                   return {sqrth_derivative(c.in(0), c.in(1), c.grad()), Tensor()};
                                 })
                                 .saves_for(0, saves_in(0, 1))
                                 .jvp([](const Jvp& c) -> Tensors {
                                   if (!c.tangent().defined()) return rules::zero_like(c.out());
                                   return sqrth_derivative(c.in(0), c.in(1), c.tangent());
                                 })
                                 .batch(pointwise_batch)
                                 .dtypes(kSingleAndDouble | kComplexTypes);

STRATA_OP(pinv_op) = op("pinv(Tensor A, Tensor P) -> Tensor")
                         .infer([](Args in) { return meta_like(in[1]); })
                         .vjp([](const Vjp& c) -> Tensors {
                           if (!c.needs(0)) return {Tensor(), Tensor()};
                           const Tensor &a = c.in(0), &constant = c.in(1);
                           return {pinv_grad(a, call1(pinv_op, {&a, &constant}), c.grad()), Tensor()};
                         })
                         .saves_for(0, saves_in(0, 1))
                         .jvp([](const Jvp& c) -> Tensors {
                           if (!c.tangent().defined()) return rules::zero_like(c.out());
                           const Tensor &a = c.in(0), &constant = c.in(1);
                           return pinv_tangent(a, call1(pinv_op, {&a, &constant}), c.tangent());
                         })
                         .batch(pointwise_batch)
                         .dtypes(kSingleAndDouble | kComplexTypes);

}  // namespace strata
