"""Writes special_values.txt: functions of namespace special over wide ranges, with 40 digits of mpmath, and PyTorch's
answers at edges.

Each line is a name, the operands, a colon and the value; edges come after a line `edges`.
Run: python test/ops/special_values.py > test/ops/special_values.txt
"""
import mpmath as mp
import numpy as np
import torch

mp.mp.dps = 40
rng = np.random.default_rng(5)
near = list(rng.uniform(0.01, 12, 12)) + list(10 ** rng.uniform(-9, 2.5, 10)) + [0.5, 2.0, 8.0]
both = near + [-x for x in near]
root2 = mp.sqrt(2)


def numbers(*values):
    return [torch.tensor(v, dtype=torch.float64) for v in values]


def log_ndtr(x):
    return mp.log(mp.erfc(-x / root2) / 2) if x < 3 else mp.log1p(-mp.erfc(x / root2) / 2)


def ndtri(p):
    start = torch.special.ndtri(*numbers(float(p))).item()
    return mp.findroot(lambda x: log_ndtr(x) - mp.log(p), start)


def zeta(s, q):
    """By Euler and Maclaurin's formula; mpmath's own loses digits for large q."""
    s, a = mp.mpf(s), mp.mpf(q) + 2000
    start = mp.fsum((mp.mpf(q) + k) ** -s for k in range(2000))
    rest = a ** (1 - s) / (s - 1) + a**-s / 2 + s * a ** (-s - 1) / 12
    return start + rest - s * (s + 1) * (s + 2) * a ** (-s - 3) / 720


unary = {
    "bessel_j0": (lambda x: mp.besselj(0, x), both),
    "bessel_j1": (lambda x: mp.besselj(1, x), both),
    "bessel_y0": (lambda x: mp.bessely(0, x), near),
    "bessel_y1": (lambda x: mp.bessely(1, x), near),
    "i0": (lambda x: mp.besseli(0, x), both + [712.5]),
    "i0e": (lambda x: mp.besseli(0, x) * mp.exp(-abs(x)), both),
    "i1": (lambda x: mp.besseli(1, x), both + [-712.5]),
    "i1e": (lambda x: mp.besseli(1, x) * mp.exp(-abs(x)), both),
    "modified_bessel_k0": (lambda x: mp.besselk(0, x), near),
    "modified_bessel_k1": (lambda x: mp.besselk(1, x), near),
    "scaled_modified_bessel_k0": (lambda x: mp.besselk(0, x) * mp.exp(x), near),
    "scaled_modified_bessel_k1": (lambda x: mp.besselk(1, x) * mp.exp(x), near),
    "airy_ai": (mp.airyai, both[:12] + [-x for x in both[:22]] + [50.0]),
    "spherical_bessel_j0": (lambda x: mp.sin(x) / x, both),
    "erfcx": (lambda x: mp.exp(x * x) * mp.erfc(x), near + [-x for x in near if x < 26] + [-26.5, 1e10]),
    "log_ndtr": (log_ndtr, [x for x in both if x < 30]),
    "ndtri": (ndtri, [float(x) for x in rng.uniform(0, 1, 12)] + [1e-300, 1e-30, 1e-9, 0.075, 0.925, 1 - 1e-12]),
}
pairs = {
    "gammainc": lambda a, x: mp.gammainc(a, 0, x, regularized=True),
    "gammaincc": lambda a, x: mp.gammainc(a, x, regularized=True),
}
orders = [0.001, 0.3, 1.0, 4.5, 25.0, 150.0, 250.0, 1000.0]


def show(*numbers):
    print(*[x if isinstance(x, str) else repr(float(x)) for x in numbers])


for name, (f, xs) in unary.items():
    for x in xs:
        show(name, x, ":", f(mp.mpf(float(x))))
for name, f in pairs.items():
    for a in orders:
        for x in (0.01 * a, 0.4 * a, 0.9 * a, a, 1.05 * a, 1.6 * a, 0.7):
            y = f(mp.mpf(a), mp.mpf(x))
            if y > 1e-290:
                show(name, a, x, ":", y)
for s in (1.1, 2.0, 3.5, 20.0):
    for q in (0.01, 0.7, 3.0, 250.0):
        show("zeta", s, q, ":", zeta(s, q))

print("edges")
edges = [0.0, -0.0, 1.0, -1.0, float("inf"), -float("inf"), float("nan"), 1e300, -1e300]
better = {"bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "i0", "i1"}  # PyTorch gives NaN at infinity
for name in unary:
    for x in edges:
        if name in better and abs(x) > 1e299:
            continue
        show(name, x, ":", getattr(torch.special, name)(*numbers(x)))
for name in ("gammainc", "gammaincc", "zeta"):
    for a in edges[:7]:
        for x in edges[:7]:
            # PyTorch's zeta has no limit for infinite exponents; its gamma functions forget a NaN beside 0 or infinity.
            if abs(a) < 2 if name == "zeta" else a == a and x == x:
                show(name, a, x, ":", getattr(torch.special, name)(*numbers(a, x)))

# What has its own random numbers, so that the lines above stay.
rng = np.random.default_rng(6)
signed = list(rng.uniform(-6, 12, 24)) + list(10 ** rng.uniform(-9, 2.5, 8)) + [1.0 + 1e-9, 2.0 - 1e-9, 10.0, -0.25]
later = {
    "erfc": (mp.erfc, signed[:32] + [0.46875, 4.0, 26.0]),
    "erfinv": (mp.erfinv, list(rng.uniform(-1, 1, 24)) + [1e-30, 0.85, -0.9999, 1 - 1e-12]),
    "gammaln": (lambda x: mp.log(abs(mp.gamma(x))), signed + [1e10]),
    "digamma": (mp.digamma, signed + [1e10]),
    "trigamma": (lambda x: mp.psi(1, x), signed + [1e10]),
}
for name, (f, xs) in later.items():
    for x in xs:
        show(name, x, ":", f(mp.mpf(float(x))))
    for x in edges:
        # PyTorch's trigamma is not infinite at the poles of digamma.
        if name != "trigamma":
            show(name, x, ":", getattr(torch.special, name)(*numbers(x)))

kinds = [f"{s}chebyshev_polynomial_{k}" for s in ("", "shifted_") for k in "tuvw"]
kinds += ["hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p"]
for name in kinds:
    for n in (-1.0, 0.0, 1.0, 2.0, 5.7, 12.0):
        for x in (0.0, 1.0, -1.0, 0.3, -0.8, 1.5, float("nan")):
            show(name, x, n, ":", getattr(torch.special, name)(*numbers(x, n)))
