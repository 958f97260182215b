// The CPU kernel of resampling: new slices from the outermost dim inwards, so that all threads have some and sums of
// slices stay in the caches.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/parallel.h"
#include "dispatcher/kernel.h"
#include "kernels/cpu/common/dense.h"
#include "kernels/cpu/common/vec_move.h"
#include "kernels/cpu/common/widen.h"
#include "kernels/cpu/resample/vec_resample.h"
#include "kernels/resample_taps.h"

namespace strata::cpu::resample {
namespace {

/// Elements that are worth a thread.
constexpr int64_t kGrain = 16384;

/// What each of `to` positions takes of `from` old ones: taps [first[i], first[i + 1]).
struct TapTable {
  int64_t from, to;
  std::vector<int64_t> first, source;
  std::vector<double> weight;

  /// Sizes without taps, of a dim that something else resamples.
  static TapTable of_sizes(const ResampleParams& p, int64_t d) { return TapTable(p.from(d), p.to(d)); }
  TapTable(const ResampleParams& p, int64_t d) : TapTable(p.from(d), p.to(d)) {
    const ResampleTaps taps{p.dims[static_cast<size_t>(d)], p.mode};
    for (int64_t i = 0; i < to; ++i) {
      first.push_back(static_cast<int64_t>(source.size()));
      for_taps(taps, p.transposed, i, [&](int64_t j, double w) {
        source.push_back(j);
        weight.push_back(w);
      });
    }
    first.push_back(static_cast<int64_t>(source.size()));
  }
  int64_t count(int64_t i) const { return first[i + 1] - first[i]; }
  /// Does position i take one old position as it is?
  bool copies(int64_t i) const { return count(i) == 1 && weight[first[i]] == 1; }
  /// From position i on, how many of at most `limit` are copies of neighbours, in their order? 1 where i is no copy.
  int64_t neighbours(int64_t i, int64_t limit) const {
    int64_t n = 1;
    while (n < limit && copies(i) && copies(i + n) && source[first[i + n]] == source[first[i]] + n) ++n;
    return n;
  }

 private:
  TapTable(int64_t old_size, int64_t new_size) : from(old_size), to(new_size) {}
};

/// Positions [begin, end) that are copies of neighbours from `source` on; where that is negative, anything else.
struct Segment {
  int64_t begin, end, source;
};

/// The positions of a padded dim at which the old ones lie in their order: a line of a million is not asked one by one.
Segment middle_of(const ResampledDim& d) {
  if (d.scale != 1 || d.back != 0 || d.shift != std::floor(d.shift)) return {0, 0, 0};
  const int64_t before = -static_cast<int64_t>(d.shift), begin = std::clamp<int64_t>(before, 0, d.out);
  return {begin, std::clamp(before + d.in, begin, d.out), begin - before};
}

/// The positions of a dim as long copies and what lies between those. `source_of` is negative where a position is no
/// copy, and `known` a copy that needs no search, or empty.
template <class F>
std::vector<Segment> segments_of(int64_t to, const Segment& known, F source_of) {
  constexpr int64_t kLong = 8;
  std::vector<Segment> list;
  for (int64_t i = 0; i < to;) {
    if (i == known.begin && known.end > i) {
      list.push_back(known);
      i = known.end;
      continue;
    }
    const int64_t limit = i < known.begin ? known.begin : to, source = source_of(i);
    int64_t end = i + 1;
    while (source >= 0 && end < limit && source_of(end) == source + end - i) ++end;
    if (source >= 0 && end - i >= kLong) {
      list.push_back({i, end, source});
    } else {
      if (list.empty() || list.back().source >= 0) list.push_back({i, i, -1});
      list.back().end = end;
    }
    i = end;
  }
  return list;
}

/// A row of moved elements as vectors whose elements each come from within a vector of the old row. Of no use where
/// they do not, or where the row is so long that its ends cost nothing.
template <class U>
class PickedRow {
 public:
  template <class F>
  PickedRow(int64_t from, int64_t to, F source_of) {
    constexpr int64_t kLongest = 1024;
    if constexpr (sizeof(U) <= 8) {
      const int64_t lanes = vec_move<U>().lanes;
      if (lanes == 0 || std::min(from, to) < lanes || to > kLongest) return;
      bool fits = true;
      for (int64_t i = 0; fits && i < to; i += lanes) fits = add(std::min(i, to - lanes), from, lanes, source_of);
      if (!fits) at_.clear();
    }
  }
  bool is_useful() const { return !at_.empty(); }
  void run(const U* x, int64_t x_step, U* y, int64_t y_step, int64_t rows) const {
    if constexpr (sizeof(U) <= 8)
      vec_move<U>().pick(y, y_step, x, x_step, rows,
                         {at_.data(), base_.data(), index_.data(), static_cast<int64_t>(at_.size())});
  }

 private:
  /// The vector of positions from `begin` on; false if its elements are too far from each other.
  template <class F>
  bool add(int64_t begin, int64_t from, int64_t lanes, F source_of) {
    int64_t low = source_of(begin), high = low;
    for (int64_t i = begin + 1; i < begin + lanes; ++i) {
      low = std::min(low, source_of(i));
      high = std::max(high, source_of(i));
    }
    const int64_t base = std::min(low, from - lanes);
    at_.push_back(begin);
    base_.push_back(base);
    for (int64_t i = begin; i < begin + lanes; ++i) index_.push_back(static_cast<LaneIndex<U>>(source_of(i) - base));
    return high - base < lanes;
  }

  std::vector<int64_t> at_, base_;
  std::vector<LaneIndex<U>> index_;
};

/// Resamples neighbouring elements of a last dim by moving them.
template <class U>
class MovedRow {
 public:
  MovedRow(const ResampleParams& p, int64_t d) : MovedRow(ResampleTaps{p.dims[static_cast<size_t>(d)], p.mode}) {}
  /// `rows` rows, x_step and y_step elements apart.
  void run(const U* x, int64_t x_step, U* y, int64_t y_step, int64_t rows) const {
    if (picked_.is_useful()) return picked_.run(x, x_step, y, y_step, rows);
    const int64_t* source = sources_.data();
    for (const Segment& s : segments_) {
      if (s.source >= 0)
        copy_runs(y + s.begin, y_step, x + s.source, x_step, rows, s.end - s.begin);
      else
        for (int64_t i = s.begin; i < s.end; ++i, ++source)
          for (int64_t r = 0; r < rows; ++r) y[r * y_step + i] = x[r * x_step + *source];
    }
  }

 private:
  explicit MovedRow(const ResampleTaps& taps)
      : picked_(taps.dim.in, taps.dim.out, [&](int64_t i) { return taps.source(i, 0).position; }) {
    const auto source_of = [&](int64_t i) { return taps.source(i, 0).position; };
    segments_ = segments_of(taps.dim.out, middle_of(taps.dim), source_of);
    for (const Segment& s : segments_)
      for (int64_t i = s.begin; i < s.end && s.source < 0; ++i) sources_.push_back(source_of(i));
  }

  PickedRow<U> picked_;
  std::vector<Segment> segments_;
  std::vector<int64_t> sources_;  // of the positions between the copies, one after the other
};

/// The same by weighted sums.
template <class T>
class SummedRow {
 public:
  SummedRow(const ResampleParams& p, int64_t d) {
    const TapTable t(p, d);
    segments_ = segments_of(t.to, {0, 0, 0}, [&](int64_t i) { return t.copies(i) ? t.source[t.first[i]] : -1; });
    for (const Segment& s : segments_) taps_.push_back(s.source >= 0 ? SegmentTaps{} : taps_of(t, s));
  }
  void run(const T* x, int64_t x_step, T* y, int64_t y_step, int64_t rows) const {
    for (int64_t r = 0; r < rows; ++r) run(x + r * x_step, y + r * y_step);
  }

 private:
  void run(const T* x, T* y) const {
    for (size_t k = 0; k < segments_.size(); ++k) {
      const Segment& s = segments_[k];
      const SegmentTaps& taps = taps_[k];
      if (s.source >= 0)
        copy_run(y + s.begin, x + s.source, s.end - s.begin);
      else if (!taps.base.empty())
        vec_resample<T>().sum_near(x, taps.base.data(), taps.index.data(), taps.weight.data(), taps.count, y + s.begin,
                                   s.end - s.begin);
      else
        vec_resample<T>().sum_places(x, taps.index.data(), taps.weight.data(), taps.count, y + s.begin,
                                     s.end - s.begin);
    }
  }

  /// The taps of a segment's positions: tap t of position i is at [t * step + i], and a negative index stands for none.
  /// With bases step is a whole number of vectors, else the number of positions.
  struct SegmentTaps {
    int64_t count = 0;
    std::vector<int64_t> base;
    std::vector<Position<T>> index;
    std::vector<T> weight;
  };
  static SegmentTaps taps_of(const TapTable& t, const Segment& s) {
    SegmentTaps taps;
    for (int64_t i = s.begin; i < s.end; ++i) taps.count = std::max(taps.count, t.count(i));
    taps.base = bases_of(t, s);
    const int64_t positions = s.end - s.begin, lanes = vec_resample<T>().lanes;
    const int64_t step = taps.base.empty() ? positions : static_cast<int64_t>(taps.base.size()) * lanes;
    taps.index.assign(static_cast<size_t>(taps.count * step), -1);
    taps.weight.assign(static_cast<size_t>(taps.count * step), T(0));
    for (int64_t i = 0; i < positions; ++i)
      for (int64_t k = 0; k < t.count(s.begin + i); ++k) {
        const int64_t tap = t.first[s.begin + i] + k, base = taps.base.empty() ? 0 : taps.base[i / lanes];
        taps.index[k * step + i] = static_cast<Position<T>>(t.source[tap] - base);
        taps.weight[k * step + i] = static_cast<T>(t.weight[tap]);
      }
    return taps;
  }
  /// Where the vectors of old elements begin that hold the taps of a vector of new ones; empty where one is not enough.
  static std::vector<int64_t> bases_of(const TapTable& t, const Segment& s) {
    const int64_t lanes = vec_resample<T>().lanes;
    std::vector<int64_t> bases;
    if (t.from < lanes) return {};
    for (int64_t begin = s.begin; begin < s.end; begin += lanes) {
      const auto first = t.source.begin() + t.first[begin],
                 last = t.source.begin() + t.first[std::min(begin + lanes, s.end)];
      if (first == last) return {};
      const auto [low, high] = std::minmax_element(first, last);
      bases.push_back(std::min(*low, t.from - lanes));
      if (*high - bases.back() >= lanes) return {};
    }
    return bases;
  }

  std::vector<Segment> segments_;
  std::vector<SegmentTaps> taps_;
};

/// One call on row-major memory: x is (outer, from..., inner) and y (outer, to..., inner).
template <class T, class Row>
class Resampler {
 public:
  Resampler(const ResampleParams& p, int64_t outer, int64_t inner) : outer_(outer) {
    const int64_t last = p.count - 1;
    const bool has_row = inner == 1 && p.from(last) <= INT32_MAX;
    for (int64_t d = 0; d < p.count; ++d)
      dims_.push_back(has_row && d == last ? TapTable::of_sizes(p, d) : TapTable(p, d));
    const size_t n = dims_.size();
    x_slice_.assign(n, inner);
    y_slice_.assign(n, inner);
    for (size_t d = n - 1; d-- > 0;) {
      x_slice_[d] = x_slice_[d + 1] * dims_[d + 1].from;
      y_slice_[d] = y_slice_[d + 1] * dims_[d + 1].to;
    }
    if constexpr (std::is_floating_point_v<T>)  // elements that are only moved have no weights
      for (const TapTable& t : dims_) weights_.emplace_back(t.weight.begin(), t.weight.end());
    if (has_row) rows_.emplace_back(p, last);
  }

  void run(const T* x, T* y) const {
    const int64_t from = dims_[0].from * x_slice_[0], to = dims_[0].to * y_slice_[0];
    if (is_row(0)) {
      return parallel_for(0, outer_, std::max<int64_t>(1, kGrain / to), [&](int64_t begin, int64_t end) {
        rows_[0].run(x + begin * from, from, y + begin * to, to, end - begin);
      });
    }
    const int64_t positions = dims_[0].to;
    parallel_for(0, outer_ * positions, std::max<int64_t>(1, kGrain / y_slice_[0]), [&](int64_t begin, int64_t end) {
      std::vector<std::vector<T>> sums;
      for (int64_t slice : x_slice_) sums.emplace_back(static_cast<size_t>(slice));
      for (int64_t i = begin, n; i < end; i += n) {
        const int64_t at = i % positions;
        n = std::min(positions - at, end - i);
        slices(0, at, at + n, x + i / positions * from, y + i * y_slice_[0], sums);
      }
    });
  }

 private:
  bool is_row(size_t d) const { return d + 1 == dims_.size() && !rows_.empty(); }

  /// Is the slice at position i of dim d the one before it again?
  bool repeats(size_t d, int64_t i) const {
    const TapTable& t = dims_[d];
    return i > 0 && t.copies(i) && t.copies(i - 1) && t.source[t.first[i]] == t.source[t.first[i - 1]];
  }

  /// The slices of y at positions [begin, end) of dim d, from the part of x with all positions of d.
  void slices(size_t d, int64_t begin, int64_t end, const T* x, T* y, std::vector<std::vector<T>>& sums) const {
    const TapTable& t = dims_[d];
    for (int64_t i = begin, n; i < end; i += n, y += n * y_slice_[d]) {
      n = is_row(d + 1) ? t.neighbours(i, end - i) : 1;
      if (n > 1)
        rows_[0].run(x + t.source[t.first[i]] * x_slice_[d], x_slice_[d], y, y_slice_[d], n);
      else if (i > begin && repeats(d, i))
        copy_run(y, y - y_slice_[d], y_slice_[d]);
      else
        slice(d, i, x, y, sums);
    }
  }

  /// The slice of y at position i of dim d, from the part of x with all positions of d.
  void slice(size_t d, int64_t i, const T* x, T* y, std::vector<std::vector<T>>& sums) const {
    const TapTable& t = dims_[d];
    const int64_t step = x_slice_[d], *const source = t.source.data() + t.first[i];
    const bool copies = t.copies(i);
    if (d + 1 == dims_.size()) {
      if (copies) return copy_run(y, x + *source * step, step);
      return sum(d, i, x, y);
    }
    const T* part = x + (t.count(i) > 0 ? *source * step : 0);
    if (!copies) {
      sum(d, i, x, sums[d].data());
      part = sums[d].data();
    }
    if (is_row(d + 1)) return rows_[0].run(part, 0, y, 0, 1);
    slices(d + 1, 0, dims_[d + 1].to, part, y, sums);
  }

  void sum(size_t d, int64_t i, const T* x, T* y) const {
    if constexpr (std::is_floating_point_v<T>) {
      const TapTable& t = dims_[d];
      vec_resample<T>().sum_rows(x, x_slice_[d], t.source.data() + t.first[i], weights_[d].data() + t.first[i],
                                 t.count(i), t.count(i), y, x_slice_[d]);
    }
  }

  int64_t outer_;
  std::vector<TapTable> dims_;
  std::vector<std::vector<T>> weights_;
  std::vector<int64_t> x_slice_, y_slice_;  // elements of one position of each dim
  std::vector<Row> rows_;                   // of the last dim, where its positions are neighbours
};

/// `numbers` are the parts of an element that are resampled apart: two of a complex one.
template <class T, class Row>
void run(const Tensor& y, const Tensor& x, const ResampleParams& p, int64_t numbers) {
  const int64_t outer = numel_of(x.sizes().slice(0, p.first)), inner = numel_of(x.sizes().slice(p.first + p.count));
  const Resampler<T, Row> resampler(p, outer, inner * numbers);
  resampler.run(reinterpret_cast<const T*>(x.bytes()), reinterpret_cast<T*>(y.bytes()));
}

void resample_cpu(Tensors& out, Args in, const ResampleParams& p) {
  const Tensor &x = in[0], &y = out[0];
  if (y.numel() == 0) return;
  if (p.moves()) return visit_wide_item(item_size(x.dtype()), [&]<class U>() { run<U, MovedRow<U>>(y, x, p, 1); });
  if (is_half16(x.dtype()))
    return run_in_float(out, in, [&](Tensors& wide, Args args) { resample_cpu(wide, args, p); });
  const DType real = to_real_dtype(x.dtype());
  const int64_t numbers = is_complex(x.dtype()) ? 2 : 1;
  real == kFloat ? run<float, SummedRow<float>>(y, x, p, numbers) : run<double, SummedRow<double>>(y, x, p, numbers);
}

STRATA_KERNEL(resample_op, CPU, RowMajor<resample_cpu>::run);

}  // namespace
}  // namespace strata::cpu::resample
