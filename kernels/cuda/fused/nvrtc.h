// NVIDIA's compiler for sources that are written while the program runs.
#pragma once
#include <string>

namespace strata::cuda::fused {

/// Loads the compiler when it is first asked for anything, from where the loader looks or where it was when Strata was
/// built. What is wrong with it; empty where it can be used.
const std::string& nvrtc_problem();
/// Of the compiler, as "13.0".
std::string nvrtc_version();
/// The machine code for an architecture such as "sm_90". Needs no GPU. Throws with the compiler's log.
std::string compile_source(const std::string& source, const std::string& architecture);

}  // namespace strata::cuda::fused
