// Kernels of all and any, and the sum of bools.
#include "kernels/cpu/reduce/reduce_bools.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "dispatcher/kernel.h"
#include "kernels/cpu/reduce/line_reduce.h"
#include "ops/reduce_def.h"

namespace strata::cpu::reduce {
namespace {

/// Bytes that are worth a thread.
constexpr int64_t kBytesGrain = 1 << 17;

bool contains(const bool* x, int64_t n, bool value) {
  return std::memchr(x, value ? 1 : 0, static_cast<size_t>(n)) != nullptr;
}

/// found[i] = whether `value` occurs in line i of contiguous lines; a long one is looked at in parts.
void find_in_lines(const bool* x, const Lines& lines, bool value, bool* found) {
  if (lines.count != 1 || lines.length < 2 * kBytesGrain)
    return parallel_for(0, lines.count, std::max<int64_t>(1, kBytesGrain / std::max<int64_t>(1, lines.length)),
                        [&](int64_t begin, int64_t end) {
                          for (int64_t i = begin; i < end; ++i)
                            found[i] = contains(x + lines.offset(i), lines.length, value);
                        });
  std::atomic<bool> any = false;
  parallel_for(0, lines.length, kBytesGrain, [&](int64_t begin, int64_t end) {
    if (!any.load(std::memory_order_relaxed) && contains(x + lines.offset(0) + begin, end - begin, value)) any = true;
  });
  found[0] = any;
}

/// The same of neighbouring columns, row after row.
void find_in_columns(const bool* x, const Lines& lines, bool value, bool* found) {
  const int64_t run = lines.size.back();
  parallel_for(0, lines.count / run, std::max<int64_t>(1, kBytesGrain / (run * lines.length)),
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i) {
                   bool* const to = found + i * run;
                   const bool* row = x + lines.offset(i * run);
                   std::copy_n(row, run, to);
                   for (int64_t k = 1; k < lines.length; ++k) join_bools(row += lines.line_stride[0], run, value, to);
                   if (!value) std::transform(to, to + run, to, [](bool all) { return !all; });
                 }
               });
}

/// On bools: whether `value` occurs in each line.
void find_value(const Tensor& out, const Tensor& x, IntArrayRef dims, bool value, bool negated) {
  const Lines lines = make_lines(x, dims, true);
  if (x.dtype() == kBool && out.is_contiguous() && (lines.contiguous() || lines.interleaved())) {
    bool* const found = out.data_ptr<bool>();
    (lines.contiguous() ? find_in_lines : find_in_columns)(x.data_ptr<bool>(), lines, value, found);
    if (negated) std::transform(found, found + lines.count, found, [](bool v) { return !v; });
    return;
  }
  const LineReducer<int64_t> reducer(x, dims);
  store_results<int64_t>(out, [&](int64_t* results) {
    reducer.run(
        {[](const int64_t* v, int64_t n, int64_t sought) { return int64_t(std::find(v, v + n, sought) != v + n); },
         [](int64_t a, int64_t b) { return a | b; }, nullptr, value},
        nullptr, results);
    if (negated) std::transform(results, results + lines.count, results, [](int64_t v) { return int64_t(!v); });
  });
}

void any_cpu(Tensors& out, Args in, const ReduceParams& p) { find_value(out[0], in[0], p.dims, true, false); }
void all_cpu(Tensors& out, Args in, const ReduceParams& p) { find_value(out[0], in[0], p.dims, false, true); }

STRATA_KERNEL(any_op, CPU, any_cpu);
STRATA_KERNEL(all_op, CPU, all_cpu);

}  // namespace

bool count_bools(const Tensor& out, const Tensor& x, IntArrayRef dims) {
  if (x.dtype() != kBool || out.dtype() != kLong || !out.is_contiguous()) return false;
  const Lines lines = make_lines(x, dims, true);
  if (!lines.contiguous()) return false;
  const bool* const data = x.data_ptr<bool>();
  int64_t* const counts = out.data_ptr<int64_t>();
  if (lines.count == 1) {
    std::atomic<int64_t> sum = 0;
    parallel_for(0, lines.length, kBytesGrain, [&](int64_t begin, int64_t end) {
      sum.fetch_add(count_true(data + lines.offset(0) + begin, end - begin), std::memory_order_relaxed);
    });
    counts[0] = sum;
    return true;
  }
  parallel_for(0, lines.count, std::max<int64_t>(1, kBytesGrain / std::max<int64_t>(1, lines.length)),
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i) counts[i] = count_true(data + lines.offset(i), lines.length);
               });
  return true;
}

}  // namespace strata::cpu::reduce
