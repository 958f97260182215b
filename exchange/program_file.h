// Programs as files: save(program, to) and Program::load(from).
#pragma once
#include "../ops/serialize.h"
#include "../transforms/trace.h"

namespace strata::func {

/// `save(program, to)`: constants by value as tensors, and everything else as JSON in the file's text `program`. The
/// file holds no code, so ops with a rule of the user's (custom_vjp, checkpoint), collectives, and constants of a
/// transform that is still running are errors, and so are branches and loops nested more than 11 deep. docs/files.md
/// shows what it looks like inside.
serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const Program& program);
/// `save(traced, to)`: the program of a traced function, which takes and returns lists of tensors from then on.
template <class Out, class... A>
serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const Traced<Out, A...>& traced) {
  return archive << traced.program();
}
/// `load(program, from)`: the program becomes the one of the file.
serialize::InputArchive& operator>>(serialize::InputArchive& archive, Program& program);

namespace detail {
Program read_program(serialize::InputArchive& archive);
}

template <class... From>
Program Program::load(From&&... from) {
  serialize::InputArchive archive;
  archive.load_from(std::forward<From>(from)...);
  return detail::read_program(archive);
}

}  // namespace strata::func
