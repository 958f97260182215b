"""Models that torch.export saves, with what PyTorch makes of them.

    models.py FOLDER [NAME ...] [--small] [--transformers]   writes NAME.pt2, NAME_core.pt2 and NAME.safetensors into FOLDER
    models.py --test PROGRAM                                  writes all, and has test_exchange compare them

NAME.pt2 is what torch.export.export gives, NAME_core.pt2 is that after run_decompositions(). NAME.safetensors has inputs (in.0),
results (out.0), inputs that were written to (after.0), gradients of parameters (grad.NAME), buffers after the run (buffer.NAME), and for a model with dynamic
shapes inputs and results of other sizes (other.in.0). The loss of the gradients is the sum over all results with floating
point numbers of result * linspace(-1, 1). --small leaves out what is not read and packs the files, as those in data/ are.
--test exits with 77, which CTest takes for "skipped", where torch or safetensors cannot be imported.
"""

import copy
import io
import json
import os
import subprocess
import sys
import tempfile
import warnings
import zipfile

try:
    import torch
    import torch.nn.functional as F
    from safetensors.torch import save_file
    from torch import nn
    from torch.export import Dim
except ImportError as error:
    print(f"skipped: {sys.executable} lacks what this needs: {error}; set Python3_EXECUTABLE to one that has it")
    sys.exit(77)

BATCH = Dim("batch", min=2, max=1024)
TIME = Dim("time", min=2, max=12)


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 16), nn.GELU(), nn.Linear(16, 3))

    def forward(self, x):
        return self.net(x)


class Cnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(1, 4, 3, padding=1)
        self.b1 = nn.BatchNorm2d(4)
        self.c2 = nn.Conv2d(4, 8, 3, stride=2, bias=False)
        self.b2 = nn.BatchNorm2d(8)
        self.fc = nn.Linear(8, 3)
        self.drop = nn.Dropout(0.0)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.b1(self.c1(x))), 2)
        x = F.avg_pool2d(F.relu(self.b2(self.c2(x))), 1)
        return self.fc(self.drop(F.adaptive_avg_pool2d(x, 1).flatten(1)))


class ResNetBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(3, 6, 3, padding=1, stride=2, bias=False)
        self.b1 = nn.BatchNorm2d(6)
        self.act = nn.ReLU(inplace=True)
        self.c2 = nn.Conv2d(6, 6, 3, padding=1, bias=False)
        self.b2 = nn.BatchNorm2d(6)
        self.down = nn.Sequential(nn.Conv2d(3, 6, 1, stride=2, bias=False), nn.BatchNorm2d(6))
        self.fc = nn.Linear(6, 3)

    def forward(self, x):
        y = self.b2(self.c2(self.act(self.b1(self.c1(x)))))
        y += self.down(x)
        return self.fc(self.act(y).mean((2, 3)))


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(11, 6)
        self.lstm = nn.LSTM(6, 8, num_layers=2, batch_first=True)
        self.out = nn.Linear(8, 3)

    def forward(self, x):
        return self.out(self.lstm(self.embedding(x))[0][:, -1])


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(4, 8)
        layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.out = nn.Linear(8, 3)

    def forward(self, x):
        return self.out(self.encoder(self.proj(x)).mean(1))


class Block(nn.Module):
    def __init__(self, width, heads, causal):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.ln1, self.ln2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        b, t, c = x.shape
        parts = self.qkv(self.ln1(x)).split(c, dim=2)
        q, k, v = [p.view(b, t, self.heads, c // self.heads).transpose(1, 2) for p in parts]
        y = F.scaled_dot_product_attention(q, k, v, is_causal=self.causal).transpose(1, 2).contiguous().view(b, t, c)
        x = x + self.proj(y)
        return x + self.down(F.gelu(self.up(self.ln2(x)), approximate="tanh"))


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.token, self.position = nn.Embedding(11, 8), nn.Embedding(12, 8)
        self.blocks = nn.ModuleList([Block(8, 2, True) for _ in range(1)])
        self.ln = nn.LayerNorm(8)
        self.head = nn.Linear(8, 11, bias=False)
        self.head.weight = self.token.weight

    def forward(self, tokens):
        x = self.token(tokens) + self.position(torch.arange(tokens.size(1), device=tokens.device))
        for block in self.blocks:
            x = block(x)
        return self.head(self.ln(x))


class Vit(nn.Module):
    def __init__(self):
        super().__init__()
        self.patch = nn.Conv2d(3, 8, 4, stride=4)
        self.cls = nn.Parameter(torch.randn(1, 1, 8) * 0.02)
        self.position = nn.Parameter(torch.randn(1, 5, 8) * 0.02)
        self.blocks = nn.ModuleList([Block(8, 2, False) for _ in range(1)])
        self.ln = nn.LayerNorm(8)
        self.out = nn.Linear(8, 3)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(x.size(0), -1, -1), x], 1) + self.position
        for block in self.blocks:
            x = block(x)
        return self.out(self.ln(x)[:, 0])


class Cond(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 8), nn.Linear(8, 3)

    def forward(self, x):
        h = self.a(x)
        h = torch.cond(h.sum() > 0, lambda h: torch.relu(h) * 2, lambda h: torch.tanh(h) - 1, (h,))
        return self.b(h)


class Everything(nn.Module):
    """What a signature may have: nests, numbers, None, frozen, tied and strided state, writes to buffers and arguments."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(3, 4).t())
        self.frozen = nn.Parameter(torch.ones(3), requires_grad=False)
        self.register_buffer("table", torch.arange(3.0), persistent=False)
        self.register_buffer("calls", torch.zeros(1))
        self.constant = torch.tensor([1.0, 2.0, 3.0])

    def forward(self, x, pair, number, nothing, *, scale):
        self.calls.add_(1)
        masked = x.masked_fill(x > 0, float("-inf")).nan_to_num(neginf=0.0)
        with torch.no_grad():
            fixed = x.exp()
        y = x + torch.tensor([1.0, 2.0, 3.0])
        picked = y[:, None, torch.tensor([0, 2])]
        y.mul_(2)
        top, place = torch.max(y, 1)
        pair["b"].add_(1)
        total = (masked @ self.w.t()[:, :3]) * scale + self.table + self.constant * fixed + self.frozen
        return {"total": total, "list": [picked, (top, place)], "none": None, "rows": x.size(0), "sum": pair["a"] + number}


def small_models():
    x = torch.randn(6, 4)
    tokens = torch.randint(0, 11, (6, 8))
    return {
        "mlp": (Mlp(), (x,), {"x": {0: BATCH}}),
        "cnn": (Cnn(), (torch.randn(4, 1, 8, 8),), {"x": {0: BATCH}}),
        "resnet": (ResNetBlock(), (torch.randn(4, 3, 8, 8),), {"x": {0: BATCH}}),
        "lstm": (Lstm(), (tokens[:, :5],), None),
        "encoder": (Encoder(), (torch.randn(6, 5, 4),), {"x": {0: BATCH}}),
        "gpt": (Gpt(), (tokens,), {"tokens": {0: BATCH, 1: TIME}}),
        "vit": (Vit(), (torch.randn(4, 3, 8, 8),), {"x": {0: BATCH}}),
        "cond": (Cond(), (x,), None),
    }


def loss_of(results):
    return sum((r * torch.linspace(-1, 1, r.numel(), dtype=r.dtype).view_as(r)).sum() for r in results if r.is_floating_point())


def flat(nest):
    return [r for r in torch.utils._pytree.tree_leaves(nest) if not isinstance(r, str)]


def as_tensors(nest):
    return [torch.zeros(0) if r is None else r if isinstance(r, torch.Tensor) else torch.tensor(r) for r in flat(nest)]


def reference(model, args, kwargs, prefix=""):
    model = copy.deepcopy(model)
    args, kwargs = copy.deepcopy(args), copy.deepcopy(kwargs)
    out = {}
    inputs = [t for t in flat((args, kwargs)) if isinstance(t, torch.Tensor)]
    for i, t in enumerate(inputs):
        out[f"{prefix}in.{i}"] = t.clone()
    results = as_tensors(model(*args, **kwargs))
    for i, r in enumerate(results):
        out[f"{prefix}out.{i}"] = r.detach().clone()
    for i, t in enumerate(inputs):
        if not torch.equal(t, out[f"{prefix}in.{i}"]):
            out[f"{prefix}after.{i}"] = t.detach().clone()
    loss = loss_of([r for r in results if r.requires_grad])
    loss.backward()
    for name, p in model.named_parameters():
        if p.grad is not None:
            out[f"{prefix}grad.{name}"] = p.grad
    for name, b in model.named_buffers():
        out[f"{prefix}buffer.{name}"] = b.detach().clone()
    return out


def other_sizes(args, shapes):
    """The arguments with one more along each dynamic dim."""
    args = list(args)
    for i, (name, dims) in enumerate(shapes.items()):
        for d in dims or {}:
            args[i] = torch.cat([args[i], args[i].narrow(d, 0, 1)], d)
    return tuple(args)


def shrink(path):
    """Packs an archive and leaves out what is not read: where in Python a node comes from, and sample inputs."""
    with zipfile.ZipFile(path) as z:
        records = {i.filename: z.read(i) for i in z.infolist()}

    def bare(json_value):
        if isinstance(json_value, dict):
            return {k: {} if k == "metadata" else bare(v) for k, v in json_value.items()}
        return [bare(v) for v in json_value] if isinstance(json_value, list) else json_value

    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
        for name, data in records.items():
            if "sample_inputs" in name or "/.data/" in name:
                continue
            if name.endswith(".json"):
                data = json.dumps(bare(json.loads(data)), separators=(",", ":")).encode()
            info = zipfile.ZipInfo(name.split("/", 1)[1].join(["m/", ""]) if "/" in name else name)
            info.compress_type = zipfile.ZIP_DEFLATED
            z.writestr(info, data)


def write(folder, name, model, args, shapes, kwargs=None, small=False, core=True):
    kwargs = kwargs or {}
    values = reference(model, args, kwargs)
    if shapes:
        values |= reference(model, other_sizes(args, shapes), kwargs, "other.")
    save_file({k: v.contiguous() for k, v in values.items()}, f"{folder}/{name}.safetensors")
    program = torch.export.export(copy.deepcopy(model), args, kwargs, dynamic_shapes=shapes)
    programs = {name: program}
    if core:
        programs[f"{name}_core"] = program.run_decompositions()
    for file, p in programs.items():
        torch.export.save(p, f"{folder}/{file}.pt2")
        if small:
            shrink(f"{folder}/{file}.pt2")


def main(arguments):
    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    if arguments[0] == "--test":
        with tempfile.TemporaryDirectory() as folder:
            main([folder])
            sys.exit(subprocess.run([arguments[1], "[exported]"], env={**os.environ, "STRATA_PT2_MODELS": folder}).returncode)
    folder, *names = [a for a in arguments if not a.startswith("--")]
    small = "--small" in arguments
    os.makedirs(folder, exist_ok=True)
    for name, (model, args, shapes) in small_models().items():
        if not names or name in names:
            write(folder, name, model, args, shapes, small=small)
    if not names or "everything" in names:
        args = (torch.randn(3, 3), {"a": torch.randn(2), "b": torch.zeros(2)}, 3, None)
        write(folder, "everything", Everything(), args, None, {"scale": 1.5}, small=small)
    if "--transformers" in arguments:
        import transformers_models

        for name, (model, args, shapes) in transformers_models.models().items():
            write(folder, name, model, args, shapes, core=True)


if __name__ == "__main__":
    main(sys.argv[1:])
