// Reads the JSON of an exported program (torch/_export/serde/schema.py, schema 8) and believes none of it.
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "core/error.h"
#include "exchange/pt2_ops.h"

namespace strata::pt2 {
namespace {

using Json = nlohmann::json;

constexpr int64_t kMajor = 8;
constexpr int kMostNesting = 400;  ///< of JSON; a graph inside of a graph is 9 deeper

/// By the numbers of schema.py's ScalarType.
struct NumberedDType {
  int64_t number;
  DType dtype;
};
constexpr NumberedDType kDTypes[] = {{1, kByte},
                                     {2, kChar},
                                     {3, kShort},
                                     {4, kInt},
                                     {5, kLong},
                                     {6, kHalf},
                                     {7, kFloat},
                                     {8, kDouble},
                                     {10, kComplexFloat},
                                     {11, kComplexDouble},
                                     {12, kBool},
                                     {13, kBFloat16},
                                     {28, kUInt16},
                                     {29, kFloat8_e4m3fn},
                                     {30, kFloat8_e5m2},
                                     {31, kFloat8_e4m3fnuz},
                                     {32, kFloat8_e5m2fnuz},
                                     {34, kUInt32},
                                     {35, kUInt64}};

/// A number that is an integer and fits 64 bits.
int64_t integer_of(const Json& json) {
  STRATA_CHECK(json.is_number_integer(), "load_pt2: {} in place of an integer", json.type_name());
  const bool fits = !json.is_number_unsigned() || json.get<uint64_t>() <= uint64_t{INT64_MAX};
  STRATA_CHECK(fits, "load_pt2: {} is too large", json.get<uint64_t>());
  return json.get<int64_t>();
}

DType dtype_of(const Json& json) {
  const int64_t number = integer_of(json);
  for (const NumberedDType& known : kDTypes)
    if (known.number == number) return known.dtype;
  STRATA_THROW("load_pt2: the dtype {} is not known here", number);
}

/// An object without its metadata; `what` is what messages call it.
Json parse_json(const std::string& text, const std::string& what) {
  const auto drop = [&](int depth, Json::parse_event_t event, Json& parsed) {
    STRATA_CHECK(depth < kMostNesting, "load_pt2: {} is nested more than {} deep", what, kMostNesting);
    return event != Json::parse_event_t::key || parsed != "metadata";  // stack traces, most of the file
  };
  Json json = Json::parse(text, drop, false);
  STRATA_CHECK(json.is_object(), "load_pt2: {} is no JSON", what);
  return json;
}

/// The one member of a union: `{"as_int": 3}`.
const Json::const_iterator member_of(const Json& json) {
  STRATA_CHECK(json.is_object() && json.size() == 1, "load_pt2: a union of {} members in place of one", json.size());
  return json.begin();
}

double number_of(const Json& json) {
  if (!json.is_string()) return json.get<double>();
  const std::string& text = json.get_ref<const std::string&>();
  if (text == "Infinity") return INFINITY;
  if (text == "-Infinity") return -INFINITY;
  STRATA_CHECK(text == "NaN", "load_pt2: '{}' is no number", text);
  return NAN;
}

std::string symbol_of(const std::string& expression) {
  const std::string head = "Symbol('";
  if (!expression.starts_with(head)) return expression;
  return expression.substr(head.size(), expression.find('\'', head.size()) - head.size());
}

Size size_of(const Json& json) {
  const auto it = member_of(json);
  Size size;
  if (it.key() == "as_int") {
    size.value = integer_of(it.value());
  } else {
    STRATA_CHECK(it.key() == "as_expr", "load_pt2: '{}' is no size", it.key());
    size.symbol = symbol_of(it.value().at("expr_str").get<std::string>());
    const Json& hint = it.value().at("hint");
    size.value = hint.is_null() ? 1 : integer_of(member_of(hint).value());
  }
  STRATA_CHECK(size.value >= 0, "load_pt2: a size is {}", size.value);
  return size;
}

TensorType type_of(const Json& json) {
  TensorType type;
  type.dtype = dtype_of(json.at("dtype"));
  for (const Json& size : json.at("sizes")) type.sizes.push_back(size_of(size));
  return type;
}

/// Turns the names of one graph into numbers.
class GraphReader {
 public:
  explicit GraphReader(std::vector<std::string>& unknown) : unknown_(unknown) {}

  Graph read(const Json& json) {
    for (const Json& input : json.at("inputs")) graph_.inputs.push_back(input_of(input));
    const Json& types = json.at("tensor_values");
    for (const Json& node : json.at("nodes")) add_node(node, types);
    for (const Json& output : json.at("outputs")) graph_.outputs.push_back(argument(output));
    graph_.slots = slots_.size();
    find_last_uses();
    return std::move(graph_);
  }

 private:
  Slot input_of(const Json& json) {
    const auto it = member_of(json);
    if (it.key() == "as_tensor") return define(it.value().at("name"));
    if (it.key().starts_with("as_sym_") && it.value().is_object() && it.value().contains("as_name"))
      return define(it.value().at("as_name"));
    return kNoSlot;
  }

  Slot define(const Json& name) {
    const auto slot = static_cast<Slot>(slots_.size());
    STRATA_CHECK(slots_.emplace(name.get<std::string>(), slot).second, "load_pt2: '{}' is made twice",
                 name.get<std::string>());
    return slot;
  }

  Argument use(const Json& name) {
    const auto it = slots_.find(name.get<std::string>());
    STRATA_CHECK(it != slots_.end(), "load_pt2: '{}' is used before it is made", name.get<std::string>());
    Argument a;
    a.slot = it->second;
    return a;
  }

  static Argument literal(Value value) {
    Argument a;
    a.literal = std::move(value);
    return a;
  }

  /// A symbol's name or its value.
  Argument symbolic(const Json& json) {
    const auto it = member_of(json);
    return it.key() == "as_name" ? use(it.value()) : argument(it.key(), it.value());
  }

  template <class Read>
  Argument list(const Json& json, Read&& read) {
    STRATA_CHECK(json.is_array(), "load_pt2: {} in place of a list", json.type_name());
    Argument a;
    a.is_list = true;
    for (const Json& item : json) a.items.push_back(read(item));
    return a;
  }

  Argument argument(const Json& json) {
    const auto it = member_of(json);
    return argument(it.key(), it.value());
  }

  Argument argument(const std::string& kind, const Json& json) {
    const auto tensor = [&](const Json& j) { return use(j.at("name")); };
    const auto any = [&](const Json& j) { return argument(j); };
    const auto symbol = [&](const Json& j) { return symbolic(j); };
    const auto item = [&](const char* as) { return [this, as](const Json& j) { return argument(as, j); }; };
    if (kind == "as_none") return Argument();
    if (kind == "as_tensor") return tensor(json);
    if (kind == "as_tensors") return list(json, tensor);
    if (kind == "as_int") return literal(integer_of(json));
    if (kind == "as_ints") return list(json, item("as_int"));
    if (kind == "as_int_lists") return list(json, item("as_ints"));
    if (kind == "as_float") return literal(number_of(json));
    if (kind == "as_floats") return list(json, item("as_float"));
    if (kind == "as_bool") return literal(json.get<bool>());
    if (kind == "as_bools") return list(json, item("as_bool"));
    if (kind == "as_string" || kind == "as_operator") return literal(json.get<std::string>());
    if (kind == "as_strings") return list(json, item("as_string"));
    if (kind == "as_sym_int" || kind == "as_sym_float" || kind == "as_sym_bool") return symbolic(json);
    if (kind == "as_sym_ints" || kind == "as_sym_floats" || kind == "as_sym_bools") return list(json, symbol);
    if (kind == "as_scalar_type") return literal(dtype_of(json));
    if (kind == "as_optional_tensor") return any(json);
    if (kind == "as_optional_tensors") return list(json, any);
    if (kind == "as_nested_tensors") return list(json, item("as_tensors"));
    if (kind == "as_complex") return literal(Complex<double>(number_of(json.at("real")), number_of(json.at("imag"))));
    if (kind == "as_graph") return graph(json);
    if (kind == "as_device" || kind == "as_layout" || kind == "as_memory_format") return Argument();  // of no matter
    STRATA_THROW("load_pt2: an argument '{}' cannot be read here", kind);
  }

  Argument graph(const Json& json) {
    Argument a;
    a.graph = std::make_shared<const Graph>(GraphReader(unknown_).read(json.at("graph")));
    return a;
  }

  /// The names that a node's output defines: of one value or of a list.
  void define_outputs(const Json& json, std::vector<Slot>& out) {
    const auto it = member_of(json);
    const Json& value = it.value();
    if (it.key() == "as_tensors" || it.key() == "as_optional_tensors") {
      for (const Json& item : value) {
        if (it.key() == "as_tensors")
          out.push_back(define(item.at("name")));
        else
          define_outputs(item, out);
      }
    } else if (it.key() == "as_tensor") {
      out.push_back(define(value.at("name")));
    } else if (it.key().starts_with("as_sym_") && value.is_object() && value.contains("as_name")) {
      out.push_back(define(value.at("as_name")));
    } else {
      out.push_back(kNoSlot);
    }
  }

  static DType dtype_of_first(const Json& outputs, const Json& types) {
    if (outputs.empty() || !outputs[0].is_object() || !outputs[0].contains("as_tensor")) return DType::Undefined;
    const auto type = types.find(outputs[0].at("as_tensor").at("name").get<std::string>());
    return type == types.end() ? DType::Undefined : dtype_of(type->at("dtype"));
  }

  void add_node(const Json& json, const Json& types) {
    Node node;
    node.target = json.at("target").get<std::string>();
    for (const Json& input : json.at("inputs")) {
      node.inputs.push_back(argument(input.at("arg")));
      node.inputs.back().name = input.at("name").get<std::string>();
    }
    const Json& outputs = json.at("outputs");
    for (const Json& output : outputs) define_outputs(output, node.outputs);
    node.dtype = dtype_of_first(outputs, types);
    const auto name = json.find("name");
    node.name = name != json.end() && name->is_string() ? name->get<std::string>() : node.target;
    if (!resolve(node)) unknown_.push_back(node.target);
    graph_.nodes.push_back(std::move(node));
  }

  /// Marks outputs that nobody reads, and where the others are read last.
  void find_last_uses() {
    std::vector<bool> needed(graph_.slots);
    std::vector<Slot> reads;
    for (const Argument& a : graph_.outputs) collect(a, reads);
    for (const Slot s : reads) needed[static_cast<size_t>(s)] = true;
    for (size_t i = graph_.nodes.size(); i-- > 0;) {
      Node& node = graph_.nodes[i];
      for (Slot& s : node.outputs)
        if (s != kNoSlot && !needed[static_cast<size_t>(s)]) s = kNoSlot;
      reads.clear();
      for (const Argument& a : node.inputs) collect(a, reads);
      for (const Slot s : reads) {
        if (needed[static_cast<size_t>(s)]) continue;
        needed[static_cast<size_t>(s)] = true;
        node.last_uses.push_back(s);
      }
    }
  }

  static void collect(const Argument& a, std::vector<Slot>& reads) {
    if (a.slot != kNoSlot) reads.push_back(a.slot);
    for (const Argument& item : a.items) collect(item, reads);
  }

  Graph graph_;
  std::unordered_map<std::string, Slot> slots_;
  std::vector<std::string>& unknown_;
};

Input input_of(const Json& spec, const Json& argument, const Json& types) {
  const auto it = member_of(spec);
  const Json& value = it.value();
  Input input;
  if (it.key() == "user_input") {
    input.kind = Input::Kind::user;
    const auto arg = member_of(argument);
    input.is_tensor = arg.key() == "as_tensor";
    if (input.is_tensor)
      input.name = arg.value().at("name").get<std::string>();
    else if (arg.value().is_object() && arg.value().contains("as_name"))
      input.name = arg.value().at("as_name").get<std::string>();
    else
      input.kind = Input::Kind::literal;
    if (input.is_tensor) input.type = type_of(types.at(input.name));
  } else if (it.key() == "parameter") {
    input.kind = Input::Kind::parameter;
    input.name = value.at("parameter_name").get<std::string>();
  } else if (it.key() == "buffer") {
    input.kind = Input::Kind::buffer;
    input.name = value.at("buffer_name").get<std::string>();
    input.persistent = value.at("persistent").get<bool>();
  } else if (it.key() == "tensor_constant") {
    input.kind = Input::Kind::constant;
    input.name = value.at("tensor_constant_name").get<std::string>();
  } else {
    STRATA_CHECK(it.key() == "constant_input", "load_pt2: an input that is a {} cannot be read here", it.key());
    input.kind = Input::Kind::literal;
  }
  return input;
}

/// The input of a kind that has a name.
size_t target_of(const std::vector<Input>& inputs, Input::Kind kind, const Json& name) {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].kind == kind && inputs[i].name == name.get_ref<const std::string&>()) return i;
  STRATA_THROW("load_pt2: an output is written to '{}', which is no input", name.get_ref<const std::string&>());
}

Output output_of(const Json& spec, const std::vector<Input>& inputs) {
  const auto it = member_of(spec);
  const Json& value = it.value();
  const auto written = [&](Input::Kind kind, const char* name) {
    return Output{false, target_of(inputs, kind, value.at(name))};
  };
  if (it.key() == "user_output" || it.key() == "loss_output") return {};
  if (it.key() == "buffer_mutation") return written(Input::Kind::buffer, "buffer_name");
  if (it.key() == "parameter_mutation") return written(Input::Kind::parameter, "parameter_name");
  if (it.key() == "user_input_mutation") return written(Input::Kind::user, "user_input_name");
  STRATA_THROW("load_pt2: an output that is a {} cannot be read here", it.key());
}

std::map<std::string, Range> ranges_of(const Json& json) {
  std::map<std::string, Range> ranges;
  for (const auto& [symbol, range] : json.items()) {
    Range r;
    const Json& least = range.at("min_val");
    const Json& most = range.at("max_val");
    if (!least.is_null()) r.least = integer_of(least);
    if (!most.is_null()) r.most = integer_of(most);
    ranges.emplace(symbol, r);
  }
  return ranges;
}

std::string listed(const std::vector<std::string>& names) {
  std::map<std::string, int> times;
  for (const std::string& name : names) ++times[name];
  std::string text;
  for (const auto& [name, count] : times) text += (text.empty() ? "" : ", ") + name;
  return text;
}

Model model_of(const Json& json) {
  const int64_t major = integer_of(json.at("schema_version").at("major"));
  STRATA_CHECK(major == kMajor,
               "load_pt2: the file has schema {}, only {} is read: export it again with torch 2.6 or newer", major,
               kMajor);
  const Json& module = json.at("graph_module");
  const Json& graph = module.at("graph");
  const Json& inputs = module.at("signature").at("input_specs");
  const Json& outputs = module.at("signature").at("output_specs");
  Model model;
  std::vector<std::string> unknown;
  model.graph = GraphReader(unknown).read(graph);
  STRATA_CHECK(unknown.empty(), "load_pt2: ops that are not known here: {}", listed(unknown));
  STRATA_CHECK(inputs.size() == graph.at("inputs").size() && outputs.size() == graph.at("outputs").size(),
               "load_pt2: the signature has {} inputs and {} outputs, the graph {} and {}", inputs.size(),
               outputs.size(), graph.at("inputs").size(), graph.at("outputs").size());
  for (size_t i = 0; i < inputs.size(); ++i)
    model.inputs.push_back(input_of(inputs[i], graph.at("inputs")[i], graph.at("tensor_values")));
  for (const Json& spec : outputs) model.outputs.push_back(output_of(spec, model.inputs));
  model.ranges = ranges_of(json.at("range_constraints"));
  return model;
}

int64_t plain_size(const Json& json) {
  const int64_t size = integer_of(json.at("as_int"));
  STRATA_CHECK(size >= 0, "load_pt2: a size, a stride or an offset is {}", size);
  return size;
}

Layout layout_of(const Json& meta) {
  Layout layout;
  layout.dtype = dtype_of(meta.at("dtype"));
  for (const Json& size : meta.at("sizes")) layout.sizes.push_back(plain_size(size));
  for (const Json& stride : meta.at("strides")) layout.strides.push_back(plain_size(stride));
  STRATA_CHECK(layout.sizes.size() == layout.strides.size(), "load_pt2: a tensor has {} sizes and {} strides",
               layout.sizes.size(), layout.strides.size());
  layout.offset = plain_size(meta.at("storage_offset"));
  layout.requires_grad = meta.at("requires_grad").get<bool>();
  STRATA_CHECK(!layout.requires_grad || is_differentiable(layout.dtype), "load_pt2: a tensor of {} requires gradients",
               name(layout.dtype));
  return layout;
}

Payload payload_of(const std::string& name, const Json& json) {
  STRATA_CHECK(!json.at("use_pickle").get<bool>(), "load_pt2: '{}' is stored as a pickle, which is not read", name);
  return {name, json.at("path_name").get<std::string>(), layout_of(json.at("tensor_meta"))};
}

std::vector<Payload> payloads_of(const Json& json) {
  std::vector<Payload> payloads;
  for (const auto& [name, payload] : json.at("config").items()) payloads.push_back(payload_of(name, payload));
  return payloads;
}

/// What `use` makes of a text's JSON; a member that is missing or of another type is one Error with the text's name.
template <class Use>
auto read(const std::string& text, const std::string& what, Use use) {
  try {
    return use(parse_json(text, what));
  } catch (const nlohmann::json::exception& e) {
    STRATA_THROW("load_pt2: {} is damaged: {}", what, e.what());
  } catch (Error& e) {
    if (e.context().empty()) e.add_context(what);
    throw;
  }
}

}  // namespace

Model parse_model(const std::string& text, const std::string& what) { return read(text, what, model_of); }

std::vector<Payload> parse_payloads(const std::string& text, const std::string& what) {
  return read(text, what, payloads_of);
}

}  // namespace strata::pt2
