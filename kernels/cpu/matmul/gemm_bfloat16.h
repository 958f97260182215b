// Products of bfloat16 numbers where the processor has instructions for them.
#pragma once
#include "kernels/cpu/matmul/gemm.h"
#include "kernels/cpu/matmul/vec_bfloat16.h"

namespace strata::cpu::matmul {

/// Whether `bfloat16_product` is faster for `p` than widening its operands; a function of the shape alone.
bool bfloat16_pays(const Gemm<BFloat16>& p);

/// Is called with a piece whose outputs are there and in the caches, where their activation goes elsewhere.
using FinishBFloat16 = void (*)(const Gemm<BFloat16>& piece);

/// Computes `p` by `unit` over the threads. Sums are of float, and rounded once.
void bfloat16_product(const Gemm<BFloat16>& p, const VecBFloat16& unit, FinishBFloat16 finish);

/// The sums of `p`, which has no `out`, `init` or activation and whose alpha is 1, in float; added to what `sums` holds
/// where `adds`.
void bfloat16_sums(const Gemm<BFloat16>& p, const VecBFloat16& unit, Matrix<float> sums, bool adds);

}  // namespace strata::cpu::matmul
