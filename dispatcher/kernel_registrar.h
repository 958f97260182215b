// Registering a backend's kernel with its op: one line beside the kernel.
#pragma once
#include "op.h"

namespace strata::dispatch {

template <auto Kernel>
struct KernelThunk;
template <class P, void (*Kernel)(Tensors&, Args, const P&)>
struct KernelThunk<Kernel> {
  static void run(Tensors& out, Args in, const void* p) { Kernel(out, in, *static_cast<const P*>(p)); }
};

template <auto Kernel>
struct KernelRegistrar {
  KernelRegistrar(Op& op, Key backend) { op.kernels[static_cast<int>(backend)] = &KernelThunk<Kernel>::run; }
};

}  // namespace strata::dispatch

/// `STRATA_KERNEL(sum_op, CPU, sum_cpu);` with `void sum_cpu(Tensors& out, Args in, const SumParams& p)`.
#define STRATA_KERNEL(op, backend, kernel) \
  static const ::strata::dispatch::KernelRegistrar<&kernel> register_##op##_##backend(op, ::strata::Key::backend)
