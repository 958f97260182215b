// The source of the kernel of a chain.
#pragma once
#include <string>

#include "dispatcher/chain.h"

namespace strata::cuda::fused {

/// Note [Generated kernels]
/// A kernel is written for a chain and the way in which its operands lie: a loop over packs of elements, which are
/// loaded, go through the steps' formulas one by one, and are stored. Formulas are named, not written: they are the
/// functions of kernels/arithmetic.h that all other kernels apply, in the types of their results, so values are rounded
/// after each step as they are when they lie in memory. Numbers of params are arguments, so that another one is not
/// another kernel. The text is compiled by NVRTC, with fused/rtc_std.h in place of the C++ library; the tests compile
/// the same text for the host, as they do all kernels: Note [Emulated kernels] in test/cuda_emulator.

/// How operands lie, as far as the text depends on it.
struct Layout {
  int pack = 1;             ///< elements that a thread takes at once
  bool is_strided = false;  ///< the walk goes over strides; else operands lie in a row or are one value
  uint32_t ones = 0;        ///< bit k: a pack of operand k is one value
};

struct Source {
  std::string name;  ///< of the kernel, whose linkage is C's
  std::string text;
};

/// Operands are the outputs and then the inputs.
Source source_of(const dispatch::Chain& chain, const Layout& layout);
/// The numbers of all steps, as the source counts them.
std::vector<double> numbers_of(const dispatch::Chain& chain);
/// Elements that make 16 bytes of the chain's largest operand; 1 where some formula is long.
int widest_pack(const dispatch::Chain& chain);

}  // namespace strata::cuda::fused
