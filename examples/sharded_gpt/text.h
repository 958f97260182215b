// The characters to learn from.
#pragma once
#include <strata/strata.h>

#include <string>

namespace gpt {

/// A text as numbers of its characters, the last tenth of it (or twice the shortest test) for tests.
struct Text {
  std::string source;
  std::string characters;  ///< in the order of their numbers
  strata::Tensor train, test;
};

/// The text of `file` (it must be there), else tinyshakespeare/input.txt from the first of $STRATA_DATA, data and
/// ../shared/data that has it, else a sonnet. The test has at least `shortest` characters.
Text load_text(const std::string& file, int64_t shortest);

/// What the numbers stand for.
std::string spell(const Text& text, const strata::Tensor& numbers);

}  // namespace gpt
