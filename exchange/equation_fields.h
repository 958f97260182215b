// The params of an equation as values by their names, for what writes programs in other languages.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "../core/error.h"
#include "../core/value.h"
#include "../transforms/program_field.h"

namespace strata::func {

/// Programs among the params are none of the values.
class EquationFields : public dispatch::FieldVisitor, public ProgramVisitor {
 public:
  /// `function` begins errors.
  EquationFields(const char* function, const Program::Equation& e)
      : function_(function), names_(detail::param_names(*e.op)) {
    dispatch::Params(e.params).visit_fields(*this);
  }
  const Value& operator[](const std::string& name) const {
    const auto found = fields_.find(name);
    STRATA_CHECK(found != fields_.end(), "{}: there is no param '{}'", function_, name);
    return found->second;
  }

  void integer(int64_t v) override { add(v); }
  void real(double v) override { add(v); }
  void boolean(bool v) override { add(v); }
  void integers(IntArrayRef v) override { add(std::vector<int64_t>(v.begin(), v.end())); }
  void text(std::string_view v) override { add(std::string(v)); }
  void number(const Scalar& v) override { add(v); }
  void program(const Program&) override { add(Value()); }
  void programs(const std::vector<Program>&) override { add(Value()); }

 private:
  void add(Value v) {
    const size_t i = fields_.size();
    fields_.emplace(i < names_.size() ? std::string(names_[i]) : "field" + std::to_string(i), std::move(v));
  }

  const char* const function_;
  const std::vector<std::string_view> names_;
  std::unordered_map<std::string, Value> fields_;
};

}  // namespace strata::func
