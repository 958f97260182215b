#!/usr/bin/env python3
"""Writes casts_torch.txt: what PyTorch's casts give for every pair of dtypes of which one is uint16, uint64 or float8.

    casts_torch.py > casts_torch.txt

A line holds the two dtypes, how many elements there are, and the CRC-32 of the results' bytes, every NaN of more than 8 bits
made the positive quiet one. The inputs are those of `inputs_of` below, which casts.cpp makes too: every pattern of up to 16
bits, every upper half of a float or double with the lower bits 0, 1 and all ones (so that ties and their neighbours are there),
and integers of all magnitudes.
"""
import warnings
import zlib

import numpy as np
import torch

warnings.filterwarnings("ignore")
OLD = "bool uint8 int8 int16 int32 uint32 int64 float16 bfloat16 float32 float64 complex64 complex128".split()
NEW = "uint16 uint64 float8_e5m2 float8_e4m3fn float8_e5m2fnuz float8_e4m3fnuz".split()
MASK = (1 << 64) - 1


def mix(k):
    """splitmix64."""
    z = (k + 1) * 0x9E3779B97F4A7C15 & MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def spread_integers(size):
    values = [mix(k) >> k % 64 for k in range(4096)]
    return np.array([(-v if k // 64 % 2 else v) & MASK for k, v in enumerate(values)], dtype=np.uint64).astype(f"u{size}")


def spread_floats(size):
    low = 8 * size - 16
    return np.array([top << low | rest for top in range(65536) for rest in (0, 1, (1 << low) - 1)], dtype=f"u{size}")


def inputs_of(name):
    dtype = getattr(torch, name)
    size = dtype.itemsize
    if name == "bool":
        return torch.tensor([False, True])
    if name.startswith("complex"):
        parts = inputs_of({8: "float32", 16: "float64"}[size])[::3]
        return torch.complex(parts, parts.flip(0))
    if size <= 2:
        bits = np.arange(1 << 8 * size).astype(f"u{size}")
    else:
        bits = (spread_floats if dtype.is_floating_point else spread_integers)(size)
    return torch.frombuffer(bytearray(bits.tobytes()), dtype=dtype)


def checksum(t):
    if t.dtype.is_complex:
        t = torch.view_as_real(t)
    if t.dtype.is_floating_point and t.dtype.itemsize > 1:
        t = torch.where(torch.isnan(t), torch.full_like(t, float("nan")), t)
    return zlib.crc32(t.contiguous().view(torch.uint8).numpy().tobytes())


for source in OLD + NEW:
    for target in OLD + NEW:
        if source != target and (source in NEW or target in NEW):
            x = inputs_of(source)
            if source.endswith("fnuz") and "int" in target:  # its compiler made 0 of this NaN, and the least of all others
                x = torch.where(torch.isnan(x), torch.zeros_like(x), x)
            print(source, target, len(x), f"{checksum(x.to(getattr(torch, target))):08x}")
