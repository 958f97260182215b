// Kernels of the Fourier transforms: one dim after the other, each in the precision of its numbers.
#include <algorithm>
#include <array>

#include "dispatcher/kernel.h"
#include "kernels/cpu/common/lines.h"
#include "kernels/cpu/fft/fft_plan.h"
#include "ops/fft_def.h"

namespace strata::cpu::fft {
namespace {

/// In place of the number of an image, t[number], stands for the whole tensor.
constexpr int64_t kAllImages = -1;

/// The lines of a tensor or of one of its images along a dim, as elements of E.
template <class E>
struct LinesOf {
  LinesOf(const Tensor& t, int64_t dim, int64_t image)
      : lines(image == kAllImages ? make_lines(t, std::array{dim}) : make_lines(t, std::array{int64_t{0}, dim})),
        data(reinterpret_cast<E*>(t.bytes()) + (image == kAllImages ? 0 : image * t.strides()[0])),
        length(t.size(dim)),
        step(t.strides()[static_cast<size_t>(dim)]) {}
  E* at(int64_t line) const { return data + lines.offset(line); }
  /// How many lines in a row lie equally far apart, and how far.
  int64_t run() const { return lines.size.empty() ? 1 : lines.size.back(); }
  int64_t apart() const { return lines.size.empty() ? length : lines.stride.back(); }

  Lines lines;
  E* data;
  int64_t length, step;
};

/// Up to kLanes lines of a tensor: their values side by side in memory of this thread's if they are not so already.
template <class E>
class Rows {
 public:
  Rows(const LinesOf<E>& of, int64_t most) : of_(of), most_(most) {}
  /// Takes the lines whose numbers are number(0), ..., number(count - 1), which grow.
  template <class F>
  void take(int64_t count, F number) {
    count_ = count;
    const int64_t first = number(0), run = of_.run();
    // Lines of one run need no division each, which takes as long as some of a short line's transform.
    if (number(count - 1) - first == count - 1 && first % run + count <= run) {
      E* const at = of_.at(first);
      for (int64_t l = 0; l < count; ++l) base_[l] = at + l * of_.apart();
    } else {
      for (int64_t l = 0; l < count; ++l) base_[l] = of_.at(number(l));
    }
    apart_ = count > 1 ? base_[1] - base_[0] : of_.length;
    in_place_ = of_.step == 1 || of_.length == 1;
    // Real lines of even length are worked on as complex ones.
    if (std::is_floating_point_v<E> && of_.length % 2 == 0) in_place_ &= apart_ % 2 == 0;
    for (int64_t l = 2; l < count; ++l) in_place_ &= base_[l] - base_[l - 1] == apart_;
    if (in_place_ || memory_) return;
    memory_.emplace(most_ * of_.length);
  }
  E* data() { return in_place_ ? base_[0] : memory_->data(); }
  int64_t apart() const { return in_place_ ? apart_ : of_.length; }
  E* line(int64_t l) { return data() + l * apart(); }
  void read() {
    for_each([](E& inside, E& outside) { inside = outside; });
  }
  void write() {
    for_each([](E& inside, E& outside) { outside = inside; });
  }

 private:
  /// In the order of memory: along lines, or across them where their values lie apart.
  template <class F>
  void for_each(F f) {
    if (in_place_) return;
    E* const inside = memory_->data();
    if (of_.step == 1) {
      for (int64_t l = 0; l < count_; ++l)
        for (int64_t i = 0; i < of_.length; ++i) f(inside[l * of_.length + i], base_[l][i]);
      return;
    }
    for (int64_t i = 0; i < of_.length; ++i)
      for (int64_t l = 0; l < count_; ++l) f(inside[l * of_.length + i], base_[l][i * of_.step]);
  }

  const LinesOf<E>& of_;
  int64_t most_, count_ = 0, apart_ = 0;
  bool in_place_ = true;
  E* base_[16] = {};
  std::optional<Scratch<E>> memory_;
};

/// Do two tensors together take more room than a second-level cache has?
bool are_far(const Tensor& x, const Tensor& y) {
  constexpr int64_t kNear = int64_t{3} << 20;
  return x.numel() * x.element_size() + y.numel() * y.element_size() > kNear;
}

/// Work below which a second thread does not pay.
int64_t grain_of(int64_t work) { return std::max<int64_t>(1, kLineGrain / 8 / std::max<int64_t>(1, work)); }

/// Calls f(first, count) on groups of up to kLanes of `lines` lines, with what `make()` gives each thread.
template <class T, class Make, class F>
void for_groups(int64_t lines, int64_t length, Make make, F f) {
  const int64_t together = std::min(lines, kLanes<T>);
  parallel_for(0, lines == 0 ? 0 : (lines + together - 1) / together, grain_of(together * length),
               [&](int64_t begin, int64_t end) {
                 auto own = make();
                 for (int64_t g = begin; g < end; ++g) f(own, g * together, std::min(together, lines - g * together));
               });
}

/// Calls f(image) for what is transformed in all dims before the next: large images one by one, so that each stays in
/// the cache, or all at once.
template <class F>
void for_images(const Tensor& t, IntArrayRef dims, F f) {
  constexpr int64_t kLarge = 16384;
  const bool has_images = dims.size() > 1 && std::find(dims.begin(), dims.end(), 0) == dims.end();
  const int64_t images = has_images ? t.size(0) : 1, size = t.numel() / std::max<int64_t>(1, images);
  if (size < kLarge || images < 4 * get_num_threads()) return f(kAllImages);
  parallel_for(0, images, 1, [&](int64_t begin, int64_t end) {
    for (int64_t image = begin; image < end; ++image) f(image);
  });
}

/// Complex to complex along one dim. x may be y.
template <class T>
void transform_dim(const Tensor& x, const Tensor& y, int64_t dim, int64_t image, double scale, bool forward) {
  using C = std::complex<T>;
  if (y.numel() == 0) return;
  const LinesOf<C> from(x, dim, image), to(y, dim, image);
  const int64_t n = to.length, run = std::min(from.run(), to.run()), runs = to.lines.count / run;
  // Of each run of lines, so many groups of neighbours are transformed where they are, and so many lines are left.
  const bool neighbours = from.apart() == 1 && to.apart() == 1 && FftLines<T>(n, forward, scale).takes_columns();
  const int64_t whole = neighbours ? run / kLanes<T> : 0, left = run - whole * kLanes<T>;
  parallel_for(0, runs * whole, grain_of(kLanes<T> * n), [&](int64_t begin, int64_t end) {
    FftLines<T> work(n, forward, scale);
    for (int64_t g = begin; g < end; ++g) {
      const int64_t line = g / whole * run + g % whole * kLanes<T>;
      work.columns(from.at(line), from.step, to.at(line), to.step);
    }
  });
  const bool is_far = are_far(x, y);
  struct Own {
    FftLines<T> work;
    Rows<C> in, out;
  };
  for_groups<T>(
      runs * left, n,
      [&] {
        return Own{{n, forward, scale, is_far}, {from, kLanes<T>}, {to, kLanes<T>}};
      },
      [&](Own& own, int64_t first, int64_t count) {
        const auto number = [&](int64_t l) { return (first + l) / left * run + run - left + (first + l) % left; };
        own.in.take(count, number), own.out.take(count, number);
        own.in.read();
        own.work.rows(own.in.data(), own.in.apart(), own.out.data(), own.out.apart(), count);
        own.out.write();
      });
}

/// Complex to complex along all `dims`, the last one first; the scale comes with the last pass.
template <class T>
void transform_dims(Tensor x, const Tensor& y, IntArrayRef dims, int64_t image, double scale, bool forward) {
  for (size_t i = dims.size(); i-- > 0; x = y) transform_dim<T>(x, y, dims[i], image, i == 0 ? scale : 1, forward);
}

// A real line x of even length n as the complex one z[j] = x[2j] + i x[2j + 1] of half the length has the spectrum
// Z = E + iO of the even and the odd elements, which are real lines of their own: E[k] and O[k] come from Z[k] and
// conj(Z[n / 2 - k]), and X[k] = E[k] + exp(-2πi k / n) O[k] (Press et al., Numerical Recipes, section 12.3).

/// How long the complex lines of real ones are.
int64_t complex_length(int64_t n) { return n % 2 == 0 ? n / 2 : n; }

/// Real signals to spectra along one dim.
template <class T>
class Spectra {
 public:
  using C = std::complex<T>;
  Spectra(const LinesOf<T>& from, const LinesOf<C>& to, double scale, bool forward, bool is_far)
      : n_(from.length),
        h_(complex_length(n_)),
        sign_(forward ? T(1) : T(-1)),
        work_(h_, true, is_even() ? scale / 2 : scale, is_far),
        in_(from, kLanes<T>),
        out_(to, kLanes<T>),
        known_(std::min(to.length, n_ / 2 + 1)),
        wanted_(to.length) {
    if (is_even())
      turns_ = fold_turns<T>(h_);
    else
      whole_.emplace(kLanes<T> * n_);
  }
  void run(int64_t first, int64_t count) {
    const auto number = [&](int64_t l) { return first + l; };
    in_.take(count, number), out_.take(count, number);
    in_.read();
    if (is_even()) {
      work_.real_rows(reinterpret_cast<const C*>(in_.data()), in_.apart() / 2, turns_->data(), out_.data(),
                      out_.apart(), sign_, count);
    } else {
      C* const whole = whole_->data();
      for (int64_t l = 0; l < count; ++l) std::copy_n(in_.line(l), n_, whole + l * n_);
      work_.rows(whole, n_, whole, n_, count);
      for (int64_t l = 0; l < count; ++l)
        for (int64_t k = 0; k < known_; ++k)
          out_.line(l)[k] = {whole[l * n_ + k].real(), sign_ * whole[l * n_ + k].imag()};
    }
    for (int64_t l = 0; l < count; ++l)
      for (int64_t k = known_; k < wanted_; ++k) out_.line(l)[k] = std::conj(out_.line(l)[n_ - k]);
    out_.write();
  }

 private:
  bool is_even() const { return n_ % 2 == 0; }

  int64_t n_, h_;
  T sign_;
  FftLines<T> work_;
  Rows<T> in_;
  Rows<C> out_;
  std::optional<Scratch<C>> whole_;  ///< lines of an odd number of values as complex ones
  int64_t known_, wanted_;
  std::shared_ptr<const std::vector<C>> turns_;
};

/// Halves of spectra to real signals of n values; the imaginary parts of X[0] and, for even n, of X[n / 2] count as 0.
template <class T>
class Signals {
 public:
  using C = std::complex<T>;
  Signals(const LinesOf<C>& from, const LinesOf<T>& to, double scale, bool forward, bool is_far)
      : n_(to.length),
        h_(complex_length(n_)),
        sign_(forward ? T(-1) : T(1)),
        work_(h_, false, scale, is_far),
        in_(from, kLanes<T>),
        out_(to, kLanes<T>),
        full_(kLanes<T> * h_) {
    if (is_even()) turns_ = fold_turns<T>(h_);
  }
  void run(int64_t first, int64_t count) {
    const auto number = [&](int64_t l) { return first + l; };
    in_.take(count, number), out_.take(count, number);
    in_.read();
    C* const full = full_.data();
    if (is_even()) {
      unfold(count);
      work_.rows(full, h_, reinterpret_cast<C*>(out_.data()), out_.apart() / 2, count);
    } else {
      for (int64_t l = 0; l < count; ++l) fill(in_.line(l), full + l * h_);
      work_.rows(full, h_, full, h_, count);
      for (int64_t l = 0; l < count; ++l)
        for (int64_t j = 0; j < n_; ++j) out_.line(l)[j] = full[l * h_ + j].real();
    }
    out_.write();
  }

 private:
  bool is_even() const { return n_ % 2 == 0; }
  /// What gives the real lines, as complex ones of half the length.
  void unfold(int64_t count) {
    C* const full = full_.data();
    vec_fft<T>().unfold(reinterpret_cast<const T*>(in_.data()), 2 * in_.apart(),
                        reinterpret_cast<const T*>(turns_->data()), reinterpret_cast<T*>(full), 2 * h_, count, h_,
                        sign_);
    for (int64_t l = 0; l < count; ++l) {
      const T a = in_.line(l)[0].real(), b = in_.line(l)[h_].real();
      full[l * h_] = {a + b, a - b};
    }
  }
  /// Writes all n numbers of a spectrum of which the first half is given.
  void fill(const C* x, C* z) {
    z[0] = x[0].real();
    for (int64_t k = 1; k <= n_ / 2; ++k) {
      z[k] = {x[k].real(), sign_ * x[k].imag()};
      z[n_ - k] = std::conj(z[k]);
    }
  }

  int64_t n_, h_;
  T sign_;
  FftLines<T> work_;
  Rows<C> in_;
  Rows<T> out_;
  Scratch<C> full_;
  std::shared_ptr<const std::vector<C>> turns_;
};

/// y's lines along `dim` from x's by the work W.
template <class T, class W, class From, class To>
void map_lines(const Tensor& x, const Tensor& y, int64_t dim, int64_t image, double scale, bool forward) {
  if (y.numel() == 0) return;
  const LinesOf<From> from(x, dim, image);
  const LinesOf<To> to(y, dim, image);
  const bool is_far = are_far(x, y);
  for_groups<T>(
      to.lines.count, to.length, [&] { return W(from, to, scale, forward, is_far); },
      [](W& work, int64_t first, int64_t count) { work.run(first, count); });
}

/// Calls f.template operator()<T>() with the type of the real numbers that make up `t`.
template <class F>
void visit_parts(DType t, F f) {
  to_real_dtype(t) == kDouble ? f.template operator()<double>() : f.template operator()<float>();
}

void fft_c2c_cpu(Tensors& out, Args in, const FftC2CParams& p) {
  visit_parts(out[0].dtype(), [&]<class T>() {
    for_images(out[0], p.dims,
               [&](int64_t image) { transform_dims<T>(in[0], out[0], p.dims, image, p.scale, p.forward); });
  });
}

void fft_r2c_cpu(Tensors& out, Args in, const FftR2CParams& p) {
  const IntArrayRef dims(p.dims), others = dims.slice(0, dims.size() - 1);
  visit_parts(in[0].dtype(), [&]<class T>() {
    const double scale = others.empty() ? p.scale : 1;
    for_images(out[0], dims, [&](int64_t image) {
      map_lines<T, Spectra<T>, T, std::complex<T>>(in[0], out[0], dims.back(), image, scale, p.forward);
      transform_dims<T>(out[0], out[0], others, image, p.scale, p.forward);
    });
  });
}

void fft_c2r_cpu(Tensors& out, Args in, const FftC2RParams& p) {
  const IntArrayRef dims(p.dims), others = dims.slice(0, dims.size() - 1);
  visit_parts(out[0].dtype(), [&]<class T>() {
    const Tensor x = others.empty() ? in[0] : empty_cpu(in[0].sizes(), in[0].dtype());
    for_images(out[0], dims, [&](int64_t image) {
      transform_dims<T>(in[0], x, others, image, 1, p.forward);
      map_lines<T, Signals<T>, std::complex<T>, T>(x, out[0], dims.back(), image, p.scale, p.forward);
    });
  });
}

STRATA_KERNEL(fft_c2c_op, CPU, fft_c2c_cpu);
STRATA_KERNEL(fft_r2c_op, CPU, fft_r2c_cpu);
STRATA_KERNEL(fft_c2r_op, CPU, fft_c2r_cpu);

}  // namespace
}  // namespace strata::cpu::fft
