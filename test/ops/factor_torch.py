"""Writes factor_torch.txt: what PyTorch answers, in float64 on CPU, for the calls that factor.cpp makes too.

Each line is a name and the elements of the result. Run: python test/ops/factor_torch.py > test/ops/factor_torch.txt
"""
import torch

torch.set_default_dtype(torch.float64)
la = torch.linalg


def matrix(*sizes):
    """Element i is sin(1 + i^2 / 2)."""
    n = torch.Size(sizes).numel()
    return torch.sin(1 + torch.arange(n) ** 2 / 2).reshape(sizes)


def gradient(f, *inputs):
    inputs = [x.clone().requires_grad_() for x in inputs]
    out = f(*inputs)
    weights = matrix(*out.shape)
    return torch.cat([g.reshape(-1) for g in torch.autograd.grad((out * weights).sum(), inputs)])


def symmetric(x):
    return x + x.mT


def definite(x):
    return x @ x.mT + torch.eye(x.size(-1))


a, wide, tall, batch = matrix(4, 4), matrix(3, 5), matrix(5, 3), matrix(2, 3, 3)
# Without a diagonal its pivots are blocks of two.
blocks = torch.stack([symmetric(a), symmetric(a) - 2 * torch.diag(a.diagonal())])
thin = matrix(5, 2) @ matrix(2, 4)
calls = {
    "ldl": lambda: torch.cat([t.reshape(-1).to(torch.float64) for t in la.ldl_factor(blocks)]),
    "ldl_solve": lambda: la.ldl_solve(*la.ldl_factor(blocks), matrix(2, 4, 3)),
    "matrix_exp": lambda: la.matrix_exp(3 * batch),
    "matrix_exp_grad": lambda: gradient(la.matrix_exp, 2 * a),
    "sqrth": lambda: la.matrix_sqrth(definite(batch)),
    "sqrth_grad": lambda: gradient(la.matrix_sqrth, definite(batch)),
    "sqrth_equal_grad": lambda: gradient(la.matrix_sqrth, 4 * torch.eye(3)),
    "pinv": lambda: la.pinv(thin),
    "pinv_grad": lambda: gradient(lambda x: la.pinv(x), thin),
    "pinv_rtol": lambda: la.pinv(a, atol=0.5, rtol=0.2),
    "pinv_hermitian": lambda: la.pinv(symmetric(a), atol=1.0, rtol=0.0, hermitian=True),
    "matrix_rank": lambda: torch.stack([la.matrix_rank(thin), la.matrix_rank(a, atol=0.9, rtol=0.0), la.matrix_rank(wide)]),
    "slogdet": lambda: torch.cat(la.slogdet(batch)),
    "logdet": lambda: torch.logdet(batch),
    "det_grad": lambda: gradient(la.det, batch),
    "cond": lambda: torch.stack([la.cond(a, p) for p in (None, 1, -1, float("inf"), -float("inf"), 2, -2, "fro", "nuc")]),
    "matrix_norm": lambda: torch.stack([la.matrix_norm(batch, p, (0, 2)) for p in (1, -1, float("inf"), -float("inf"), 2, -2, "fro", "nuc")]),
    "norm": lambda: torch.stack([la.norm(a), la.norm(a, 1), la.norm(a[0], 1), la.norm(a, 3, 1).sum(), la.norm(a, "nuc")]),
    "lstsq": lambda: torch.cat([t.reshape(-1).to(torch.float64) for t in la.lstsq(tall, matrix(5, 2), driver="gelsd")]),
    "lstsq_wide": lambda: la.lstsq(wide, matrix(3, 2), driver="gels").solution,
    "lstsq_rank": lambda: torch.cat([t.reshape(-1).to(torch.float64) for t in la.lstsq(thin, matrix(5, 2))]),
    "lstsq_rcond": lambda: torch.cat([t.reshape(-1).to(torch.float64) for x in (tall, wide) for t in la.lstsq(x, matrix(x.size(0), 2), rcond=0.5)]),
    "lstsq_rank_grad": lambda: gradient(lambda x, b: la.lstsq(x, b).solution, thin, matrix(5, 2)),
    "lstsq_wide_grad": lambda: gradient(lambda x, b: la.lstsq(x, b).solution, wide, matrix(3, 2)),
    "lstsq_tall_grad": lambda: gradient(lambda x, b: la.lstsq(x, b).solution, tall, matrix(5, 2)),
    "lstsq_grad": lambda: gradient(lambda x, b: la.lstsq(x, b, driver="gels").solution, tall, matrix(5, 2)),
    "solve_grad": lambda: gradient(lambda x, b: la.solve(x, b, left=False), a, matrix(2, 4)),
    "cholesky_grad": lambda: gradient(la.cholesky, definite(batch)),
    "qr_grad": lambda: gradient(lambda x: torch.cat(la.qr(x), -2), tall),
    "qr_wide_grad": lambda: gradient(lambda x: torch.cat(la.qr(x), -1), wide),
    "lu_grad": lambda: gradient(lambda x: la.lu_factor(x)[0], wide),
    "svd_grad": lambda: gradient(lambda x: (lambda u, s, v: torch.cat([u * u, s[:, None], (v * v).mT], -1))(*la.svd(x)), a),
    "eigh_grad": lambda: gradient(lambda x: (lambda w, v: v * v + w)(*la.eigh(symmetric(x))), a),
    "svdvals": lambda: la.svdvals(wide),
    "eigvalsh": lambda: la.eigvalsh(batch, UPLO="U"),
    "vander": lambda: la.vander(wide),
    "cross": lambda: la.cross(matrix(2, 3, 2), matrix(1, 3, 2), dim=1),
    "householder": lambda: la.householder_product(tall, matrix(2)),
    "matrix_power": lambda: la.matrix_power(batch, -3),
    "tensorsolve": lambda: la.tensorsolve(matrix(2, 3, 6), matrix(2, 3)),
    "tensorinv": lambda: la.tensorinv(matrix(6, 2, 3), 1),
    "lu_solve": lambda: la.lu_solve(*la.lu_factor(batch), matrix(2, 2, 3), left=False, adjoint=True),
}
for name, call in calls.items():
    print(name, *(f"{v:.17g}" for v in call().detach().reshape(-1).to(torch.float64).tolist()))
