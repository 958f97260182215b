// Which instruction sets the processor has, for Highway's tables of functions. Highway's own library says so too, but
// as it is loaded it times the processor's clock for a benchmark nobody runs: 5 ms of every program's start. Where
// these two functions are all that is needed of it, the linker leaves it out.
#include <hwy/targets.h>

#if HWY_ARCH_X86
#include <cpuid.h>

namespace {

bool has_bit(unsigned leaf, unsigned bit) {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(leaf, &eax, &ebx, &ecx, &edx) && (ecx & bit);
}

/// What Highway's code for AVX2 is compiled with. The compilers' builtins see to it that the system keeps the
/// registers.
bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul") &&
         has_bit(1, bit_F16C) && has_bit(0x80000001, bit_LZCNT);
}
bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd");
}

}  // namespace

// Weak, so that a program which links libstrata.a and Highway's library has one of each.
namespace hwy {

[[gnu::weak]] int64_t SupportedTargets() {
  __builtin_cpu_init();
  return HWY_STATIC_TARGET | (has_avx2() ? HWY_AVX2 : 0) | (has_avx512() ? HWY_AVX3 : 0);
}

[[gnu::weak]] ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

}  // namespace hwy
#endif
