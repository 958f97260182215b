// What tests of programs as files share.
#pragma once
#include <strata/strata.h>

#include <sstream>
#include <string>

#include "exchange/program_file.h"
#include "test/catch.h"
#include "test/same_bits.h"

namespace strata::test {

inline std::string saved(const func::Program& program) {
  std::ostringstream out;
  save(program, static_cast<std::ostream&>(out));
  return out.str();
}
inline func::Program loaded(const std::string& bytes) { return func::Program::load(bytes.data(), bytes.size()); }
inline func::Program again(const func::Program& program) { return loaded(saved(program)); }

/// The file of a program with something else in the place of the first of some part of its text.
inline std::string with_text(const func::Program& program, const std::string& old, const std::string& fresh) {
  serialize::OutputArchive out;
  out << program;
  std::stringstream stream;
  out.save_to(stream);
  serialize::InputArchive in;
  in.load_from(stream);
  std::string text;
  in.read("program", text);
  const size_t at = text.find(old);
  INFO(old << " in " << text);
  REQUIRE(at != text.npos);
  text.replace(at, old.size(), fresh);
  serialize::OutputArchive changed;
  changed.write("program", text);
  for (const std::string& key : in.tensor_names()) changed.write(key, in.find(key));
  std::ostringstream bytes;
  changed.save_to(bytes);
  return bytes.str();
}

}  // namespace strata::test
