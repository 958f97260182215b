// Small programs for libtorch that print what they find, in one list, so that both libraries can run them.
#pragma once
#include <torch/torch.h>

#include <exception>
#include <ostream>
#include <string>
#include <vector>

#include "test/programs/awaited.h"

namespace programs {

/// A program in the list of all, which declaring it adds it to. Its topic is the name of its source.
class Program {
 public:
  using Run = void (*)(std::ostream& out);
  Program(const char* name, Run run, const char* file = __builtin_FILE());

  std::string topic, name;
  Run run;
};
const std::vector<Program>& all_programs();

/// Prints dtype, shape and all values of a tensor with nine digits in one line, where `operator<<` has four.
void show(std::ostream& out, const char* name, const torch::Tensor& x);
void show(std::ostream& out, const torch::Tensor& x);

/// Prints whether the call fails with an error of type `E` that says `phrase`.
template <class E = std::exception, class F>
void fails(std::ostream& out, const char* name, const char* phrase, F call) {
  try {
    call();
    out << name << ": no error\n";
  } catch (const E& e) {
    const bool says = std::string(e.what()).find(phrase) != std::string::npos;
    out << name << ": error, " << (says ? "says " : "does not say ") << phrase << '\n';
  } catch (const std::exception&) {
    out << name << ": an error of another type\n";
  }
}

}  // namespace programs
