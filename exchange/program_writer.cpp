// Programs to JSON.
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "autograd/custom.h"
#include "exchange/argument_checks.h"
#include "exchange/program_file.h"
#include "exchange/program_json.h"
#include "ops/complex.h"
#include "ops/view.h"
#include "transforms/program_field.h"

namespace strata::func {

using namespace exchange;
using Variable = Program::Variable;

namespace {

using OrderedJson = nlohmann::ordered_json;  // in the order in which it is written

/// JSON has no NaN and no infinities, so they are text.
OrderedJson json_of(double v) {
  if (std::isfinite(v)) return v;
  return std::isnan(v) ? "nan" : v > 0 ? "inf" : "-inf";
}

OrderedJson json_of(const Scalar& v) {
  if (v.is_complex()) return {json_of(v.toComplexDouble().real()), json_of(v.toComplexDouble().imag())};
  if (v.is_floating_point()) return json_of(v.toDouble());
  if (v.isBoolean()) return v.toBool();
  return v.type() == kUInt64 ? OrderedJson(v.to<uint64_t>()) : OrderedJson(v.toLong());
}

OrderedJson json_of(const Program::Body& body);

/// The fields of a params struct by name.
class FieldWriter final : public dispatch::FieldVisitor, public ProgramVisitor {
 public:
  explicit FieldWriter(const Op& op) : draws_(op.params->redraw), names_(op) {}
  void integer(int64_t v) override {
    const std::string name = names_.next();
    // A random op's place in the generator's numbers is none of the program's: each run draws anew.
    fields[name] = draws_ && (name == "seed" || name == "offset") ? 0 : v;
  }
  void real(double v) override { fields[names_.next()] = json_of(v); }
  void boolean(bool v) override { fields[names_.next()] = v; }
  void integers(IntArrayRef v) override { fields[names_.next()] = v.vec(); }
  void text(std::string_view v) override { fields[names_.next()] = std::string(v); }
  void number(const Scalar& v) override { fields[names_.next()] = json_of(v); }
  void program(const Program& p) override {
    const std::string name = names_.next();
    fields[name] = json_of(p.body());
    programs_by_field.emplace_back(name, p);
  }
  void programs(const std::vector<Program>& list) override {
    const std::string name = names_.next();
    OrderedJson& bodies = fields[name] = OrderedJson::array();
    for (const Program& p : list) {
      programs_by_field.emplace_back(name + "." + std::to_string(bodies.size()), p);
      bodies.push_back(json_of(p.body()));
    }
  }
  OrderedJson fields = OrderedJson::object();
  std::vector<std::pair<std::string, Program>> programs_by_field;

 private:
  const bool draws_;
  FieldNames names_;
};

OrderedJson json_of(Variable v) { return v == Program::kNone ? OrderedJson() : OrderedJson(v); }
OrderedJson json_of(const std::vector<Variable>& variables) {
  OrderedJson list = OrderedJson::array();
  for (Variable v : variables) list.push_back(json_of(v));
  return list;
}

OrderedJson json_of(const Program::Type& t) {
  OrderedJson json = {{"dtype", name(t.dtype)}, {"sizes", IntArrayRef(t.sizes).vec()}};
  if (!t.device.is_cpu()) json["device"] = t.device.str();
  return json;
}

OrderedJson json_of(const Program::Constant& c) {
  return {{"variable", c.variable}, {"captured", c.captured}, {"requires_grad", c.value.requires_grad()}};
}

OrderedJson json_of(const Program::Equation& e) {
  FieldWriter params(*e.op);
  Params(e.params).visit_fields(params);
  OrderedJson json = {{"op", e.op->name()},       {"version", version_of(*e.op)}, {"params", std::move(params.fields)},
                      {"recording", e.recording}, {"inputs", json_of(e.inputs)},  {"outputs", json_of(e.outputs)}};
  if (e.draws_as != Program::kNone) json["draws_as"] = e.draws_as;
  return json;
}

OrderedJson json_of(const Program::Effect& e) {
  return {{"target", e.target}, {"value", e.value}, {"recording", e.recording}};
}

template <class T>
OrderedJson list_of(const std::vector<T>& items) {
  OrderedJson list = OrderedJson::array();
  for (const T& item : items) list.push_back(json_of(item));
  return list;
}

/// Everything of a body but the values of its constants.
OrderedJson json_of(const Program::Body& body) {
  return {{"variables", list_of(body.types)},     {"inputs", json_of(body.inputs)},
          {"constants", list_of(body.constants)}, {"equations", list_of(body.equations)},
          {"outputs", json_of(body.outputs)},     {"effects", list_of(body.effects)}};
}

/// Those of programs in params too.
void collect_constants(const Program& program, std::vector<Program::Constant>& all) {
  all.insert(all.end(), program.constants().begin(), program.constants().end());
  for (const Program::Equation& e : program.equations())
    for (const Program& inner : programs_in(e.params)) collect_constants(inner, all);
}

/// What is written to one of two constants that share memory shows in the other, which values in a file do not say.
void check_effects(const Program& program) {
  if (program.effects().empty()) return;
  std::vector<Program::Constant> all;
  collect_constants(program, all);
  const auto memory = [](const Tensor& t) { return t.has_storage() ? t.storage().get() : nullptr; };
  for (const Program::Effect& e : program.effects())
    for (const Program::Constant& target : program.constants())
      for (const Program::Constant& other : all)
        STRATA_CHECK(
            target.variable != e.target || other.value.is_same(target.value) || !memory(target.value) ||
                memory(target.value) != memory(other.value),
            "save: the program writes to constant {}, whose memory constant {} shows too; a file cannot say so",
            target.variable, other.variable);
}

void check_can_be_saved(const Program& program, int64_t depth);

void check_equation(const Program::Equation& e, const Program::Body& body, int64_t depth) {
  STRATA_CHECK(!e.op->is(dispatch::kCustom), "save: the program has the rule '{}', which is code; a file holds none",
               Params(e.params).as<autograd::CustomParams>().rule->name());
  STRATA_CHECK(e.op->params->read, "save: the params of op {} hold code; a file holds none", e.op->name());
  for (const Program& inner : programs_in(e.params)) check_can_be_saved(inner, depth + 1);
  try {
    checked_outputs(*e.op, types_of(e.inputs, body), e.params);
  } catch (const Error& error) {
    STRATA_THROW("save: the program has the op {}, which would not load again: {}", e.op->name(), error.what());
  }
}

void check_can_be_saved(const Program& program, int64_t depth) {
  STRATA_CHECK(depth <= kMostNested, "save: branches and loops are nested more than {} deep", kMostNested);
  for (const Program::Equation& e : program.equations()) check_equation(e, program.body(), depth);
  for (const Program::Constant& c : program.constants())
    STRATA_CHECK(!c.value.impl()->wrapper(),
                 "save: constant {} of the program belongs to a transform that is running; save outside of it",
                 c.variable);
}

}  // namespace

std::vector<const Program::Type*> exchange::types_of(const std::vector<Variable>& variables,
                                                     const Program::Body& body) {
  std::vector<const Program::Type*> types;
  for (Variable v : variables) types.push_back(v == Program::kNone ? nullptr : &body.types[v]);
  return types;
}

void exchange::check_saves(const Program& program) {
  check_can_be_saved(program, 0);
  check_effects(program);
}

std::string exchange::key_of_constant(size_t i, const std::string& owner) {
  return "constants." + owner + std::to_string(i);
}

std::string exchange::owner_of(const std::string& holder, size_t equation, const std::string& field) {
  return holder + std::to_string(equation) + "." + field + ".";
}

bool exchange::is_repeated(const Tensor& constant) { return constant.numel() > 1 && detail::is_literal(constant); }

DType exchange::stand_in(DType dtype) {
  if (dtype == kComplexDouble) return kDouble;
  return dtype == kFloat8_e4m3fnuz || dtype == kFloat8_e5m2fnuz ? kByte : DType::Undefined;
}

namespace {
/// Ops whose params changed since programs are saved.
struct OpVersion {
  std::string_view op;
  int64_t version;
};
constexpr std::array<OpVersion, 0> kChangedOps = {};
}  // namespace

int64_t exchange::version_of(const Op& op) {
  for (const OpVersion& changed : kChangedOps)
    if (changed.op == op.name()) return changed.version;
  return 1;
}

std::string exchange::text_of(const Program& program) {
  OrderedJson json = {{"version", {kMajor, kMinor}}};
  json.update(json_of(program.body()));
  try {
    return json.dump();
  } catch (const OrderedJson::exception& e) {
    STRATA_THROW("save: a text of the program is not UTF-8: {}", e.what());
  }
}

namespace {
/// As a dtype that the file's format knows.
Tensor stored(const Tensor& constant) {
  Tensor t = constant.detach();
  if (is_repeated(t))
    while (t.dim() > 0) t = t.select(0, 0);
  const DType as = stand_in(t.dtype());
  if (as == DType::Undefined) return t;
  return as == kDouble ? view_as_real(t) : t.contiguous().view(as);
}

void write_constants(serialize::OutputArchive& archive, const Program& program, const std::string& owner) {
  for (size_t i = 0; i < program.constants().size(); ++i)
    archive.write(key_of_constant(i, owner), stored(program.constants()[i].value));
  for (size_t i = 0; i < program.equations().size(); ++i) {
    const Program::Equation& e = program.equations()[i];
    if (programs_in(e.params).empty()) continue;
    FieldWriter params(*e.op);
    Params(e.params).visit_fields(params);
    for (const auto& [field, inner] : params.programs_by_field)
      write_constants(archive, inner, owner_of(owner, i, field));
  }
}
}  // namespace

serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const Program& program) {
  check_saves(program);
  const NoGradGuard no_grad;
  archive.write("program", text_of(program));
  write_constants(archive, program, "");
  return archive;
}

}  // namespace strata::func
