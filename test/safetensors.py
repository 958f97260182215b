"""Writes tensors as a safetensors file; used by the scripts that make reference data with PyTorch."""

import json
import struct

NAMES = {"torch.float64": "F64", "torch.float32": "F32", "torch.int64": "I64", "torch.bool": "BOOL"}


def save(tensors, path):
    header, data = {}, b""
    for name, t in tensors.items():
        raw = t.detach().contiguous().numpy().tobytes()
        header[name] = {
            "dtype": NAMES[str(t.dtype)],
            "shape": list(t.shape),
            "data_offsets": [len(data), len(data) + len(raw)],
        }
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + data)
