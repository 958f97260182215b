"""The rows of benchmarks/own/transforms.cpp for torch.func and JAX; script/bench --transforms runs it.

    transforms.py torch|jax|jax-jit [--threads N] [--rows REGEX] [--min-time S]

Prints nanoseconds by row name as JSON, for the rows that are for N threads; exits with 2 where the library is missing.
"""
import argparse
import json
import re
import sys
import time

OPS = 100
SIZES = [(512, 784), (512, 512), (10, 512)]


class Torch:
    """torch.func; `done` waits for what an asynchronous library would still compute."""

    def __init__(self, threads):
        import torch
        torch.set_num_threads(threads)
        torch.manual_seed(0)
        self.vmap, self.grad, self.jvp = torch.func.vmap, torch.func.grad, torch.func.jvp
        self.jacrev, self.jacfwd, self.hessian = torch.func.jacrev, torch.func.jacfwd, torch.func.hessian
        self.linear, self.relu = torch.nn.functional.linear, torch.relu
        self.cross_entropy = self.batch_cross_entropy = torch.nn.functional.cross_entropy
        self.gelu, self.amax, self.exp = torch.nn.functional.gelu, lambda x: x.amax(1, keepdim=True), torch.exp
        self.sin, self.tanh, self.rand, self.randn = torch.sin, torch.tanh, torch.rand, torch.randn
        self.labels = lambda n: torch.randint(10, (n,))
        self.prepare = self.done = lambda x: x
        self.scan = None
        self.recorded = lambda f, x: torch.func.vjp(f, x)[0]


class Jax:
    def __init__(self, jit):
        import os
        os.environ["JAX_PLATFORMS"] = "cpu"
        import jax
        import jax.numpy as jnp
        import numpy
        numbers = numpy.random.default_rng(0)
        self.vmap, self.grad, self.jvp = jax.vmap, jax.grad, jax.jvp
        self.jacrev, self.jacfwd, self.hessian = jax.jacrev, jax.jacfwd, jax.hessian
        self.linear, self.relu = lambda x, w, b: x @ w.T + b, jax.nn.relu
        self.cross_entropy = lambda x, y: -jax.nn.log_softmax(x)[y]
        self.batch_cross_entropy = lambda x, y: -jnp.take_along_axis(jax.nn.log_softmax(x), y[:, None], 1).mean()
        self.gelu, self.amax, self.exp = lambda x: jax.nn.gelu(x, approximate=False), lambda x: x.max(1, keepdims=True), jnp.exp
        self.sin, self.tanh = jnp.sin, jnp.tanh
        self.rand = lambda *shape: jnp.asarray(numbers.random(shape), jnp.float32)
        self.randn = lambda *shape: jnp.asarray(numbers.standard_normal(shape), jnp.float32)
        self.labels = lambda n: jnp.asarray(numbers.integers(10, size=n))
        self.prepare = jax.jit if jit else lambda f: f
        self.done = jax.block_until_ready
        self.scan = jax.lax.scan
        # Compiled, what the pullback keeps has to be a result, or it would not be computed.
        self.recorded = jax.vjp if jit else lambda f, x: jax.vjp(f, x)[0]


def near_one(lib, *shape):
    return 0.99 + 0.02 * lib.rand(*shape)


def chain_rows(lib, op, step):
    def f(v):
        z = v
        for _ in range(OPS):
            z = step(z, v)
        return z

    forward, loss = lambda v: lib.recorded(f, v), lambda v: f(v).sum()
    x, batch = near_one(lib, 4), near_one(lib, 4, 4)
    yield f"{op}, no transform", OPS, f, (x,)
    yield f"{op}, vmap", OPS, lib.vmap(f), (batch,)
    yield f"{op}, grad, forward", OPS, forward, (x,)
    yield f"{op}, grad, forward + backward", OPS, lib.grad(loss), (x,)
    yield f"{op}, vmap(grad), forward", OPS, lib.vmap(forward), (batch,)
    yield f"{op}, vmap(grad), forward + backward", OPS, lib.vmap(lib.grad(loss)), (batch,)
    yield f"{op}, jvp", OPS, lambda v: lib.jvp(f, (v,), (v,)), (x,)


def jacobian_rows(lib):
    w1, b1, w2, b2 = 0.1 * lib.randn(64, 64), lib.randn(64), 0.1 * lib.randn(16, 64), lib.randn(16)
    net = lambda v: lib.linear(lib.tanh(lib.linear(v, w1, b1)), w2, b2)
    loss = lambda v: (net(v) ** 2).sum()
    x = lib.randn(64)
    yield "jacrev, 64 -> 64 tanh -> 16", 1, lib.jacrev(net), (x,)
    yield "jacfwd, 64 -> 64 tanh -> 16", 1, lib.jacfwd(net), (x,)
    yield "hessian of its sum of squares, 64 inputs", 1, lib.hessian(loss), (x,)


def mlp_rows(lib):
    def loss(p, x, y):
        for w, b in p[:-1]:
            x = lib.relu(lib.linear(x, w, b))
        return lib.cross_entropy(lib.linear(x, *p[-1]), y)

    def batch_loss(p, x, y):
        for w, b in p[:-1]:
            x = lib.relu(lib.linear(x, w, b))
        return lib.batch_cross_entropy(lib.linear(x, *p[-1]), y)

    def descend(p, g):
        return [tuple(t - 0.01 * d for t, d in zip(*layers)) for layers in zip(p, g)]

    def step(p, x, y):
        return descend(p, lib.grad(lambda q: lib.vmap(loss, (None, 0, 0))(q, x, y).mean())(p))

    params = [(0.05 * lib.randn(*size), 0 * lib.randn(size[0])) for size in SIZES]
    arguments = (params, lib.randn(128, 784), lib.labels(128))
    mlp = "MLP 784-512-512-10, batch 128"
    yield f"per-sample gradients, {mlp}", 1, lib.vmap(lib.grad(loss), (None, 0, 0)), arguments
    yield f"training step on vmap(loss), {mlp}", 1, step, arguments
    yield f"training step, {mlp}", 1, lambda p, x, y: descend(p, lib.grad(batch_loss)(p, x, y)), arguments


def small_rows(lib):
    def step(p, x, y):
        loss = lambda q: ((lib.linear(lib.tanh(lib.linear(x, q[0], q[1])), q[2], q[3]) - y) ** 2).mean()
        return [t - 0.01 * d for t, d in zip(p, lib.grad(loss)(p))]

    params = [lib.randn(16, 8), lib.randn(16), lib.randn(1, 16), lib.randn(1)]
    yield "x + 1 on 8 floats", 1, lambda x: x + 1, (lib.rand(8),)
    yield "training step, MLP 8-16-1, batch 4", 1, step, (params, lib.randn(4, 8), lib.randn(4, 1))


def scan_rows(lib):
    if not lib.scan:
        return

    def step(w, h, x):
        following = lib.tanh(w @ h + x)
        return following, following.sum()

    loop = lambda w, h, xs: lib.scan(lambda c, x: step(w, c, x), h, xs)
    arguments = (0.1 * lib.randn(32, 32), lib.randn(32), lib.randn(10000, 32))
    yield "one step of tanh(w h + x), 32 floats", 1, step, (*arguments[:2], lib.randn(32))
    yield "scan of 10,000 such steps, a step", 10000, loop, arguments
    yield "its gradient, a step", 10000, lib.grad(lambda w, h, xs: loop(w, h, xs)[1].sum()), arguments


def memory_rows(lib):
    def softmax_by_hand(x):
        e = lib.exp(x - lib.amax(x))
        return e / e.sum(1).reshape(-1, 1)

    a, b = lib.randn(1 << 24), lib.randn(1 << 24)
    yield "a + b, 16M floats", 1, lambda x, y: x + y, (a, b)
    yield "gelu(a + b), 16M floats", 1, lambda x, y: lib.gelu(x + y), (a, b)
    yield "(a * b + a).relu().sum(), 16M floats", 1, lambda x, y: lib.relu(x * y + x).sum(), (a, b)
    yield "softmax by hand, 4096x1024", 1, softmax_by_hand, (lib.randn(4096, 1024),)


def rows(lib, threads):
    yield from memory_rows(lib)
    if threads == 2:
        yield from mlp_rows(lib)
    if threads != 1:
        return
    constant = near_one(lib, 4)
    yield from chain_rows(lib, "x * x", lambda z, v: z * v)
    yield from chain_rows(lib, "x * constant", lambda z, v: z * constant)
    yield from chain_rows(lib, "sin", lambda z, v: lib.sin(z))
    yield from jacobian_rows(lib)
    yield from small_rows(lib)
    yield from scan_rows(lib)


def nanoseconds(lib, f, arguments, threads, min_time):
    """The fastest of five series of calls that take min_time together."""
    # On one thread, processor time is the same thing without what other programs take.
    clock = time.process_time if threads == 1 else time.perf_counter

    def series(n):
        begin = clock()
        for _ in range(n):
            lib.done(f(*arguments))
        return (clock() - begin) / n

    series(2)  # compilation, caches, pages and first-time work are not what the rows are about
    n = max(1, int(min_time / 5 / max(series(1), 1e-9)))
    return min(series(n) for _ in range(5)) * 1e9


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("peer", choices=["torch", "jax", "jax-jit"])
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--rows", default="")
    p.add_argument("--min-time", type=float, default=0.2)
    a = p.parse_args()
    try:
        lib = Torch(a.threads) if a.peer == "torch" else Jax(jit=a.peer == "jax-jit")
    except ImportError as e:
        print(e, file=sys.stderr)
        return 2
    times = {}
    for name, per, f, arguments in rows(lib, a.threads):
        if re.search(a.rows, name):
            times[name] = nanoseconds(lib, lib.prepare(f), arguments, a.threads, a.min_time) / per
    print(json.dumps(times))


if __name__ == "__main__":
    sys.exit(main())
