// OpenBLAS's kernels for processors that are younger than it.
#if !defined(STRATA_SLIM) && defined(__x86_64__)
#include <cblas.h>

#include <cstdlib>
#include <string_view>

extern "C" {
// Builds of OpenBLAS with kernels for one processor alone have neither.
[[gnu::weak]] void gotoblas_dynamic_init();
[[gnu::weak]] void gotoblas_dynamic_quit();
}

namespace strata::cpu::linalg {
namespace {

/// The youngest set of kernels that this processor can run, as OPENBLAS_CORETYPE names it, or null.
const char* best_core() {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return nullptr;
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  return has_avx512 ? "SkylakeX" : "Haswell";
}

/// Kernels for SSE3, what OpenBLAS runs on a processor of Intel's or AMD's that it does not know.
bool is_last_resort(std::string_view core) { return core == "Prescott" || core == "Barcelona"; }

/// OpenBLAS knows processors by their numbers: on an Emerald Rapids 0.3.21 runs kernels of 2004, at half to a third of
/// the speed. It reads OPENBLAS_CORETYPE where it is set up, so that is done once more here, while the library is
/// loaded. A user's own choice stays.
void use_best_core() {
  if (!gotoblas_dynamic_init || !gotoblas_dynamic_quit || std::getenv("OPENBLAS_CORETYPE")) return;
  const char* const core = best_core();
  if (!core || !is_last_resort(openblas_get_corename())) return;
  setenv("OPENBLAS_CORETYPE", core, 1);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  unsetenv("OPENBLAS_CORETYPE");
}

[[maybe_unused]] const bool uses_best_core = (use_best_core(), true);

}  // namespace
}  // namespace strata::cpu::linalg
#endif
