// Showing programs to visitors of params, and looking into them.
#include "transforms/program_field.h"

#include <algorithm>

#include "dispatcher/names.h"

namespace strata::func {
namespace {

/// Params show their programs to it and nothing else.
class Collector final : public FieldVisitor, public ProgramVisitor {
 public:
  void integer(int64_t) override {}
  void real(double) override {}
  void boolean(bool) override {}
  void integers(IntArrayRef) override {}
  void text(std::string_view) override {}
  void program(const Program& p) override { found.push_back(p); }
  void programs(const std::vector<Program>& list) override { found.insert(found.end(), list.begin(), list.end()); }
  std::vector<Program> found;
};

bool holds_code(const Program::Equation& e) {
  if (e.op->is(kCustom)) return true;
  const std::vector<Program> inner = programs_in(e.params);
  return std::any_of(inner.begin(), inner.end(), [](const Program& p) {
    return std::any_of(p.equations().begin(), p.equations().end(), holds_code);
  });
}

/// What tells programs apart: the text, or the program itself where there is more to it than its text says.
std::string identity(const Program& p) {
  const bool has_tensors = std::any_of(p.constants().begin(), p.constants().end(),
                                       [](const Program::Constant& c) { return !detail::is_literal(c.value); });
  const bool is_text = !has_tensors && std::none_of(p.equations().begin(), p.equations().end(), holds_code);
  return is_text ? p.str() : strata::detail::format_message("program {}", {reinterpret_cast<int64_t>(&p.body())});
}

ProgramReader& reader_of(FieldReader& reader) {
  auto* const programs = dynamic_cast<ProgramReader*>(&reader);
  STRATA_CHECK(programs, "params: a program is expected, which this reader cannot give");
  return *programs;
}

}  // namespace

void visit(const Program& p, FieldVisitor& visitor) {
  if (auto* const programs = dynamic_cast<ProgramVisitor*>(&visitor)) return programs->program(p);
  visitor.text(identity(p));
}

void visit(const std::vector<Program>& list, FieldVisitor& visitor) {
  if (auto* const programs = dynamic_cast<ProgramVisitor*>(&visitor)) return programs->programs(list);
  visitor.integer(static_cast<int64_t>(list.size()));
  for (const Program& p : list) visitor.text(identity(p));
}

void read(Program& p, FieldReader& reader) { p = reader_of(reader).program(); }
void read(std::vector<Program>& list, FieldReader& reader) { list = reader_of(reader).programs(); }

std::vector<Program> programs_in(Params params) {
  Collector collector;
  params.visit_fields(collector);
  return std::move(collector.found);
}

bool has_side_effects(const Program::Equation& e) {
  if (e.op->is(kRandom) || e.op->is(kCollective)) return true;
  if (!e.op->decompose) return false;  // ops that hold programs run them by decomposition
  const std::vector<Program> inner = programs_in(e.params);
  return std::any_of(inner.begin(), inner.end(), [](const Program& p) {
    return std::any_of(p.equations().begin(), p.equations().end(), has_side_effects);
  });
}

}  // namespace strata::func
