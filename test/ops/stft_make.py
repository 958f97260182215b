"""Writes stft.txt: what torch.stft and torch.istft answer in float64, on CPU, for the calls that stft.cpp makes too.

Each line is a call (r or c for the signal, its shape, n_fft, hop_length, win_length (0: none given), the window,
center, pad_mode, normalized, onesided) and the result's shape, the first four numbers and the sum of all, each times the number
that an input would have in its place; then the same of what istft makes of it.
"""
import sys

import torch

from fft_make import numbers, operand, text

WINDOWS = {"none": None, "hann": torch.hann_window, "hamming": torch.hamming_window, "blackman": torch.blackman_window}
CALLS = [
    ("r", (40,), 8, 0, 0, "hann", True, "reflect", False, True),
    ("r", (2, 37), 8, 2, 0, "hamming", True, "reflect", True, True),
    ("r", (2, 40), 9, 3, 7, "hamming", True, "constant", False, True),
    ("r", (41,), 10, 4, 10, "none", True, "replicate", False, True),
    ("r", (40,), 8, 4, 4, "none", True, "circular", True, True),
    ("r", (3, 30), 8, 3, 8, "blackman", True, "reflect", False, False),
    ("r", (40,), 8, 4, 8, "hamming", False, "reflect", False, True),
    ("c", (2, 33), 6, 2, 5, "hamming", True, "reflect", False, False),
    ("c", (32,), 8, 2, 8, "none", False, "reflect", True, False),
]


def shown(y):
    y = y.resolve_conj().contiguous()
    v = (torch.view_as_real(y) if y.is_complex() else y).reshape(-1)
    v = torch.cat([v[:4], (v * numbers(len(v))).sum()[None]])
    return text(y.shape) + " " + " ".join("%.17g" % x for x in v.tolist())


if __name__ == "__main__":
    out = open(sys.argv[1], "w")
    out.write("# Made by stft_make.py with PyTorch %s\n" % torch.__version__.split("+")[0])
    for call in CALLS:
        kind, shape, n_fft, hop, win, window, center, pad_mode, normalized, onesided = call
        w = WINDOWS[window] and WINDOWS[window](win or n_fft, dtype=torch.float64)
        common = dict(hop_length=hop or None, win_length=win or None, window=w, center=center, normalized=normalized,
                      onesided=onesided)
        y = torch.stft(operand(kind, shape), n_fft, pad_mode=pad_mode, return_complex=True, **common)
        x = torch.istft(y, n_fft, return_complex=kind == "c", **common)
        words = [kind, text(shape), n_fft, hop, win, window, int(center), pad_mode, int(normalized), int(onesided)]
        out.write(" ".join(map(str, words)) + " : " + shown(y) + " " + shown(x) + "\n")
