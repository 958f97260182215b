// Highway has no matrix tiles, so these are intrinsics.
#include "kernels/cpu/matmul/vec_bfloat16.h"

#include <hwy/base.h>

#if HWY_ARCH_X86_64
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace strata::cpu::matmul {
namespace {

/// The bits of leaf 7 of cpuid, and of what the system saves of registers.
struct Processor {
  unsigned ebx = 0, edx = 0;
  uint64_t saved = 0;

  Processor() {
    unsigned eax = 0, ecx = 0, other_b = 0, other_d = 0;
    if (!__get_cpuid(1, &eax, &other_b, &ecx, &other_d) || !(ecx & bit_OSXSAVE)) return;
    unsigned low = 0, high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    saved = uint64_t{high} << 32 | low;
    __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx);
  }
  bool saves(uint64_t registers) const { return (saved & registers) == registers; }
};

/// Linux gives a process room for tiles when it asks for it.
bool has_tiles() {
  constexpr unsigned kBFloat16 = 1u << 22, kTile = 1u << 24;     // of edx
  constexpr unsigned kVectors = 1u << 16 | 1u << 30 | 1u << 31;  // of ebx: AVX-512 F, BW and VL
  constexpr uint64_t kRegisters = 0x600e6;                       // vectors, masks and tiles
  constexpr int kAskForRegisters = 0x1023, kTileData = 18;       // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  const Processor p;
  if (!p.saves(kRegisters) || !(p.edx & kBFloat16) || !(p.edx & kTile) || (p.ebx & kVectors) != kVectors) return false;
  return syscall(SYS_arch_prctl, kAskForRegisters, kTileData) == 0;
}

HWY_PUSH_ATTRIBUTES("amx-tile,amx-bf16,avx512f")

/// All eight tiles have 16 rows of 64 bytes.
void begin_tiles() {
  struct alignas(64) Config {
    uint8_t palette = 1, start_row = 0, reserved[14] = {};
    uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
  };
  static const Config config;
  _tile_loadconfig(&config);
}
void end_tiles() { _tile_release(); }

/// The tiles 0 to 3 are sums, 4 and 5 rows of a, 6 and 7 columns of b.
template <int A, int B>
void multiply_tiles(const BFloat16Tile& t) {
  constexpr int64_t kPanel = kBFloat16Lanes * kBFloat16Depth, kLine = 64;
  const int64_t lane = 2 * t.a_lane;
  const uint16_t *a0 = t.a[0], *a1 = t.a[A - 1], *b0 = t.b[0], *b1 = t.b[B - 1];
  float* const below = t.sums + kBFloat16Lanes * t.sums_row;
  const int64_t row = 4 * t.sums_row;
  if (t.adds) {
    _tile_loadd(0, t.sums, row);
    if constexpr (B > 1) _tile_loadd(1, t.sums + kBFloat16Lanes, row);
    if constexpr (A > 1) _tile_loadd(2, below, row);
    if constexpr (A > 1 && B > 1) _tile_loadd(3, below + kBFloat16Lanes, row);
  } else {
    _tile_zero(0);
    if constexpr (B > 1) _tile_zero(1);
    if constexpr (A > 1) _tile_zero(2);
    if constexpr (A > 1 && B > 1) _tile_zero(3);
  }
  for (int64_t q = 0; q < t.steps; ++q, a0 += t.a_step, a1 += t.a_step, b0 += kPanel, b1 += kPanel) {
    _tile_loadd(6, b0, kLine);
    _tile_loadd(4, a0, lane);
    _tile_dpbf16ps(0, 4, 6);
    if constexpr (B > 1) {
      _tile_loadd(7, b1, kLine);
      _tile_dpbf16ps(1, 4, 7);
    }
    if constexpr (A > 1) {
      _tile_loadd(5, a1, lane);
      _tile_dpbf16ps(2, 5, 6);
    }
    if constexpr (A > 1 && B > 1) _tile_dpbf16ps(3, 5, 7);
  }
  _tile_stored(0, t.sums, row);
  if constexpr (B > 1) _tile_stored(1, t.sums + kBFloat16Lanes, row);
  if constexpr (A > 1) _tile_stored(2, below, row);
  if constexpr (A > 1 && B > 1) _tile_stored(3, below + kBFloat16Lanes, row);
}

void tile_by_tiles(const BFloat16Tile& t) {
  if (t.a_groups > 1) return t.b_groups > 1 ? multiply_tiles<2, 2>(t) : multiply_tiles<2, 1>(t);
  t.b_groups > 1 ? multiply_tiles<1, 2>(t) : multiply_tiles<1, 1>(t);
}

HWY_POP_ATTRIBUTES
HWY_PUSH_ATTRIBUTES("avx512f,avx512bw,avx512vl")

/// To the nearest, of two to the even one; what is no number stays none.
__m512i rounded(__m512 x) {
  const __m512i bits = _mm512_castps_si512(x),
                odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
  const __m512i sum = _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff)), odd);
  const __mmask16 is_nan = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
  return _mm512_mask_mov_epi32(_mm512_srli_epi32(sum, 16), is_nan, _mm512_set1_epi32(0x7fc0));
}

void pair_rows(uint32_t* to, const uint16_t* from, int64_t from_row, int64_t rows) {
  const auto widened = [&](int64_t r) __attribute__((always_inline)) {
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + r * from_row)));
  };
  for (int64_t r = 0; r < rows; r += 2, to += 16) {
    // The rows that come next, which lie too far apart to be foreseen.
    _mm_prefetch(from + (r + rows) * from_row, _MM_HINT_T0);
    _mm_prefetch(from + (r + 1 + rows) * from_row, _MM_HINT_T0);
    _mm512_storeu_si512(to, _mm512_or_si512(widened(r), _mm512_slli_epi32(widened(r + 1), 16)));
  }
}

void round_rows(const BFloat16Rows& p) {
  const __m512 alpha = _mm512_set1_ps(p.alpha), beta = _mm512_set1_ps(p.beta);
  for (int64_t r = 0; r < p.rows; ++r)
    for (int64_t c = 0; c < p.cols; c += 16) {
      const auto mask = static_cast<__mmask16>(p.cols - c >= 16 ? 0xffff : (1 << (p.cols - c)) - 1);
      __m512 sum = _mm512_mul_ps(alpha, _mm512_maskz_loadu_ps(mask, p.sums + r * p.sums_row + c));
      if (p.init) {
        const __m256i start = _mm256_maskz_loadu_epi16(mask, p.init + r * p.init_row + c);
        const __m512 wide = _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(start), 16));
        sum = _mm512_add_ps(sum, _mm512_mul_ps(beta, wide));
      }
      _mm512_mask_cvtepi32_storeu_epi16(p.out + r * p.out_row + c, mask, rounded(sum));
    }
}

HWY_POP_ATTRIBUTES

}  // namespace

const VecBFloat16* vec_bfloat16() {
  static constexpr VecBFloat16 tiles{begin_tiles, end_tiles, pair_rows, tile_by_tiles, round_rows};
  static const bool are_there = has_tiles();
  return are_there ? &tiles : nullptr;
}

}  // namespace strata::cpu::matmul
#else
namespace strata::cpu::matmul {
const VecBFloat16* vec_bfloat16() { return nullptr; }
}  // namespace strata::cpu::matmul
#endif
