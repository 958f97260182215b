// Reads an ONNX file: checks all that it refers to by name, and looks its ops up.
#include <onnx/onnx_pb.h>

#include <fstream>
#include <set>
#include <unordered_map>

#include "core/error.h"
#include "exchange/onnx/ops.h"
#include "exchange/onnx/tensors.h"

namespace strata::onnx {
namespace {

namespace pb = ::onnx;

constexpr int kMostNesting = 60;         ///< graphs in graphs, and functions in functions
constexpr size_t kMostNodes = 1u << 22;  ///< functions that call functions can be many

/// The version that each domain has, in a model or a function.
using Opsets = std::unordered_map<std::string, int64_t>;
/// What a function was called with.
using Bound = std::unordered_map<std::string, pb::AttributeProto>;

std::string own_name(const std::string& domain) { return domain == "ai.onnx" ? "" : domain; }
std::string shown_name(const std::string& domain) { return domain.empty() ? "ai.onnx" : domain; }

template <class Imports>
Opsets opsets_of(const Imports& imports) {
  Opsets out;
  for (const auto& import : imports) out[own_name(import.domain())] = import.version();
  return out;
}

/// What is read once a file.
struct File {
  std::string folder;
  std::unordered_map<std::string, const pb::FunctionProto*> functions;  ///< by "domain:name"
  std::set<std::string> missing;                                        ///< ops that are not known
  size_t nodes = 0;
};

/// Where a reader stands.
struct Place {
  const Opsets* opsets = nullptr;
  const Bound* bound = nullptr;  ///< of a function
  int depth = 0;
};

/// The attributes of a function that have defaults: a field of newer versions of onnx.proto.
void add_defaults(const pb::FunctionProto& f, Bound& bound) {
  constexpr int kAttributeProto = 11;
  const auto& reflection = *f.GetReflection();
  const auto add = [&](const pb::AttributeProto& a) { bound.emplace(a.name(), a); };
  if (const auto* field = f.GetDescriptor()->FindFieldByNumber(kAttributeProto)) {
    for (int i = 0; i < reflection.FieldSize(f, field); ++i)
      add(static_cast<const pb::AttributeProto&>(reflection.GetRepeatedMessage(f, field, i)));
    return;
  }
  const auto& unknown = reflection.GetUnknownFields(f);
  for (int i = 0; i < unknown.field_count(); ++i) {
    pb::AttributeProto a;
    if (unknown.field(i).number() == kAttributeProto &&
        unknown.field(i).type() == unknown.field(i).TYPE_LENGTH_DELIMITED &&
        a.ParseFromString(unknown.field(i).length_delimited()))
      add(a);
  }
}

class GraphReader {
 public:
  GraphReader(File& file, Place place, GraphReader* around = nullptr) : file_(file), place_(place), around_(around) {
    STRATA_CHECK(place.depth < kMostNesting, "load_onnx: graphs and functions lie more than {} deep in each other",
                 kMostNesting);
  }

  Slot define(const std::string& name) {
    const auto slot = static_cast<Slot>(graph_.slots++);
    STRATA_CHECK(slots_.emplace(name, slot).second, "load_onnx: two values are called '{}'", name);
    return slot;
  }

  void add_input(const std::string& name) { graph_.inputs.push_back(define(name)); }

  template <class Nodes>
  void add_nodes(const Nodes& nodes) {
    for (const pb::NodeProto& node : nodes) {
      STRATA_CHECK(++file_.nodes <= kMostNodes, "load_onnx: the file has more than {} nodes", kMostNodes);
      graph_.nodes.push_back(read_node(node));
    }
  }

  void add_output(const std::string& name) { graph_.outputs.push_back(find(name)); }

  /// A branch or a body, which may read what is around it.
  Graph read(const pb::GraphProto& graph) {
    for (const auto& input : graph.input()) add_input(input.name());
    for (const auto& t : graph.initializer())
      if (!slots_.contains(t.name())) graph_.constants.emplace_back(define(t.name()), read_tensor(t, file_.folder));
    add_nodes(graph.node());
    for (const auto& output : graph.output()) add_output(output.name());
    return finish();
  }

  Graph finish() {
    find_last_uses();
    return std::move(graph_);
  }

 private:
  Slot find_or_none(const std::string& name) {
    const auto known = slots_.find(name);
    if (known != slots_.end()) return known->second;
    if (!around_) return kNoSlot;
    const Slot outer = around_->find_or_none(name);
    if (outer == kNoSlot) return kNoSlot;
    const Slot inner = define(name);
    graph_.captures.emplace_back(outer, inner);
    return inner;
  }

  Slot find(const std::string& name) {
    const Slot slot = find_or_none(name);
    STRATA_CHECK(slot != kNoSlot, "load_onnx: nothing before its use is called '{}'", name);
    return slot;
  }

  Node read_node(const pb::NodeProto& proto) {
    Node node;
    node.name = proto.name().empty() && proto.output_size() > 0 ? proto.output(0) : proto.name();
    node.domain = own_name(proto.domain());
    node.op = proto.op_type();
    for (const auto& name : proto.input()) node.inputs.push_back(name.empty() ? kNoSlot : find(name));
    const auto function = file_.functions.find(node.domain + ":" + node.op);
    if (function != file_.functions.end())
      node.function = std::make_shared<const Graph>(read_function(*function->second, proto));
    else
      resolve(node, proto);
    for (const auto& name : proto.output()) node.outputs.push_back(name.empty() ? kNoSlot : define(name));
    return node;
  }

  void resolve(Node& node, const pb::NodeProto& proto) {
    node.run = find_op(node.domain, node.op);
    const auto opset = place_.opsets->find(node.domain);
    if (!node.run || opset == place_.opsets->end()) {
      file_.missing.insert(shown_name(node.domain) + "." + node.op);
      return;
    }
    node.opset = opset->second;
    for (const auto& a : proto.attribute())
      if (const pb::AttributeProto* const given = bound(a)) node.attributes.push_back(read_attribute(a.name(), *given));
  }

  /// An attribute of a function's node may stand for one that the function is called with.
  const pb::AttributeProto* bound(const pb::AttributeProto& a) const {
    if (a.ref_attr_name().empty()) return &a;
    STRATA_CHECK(place_.bound, "load_onnx: '{}' is not inside of a function", a.ref_attr_name());
    const auto found = place_.bound->find(a.ref_attr_name());
    return found == place_.bound->end() ? nullptr : &found->second;
  }

  Graph read_function(const pb::FunctionProto& f, const pb::NodeProto& call) {
    Bound given;
    for (const auto& a : call.attribute())
      if (const pb::AttributeProto* const value = bound(a)) given.emplace(a.name(), *value);
    add_defaults(f, given);
    const Opsets opsets = opsets_of(f.opset_import());
    GraphReader reader(file_, {&opsets, &given, place_.depth + 1});
    STRATA_CHECK(call.input_size() <= f.input_size(), "load_onnx: the function {} takes {} inputs, {} are given",
                 f.name(), f.input_size(), call.input_size());
    for (const auto& name : f.input()) reader.add_input(name);
    reader.add_nodes(f.node());
    for (const auto& name : f.output()) reader.add_output(name);
    return reader.finish();
  }

  Attribute read_attribute(const std::string& name, const pb::AttributeProto& a) {
    Attribute out{name, {}, nullptr};
    switch (a.type()) {
      case pb::AttributeProto::FLOAT:
        out.value = static_cast<double>(a.f());
        break;
      case pb::AttributeProto::INT:
        out.value = static_cast<int64_t>(a.i());
        break;
      case pb::AttributeProto::STRING:
        out.value = a.s();
        break;
      case pb::AttributeProto::TENSOR:
        out.value = read_tensor(a.t(), file_.folder);
        break;
      case pb::AttributeProto::FLOATS:
        out.value = std::vector<double>(a.floats().begin(), a.floats().end());
        break;
      case pb::AttributeProto::INTS:
        out.value = std::vector<int64_t>(a.ints().begin(), a.ints().end());
        break;
      case pb::AttributeProto::STRINGS:
        out.value = std::vector<std::string>(a.strings().begin(), a.strings().end());
        break;
      case pb::AttributeProto::TYPE_PROTO:
        break;  // what an optional value would be
      case pb::AttributeProto::GRAPH:
        out.graph = std::make_shared<const Graph>(
            GraphReader(file_, {place_.opsets, place_.bound, place_.depth + 1}, this).read(a.g()));
        break;
      default:
        STRATA_THROW("load_onnx: the attribute '{}' is of a kind that is not known here, {}", name, a.type());
    }
    return out;
  }

  void find_last_uses() {
    std::vector<bool> is_needed(graph_.slots);
    for (const Slot s : graph_.outputs) is_needed[static_cast<size_t>(s)] = true;
    const auto use = [&](Node& node, Slot s) {
      if (s == kNoSlot || is_needed[static_cast<size_t>(s)]) return;
      is_needed[static_cast<size_t>(s)] = true;
      node.last_uses.push_back(s);
    };
    for (size_t i = graph_.nodes.size(); i-- > 0;) {
      Node& node = graph_.nodes[i];
      for (const Slot s : node.outputs) use(node, s);  // that nobody reads
      for (const Slot s : node.inputs) use(node, s);
      for (const Attribute& a : node.attributes)
        if (a.graph)
          for (const auto& [outer, inner] : a.graph->captures) use(node, outer);
    }
  }

  File& file_;
  const Place place_;
  GraphReader* const around_;
  Graph graph_;
  std::unordered_map<std::string, Slot> slots_;
};

bool is_statistic(const pb::NodeProto& node, int input) { return node.op_type() == "BatchNormalization" && input >= 3; }

/// Is it a number of floating point that says how large something is?
bool is_size(const pb::NodeProto& node, int input) {
  return (node.op_type() == "Resize" || node.op_type() == "Upsample") && input >= 1;
}

std::set<std::string> inputs_that(bool (*f)(const pb::NodeProto&, int), const pb::GraphProto& graph) {
  std::set<std::string> names;
  for (const auto& node : graph.node())
    for (int i = 0; i < node.input_size(); ++i)
      if (f(node, i)) names.insert(node.input(i));
  return names;
}

Input read_input(const pb::ValueInfoProto& info) {
  Input input;
  input.name = info.name();
  input.is_tensor = info.type().has_tensor_type();
  if (!input.is_tensor) return input;
  const auto& type = info.type().tensor_type();
  input.dtype = dtype_of_number(type.elem_type());
  input.has_sizes = type.has_shape();
  for (const auto& dim : type.shape().dim())
    input.sizes.push_back({dim.has_dim_value() ? dim.dim_value() : -1, dim.dim_param()});
  return input;
}

pb::ModelProto parse(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  STRATA_CHECK(file, "load_onnx: '{}' cannot be read", path);
  pb::ModelProto model;
  STRATA_CHECK(model.ParseFromIstream(&file) && model.has_graph(), "load_onnx: '{}' is no ONNX model, or is damaged",
               path);
  return model;
}

/// Throws for opsets that nodes of the model use and that are not known here.
void check_opsets(const Opsets& opsets) {
  for (const auto& [domain, version] : opsets) {
    const auto [first, last] = known_opsets(domain);
    STRATA_CHECK(last == 0 || (first <= version && version <= last),
                 "load_onnx: the model has opset {} of {}, known are {} to {}: see onnx.version_converter", version,
                 shown_name(domain), first, last);
  }
}

void check_missing(const std::set<std::string>& missing) {
  std::string names;
  for (const std::string& name : missing) names += (names.empty() ? "" : ", ") + name;
  STRATA_CHECK(missing.empty(), "load_onnx: ops that are not known here: {}", names);
}

}  // namespace

std::shared_ptr<const RunnableModel> read_model(const std::string& path) {
  const pb::ModelProto proto = parse(path);
  const pb::GraphProto& graph = proto.graph();
  File file{path.substr(0, path.rfind('/') + 1), {}, {}};
  for (const auto& f : proto.functions()) {
    file.functions[own_name(f.domain()) + ":" + f.name()] = &f;
    check_opsets(opsets_of(f.opset_import()));
  }
  const Opsets opsets = opsets_of(proto.opset_import());
  check_opsets(opsets);
  STRATA_CHECK(graph.sparse_initializer_size() == 0, "load_onnx: sparse initializers are not known here");

  auto model = std::make_shared<RunnableModel>();
  GraphReader reader(file, {&opsets});
  std::set<std::string> given;
  for (const auto& t : graph.initializer()) given.insert(t.name());
  for (const auto& info : graph.input()) {
    if (given.contains(info.name())) continue;
    model->inputs.push_back(read_input(info));
    reader.add_input(info.name());
  }
  const std::set<std::string> statistics = inputs_that(is_statistic, graph), sizes = inputs_that(is_size, graph);
  for (const auto& t : graph.initializer()) {
    const Tensor value = read_tensor(t, file.folder);
    const bool is_parameter =
        value.is_floating_point() && value.dim() > 0 && !statistics.contains(t.name()) && !sizes.contains(t.name());
    model->initializers.push_back({t.name(), value, is_parameter});
    model->decides.push_back(!value.is_floating_point() || value.dim() == 0 || sizes.contains(t.name()));
    reader.add_input(t.name());
  }
  reader.add_nodes(graph.node());
  check_missing(file.missing);
  for (const auto& output : graph.output()) {
    model->outputs.push_back(output.name());
    reader.add_output(output.name());
  }
  model->graph = reader.finish();
  return model;
}

}  // namespace strata::onnx
