// Products of one tile on one thread by what computes them best: a library's code, or our own where there is none.
#pragma once
#include "kernels/cpu/matmul/gemm.h"

namespace strata::cpu::matmul {

/// Computes `p`, whose out has unit column stride and rows at least n apart, on the calling thread, without its
/// activation. T is float, double or a complex number of one of them: by oneDNN (float) and OpenBLAS, or by own_product
/// in a build without them.
template <class T>
void library_product(Gemm<T> p);

/// The same by SIMD code of our own (gemm_own.cpp), which a build with STRATA_SLIM has in place of the libraries. Each
/// sum is made along k in parts of fixed length, so that the bits depend on the shape and the layouts alone.
template <class T>
void own_product(const Gemm<T>& p);

}  // namespace strata::cpu::matmul
