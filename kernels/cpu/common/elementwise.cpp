// The walk over strided tensors: dims are ordered and merged, rows run in place or through small buffers.
#include "kernels/cpu/common/elementwise.h"

#include <algorithm>
#include <utility>

#include "core/parallel.h"
#include "core/shape.h"
#include "dispatcher/formula.h"
#include "kernels/cpu/common/blocks.h"
#include "kernels/cpu/common/vec_move.h"
#include "kernels/visit_item.h"

namespace strata::cpu {
namespace {

[[maybe_unused]] const bool installed =
    (dispatch::set_elementwise([](const Tensor& out, Args in, Loop loop, const double* params) {
       elementwise_any(out, in, loop, params, Half16::kThroughFloat);
     }),
     true);

constexpr int kMaxOperands = 4;
constexpr int64_t kBlockBytes = 4096;     // of a buffer
constexpr int64_t kShortRow = 48;         // below this, tiles do not pay
constexpr int64_t kShortestInPlace = 16;  // rows that take a call each
constexpr int64_t kUnit = 4096;           // threads split at multiples of this, so that every part starts aligned
constexpr int64_t kFewRows = 16;          // so many are run before a plan would be made

struct Operand {
  char* data;
  int64_t stride[kMaxDims];  // bytes
  int64_t item;              // bytes
  BlockReader read;
  BlockWriter write;
  bool convert;

  bool in_row(int last) const { return !convert && stride[last] == item; }
};

/// All operands of a call over their common dims, outermost first; operand 0 is the output.
struct Plan {
  int operands, dims = 0;
  int64_t numel;
  int64_t size[kMaxDims];
  Operand op[kMaxOperands];
  Loop loop;
  const double* params;
  int64_t block;  // elements per buffer

  int last() const { return dims - 1; }
  int64_t row() const { return size[dims - 1]; }
};

void add_dim(Plan& p, const Tensor* const* tensors, int64_t d, int at) {
  p.size[at] = tensors[0]->sizes()[d];
  for (int k = 0; k < p.operands; ++k) p.op[k].stride[at] = tensors[k]->strides()[d] * p.op[k].item;
}

/// Does the dim at `a` belong outside of the one at `b`? The first operand that tells decides.
bool is_outer(const Plan& p, int a, int b) {
  for (int k = 0; k < p.operands; ++k) {
    const int64_t x = std::abs(p.op[k].stride[a]), y = std::abs(p.op[k].stride[b]);
    if (x != y && x != 0 && y != 0) return x > y;
  }
  return false;
}

void swap_dims(Plan& p, int a, int b) {
  std::swap(p.size[a], p.size[b]);
  for (int k = 0; k < p.operands; ++k) std::swap(p.op[k].stride[a], p.op[k].stride[b]);
}

void sort_dims(Plan& p) {
  for (int i = 1; i < p.dims; ++i) {
    for (int j = i; j > 0 && is_outer(p, j, j - 1); --j) swap_dims(p, j, j - 1);
  }
}

bool mergeable(const Plan& p, int outer, int inner) {
  for (int k = 0; k < p.operands; ++k) {
    if (p.op[k].stride[outer] != p.op[k].stride[inner] * p.size[inner]) return false;
  }
  return true;
}

void merge_dims(Plan& p) {
  int last = 0;
  for (int d = 1; d < p.dims; ++d) {
    if (mergeable(p, last, d)) {
      p.size[d] *= p.size[last];
    } else {
      ++last;
    }
    if (last != d) {
      p.size[last] = p.size[d];
      for (int k = 0; k < p.operands; ++k) p.op[k].stride[last] = p.op[k].stride[d];
    }
  }
  p.dims = last + 1;
}

void make_plan(Plan& p, const Tensor* const* tensors, Half16 half16) {
  int64_t largest = 1;  // bytes of an element in a buffer
  for (int k = 0; k < p.operands; ++k) {
    Operand& o = p.op[k];
    const DType t = tensors[k]->dtype();
    o.data = tensors[k]->bytes();
    o.item = static_cast<int64_t>(item_size(t));
    o.convert = half16 == Half16::kThroughFloat && is_narrow_float(t);
    largest = std::max(largest, o.convert ? int64_t{sizeof(float)} : o.item);
    o.read = block_reader(t, o.convert);
    o.write = block_writer(t, o.convert);
  }
  p.block = kBlockBytes / largest;
  for (int64_t d = 0; d < tensors[0]->dim(); ++d) {
    if (tensors[0]->sizes()[d] != 1) add_dim(p, tensors, d, p.dims++);
  }
  if (p.dims == 0) {  // one element: a row of one
    p.size[p.dims++] = 1;
    for (int k = 0; k < p.operands; ++k) p.op[k].stride[0] = p.op[k].item;
  }
  sort_dims(p);
  merge_dims(p);
}

/// A position in the plan's index space, counted in steps of dim `axis`; the dims inside of it are at their start.
class Walker {
 public:
  Walker(const Plan& p, int axis, int64_t flat) : p_(p), axis_(axis) {
    for (int k = 0; k < p.operands; ++k) base_[k] = p.op[k].data;
    at_axis_ = flat % p.size[axis];
    flat /= p.size[axis];
    for (int d = axis - 1; d >= 0; flat /= p.size[d--]) {
      index_[d] = flat % p.size[d];
      for (int k = 0; k < p.operands; ++k) base_[k] += index_[d] * p.op[k].stride[d];
    }
  }
  /// Steps until the axis wraps.
  int64_t left() const { return p_.size[axis_] - at_axis_; }
  char* at(int k) const { return base_[k] + at_axis_ * p_.op[k].stride[axis_]; }
  void advance(int64_t n) {
    at_axis_ += n;
    if (at_axis_ == p_.size[axis_]) carry();
  }

 private:
  void carry() {
    at_axis_ = 0;
    for (int d = axis_ - 1; d >= 0; --d) {
      const bool wraps = ++index_[d] == p_.size[d];
      for (int k = 0; k < p_.operands; ++k) base_[k] += p_.op[k].stride[d] * (wraps ? 1 - p_.size[d] : 1);
      if (!wraps) return;
      index_[d] = 0;
    }
  }

  const Plan& p_;
  int axis_;
  int64_t at_axis_;
  int64_t index_[kMaxDims];
  char* base_[kMaxOperands];
};

struct Buffers {
  alignas(64) char data[kMaxOperands][kBlockBytes];
};

/// Every operand lies in its row as the loop wants it.
bool runs_in_place(const Plan& p) {
  for (int k = 0; k < p.operands; ++k) {
    if (!p.op[k].in_row(p.last()) && (k == 0 || p.op[k].convert || p.op[k].stride[p.last()] != 0)) return false;
  }
  return true;
}

void run_in_place(const Plan& p, int64_t begin, int64_t end, bool stream) {
  Walker w(p, p.last(), begin);
  for (int64_t i = begin; i < end;) {
    const int64_t n = std::min(w.left(), end - i);
    LoopArgs a{w.at(0), {}, {}, n, p.params, stream};
    for (int k = 1; k < p.operands; ++k) {
      a.in[k - 1] = w.at(k);
      a.step[k - 1] = p.op[k].stride[p.last()] != 0;
    }
    p.loop(a);
    w.advance(n);
    i += n;
  }
}

/// The same for whole rows, where they are short: from each to the next are but a few additions.
void run_rows_in_place(const Plan& p, int64_t begin, int64_t end) {
  const int axis = p.last() - 1;
  LoopArgs a{nullptr, {}, {}, p.row(), p.params, false};
  for (int k = 1; k < p.operands; ++k) a.step[k - 1] = p.op[k].stride[p.last()] != 0;
  Walker w(p, axis, begin);
  for (int64_t i = begin; i < end;) {
    const int64_t rows = std::min(w.left(), end - i);
    a.out = w.at(0);
    for (int k = 1; k < p.operands; ++k) a.in[k - 1] = w.at(k);
    for (int64_t r = 0; r < rows; ++r) {
      p.loop(a);
      a.out = static_cast<char*>(a.out) + p.op[0].stride[axis];
      for (int k = 1; k < p.operands; ++k) a.in[k - 1] = static_cast<const char*>(a.in[k - 1]) + p.op[k].stride[axis];
    }
    w.advance(rows);
    i += rows;
  }
}

/// Blocks of one row; operands that do not lie as the loop wants them go through buffers.
void run_long_rows(const Plan& p, int64_t begin, int64_t end) {
  Buffers b;
  const int last = p.last();
  Walker w(p, last, begin);
  for (int64_t i = begin; i < end;) {
    const int64_t n = std::min({w.left(), end - i, p.block});
    const bool direct = p.op[0].in_row(last);
    LoopArgs a{direct ? w.at(0) : b.data[0], {}, {}, n, p.params, false};
    for (int k = 1; k < p.operands; ++k) {
      const Operand& o = p.op[k];
      a.step[k - 1] = o.stride[last] != 0;
      const bool as_is = !o.convert && (o.stride[last] == 0 || o.stride[last] == o.item);
      a.in[k - 1] = as_is ? w.at(k) : b.data[k];
      if (!as_is) o.read(b.data[k], w.at(k), {0, 1, o.stride[last], o.stride[last] ? n : 1});
    }
    p.loop(a);
    if (!direct) p.op[0].write(w.at(0), {0, 1, p.op[0].stride[last], n}, b.data[0]);
    w.advance(n);
    i += n;
  }
}

/// Does a block of whole rows lie in one piece?
bool rows_touch(const Plan& p, const Operand& o) {
  return o.in_row(p.last()) && o.stride[p.last() - 1] == o.item * p.row();
}

/// Blocks of several short rows, counted in rows; a row that repeats is read once.
void run_short_rows(const Plan& p, int64_t begin, int64_t end) {
  Buffers b;
  const int last = p.last();
  Walker w(p, last - 1, begin);
  const char* repeated[kMaxOperands] = {};
  int64_t filled[kMaxOperands] = {};
  for (int64_t i = begin; i < end;) {
    const int64_t rows = std::min({w.left(), end - i, p.block / p.row()});
    const bool direct = rows_touch(p, p.op[0]);
    LoopArgs a{direct ? w.at(0) : b.data[0], {}, {1, 1, 1}, rows * p.row(), p.params, false};
    for (int k = 1; k < p.operands; ++k) {
      const Operand& o = p.op[k];
      a.in[k - 1] = rows_touch(p, o) ? w.at(k) : b.data[k];
      if (rows_touch(p, o) || (repeated[k] == w.at(k) && rows <= filled[k])) continue;
      o.read(b.data[k], w.at(k), {o.stride[last - 1], rows, o.stride[last], p.row()});
      repeated[k] = o.stride[last - 1] == 0 ? w.at(k) : nullptr;
      filled[k] = rows;
    }
    p.loop(a);
    if (!direct) p.op[0].write(w.at(0), {p.op[0].stride[last - 1], rows, p.op[0].stride[last], p.row()}, b.data[0]);
    w.advance(rows);
    i += rows;
  }
}

// Note [Operands that lie across]
// Read along its rows, a transposed operand gives one element of each line of the cache that is brought. So where one
// lies across, what runs is a tile: those operands are transposed in registers, a tile of them into a buffer, and the
// loop then runs over the tile's rows.

constexpr int64_t kAcrossRows = 32, kAcrossColumns = 128;

/// Are neighbours in a column neighbours in memory, which those in a row are not?
bool lies_across(const Plan& p, const Operand& o) {
  return !o.convert && o.item <= 8 && o.stride[p.last() - 1] == o.item && o.stride[p.last()] != 0 &&
         o.stride[p.last()] % o.item == 0;
}

/// Does an input lie across, and each other operand in its row?
bool runs_in_tiles(const Plan& p) {
  if (p.dims < 2 || p.size[p.last() - 1] < kAcrossRows / 2 || !p.op[0].in_row(p.last())) return false;
  bool is_across = false;
  for (int k = 1; k < p.operands; ++k) {
    const Operand& o = p.op[k];
    if (o.in_row(p.last()) || (!o.convert && o.stride[p.last()] == 0)) continue;
    if (!lies_across(p, o)) return false;
    is_across = true;
  }
  return is_across;
}

/// Blocks of at most kAcrossRows rows along the dim before the last, one after another.
void run_tiles(const Plan& p, int64_t begin, int64_t end) {
  alignas(64) char buffers[kMaxOperands - 1][kAcrossRows * kAcrossColumns * 8];
  const int last = p.last();
  const int64_t height = p.size[last - 1], blocks = (height + kAcrossRows - 1) / kAcrossRows;
  for (int64_t block = begin; block < end; ++block) {
    const int64_t row = block % blocks * kAcrossRows, rows = std::min(kAcrossRows, height - row);
    const Walker w(p, last - 1, block / blocks * height + row);
    for (int64_t column = 0; column < p.row(); column += kAcrossColumns) {
      LoopArgs a{nullptr, {}, {}, std::min(kAcrossColumns, p.row() - column), p.params, false};
      const char* from[kMaxOperands];
      int64_t step[kMaxOperands];  // from row to row
      for (int k = 1; k < p.operands; ++k) {
        const Operand& o = p.op[k];
        a.step[k - 1] = o.stride[last] != 0;
        from[k] = w.at(k) + column * o.stride[last], step[k] = o.stride[last - 1];
        if (o.in_row(last) || !lies_across(p, o)) continue;
        visit_item(static_cast<size_t>(o.item), [&]<class U>() {
          vec_move<U>().transpose(reinterpret_cast<U*>(buffers[k - 1]), kAcrossColumns,
                                  reinterpret_cast<const U*>(from[k]), o.stride[last] / o.item, rows, a.n);
        });
        from[k] = buffers[k - 1], step[k] = kAcrossColumns * o.item;
      }
      for (int64_t r = 0; r < rows; ++r) {
        a.out = w.at(0) + r * p.op[0].stride[last - 1] + column * p.op[0].item;
        for (int k = 1; k < p.operands; ++k) a.in[k - 1] = from[k] + r * step[k];
        p.loop(a);
      }
    }
  }
}

bool should_stream(const Plan& p) {
  if (p.dims != 1 || p.numel * p.op[0].item < dispatch::kStreamBytes ||
      reinterpret_cast<uintptr_t>(p.op[0].data) % 64 != 0)
    return false;
  for (int k = 1; k < p.operands; ++k)
    if (p.op[k].data == p.op[0].data) return false;
  return true;
}

/// The elements in a row that t is nothing but repetitions of, outermost; 0 if it is something else.
int64_t repeated_row(const TensorImpl& t) {
  int64_t row = 1;
  int d = static_cast<int>(t.sizes().size()) - 1;
  for (; d >= 0 && (t.sizes()[d] == 1 || t.strides()[d] == row); --d) row *= t.sizes()[d];
  for (; d >= 0; --d)
    if (t.sizes()[d] != 1 && t.strides()[d] != 0) return 0;
  return row;
}

/// The common small case, such as a bias for a few rows, without a plan: false, with nothing done, in all others.
bool run_few_rows(const Tensor& out, Args in, Loop loop, const double* params, Half16 half16) {
  const auto converts = [&](const Tensor& t) { return half16 == Half16::kThroughFloat && is_narrow_float(t.dtype()); };
  if (out.numel() > kElementwiseGrain || !out.is_contiguous() || converts(out)) return false;
  LoopArgs a{out.bytes(), {}, {}, out.numel(), params, false};
  int64_t bytes[kMaxOperands] = {};  // from row to row
  for (size_t k = 0; k < in.size(); ++k) {
    const Tensor& t = in[k];
    a.in[k] = t.bytes();
    a.step[k] = simple_step(*t.impl());
    if (converts(t)) return false;
    if (a.step[k] >= 0) {
      bytes[k] = a.step[k] * static_cast<int64_t>(t.element_size());
      continue;
    }
    const int64_t row = repeated_row(*t.impl());
    if (row * kFewRows < out.numel() || (a.n != out.numel() && a.n != row)) return false;
    a.n = row;
    a.step[k] = 1;
  }
  const int64_t out_bytes = a.n * static_cast<int64_t>(out.element_size());
  for (int64_t done = 0; done < out.numel(); done += a.n) {
    loop(a);
    a.out = static_cast<char*>(a.out) + out_bytes;
    for (size_t k = 0; k < in.size(); ++k) a.in[k] = static_cast<const char*>(a.in[k]) + a.n * bytes[k];
  }
  return true;
}

}  // namespace

void elementwise_any(const Tensor& out, Args in, Loop loop, const double* params, Half16 half16) {
  if (out.numel() == 0 || run_few_rows(out, in, loop, params, half16)) return;
  const Tensor* tensors[kMaxOperands] = {&out};
  for (size_t k = 0; k < in.size(); ++k) tensors[k + 1] = in.begin()[k];
  Plan p;
  p.operands = static_cast<int>(in.size()) + 1;
  p.numel = out.numel();
  p.loop = loop;
  p.params = params;
  make_plan(p, tensors, half16);
  const bool in_place = runs_in_place(p);
  const auto for_rows = [&](auto run) {
    parallel_for(0, p.numel / p.row(), kElementwiseGrain / p.row(),
                 [&](int64_t first, int64_t last) { run(p, first, last); });
  };
  if (p.dims > 1 && in_place && p.row() >= kShortestInPlace && p.row() < kUnit) return for_rows(run_rows_in_place);
  const bool in_tiles = p.row() >= kShortRow && runs_in_tiles(p);
  if (p.dims > 1 && 2 * p.row() <= p.block && !in_tiles) return for_rows(run_short_rows);
  if (in_tiles) {
    const int64_t height = p.size[p.last() - 1], blocks = (height + kAcrossRows - 1) / kAcrossRows;
    const auto run = [&](int64_t first, int64_t last) { run_tiles(p, first, last); };
    return parallel_for(0, p.numel / (height * p.row()) * blocks, 1 + kElementwiseGrain / (kAcrossRows * p.row()), run);
  }
  const bool stream = in_place && should_stream(p);
  parallel_for(0, (p.numel + kUnit - 1) / kUnit, kElementwiseGrain / kUnit, [&](int64_t first, int64_t last) {
    const int64_t begin = first * kUnit, end = std::min(last * kUnit, p.numel);
    if (in_place)
      run_in_place(p, begin, end, stream);
    else
      run_long_rows(p, begin, end);
  });
}

void fail_no_loop(const Op& op, DType dtype) {
  detail::fail("{}: not implemented for {}; convert it with to()",
               {detail::ErrorArg(op.name()), detail::ErrorArg(name(dtype))});
}

}  // namespace strata::cpu
