// CPU kernel of products and extremes at indexed places.
#include "ops/scatter_reduce_def.h"

#include "dispatcher/kernel.h"
#include "dispatcher/loops.h"
#include "kernels/cpu/common/widen.h"
#include "kernels/cpu/indexing/scatter.h"
#include "ops/binary_def.h"

namespace strata::cpu::indexing {
namespace {

// Each gives what the loop of its op gives for (from, to).
struct Product {
  static constexpr const Op& kOp = mul_op;

  template <class T>
  T operator()(T from, T to) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<uint64_t>(to) * static_cast<uint64_t>(from));
    else
      return static_cast<T>(to * from);
  }
};
/// A NaN on either side stays.
struct Largest {
  static constexpr const Op& kOp = maximum_op;

  template <class T>
  T operator()(T from, T to) const {
    if (from != from) [[unlikely]]
      return from;
    return from > to ? from : to;
  }
};
struct Smallest {
  static constexpr const Op& kOp = minimum_op;

  template <class T>
  T operator()(T from, T to) const {
    if (from != from) [[unlikely]]
      return from;
    return from < to ? from : to;
  }
};

template <class F>
void visit_join(int64_t kind, F f) {
  if (kind == kScatterProduct) return f.template operator()<Product>();
  is_of_largest(kind) ? f.template operator()<Largest>() : f.template operator()<Smallest>();
}

void scatter_reduce_cpu(Tensors& out, Args in, const ScatterReduceParams& p) {
  if (is_half16(out[0].dtype()))
    return run_in_float(out, in, [&](Tensors& wide, Args args) { scatter_reduce_cpu(wide, args, p); });
  const Tensor& y = out[0];
  if (in[1].numel() == 0) return copy_base(y, in[0]);
  Tensor holder;
  const Tensor& index = dense_index(in[1], p.dim, holder);
  visit_dtype(y.dtype(), [&]<class T>() {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)  // the others are joined in float or int64
      visit_join(p.kind, [&]<class Join>() {
        const JoinBy<Join> write{dispatch::loop_of(Join::kOp, y.dtype()).loop};
        write_at_index<T>(y, in[0], index, in[2], p.dim, {"scatter_reduce", WrongIndex::kError}, write);
      });
  });
}

STRATA_KERNEL(scatter_reduce_op, CPU, scatter_reduce_cpu);

}  // namespace
}  // namespace strata::cpu::indexing
