// Programs among the params of an op: how they are shown, compared, read back and found.
#pragma once
#include "../dispatcher/params.h"
#include "program.h"

namespace strata::func {

/// A FieldVisitor that is one of these too is shown programs as programs; others see their text.
class ProgramVisitor {
 public:
  virtual ~ProgramVisitor() = default;
  virtual void program(const Program& p) = 0;
  virtual void programs(const std::vector<Program>& list) = 0;
};

/// A FieldReader that is one of these too gives programs back. Throws Error where the next field is none.
class ProgramReader {
 public:
  virtual ~ProgramReader() = default;
  virtual Program program() = 0;
  virtual std::vector<Program> programs() = 0;
};

void visit(const Program& p, dispatch::FieldVisitor& visitor);
void visit(const std::vector<Program>& list, dispatch::FieldVisitor& visitor);
void read(Program& p, dispatch::FieldReader& reader);
void read(std::vector<Program>& list, dispatch::FieldReader& reader);

/// The programs that params hold, in order; none for params of most ops.
std::vector<Program> programs_in(dispatch::Params params);
/// Does a run of the equation do more than its outputs show: draw random numbers, or let other ranks wait, itself or in
/// a program that its params hold?
bool has_side_effects(const Program::Equation& e);
/// `name=value` for each param, as a program's text has them; a random op's place in the stream is not one, because
/// every run has its own.
std::vector<std::string> param_texts(const Program::Equation& e);

}  // namespace strata::func
