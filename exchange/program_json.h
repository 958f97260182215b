// The text in which a program's file says what its equations are. Internal to what saves and loads programs.
#pragma once
#include <string>

#include "../core/function.h"
#include "../transforms/program.h"

namespace strata::func::exchange {

/// Which files are read: all of this major version. Writers raise the minor one for what older readers refuse by name.
inline constexpr int64_t kMajor = 1, kMinor = 0;

/// At which version an op's params are: 1 unless program_writer.cpp has a row for it. An op that takes other params
/// than before gets one, and program_reader.cpp brings up to date what was saved before.
int64_t version_of(const Op& op);

/// How many programs may hold one another, as branches and bodies of loops do.
inline constexpr int64_t kMostNested = 11;

/// The types of variables; null for undefined ones.
std::vector<const Program::Type*> types_of(const std::vector<Program::Variable>& variables, const Program::Body& body);

/// What a file calls the fields of an op's params, in their order.
class FieldNames {
 public:
  explicit FieldNames(const Op& op) : names_(detail::param_names(op)) {}
  /// The name of the next field.
  std::string next() {
    const size_t i = next_++;
    return i < names_.size() ? std::string(names_[i]) : "field" + std::to_string(i);
  }

 private:
  std::vector<std::string_view> names_;
  size_t next_ = 0;
};

/// Throws where a program cannot be a file.
void check_saves(const Program& program);
/// JSON of all but the values of constants, which `key_of_constant` says where to find.
std::string text_of(const Program& program);
/// The name in the file of the values of constant number i of a program, of which `owner` says where it is: nothing for
/// the whole one, else what `owner_of` gives for the program that holds it.
std::string key_of_constant(size_t i, const std::string& owner = "");
/// Programs in the params of the equation of that number are named by it, the field and, in a list, their place there.
std::string owner_of(const std::string& holder, size_t equation, const std::string& field);

/// Does a file hold one element of a constant that repeats it?
bool is_repeated(const Tensor& constant);
/// The dtype in which a file holds a constant of a dtype that the format does not know: complex128 as pairs of float64,
/// some float8 as bytes; undefined for those that it knows.
DType stand_in(DType dtype);

/// Values of constants by their key.
using Values = strata::detail::Function<Tensor(const std::string&)>;
/// The body that a text describes. Believes nothing of it: throws unless every equation is a call that its op takes and
/// infers the recorded types of.
Program::Body body_of(const std::string& text, const Values& values);

}  // namespace strata::func::exchange
