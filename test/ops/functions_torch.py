"""Writes functions_torch.txt: what PyTorch answers, in float64 on CPU, for the calls that functions_torch.cpp makes too.

Each line is a name, the sizes of a result, a colon and its elements; a call with several results has several lines.
Run: python test/ops/functions_torch.py > test/ops/functions_torch.txt
"""
import torch

torch.set_default_dtype(torch.float64)
nan, inf = float("nan"), float("inf")


def wave(*sizes):
    """Element i is sin(1 + i^2 / 2)."""
    n = torch.Size(sizes).numel()
    return torch.sin(1 + torch.arange(n) ** 2 / 2).reshape(sizes)


def gradients(f, *inputs):
    inputs = [x.clone().requires_grad_() for x in inputs]
    out = f(*inputs)
    return list(torch.autograd.grad((out * wave(*out.shape)).sum(), inputs))


def ints(*values):
    return torch.tensor(values)


x34, x234, x8 = wave(3, 4), wave(2, 3, 4), wave(8)
holes = wave(3, 4).masked_fill(wave(3, 4) > 0.7, nan)
q3 = torch.tensor([0.0, 0.3, 0.8])
kinds = ["linear", "lower", "higher", "midpoint", "nearest"]
repeated = (wave(4, 6) * 2).round()
index = ints(0, 2, 1, 0, 1, 1, 2, 2, 0, 0, 1, 2).reshape(3, 4)
ties = ints(1, 2, 2, 3, 3, 3, 0, 1, 2, 3, 1, 2).reshape(3, 4).double()
zeros = ints(0, 2, 0, 3, 1, 3, 0, 1, 2, 3, 1, 0).reshape(3, 4).double()
rows = torch.tensor([[3, 1], [1, 2], [3, 1], [1, 2], [1, 0], [3, 1.0]])
square = wave(4, 4)
hermitian = wave(3, 3) + 1j * wave(3, 3).T.flip(0)

calls = {
    "quantile": lambda: [torch.quantile(x34, 0.35)] + [torch.quantile(x34, q3, 1, interpolation=k) for k in kinds],
    "quantile_keepdim": lambda: [torch.quantile(x34, q3, 0, True), torch.quantile(x34, 0.5, -1, True), torch.quantile(x34, q3, keepdim=True), torch.quantile(x34, 0.2, keepdim=True), torch.quantile(torch.tensor(3.0), q3)],
    "quantile_nan": lambda: [torch.quantile(holes, q3, 1), torch.quantile(torch.tensor([inf, 1.0, -inf]), q3)],
    "quantile_grad": lambda: gradients(lambda x: torch.quantile(x, q3, 1), x34) + gradients(lambda x: torch.quantile(x, q3, 0, interpolation="midpoint"), x34),
    "nanquantile": lambda: [torch.nanquantile(holes, q3, d, interpolation=k) for d in (0, 1) for k in kinds] + [torch.nanquantile(torch.tensor([nan, nan]), 0.5)],
    "nanquantile_grad": lambda: gradients(lambda x: torch.nanquantile(x, q3, 1), holes),
    "nanmedian": lambda: [torch.nanmedian(holes), *torch.nanmedian(holes, 1), *torch.nanmedian(holes, 0, True), torch.nanmedian(torch.tensor([nan, nan]), 0)[0]],
    "nanmean": lambda: [torch.nanmean(holes), torch.nanmean(holes, 1), torch.nanmean(holes, (0, 1), True)] + gradients(lambda x: torch.nanmean(x, 0), holes),
    "mode": lambda: [*torch.mode(repeated), *torch.mode(repeated, 0, True), *torch.mode(torch.tensor([1.0, nan, nan, 2, nan])), *torch.mode(torch.tensor([True, False, True]))],
    "mode_grad": lambda: gradients(lambda x: torch.mode(x, 1)[0], repeated),
    "cov": lambda: [torch.cov(x34), torch.cov(x8), torch.cov(x34, correction=0), torch.cov(x34, fweights=ints(1, 2, 3, 1)), torch.cov(x34, aweights=wave(4).abs()), torch.cov(x34, correction=2, fweights=ints(1, 2, 3, 1), aweights=wave(4).abs()), torch.cov(ints(1, 2, 3, 3, 1, 1).reshape(2, 3))],
    "cov_grad": lambda: gradients(torch.cov, x34) + gradients(torch.corrcoef, x34),
    "corrcoef": lambda: [torch.corrcoef(x34), torch.corrcoef(x8)],
    "histc": lambda: [torch.histc(x234, 5), torch.histc(x234, 4, -0.5, 0.5), torch.histc(torch.ones(2), 4), torch.histc(torch.empty(0), 3), torch.histc(torch.tensor([1, nan, 2.0, 3.0]), 4, 0, 3)],
    "histogram": lambda: [*torch.histogram(x234, 5), *torch.histogram(x34, 4, range=(-0.5, 0.5), weight=wave(3, 4).abs(), density=True), *torch.histogram(x34, torch.tensor([-1.0, 0, 0.2, 0.9])), *torch.histogram(torch.ones(3), 4), *torch.histogram(torch.empty(0), 4), *torch.histogram(torch.tensor([1.0, 2, 3]), torch.tensor([1.0, 2, 3]))],
    "histogramdd": lambda: (lambda h: [h[0], *h[1]])(torch.histogramdd(wave(10, 2), [2, 3])) + [torch.histogramdd(wave(10, 2), [2, 3], range=[-1.0, 1, -0.5, 1], weight=wave(10).abs(), density=True)[0]],
    "splits": lambda: [*torch.tensor_split(x8, 3), *torch.tensor_split(x8, (-1, 2, 9)), *torch.hsplit(x34, 2), *torch.vsplit(x34, (1,)), *torch.dsplit(x234, (1, 3)), *torch.hsplit(x8, 2)],
    "stacks": lambda: [torch.column_stack((wave(3), x34)), torch.dstack((x34, x34)), torch.dstack((wave(3), wave(3))), torch.row_stack((wave(4), x34)), torch.block_diag(wave(2, 2), wave(3), torch.tensor(5.0), wave(1, 2)), torch.cartesian_prod(wave(2), wave(3)), torch.combinations(wave(4)), torch.combinations(wave(3), 3), torch.combinations(wave(3), 2, True), torch.combinations(wave(2), 3)],
    "atleast": lambda: [f(x) for f in (torch.atleast_1d, torch.atleast_2d, torch.atleast_3d) for x in (torch.tensor(2.0), wave(3), x34, x234)],
    "stacks_grad": lambda: gradients(lambda a, b: torch.block_diag(a, b), x34, wave(2)) + gradients(torch.combinations, wave(4)),
    "diff": lambda: [torch.diff(x34), torch.diff(x34, 2, 0), torch.diff(x34, 0), torch.diff(x34, 9), torch.diff(x34, 1, 1, wave(3, 1), wave(3, 2)), torch.diff(torch.tensor([True, False, False]))],
    "diff_grad": lambda: gradients(lambda a, b: torch.diff(a, 2, 1, b), x34, wave(3, 1)),
    "gradient": lambda: [*torch.gradient(x34), *torch.gradient(x34, spacing=2.0, dim=1, edge_order=2), *torch.gradient(x34, spacing=(0.5, 3.0)), *torch.gradient(x34, spacing=(torch.tensor([0.0, 1, 3]), torch.tensor([0.0, 1, 3, 4])), edge_order=2), *torch.gradient(wave(2))],
    "trapezoid": lambda: [torch.trapezoid(x34), torch.trapezoid(x34, dx=0.5, dim=0), torch.trapezoid(x34, torch.tensor([0.0, 1, 3, 4])), torch.trapezoid(x34, x34.cumsum(0), dim=0), torch.trapezoid(torch.empty(2, 0)), torch.cumulative_trapezoid(x34), torch.cumulative_trapezoid(x34, dx=2.0, dim=0), torch.cumulative_trapezoid(x34, torch.tensor([0.0, 1, 3, 4])), torch.trapezoid(ints(1, 2, 3))],
    "trapezoid_grad": lambda: gradients(lambda y, x: torch.trapezoid(y, x), x34, torch.tensor([0.0, 1, 3, 4])),
    "isin": lambda: [torch.isin(repeated, torch.tensor([1.0, -2])), torch.isin(repeated, torch.arange(-1, 30), invert=True), torch.isin(torch.tensor([nan, 1.0]), torch.tensor([nan])), torch.isin(ints(1, 2), 2), torch.isin(2, ints(1, 2))],
    "unique_consecutive": lambda: [*torch.unique_consecutive(repeated, True, True), *torch.unique_consecutive(rows[:4:2], True, True, 0), torch.unique_consecutive(torch.tensor([nan, nan, 1.0, 1]))],
    "unique_dim": lambda: [*torch.unique(rows, True, True, True, 0), *torch.unique(rows.T, True, True, True, 1)],
    "unique_grad": lambda: gradients(lambda x: torch.stack([x[4], x[1], x[0]]), rows),
    "nonzero": lambda: [*torch.nonzero(repeated, as_tuple=True), torch.nonzero_static(ints(1, 0, 2), size=4), torch.nonzero_static(ints(1, 0, 2), size=1)],
    "rot90": lambda: [torch.rot90(x34, k) for k in (1, 2, 3, -1, 4)] + [torch.rot90(x234, 1, (2, 0)), torch.diagflat(wave(2, 2), 1), torch.moveaxis(x234, 0, 2)],
    "channel_shuffle": lambda: [torch.nn.functional.channel_shuffle(wave(1, 6, 2, 1), 3)],
    "renorm": lambda: [torch.renorm(x34, 2, 0, 1.0), torch.renorm(x234, 1, -1, 0.5), torch.dist(x34, x34[:1] * 2, 3), torch.norm_except_dim(x234, 2, 1), torch.msort(x34)],
    "renorm_grad": lambda: gradients(lambda x: torch.renorm(x, 2, 0, 1.0), x34),
    "logcumsumexp": lambda: [torch.logcumsumexp(x34 * 900, 1), torch.logcumsumexp(torch.tensor([-inf, -inf, 1, 5, inf, 2, nan, 3]), 0), torch.logcumsumexp(torch.tensor(2.0), 0)],
    "logcumsumexp_grad": lambda: gradients(lambda x: torch.logcumsumexp(x * 3, 0), x34) + gradients(lambda x: torch.logcumsumexp(x * 3, 1), x34),
    "scatter_reduce": lambda: [torch.scatter_reduce(ties, d, index, x34 * 2, r, include_self=s) for d in (0, 1) for r in ("sum", "prod", "mean", "amax", "amin") for s in (True, False)],
    "scatter_reduce_int": lambda: [torch.scatter_reduce(ints(1, 2, 3), 0, ints(0, 0, 2), ints(-5, 6, 4), r, include_self=s) for r in ("sum", "prod", "mean", "amax", "amin") for s in (True, False)],
    "scatter_reduce_grad": lambda: [g for r in ("prod", "mean", "amax", "amin") for s in (True, False) for g in gradients(lambda a, b: torch.scatter_reduce(a, 0, index, b, r, include_self=s), ties if s else ties + 10, ties.flip(1))],
    "scatter_reduce_zeros": lambda: gradients(lambda a, b: torch.scatter_reduce(a, 0, index, b, "prod"), zeros, zeros.flip(0)),
    "index_reduce": lambda: [torch.index_reduce(x34, 1, ints(0, 2, 0), wave(3, 3) * 2, r, include_self=s) for r in ("prod", "mean", "amax", "amin") for s in (True, False)],
    "scatter_modes": lambda: [torch.scatter(x34, 0, index, x34, reduce="add"), torch.scatter(x34, 0, index, 2.0, reduce="multiply")],
    "put": lambda: [x34.put(ints(1, -1, 3), wave(3)), x34.put(ints(1, 1, 3), wave(3), True)],
    "cdist": lambda: [torch.cdist(x34, wave(2, 4), p) for p in (0, 0.5, 1, 2, 3, inf)] + [torch.cdist(wave(2, 1, 3, 4), wave(3, 2, 4)), torch.cdist(torch.empty(2, 0), torch.empty(3, 0)), torch.cdist(wave(30, 3), wave(2, 3))],
    "cdist_grad": lambda: [g for p in (0, 0.5, 1, 1.5, 2, 3, inf) for g in gradients(lambda a, b: torch.cdist(a, b, p), x34, torch.cat([wave(2, 4), x34[:1]]))],
    "cdist_mm_grad": lambda: gradients(torch.cdist, wave(30, 3), wave(2, 3) * 3),
    "pdist": lambda: [torch.pdist(x34, p) for p in (0, 1, 2, 3, inf)] + gradients(lambda x: torch.pdist(x), x34),
    "range": lambda: [torch.range(1, 4), torch.range(1, 4, 0.7), torch.range(3, -3, -2)],
    "eigvals": lambda: (lambda w: [w.real, w.imag])(torch.linalg.eigvals(square)) + (lambda w: [w.real, w.imag])(torch.linalg.eigvals(hermitian)),
    "eigvals_grad": lambda: gradients(lambda a: torch.linalg.eigvals(a).abs(), square),
    "eig_grad": lambda: gradients(lambda a: (lambda w, v: v.abs() * w.abs())(*torch.linalg.eig(a)), square),
    "polar": lambda: list(torch.linalg.polar(wave(4, 3))),
    "ormqr": lambda: [torch.ormqr(*torch.geqrf(wave(4, 3)), wave(4, 2), left=True, transpose=t) for t in (False, True)] + [torch.ormqr(*torch.geqrf(wave(4, 3)), wave(2, 4), left=False, transpose=t) for t in (False, True)] + list(torch.geqrf(wave(4, 3))),
}
import warnings

warnings.simplefilter("ignore")
for name, call in calls.items():
    for result in call():
        numbers = (f"{v:.17g}" for v in result.detach().reshape(-1).to(torch.float64).tolist())
        print(name, *result.shape, ":", *numbers)
