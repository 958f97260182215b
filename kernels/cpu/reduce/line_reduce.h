// Reducing every line of a tensor to one value, in parallel, with a tree that is fixed by the tensor's geometry.
#pragma once
#include <algorithm>

#include "kernels/cpu/common/lines.h"
#include "kernels/cpu/common/vec_reduce.h"

namespace strata::cpu::reduce {

/// visit_wide for what only compares values: integers are worked on as they are.
template <class F>
void visit_ordered(DType dtype, F&& f) {
  switch (dtype) {
    case kByte:
      return f.template operator()<uint8_t>();
    case kChar:
      return f.template operator()<int8_t>();
    case kShort:
      return f.template operator()<int16_t>();
    case kInt:
      return f.template operator()<int32_t>();
    case kUInt32:
      return f.template operator()<uint32_t>();
    default:
      return visit_wide(dtype, f);
  }
}

/// What a reduction does with values of type C; the functions must agree with each other.
template <class C>
struct Reduction {
  /// `shift` is the line's own constant if the caller gave one per line, else `shift` below.
  C (*span)(const C* x, int64_t n, C shift);
  C (*combine)(C a, C b);
  /// Column results of at most kReduceRows rows; optional.
  void (*rows)(const C* x, int64_t rows, int64_t stride, int64_t cols, C* out) = nullptr;
  C shift = 0;
  /// The same as `rows` with a shift for each column; optional.
  void (*shifted_rows)(const C* x, int64_t rows, int64_t stride, int64_t cols, const C* shifts, C* out) = nullptr;
  /// out[i] = span(x + i * stride, n, shift) for i < count, for lines whose calls count; optional.
  void (*lines)(const C* x, int64_t n, int64_t stride, int64_t count, C* out) = nullptr;
  /// The same for what picks a value, with at[i] = where line i first has it (or a NaN, if that is one).
  void (*find_lines)(const C* x, int64_t n, int64_t stride, int64_t count, C* out, int64_t* at) = nullptr;
};

/// The lines of a tensor, cut into blocks of neighbouring lines and chunks of elements; see Note [Reduction tree].
template <class C>
class LineReducer {
 public:
  using FindIn = int64_t (*)(const C* x, int64_t n, C v);

  LineReducer(const Tensor& x, IntArrayRef dims)
      : lines_(make_lines(x, dims, true)),
        access_(line_access<C>(x.dtype())),
        x_(x.bytes()),
        direct_(x.dtype() == dtype_of<C>) {}
  int64_t count() const { return lines_.count; }
  int64_t length() const { return lines_.length; }
  /// Does a reduction without functions for columns see each line as a whole?
  bool sees_whole_lines() const {
    return lines_.interleaved() ? !direct_ && length() <= kReduceRows : length() <= line_chunk();
  }
  /// values[i] = the first element of line i, of which there must be one.
  void first_elements(C* values) const;
  /// results[i] = the reduction of line i.
  void run(const Reduction<C>& r, const C* shifts, C* results) const { run_all<1>(&r, shifts, &results); }
  /// The same for several reductions, of which each has results of its own: memory is read once for all.
  template <size_t kCount>
  void run_all(const Reduction<C>* all, const C* shifts, C* const* results) const;
  /// The same for a reduction that picks a value: indices[i] = where line i first has results[i] (or a NaN, if that is
  /// one).
  void run_and_find(const Reduction<C>& r, FindIn find_in, C* results, int64_t* indices) const;

 private:
  /// Are lines read at once, each from its first element to its last?
  bool are_short_rows() const { return lines_.contiguous() && length() <= kReduceChunk; }
  /// f(first line, its first element, from one line to the next, how many) for lines of like distance, which are read
  /// where they are if they can be; together they are all. For short rows.
  template <class F>
  void for_runs(F f) const;
  void find(FindIn find_in, const C* values, int64_t* indices) const;
  /// run() for short rows.
  void run_short_rows(const Reduction<C>& r, const C* shifts, C* results) const;

  struct Plan {
    int64_t run = 1;    ///< lines that lie side by side
    int64_t width = 1;  ///< of which a block takes this many
    int64_t chunk = kReduceChunk;
    bool by_rows = false;
  };
  struct Block {
    int64_t first, n;
  };
  Plan plan(bool has_rows) const {
    if (!lines_.interleaved()) return {1, 1, line_chunk(), false};
    if (has_rows && direct_) return {lines_.size.back(), kReduceColumns, kReduceRows, true};
    return {lines_.size.back(), kBundle, kReduceRows, false};
  }
  /// Lines made of contiguous runs, not too short, are cut at those: a chunk is then read in place.
  int64_t line_chunk() const {
    if (lines_.line_size.size() < 2 || lines_.line_stride.back() != 1) return kReduceChunk;
    const int64_t run = lines_.line_size.back();
    return run >= 64 && run <= kReduceChunk ? run : kReduceChunk;
  }
  static int64_t blocks_per_run(const Plan& p) { return (p.run + p.width - 1) / p.width; }
  static Block block(const Plan& p, int64_t i) {
    if (p.width == 1) return {i, 1};
    const int64_t per_run = blocks_per_run(p), at = i % per_run * p.width;
    return {i / per_run * p.run + at, std::min(p.width, p.run - at)};
  }
  const char* base(int64_t line) const { return x_ + lines_.offset(line) * access_.item_size; }
  /// Elements [begin, end) of the block's lines: line j at the returned pointer + j * (end - begin).
  const C* load(Block b, int64_t begin, int64_t end, C* buffer) const {
    if (b.n == 1) return access_.read(base(b.first), lines_, begin, end, buffer);
    access_.read_bundle(base(b.first), lines_, begin, end, b.n, buffer);
    return buffer;
  }
  void reduce_chunk(const Plan& p, const Reduction<C>& r, Block b, int64_t begin, int64_t end, const C* shifts,
                    C* out) const;

  Lines lines_;
  const LineAccess<C>& access_;
  const char* x_;
  bool direct_;
};

template <class C>
void LineReducer<C>::first_elements(C* values) const {
  parallel_for(0, count(), kLineGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      values[i] = direct_ ? *reinterpret_cast<const C*>(base(i)) : *access_.read(base(i), lines_, 0, 1, values + i);
  });
}

template <class C>
void LineReducer<C>::reduce_chunk(const Plan& p, const Reduction<C>& r, Block b, int64_t begin, int64_t end,
                                  const C* shifts, C* out) const {
  const int64_t n = end - begin;
  if (p.by_rows) {
    const int64_t step = lines_.line_stride[0];
    const C* const x = reinterpret_cast<const C*>(base(b.first)) + begin * step;
    return shifts ? r.shifted_rows(x, n, step, b.n, shifts + b.first, out + b.first)
                  : r.rows(x, n, step, b.n, out + b.first);
  }
  C buffer[kReduceChunk];
  static_assert(kBundle * kReduceRows <= kReduceChunk);
  const C* x = load(b, begin, end, buffer);
  for (int64_t j = 0; j < b.n; ++j) out[b.first + j] = r.span(x + j * n, n, shifts ? shifts[b.first + j] : r.shift);
}

/// Folds `chunks` rows of `count` partial results pairwise into row 0.
template <class C>
void fold_chunks(const Reduction<C>& r, C* partial, int64_t chunks, int64_t count) {
  for (int64_t step = 1; step < chunks; step *= 2)
    for (int64_t c = 0; c + step < chunks; c += 2 * step)
      for (int64_t i = 0; i < count; ++i)
        partial[c * count + i] = r.combine(partial[c * count + i], partial[(c + step) * count + i]);
}

template <class C>
template <class F>
void LineReducer<C>::for_runs(F f) const {
  const int64_t n = std::max<int64_t>(1, length());
  const int64_t run = lines_.size.empty() ? 1 : lines_.size.back(),
                step = lines_.size.empty() ? n : lines_.stride.back();
  const int64_t most = direct_ ? run : step == n ? kReduceChunk / n : 1;
  parallel_for(0, count(), std::max<int64_t>(1, kLineGrain / n), [&](int64_t begin, int64_t end) {
    C buffer[kReduceChunk];
    for (int64_t i = begin; i < end;) {
      const int64_t lines = std::min({run - i % run, end - i, most});
      const C* const x = access_.read(base(i), lines_, 0, direct_ ? length() : lines * length(), buffer);
      f(i, x, step, lines);
      i += lines;
    }
  });
}

template <class C>
void LineReducer<C>::run_short_rows(const Reduction<C>& r, const C* shifts, C* results) const {
  const int64_t n = length();
  for_runs([&](int64_t first, const C* x, int64_t step, int64_t lines) {
    if (r.lines && !shifts) return r.lines(x, n, step, lines, results + first);
    for (int64_t i = 0; i < lines; ++i)
      results[first + i] = r.span(x + i * step, n, shifts ? shifts[first + i] : r.shift);
  });
}

template <class C>
template <size_t kCount>
void LineReducer<C>::run_all(const Reduction<C>* all, const C* shifts, C* const* results) const {
  if (count() == 0) return;
  if (kCount == 1 && are_short_rows()) return run_short_rows(all[0], shifts, results[0]);
  const Plan p = plan(shifts ? all[0].shifted_rows != nullptr : all[0].rows != nullptr);
  const int64_t blocks = count() / p.run * blocks_per_run(p),
                chunks = std::max<int64_t>(1, (length() + p.chunk - 1) / p.chunk);
  const int64_t work = std::max<int64_t>(1, p.width * std::min(length(), p.chunk));
  const int64_t grain = std::max<int64_t>(1, kLineGrain / work);
  if (chunks == 1) {
    return parallel_for(0, blocks, grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        for (size_t k = 0; k < kCount; ++k) reduce_chunk(p, all[k], block(p, i), 0, length(), shifts, results[k]);
    });
  }
  Scratch<C> partial(static_cast<int64_t>(kCount) * chunks * count());
  const auto partial_of = [&](size_t k) { return partial.data() + static_cast<int64_t>(k) * chunks * count(); };
  parallel_for(0, blocks * chunks, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t c = i % chunks, from = c * p.chunk;
      for (size_t k = 0; k < kCount; ++k)
        reduce_chunk(p, all[k], block(p, i / chunks), from, std::min(from + p.chunk, length()), shifts,
                     partial_of(k) + c * count());
    }
  });
  for (size_t k = 0; k < kCount; ++k) {
    fold_chunks(all[k], partial_of(k), chunks, count());
    std::copy_n(partial_of(k), count(), results[k]);
  }
}

template <class C>
void LineReducer<C>::find(FindIn find_in, const C* values, int64_t* indices) const {
  if (count() == 0) return;
  const Plan p = plan(false);
  const int64_t blocks = count() / p.run * blocks_per_run(p);
  const int64_t grain = std::max<int64_t>(1, kLineGrain / std::max<int64_t>(1, p.width * length()));
  parallel_for(0, blocks, grain, [&](int64_t first, int64_t last) {
    C buffer[kReduceChunk];
    for (int64_t i = first; i < last; ++i) {
      const Block b = block(p, i);
      std::fill_n(indices + b.first, b.n, -1);
      int64_t missing = b.n;
      for (int64_t begin = 0; missing > 0 && begin < length(); begin += p.chunk) {
        const int64_t end = std::min(begin + p.chunk, length());
        const C* x = load(b, begin, end, buffer);
        for (int64_t j = 0; j < b.n; ++j) {
          int64_t& index = indices[b.first + j];
          if (index >= 0) continue;
          const int64_t at = find_in(x + j * (end - begin), end - begin, values[b.first + j]);
          if (at < end - begin) index = begin + at, --missing;
        }
      }
    }
  });
}

template <class C>
void LineReducer<C>::run_and_find(const Reduction<C>& r, FindIn find_in, C* results, int64_t* indices) const {
  if (are_short_rows() && length() > 0) {
    return for_runs([&](int64_t first, const C* x, int64_t step, int64_t lines) {
      r.find_lines(x, length(), step, lines, results + first, indices + first);
    });
  }
  run(r, nullptr, results);
  find(find_in, results, indices);
}

/// Lets `fill` compute one C per element of `out`, in row-major order, and stores them there.
template <class C, class F>
void store_results(const Tensor& out, F&& fill) {
  if (out.dtype() == dtype_of<C> && out.is_contiguous()) return fill(reinterpret_cast<C*>(out.bytes()));
  Scratch<C> results(out.numel());
  fill(results.data());
  DimVector dims;
  if (out.is_contiguous())
    for (int64_t d = 0; d < out.dim(); ++d) dims.push_back(d);
  const Lines lines = make_lines(out, dims);  // one, or each element
  for (int64_t i = 0; i < lines.count; ++i)
    line_access<C>(out.dtype()).write(line_base(out, lines, i), lines, results.data() + i * lines.length, lines.length);
}

}  // namespace strata::cpu::reduce
