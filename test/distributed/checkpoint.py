"""Checkpoints and torch's distributed checkpoint read what the other one has written: `checkpoint.py WORKER`.

Exits with 77, which CTest takes for "skipped", where torch or safetensors cannot be imported.
"""

import os
import subprocess
import sys
import tempfile

try:
    import torch
    import torch.distributed.checkpoint as dcp
    from safetensors.torch import load_file
    from torch.distributed.checkpoint import HuggingFaceStorageReader, HuggingFaceStorageWriter
except ImportError as error:
    print(f"skipped: {sys.executable} lacks what this needs: {error}; set Python3_EXECUTABLE to one that has it")
    sys.exit(77)


def check_ours_in_torch(worker, folder):
    subprocess.run([worker, "write", folder], check=True)
    whole = load_file(f"{folder}/whole.safetensors")
    step = f"{folder}/run/step-00000002"
    files = [f for f in os.listdir(step) if f.endswith(".safetensors")]
    assert any(f.startswith("shard-00003-model-00001-of-") for f in files), files

    state = {f"model.{name}": torch.full_like(t, -1) for name, t in whole.items()}
    for name, t in whole.items():
        if name != "seen":  # a buffer
            state[f"optim.state.{name}.exp_avg"] = torch.full_like(t, -1)
            state[f"optim.state.{name}.exp_avg_sq"] = torch.full_like(t, -1)
            state[f"optim.state.{name}.step"] = torch.tensor(0.0)
    state["optim.param_groups.0.lr"] = torch.tensor(0.0, dtype=torch.float64)
    state["step"] = torch.tensor(0)
    dcp.load(state, storage_reader=HuggingFaceStorageReader(step), no_dist=True)
    for name, t in whole.items():
        assert torch.equal(state[f"model.{name}"], t), name
    assert state["step"].item() == 2 and state["optim.param_groups.0.lr"].item() == 0.01
    assert all(v.item() == 2 for name, v in state.items() if name.endswith(".step") and "state" in name)
    assert all((v >= 0).all() for name, v in state.items() if name.endswith("exp_avg_sq"))
    check_adam(state, whole)
    check_consolidation(f"{folder}/weights/step-00000002", f"{folder}/consolidated", whole)


def check_adam(state, whole):
    """The moments are those of the parameters whose names they have: Adam's last step, taken back and again."""
    moved = 0
    for name, t in whole.items():
        if name in ("seen", "unused", "nothing"):
            continue
        m, v = state[f"optim.state.{name}.exp_avg"], state[f"optim.state.{name}.exp_avg_sq"]
        step = 0.01 * (m / (1 - 0.9**2)) / ((v / (1 - 0.999**2)).sqrt() + 1e-8)
        assert step.abs().max() > 0 and step.abs().max() < 0.02, name
        moved += 1
    assert moved == 8, moved


def check_consolidation(step, output, whole):
    from torch.distributed.checkpoint._consolidate_hf_safetensors import consolidate_safetensors_files

    os.makedirs(output)
    names = {name: 1 for name in whole}
    consolidate_safetensors_files(step, output, fqn_to_index_mapping=names)
    (file,) = [f for f in os.listdir(output) if f.endswith(".safetensors")]
    together = load_file(f"{output}/{file}")
    assert together.keys() == whole.keys(), together.keys() ^ whole.keys()
    for name, t in whole.items():
        if t.dim() > 0:  # of a number, torch 2.15 leaves out the value in its own files, too
            assert torch.equal(together[name], t), name


def check_torchs_in_ours(worker, folder):
    state = {
        "a": torch.arange(24, dtype=torch.float32).view(6, 4),
        "b": torch.full((5,), 0.5, dtype=torch.bfloat16),
        "c": torch.tensor(42),
    }
    for distributed in (True, False):
        path = f"{folder}/torch-{distributed}"
        dcp.save(state, storage_writer=HuggingFaceStorageWriter(path, save_distributed=distributed), no_dist=True)
        subprocess.run([worker, "read", path], check=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        check_ours_in_torch(sys.argv[1], temporary)
        check_torchs_in_ours(sys.argv[1], temporary)
    print("torch", torch.__version__, "and Strata read each other's checkpoints")
