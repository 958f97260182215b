// Programs as StableHLO, the language that XLA's compilers read (https://openxla.org/stablehlo).
#pragma once
#include <string>

#include "../transforms/trace.h"

namespace strata {

/// The program as the text of an MLIR module whose function `main` takes the program's inputs and gives its outputs.
/// Constants, captured parameters among them, stand in it bit by bit. Ops of StableHLO's specification are used, and a
/// few of CHLO (`chlo.erf`), which XLA and JAX read as well. Throws one Error that names all ops that have no
/// counterpart: random ones, what is sorted or factored; and where the program writes to tensors.
///
/// Indices out of range are an error here and are clamped by StableHLO.
///
///     std::ofstream("step.mlir") << to_stablehlo(trace(grad(loss))(params, x, y));
std::string to_stablehlo(const func::Program& program);
template <class Out, class... A>
std::string to_stablehlo(const func::Traced<Out, A...>& traced) {
  return to_stablehlo(traced.program());
}

}  // namespace strata
