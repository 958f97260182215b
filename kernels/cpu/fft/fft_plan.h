// Plans of one-dimensional Fourier transforms: tables for lengths of small factors, Bluestein's algorithm for others.
#pragma once
#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/cpu/common/lines.h"
#include "kernels/cpu/fft/vec_fft.h"

namespace strata::cpu::fft {

class Chirp;

/// What the transforms of a length have in common: y[k] = Σ x[j] exp(-2πi jk / n).
template <class T>
struct FftPlan {
  explicit FftPlan(int64_t n);
  ~FftPlan();

  int64_t n;
  FftTables<T> tables;           ///< of length n, or of 1 if there is a chirp
  std::unique_ptr<Chirp> chirp;  ///< for lengths with a large prime factor
};

/// The plan for a length, which is made once.
template <class T>
std::shared_ptr<const FftPlan<T>> plan_of(int64_t n);

/// -i exp(-πi k / h) for k < h: what VecFft::fold makes of spectra of h complex numbers those of 2h real ones by.
template <class T>
std::shared_ptr<const std::vector<std::complex<T>>> fold_turns(int64_t h);

/// One thread's transforms of lines of n values, with exponents of either sign and times a factor.
template <class T>
class FftLines {
 public:
  using C = std::complex<T>;

  /// Lines that are `far` do not lie in the near caches, nor does the memory for their results.
  FftLines(int64_t n, bool forward, double scale, bool is_far = false);
  /// Can kLanes lines that are neighbours be transformed where they are?
  bool takes_columns() const { return !plan_->chirp; }
  /// Transforms kLanes lines that are neighbours and whose values lie a step apart. y may be x.
  void columns(const C* x, int64_t x_step, C* y, int64_t y_step);
  /// Transforms up to kLanes lines, whose values are neighbours and which lie a step apart. y may be x.
  void rows(const C* x, int64_t x_step, C* y, int64_t y_step, int64_t count);
  /// For lines of 2n real numbers, seen as n complex ones: half of their spectra, n + 1 values a line, times twice the
  /// scale and conjugated if the sign is -1. `turns` is fold_turns. y must not be x.
  void real_rows(const C* x, int64_t x_step, const C* turns, C* y, int64_t y_step, T sign, int64_t count);

 private:
  /// Lines of split tables that are one call's work.
  int64_t lines_at_once() const { return is_small_square(plan_->tables) ? lines_together(plan_->tables) : 1; }
  void lines(const C* x, int64_t x_step, C* y, int64_t y_step, int64_t count, const FftAhead& ahead);
  /// The `count` lines from x on and their results.
  FftAhead ahead_of(const C* x, int64_t x_step, const C* y, int64_t y_step, int64_t results, int64_t count) const;
  bool is_short() const { return !plan_->chirp && !plan_->tables.is_split(); }
  template <class F>
  void with_all_lanes(const C* x, int64_t x_step, C* y, int64_t y_step, int64_t results, int64_t count, F f);
  void short_rows(const C* x, int64_t x_step, C* y, int64_t y_step, int64_t count);

  std::shared_ptr<const FftPlan<T>> plan_;
  FftFactors<T> factors_;
  bool is_far_;
  std::optional<Scratch<T>> columns_work_, line_work_, rows_work_;
  std::optional<Scratch<C>> together_, half_;
  std::optional<Scratch<std::complex<double>>> chirp_work_;
};

extern template class FftLines<float>;
extern template class FftLines<double>;

}  // namespace strata::cpu::fft
