// A program as text, with what PyTorch made of it; programs.py says how it is written.
#pragma once
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "test/differential/value.h"

namespace differential {

/// What PyTorch got for one result: a tensor, or nothing where a gradient is absent.
struct Expected {
  bool defined = true;
  strata::DType dtype = strata::DType::Undefined;
  std::vector<int64_t> sizes;
  std::optional<std::vector<int64_t>> strides;  ///< where both libraries lay the tensor out alike
  bool requires_grad = false;
  std::vector<char> bytes;  ///< row-major elements
};

struct Statement {
  std::string text;
  std::vector<std::string> outputs;
  bool no_grad = false;
  std::string function;
  std::vector<std::string> arguments;
  std::vector<Expected> expected;
  std::optional<std::string> error;  ///< PyTorch's message where it throws
  bool may_throw = false;            ///< PyTorch refuses; `expected` is what it gets where it keeps copies
};

struct Program {
  std::string name;
  std::vector<Statement> statements;
};

/// The next program of a stream, nothing at its end.
std::optional<Program> read_program(std::istream& in);

using Variables = std::map<std::string, Tensor>;
/// The value of an argument's text: `v3`, `[1,2]`, `1.5`, `true`, `none`, `1:5:2`, `float32`.
Value parse_value(std::string_view text, const Variables& variables);

/// The leaf that `leaf dtype sizes strides offset requires_grad values` describes.
Tensor make_leaf(const std::vector<std::string>& arguments);

}  // namespace differential
