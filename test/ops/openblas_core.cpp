// OpenBLAS does not run its oldest kernels on a processor that it is too old to know.
#include <dlfcn.h>

#include <string>

#include "test/catch.h"

#ifdef __x86_64__
TEST_CASE("OpenBLAS uses the vectors that the processor has", "[lapack]") {
  const auto core = reinterpret_cast<const char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  const bool can_choose = dlsym(RTLD_DEFAULT, "gotoblas_dynamic_init") != nullptr;
  if (!core || !can_choose || !__builtin_cpu_supports("avx2") || getenv("OPENBLAS_CORETYPE")) {
    WARN("not checked: OpenBLAS has one set of kernels, the processor no AVX2, or OPENBLAS_CORETYPE is set");
    return;
  }
  CHECK(std::string(core()) != "Prescott");
  CHECK(std::string(core()) != "Barcelona");
  CHECK_FALSE(getenv("OPENBLAS_CORETYPE"));
}
#endif
