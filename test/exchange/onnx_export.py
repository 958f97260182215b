"""Holds what save_onnx writes against onnx's checker and its reference evaluator.

    onnx_export.py PROGRAM    exports the models of data/ by PROGRAM (onnx_export) and compares with PyTorch's results there

Exits with 77, which CTest takes for "skipped", where onnx or safetensors cannot be imported.
"""

import os
import subprocess
import sys
import tempfile

try:
    import numpy
    import onnx
    from onnx.reference import ReferenceEvaluator
    from safetensors.numpy import load_file
except ImportError as error:
    print(f"skipped: {sys.executable} lacks what this needs: {error}; set Python3_EXECUTABLE to one that has it")
    sys.exit(77)

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
MODELS = ["mlp", "cnn", "resnet", "lstm", "encoder", "gpt", "vit"]


def numbered(tensors, prefix):
    out = []
    while f"{prefix}{len(out)}" in tensors:
        out.append(tensors[f"{prefix}{len(out)}"])
    return out


def check(name, program, folder):
    path = os.path.join(folder, name + ".onnx")
    subprocess.run([program, os.path.join(DATA, name + ".pt2"), path], check=True)
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    expected = load_file(os.path.join(DATA, name + ".safetensors"))
    given = dict(zip([i.name for i in model.graph.input], numbered(expected, "in.")))
    results = ReferenceEvaluator(model).run(None, given)
    wanted = numbered(expected, "out.")
    assert len(results) == len(wanted)
    off = max(float(numpy.max(numpy.abs(got - out) / (1 + numpy.abs(out)))) for got, out in zip(results, wanted))
    print(f"{name}: {len(model.graph.node)} nodes, off by {off:.1e}")
    assert off <= 1e-5, name


def main(program):
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for name in MODELS:
            try:
                check(name, program, folder)
            except Exception as error:
                print(f"{name}: {error}")
                failed.append(name)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
