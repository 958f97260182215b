"""The node tests that the onnx package carries, run by load_onnx.

    onnx_nodes.py --test PROGRAM [--only PART]  runs all by PROGRAM (onnx_nodes), prints counts and reasons, and fails where a
                                                case fails that onnx_failing.txt does not name, or one passes that it names
    onnx_nodes.py --record PROGRAM              writes onnx_failing.txt
    onnx_nodes.py --pack FILE NAME...           packs cases, and some of our own, for test_exchange, which needs no Python

Exits with 77, which CTest takes for "skipped", where onnx cannot be imported.
"""

import collections
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import warnings

try:
    import numpy
    import onnx
    import onnx.parser
    import onnx.reference
    from onnx.backend.test.case.node import collect_testcases
except ImportError as error:
    print(f"skipped: {sys.executable} lacks what this needs: {error}; set Python3_EXECUTABLE to one that has onnx 1.20")
    sys.exit(77)
if not onnx.__version__.startswith("1.20."):
    print(f"skipped: {sys.executable} has onnx {onnx.__version__}, whose node tests are others than those of 1.20 that are "
          "listed; set Python3_EXECUTABLE to one that has onnx 1.20")
    sys.exit(77)

FAILING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "onnx_failing.txt")
DTYPES = {"bool": "BOOL", "uint8": "U8", "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64", "uint16": "U16", "uint32": "U32",
          "uint64": "U64", "float16": "F16", "bfloat16": "BF16", "float32": "F32", "float64": "F64", "float8_e4m3fn": "F8_E4M3",
          "float8_e5m2": "F8_E5M2"}
FNUZ = {"float8_e4m3fnuz": -3, "float8_e5m2fnuz": -4}


class Unpackable(Exception):
    pass


def write(path, tensors):
    """A safetensors file of (dtype, shape, bytes) by name."""
    header, offset = {}, 0
    for name, (dtype, shape, data) in tensors.items():
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [offset, offset + len(data)]}
        offset += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for _, _, data in tensors.values():
            file.write(data)


def packed(array):
    array = numpy.asarray(array)
    if array.dtype.name not in DTYPES:
        raise Unpackable(f"tensors of {'text' if array.dtype.kind in 'OUS' else array.dtype.name}")
    return DTYPES[array.dtype.name], array.shape, numpy.ascontiguousarray(array).tobytes()


def add_values(tensors, prefix, values):
    codes = []
    for i, value in enumerate(values):
        key = f"{prefix}/{i}"
        if value is None:
            codes.append(-2)
        elif isinstance(value, list):
            codes.append(len(value))
            for k, item in enumerate(value):
                tensors[f"{key}/{k}"] = packed(item)
        elif numpy.asarray(value).dtype.name in FNUZ:
            codes.append(FNUZ[value.dtype.name])
            tensors[key] = packed(value.view(numpy.uint8))
        else:
            codes.append(-1)
            tensors[key] = packed(value)
    tensors[prefix] = packed(numpy.array(codes, numpy.int64))


def as_value(value, type_proto):
    if isinstance(value, onnx.TensorProto):
        return onnx.numpy_helper.to_array(value)
    if isinstance(value, onnx.SequenceProto):
        return onnx.numpy_helper.to_list(value)
    if isinstance(value, onnx.OptionalProto):
        return onnx.numpy_helper.to_optional(value)
    return list(value) if isinstance(value, (list, tuple)) else value


def pack(case):
    """The tensors of one case, or Unpackable."""
    tensors = {}
    (inputs, outputs), = case.data_sets[:1]
    add_values(tensors, case.name + "/in", [as_value(v, None) for v in inputs])
    add_values(tensors, case.name + "/out", [as_value(v, None) for v in outputs])
    tensors[case.name + "/tolerances"] = packed(numpy.array([case.rtol, case.atol], numpy.float64))
    tensors[case.name + "/model"] = packed(numpy.frombuffer(case.model.SerializeToString(), numpy.uint8))
    return tensors


OWN = {  # what the node tests lack: initializers, and control flow by what a program does not know
    "own_mlp": """<ir_version: 8, opset_import: ["" : 17]> mlp (float[N, 2] x) => (float[N, 1] y)
        <float[2, 3] first_weight = {0.5, -0.25, 1.0, 0.75, 0.5, -1.5}, float[3] first_bias = {0.1, -0.2, 0.3},
         float[3, 1] second_weight = {1.0, -2.0, 0.5}>
        { h = MatMul(x, first_weight) b = Add(h, first_bias) t = Tanh(b) y = MatMul(t, second_weight) }""",
    "own_scan": """<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] last, float[3, 2] all)
        <int64 steps = {3}, bool always = {1}>
        { last, all = Loop <body = b (int64 i, bool c, float[2] v) => (bool d, float[2] w, float[2] o)
            { d = Identity(c) w = Mul(v, x) o = Add(w, x) }> (steps, always, x) }""",
    "own_while": """<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] last)
        <int64 steps = {100}, bool always = {1}, float most = {50.0}>
        { last = Loop <body = b (int64 i, bool c, float[2] v) => (bool d, float[2] w)
            { w = Mul(v, x) s = ReduceSum <keepdims = 0> (w) d = Less(s, most) }> (steps, always, x) }""",
    "own_if": """<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y)
        { s = ReduceSum <keepdims = 0> (x) zero = Constant <value_float = 0.0> () p = Greater(s, zero)
          y = If(p) <then_branch = t () => (float[2] a) { a = Exp(x) }, else_branch = e () => (float[2] b) { b = Neg(x) }> }""",
    "own_function": """<ir_version: 8, opset_import: ["" : 17, "mine" : 1]> g (float[2] x) => (float[2] y) { y = mine.scaled <by = 3.0> (x) }
        <domain: "mine", opset_import: ["" : 17]> scaled <by> (v) => (w) { k = Constant <value_float: float = @by> () w = Mul(v, k) }""",
}


class OwnCase:
    def __init__(self, name):
        self.name, self.rtol, self.atol = name, 1e-5, 1e-6
        text = onnx.parser.parse_model(OWN[name]).SerializeToString()
        self.model = onnx.load_from_string(text.replace(b"first_", b"first.").replace(b"second_", b"second."))
        shape = [2 if not d.HasField("dim_value") else d.dim_value for d in self.model.graph.input[0].type.tensor_type.shape.dim]
        x = numpy.linspace(1, 2, int(numpy.prod(shape)), dtype=numpy.float32).reshape(shape)
        self.data_sets = [([x], onnx.reference.ReferenceEvaluator(self.model).run(None, {"x": x}))]


def cases():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sorted(collect_testcases(None), key=lambda case: case.name)


def run(program, part=""):
    """What is wrong with each case ("" where nothing is), and how many are traced as well."""
    wrong, tensors, traced = {}, {}, 0
    for case in cases():
        if part not in case.name:
            continue
        try:
            tensors.update(pack(case))
            wrong[case.name] = "was not run"
        except Unpackable as reason:
            wrong[case.name] = str(reason)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cases.safetensors")
        write(path, tensors)
        first, name = 0, None
        while True:
            done = subprocess.run([program, path, str(first)], stdout=subprocess.PIPE, text=True)
            for line in done.stdout.splitlines():
                kind, number, text = line.split("\t")
                if kind == "run":
                    first, name = int(number) + 1, text
                    wrong[name] = "ended the program"
                else:
                    traced += number == "traced"
                    wrong[name] = text
            if done.returncode == 0:
                return wrong, traced


NOTES = {  # what only a look at a case says
    "test_(bernoulli|training_dropout).*": "random numbers, which are other ones here",
    "test_qlinearmatmul_.D_int8_.*": "expects numbers that wrap, where the specification says that they saturate",
    "test_dft_inverse.*": "expects the rounding of float32, where zeros are exact here",
    "test_adam_multiple": "expects another epsilon than its node says",
}


def reason_of(text, name=""):
    for pattern, note in NOTES.items():
        if "off by" in text and re.fullmatch(pattern, name):
            return note
    text = re.sub(r" \(node '.*", "", re.sub(r"^.*?load_onnx: ", "", text))
    return re.sub(r"[-+]?\b[0-9][-+.0-9e]*\b", "N", text)[:140]


def show(wrong, traced):
    failing = {name: text for name, text in wrong.items() if text}
    print(f"{len(wrong)} cases, {len(wrong) - len(failing)} pass, {traced} of them traced as well, {len(failing)} fail:")
    reasons = collections.defaultdict(list)
    for name, text in failing.items():
        reasons[reason_of(text, name)].append(name)
    for reason, names in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"{len(names):5}  {reason}: {' '.join(names[:4])}{' ...' if len(names) > 4 else ''}")
    return failing


def test(program, part):
    wrong, traced = run(program, part)
    failing = show(wrong, traced)
    with open(FAILING) as file:
        known = {line.split("\t")[0] for line in file if line.strip() and not line.startswith("#")}
    bad = [f"{name} fails: {text}" for name, text in failing.items() if name not in known]
    bad += [f"{name} passes: delete its line in {FAILING}" for name in known if name in wrong and not wrong[name]]
    print("\n".join(bad))
    return bool(bad)


def record(program):
    wrong, traced = run(program)
    with open(FAILING, "w") as file:
        file.write("# Node tests of onnx 1.20 that fail, and why; a line whose test passes fails the run of onnx_nodes.py.\n")
        for name, text in sorted(show(wrong, traced).items()):
            file.write(f"{name}\t{reason_of(text, name)}\n")


def main(arguments):
    if arguments[0] == "--test":
        return test(arguments[1], arguments[3] if len(arguments) > 3 else "")
    if arguments[0] == "--record":
        return record(arguments[1])
    tensors = {}
    for case in cases() + [OwnCase(name) for name in OWN]:
        if case.name in arguments[2:] or case.name in OWN:
            tensors.update(pack(case))
    write(arguments[1], tensors)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
