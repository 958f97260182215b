// OpenBLAS does not run its oldest kernels on a processor that it is too old to know.
#include <dlfcn.h>

#include <string>

#include "test/catch.h"

#ifdef __x86_64__
TEST_CASE("OpenBLAS uses the vectors that the processor has", "[lapack]") {
  const auto core = reinterpret_cast<const char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  const bool can_choose = dlsym(RTLD_DEFAULT, "gotoblas_dynamic_init") != nullptr;
  if (!core || !can_choose || !__builtin_cpu_supports("avx2") || getenv("OPENBLAS_CORETYPE")) return;
  CHECK(std::string(core()) != "Prescott");
  CHECK_FALSE(getenv("OPENBLAS_CORETYPE"));
}
#endif
