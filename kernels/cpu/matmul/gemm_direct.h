// Matrix products small enough that a library call would cost more than the arithmetic.
#pragma once
#include "kernels/cpu/matmul/gemm.h"

namespace strata::cpu::matmul {

/// Computes `p` when it is small (p.out must have unit column stride or n = 1) and returns true; else returns false
/// untouched.
bool gemm_direct(const Gemm<float>& p);
bool gemm_direct(const Gemm<double>& p);

}  // namespace strata::cpu::matmul
