// Writes programs as ONNX files: a node or a few for each equation.
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <numbers>
#include <set>
#include <unordered_map>

#include "core/error.h"
#include "exchange/equation_fields.h"
#include "exchange/onnx/graph.h"
#include "exchange/onnx/tensors.h"
#include "ops/creation.h"
#include "ops/promote.h"
#include "ops/view.h"

namespace strata::onnx {
namespace {

namespace pb = ::onnx;
using Variable = func::Program::Variable;
using Equation = func::Program::Equation;
using Ints = std::vector<int64_t>;
using Names = std::vector<std::string>;

constexpr int64_t kOpset = 17, kIrVersion = 8;

/// The params of an equation by name.
class Fields : public func::EquationFields {
 public:
  explicit Fields(const Equation& e) : EquationFields("save_onnx", e) {}
  Ints ints(const std::string& name) const { return (*this)[name].toIntVector(); }
};

/// The graph that is written.
class Writer {
 public:
  explicit Writer(const func::Program& program) : program_(program) {
    model_.set_ir_version(kIrVersion);
    model_.set_producer_name("Strata");
    model_.add_opset_import()->set_version(kOpset);
    graph_ = model_.mutable_graph();
    graph_->set_name("program");
  }

  const func::Program::Type& type(Variable v) const { return program_.type(v); }
  Ints sizes(Variable v) const { return {type(v).sizes.begin(), type(v).sizes.end()}; }
  const std::string& name(Variable v) const {
    const auto found = names_.find(v);
    STRATA_CHECK(found != names_.end(), "save_onnx: something reads a second result of an op that ONNX's has none of");
    return found->second;
  }
  void set(Variable v, std::string name) { names_[v] = std::move(name); }

  /// A node with one result, which it gives the name of.
  std::string node(const char* op, const Names& inputs) { return nodes(op, inputs, 1)[0]; }
  Names nodes(const char* op, const Names& inputs, int results) {
    pb::NodeProto& n = *graph_->add_node();
    n.set_op_type(op);
    n.set_name(fresh());
    for (const std::string& input : inputs) n.add_input(input);
    for (int i = 0; i < results; ++i) n.add_output(fresh());
    return {n.output().begin(), n.output().end()};
  }
  /// Attributes of the last node.
  void attribute(const char* name, int64_t v) {
    pb::AttributeProto& a = add_attribute(name, pb::AttributeProto::INT);
    a.set_i(v);
  }
  void attribute(const char* name, const Ints& v) {
    pb::AttributeProto& a = add_attribute(name, pb::AttributeProto::INTS);
    for (const int64_t i : v) a.add_ints(i);
  }
  void attribute(const char* name, const char* v) {
    pb::AttributeProto& a = add_attribute(name, pb::AttributeProto::STRING);
    a.set_s(v);
  }
  std::string constant(const Tensor& t) {
    pb::TensorProto& proto = *graph_->add_initializer();
    write_tensor(t, proto);
    proto.set_name(fresh());
    return proto.name();
  }
  std::string ints(const Ints& v) { return constant(strata::tensor(v, kLong)); }
  /// A number in the dtype of a variable.
  std::string number(double v, Variable like) { return constant(full({}, v, type(like).dtype)); }
  std::string cast(const std::string& x, DType dtype) {
    const std::string out = node("Cast", {x});
    attribute("to", number_of_dtype(dtype));
    return out;
  }

  void add_inputs();
  void add_constants();
  void add_outputs();
  std::string bytes() const { return model_.SerializeAsString(); }

 private:
  std::string fresh() { return "v" + std::to_string(next_++); }
  pb::AttributeProto& add_attribute(const char* name, pb::AttributeProto::AttributeType type) {
    pb::AttributeProto& a = *graph_->mutable_node(graph_->node_size() - 1)->add_attribute();
    a.set_name(name);
    a.set_type(type);
    return a;
  }
  void describe(pb::ValueInfoProto& info, const std::string& name, Variable v) const {
    info.set_name(name);
    auto& tensor = *info.mutable_type()->mutable_tensor_type();
    tensor.set_elem_type(static_cast<int32_t>(number_of_dtype(type(v).dtype)));
    tensor.mutable_shape();
    for (const int64_t size : type(v).sizes) tensor.mutable_shape()->add_dim()->set_dim_value(size);
  }

  const func::Program& program_;
  pb::ModelProto model_;
  pb::GraphProto* graph_;
  std::unordered_map<Variable, std::string> names_;
  int64_t next_ = 0;
};

void Writer::add_inputs() {
  for (size_t i = 0; i < program_.inputs().size(); ++i) {
    const Variable v = program_.inputs()[i];
    if (v == func::Program::kNone) continue;
    set(v, "input." + std::to_string(i));
    describe(*graph_->add_input(), name(v), v);
  }
}

void Writer::add_constants() {
  for (size_t i = 0; i < program_.constants().size(); ++i) {
    const auto& constant = program_.constants()[i];
    pb::TensorProto& proto = *graph_->add_initializer();
    write_tensor(constant.value, proto);
    proto.set_name("constant." + std::to_string(i));
    set(constant.variable, proto.name());
  }
}

/// Results have names of their own, also those that are inputs or constants, or come twice.
void Writer::add_outputs() {
  for (size_t i = 0; i < program_.outputs().size(); ++i) {
    const Variable v = program_.outputs()[i];
    STRATA_CHECK(v != func::Program::kNone, "save_onnx: result {} is undefined", i);
    node("Identity", {name(v)});
    const std::string name = "output." + std::to_string(i);
    graph_->mutable_node(graph_->node_size() - 1)->set_output(0, name);
    describe(*graph_->add_output(), name, v);
  }
}

/// One equation while it is written.
struct Call {
  Writer& w;
  const Equation& e;
  const Fields f;

  Variable in(size_t i) const { return e.inputs.at(i); }
  Variable out(size_t i = 0) const { return e.outputs.at(i); }
  bool has(size_t i) const { return i < e.inputs.size() && e.inputs[i] != func::Program::kNone; }
  std::string operator[](size_t i) const { return w.name(in(i)); }
  /// An input in the dtype of the result.
  std::string as_result(size_t i) const { return as(i, w.type(out()).dtype); }
  std::string as(size_t i, DType dtype) const {
    return w.type(in(i)).dtype == dtype ? (*this)[i] : w.cast((*this)[i], dtype);
  }
  void give(std::string name) const { w.set(out(), std::move(name)); }
  std::string number(double v) const { return w.number(v, out()); }
  std::string reshaped(const std::string& x, const Ints& sizes) const { return w.node("Reshape", {x, w.ints(sizes)}); }
};

template <size_t N>
struct Literal {  // an op's name as an argument of a template
  constexpr Literal(const char (&text)[N]) { std::copy(text, text + N, value); }
  char value[N];
};

template <Literal op>
void unary(const Call& c) {
  c.give(c.w.node(op.value, {c.as_result(0)}));
}
template <Literal op>
void test_of_one(const Call& c) {
  c.give(c.w.node(op.value, {c[0]}));
}
template <Literal op>
void binary(const Call& c) {
  c.give(c.w.node(op.value, {c.as_result(0), c.as_result(1)}));
}
template <Literal op>
void comparison(const Call& c) {
  const DType x = c.w.type(c.in(0)).dtype, y = c.w.type(c.in(1)).dtype, common = promote_types(x, y);
  c.give(c.w.node(op.value, {c.as(0, common), c.as(1, common)}));
}
template <Literal op>
void along_dim(const Call& c) {
  c.give(c.w.node(op.value, {c.as_result(0)}));
  c.w.attribute("axis", c.f["dim"].toInt());
}

void identity(const Call& c) { c.give(c.w.node("Identity", {c[0]})); }
void cast(const Call& c) { c.give(c.w.cast(c[0], c.w.type(c.out()).dtype)); }
void reshape(const Call& c) { c.give(c.reshaped(c[0], c.w.sizes(c.out()))); }
void expand(const Call& c) { c.give(c.w.node("Expand", {c[0], c.w.ints(c.w.sizes(c.out()))})); }

void not_equal(const Call& c) {
  comparison<"Equal">(c);
  c.give(c.w.node("Not", {c.w.name(c.out())}));
}

void permute(const Call& c) {
  c.give(c.w.node("Transpose", {c[0]}));
  c.w.attribute("perm", c.f.ints("dims"));
}

void select(const Call& c) {
  c.give(c.w.node("Gather", {c[0], c.w.constant(scalar_tensor(c.f["index"].toInt(), kLong))}));
  c.w.attribute("axis", c.f["dim"].toInt());
}

void slice(const Call& c) {
  const int64_t start = c.f["start"].toInt(), length = c.f["length"].toInt(), step = c.f["step"].toInt();
  const int64_t end = length == 0 ? start : start + (length - 1) * step + 1;
  c.give(
      c.w.node("Slice", {c[0], c.w.ints({start}), c.w.ints({end}), c.w.ints({c.f["dim"].toInt()}), c.w.ints({step})}));
}

void cat(const Call& c) {
  Names inputs;
  for (size_t i = 0; i < c.e.inputs.size(); ++i) inputs.push_back(c.as_result(i));
  c.give(c.w.node("Concat", inputs));
  c.w.attribute("axis", c.f["dim"].toInt());
}

/// One tensor of indices, as embeddings have it.
void index(const Call& c) {
  STRATA_CHECK(c.e.inputs.size() == 2 && c.w.type(c.in(1)).dtype != kBool,
               "save_onnx: an index by {} tensors, or by a mask", c.e.inputs.size() - 1);
  c.give(c.w.node("Gather", {c[0], c[1]}));
  c.w.attribute("axis", c.f["first"].toInt());
}

std::string reduced(const Call& c, const char* op, const std::string& x, const Ints& dims, bool keeps) {
  const bool takes_axes = std::string_view(op) == "ReduceSum";  // at this opset the others have an attribute
  const std::string out = c.w.node(op, takes_axes ? Names{x, c.w.ints(dims)} : Names{x});
  if (!takes_axes) c.w.attribute("axes", dims);
  c.w.attribute("keepdims", keeps);
  return out;
}

std::string reduced_as_asked(const Call& c, const char* op, const std::string& x) {
  const Ints dims = c.f.ints("dims");
  return dims.empty() ? x : reduced(c, op, x, dims, c.f["keepdim"].toBool());
}

template <Literal op>
void reduction(const Call& c) {
  c.give(reduced_as_asked(c, op.value, c.as_result(0)));
}

void aminmax(const Call& c) {
  c.w.set(c.out(0), reduced_as_asked(c, "ReduceMin", c[0]));
  c.w.set(c.out(1), reduced_as_asked(c, "ReduceMax", c[0]));
}

void square(const Call& c) { c.give(c.w.node("Mul", {c[0], c[0]})); }
void rsqrt(const Call& c) { c.give(c.w.node("Reciprocal", {c.w.node("Sqrt", {c[0]})})); }
void silu(const Call& c) { c.give(c.w.node("Mul", {c[0], c.w.node("Sigmoid", {c[0]})})); }

void lerp(const Call& c) {
  const std::string way = c.w.node("Sub", {c[1], c[0]});
  c.give(c.w.node("Add", {c[0], c.w.node("Mul", {c.as_result(2), way})}));
}

/// a + value * x * y, as batch norm has it in the mode eval().
void addcmul(const Call& c) {
  const std::string product = c.w.node("Mul", {c.as_result(1), c.as_result(2)});
  c.give(c.w.node("Add", {c.as_result(0), c.w.node("Mul", {product, c.number(c.f["value"].toDouble())})}));
}

/// x * (1 + erf(x / sqrt 2)) / 2, or the same by tanh.
void gelu(const Call& c) {
  std::string inner = c.w.node("Mul", {c[0], c.number(1 / std::numbers::sqrt2)});
  if (c.f["tanh"].toBool()) {
    const std::string cube = c.w.node("Mul", {c.w.node("Mul", {c[0], c[0]}), c[0]});
    const std::string sum = c.w.node("Add", {c[0], c.w.node("Mul", {cube, c.number(0.044715)})});
    inner = c.w.node("Tanh", {c.w.node("Mul", {sum, c.number(std::sqrt(2 / std::numbers::pi))})});
  } else {
    inner = c.w.node("Erf", {inner});
  }
  const std::string half = c.w.node("Mul", {c[0], c.number(0.5)});
  c.give(c.w.node("Mul", {half, c.w.node("Add", {inner, c.number(1)})}));
}

void linear(const Call& c) {
  const std::string weight = c.w.node("Transpose", {c[1]});
  c.w.attribute("perm", Ints{1, 0});
  const std::string product = c.w.node("MatMul", {c[0], weight});
  c.give(c.has(2) ? c.w.node("Add", {product, c[2]}) : product);
}

/// Params count three dims, of which the input has the last ones.
Ints last(const Call& c, const char* name) {
  const Ints all = c.f.ints(name);
  const auto n = static_cast<std::ptrdiff_t>(c.w.sizes(c.in(0)).size()) - 2;
  STRATA_CHECK(static_cast<std::ptrdiff_t>(all.size()) >= n && n > 0, "save_onnx: windows over {} dims", n);
  return {all.end() - n, all.end()};
}

void window_attributes(const Call& c, bool dilates) {
  c.w.attribute("kernel_shape", last(c, "kernel"));
  c.w.attribute("strides", last(c, "stride"));
  if (dilates) c.w.attribute("dilations", last(c, "dilation"));
  Ints pads = last(c, "padding");
  const Ints once = pads;
  pads.insert(pads.end(), once.begin(), once.end());
  c.w.attribute("pads", pads);
}

void convolution(const Call& c) {
  Names inputs{c[0], c[1]};
  if (c.has(2)) inputs.push_back(c[2]);
  c.give(c.w.node("Conv", inputs));
  window_attributes(c, true);
  c.w.attribute("group", c.f["groups"].toInt());
}

/// Windows that begin inside of the input and end outside make one more.
void ceil_mode(const Call& c) {
  const Ints in = c.w.sizes(c.in(0)), out = c.w.sizes(c.out()), kernel = last(c, "kernel"), stride = last(c, "stride"),
             padding = last(c, "padding"), dilation = last(c, "dilation");
  bool is_more = false;
  for (size_t d = 0; d < kernel.size(); ++d)
    is_more |= out[d + 2] > (in[d + 2] + 2 * padding[d] - dilation[d] * (kernel[d] - 1) - 1) / stride[d] + 1;
  if (is_more) c.w.attribute("ceil_mode", 1);
}

void max_pool(const Call& c) {
  STRATA_CHECK(!c.f["adaptive"].toBool(), "save_onnx: ONNX has no adaptive max_pool");
  c.give(c.w.node("MaxPool", {c[0]}));
  window_attributes(c, true);
  ceil_mode(c);
}

void avg_pool(const Call& c) {
  const Ints out = c.w.sizes(c.out());
  const bool is_global = std::all_of(out.begin() + 2, out.end(), [](int64_t size) { return size == 1; });
  if (c.f["adaptive"].toBool()) {
    STRATA_CHECK(is_global, "save_onnx: ONNX has no adaptive avg_pool but to size 1");
    return c.give(c.w.node("GlobalAveragePool", {c[0]}));
  }
  STRATA_CHECK(c.f["divisor"].toInt() == 0, "save_onnx: ONNX has no avg_pool with a divisor");
  c.give(c.w.node("AveragePool", {c[0]}));
  window_attributes(c, false);
  c.w.attribute("count_include_pad", c.f["count_include_pad"].toBool());
  ceil_mode(c);
}

/// Slices over dims 0 and 2 of (A, C, S) get mean 0 and variance 1; results are that, the means and the variances (C).
void normalize(const Call& c) {
  STRATA_CHECK(c.f["channels"].toInt() == 0, "save_onnx: group_norm is not known here");
  const Ints sizes = c.w.sizes(c.in(0)), dims{0, 2};
  const std::string mean = reduced(c, "ReduceMean", c[0], dims, true), centered = c.w.node("Sub", {c[0], mean});
  const std::string variance = reduced(c, "ReduceMean", c.w.node("Mul", {centered, centered}), dims, true);
  const std::string deviation = c.w.node("Sqrt", {c.w.node("Add", {variance, c.number(c.f["eps"].toDouble())})});
  std::string y = c.w.node("Div", {centered, deviation});
  const Ints along = c.f["affine_dim"].toInt() == 1 ? Ints{1, sizes[1], 1} : Ints{1, 1, sizes[2]};
  if (c.has(1)) y = c.w.node("Mul", {y, c.reshaped(c[1], along)});
  if (c.has(2)) y = c.w.node("Add", {y, c.reshaped(c[2], along)});
  c.give(y);
  c.w.set(c.out(1), c.reshaped(mean, {sizes[1]}));
  c.w.set(c.out(2), c.reshaped(variance, {sizes[1]}));
}

/// Gates that are sums already are an LSTM whose weights of the input only put them into ONNX's order: i, o, f, c.
void lstm_sequence(const Call& c) {
  const int64_t width = c.w.sizes(c.in(1))[1];
  const Names gates = c.w.nodes("Split", {c[1]}, 4);
  c.w.attribute("axis", int64_t{0});
  const std::string weight = c.w.node("Concat", {gates[0], gates[3], gates[1], gates[2]});
  c.w.attribute("axis", int64_t{0});
  Tensor order = zeros({1, 4 * width, 4 * width}, c.w.type(c.out()).dtype);
  for (int64_t g = 0; g < 4; ++g)
    for (int64_t i = 0; i < width; ++i) {
      constexpr int64_t kFrom[] = {0, 3, 1, 2};
      order[0][g * width + i].select(0, kFrom[g] * width + i).fill_(1);
    }
  const auto with_direction = [&](const std::string& x) { return c.w.node("Unsqueeze", {x, c.w.ints({0})}); };
  const Names out = c.w.nodes(
      "LSTM", {c[0], c.w.constant(order), with_direction(weight), "", "", with_direction(c[2]), with_direction(c[3])},
      3);
  c.w.attribute("hidden_size", width);
  if (c.f["reverse"].toBool()) c.w.attribute("direction", "reverse");
  c.give(c.w.node("Squeeze", {out[0], c.w.ints({1})}));
}

struct Entry {
  std::string_view name;
  void (*write)(const Call&);
};

constexpr Entry kEntries[] = {
    {"abs", unary<"Abs">},
    {"acos", unary<"Acos">},
    {"asin", unary<"Asin">},
    {"atan", unary<"Atan">},
    {"ceil", unary<"Ceil">},
    {"cos", unary<"Cos">},
    {"cosh", unary<"Cosh">},
    {"erf", unary<"Erf">},
    {"exp", unary<"Exp">},
    {"floor", unary<"Floor">},
    {"log", unary<"Log">},
    {"neg", unary<"Neg">},
    {"reciprocal", unary<"Reciprocal">},
    {"relu", unary<"Relu">},
    {"round", unary<"Round">},
    {"sigmoid", unary<"Sigmoid">},
    {"sign", unary<"Sign">},
    {"sin", unary<"Sin">},
    {"sinh", unary<"Sinh">},
    {"sqrt", unary<"Sqrt">},
    {"tan", unary<"Tan">},
    {"tanh", unary<"Tanh">},
    {"square", square},
    {"rsqrt", rsqrt},
    {"silu", silu},
    {"gelu", gelu},
    {"addcmul", addcmul},
    {"isnan", test_of_one<"IsNaN">},
    {"isinf", test_of_one<"IsInf">},
    {"logical_not", test_of_one<"Not">},
    {"add", binary<"Add">},
    {"sub", binary<"Sub">},
    {"mul", binary<"Mul">},
    {"div", binary<"Div">},
    {"pow", binary<"Pow">},
    {"maximum", binary<"Max">},
    {"minimum", binary<"Min">},
    {"matmul", binary<"MatMul">},
    {"eq", comparison<"Equal">},
    {"ne", not_equal},
    {"lt", comparison<"Less">},
    {"le", comparison<"LessOrEqual">},
    {"gt", comparison<"Greater">},
    {"ge", comparison<"GreaterOrEqual">},
    {"logical_and", comparison<"And">},
    {"logical_or", comparison<"Or">},
    {"logical_xor", comparison<"Xor">},
    {"lerp", lerp},
    {"where",
     [](const Call& c) {
       c.give(c.w.node("Where", {c[0], c.as_result(1), c.as_result(2)}));
     }},
    {"cast", cast},
    {"cast_to_integer", cast},
    {"copy", identity},
    {"detach", identity},
    {"contiguous", identity},
    {"view", reshape},
    {"squeeze", reshape},
    {"unsqueeze", reshape},
    {"expand", expand},
    {"permute", permute},
    {"select", select},
    {"slice", slice},
    {"cat", cat},
    {"index", index},
    {"sum", reduction<"ReduceSum">},
    {"mean", reduction<"ReduceMean">},
    {"amax", reduction<"ReduceMax">},
    {"amin", reduction<"ReduceMin">},
    {"aminmax", aminmax},
    {"softmax", along_dim<"Softmax">},
    {"log_softmax", along_dim<"LogSoftmax">},
    {"linear", linear},
    {"convolution", convolution},
    {"max_pool", max_pool},
    {"avg_pool", avg_pool},
    {"normalize", normalize},
    {"lstm_sequence", lstm_sequence},
};

const Entry* find(std::string_view name) {
  for (const Entry& e : kEntries)
    if (e.name == name) return &e;
  return nullptr;
}

void check_known(const func::Program& program) {
  std::set<std::string> missing;
  for (const Equation& e : program.equations())
    if (!find(e.op->name())) missing.insert(std::string(e.op->name()));
  std::string names;
  for (const std::string& name : missing) names += (names.empty() ? "" : ", ") + name;
  STRATA_CHECK(missing.empty(), "save_onnx: ops that have no counterpart here: {}", names);
  STRATA_CHECK(program.effects().empty(),
               "save_onnx: the program writes to tensors, which ONNX's do not: trace it in the mode eval()");
}

}  // namespace

void write_model(const func::Program& program, const std::string& path) {
  check_known(program);
  Writer writer(program);
  writer.add_inputs();
  writer.add_constants();
  for (const Equation& e : program.equations()) find(e.op->name())->write({writer, e, Fields(e)});
  writer.add_outputs();
  std::ofstream file(path, std::ios::binary);
  file << writer.bytes();
  file.close();
  STRATA_CHECK(file, "save_onnx: '{}' cannot be written", path);
}

}  // namespace strata::onnx
