"""Writes the files of torch.save and numpy that test/serialize reads, into this folder."""
import collections
import os
import pickle

import numpy as np
import safetensors.torch
import torch
from torch import nn

DTYPES = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.uint32, torch.int64, torch.float16,
          torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128]


STORED = [torch.uint16, torch.uint64, torch.float8_e5m2, torch.float8_e4m3fn, torch.float8_e5m2fnuz, torch.float8_e4m3fnuz]


def stored():
    """Of the dtypes for storage."""
    return {str(t)[6:]: torch.tensor([[0, 1, 2], [3, 64, 96]]).to(t) for t in STORED}


def everything():
    tied = torch.arange(6, dtype=torch.float32).reshape(2, 3)
    return {
        "dtypes": {str(t)[6:]: torch.tensor([0, 1, 2, 3]).to(t) for t in DTYPES},
        "transposed": tied.t(),
        "tied": tied,
        "part": torch.arange(10.0)[4:8:2],
        "scalar": torch.tensor(2.5, dtype=torch.float64),
        "empty": torch.zeros(0, 3),
        "parameter": nn.Parameter(torch.tensor([1.0, -1.0])),
        "plain": [None, True, False, 7, -300, 70000, 2**40, -(2**40), 0.1, "text \u00e9", b"\x00\xff\x80", 1 + 2j],
        "tuple": (1, (2.0, "three")),
        "set": {5},
        "size": torch.Size([2, 3]),
        "dtype": torch.float16,
        "device": torch.device("cpu"),
        "ordered": collections.OrderedDict([("b", 1), ("a", 2)]),
        3: "an integer as key",
    }


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 2)
        self.parts = nn.Sequential(nn.BatchNorm1d(2), nn.Linear(2, 1))
        k = 0.125
        with torch.no_grad():
            for p in self.parameters():
                p.copy_((torch.arange(p.numel()).reshape(p.shape) * k - 0.25))
                k *= 1.5

    def forward(self, x):
        return self.parts(self.first(x))


def train(net, optimizer, steps):
    net.eval()  # in training the norm would leave gradients of rounding errors, which Adam makes large
    for i in steps:
        optimizer.zero_grad()
        net(torch.arange(6.0).reshape(2, 3) * i).square().sum().backward()
        optimizer.step()


def checkpoint(name, make):
    """After two steps, and the parameters after two more."""
    net = Net()
    optimizer = make(net.parameters())
    train(net, optimizer, [1, 2])
    saved = {"model": net.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 2}
    torch.save(saved, name + ".pt")
    train(net, optimizer, [3, 4])
    torch.save(net.state_dict(), name + "_later.pt")


class Hostile:
    def __reduce__(self):
        return os.system, ("echo hostile",)


def arrays():
    """By name: all dtypes, orders of bytes and elements, versions of the format, and what is refused."""
    np.savez_compressed("numpy_dtypes.npz", **{t: np.arange(6).reshape(2, 3).astype(t) for t in [
        "bool", "uint8", "int8", "int16", "int32", "uint32", "int64", "float16", "float32", "float64", "complex64",
        "complex128", ">i4", ">f8", ">c8"]})
    np.savez("numpy_shapes.npz", scalar=np.float32(2.5), empty=np.zeros((0, 3)), vector=np.arange(4),
             fortran=np.asfortranarray(np.arange(24.0).reshape(2, 3, 4)))
    for version in (1, 2, 3):
        with open(f"numpy_version{version}.npy", "wb") as f:
            np.lib.format.write_array(f, np.arange(3.0), (version, 0))
    np.save("numpy_records.npy", np.zeros(2, dtype=[("a", "i4"), ("b", "f4")]))
    np.save("numpy_objects.npy", np.array([None, 1], dtype=object), allow_pickle=True)
    np.save("numpy_text.npy", np.array(["a", "bc"]))


def main():
    arrays()
    torch.save(stored(), "stored.pt")
    safetensors.torch.save_file({k: t for k, t in stored().items() if not k.endswith("fnuz")}, "stored.safetensors")
    np.savez("stored.npz", **{k: t.numpy() for k, t in stored().items() if k.startswith("uint")})
    torch.save(everything(), "all.pt")
    torch.save(everything(), "all_protocol4.pt", pickle_protocol=4)
    torch.save(everything(), "all_legacy.pt", _use_new_zipfile_serialization=False)
    checkpoint("adam", lambda p: torch.optim.AdamW(p, lr=0.01, betas=(0.8, 0.95)))
    checkpoint("sgd", lambda p: torch.optim.SGD(p, lr=0.02, momentum=0.9))
    torch.save(Net(), "whole_module.pt")
    torch.save({"x": Hostile()}, "hostile.pt")


if __name__ == "__main__":
    main()
