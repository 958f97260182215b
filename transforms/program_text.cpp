// Programs as text: printing, drawing and comparing.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "autograd/custom.h"
#include "dispatcher/names.h"
#include "ops/reduce.h"
#include "transforms/program_field.h"

namespace strata::func {

using autograd::CustomParams;
namespace {

using Variable = Program::Variable;
using Equation = Program::Equation;
/// With a point or an exponent, as Python prints it.
template <class T>
std::string real_text(T v) {
  std::string s = fmt::format("{}", v);
  if (s.find_first_not_of("-0123456789") == std::string::npos) s += ".0";
  return s;
}
std::string complex_text(Complex<double> v) { return fmt::format("({}{:+}j)", v.real(), v.imag()); }
std::string boolean_text(bool v) { return v ? "True" : "False"; }

std::string indented(const std::string& text, size_t by) {
  std::string out(by, ' ');
  for (const char c : text) {
    out += c;
    if (c == '\n') out.append(by, ' ');
  }
  return out;
}

/// Turns each field of a params struct into text; programs stand on lines of their own.
class FieldTexts final : public FieldVisitor, public ProgramVisitor {
 public:
  void integer(int64_t v) override { list.push_back(std::to_string(v)); }
  void real(double v) override { list.push_back(real_text(v)); }
  void number(const Scalar& v) override {
    if (!v.is_complex()) return FieldVisitor::number(v);
    list.push_back(complex_text(v.toComplexDouble()));
  }
  void boolean(bool v) override { list.push_back(boolean_text(v)); }
  void integers(IntArrayRef v) override { list.push_back(strata::detail::format_message("{}", {v})); }
  void text(std::string_view v) override { list.emplace_back(v); }
  void program(const Program& p) override { list.push_back(p.str()); }
  void programs(const std::vector<Program>& all) override {
    std::string lines;
    for (const Program& p : all) lines += indented(p.str(), 2) + "\n";
    list.push_back("(\n" + lines + ")");
  }
  std::vector<std::string> list;
};

}  // namespace

std::vector<std::string> param_texts(const Equation& e) {
  const Params params = e.params;
  if (e.op->is(kCustom)) return {params.as<CustomParams>().rule->name()};
  FieldTexts fields;
  params.visit_fields(fields);
  const std::vector<std::string_view> names = detail::param_names(*e.op);
  std::vector<std::string> texts;
  for (size_t i = 0; i < fields.list.size(); ++i) {
    const std::string_view name = i < names.size() ? names[i] : std::string_view();
    if (e.op->is(kRandom) && (name == "seed" || name == "offset" || name.empty())) continue;
    texts.push_back(name.empty() ? fields.list[i] : fmt::format("{}={}", name, fields.list[i]));
  }
  if (e.draws_as != Program::kNone) texts.push_back("again=True");
  if (!e.recording) texts.push_back("no_grad=True");
  return texts;
}

namespace {

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

/// `sum[dims=(0,) keepdim=False]`, or a line for each param where some are programs.
std::string call_text(const Equation& e) {
  const std::vector<std::string> params = param_texts(e);
  if (!programs_in(e.params).empty())
    return std::string(e.op->name()) + "[\n" + indented(joined(params, "\n"), 6) + "\n    ]";
  return std::string(e.op->name()) + (params.empty() ? "" : "[" + joined(params, " ") + "]");
}

std::string value_text(const Tensor& t) {
  const Scalar v = detail::literal_value(t);
  if (t.dtype() == kBool) return boolean_text(v.toBool());
  if (t.is_complex()) return complex_text(v.toComplexDouble());
  if (!t.is_floating_point()) return std::to_string(v.wrapped_to<int64_t>());
  return t.dtype() == kDouble ? real_text(v.toDouble()) : real_text(v.toFloat());
}

/// a, …, z, ba, bb, … in order of definition, as JAX calls them.
std::string letters(size_t n) {
  std::string s;
  do {
    s.insert(s.begin(), static_cast<char>('a' + n % 26));
    n /= 26;
  } while (n);
  return s;
}

/// What each variable of a program is called.
class Names {
 public:
  explicit Names(const Program& p) : p_(p) {
    for (const Program::Constant& c : p.constants())
      detail::is_literal(c.value) ? set(c.variable, value_text(c.value) + ":" + p.type(c.variable).str())
                                  : define(c.variable);
    for (Variable v : p.inputs())
      if (v != Program::kNone) define(v);
    for (const Equation& e : p.equations())
      for (Variable v : e.outputs) std::count(e.last_uses.begin(), e.last_uses.end(), v) ? set(v, "_") : define(v);
  }
  std::string operator()(Variable v) const { return v == Program::kNone ? "None" : names_[v]; }
  std::string typed(Variable v) const { return v == Program::kNone ? "None" : names_[v] + ":" + p_.type(v).str(); }
  std::string list(const std::vector<Variable>& variables, std::string_view separator) const {
    std::vector<std::string> words;
    for (Variable v : variables) words.push_back((*this)(v));
    return joined(words, separator);
  }
  std::string typed_list(const std::vector<Variable>& variables) const {
    std::vector<std::string> words;
    for (Variable v : variables) words.push_back(typed(v));
    return joined(words, " ");
  }

 private:
  void set(Variable v, std::string name) {
    if (names_.size() <= static_cast<size_t>(v)) names_.resize(v + 1);
    names_[v] = std::move(name);
  }
  void define(Variable v) { set(v, letters(defined_++)); }

  const Program& p_;
  std::vector<std::string> names_;
  size_t defined_ = 0;
};

/// Constants that are no literals.
std::vector<Variable> tensors_of(const Program& p) {
  std::vector<Variable> list;
  for (const Program::Constant& c : p.constants())
    if (!detail::is_literal(c.value)) list.push_back(c.variable);
  return list;
}

bool plain(const Tensor& t) { return !t.impl()->wrapper(); }

bool equal_values(const Tensor& a, const Tensor& b) {
  if (a.is_same(b)) return true;
  if (!plain(a) || !plain(b)) return false;
  if (detail::is_literal(a) || detail::is_literal(b))
    return detail::is_literal(a) && detail::is_literal(b) && value_text(a) == value_text(b);
  return a.device() == b.device() && a.equal(b);
}

bool equal_equations(const Equation& a, const Equation& b) {
  return a.op == b.op && a.inputs == b.inputs && a.outputs == b.outputs && a.draws_as == b.draws_as &&
         param_texts(a) == param_texts(b) && programs_in(a.params) == programs_in(b.params) &&
         (!a.op->is(kCustom) || Params(a.params).as<CustomParams>().rule == Params(b.params).as<CustomParams>().rule);
}

template <class T, class Equal>
bool all_equal(const std::vector<T>& a, const std::vector<T>& b, Equal equal) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal);
}

/// Graphviz text of one program: a box for each equation, an arrow for each use of a variable.
class Drawing {
 public:
  explicit Drawing(const Program& p) : names_(p), source_(count_variables(p)) {
    text_ = "digraph program {\n  node [fontname=monospace shape=box];\n";
    for (Variable v : p.inputs())
      if (v != Program::kNone) source(v, fmt::format("v{}", v), "ellipse");
    for (Variable v : tensors_of(p)) source(v, fmt::format("v{}", v), "cylinder");
    for (size_t i = 0; i < p.equations().size(); ++i) equation(p.equations()[i], fmt::format("e{}", i));
    node("out", "out", "ellipse");
    for (Variable v : p.outputs()) arrow(v, "out");
    text_ += "}\n";
  }
  std::string take() { return std::move(text_); }

 private:
  static size_t count_variables(const Program& p) {
    size_t n = p.constants().size() + p.inputs().size();
    for (const Equation& e : p.equations()) n += e.outputs.size();
    return n;
  }
  void node(const std::string& id, const std::string& label, std::string_view shape) {
    text_ += fmt::format("  {} [label=\"{}\"{}];\n", id, label, shape.empty() ? "" : fmt::format(" shape={}", shape));
  }
  void source(Variable v, const std::string& id, std::string_view shape) {
    source_[v] = id;
    node(id, names_.typed(v), shape);
  }
  void arrow(Variable v, const std::string& to) {
    if (v == Program::kNone) return;
    if (!source_[v].empty()) {
      text_ += fmt::format("  {} -> {} [label=\"{}\"];\n", source_[v], to, names_.typed(v));
      return;
    }
    const std::string id = fmt::format("c{}", literals_++);  // one node for each use keeps the drawing flat
    node(id, names_(v), "plaintext");
    text_ += fmt::format("  {} -> {};\n", id, to);
  }
  void equation(const Equation& e, const std::string& id) {
    node(id, call_text(e), "");
    for (Variable v : e.inputs) arrow(v, id);
    for (Variable v : e.outputs) source_[v] = id;
  }

  Names names_;
  std::vector<std::string> source_;  // the node that each variable comes from
  size_t literals_ = 0;
  std::string text_;
};

std::string_view short_name(DType t) {
  static constexpr std::string_view names[] = {
      "bool", "u8",  "i8",   "i16", "i32", "u32",     "i64",       "f16",         "bf16",       "f32",
      "f64",  "c64", "c128", "u16", "u64", "f8_e5m2", "f8_e4m3fn", "f8_e5m2fnuz", "f8_e4m3fnuz"};
  return names[static_cast<int>(t)];
}

}  // namespace

namespace detail {

std::vector<std::string_view> param_names(const Op& op) {
  std::string_view s(op.schema);
  s = s.substr(s.find('(') + 1);
  s = s.substr(0, s.find(')'));
  std::vector<std::string_view> names;
  while (!s.empty()) {
    const std::string_view argument = s.substr(0, s.find(", "));
    if (!argument.starts_with("Tensor")) names.push_back(argument.substr(argument.rfind(' ') + 1));
    s.remove_prefix(std::min(s.size(), argument.size() + 2));
  }
  return names;
}

bool is_literal(const Tensor& t) {
  if (t.impl()->wrapper() || t.requires_grad() || !t.is_cpu() || t.numel() == 0) return false;
  for (int64_t d = 0; d < t.dim(); ++d)
    if (t.sizes()[d] > 1 && t.strides()[d] != 0) return false;
  return true;
}

Scalar literal_value(const Tensor& t) {
  return visit_stored_dtype(t.dtype(), [&]<class T>() { return Scalar(*t.data_ptr<T>()); });
}

}  // namespace detail

std::string Program::Type::str() const {
  const std::string place = device.is_cpu() ? "" : "{" + device.str() + "}";
  return fmt::format("{}[{}]{}", short_name(dtype), fmt::join(sizes.begin(), sizes.end(), ","), place);
}

std::string Program::str() const {
  const Names names(*this);
  const std::string constants = names.typed_list(tensors_of(*this));
  std::string s = "{ lambda " + constants + "; " + names.typed_list(inputs()) + ". let\n";
  for (const Equation& e : equations()) {
    s += "    " + names.typed_list(e.outputs) + " = " + call_text(e);
    if (!e.inputs.empty()) s += " " + names.list(e.inputs, " ");
    s += "\n";
  }
  for (const Effect& e : effects()) s += fmt::format("    {} <- {}\n", names(e.target), names(e.value));
  return s + "  in (" + names.list(outputs(), ", ") + (outputs().size() == 1 ? ",) }" : ") }");
}

std::string Program::to_dot() const { return Drawing(*this).take(); }

bool operator==(const Program& a, const Program& b) {
  if (a.body_ == b.body_) return true;
  const auto equal_constants = [](const Program::Constant& c, const Program::Constant& d) {
    return c.variable == d.variable && equal_values(c.value, d.value);
  };
  const auto equal_effects = [](const Program::Effect& e, const Program::Effect& f) {
    return e.target == f.target && e.value == f.value && e.recording == f.recording;
  };
  return a.body_->types == b.body_->types && a.inputs() == b.inputs() && a.outputs() == b.outputs() &&
         all_equal(a.equations(), b.equations(), equal_equations) &&
         all_equal(a.constants(), b.constants(), equal_constants) && all_equal(a.effects(), b.effects(), equal_effects);
}

std::ostream& operator<<(std::ostream& out, const Program& program) { return out << program.str(); }

}  // namespace strata::func
