"""The workloads of benchmarks/cuda/*.cpp in PyTorch, eager, under the same names; script/bench --cuda runs it.

    peer.py [--device cuda|cpu] [--tiny] [--rows REGEX] [--samples N] [--seconds S]

Prints a line of JSON for each row, as cuda_workloads does: nanoseconds of each sample (between CUDA events, or of the
host's clock), bytes moved, operations, peak device memory. PyTorch is used at its best in eager mode: fused optimizers,
its own fused attention, gradients set to None. Exits with 0 when all rows ran, 1 when one failed; where PyTorch or a
CUDA device is missing it prints one line that says so, {"skipped": ...}, and exits with 0.
"""
import argparse
import gc
import json
import re
import sys
import time


def parse_arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    p.add_argument("--tiny", action="store_true", help="sizes of nothing: whether everything runs, not how fast")
    p.add_argument("--rows", default="", help="only rows whose name matches this regular expression")
    p.add_argument("--samples", type=int, default=20)
    p.add_argument("--seconds", type=float, default=3)
    return p.parse_args()


def print_line(**fields):
    print(json.dumps(fields), flush=True)


class Suite:
    """Measures rows; see harness.h, whose numbers of calls and samples these are."""

    def __init__(self, a, torch):
        self.a, self.torch, self.failures = a, torch, 0
        self.cuda = a.device == "cuda"

    def size(self, full, tiny):
        return tiny if self.a.tiny else full

    def synchronize(self):
        if self.cuda:
            self.torch.cuda.synchronize()

    def device_sample(self, body, calls):
        if not self.cuda:
            begin = time.perf_counter_ns()
            for _ in range(calls):
                body()
            return (time.perf_counter_ns() - begin) / calls
        begin, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(calls):
            body()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) * 1e6 / calls

    def run(self, name, work, measure):
        if not re.search(self.a.rows, name):
            return
        print(f"peer.py: {name}", file=sys.stderr)
        try:
            samples, memory = measure()
            print_line(name=name, samples_ns=[round(s) for s in samples], bytes=round(work.get("bytes", 0)),
                       flops=round(work.get("flops", 0)), memory=memory)
        except Exception as e:
            self.failures += 1
            print_line(name=name, error=str(e))
        gc.collect()
        if self.cuda:
            self.torch.cuda.empty_cache()

    def device_time(self, name, work, prepare):
        def measure():
            if self.cuda:
                self.torch.cuda.reset_peak_memory_stats()
            body = prepare()
            for _ in range(3):
                body()
            self.synchronize()
            once = max(self.device_sample(body, 1), 1)
            samples = 2 if self.a.tiny else self.a.samples
            calls = 1 if self.a.tiny else min(max(int(1e7 / once), 1), 10000)
            n = min(max(int(self.a.seconds * 1e9 / (once * calls)), 5), max(samples, 5))
            taken = [self.device_sample(body, calls) for _ in range(samples if self.a.tiny else n)]
            return taken, self.torch.cuda.max_memory_allocated() if self.cuda else 0

        self.run(name, work, measure)

    def host_time(self, name, per, prepare):
        def measure():
            body = prepare()
            for _ in range(3):
                body()
            taken = []
            for _ in range(2 if self.a.tiny else 10 * self.a.samples):
                self.synchronize()
                begin = time.perf_counter_ns()
                body()
                taken.append((time.perf_counter_ns() - begin) / per)
            return taken, 0

        self.run(name, {}, measure)


def forward_backward(torch, f, inputs):
    for t in inputs:
        t.requires_grad_(True)
    gradient = torch.randn_like(f().detach())
    return lambda: torch.autograd.grad(f(), inputs, gradient)


def element_wise_rows(suite, torch):
    n, rows = suite.size(64 << 20, 1000), suite.size(8192, 10)
    device = suite.a.device

    def row(name, arrays, f):
        def prepare():
            a, b = torch.rand(n, device=device), torch.rand(n, device=device)
            return lambda: f(a, b)

        suite.device_time(f"{name}, 64M floats", {"bytes": arrays * 4 * n}, prepare)

    def copy():
        source = torch.rand(n, device=device)
        to = torch.empty_like(source)
        return lambda: to.copy_(source)

    suite.device_time("copy, 64M floats", {"bytes": 8 * n}, copy)
    row("a + b", 3, lambda a, b: a + b)
    row("a * 2", 2, lambda a, b: a * 2)
    row("exp", 2, lambda a, b: a.exp())
    row("chain relu(a * b + a)", 8, lambda a, b: (a * b + a).relu())
    row("sum", 1, lambda a, b: a.sum())
    row("max", 1, lambda a, b: a.max())
    row("mean of rows", 1, lambda a, b: a.view(rows, -1).mean(1))
    row("mean of columns", 1, lambda a, b: a.view(rows, -1).mean(0))


def normalization_rows(suite, torch):
    rows, columns = suite.size(16384, 8), suite.size(4096, 16)
    like = dict(device=suite.a.device, dtype=torch.bfloat16)
    array = 2 * rows * columns
    functional = torch.nn.functional

    def softmax():
        x = torch.randn(rows, columns, **like)
        return lambda: torch.softmax(x, 1)

    def softmax_backward():
        x = torch.randn(rows, columns, **like)
        return forward_backward(torch, lambda: torch.softmax(x, 1), [x])

    def layer_norm_backward():
        x, w, b = torch.randn(rows, columns, **like), torch.ones(columns, **like), torch.zeros(columns, **like)
        return forward_backward(torch, lambda: functional.layer_norm(x, (columns,), w, b), [x, w, b])

    suite.device_time("softmax 16384x4096 bf16, forward", {"bytes": 2 * array}, softmax)
    suite.device_time("softmax 16384x4096 bf16, forward + backward", {"bytes": 5 * array}, softmax_backward)
    suite.device_time("layer norm 16384x4096 bf16, forward + backward", {"bytes": 5 * array}, layer_norm_backward)


def matrix_rows(suite, torch):
    def row(name, a, b, dtype):
        def prepare():
            x, y = (torch.randn(shape, device=suite.a.device, dtype=dtype) for shape in (a, b))
            return lambda: x @ y

        batch = a[0] if len(a) == 3 else 1
        suite.device_time(name, {"flops": 2 * batch * a[-2] * a[-1] * b[-1]}, prepare)

    big, middle, small, batch = suite.size(8192, 16), suite.size(2048, 16), suite.size(1024, 8), suite.size(64, 2)
    row("matmul 8192 bf16", (big, big), (big, big), torch.bfloat16)
    row("matmul 2048 f32", (middle, middle), (middle, middle), torch.float32)
    torch.backends.cuda.matmul.allow_tf32 = True
    row("matmul 2048 f32 by TF32", (middle, middle), (middle, middle), torch.float32)
    torch.backends.cuda.matmul.allow_tf32 = False
    row("matmul 64 x 1024 bf16", (batch, small, small), (batch, small, small), torch.bfloat16)


def attention_rows(suite, torch):
    b, h, t, d = suite.size(4, 1), suite.size(16, 2), suite.size(4096, 8), suite.size(64, 4)
    product = b * h * t * t * d
    attention = torch.nn.functional.scaled_dot_product_attention

    def inputs():
        return [torch.randn(b, h, t, d, device=suite.a.device, dtype=torch.bfloat16) for _ in range(3)]

    def forward():
        q, k, v = inputs()
        return lambda: attention(q, k, v, is_causal=True)

    def backward():
        q, k, v = inputs()
        return forward_backward(torch, lambda: attention(q, k, v, is_causal=True), [q, k, v])

    suite.device_time("attention 4x16x4096x64 causal bf16, forward", {"flops": 2 * product}, forward)
    suite.device_time("attention 4x16x4096x64 causal bf16, forward + backward", {"flops": 7 * product}, backward)


def overhead_rows(suite, torch):
    steps = 50

    def chain(a, b):
        x = a
        for _ in range(steps):
            x = x * a + b
        return x

    def prepare(recording):
        a, b = torch.ones(8, device=suite.a.device), torch.ones(8, device=suite.a.device)
        a.requires_grad_(recording)
        return lambda: chain(a, b)

    suite.host_time("op of a chain, host side, no grad", 2 * steps, lambda: prepare(False))
    suite.host_time("op of a chain, host side, recording", 2 * steps, lambda: prepare(True))


def optimizer_rows(suite, torch):
    each, tensors = suite.size(100000000, 100), 10

    def prepare():
        parameters = [torch.zeros(each, device=suite.a.device, requires_grad=True) for _ in range(tensors)]
        for p in parameters:
            p.grad = torch.full_like(p, 0.01)
        return torch.optim.Adam(parameters, lr=1e-3, fused=True).step

    suite.device_time("Adam step over 1e9 parameters", {"bytes": 28 * each * tensors}, prepare)


def mlp_step(suite, torch):
    nn, batch = torch.nn, suite.size(128, 4)
    net = nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10),
                        nn.LogSoftmax(1)).to(suite.a.device)
    sgd = torch.optim.SGD(net.parameters(), lr=0.01, fused=True)
    x, y = torch.rand(batch, 784, device=suite.a.device), torch.randint(10, (batch,), device=suite.a.device)

    def step():
        sgd.zero_grad()
        nn.functional.nll_loss(net(x), y).backward()
        sgd.step()

    return step


def captured(torch, step):
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return lambda keep=step: graph.replay()  # `step` owns the tensors that the graph reads and writes


def mlp_rows(suite, torch):
    graph = "MNIST MLP step, batch 128, CUDA graph"
    suite.device_time("MNIST MLP step, batch 128, eager", {}, lambda: mlp_step(suite, torch))
    if suite.cuda:
        suite.device_time(graph, {}, lambda: captured(torch, mlp_step(suite, torch)))
    elif re.search(suite.a.rows, graph):
        print_line(name=graph, skipped="graphs are captured on CUDA devices")


def make_gpt(torch, vocabulary, context, layers, heads, width):
    nn, functional = torch.nn, torch.nn.functional

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
            self.qkv, self.projection = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def attention(self, x):
            b, t, c = x.shape
            q, k, v = (y.view(b, t, heads, c // heads).transpose(1, 2) for y in self.qkv(x).split(c, 2))
            y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            return self.projection(y.transpose(1, 2).contiguous().view(b, t, c))

        def forward(self, x):
            x = x + self.attention(self.norm1(x))
            return x + self.down(functional.gelu(self.up(self.norm2(x)), approximate="tanh"))

    class Gpt(nn.Module):
        def __init__(self):
            super().__init__()
            self.tokens, self.positions = nn.Embedding(vocabulary, width), nn.Embedding(context, width)
            self.blocks, self.norm = nn.ModuleList(Block() for _ in range(layers)), nn.LayerNorm(width)
            nn.init.normal_(self.tokens.weight, 0, 0.02)
            nn.init.normal_(self.positions.weight, 0, 0.02)

        def forward(self, tokens):
            x = self.tokens(tokens) + self.positions(torch.arange(tokens.shape[1], device=tokens.device))
            for block in self.blocks:
                x = block(x)
            return functional.linear(self.norm(x), self.tokens.weight)

    return Gpt()


def gpt_step(suite, torch, options, batch):
    net = make_gpt(torch, **options).to(suite.a.device)
    adam = torch.optim.AdamW(net.parameters(), lr=6e-4, weight_decay=0.1, fused=True)
    shape = (batch, options["context"])
    tokens, targets = (torch.randint(options["vocabulary"], shape, device=suite.a.device) for _ in range(2))

    def step():
        adam.zero_grad()
        with torch.autocast(suite.a.device, dtype=torch.bfloat16):
            loss = torch.nn.functional.cross_entropy(net(tokens).flatten(0, 1), targets.flatten())
        loss.backward()
        adam.step()

    return step


def gpt_rows(suite, torch):
    tiny = dict(vocabulary=17, context=8, layers=2, heads=2, width=8)
    characters = dict(vocabulary=65, context=256, layers=6, heads=6, width=384)
    gpt2 = dict(vocabulary=50304, context=1024, layers=12, heads=12, width=768)
    for name, options, batch in (("char GPT step, bf16, batch 64 x 256", characters, 64),
                                 ("GPT-2 124M step, bf16, batch 8 x 1024", gpt2, 8)):
        chosen, rows = suite.size(options, tiny), suite.size(batch, 2)
        suite.device_time(name, {}, lambda: gpt_step(suite, torch, chosen, rows))


def main():
    a = parse_arguments()
    try:
        import torch
    except ImportError as e:
        print_line(skipped=f"PyTorch is not installed: {e}")
        return 0
    if a.device == "cuda" and not torch.cuda.is_available():
        print_line(skipped="no CUDA device can be used")
        return 0
    torch.manual_seed(0)
    suite = Suite(a, torch)
    for rows in (element_wise_rows, normalization_rows, matrix_rows, attention_rows, overhead_rows, optimizer_rows,
                 mlp_rows, gpt_rows):
        rows(suite, torch)
    return 1 if suite.failures else 0


if __name__ == "__main__":
    sys.exit(main())
