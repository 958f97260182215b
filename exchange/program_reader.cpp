// Programs from JSON that nobody vouches for.
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "exchange/argument_checks.h"
#include "exchange/program_file.h"
#include "exchange/program_json.h"
#include "ops/complex.h"
#include "ops/file_layout.h"
#include "ops/view.h"
#include "transforms/callable.h"
#include "transforms/program_field.h"

namespace strata::func {

using namespace exchange;
using Variable = Program::Variable;

namespace {

using Json = nlohmann::json;
constexpr int kMaxNesting = 64;  // enough for kMostNested programs
constexpr std::array kBodyNames = {"variables", "inputs", "constants", "equations", "outputs", "effects"};

/// A value of the text and where it stands in it; says which is not what it has to be.
class Node {
 public:
  Node(const Json& json, std::string place) : json_(json), place_(std::move(place)) {}

  [[noreturn]] void fail(std::string_view what) const { STRATA_THROW("{} {}", place_, what); }
  void check(bool ok, std::string_view what) const {
    if (!ok) fail(what);
  }
  bool is_null() const { return json_.is_null(); }
  bool is_text() const { return json_.is_string(); }
  bool is_list() const { return json_.is_array(); }
  bool is_boolean() const { return json_.is_boolean(); }
  bool is_whole() const { return json_.is_number_integer(); }
  /// Is it an integer that an int64 has no room for?
  bool is_large() const { return json_.is_number_unsigned() && json_.get<uint64_t>() > uint64_t{INT64_MAX}; }

  int64_t integer(int64_t low = std::numeric_limits<int64_t>::min(),
                  int64_t high = std::numeric_limits<int64_t>::max()) const {
    check(is_whole() && !is_large(), "is no integer of 64 bits");
    const auto v = json_.get<int64_t>();
    if (v < low || v > high) STRATA_THROW("{} is {}, it has to be from {} to {}", place_, v, low, high);
    return v;
  }
  uint64_t unsigned_integer() const { return json_.get<uint64_t>(); }
  double real() const {
    if (json_.is_number()) return json_.get<double>();
    const std::string word = is_text() ? text() : "";
    if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
    check(word == "inf" || word == "-inf", "is no number");
    return word == "inf" ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  }
  bool boolean() const {
    check(json_.is_boolean(), "is neither true nor false");
    return json_.get<bool>();
  }
  std::string text() const {
    check(json_.is_string(), "is no text");
    return json_.get<std::string>();
  }
  std::vector<Node> list() const {
    check(json_.is_array(), "is no list");
    std::vector<Node> items;
    for (const Json& item : json_) items.emplace_back(item, place_ + "[" + std::to_string(items.size()) + "]");
    return items;
  }
  DimVector integers() const {
    DimVector values;
    for (const Node& item : list()) values.push_back(item.integer());
    return values;
  }

  bool has(const char* key) const { return json_.is_object() && json_.contains(key); }
  Node at(const std::string& key) const {
    check(json_.is_object(), "is no object");
    const auto found = json_.find(key);
    if (found == json_.end()) fail("lacks '" + key + "'");
    return {*found, place_ + "." + key};
  }
  /// Throws for any other name; `at` does where one is missing.
  template <class Names>
  void check_names(const Names& known) const {
    check(json_.is_object(), "is no object");
    for (const auto& [name, value] : json_.items())
      if (std::find(std::begin(known), std::end(known), name) == std::end(known))
        fail("has '" + name + "', which this version does not know");
  }

 private:
  const Json& json_;
  const std::string place_;
};

/// Makes a program of what a field, which the text is the path of, or an entry of it holds.
using ReadProgram = detail::FunctionRef<Program(const Node&, const std::string&)>;

/// The fields of an op's params by name.
class FieldsByName final : public dispatch::FieldReader, public ProgramReader {
 public:
  FieldsByName(const Op& op, const Node& fields, const ReadProgram& read_program)
      : fields_(fields), names_(op), read_program_(read_program) {}
  int64_t integer() override { return next().integer(); }
  double real() override { return next().real(); }
  bool boolean() override { return next().boolean(); }
  DimVector integers() override { return next().integers(); }
  std::string text() override { return next().text(); }
  Scalar number() override {
    const Node node = next();
    if (node.is_boolean()) return node.boolean();
    if (node.is_list()) {
      const std::vector<Node> parts = node.list();
      node.check(parts.size() == 2, "is no complex number, which has two parts");
      return Complex<double>(parts[0].real(), parts[1].real());
    }
    if (!node.is_whole()) return node.real();
    return node.is_large() ? Scalar(node.unsigned_integer()) : Scalar(node.integer());
  }
  Program program() override {
    const Node node = next();
    return read_program_(node, read_.back());
  }
  std::vector<Program> programs() override {
    const std::vector<Node> bodies = next().list();
    std::vector<Program> list;
    for (const Node& body : bodies)
      list.push_back(read_program_(body, read_.back() + "." + std::to_string(list.size())));
    return list;
  }
  /// Throws for names that no field has.
  void check_all_read() const { fields_.check_names(read_); }

 private:
  Node next() {
    read_.push_back(names_.next());
    return fields_.at(read_.back());
  }
  const Node& fields_;
  FieldNames names_;
  const ReadProgram& read_program_;
  std::vector<std::string> read_;
};

/// Are the params' fields the text's? A number that an enumeration has no room for would come out as another one.
class Unchanged final : public dispatch::FieldVisitor, public ProgramVisitor {
 public:
  Unchanged(const Op& op, const Node& fields) : fields_(fields), names_(op) {}
  void integer(int64_t v) override {
    const Node node = fields_.at(names_.next());
    node.check(node.integer() == v, "is out of range");
  }
  void real(double) override { names_.next(); }
  void boolean(bool) override { names_.next(); }
  void integers(IntArrayRef) override { names_.next(); }
  void text(std::string_view) override { names_.next(); }
  void number(const Scalar&) override { names_.next(); }
  void program(const Program&) override { names_.next(); }
  void programs(const std::vector<Program>&) override { names_.next(); }

 private:
  const Node& fields_;
  FieldNames names_;
};

const Op& op_of(const Node& node) {
  const std::string name = node.text();
  for (const Op& op : dispatch::all_ops())
    if (op.name() == name) return op;
  node.fail("names the op '" + name + "', which is not there");
}

/// Params of what was saved by an older version would be brought up to date here.
OwnedParams params_of(const Op& op, const Node& equation, const ReadProgram& read_program) {
  const int64_t version = equation.at("version").integer(1), known = version_of(op);
  if (version > known)
    STRATA_THROW("op {} is of version {}, this library knows it up to {}: load the program with a newer one", op.name(),
                 version, known);
  STRATA_CHECK(op.params->read, "op {} holds code, which a file cannot", op.name());
  const Node fields = equation.at("params");
  FieldsByName reader(op, fields, read_program);
  OwnedParams params = OwnedParams::read(*op.params, reader);
  reader.check_all_read();
  Unchanged unchanged(op, fields);
  Params(params).visit_fields(unchanged);
  return params;
}

Program::Type type_of(const Node& node) {
  node.check_names(std::array{"dtype", "sizes", "device"});
  const std::string text = node.at("dtype").text();
  Program::Type type{DType::Undefined, kCPU, {}};
  for (int i = 0; i < kNumDTypes; ++i)
    if (text == name(static_cast<DType>(i))) type.dtype = static_cast<DType>(i);
  node.at("dtype").check(type.dtype != DType::Undefined, "is no dtype");
  if (node.has("device")) type.device = Device(node.at("device").text());
  for (const Node& size : node.at("sizes").list()) type.sizes.push_back(size.integer(0));
  node.check(type.sizes.size() <= static_cast<size_t>(kMaxDims), "has too many dims");
  node.check(serialize::bytes_of(type.dtype, type.sizes).has_value(), "is too large");
  return type;
}

Tensor restored(Tensor value, const Program::Type& type) {
  const DType as = stand_in(type.dtype);
  STRATA_CHECK(value.dtype() == (as == DType::Undefined ? type.dtype : as), "it holds {}, {} is recorded",
               name(value.dtype()), type.str());
  if (as == kDouble)
    STRATA_CHECK(value.dim() > 0 && value.size(-1) == 2, "it has the shape {}, {} is recorded", value.sizes(),
                 type.str());
  if (as != DType::Undefined) value = as == kDouble ? view_as_complex(value).clone() : value.view(type.dtype);
  if (value.dim() == 0 && numel_of(type.sizes) > 1) value = value.expand(type.sizes);
  STRATA_CHECK(value.sizes() == type.sizes, "it has the shape {}, {} is recorded", value.sizes(), type.str());
  return value.detach().to(type.device);
}

/// Reads one body, which is the whole program or in the params of an equation.
class BodyReader {
 public:
  BodyReader(const Node& root, const Values& values, std::string owner = "", int64_t depth = 0)
      : root_(root), values_(values), owner_(std::move(owner)), depth_(depth) {}

  Program::Body read() {
    for (const Node& node : root_.at("variables").list()) body_.types.push_back(type_of(node));
    root_.at("variables").check(body_.types.size() < INT32_MAX, "has too many entries");
    defined_.resize(body_.types.size());
    for (const Node& node : root_.at("inputs").list())
      body_.inputs.push_back(node.is_null() ? Program::kNone : define(node));
    for (const Node& node : root_.at("constants").list()) constant(node);
    for (const Node& node : root_.at("equations").list()) equation(node);
    for (const Node& node : root_.at("outputs").list()) body_.outputs.push_back(use(node));
    for (const Node& node : root_.at("effects").list()) effect(node);
    for (const bool is_defined : defined_) root_.check(is_defined, "has a variable that nothing defines");
    return std::move(body_);
  }

 private:
  Variable variable(const Node& node) const {
    return static_cast<Variable>(node.integer(0, static_cast<int64_t>(body_.types.size()) - 1));
  }
  Variable define(const Node& node) {
    const Variable v = variable(node);
    node.check(!defined_[v], "is defined twice");
    defined_[v] = true;
    return v;
  }
  Variable use(const Node& node) const {
    if (node.is_null()) return Program::kNone;
    const Variable v = variable(node);
    node.check(defined_[v], "is used before anything defines it");
    return v;
  }
  const Program::Type& type(Variable v) const { return body_.types[v]; }

  void constant(const Node& node) {
    node.check_names(std::array{"variable", "captured", "requires_grad"});
    const Variable v = define(node.at("variable"));
    const std::string key = key_of_constant(body_.constants.size(), owner_);
    try {
      Tensor value = restored(values_(key), type(v));
      if (node.at("requires_grad").boolean()) value.requires_grad_();
      body_.constants.push_back({v, std::move(value), node.at("captured").boolean()});
    } catch (const Error& e) {
      STRATA_THROW("constant '{}': {}", key, e.what());
    }
  }

  void equation(const Node& node) {
    node.check_names(std::array{"op", "version", "params", "recording", "inputs", "outputs", "draws_as"});
    const Op& op = op_of(node.at("op"));
    try {
      call(op, node);
    } catch (const Error& e) {
      STRATA_THROW("equation {} ({}): {}", body_.equations.size(), op.name(), e.what());
    }
  }

  Program inner_program(const Node& node, const std::string& field) const {
    STRATA_CHECK(depth_ < kMostNested, "branches and loops are nested more than {} deep", kMostNested);
    node.check_names(kBodyNames);
    return Program(BodyReader(node, values_, owner_of(owner_, body_.equations.size(), field), depth_ + 1).read());
  }

  void call(const Op& op, const Node& node) {
    const auto read_program = [&](const Node& body, const std::string& field) { return inner_program(body, field); };
    Program::Equation e{&op, params_of(op, node, read_program), node.at("recording").boolean(), {}, {}};
    for (const Node& input : node.at("inputs").list()) e.inputs.push_back(use(input));
    const std::vector<Program::Type> inferred = checked_outputs(op, types_of(e.inputs, body_), e.params);
    const std::vector<Node> outputs = node.at("outputs").list();
    STRATA_CHECK(outputs.size() == inferred.size(), "has {} results, the op gives {}", outputs.size(), inferred.size());
    for (size_t i = 0; i < inferred.size(); ++i) {
      e.outputs.push_back(define(outputs[i]));
      STRATA_CHECK(type(e.outputs[i]) == inferred[i], "result {} is recorded as {}, the op gives {}", i,
                   type(e.outputs[i]).str(), inferred[i].str());
    }
    if (node.has("draws_as")) e.draws_as = earlier_draw(op, node.at("draws_as"));
    body_.equations.push_back(std::move(e));
  }

  Variable earlier_draw(const Op& op, const Node& node) const {
    const Variable v = use(node);
    const bool is_one = op.is(dispatch::kRandom) &&
                        std::any_of(body_.equations.begin(), body_.equations.end(), [&](const Program::Equation& e) {
                          return e.op == &op && e.draws_as == Program::kNone && e.outputs[0] == v;
                        });
    node.check(is_one, "is no result of an earlier equation of this random op");
    return v;
  }

  void effect(const Node& node) {
    node.check_names(std::array{"target", "value", "recording"});
    const Program::Effect e{use(node.at("target")), use(node.at("value")), node.at("recording").boolean()};
    node.check(e.target != Program::kNone && e.value != Program::kNone, "has an undefined tensor");
    node.check(type(e.target) == type(e.value), "writes a tensor of another type than its target's");
    const auto is_target = [&](Variable v) { return v == e.target; };
    const bool outside = std::any_of(body_.inputs.begin(), body_.inputs.end(), is_target) ||
                         std::any_of(body_.constants.begin(), body_.constants.end(),
                                     [&](const auto& c) { return is_target(c.variable); });
    node.check(outside, "writes to what is neither an input nor a constant");
    body_.effects.push_back(e);
  }

  const Node& root_;
  const Values& values_;
  const std::string owner_;  ///< what names of its constants start with
  const int64_t depth_;      ///< how many programs hold this one
  Program::Body body_;
  std::vector<bool> defined_;
};

Json parsed(const std::string& text) {
  const auto check_depth = [](int depth, Json::parse_event_t, Json&) {
    STRATA_CHECK(depth <= kMaxNesting, "its JSON is nested more than {} deep", kMaxNesting);
    return true;
  };
  try {
    return Json::parse(text, check_depth);
  } catch (const Json::exception&) {
    STRATA_THROW("its text is not JSON");
  }
}

void check_version(const Node& root) {
  const DimVector version = root.at("version").integers();
  root.check(version.size() == 2, "has no version of two numbers");
  STRATA_CHECK(version[0] == kMajor, "it has version {}.{} of the format, this library reads version {}", version[0],
               version[1], kMajor);
}

}  // namespace

Program::Body exchange::body_of(const std::string& text, const Values& values) {
  const Json json = parsed(text);
  const Node root(json, "the program");
  check_version(root);
  std::vector<std::string> names = {"version"};
  names.insert(names.end(), kBodyNames.begin(), kBodyNames.end());
  root.check_names(names);
  return BodyReader(root, values).read();
}

Program detail::read_program(serialize::InputArchive& archive) {
  const NoGradGuard no_grad;
  std::string text;
  STRATA_CHECK(archive.try_read("program", text), "load: {} is no program: it has no text '{}'", archive.source(),
               archive.full_name("program"));
  const auto value = [&](const std::string& key) {
    Tensor t = archive.find(key);
    STRATA_CHECK(t.defined(), "there is no such tensor");
    return t.clone();
  };
  try {
    return Program(body_of(text, value));
  } catch (const Error& e) {
    STRATA_THROW("load: {}: {}", archive.source(), e.what());
  }
}

serialize::InputArchive& operator>>(serialize::InputArchive& archive, Program& program) {
  program = detail::read_program(archive);
  return archive;
}

}  // namespace strata::func
