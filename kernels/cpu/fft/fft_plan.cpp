// Plans of one-dimensional transforms and the cache of them.
#include "kernels/cpu/fft/fft_plan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <numbers>
#include <unordered_map>

namespace strata::cpu::fft {
namespace {

using Wide = std::complex<double>;

/// exp(-2πi k / n), the angle reduced to the first eighth of the circle by exact integer steps.
Wide turn(int64_t k, int64_t n) {
  k %= n;
  const int64_t quarter = 4 * k / n;
  int64_t rest = 4 * k - quarter * n;  // of n, in quarters of the circle
  const bool upper = 2 * rest > n;
  if (upper) rest = n - rest;
  const double angle = std::numbers::pi / 2 * static_cast<double>(rest) / static_cast<double>(n);
  double c = std::cos(angle), s = std::sin(angle);
  if (upper) std::swap(c, s);
  constexpr int kCos[] = {1, 0, -1, 0}, kSin[] = {0, 1, 0, -1};
  const double x = kCos[quarter] * c - kSin[quarter] * s, y = kSin[quarter] * c + kCos[quarter] * s;
  return {x, -y};
}

template <class T>
void append_turn(std::vector<T>& turns, int64_t k, int64_t n) {
  const Wide w = turn(k, n);
  turns.insert(turns.end(), {static_cast<T>(w.real()), static_cast<T>(w.imag())});
}

int64_t largest_factor(int64_t n) {
  int64_t largest = 1;
  for (int64_t p = 2; p * p <= n; ++p)
    for (; n % p == 0; n /= p) largest = p;
  return std::max(largest, n);
}

/// The next radix for length n: of powers of two sixteens and eights, so that there are as few passes as can be.
int64_t next_radix(int64_t n) {
  if (n == 1) return 1;
  const int twos = std::countr_zero(static_cast<uint64_t>(n));
  constexpr int64_t kOfTwos[] = {1, 2, 4, 8, 16, 4, 8, 8, 16};
  if (twos == 1 && n % 5 == 0) return 10;
  if (twos > 0) return kOfTwos[std::min(twos, 8)];
  if (n % 25 == 0) return 25;
  int64_t p = 3;
  while (n % p != 0) p += 2;
  return p;
}

/// The radices of a transform of n values.
std::vector<int64_t> radices_of(int64_t n) {
  std::vector<int64_t> radices;
  do {
    radices.push_back(next_radix(n));
    n /= radices.back();
  } while (n > 1);
  return radices;
}

template <class T>
FftPasses<T> passes_of(int64_t n, const std::vector<int64_t>& radices) {
  FftPasses<T> f{n, {}};
  int64_t length = n;
  for (int64_t radix : radices) {
    FftPass<T> pass{radix, {}, {}};
    if (radix < length)
      for (int64_t p = 0; p < length / radix; ++p)
        for (int64_t k = 1; k < radix; ++k) append_turn(pass.turns, p * k, length);
    if (radix > 5 && radix != 8)
      for (int64_t k = 0; k < radix; ++k) append_turn(pass.roots, k, radix);
    length /= radix;
    f.passes.push_back(std::move(pass));
  }
  return f;
}

/// How many rows and columns a line is seen in: about as many of both; where all of it stays in the first-level cache,
/// with the fewest lanes of vectors idle. Short lines are not split, but for those of which several fill vectors
/// together. Two lengths are set by measurement: 64 x 16 has a pass less than 32 x 32, and 32 x 16 is faster than the
/// same passes in the other order.
template <class T>
std::array<int64_t, 2> rows_and_columns(int64_t n) {
  constexpr int64_t lanes = kLanes<T>;
  if (n == lanes * lanes || n == lanes * lanes / 2) return {n / lanes, lanes};
  if (n < 16 * lanes) return {n, 1};
  if (n == 512) return {32, 16};
  if (n == 1024 && lanes == 16) return {64, 16};
  const auto filled = [](int64_t lines) { return (lines + lanes - 1) / lanes * lanes; };
  int64_t rows = 1, least = INT64_MAX;
  for (int64_t i = lanes; i * i <= n; ++i) {
    if (n % i != 0) continue;
    const int64_t columns = n / i, work = filled(i) * columns + i * filled(columns);
    if (n > 64 * lanes || work <= least) rows = i, least = work;
  }
  return rows == 1 ? std::array{n, int64_t{1}} : std::array{rows, n / rows};
}

/// Has a length code for all of it at once, or over lines side by side?
bool is_one_pass(int64_t n) { return n == 32 || radices_of(n).size() == 1; }

template <class T>
FftTables<T> tables_of(int64_t n) {
  const auto [rows, columns] = rows_and_columns<T>(n);
  FftTables<T> f{passes_of<T>(rows, radices_of(rows)), passes_of<T>(columns, radices_of(columns)), {}, {}};
  if (!f.is_split()) return f;
  if (is_one_pass(rows) && is_one_pass(columns)) f.whole = passes_of<T>(n, {rows, columns});
  f.twist.resize(static_cast<size_t>(2 * n));
  for (int64_t i = 0; i < rows; ++i) {
    T* const at = f.twist.data() + 2 * columns * i;
    for (int64_t j = 0; j < columns; ++j) {
      const Wide w = turn(i * j, n);
      at[j] = static_cast<T>(w.real());
      at[columns + j] = static_cast<T>(w.imag());
    }
  }
  return f;
}

/// Objects by length, forgotten all at once when they get too big.
template <class V>
class Cache {
 public:
  template <class F>
  std::shared_ptr<const V> get(int64_t n, F make) {
    constexpr int64_t kMostElements = int64_t{1} << 22;
    {
      const std::lock_guard lock(mutex_);
      if (const auto at = values_.find(n); at != values_.end()) return at->second;
    }
    std::shared_ptr<const V> value = make();
    const std::lock_guard lock(mutex_);
    if (elements_ + n > kMostElements) {
      values_.clear();
      elements_ = 0;
    }
    const auto [at, is_new] = values_.try_emplace(n, std::move(value));
    if (is_new) elements_ += n;
    return at->second;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<int64_t, std::shared_ptr<const V>> values_;
  int64_t elements_ = 0;
};

}  // namespace

// L. Bluestein, A linear filtering approach to the computation of discrete Fourier transform, 1970. With
// 2jk = j² + k² - (k - j)² and w[k] = exp(-πi k² / n) the transform is y[k] = w[k] Σ (x[j] w[j]) conj(w[k - j]): a
// convolution, which transforms of a power of two compute, in double precision for every T.
class Chirp {
 public:
  explicit Chirp(int64_t n);
  /// Elements of work space for `run`.
  int64_t work() const { return longer_ + (line_work(tables_) + 1) / 2; }
  template <class T>
  void run(const std::complex<T>* x, std::complex<T>* y, FftFactors<T> factors, Wide* work) const;

 private:
  /// From a to a itself.
  void transform(Wide* a, Wide* work) const {
    double* const values = reinterpret_cast<double*>(a);
    vec_fft<double>().lines(tables_, values, 0, values, 0, 1, {}, reinterpret_cast<double*>(work), {});
  }

  int64_t n_, longer_;
  FftTables<double> tables_;
  std::vector<Wide> chirp_, spectrum_;
};

Chirp::Chirp(int64_t n) : n_(n), longer_(128), chirp_(static_cast<size_t>(n)) {
  while (longer_ < 2 * n - 1) longer_ *= 2;
  tables_ = tables_of<double>(longer_);
  int64_t square = 0;  // k² mod 2n, step by step: k² itself could overflow
  for (int64_t k = 0; k < n; ++k) {
    chirp_[static_cast<size_t>(k)] = turn(square, 2 * n);
    square = (square + 2 * k + 1) % (2 * n);
  }
  spectrum_.resize(static_cast<size_t>(longer_));
  for (int64_t k = 0; k < n; ++k) {
    const Wide w = std::conj(chirp_[static_cast<size_t>(k)]) / static_cast<double>(longer_);
    spectrum_[static_cast<size_t>(k)] = w;
    if (k > 0) spectrum_[static_cast<size_t>(longer_ - k)] = w;
  }
  std::vector<Wide> space(static_cast<size_t>(work()));
  transform(spectrum_.data(), space.data());
}

template <class T>
void Chirp::run(const std::complex<T>* x, std::complex<T>* y, FftFactors<T> factors, Wide* work) const {
  const auto n = static_cast<size_t>(n_);
  Wide *const a = work, *const space = work + longer_;
  for (size_t j = 0; j < n; ++j) a[j] = Wide(x[j].real(), x[j].imag() * factors.conjugate) * chirp_[j];
  std::fill(a + n, a + longer_, Wide());
  transform(a, space);
  for (size_t k = 0; k < spectrum_.size(); ++k) a[k] = std::conj(a[k] * spectrum_[k]);  // inverse: conj(forward(conj))
  transform(a, space);
  const double re = factors.scale, im = re * factors.conjugate;
  for (size_t k = 0; k < n; ++k) {
    const Wide v = std::conj(a[k]) * chirp_[k];
    y[k] = {static_cast<T>(v.real() * re), static_cast<T>(v.imag() * im)};
  }
}

template <class T>
FftPlan<T>::FftPlan(int64_t length) : n(length) {
  if (largest_factor(n) > kLargestRadix) chirp = std::make_unique<Chirp>(n);
  tables = tables_of<T>(chirp ? 1 : n);
}
template <class T>
FftPlan<T>::~FftPlan() = default;

template <class T>
std::shared_ptr<const FftPlan<T>> plan_of(int64_t n) {
  static Cache<FftPlan<T>> plans;
  return plans.get(n, [n] { return std::make_shared<const FftPlan<T>>(n); });
}

template <class T>
std::shared_ptr<const std::vector<std::complex<T>>> fold_turns(int64_t h) {
  using Turns = std::vector<std::complex<T>>;
  static Cache<Turns> all;
  return all.get(h, [h] {
    auto turns = std::make_shared<Turns>();
    for (int64_t k = 0; k < h; ++k) {
      const Wide w = turn(k, 2 * h);
      turns->emplace_back(static_cast<T>(w.imag()), static_cast<T>(-w.real()));
    }
    return turns;
  });
}
template std::shared_ptr<const std::vector<std::complex<float>>> fold_turns<float>(int64_t);
template std::shared_ptr<const std::vector<std::complex<double>>> fold_turns<double>(int64_t);

template <class T>
FftLines<T>::FftLines(int64_t n, bool forward, double scale, bool is_far)
    : plan_(plan_of<T>(n)), factors_{forward ? T(1) : T(-1), static_cast<T>(scale)}, is_far_(is_far) {
  if (plan_->chirp) chirp_work_.emplace(plan_->chirp->work());
}

template <class T>
void FftLines<T>::columns(const C* x, int64_t x_step, C* y, int64_t y_step) {
  if (!columns_work_) columns_work_.emplace(columns_work(plan_->tables));
  vec_fft<T>().columns(plan_->tables, reinterpret_cast<const T*>(x), 2 * x_step, reinterpret_cast<T*>(y), 2 * y_step,
                       factors_, columns_work_->data());
}

template <class T>
void FftLines<T>::lines(const C* x, int64_t x_step, C* y, int64_t y_step, int64_t count, const FftAhead& ahead) {
  if (!line_work_) line_work_.emplace(line_work(plan_->tables));
  vec_fft<T>().lines(plan_->tables, reinterpret_cast<const T*>(x), 2 * x_step, reinterpret_cast<T*>(y), 2 * y_step,
                     count, factors_, line_work_->data(), ahead);
}

template <class T>
FftAhead FftLines<T>::ahead_of(const C* x, int64_t x_step, const C* y, int64_t y_step, int64_t results,
                               int64_t count) const {
  if (!is_far_) return {};
  constexpr int64_t kEach = 64 / static_cast<int64_t>(sizeof(C));
  // Lines with other memory in between are left to the processor.
  return {x, y, x_step == plan_->n ? count * x_step / kEach : 0, y_step == results ? count * y_step / kEach : 0};
}

template <class T>
void FftLines<T>::rows(const C* x, int64_t x_step, C* y, int64_t y_step, int64_t count) {
  if (is_short()) return short_rows(x, x_step, y, y_step, count);
  if (!plan_->chirp) {
    const int64_t together = std::min(count, lines_at_once());
    for (int64_t l = 0; l < count; l += together)
      lines(x + l * x_step, x_step, y + l * y_step, y_step, std::min(together, count - l),
            ahead_of(x + (l + together) * x_step, x_step, y + (l + together) * y_step, y_step, plan_->n, together));
    return;
  }
  for (int64_t l = 0; l < count; ++l, x += x_step, y += y_step) plan_->chirp->run(x, y, factors_, chirp_work_->data());
}

/// Calls f with the addresses and distances of kLanes lines of n or, the results, `results` complex numbers: those of
/// the tensors or, where there are only `count` lines, memory that is filled up with zeros.
template <class T>
template <class F>
void FftLines<T>::with_all_lanes(const C* x, int64_t x_step, C* y, int64_t y_step, int64_t results, int64_t count,
                                 F f) {
  if (count == kLanes<T>) return f(reinterpret_cast<const T*>(x), 2 * x_step, reinterpret_cast<T*>(y), 2 * y_step);
  if (!together_) together_.emplace(kLanes<T> * (plan_->n + 1));
  const int64_t n = plan_->n;
  C* const lines = together_->data();
  for (int64_t l = 0; l < count; ++l) std::copy_n(x + l * x_step, n, lines + l * results);
  for (int64_t l = count; l < kLanes<T>; ++l) std::fill_n(lines + l * results, n, C());
  T* const all = reinterpret_cast<T*>(lines);
  f(all, 2 * results, all, 2 * results);
  for (int64_t l = 0; l < count; ++l) std::copy_n(lines + l * results, results, y + l * y_step);
}

template <class T>
void FftLines<T>::short_rows(const C* x, int64_t x_step, C* y, int64_t y_step, int64_t count) {
  if (!rows_work_) rows_work_.emplace(rows_work(plan_->tables));
  with_all_lanes(x, x_step, y, y_step, plan_->n, count, [&](const T* from, int64_t from_step, T* to, int64_t to_step) {
    vec_fft<T>().rows(plan_->tables, from, from_step, to, to_step, factors_, rows_work_->data());
  });
}

template <class T>
void FftLines<T>::real_rows(const C* x, int64_t x_step, const C* turns, C* y, int64_t y_step, T sign, int64_t count) {
  const int64_t h = plan_->n;
  const T* const u = reinterpret_cast<const T*>(turns);
  if (is_short()) {
    if (!rows_work_) rows_work_.emplace(rows_work(plan_->tables));
    return with_all_lanes(x, x_step, y, y_step, h + 1, count,
                          [&](const T* from, int64_t from_step, T* to, int64_t to_step) {
                            vec_fft<T>().real_rows(plan_->tables, from, from_step, u, to, to_step, factors_.scale, sign,
                                                   rows_work_->data());
                          });
  }
  // So many lines are folded while they are in the first-level cache.
  const int64_t together = std::max<int64_t>(1, 1024 / h);
  if (!half_) half_.emplace(together * h);
  for (int64_t first = 0; first < count; first += together) {
    const int64_t lines = std::min(together, count - first);
    if (plan_->chirp) {
      rows(x + first * x_step, x_step, half_->data(), h, lines);
    } else {
      const int64_t next = first + together;
      this->lines(x + first * x_step, x_step, half_->data(), h, lines,
                  ahead_of(x + next * x_step, x_step, y + next * y_step, y_step, h + 1, together));
    }
    C* const to = y + first * y_step;
    vec_fft<T>().fold(reinterpret_cast<const T*>(half_->data()), 2 * h, u, reinterpret_cast<T*>(to), 2 * y_step, lines,
                      h, sign);
    for (int64_t l = 0; l < lines; ++l) {
      const C z = half_->data()[l * h];
      to[l * y_step] = 2 * (z.real() + z.imag());
      to[l * y_step + h] = 2 * (z.real() - z.imag());
    }
  }
}

template class FftLines<float>;
template class FftLines<double>;

}  // namespace strata::cpu::fft
