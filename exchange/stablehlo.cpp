// The text of a StableHLO module; what each op is written as stands in stablehlo_ops.cpp.
#include "exchange/stablehlo.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "exchange/stablehlo_writer.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/view.h"

namespace strata::stablehlo {
namespace {

constexpr char kDigits[] = "0123456789ABCDEF";

const char* element_name(DType dtype) {
  switch (dtype) {
    case kFloat:
      return "f32";
    case kDouble:
      return "f64";
    case kHalf:
      return "f16";
    case kBFloat16:
      return "bf16";
    case kBool:
      return "i1";
    case kChar:
      return "i8";
    case kShort:
      return "i16";
    case kInt:
      return "i32";
    case kLong:
      return "i64";
    case kByte:
      return "ui8";
    case kUInt16:
      return "ui16";
    case kUInt32:
      return "ui32";
    case kUInt64:
      return "ui64";
    case kComplexFloat:
      return "complex<f32>";
    case kComplexDouble:
      return "complex<f64>";
    default:
      STRATA_THROW("to_stablehlo: StableHLO has no {}", name(dtype));
  }
}

/// All bits of a contiguous tensor, as MLIR reads them: in the order of memory.
std::string bits_of(const Tensor& t) {
  std::string text = "\"0x";
  const auto* const bytes = static_cast<const unsigned char*>(t.data_ptr());
  for (size_t i = 0; i < static_cast<size_t>(t.numel()) * t.element_size(); ++i)
    (text += kDigits[bytes[i] / 16]) += kDigits[bytes[i] % 16];
  return text + "\"";
}

/// A real number as MLIR reads it back: finite ones in decimals that give the same double, others bit by bit.
std::string real_text(double v, DType dtype) {
  if (!std::isfinite(v)) {
    const Tensor t = full({}, v, dtype);
    uint64_t bits = 0;
    std::memcpy(&bits, t.data_ptr(), t.element_size());
    return fmt::format("0x{:0{}X}", bits, 2 * t.element_size());
  }
  std::string text = fmt::format("{}", v);
  if (text.find('.') == text.npos) text.insert(std::min(text.find('e'), text.size()), ".0");
  return text;
}

std::string number_text(const Scalar& v, DType dtype) {
  if (dtype == kBool) return v.toBool() ? "true" : "false";
  if (is_floating_point(dtype)) return real_text(full({}, v, dtype).item<double>(), dtype);
  if (dtype == kUInt64) return std::to_string(full({}, v, dtype).item<uint64_t>());
  if (!is_complex(dtype)) return std::to_string(full({}, v, dtype).item<int64_t>());
  const auto z = full({}, v, dtype).to(kComplexDouble).item<Complex<double>>();
  const DType part = dtype == kComplexFloat ? kFloat : kDouble;
  return "(" + real_text(z.real(), part) + ", " + real_text(z.imag(), part) + ")";
}

/// MLIR packs bools eight a byte where it reads bits, so they are written out.
std::string words_of(const Tensor& bools) {
  std::string text = "[";
  for (int64_t i = 0; i < bools.numel(); ++i) (text += i ? ", " : "") += bools.data_ptr<bool>()[i] ? "true" : "false";
  return text + "]";
}

/// Does a contiguous tensor hold one value, bit by bit?
bool repeats(const Tensor& t) {
  const auto* const bytes = static_cast<const char*>(t.data_ptr());
  const size_t item = t.element_size(), all = item * static_cast<size_t>(t.numel());
  return all > 0 && std::memcmp(bytes, bytes + item, all - item) == 0;
}

std::string types_of(const Operands& operands) {
  std::string text;
  for (const Operand& x : operands) (text += text.empty() ? "" : ", ") += type_of(x.dtype, x.sizes);
  return text;
}

std::string names_of(const Operands& operands) {
  std::string text;
  for (const Operand& x : operands) (text += text.empty() ? "" : ", ") += x.name;
  return text;
}

/// What an op without a counterpart is made of, as a program of its operands.
Program decomposed(const Program& p, const Program::Equation& e) {
  std::vector<Tensor> like;
  for (const Program::Variable v : e.inputs)
    like.push_back(v == Program::kNone ? Tensor() : zeros({}, p.type(v).dtype).expand(p.type(v).sizes));
  const auto f = [&](std::vector<Tensor> x) {
    const dispatch::Tensors out = e.op->decompose(dispatch::ArgList(x), dispatch::Params(e.params).data());
    return std::vector<Tensor>(out.begin(), out.end());
  };
  return func::trace(f)(like).program();
}

}  // namespace

std::string element_type(DType dtype) { return element_name(dtype); }

std::string type_of(DType dtype, IntArrayRef sizes) {
  std::string text = "tensor<";
  for (const int64_t n : sizes) (text += std::to_string(n)) += 'x';
  return (text += element_name(dtype)) + ">";
}

std::string listed(IntArrayRef numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size(); ++i) (text += i ? ", " : "") += std::to_string(numbers[i]);
  return text;
}

std::string array(const char* name, IntArrayRef numbers) {
  return std::string(name) + " = array<i64" + (numbers.empty() ? "" : ": " + listed(numbers)) + ">";
}

Operand Writer::op(const std::string& name, const Operands& operands, DType dtype, IntArrayRef sizes,
                   const std::string& attributes) {
  const Operand out = argument(dtype, sizes);
  const std::string type = type_of(dtype, sizes);
  bool is_short = attributes.empty() && !operands.empty() && !name.starts_with("chlo");
  for (const Operand& x : operands) is_short = is_short && type_of(x.dtype, x.sizes) == type;
  if (is_short)
    line(out.name + " = " + name + " " + names_of(operands) + " : " + type);
  else
    line(out.name + " = \"" + name + "\"(" + names_of(operands) + ") {" + attributes + "} : (" + types_of(operands) +
         ") -> " + type);
  return out;
}

Operands Writer::op(const std::string& name, const Operands& operands, const std::vector<std::string>& regions,
                    const Operands& like, const std::string& attributes) {
  const std::string first = fresh();
  std::string text = first + (like.size() > 1 ? ":" + std::to_string(like.size()) : "") + " = \"" + name + "\"(" +
                     names_of(operands) + ") (";
  for (size_t i = 0; i < regions.size(); ++i) (text += i ? ", " : "") += regions[i];
  line(text + ") {" + attributes + "} : (" + types_of(operands) + ") -> (" + types_of(like) + ")");
  Operands results = like;
  for (size_t i = 0; i < results.size(); ++i)
    results[i].name = like.size() > 1 ? first + "#" + std::to_string(i) : first;
  return results;
}

Operand Writer::constant(const Tensor& value) {
  const Tensor t = value.detach().cpu().contiguous();
  const DType dtype = t.dtype();
  if (repeats(t)) return number(t.flatten()[0].item(), dtype, t.sizes());
  const bool is_flat = dtype == kBool;  // lists are nested as the sizes are
  const Operand out = argument(dtype, is_flat ? IntArrayRef({t.numel()}) : t.sizes());
  const std::string values = t.numel() == 0 ? "" : is_flat ? words_of(t) : bits_of(t);
  line(out.name + " = stablehlo.constant dense<" + values + "> : " + type_of(dtype, out.sizes));
  return reshaped(out, t.sizes());
}

Operand Writer::number(const Scalar& value, DType dtype, IntArrayRef sizes) {
  const Operand out = argument(dtype, sizes);
  line(out.name + " = stablehlo.constant dense<" + number_text(value, dtype) + "> : " + type_of(dtype, sizes));
  return out;
}

Operand Writer::converted(const Operand& x, DType dtype) {
  return x.dtype == dtype ? x : op("stablehlo.convert", {x}, dtype, x.sizes);
}

Operand Writer::reshaped(const Operand& x, IntArrayRef sizes) {
  return x.sizes == sizes ? x : op("stablehlo.reshape", {x}, x.dtype, sizes);
}

Operand Writer::broadcast(const Operand& x, IntArrayRef sizes) {
  if (x.sizes == sizes) return x;
  DimVector dims;
  for (int64_t d = 0; d < x.dim(); ++d) dims.push_back(static_cast<int64_t>(sizes.size()) - x.dim() + d);
  return broadcast_in_dim(x, sizes, dims);
}

Operand Writer::broadcast_in_dim(const Operand& x, IntArrayRef sizes, IntArrayRef dims) {
  return op("stablehlo.broadcast_in_dim", {x}, x.dtype, sizes,
            "broadcast_dimensions = array<i64" + (dims.empty() ? "" : ": " + listed(dims)) + ">");
}

Operand Writer::transposed(const Operand& x, IntArrayRef dims) {
  DimVector sizes;
  for (const int64_t d : dims) sizes.push_back(x.sizes[static_cast<size_t>(d)]);
  return op("stablehlo.transpose", {x}, x.dtype, sizes,
            "permutation = array<i64" + (dims.empty() ? "" : ": " + listed(dims)) + ">");
}

Operand Writer::iota(DType dtype, IntArrayRef sizes, int64_t dim) {
  return op("stablehlo.iota", {}, dtype, sizes, "iota_dimension = " + std::to_string(dim) + " : i64");
}

Operand Writer::compared(const char* direction, const Operand& a, const Operand& b) {
  return op("stablehlo.compare", {a, b}, kBool, a.sizes,
            std::string("comparison_direction = #stablehlo<comparison_direction ") + direction + ">");
}

Operand Writer::selected(const Operand& condition, const Operand& a, const Operand& b) {
  return op("stablehlo.select", {condition, a, b}, a.dtype, a.sizes, " ");
}

std::string Writer::joining(const char* name, DType dtype) {
  const Operand a = argument(dtype, {}), b = argument(dtype, {});
  return region({a, b}, [&] { return Operands{op(name, {a, b}, dtype, {})}; });
}

Operand Writer::reduced(const char* name, const Operand& x, const Operand& init, IntArrayRef dims) {
  DimVector sizes;
  for (int64_t d = 0; d < x.dim(); ++d)
    if (std::find(dims.begin(), dims.end(), d) == dims.end()) sizes.push_back(x.sizes[static_cast<size_t>(d)]);
  return op("stablehlo.reduce", {x, init}, {joining(name, x.dtype)}, {{"", x.dtype, sizes}},
            "dimensions = array<i64" + (dims.empty() ? "" : ": " + listed(dims)) + ">")[0];
}

void Writer::give_back(const char* name, const Operands& results) {
  line(std::string(name) + (results.empty() ? "" : " " + names_of(results) + " : " + types_of(results)));
}

std::string Writer::region_text(const Operands& arguments, const std::string& lines) const {
  std::string text = "{\n";
  const std::string indent(2 * static_cast<size_t>(depth_), ' ');
  if (!arguments.empty()) {
    text += indent + "^bb0(";
    for (size_t i = 0; i < arguments.size(); ++i)
      ((text += i ? ", " : "") += arguments[i].name) += ": " + type_of(arguments[i].dtype, arguments[i].sizes);
    text += "):\n";
  }
  return text + lines + indent + "}";
}

Operands Writer::equation(const Program& p, const Program::Equation& e, Operands inputs) {
  if (const Write write = find_write(e.op->name())) {
    std::vector<Program::Type> out;
    for (const Program::Variable v : e.outputs) out.push_back(v == Program::kNone ? Program::Type{} : p.type(v));
    return write({*this, e, func::EquationFields("to_stablehlo", e), std::move(inputs), std::move(out)});
  }
  if (e.op->decompose && !func::has_side_effects(e) && func::programs_in(e.params).empty())
    return program(decomposed(p, e), inputs);
  missing_.insert(std::string(e.op->name()));
  Operands nothing;
  for (const Program::Variable v : e.outputs)
    nothing.push_back(v == Program::kNone ? Operand() : argument(p.type(v).dtype, p.type(v).sizes));
  return nothing;
}

Operands Writer::program(const Program& p, const Operands& inputs) {
  STRATA_CHECK(p.effects().empty(),
               "to_stablehlo: the program writes to tensors from outside, which StableHLO's functions do not: trace a "
               "function that returns them, and modules in the mode eval()");
  std::map<Program::Variable, Operand> values;
  for (size_t i = 0; i < p.inputs().size(); ++i) values[p.inputs()[i]] = inputs[i];
  for (const Program::Constant& c : p.constants()) values[c.variable] = constant(c.value);
  const auto value_of = [&](Program::Variable v) { return v == Program::kNone ? Operand() : values.at(v); };
  for (const Program::Equation& e : p.equations()) {
    Operands in;
    for (const Program::Variable v : e.inputs) in.push_back(value_of(v));
    const Operands out = equation(p, e, std::move(in));
    for (size_t i = 0; i < e.outputs.size(); ++i)
      if (i < out.size()) values[e.outputs[i]] = out[i];
  }
  Operands results;
  for (const Program::Variable v : p.outputs()) {
    STRATA_CHECK(values.count(v), "to_stablehlo: a result is undefined, or one of an op that StableHLO's has none of");
    results.push_back(values.at(v));
  }
  return results;
}

}  // namespace strata::stablehlo

namespace strata {

std::string to_stablehlo(const func::Program& program) {
  using namespace stablehlo;
  Writer w;
  Operands arguments;
  std::string head;
  for (size_t i = 0; i < program.inputs().size(); ++i) {
    const func::Program::Type& type = program.type(program.inputs()[i]);
    arguments.push_back({"%arg" + std::to_string(i), type.dtype, type.sizes});
    (head += i ? ", " : "") += arguments[i].name + ": " + type_of(type.dtype, type.sizes);
  }
  const Operands results = w.program(program, arguments);
  std::string missing;
  for (const std::string& name : w.missing()) (missing += missing.empty() ? "" : ", ") += name;
  STRATA_CHECK(missing.empty(), "to_stablehlo: ops that have no counterpart here: {}", missing);
  w.give_back("return", results);
  std::string types;
  for (const Operand& r : results) (types += types.empty() ? "" : ", ") += type_of(r.dtype, r.sizes);
  return "module @program {\n  func.func public @main(" + head + ") -> (" + types + ") {\n" + w.text() + "  }\n}\n";
}

}  // namespace strata
