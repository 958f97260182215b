"""Shows tensors in gdb and lldb: dtype, shape, first values, whether they require grad and what made them.

gdb loads it with libstrata.so, where it lies as libstrata.so.VERSION-gdb.py in a folder that gdb trusts. In lldb:
`command script import .../share/strata/strata_debuggers.py`. It reads memory, so it works on core files too; only the
node's name is asked of the running program. The program must know the types (compiled with -g).
"""
import struct

# By the names of ScalarType (core/dtype.h): ours, and how struct reads an element.
NAMES = {"Bool": ("bool", "?"), "Byte": ("uint8", "B"), "Char": ("int8", "b"), "Short": ("int16", "h"),
         "Int": ("int32", "i"), "UInt32": ("uint32", "I"), "Long": ("int64", "q"), "Half": ("float16", "e"),
         "BFloat16": ("bfloat16", None), "Float": ("float32", "f"), "Double": ("float64", "d"),
         "ComplexFloat": ("complex64", "2f"), "ComplexDouble": ("complex128", "2d"), "UInt16": ("uint16", "H"),
         "UInt64": ("uint64", "Q")}
NODE_NAME = "_ZN6strata8autograd23node_name_for_debuggersEPKNS_10TensorImplE"
EDGE = 3


def number(value, name):
    """One element as Python's PyTorch writes it."""
    if name == "bool":
        return "True" if value else "False"
    if isinstance(value, complex):
        return f"{value.real:.4g}{value.imag:+.4g}j"
    if not isinstance(value, float):
        return str(value)
    return f"{value:.4f}".rstrip("0") if value == 0 or 1e-4 <= abs(value) < 1e8 else f"{value:.4g}"


def element(read, at, name, code):
    """Reads one element at an address."""
    if name == "bfloat16":
        return struct.unpack("<f", b"\0\0" + read(at, 2))[0]
    values = struct.unpack("<" + code, read(at, struct.calcsize("<" + code)))
    return complex(*values) if len(values) == 2 else values[0]


def values_text(read, at, sizes, strides, name, code):
    """Nested lists of the elements, with the middle of long dims left out."""
    if not sizes:
        return number(element(read, at, name, code), name)
    size = 2 if name == "bfloat16" else struct.calcsize("<" + code)
    shown = range(sizes[0]) if sizes[0] <= 2 * EDGE else [*range(EDGE), None, *range(sizes[0] - EDGE, sizes[0])]
    return "[" + ", ".join("..." if i is None else values_text(read, at + i * strides[0] * size, sizes[1:], strides[1:],
                                                               name, code) for i in shown) + "]"


def tensor_text(tensor):
    """`tensor` has dtype, sizes, strides, device (empty for the CPU), data (an address or 0), grad_fn, requires_grad, read."""
    name, code = NAMES.get(tensor.dtype, (tensor.dtype.lower(), None))
    text = f"Tensor {name} ({', '.join(map(str, tensor.sizes))}{',' if len(tensor.sizes) == 1 else ''})"
    if tensor.device:
        text += f" on {tensor.device}"
    elif not tensor.data and 0 not in tensor.sizes:
        text += " without values"
    elif code or name == "bfloat16":
        text += " " + values_text(tensor.read, tensor.data, tensor.sizes, tensor.strides, name, code)
    if tensor.grad_fn:
        return text + f" grad_fn=<{tensor.grad_fn}>"
    return text + (" requires_grad" if tensor.requires_grad else "")


class Fields:
    """A TensorImpl, by functions of the debugger: field(value, name), integer(value), name(enum value), and so on."""

    def __init__(self, impl, debugger):
        field, integer = debugger.field, debugger.integer
        self.read = debugger.read
        self.dtype = debugger.name(field(impl, "dtype_")).split("::")[-1]
        device = field(impl, "device_")
        kind = debugger.name(field(device, "type_")).split("::")[-1]
        self.device = "" if kind in ("CPU", "kCPU") else f"{kind}:{integer(field(device, 'index_'))}"
        self.sizes = self.dims(field(impl, "sizes_"), debugger)
        self.strides = self.dims(field(impl, "strides_"), debugger)
        storage = field(field(impl, "storage_"), "p_")
        start = integer(field(debugger.pointee(storage), "data_")) if integer(storage) else 0
        self.data = start and start + integer(field(impl, "offset_"))
        meta = integer(field(impl, "autograd_"))
        has_node = meta and integer_at(self.read, meta + 8)  # Meta::grad_fn, behind the table of virtual functions
        self.grad_fn = (debugger.node_name(impl) or "?") if has_node else ""
        base = field(impl, "base_")
        # A view carries the key whatever its base is: Note [Views and gradients].
        self.requires_grad = self.has_key(impl, debugger) and bool(
            meta or not integer(base) or self.has_key(debugger.pointee(base), debugger))

    @staticmethod
    def has_key(impl, debugger):
        """Whether the key Autograd is among the tensor's, bit 4."""
        return bool(debugger.integer(debugger.field(debugger.field(impl, "keys_"), "bits_")) & 16)

    @staticmethod
    def dims(vector, debugger):
        count = debugger.integer(debugger.field(vector, "size_"))
        on_heap = debugger.integer(debugger.field(vector, "capacity_")) > 6
        at = debugger.integer(debugger.field(vector, "heap_")) if on_heap else \
            debugger.address(debugger.field(vector, "inline_"))
        return list(struct.unpack(f"<{count}q", debugger.read(at, 8 * count))) if count else []


def integer_at(read, at):
    return struct.unpack("<Q", read(at, 8))[0]


def describe(tensor, debugger):
    """The text of a Tensor, or why there is none."""
    impl = debugger.field(tensor, "impl_")
    if not debugger.integer(impl):
        return "Tensor undefined"
    return tensor_text(Fields(debugger.pointee(impl), debugger))


try:
    import gdb
    import gdb.printing
except ImportError:
    gdb = None

if gdb:
    class InGdb:
        """What Fields asks, by gdb's Values."""

        @staticmethod
        def field(value, name):
            return value[name]

        @staticmethod
        def integer(value):
            return int(value)

        @staticmethod
        def name(value):
            return str(value)

        @staticmethod
        def pointee(value):
            return value.dereference()

        @staticmethod
        def address(value):
            return int(value.address)

        @staticmethod
        def read(at, count):
            return gdb.selected_inferior().read_memory(at, count).tobytes()

        @staticmethod
        def node_name(impl):
            try:
                return gdb.parse_and_eval(f"((const char*(*)(const void*)){NODE_NAME})({int(impl.address)})").string()
            except gdb.error:  # a core file runs no functions
                return ""

    class TensorPrinter:
        """print(tensor)"""

        def __init__(self, value):
            self.value = value

        def to_string(self):
            try:
                return describe(self.value, InGdb)
            except (gdb.error, gdb.MemoryError, struct.error) as problem:
                return f"Tensor that cannot be read: {problem}"

    printers = gdb.printing.RegexpCollectionPrettyPrinter("strata")
    printers.add_printer("Tensor", "^strata::Tensor$", TensorPrinter)
    gdb.printing.register_pretty_printer(gdb.current_objfile(), printers, replace=True)


def lldb_summary(value, _):
    """Called by lldb for each tensor it shows."""
    import lldb

    class InLldb:
        """What Fields asks, by lldb's SBValues."""

        @staticmethod
        def field(value, name):
            found = value.GetChildMemberWithName(name)
            for i in range(value.GetNumChildren() if not found.IsValid() else 0):  # of anonymous unions and bases
                found = value.GetChildAtIndex(i).GetChildMemberWithName(name)
                if found.IsValid():
                    break
            return found

        @staticmethod
        def integer(value):
            return value.GetValueAsSigned() if value.GetType().GetBasicType() in (
                lldb.eBasicTypeLong, lldb.eBasicTypeInt) else value.GetValueAsUnsigned()

        @staticmethod
        def name(value):
            return value.GetValue() or ""

        @staticmethod
        def pointee(value):
            return value.Dereference()

        @staticmethod
        def address(value):
            return value.GetLoadAddress()

        @staticmethod
        def read(at, count):
            error = lldb.SBError()
            data = value.GetProcess().ReadMemory(at, count, error)
            if not error.Success():
                raise ValueError(str(error))
            return data

        @staticmethod
        def node_name(impl):
            call = f"((const char*(*)(const void*)){NODE_NAME})((const void*){impl.GetLoadAddress()})"
            text = value.GetFrame().EvaluateExpression(call).GetSummary()
            return (text or "").strip('"')

    try:
        return describe(value.GetNonSyntheticValue(), InLldb)
    except (ValueError, struct.error) as problem:
        return f"Tensor that cannot be read: {problem}"


def __lldb_init_module(debugger, _):
    debugger.HandleCommand(f"type summary add -F {__name__}.lldb_summary strata::Tensor")
