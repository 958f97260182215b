// Programs: what trace() returns, a list of typed equations that runs, prints, draws and compares.
#pragma once
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "../dispatcher/call.h"

namespace strata::func {

using dispatch::Op;
using dispatch::OwnedParams;

/// A function written out as equations over typed variables, each assigned once. It reads shapes and dtypes from where
/// it was traced; it never reads strides, so it gives the same on inputs of any layout. Copies share one body.
class Program {
 public:
  /// The number of a variable; inputs have the first ones, then constants, then outputs of equations in order.
  using Variable = int32_t;
  static constexpr Variable kNone = -1;  ///< stands for an undefined tensor
  struct Type {
    DType dtype;
    Device device;
    DimVector sizes;
    /// As JAX writes it: `f32[2,3]`, `i64[]`, `bool[4]`.
    std::string str() const;
    bool operator==(const Type& o) const;
  };
  /// A tensor that the function used but did not get as an argument.
  struct Constant {
    Variable variable;
    Tensor value;
    bool captured;  ///< from outside of the function: held itself, so later writes to it show; else a copy
  };
  struct Equation {
    const Op* op;
    OwnedParams params;
    bool recording;  ///< false inside a NoGradGuard: no gradients flow through this one
    std::vector<Variable> inputs, outputs;
    std::vector<Variable> last_uses = {};  ///< variables that nothing reads from here on
    /// Of a random one: a result of the earlier one whose numbers it draws again, as a function does that runs once
    /// more for its gradient (`checkpoint`).
    Variable draws_as = kNone;
  };
  /// What a run writes to a captured tensor or to an input once all equations have run.
  struct Effect {
    Variable target, value;
    bool recording = true;  ///< false where the write was inside a NoGradGuard
  };
  struct Body {
    std::vector<Type> types;  ///< of each variable
    std::vector<Variable> inputs;
    std::vector<Constant> constants;
    std::vector<Equation> equations;
    std::vector<Variable> outputs;
    std::vector<Effect> effects = {};
  };

  /// Drops what no output needs and numbers the variables anew. Random equations stay, so that those after them draw
  /// the same numbers as the function would.
  explicit Program(Body body);
  /// Takes nothing and gives nothing.
  Program() : Program(Body()) {}
  /// The program of a file that torch.export.save wrote, for the sizes of the export; its parameters and buffers are
  /// captured. `load_pt2` gives the same as a module, with parameters to train.
  static Program load_pt2(const std::string& path);
  /// The program of an ONNX file whose inputs have fixed sizes; its parameters and buffers are captured. `load_onnx`
  /// gives the same as a module, with parameters to train and programs for other sizes.
  static Program load_onnx(const std::string& path);

  /// The program that `save(program, to)` wrote: from a path, a stream, memory or a function, as `load` takes them
  /// (ops/serialize.h). Believes nothing that the file says and runs no code of it. Throws where it is truncated or
  /// damaged, where it names an op that is not there, where an op does not take such tensors and params, or infers
  /// other results than are recorded. In exchange/program_file.h.
  template <class... From>
  static Program load(From&&... from);

  /// Runs it, equation by equation, in eager code or under any transform; each tensor is freed after its last use.
  /// Throws where an input has another shape or dtype than the one traced. Random equations draw anew from the default
  /// generator: after `manual_seed(s)` the program gives what the function gives after `manual_seed(s)`.
  std::vector<Tensor> operator()(std::vector<Tensor> inputs) const;

  const std::vector<Variable>& inputs() const { return body_->inputs; }
  const std::vector<Constant>& constants() const { return body_->constants; }
  const std::vector<Equation>& equations() const { return body_->equations; }
  const std::vector<Variable>& outputs() const { return body_->outputs; }
  const std::vector<Effect>& effects() const { return body_->effects; }
  const Type& type(Variable v) const { return body_->types[static_cast<size_t>(v)]; }
  /// All of it, for passes that make a new program of a changed copy.
  const Body& body() const { return *body_; }

  /// The end of a run: writes to captured tensors and inputs what the effects say, of values by variable. Those that
  /// show memory which an effect writes to are copied first, so that the order of the writes is no matter.
  static void write_effects(const std::vector<Effect>& effects, std::vector<Tensor>& values);

  /// The program as JAX prints a jaxpr, "{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }", an equation a line;
  /// constants with one value are written where they are used, the others stand before the semicolon.
  std::string str() const;
  /// A drawing of the equations as nodes, in Graphviz's language.
  std::string to_dot() const;
  /// Equal inputs, equations, params and outputs, whatever the variables are called; constants are equal if they are
  /// the same tensor or have the same values.
  friend bool operator==(const Program& a, const Program& b);

 private:
  std::shared_ptr<const Body> body_;
};

std::ostream& operator<<(std::ostream& out, const Program& program);

namespace detail {
/// The names that a schema gives to its arguments other than tensors: of an op's params, field by field. Random ops may
/// have more fields, which they do not read.
std::vector<std::string_view> param_names(const Op& op);
/// Does a plain tensor repeat one value? Such constants are part of the program's text.
bool is_literal(const Tensor& t);
/// The value that a literal repeats.
Scalar literal_value(const Tensor& t);
}  // namespace detail

}  // namespace strata::func
