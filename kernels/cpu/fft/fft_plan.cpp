// Plans of one-dimensional transforms and the cache of them.
#include "kernels/cpu/fft/fft_plan.h"

#include <kissfft/kissfft.hh>

#include <algorithm>
#include <mutex>
#include <numbers>
#include <unordered_map>

namespace strata::cpu::fft {
namespace {

/// kissfft takes p steps per element for each prime factor p; from here on Bluestein's algorithm is faster.
constexpr int64_t kLargestFactor = 50;
constexpr int64_t kMostCachedElements = int64_t{1} << 23;

int64_t largest_factor(int64_t n) {
  int64_t largest = 1;
  for (int64_t p = 2; p * p <= n; ++p)
    for (; n % p == 0; n /= p) largest = p;
  return std::max(largest, n);
}

/// exp(-2πi k / n), the angle reduced to the first eighth of the circle by exact integer steps.
FftComplex turn(int64_t k, int64_t n) {
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

using Kiss = kissfft<double>;

}  // namespace

class FftPlan {
 public:
  explicit FftPlan(int64_t n) : n_(n), factor_(largest_factor(n)), kiss_(static_cast<size_t>(kiss_length()), false) {
    if (is_chirp()) make_chirp();
    if ((n & (n - 1)) == 0)
      for (int64_t k = 0; k < n; ++k) turns_.push_back(turn(k, n));
  }
  const FftComplex* turns() const { return turns_.empty() ? nullptr : turns_.data(); }
  /// kissfft writes to memory inside the plan for factors above 5, so that threads cannot share it.
  bool is_shareable() const { return is_chirp() || factor_ <= 5; }
  int64_t scratch() const { return is_chirp() ? 2 * kiss_length() : 0; }
  int64_t elements() const { return 3 * n_ + 2 * kiss_length(); }

  void run(const FftComplex* x, FftComplex* y, FftComplex* scratch) const {
    if (n_ == 1)
      y[0] = x[0];
    else if (is_chirp())
      run_chirp(x, y, scratch);
    else
      kiss_.transform(x, y);
  }

 private:
  bool is_chirp() const { return factor_ > kLargestFactor; }
  int64_t kiss_length() const {
    if (!is_chirp()) return n_;
    int64_t m = 1;
    while (m < 2 * n_ - 1) m *= 2;
    return m;
  }
  void make_chirp();
  void run_chirp(const FftComplex* x, FftComplex* y, FftComplex* scratch) const;

  int64_t n_, factor_;
  Kiss kiss_;
  std::vector<FftComplex> chirp_, spectrum_, turns_;
};

// L. Bluestein, A linear filtering approach to the computation of discrete Fourier transform, 1970. With
// 2jk = j² + k² - (k - j)² and w[k] = exp(-πi k² / n) the transform is y[k] = w[k] Σ (x[j] w[j]) conj(w[k - j]): a
// convolution, which transforms of a power of two compute.
void FftPlan::make_chirp() {
  const int64_t m = kiss_length();
  chirp_.resize(static_cast<size_t>(n_));
  int64_t square = 0;  // k² mod 2n, step by step: k² itself could overflow
  for (int64_t k = 0; k < n_; ++k) {
    chirp_[static_cast<size_t>(k)] = turn(square, 2 * n_);
    square = (square + 2 * k + 1) % (2 * n_);
  }
  std::vector<FftComplex> filter(static_cast<size_t>(m));
  spectrum_.resize(static_cast<size_t>(m));
  for (int64_t k = 0; k < n_; ++k) {
    const FftComplex w = std::conj(chirp_[static_cast<size_t>(k)]) / static_cast<double>(m);
    filter[static_cast<size_t>(k)] = w;
    if (k > 0) filter[static_cast<size_t>(m - k)] = w;
  }
  kiss_.transform(filter.data(), spectrum_.data());
}

void FftPlan::run_chirp(const FftComplex* x, FftComplex* y, FftComplex* scratch) const {
  const auto n = static_cast<size_t>(n_), m = spectrum_.size();
  FftComplex *a = scratch, *b = scratch + m;
  for (size_t j = 0; j < n; ++j) a[j] = x[j] * chirp_[j];
  std::fill(a + n, a + m, FftComplex());
  kiss_.transform(a, b);
  for (size_t k = 0; k < m; ++k) b[k] = std::conj(b[k] * spectrum_[k]);  // the inverse is conj(forward(conj))
  kiss_.transform(b, a);
  for (size_t k = 0; k < n; ++k) y[k] = std::conj(a[k]) * chirp_[k];
}

namespace {

/// Plans by length, forgotten all at once when they get too big.
std::shared_ptr<const FftPlan> plan_of(int64_t n) {
  static std::mutex mutex;
  static std::unordered_map<int64_t, std::shared_ptr<const FftPlan>> plans;
  static int64_t elements = 0;
  {
    const std::lock_guard lock(mutex);
    if (const auto at = plans.find(n); at != plans.end()) return at->second;
  }
  auto plan = std::make_shared<const FftPlan>(n);
  const std::lock_guard lock(mutex);
  if (elements + plan->elements() > kMostCachedElements) {
    plans.clear();
    elements = 0;
  }
  const auto [at, is_new] = plans.try_emplace(n, std::move(plan));
  if (is_new) elements += at->second->elements();
  return at->second;
}

}  // namespace

FftLine::FftLine(int64_t n) : plan_(plan_of(n)), scratch_(plan_->scratch()) {
  if (!plan_->is_shareable()) own_ = std::make_unique<FftPlan>(*plan_);
}
FftLine::~FftLine() = default;
FftLine::FftLine(FftLine&&) noexcept = default;

const FftComplex* FftLine::turns() const { return plan_->turns(); }
void FftLine::run(const FftComplex* x, FftComplex* y) { (own_ ? own_.get() : plan_.get())->run(x, y, scratch_.data()); }

std::vector<FftComplex> half_turns(int64_t n) {
  std::vector<FftComplex> turns(static_cast<size_t>(n / 2 + 1));
  for (size_t k = 0; k < turns.size(); ++k) turns[k] = turn(static_cast<int64_t>(k), n);
  return turns;
}

namespace {

/// Eight longer lines side by side leave the caches.
constexpr int64_t kLongestSideBySide = 16384;
/// A vector of lines costs as much as this many one by one.
constexpr int64_t kFewLines = 3;

}  // namespace

FftGroup::FftGroup(int64_t n, int64_t most)
    : n_(n),
      line_(n),
      is_side_by_side_(line_.turns() && n <= kLongestSideBySide && most >= kFewLines),
      line_step_(is_side_by_side_ ? 1 : 2 * n),
      value_step_(is_side_by_side_ ? 2 * kFftTogether : 2),
      part_step_(is_side_by_side_ ? kFftTogether : 1),
      in_(2 * n * (is_side_by_side_ ? kFftTogether : most)),
      out_(2 * n * (is_side_by_side_ ? kFftTogether : most)) {
  if (is_side_by_side_) std::fill_n(in_.data(), 2 * n * kFftTogether, 0.0);  // also of lines that are not there
}

void FftGroup::run(int64_t lines) {
  if (is_side_by_side_) {
    result_ = fft_side_by_side(in_.data(), out_.data(), line_.turns(), n_);
    return;
  }
  for (int64_t l = 0; l < lines; ++l)
    line_.run(reinterpret_cast<const FftComplex*>(in_.data() + l * line_step_),
              reinterpret_cast<FftComplex*>(out_.data() + l * line_step_));
  result_ = out_.data();
}

}  // namespace strata::cpu::fft
