// Fourier transforms of lines side by side, of one line and of rows, for each instruction set.
#include "kernels/cpu/fft/vec_fft.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/fft/vec_fft.cpp"
#include <hwy/foreach_target.h>
// Read again for each instruction set, so it comes after foreach_target.h.
#include <hwy/highway.h>

#include "kernels/cpu/fft/fft_passes-inl.h"
#include "kernels/cpu/fft/fft_transpose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace strata::cpu::fft::HWY_NAMESPACE {

/// Where the work space of `passes` ends.
template <class T>
T* behind_passes(const FftTables<T>& f, T* work) {
  return work + 2 * kApart<T> * longest_passes(f);
}

// Lines side by side that are too long for passes over all of them go the way of a single line: a few of its columns at
// a time, which lie one after the other in between, and then a few of its rows. Every value is a vector already, so
// that nothing is transposed.
template <class T>
void columns(const FftTables<T>& f, const T* x, int64_t x_step, T* y, int64_t y_step, FftFactors<T> factors, T* work) {
  const Pairs<T> from{x, x_step, factors.conjugate};
  const ScaledPairs<T> to{y, y_step, factors};
  if (!f.is_split()) return passes(f.rows, from, to, work);
  if (f.whole.length > 1) return passes(f.whole, from, to, work);
  const int64_t rows = f.rows.length, columns = f.columns.length;
  const int64_t row = kApart<T>, column = rows * kApart<T>;
  T* const turned = behind_passes(f, work);
  const auto for_some = [](int64_t count, int64_t together, auto run) HWY_ATTR {
    for (int64_t i = 0; i < count; i += together) run(i, std::min(together, count - i));
  };
  for_some(columns, blocks_together(rows), [&](int64_t j, int64_t some) HWY_ATTR {
    passes(f.rows, Pairs<T>{x + j * x_step, columns * x_step, factors.conjugate, x_step},
           Twisted<true, T>{{turned + j * column, row, column}, f.twist.data() + j, columns, 1}, work, some);
  });
  for_some(rows, blocks_together(columns), [&](int64_t i, int64_t some) HWY_ATTR {
    passes(f.columns, Apart<T>{turned + i * row, column, row},
           ScaledPairs<T>{y + i * y_step, rows * y_step, factors, kLanes<T>, y_step}, work, some);
  });
}

/// Rows of `turned`, of the columns of all lines, to columns of `transposed`; both apart.
template <class T>
HWY_INLINE void transpose_apart(T* transposed, const T* turned) {
  for (int64_t part : {int64_t{0}, kLanes<T>}) transpose_lanes(transposed + part, kApart<T>, turned + part, kApart<T>);
}

// Within one line the lines side by side are its columns, of which the last kLanes may be some that were done already,
// and then its rows, as many blocks of kLanes at once as the first-level cache has room for.
template <class T>
void long_line(const FftTables<T>& f, const T* x, T* y, FftFactors<T> factors, T* work, Ahead* inputs, Ahead* outputs) {
  constexpr int64_t n = kLanes<T>;
  const int64_t rows = f.rows.length, columns = f.columns.length;
  T *const turned = behind_passes(f, work), *const transposed = turned + kApart<T> * rows * blocks_together(rows);
  const auto for_blocks = [](int64_t lines, int64_t together, auto run) HWY_ATTR {
    for (int64_t i = 0; i < lines; i += together * n) {
      const int64_t blocks = std::min(together, (lines - i) / n);
      if (blocks > 0) run(i, i, blocks);
      if (blocks < together && lines % n != 0) run(i + blocks * n, lines - n, int64_t{1});
    }
  };
  for_blocks(columns, blocks_together(rows), [&](int64_t, int64_t first, int64_t blocks) HWY_ATTR {
    passes(f.rows, Pairs<T>{x + 2 * first, 2 * columns, factors.conjugate},
           Twisted<false, T>{{turned, kApart<T>, kApart<T> * rows}, f.twist.data() + first, columns}, work, blocks,
           inputs);
    for (int64_t b = 0; b < blocks; ++b)
      for (int64_t i = 0; i < rows; i += n)
        transpose_apart(transposed + i * 2 * columns + (first + b * n) * kApart<T>,
                        turned + (b * rows + std::min(i, rows - n)) * kApart<T>);
  });
  for_blocks(rows, blocks_together(columns), [&](int64_t i, int64_t first, int64_t blocks) HWY_ATTR {
    passes(f.columns, Apart<T>{transposed + i * 2 * columns, kApart<T>, kApart<T> * columns},
           ScaledPairs<T>{y + 2 * first, 2 * rows, factors}, work, blocks, outputs);
  });
}

/// The same for several lines of kLanes columns, whose rows fill blocks of kLanes: a block of columns is one line, and
/// a block of rows one line or two.
template <class T>
void small_lines(const FftTables<T>& f, const T* x, int64_t x_step, T* y, int64_t y_step, int64_t count,
                 FftFactors<T> factors, T* work, Ahead* inputs, Ahead* outputs) {
  constexpr int64_t n = kLanes<T>;
  const int64_t rows = f.rows.length, lines_of_block = n / rows;
  T *const turned = behind_passes(f, work), *const transposed = turned + kApart<T> * rows * count;
  passes(f.rows, Pairs<T>{x, 2 * n, factors.conjugate, x_step},
         Twisted<false, T>{{turned, kApart<T>, kApart<T> * rows}, f.twist.data(), n, 0}, work, count, inputs);
  for (int64_t i = 0; i < rows * count; i += n) transpose_apart(transposed + 2 * n * i, turned + kApart<T> * i);
  const ScaledPairs<T, true> results{y, 2 * rows, factors, lines_of_block == 2 ? y_step : n, lines_of_block * y_step};
  pass<n, true>(f.columns.passes[0], Apart<T>{transposed, kApart<T>, kApart<T> * n}, results, n, 1,
                count / lines_of_block, outputs);
}

/// Lines to ask for during all of the passes: a value of kLanes complex numbers has two.
template <class T>
Ahead ahead_by(const FftPasses<T>& f, const void* at, int64_t lines) {
  return {static_cast<const char*>(at), lines, std::max<int64_t>(1, 2 / static_cast<int64_t>(f.passes.size()))};
}

template <class T>
void lines(const FftTables<T>& f, const T* x, int64_t x_step, T* y, int64_t y_step, int64_t count,
           FftFactors<T> factors, T* work, FftAhead ahead) {
  Ahead next_inputs = ahead_by(f.rows, ahead.input, ahead.inputs),
        next_outputs = ahead_by(f.columns, ahead.output, ahead.outputs);
  Ahead* const inputs = ahead.inputs > 0 ? &next_inputs : nullptr;
  Ahead* const outputs = ahead.outputs > 0 ? &next_outputs : nullptr;
  if (!is_small_square(f)) {
    for (int64_t l = 0; l < count; ++l) long_line(f, x + l * x_step, y + l * y_step, factors, work, inputs, outputs);
    return;
  }
  for (int64_t l = 0; l < count;) {
    const int64_t left = count - l, whole = left - left % (kLanes<T> / f.rows.length);
    // A last line that would need a second one beside it is its own.
    const int64_t together = whole == 0 ? 2 : std::min(whole, lines_together(f));
    const int64_t apart = whole == 0 ? 0 : 1;
    small_lines(f, x + l * x_step, apart * x_step, y + l * y_step, apart * y_step, together, factors, work, inputs,
                outputs);
    l += together;
  }
}

template <class T>
void conjugate_apart(T* values, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t v = kLanes<T>; v < kApart<T>; ++v) values[i * kApart<T> + v] = -values[i * kApart<T> + v];
}

/// Lines of n values from x to values that lie apart and are transformed there.
template <class T>
void transform_lanes(const FftPasses<T>& f, const T* x, int64_t x_step, T* values, FftFactors<T> factors, T* work) {
  const bool conjugates = factors.conjugate < 0;
  gather_lanes(values, x, x_step, 2 * f.length, factors.scale);
  if (conjugates) conjugate_apart(values, f.length);
  passes(f, Apart<T>{values}, Apart<T>{values}, work);
  if (conjugates) conjugate_apart(values, f.length);
}

template <class T>
void rows(const FftTables<T>& f, const T* x, int64_t x_step, T* y, int64_t y_step, FftFactors<T> factors, T* work) {
  T* const values = behind_passes(f, work);
  transform_lanes(f.rows, x, x_step, values, factors, work);
  scatter_lanes(y, y_step, values, 2 * f.length());
}

/// Two values of the spectrum of a real line, or of what gives one, from two of the other: `value` from z[k] and
/// `mirrored` from z[h - k].
template <class T>
HWY_INLINE void fold_values(Value<T>& value, Value<T>& mirrored, typename Value<T>::V c, typename Value<T>::V s) {
  const Value<T> sum = {hn::Add(value.re, mirrored.re), hn::Sub(value.im, mirrored.im)};
  const Value<T> diff = {hn::Sub(value.re, mirrored.re), hn::Add(value.im, mirrored.im)};
  const Value<T> turned = diff.times(c, s);
  value = sum.plus(turned);
  mirrored = {hn::Sub(sum.re, turned.re), hn::Sub(turned.im, sum.im)};
}

template <class T>
void real_rows(const FftTables<T>& f, const T* x, int64_t x_step, const T* u, T* y, int64_t y_step, T scale, T y_sign,
               T* work) {
  const Tag<T> d;
  const int64_t h = f.length();
  T* const values = behind_passes(f, work);
  transform_lanes(f.rows, x, x_step, values, {1, scale}, work);
  const auto two = hn::Set(d, T(2)), signs = hn::Set(d, y_sign);
  for (int64_t v = 0; v < kLanes<T>; v += hn::MaxLanes(Tag<T>())) {
    const auto at = [&](int64_t k) HWY_ATTR { return Apart<T>{values}.part(k, 0, v, 1); };
    const Value<T> first = at(0).load();
    at(0).store({hn::Mul(two, hn::Add(first.re, first.im)), hn::Zero(d)});
    at(h).store({hn::Mul(two, hn::Sub(first.re, first.im)), hn::Zero(d)});
    for (int64_t k = 1; 2 * k <= h; ++k) {
      Value<T> a = at(k).load(), b = at(h - k).load();
      fold_values(a, b, hn::Set(d, u[2 * k]), hn::Set(d, u[2 * k + 1]));
      at(h - k).store({b.re, hn::Mul(b.im, signs)});
      at(k).store({a.re, hn::Mul(a.im, signs)});
    }
  }
  scatter_lanes(y, y_step, values, 2 * (h + 1));
}

/// Vectors of values from k on and of those that mirror them.
template <bool kBack, class T>
HWY_INLINE void fold_vectors(const T* x, const Value<T>& turns, T* y, int64_t k, int64_t mirror,
                             typename Value<T>::V sign) {
  Value<T> a = load_pairs(x + 2 * k), b = load_reversed_pairs(x + 2 * mirror);
  if (kBack) a.im = hn::Mul(a.im, sign), b.im = hn::Mul(b.im, sign);
  fold_values(a, b, turns.re, turns.im);
  if (!kBack) a.im = hn::Mul(a.im, sign), b.im = hn::Mul(b.im, sign);
  store_reversed_pairs(b, y + 2 * mirror);
  store_pairs(a, y + 2 * k);
}
/// One value and the one that mirrors it.
template <bool kBack, class T>
HWY_INLINE void fold_pair(const T* a, const T* b, T c, T s, T* y, T* mirrored, T sign) {
  const T x_sign = kBack ? sign : 1, y_sign = kBack ? 1 : sign;
  const T re = a[0] - b[0], im = x_sign * (a[1] + b[1]), sum_re = a[0] + b[0], sum_im = x_sign * (a[1] - b[1]);
  const T turned_re = re * c - im * s, turned_im = re * s + im * c;
  mirrored[0] = sum_re - turned_re;
  mirrored[1] = y_sign * (turned_im - sum_im);
  y[0] = sum_re + turned_re;
  y[1] = y_sign * (sum_im + turned_im);
}

template <bool kBack, class T>
void fold(const T* x, int64_t x_step, const T* u, T* y, int64_t y_step, int64_t count, int64_t h, T sign) {
  const Tag<T> d;
  const int64_t lanes = hn::MaxLanes(d);
  const auto signs = hn::Set(d, sign);
  int64_t k = 1;
  // Vectors from both ends up to the middle, and over it: what is written twice is the same number.
  for (; 2 * k <= h && k + lanes <= h; k += lanes) {
    Value<T> turns = load_pairs(u + 2 * k);
    if (kBack) turns.im = hn::Neg(turns.im);
    for (int64_t l = 0; l < count; ++l)
      fold_vectors<kBack>(x + l * x_step, turns, y + l * y_step, k, h - k - lanes + 1, signs);
  }
  for (; 2 * k <= h; ++k)
    for (int64_t l = 0; l < count; ++l) {
      const T* const from = x + l * x_step;
      T* const to = y + l * y_step;
      fold_pair<kBack>(from + 2 * k, from + 2 * (h - k), u[2 * k], kBack ? -u[2 * k + 1] : u[2 * k + 1], to + 2 * k,
                       to + 2 * (h - k), sign);
    }
}

template <class T>
const VecFft<T>* table() {
  static constexpr VecFft<T> functions{.columns = columns<T>,
                                       .lines = lines<T>,
                                       .rows = rows<T>,
                                       .real_rows = real_rows<T>,
                                       .fold = fold<false, T>,
                                       .unfold = fold<true, T>};
  return &functions;
}
const VecFft<float>* fft_f32() { return table<float>(); }
const VecFft<double>* fft_f64() { return table<double>(); }

}  // namespace strata::cpu::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strata::cpu::fft {
HWY_EXPORT(fft_f32);
HWY_EXPORT(fft_f64);

template <>
const VecFft<float>& vec_fft<float>() {
  static const VecFft<float>* functions = HWY_DYNAMIC_DISPATCH(fft_f32)();
  return *functions;
}
template <>
const VecFft<double>& vec_fft<double>() {
  static const VecFft<double>* functions = HWY_DYNAMIC_DISPATCH(fft_f64)();
  return *functions;
}
}  // namespace strata::cpu::fft
#endif