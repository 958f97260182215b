"""Writes keyed_random_jax.txt: what jax.random answers, on CPU, for the calls that keyed_random_jax.cpp makes too.

Each line is a call (function, seed, shape, dtype, two numbers) and its values as hexadecimal bits, or their number and
checksum where there are many. Calls with 64-bit dtypes are made with jax_enable_x64, others without.
"""
import sys

import jax
import jax.numpy as jnp
import numpy as np

SEEDS = [0, 42, 2147483647]
SHAPES = [(), (1,), (5,), (2, 3), (3, 1, 2)]
LONG = (100003,)
FLOATS = ["float32", "float16", "bfloat16", "float64"]
BITS = ["uint8", "uint16", "uint32", "uint64"]
INTS = ["int32", "int64", "uint8", "int8", "int16", "uint32"]


def weights(n):
    return jnp.arange(1, n + 1, dtype=jnp.float32) / (n * (n + 1) // 2)


def logits():
    return jnp.arange(12, dtype=jnp.float32).reshape(3, 4) / 4


def matrix():
    return jnp.arange(35, dtype=jnp.int32).reshape(5, 7)


R = jax.random
FUNCTIONS = {
    "key": lambda k, shape, dtype, a, b: k,
    "split": lambda k, shape, dtype, a, b: R.split(k, shape),
    "fold_in": lambda k, shape, dtype, a, b: R.fold_in(k, a),
    "bits": lambda k, shape, dtype, a, b: R.bits(k, shape, dtype),
    "uniform": lambda k, shape, dtype, a, b: R.uniform(k, shape, dtype, a, b),
    "normal": lambda k, shape, dtype, a, b: R.normal(k, shape, dtype),
    "truncated_normal": lambda k, shape, dtype, a, b: R.truncated_normal(k, a, b, shape, dtype),
    "exponential": lambda k, shape, dtype, a, b: R.exponential(k, shape, dtype),
    "gumbel": lambda k, shape, dtype, a, b: R.gumbel(k, shape, dtype),
    "randint": lambda k, shape, dtype, a, b: R.randint(k, shape, a, b, dtype),
    "bernoulli": lambda k, shape, dtype, a, b: R.bernoulli(k, a, shape),
    "permutation": lambda k, shape, dtype, a, b: R.permutation(k, a),
    "permutation_of": lambda k, shape, dtype, a, b: R.permutation(k, matrix(), a, bool(b)),
    "choice": lambda k, shape, dtype, a, b: R.choice(k, a, shape, bool(b)),
    "choice_p": lambda k, shape, dtype, a, b: R.choice(k, a, shape, bool(b), weights(a)),
    "choice_of": lambda k, shape, dtype, a, b: R.choice(k, matrix(), shape, bool(b), axis=a),
    "categorical": lambda k, shape, dtype, a, b: R.categorical(k, logits(), a),
    "categorical_shape": lambda k, shape, dtype, a, b: R.categorical(k, logits(), a, shape, bool(b)),
}


def calls():
    for seed in SEEDS + [5, 123456789]:
        yield "key", seed, (), "uint32", 0, 0
        yield "fold_in", seed, (), "uint32", 7, 0
        yield "fold_in", seed, (), "uint32", 4294967295, 0
        for shape in [(2,), (3,), (2, 3), (0,)]:
            yield "split", seed, shape, "uint32", 0, 0
    for shape in [(1000,), LONG]:
        yield "split", 42, shape, "uint32", 0, 0
    for seed in SEEDS:
        for shape in SHAPES + [(1025,), LONG]:
            for t in BITS:
                yield "bits", seed, shape, t, 0, 0
            for t in FLOATS:
                yield "uniform", seed, shape, t, 0, 1
                yield "uniform", seed, shape, t, -2, 3
                yield "uniform", seed, shape, t, 0.1, 0.7
                if t == "float64" and len(shape) == 1 and shape[0] > 8:
                    continue  # these may differ in the last bits from one C library to another: no checksums
                for name in ["normal", "exponential", "gumbel"]:
                    yield name, seed, shape, t, 0, 0
                for a, b in [(-2, 2), (-0.5, 1), (1, 3), (-60000, 0.25)]:
                    yield "truncated_normal", seed, shape, t, a, b
            for t in INTS:
                yield "randint", seed, shape, t, 0, 10
            for a, b in [(-5, 100000), (0, 65537), (-2147483648, 2147483647), (3, 3), (4, 2)]:
                yield "randint", seed, shape, "int32", a, b
            yield "randint", seed, shape, "int64", -(2**62), 2**62 + 12288
            yield "randint", seed, shape, "int64", 0, 2**33
            yield "randint", seed, shape, "uint8", 0, 256
            yield "randint", seed, shape, "uint8", -7, 1000
            yield "randint", seed, shape, "int8", -128, 128
            for p in [0.0, 0.3, 0.5, 1.0]:
                yield "bernoulli", seed, shape, "float32", p, 0
        for n in [0, 1, 2, 10, 1000, 2000, 100003]:
            yield "permutation", seed, (), "int32", n, 0
        for axis in [0, 1]:
            for independent in [0, 1]:
                yield "permutation_of", seed, (), "int32", axis, independent
        for shape in [(), (5,), (2, 3)]:
            for replace in [0, 1]:
                yield "choice", seed, shape, "int32", 20, replace
                yield "choice_p", seed, shape, "int32", 20, replace
                if np.prod(shape, dtype=int) < 6:
                    yield "choice_of", seed, shape, "int32", 0, replace
                    yield "choice_of", seed, shape, "int32", 1, replace
        for axis in [0, 1, -1, -2]:
            yield "categorical", seed, (), "int32", axis, 0
        yield "categorical_shape", seed, (2, 3), "int32", 1, 1
        yield "categorical_shape", seed, (1000, 4), "int32", 0, 1
        yield "categorical_shape", seed, (3, 3), "int32", 1, 0
        yield "categorical_shape", seed, (2, 4), "int32", 0, 0


def words(x):
    x = np.asarray(x).ravel()
    if x.dtype == np.bool_:
        x = x.astype(np.uint8)
    return x.view(f"uint{8 * x.itemsize}"), 2 * x.itemsize


def checksum(values):
    total = 0
    for v in values.tolist():
        total = (total * 6364136223846793005 + v + 1) % 2**64
    return total


def main(path):
    with open(path, "w") as out:
        out.write(f"# function seed shape dtype a b: answer of jax.random; JAX {jax.__version__}\n")
        for name, seed, shape, dtype, a, b in calls():
            with jax.enable_x64(dtype.endswith("64")):
                x = FUNCTIONS[name](jax.random.PRNGKey(seed), shape, dtype, a, b)
                bits, digits = words(x)
            text = "x".join(map(str, shape)) or "-"
            answer = [f"{v:0{digits}x}" for v in bits.tolist()] if bits.size <= 8 else [
                f"#{bits.size}", f"{checksum(bits):016x}"]
            print(name, seed, text, dtype, a, b, ":", *answer, file=out)


main(sys.argv[1])
