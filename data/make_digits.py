#!/usr/bin/env python3
"""Writes data/digits_data.cpp: the 1,797 scanned digits of the UCI repository as two gzip-compressed IDX files in base64.

Usage: pip download --no-deps scikit-learn && python3 data/make_digits.py scikit_learn-*.whl > data/digits_data.cpp
"""
import base64
import gzip
import struct
import sys
import zipfile

HEADER = """\
// 1,797 scanned digits of 8x8 pixels as gzip-compressed IDX files in base64. Written by data/make_digits.py.
//
// Optical Recognition of Handwritten Digits, E. Alpaydin and C. Kaynak, UCI Machine Learning Repository, 1998,
// https://doi.org/10.24432/C50P49, licensed CC BY 4.0; this is its test set as scikit-learn ships it (digits.csv.gz).
// 13 people wrote them; NIST's programs normalised the scans to 32x32 bits; each pixel counts the bits, 0 to 16, of a
// 4x4 block.
#include "data/digits_data.h"

namespace strata::data::embedded {
"""


def idx(dims, payload):
    return bytes([0, 0, 8, len(dims)]) + b"".join(struct.pack(">I", d) for d in dims) + payload


def literal(name, contents):
    text = base64.b64encode(gzip.compress(contents, 9, mtime=0)).decode()
    lines = [f'    "{text[i:i + 112]}"' for i in range(0, len(text), 112)]
    return f"\nconst std::string_view {name} =\n" + "\n".join(lines) + ";\n"


def main():
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        text = gzip.decompress(wheel.read("sklearn/datasets/data/digits.csv.gz")).decode()
    rows = [[int(float(x)) for x in line.split(",")] for line in text.split()]
    images = bytes(x for row in rows for x in row[:64])
    labels = bytes(row[64] for row in rows)
    print(HEADER, end="")
    print(literal("digit_images", idx([len(rows), 8, 8], images)), end="")
    print(literal("digit_labels", idx([len(rows)], labels)), end="")
    print("\n}  // namespace strata::data::embedded")


main()
