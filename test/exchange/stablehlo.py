"""Has JAX compile and run what to_stablehlo writes, and compares the results.

    stablehlo.py PROGRAM...    programs that write such files where STRATA_STABLEHLO says: test_exchange, test_op_table

Exits with 77, which CTest takes for "skipped", where jax or safetensors cannot be imported.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import jax
    import numpy
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client
    from safetensors.numpy import load_file
except ImportError as error:
    print(f"skipped: {sys.executable} lacks what this needs: {error}; set Python3_EXECUTABLE to one that has it")
    sys.exit(77)

jax.config.update("jax_enable_x64", True)


def run(text, inputs):
    devices = jax.devices("cpu")[:1]
    with mlir.make_ir_context():
        module = mlir.ir.Module.parse(text)
        module.operation.verify()
        program = devices[0].client.compile_and_load(
            mlir.module_to_bytecode(module), xla_client.DeviceList(tuple(devices)), xla_client.CompileOptions()
        )
    results = program.execute_sharded([jax.device_put(x) for x in inputs]).disassemble_into_single_device_arrays()
    return [numpy.asarray(part[0]) for part in results]


def numbered(tensors, prefix):
    out = []
    while f"{prefix}{len(out)}" in tensors:
        out.append(tensors[f"{prefix}{len(out)}"])
    return out


def tolerance(dtype):
    if not numpy.issubdtype(dtype, numpy.inexact):
        return 0
    return {2: 2e-2, 4: 2e-5, 8: 1e-9}[numpy.finfo(dtype).bits // 8]


def difference(got, wanted):
    if got.dtype != wanted.dtype or got.shape != wanted.shape:
        return f"gives {got.dtype}{got.shape} for {wanted.dtype}{wanted.shape}"
    most = tolerance(wanted.dtype)
    scale = max(1, float(numpy.max(numpy.abs(wanted[numpy.isfinite(wanted)]), initial=0))) if most else 0
    if numpy.allclose(got, wanted, rtol=0, atol=most * scale, equal_nan=True):
        return None
    return f"gives {got.ravel()[:4]} for {wanted.ravel()[:4]}"


def check(path):
    tensors = load_file(path.with_suffix(".safetensors"))
    results, wanted = run(path.read_text(), numbered(tensors, "in.")), numbered(tensors, "out.")
    assert len(results) == len(wanted), f"gives {len(results)} results for {len(wanted)}"
    for i, (got, expected) in enumerate(zip(results, wanted)):
        different = difference(got, expected)
        assert not different, f"result {i} {different}"


def main(programs):
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for program in programs:
            subprocess.run([program, "*StableHLO*"], env={**os.environ, "STRATA_STABLEHLO": folder}, check=True)
        files = sorted(pathlib.Path(folder).glob("*.mlir"))
        for path in files:
            try:
                check(path)
            except Exception as error:
                print(f"{path.stem}: {str(error)[:400]}")
                failed += 1
    print(f"{len(files) - failed} of {len(files)} programs give the same in XLA")
    return failed > 0 or not files


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
