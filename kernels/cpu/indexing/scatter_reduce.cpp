// CPU kernel of products and extremes at indexed places.
#include "ops/scatter_reduce_def.h"

#include "dispatcher/kernel.h"
#include "kernels/cpu/common/widen.h"
#include "kernels/cpu/indexing/line_loop.h"

namespace strata::cpu::indexing {
namespace {

struct Product {
  template <class T>
  void operator()(T& to, T from) const {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      to = static_cast<T>(static_cast<uint64_t>(to) * static_cast<uint64_t>(from));
    else
      to = static_cast<T>(to * from);
  }
};
/// A NaN on either side stays.
struct Largest {
  template <class T>
  void operator()(T& to, T from) const {
    to = from > to || from != from ? from : to;
  }
};
struct Smallest {
  template <class T>
  void operator()(T& to, T from) const {
    to = from < to || from != from ? from : to;
  }
};

template <class F>
void visit_join(int64_t kind, F f) {
  if (kind == kScatterProduct) return f(Product());
  kind == kScatterLargest ? f(Largest()) : f(Smallest());
}

/// Is it a vector along `dim`, repeated along the others? Each index then says where a whole row goes.
bool is_repeated(const Tensor& index, int64_t dim) {
  for (int64_t d = 0; d < index.dim(); ++d)
    if (d != dim && index.strides()[d] != 0) return false;
  return index.dim() > 1 && dim < index.dim() - 1;
}

void scatter_reduce_cpu(Tensors& out, Args in, const ScatterReduceParams& p) {
  if (is_half16(out[0].dtype()))
    return run_in_float(out, in, [&](Tensors& wide, Args args) { scatter_reduce_cpu(wide, args, p); });
  const Tensor &y = out[0], &source = in[2];
  Tensor holder;
  const bool by_rows = is_repeated(in[1], p.dim);
  const int64_t* const index = by_rows ? in[1].data_ptr<int64_t>() : index_data(in[1], holder);
  const Tensor& dense = holder.defined() ? holder : in[1];
  const IndexRange range{0, y.sizes()[p.dim], "scatter_reduce", p.dim};
  if (!by_rows)
    range.check_all(index, in[1].numel());
  else if (in[1].numel() > 0)
    for (int64_t i = 0; i < in[1].sizes()[p.dim]; ++i) range.check(index + i * in[1].strides()[p.dim], 1);
  if (y.bytes() != in[0].bytes()) copy_strided(memory_of(y), memory_of(in[0]), y.sizes(), item_size(y.dtype()));
  if (in[1].numel() == 0) return;
  const LineLoop loop = make_line_loop(y, dense, source, p.dim, range);
  visit_dtype(y.dtype(), [&]<class T>() {
    T* const to = reinterpret_cast<T*>(y.bytes());
    const T* const from = reinterpret_cast<const T*>(source.bytes());
    visit_join(p.kind, [&](auto join) {
      for_lines(loop, index, [to, from, join](int64_t y_at, int64_t at) { join(to[y_at], from[at]); });
    });
  });
}

STRATA_KERNEL(scatter_reduce_op, CPU, scatter_reduce_cpu);

}  // namespace
}  // namespace strata::cpu::indexing
