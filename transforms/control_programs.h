// New programs of old ones: of values and tangents, of a batch, and of a vjp in two parts.
#pragma once
#include "control_stage.h"

namespace strata::func::control {

/// Which outputs depend on inputs of the mask, by a path that derivatives take or by any.
enum class Paths : uint8_t { differentiable, all };
Mask dependent_outputs(const Program& p, const Mask& inputs, Paths paths);
/// The mask of a loop's inputs, of which those from `first` on are its carry, with all carried values that come to
/// depend on the others; `carry_out` says the same of the body's outputs, whose first ones are the carry.
Mask with_dependent_carry(const Program& body, Mask inputs, size_t first, size_t carry, Paths paths);

/// Takes the inputs of `p`, then tangents of those in the mask; gives the outputs of `p`, then the tangents of those in
/// the mask.
Program jvp_of(const Program& p, const Mask& inputs, const Mask& outputs);

/// A vmap to come: its size, and the group that collectives know it by.
struct MappedDim {
  int64_t size;
  const Communicator* group;
};
/// `p` of inputs with the mapped dim in front where the mask says so, giving such outputs where the mask says so.
Program vmap_of(const Program& p, const Mask& inputs, const Mask& outputs, MappedDim axis);
/// Inputs of the mask with the mapped dim in front.
Types mapped(Types types, const Mask& mask, int64_t size);

/// A vjp in two programs, for gradients of the wanted inputs from cotangents of the outputs in a mask.
struct Pullback {
  Program forward;           ///< of the inputs: the outputs, then what is made for backward
  Program backward;          ///< of inputs that it needs, of what forward made, and of cotangents: the gradients
  std::vector<size_t> kept;  ///< the inputs that backward needs
  size_t made = 0;
};
/// `recompute`: forward makes nothing, and backward runs all of `p` again.
/// Inputs in the mask `begun` have the first term of their gradient given, behind the cotangents.
Pullback pullback_of(const Program& p, const Mask& wanted, const Mask& cotangents, const Mask& begun, bool recompute);

/// Which outputs depend on no input but the first `consts`, and on nothing drawn.
Mask constant_outputs(const Program& p, size_t consts);

/// Which inputs some equation or output reads.
Mask inputs_read(const Program& p);

size_t count(const Mask& mask);
/// The elements that the mask says.
template <class T>
std::vector<T> masked(const std::vector<T>& list, const Mask& mask) {
  std::vector<T> some;
  for (size_t i = 0; i < list.size(); ++i)
    if (mask[i]) some.push_back(list[i]);
  return some;
}
template <class T>
std::vector<T> slice(const std::vector<T>& list, size_t from, size_t size) {
  const auto first = list.begin() + static_cast<std::ptrdiff_t>(from);
  return {first, first + static_cast<std::ptrdiff_t>(size)};
}
template <class T>
void append(std::vector<T>& list, const std::vector<T>& more) {
  list.insert(list.end(), more.begin(), more.end());
}
/// One after the other.
template <class T, class... More>
std::vector<T> joined(std::vector<T> list, const More&... more) {
  (append(list, more), ...);
  return list;
}

}  // namespace strata::func::control
