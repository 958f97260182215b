// Branches and loop bodies as programs: what is known of a tensor, tracing a function with what it captures lifted out,
// and messages that name types.
#pragma once
#include "callable.h"
#include "level.h"
#include "program.h"

namespace strata::func::control {

using List = std::vector<Tensor>;
using Mask = std::vector<bool>;
using Types = std::vector<Program::Type>;
using ListRef = detail::FunctionRef<List(const List&)>;

/// What the code around a tensor knows of its value: the value, one for each example of a vmap, or its type alone.
enum class Standing : uint8_t { known, mapped, traced };

/// Of the innermost value, whatever derivatives are tracked on the way to it.
Standing standing(const Tensor& t);
inline bool is_traced(const Tensor& t) {
  return thread_state.top_layer && t.defined() && standing(t) == Standing::traced;
}
bool any_traced(dispatch::Args args);
bool any_traced(const List& list);
/// The plain tensor under all levels of vmap and derivatives.
const Tensor& innermost(const Tensor& t);
/// Is some gradient or tangent kept for it?
bool is_differentiated(const Tensor& t);

/// The tensors at the places of the mask, in order, and undefined ones elsewhere.
List spread_over(const List& some, const Mask& mask);
/// The inverse: removes undefined tensors, and says where they were.
Mask drop_undefined(List& list);

Program::Type type_of(const Tensor& t);
Types types_of(const List& list);
/// `(f32[3], i64[])`
std::string text(const Types& types);
/// A tensor of that type without elements.
Tensor shape_only(const Program::Type& type);

/// A function as a program that takes what the function captured first, then its arguments.
struct Closure {
  Program program;
  List captured;
};
/// Traces `f` on tensors like the arguments. Throws where `f` writes to tensors from outside.
Closure close(ListRef f, const List& arguments);
/// The programs of several functions of the same arguments, all of which take all that any of them captured.
struct Closures {
  std::vector<Program> programs;
  List captured;
};
Closures close_all(ArrayRef<ListRef> functions, const List& arguments);

/// Takes equations that read captured tensors alone out of the program: what they give is captured.
Closure hoisted(Closure closure);

/// The program of a function of tensors of such types that captures nothing.
Program program_of(const Types& inputs, ListRef f);

Types input_types(const Program& p);
Types output_types(const Program& p);
/// A program with its inputs and outputs in another order: `inputs[i]` says which of p's comes there.
Program reordered(const Program& p, const std::vector<size_t>& inputs, const std::vector<size_t>& outputs);
/// A program that takes tensors of these types as well, behind the `at` first inputs, and does not read them.
Program with_unused_inputs(const Program& p, size_t at, const Types& types);

}  // namespace strata::func::control
