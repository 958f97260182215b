// Large matrix products over operands that are packed once for all tiles.
#pragma once
#include "kernels/cpu/matmul/gemm.h"

namespace strata::cpu::matmul {

/// Whether `packed_product` computes `p`, and faster than a library call for each tile; p.out must have unit column
/// stride. A function of the shape and the layouts alone.
bool packing_pays(const Gemm<float>& p);

/// Computes `p` over the threads, without its activation. `finish` is called with each piece of it, by the thread that
/// computed that one, while its outputs are in the caches.
void packed_product(const Gemm<float>& p, void (*finish)(const Gemm<float>& piece));

}  // namespace strata::cpu::matmul
