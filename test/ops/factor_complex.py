"""Writes factor_complex.txt: what PyTorch answers, in complex128 on CPU, for the calls that factor_complex.cpp makes too.

Each line is a name and the elements of the result, two numbers for a complex one. Gradients are those of a real sum over
both parts, each element with its own weight. Run: python test/ops/factor_complex.py > test/ops/factor_complex.txt
"""
import torch

torch.set_default_dtype(torch.float64)
la = torch.linalg


def wave(*sizes):
    """Element i is sin(1 + i^2 / 2)."""
    n = torch.Size(sizes).numel()
    return torch.sin(1 + torch.arange(n) ** 2 / 2).reshape(sizes)


def matrix(*sizes):
    parts = wave(*sizes, 2)
    return torch.complex(parts[..., 0].clone(), parts[..., 1].clone())


def numbers(x):
    return torch.stack([x.real, x.imag], -1).reshape(-1) if x.is_complex() else x.reshape(-1).to(torch.float64)


def flat(*tensors):
    return torch.cat([numbers(t) for t in tensors])


def gradient(f, *inputs):
    inputs = [x.clone().requires_grad_() for x in inputs]
    out = flat(*f(*inputs)) if isinstance(f(*inputs), tuple) else flat(f(*inputs))
    return flat(*torch.autograd.grad((out * wave(*out.shape)).sum(), inputs))


def definite(x):
    return x @ x.mH + torch.eye(x.size(-1))


def hermitian(x):
    return x + x.mH


def squares(x):
    return (x * x.conj()).real


a, wide, tall, batch = matrix(4, 4), matrix(3, 5), matrix(5, 3), matrix(2, 3, 3)
thin = matrix(5, 2) @ matrix(2, 4)
inf = float("inf")


def svd_invariants(x, full=False):
    """Of each pair of singular vectors only what their common phase leaves alone."""
    u, s, vh = la.svd(x, full_matrices=full)
    k = s.size(-1)
    return squares(u[..., :k]), s, squares(vh[..., :k, :]), (u[..., :k] * vh[..., :k, :1].mT)


def dominant(x):
    """So that no pivot but the diagonal's is taken: PyTorch has no factors without pivoting on the CPU."""
    return x + 9 * torch.eye(x.size(-2), x.size(-1))


calls = {
    "sqrth": lambda: la.matrix_sqrth(definite(batch)),
    "sqrth_grad": lambda: gradient(la.matrix_sqrth, definite(batch)),
    "ldl": lambda: flat(*la.ldl_factor(batch + batch.mT)),
    "ldl_hermitian": lambda: flat(*la.ldl_factor(hermitian(batch), hermitian=True)),
    "ldl_solve": lambda: la.ldl_solve(*la.ldl_factor(batch + batch.mT), matrix(2, 3, 2)),
    "ldl_solve_hermitian": lambda: la.ldl_solve(*la.ldl_factor(hermitian(a), hermitian=True), matrix(4, 3), hermitian=True),
    "lu_plain": lambda: flat(*la.lu_factor(dominant(wide))),
    "lu_plain_grad": lambda: gradient(lambda x: la.lu_factor(dominant(x))[0], wide),
    "lu_plain_tall_grad": lambda: gradient(lambda x: la.lu_factor(dominant(x))[0], tall),
    "cholesky": lambda: la.cholesky(definite(batch)),
    "cholesky_upper": lambda: la.cholesky(definite(batch), upper=True),
    "cholesky_grad": lambda: gradient(lambda x: la.cholesky(definite(x)), batch),
    "cholesky_upper_grad": lambda: gradient(lambda x: la.cholesky(definite(x), upper=True), batch),
    "cholesky_solve": lambda: torch.cholesky_solve(matrix(2, 3, 2), la.cholesky(definite(batch))),
    "cholesky_inverse": lambda: torch.cholesky_inverse(la.cholesky(definite(a), upper=True), upper=True),
    "lu_factor": lambda: flat(*la.lu_factor(batch)),
    "lu": lambda: flat(*la.lu(wide)),
    "lu_grad": lambda: gradient(lambda x: la.lu_factor(x)[0], wide),
    "lu_tall_grad": lambda: gradient(lambda x: la.lu_factor(x)[0], tall),
    "lu_solve": lambda: la.lu_solve(*la.lu_factor(batch), matrix(2, 2, 3), left=False, adjoint=True),
    "lu_solve_adjoint": lambda: la.lu_solve(*la.lu_factor(batch), matrix(2, 3, 1), adjoint=True),
    "solve": lambda: la.solve(batch, matrix(2, 3, 2)),
    "solve_right": lambda: la.solve(a, matrix(2, 4), left=False),
    "solve_vector": lambda: la.solve(a, matrix(4)),
    "solve_grad": lambda: gradient(la.solve, a, matrix(4, 2)),
    "solve_right_grad": lambda: gradient(lambda x, b: la.solve(x, b, left=False), a, matrix(2, 4)),
    "inv": lambda: la.inv(batch),
    "inv_grad": lambda: gradient(la.inv, a),
    "triangular": lambda: la.solve_triangular(a, matrix(4, 2), upper=True),
    "triangular_row": lambda: la.solve_triangular(a, matrix(1, 4), upper=False, left=False),
    "triangular_adjoint": lambda: la.solve_triangular(a.mH, matrix(4, 1), upper=False),
    "triangular_grad": lambda: gradient(lambda x, b: la.solve_triangular(x, b, upper=False, left=False, unitriangular=True), a, matrix(2, 4)),
    "det": lambda: la.det(batch),
    "det_grad": lambda: gradient(la.det, batch),
    "slogdet": lambda: flat(*la.slogdet(batch)),
    "slogdet_grad": lambda: gradient(lambda x: tuple(la.slogdet(x)), batch),
    "logdet": lambda: torch.logdet(batch),
    "logdet_grad": lambda: gradient(torch.logdet, batch),
    "qr": lambda: flat(*la.qr(tall)),
    "qr_complete": lambda: flat(*la.qr(wide, mode="complete")),
    "qr_grad": lambda: gradient(lambda x: tuple(la.qr(x)), tall),
    "qr_wide_grad": lambda: gradient(lambda x: tuple(la.qr(x)), wide),
    "eigvalsh": lambda: la.eigvalsh(batch),
    "eigvalsh_upper": lambda: la.eigvalsh(batch, UPLO="U"),
    "eigvalsh_grad": lambda: gradient(lambda x: la.eigvalsh(hermitian(x)), a),
    "eigh": lambda: (lambda w, v: flat(w, squares(v), v @ torch.diag_embed(w.to(v.dtype)) @ v.mH))(*la.eigh(hermitian(batch))),
    "eigh_grad": lambda: gradient(lambda x: (lambda w, v: (w, squares(v), v * v[:1].conj()))(*la.eigh(hermitian(x))), a),
    "svdvals": lambda: la.svdvals(wide),
    "svdvals_grad": lambda: gradient(la.svdvals, wide),
    "svd": lambda: flat(*svd_invariants(tall)),
    "svd_full": lambda: flat(*svd_invariants(wide, True)),
    "svd_grad": lambda: gradient(svd_invariants, a),
    "svd_tall_grad": lambda: gradient(svd_invariants, tall),
    "svd_wide_grad": lambda: gradient(svd_invariants, wide),
    "pinv": lambda: la.pinv(thin),
    "pinv_grad": lambda: gradient(lambda x: la.pinv(x), thin),
    "pinv_hermitian": lambda: la.pinv(hermitian(a), atol=1.0, rtol=0.0, hermitian=True),
    "matrix_rank": lambda: torch.stack([la.matrix_rank(thin), la.matrix_rank(a), la.matrix_rank(wide)]),
    "cond": lambda: torch.stack([la.cond(a, p) for p in (None, 1, -1, inf, -inf, 2, -2, "fro", "nuc")]),
    "matrix_norm": lambda: torch.stack([la.matrix_norm(batch, p, (0, 2)) for p in (1, -1, inf, -inf, 2, -2, "fro", "nuc")]),
    "norm": lambda: torch.stack([la.norm(a), la.norm(a, 1), la.norm(a[0], 1), la.norm(a, 3, 1).sum(), la.norm(a, "nuc")]),
    "norm_grad": lambda: gradient(lambda x: (la.norm(x), la.norm(x, 1), la.norm(x, "nuc")), a),
    "lstsq": lambda: flat(*la.lstsq(tall, matrix(5, 2), driver="gelsd")),
    "lstsq_wide": lambda: la.lstsq(wide, matrix(3, 2), driver="gels").solution,
    "lstsq_default": lambda: flat(*la.lstsq(tall, matrix(5, 2)), la.lstsq(wide, matrix(3, 2)).solution),
    "lstsq_default_grad": lambda: gradient(lambda x, b: la.lstsq(x, b).solution, tall, matrix(5, 2)),
    "lstsq_grad": lambda: gradient(lambda x, b: la.lstsq(x, b, driver="gels").solution, tall, matrix(5, 2)),
    "matrix_exp": lambda: la.matrix_exp(2 * batch),
    "matrix_exp_grad": lambda: gradient(la.matrix_exp, a),
    "matrix_power": lambda: la.matrix_power(batch, -3),
    "householder": lambda: la.householder_product(tall, matrix(2)),
    "householder_grad": lambda: gradient(la.householder_product, tall, matrix(2)),
    "tensorsolve": lambda: la.tensorsolve(matrix(2, 3, 6), matrix(2, 3)),
    "tensorinv": lambda: la.tensorinv(matrix(6, 2, 3), 1),
    "multi_dot": lambda: la.multi_dot([wide, tall, matrix(3, 2)]),
    "triangular_solve": lambda: torch.triangular_solve(matrix(4, 2), a, upper=True, transpose=True).solution,
}
for name, call in calls.items():
    print(name, *(f"{v:.17g}" for v in numbers(call().detach()).tolist()))
