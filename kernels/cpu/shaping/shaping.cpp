// CPU kernels that join, pad, flip and scatter blocks of elements.
#include <algorithm>
#include <cstring>

#include "core/parallel.h"
#include "dispatcher/kernel.h"
#include "kernels/cpu/common/elementwise.h"
#include "kernels/cpu/common/loop.h"
#include "kernels/cpu/common/strided_copy.h"
#include "kernels/cpu/common/vec_move.h"
#include "kernels/cpu/common/widen.h"
#include "kernels/cpu/indexing/writes.h"
#include "kernels/may_overlap.h"
#include "kernels/shaping_places.h"
#include "ops/binary_def.h"
#include "ops/shaping_def.h"

namespace strata::cpu::shaping {
namespace {

/// Dense tensors, whose parts of a row of the output are long: rows in order, so that the output is written once from
/// its first to its last byte. False, with nothing done, if they are not.
bool cat_rows(const Tensor& out, Args in, const CatParams& p) {
  constexpr int64_t kLongPart = 256;  // bytes
  const int64_t item = static_cast<int64_t>(item_size(out.dtype()));
  const int64_t inner = numel_of(out.sizes().slice(p.dim + 1)) * item, row = inner * out.sizes()[p.dim];
  bool suits = out.is_contiguous();
  for (size_t i = 0; i < in.size(); ++i) suits &= in[i].is_contiguous() && p.lengths[i] * inner >= kLongPart;
  if (!suits) return false;
  parallel_for(0, numel_of(out.sizes().slice(0, p.dim)), std::max<int64_t>(1, 65536 / row),
               [&](int64_t begin, int64_t end) {
                 for (int64_t r = begin; r < end; ++r) {
                   char* to = out.bytes() + r * row;
                   for (size_t i = 0; i < in.size(); ++i) {
                     const int64_t part = p.lengths[i] * inner;
                     to = std::copy_n(in[i].bytes() + r * part, part, to);
                   }
                 }
               });
  return true;
}

void cat_cpu(Tensors& out, Args in, const CatParams& p) {
  if (p.dim > 0 && cat_rows(out[0], in, p)) return;
  int64_t start = 0;
  for (size_t i = 0; i < in.size(); start += p.lengths[i++])
    copy_strided(memory_of(out[0], start * out[0].strides()[p.dim]), memory_of(in[i]), in[i].sizes(),
                 item_size(out[0].dtype()));
}

void split_copy_cpu(Tensors& out, Args in, const CatParams& p) {
  int64_t start = 0;
  for (size_t i = 0; i < out.size(); start += p.lengths[i++])
    copy_strided(memory_of(out[i]), memory_of(in[0], start * in[0].strides()[p.dim]), out[i].sizes(),
                 item_size(in[0].dtype()));
}

/// The bytes of `value` as an element of `dtype`.
Bits128 element_bytes(const Scalar& value, DType dtype) {
  Bits128 bytes{};
  visit_stored_dtype(dtype, [&]<class T>() {
    const T v = value.wrapped_to<T>();
    std::memcpy(&bytes, &v, sizeof(T));
  });
  return bytes;
}

void pad_cpu(Tensors& out, Args in, const PadParams& p) {
  const Tensor &x = in[0], &y = out[0];
  const size_t item = item_size(y.dtype());
  const Bits128 value = element_bytes(p.value, y.dtype());
  if (y.numel() == 0) return;
  const KeptWindow w = kept_window(y, x, p);
  if (!(IntArrayRef(w.sizes) == y.sizes())) fill_strided(memory_of(y), y.sizes(), &value, item);
  copy_strided(memory_of(y, w.to), memory_of(x, w.from), w.sizes, item);
}

void flip_cpu(Tensors& out, Args in, const FlipParams& p) {
  const Tensor& x = in[0];
  if (x.numel() == 0) return;
  const Reversed r = reversed(x, p.dims);
  copy_strided(memory_of(out[0]), {memory_of(x, r.first).data, r.strides}, x.sizes(), item_size(x.dtype()));
}

void roll_cpu(Tensors& out, Args in, const RollParams& p) {
  for_rolled_blocks(out[0], in[0], p, [&](IntArrayRef sizes, int64_t from, int64_t to) {
    copy_strided(memory_of(out[0], to), memory_of(in[0], from), sizes, item_size(in[0].dtype()));
  });
}

/// Copies elements with column - row in [low, high], zeroes the others.
void keep_band(const Tensor& y, const Tensor& x, int64_t low, int64_t high) {
  const size_t n = x.dim(), item = item_size(x.dtype());
  const int64_t rows = n ? x.sizes()[n - 2] : 0, cols = x.sizes()[n - 1], to_step = y.strides()[n - 1],
                from_step = x.strides()[n - 1];
  const IntArrayRef outer = x.sizes().slice(0, n - 1);
  if (x.numel() == 0) return;
  visit_wide_item(item, [&]<class U>() {
    parallel_for(0, x.numel() / cols, std::max<int64_t>(1, 16384 / cols), [&](int64_t b, int64_t e) {
      for (int64_t r = b; r < e; ++r) {
        U* to = reinterpret_cast<U*>(y.bytes()) + strided_offset(r, outer, y.strides());
        const U* from = reinterpret_cast<const U*>(x.bytes()) + strided_offset(r, outer, x.strides());
        const int64_t row = r % rows, first = std::clamp<int64_t>(row + low, 0, cols),
                      end = std::clamp<int64_t>(row + high + 1, 0, cols);
        for (int64_t c = 0; c < first; ++c) to[c * to_step] = U{};
        for (int64_t c = first; c < end; ++c) to[c * to_step] = from[c * from_step];
        for (int64_t c = std::max(first, end); c < cols; ++c) to[c * to_step] = U{};
      }
    });
  });
}

/// Keeps row + diagonal inside of int64 whatever the diagonal.
int64_t bounded(int64_t diagonal, const Tensor& x) {
  const int64_t most = x.sizes()[x.dim() - 2] + x.sizes()[x.dim() - 1] + 1;
  return std::clamp(diagonal, -most, most);
}

void tril_cpu(Tensors& out, Args in, const TriangleParams& p) {
  keep_band(out[0], in[0], -in[0].sizes()[in[0].dim() - 2], bounded(p.diagonal, in[0]));
}
void triu_cpu(Tensors& out, Args in, const TriangleParams& p) {
  keep_band(out[0], in[0], bounded(p.diagonal, in[0]), in[0].sizes()[in[0].dim() - 1]);
}

void as_strided_copy_cpu(Tensors& out, Args in, const StridedParams& p) {
  Tensor holder;
  const size_t item = item_size(out[0].dtype());
  if (out[0].numel() == 0) return;
  char* base = const_cast<char*>(row_major(in[0], holder));
  copy_strided(memory_of(out[0]), {base + p.offset * static_cast<int64_t>(item), p.strides}, p.sizes, item);
}

void diagonal_backward_cpu(Tensors& out, Args in, const LaidDiagonalParams& p) {
  const size_t item = item_size(out[0].dtype());
  write_row_major(out[0], [&](char* base) {
    std::memset(base, 0, out[0].nbytes());
    if (in[0].numel() == 0) return;
    const LaidDiagonal d = laid_diagonal(p);
    copy_strided({base + d.first * static_cast<int64_t>(item), d.strides}, memory_of(in[0]), in[0].sizes(), item);
  });
}

/// Some rows at a time become zeros, and then get the block's rows while they are in the cache: one long fill is faster
/// than two short ones a row.
void block_diag_cpu(Tensors& out, Args in, const NoParams&) {
  const Tensor& y = out[0];
  const int64_t item = static_cast<int64_t>(item_size(y.dtype())), height = y.size(-2), width = y.size(-1) * item;
  const int64_t batch = numel_of(y.sizes().slice(0, y.dim() - 2));
  write_row_major(y, [&](char* base) {
    int64_t top = 0, left = 0;
    for (const Tensor* t : in) {
      Tensor holder;
      const char* const block = row_major(*t, holder);
      const int64_t rows = t->size(-2), cols = t->size(-1) * item;
      const int64_t together = std::max<int64_t>(1, 65536 / (width + 1));
      parallel_for(0, batch * rows, together, [&](int64_t begin, int64_t end) {
        for (int64_t r = begin; r < end;) {
          const int64_t n = std::min({together, rows - r % rows, end - r});
          char* const first = base + (r / rows * height + top + r % rows) * width;
          std::memset(first, 0, n * width);
          for (int64_t i = 0; i < n; ++i) std::copy_n(block + (r + i) * cols, cols, first + i * width + left);
          r += n;
        }
      });
      top += rows, left += cols;
    }
  });
}

/// f.one(place in base, element of `values`) one after the other, in row-major order: places of `base` that are shown
/// twice take the same value whatever the threads and the processor. f.run(places, values, n) where both lie side by
/// side.
template <class T, class F>
void visit_in_order(T* base, const T* values, IntArrayRef sizes, IntArrayRef to, IntArrayRef from, const F& f) {
  if (sizes.empty()) return f.one(*base, *values);
  if (sizes.size() > 1) {
    for (int64_t i = 0; i < sizes[0]; ++i)
      visit_in_order(base + i * to[0], values + i * from[0], sizes.slice(1), to.slice(1), from.slice(1), f);
    return;
  }
  if (to[0] == 1 && from[0] == 1) return f.run(base, values, sizes[0]);
  for (int64_t i = 0; i < sizes[0]; ++i) f.one(base[i * to[0]], values[i * from[0]]);
}

/// Threads share the leading dim if its steps do not reach into each other.
template <class T>
void add_strided_threaded(T* base, const Tensor& grad, const StridedParams& p) {
  const T* g = reinterpret_cast<const T*>(grad.bytes());
  int64_t span = 0;
  for (size_t d = 1; d < p.sizes.size(); ++d) span += (p.sizes[d] - 1) * p.strides[d];
  const IntArrayRef sizes = p.sizes, to = p.strides, from = grad.strides();
  const indexing::Accumulate add{dispatch::loop_of(add_op, grad.dtype()).loop};
  if (sizes.empty() || sizes[0] == 0 || to[0] <= span) return visit_in_order(base, g, sizes, to, from, add);
  parallel_for(0, sizes[0], std::max<int64_t>(1, 16384 * sizes[0] / grad.numel()), [&](int64_t b, int64_t e) {
    for (int64_t i = b; i < e; ++i)
      visit_in_order(base + i * to[0], g + i * from[0], sizes.slice(1), to.slice(1), from.slice(1), add);
  });
}

void as_strided_backward_cpu(Tensors& out, Args in, const StridedParams& p) {
  const Tensor& grad = in[0];
  const size_t item = item_size(grad.dtype());
  const bool adds = may_overlap(p.sizes, p.strides);
  if (adds && is_narrow_float(grad.dtype()))
    return run_in_float(out, in, [&](Tensors& wide, Args args) { as_strided_backward_cpu(wide, args, p); });
  write_row_major(out[0], [&](char* base) {
    std::memset(base, 0, out[0].nbytes());
    if (grad.numel() == 0) return;
    char* first = base + p.offset * static_cast<int64_t>(item);
    if (!adds) return copy_strided({first, p.strides}, memory_of(grad), p.sizes, item);
    visit_any_dtype(with_same_sums(grad.dtype()),
                    [&]<class T>() { add_strided_threaded(reinterpret_cast<T*>(first), grad, p); });
  });
}

void as_strided_scatter_cpu(Tensors& out, Args in, const StridedParams& p) {
  const Tensor &base = in[0], &source = in[1];
  const size_t item = item_size(base.dtype());
  write_row_major(out[0], [&](char* to) {
    copy_strided({to, contiguous_strides(base.sizes())}, memory_of(base), base.sizes(), item);
    char* const first = to + p.offset * static_cast<int64_t>(item);
    if (!may_overlap(p.sizes, p.strides)) return copy_strided({first, p.strides}, memory_of(source), p.sizes, item);
    visit_wide_item(item, [&]<class U>() {  // the last element wins
      visit_in_order(reinterpret_cast<U*>(first), reinterpret_cast<const U*>(source.bytes()), p.sizes, p.strides,
                     source.strides(), indexing::Replace());
    });
  });
}

}  // namespace

STRATA_KERNEL(cat_op, CPU, cat_cpu);
STRATA_KERNEL(split_copy_op, CPU, split_copy_cpu);
STRATA_KERNEL(pad_op, CPU, pad_cpu);
STRATA_KERNEL(flip_op, CPU, flip_cpu);
STRATA_KERNEL(roll_op, CPU, roll_cpu);
STRATA_KERNEL(tril_op, CPU, tril_cpu);
STRATA_KERNEL(triu_op, CPU, triu_cpu);
STRATA_KERNEL(diagonal_backward_op, CPU, diagonal_backward_cpu);
STRATA_KERNEL(block_diag_op, CPU, block_diag_cpu);
STRATA_KERNEL(as_strided_copy_op, CPU, as_strided_copy_cpu);
STRATA_KERNEL(as_strided_backward_op, CPU, as_strided_backward_cpu);
STRATA_KERNEL(as_strided_scatter_op, CPU, as_strided_scatter_cpu);

}  // namespace strata::cpu::shaping
