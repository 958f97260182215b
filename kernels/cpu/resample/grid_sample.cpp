// Grid sampling with the channels of an image side by side, so that a point is a weighted sum of short rows.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <vector>

#include "core/parallel.h"
#include "dispatcher/kernel.h"
#include "kernels/cpu/common/dense.h"
#include "kernels/cpu/common/lines.h"
#include "kernels/cpu/common/vec_move.h"
#include "kernels/cpu/resample/vec_resample.h"
#include "ops/grid_sample_def.h"

namespace strata::cpu::resample {
namespace {

constexpr int kMostOfDim = 4, kMostTaps = 16;

/// Elements of one dim that count for a place and exist.
template <class T>
struct DimTaps {
  int count = 0;
  std::array<int64_t, kMostOfDim> element;
  std::array<T, kMostOfDim> weight;

  /// `e` is a whole number or NaN.
  void add(T e, T w, T last) {
    if (!(e >= 0 && e <= last)) return;
    element[static_cast<size_t>(count)] = static_cast<int64_t>(e);
    weight[static_cast<size_t>(count++)] = w;
  }
};

/// One dim of the image and how a grid's numbers are places in it.
template <class T>
class Dim {
 public:
  Dim(int64_t size, const GridParams& p)
      : size_(static_cast<T>(size)), last_(size_ - 1), mode_(p.mode), padding_(p.padding), corners_(p.align_corners) {}

  DimTaps<T> taps(T coordinate) const {
    const T place = corners_ ? (coordinate + 1) * (last_ / 2) : ((coordinate + 1) * size_ - 1) / 2;
    DimTaps<T> taps;
    if (mode_ == GridInterpolation::Bicubic) {
      const T first = std::floor(place), t = place - first;
      taps.add(inside(first - 1), far(t + 1), last_);
      taps.add(inside(first), near(t), last_);
      taps.add(inside(first + 1), near(1 - t), last_);
      taps.add(inside(first + 2), far(2 - t), last_);
      return taps;
    }
    const T p = inside(place);
    if (mode_ == GridInterpolation::Nearest) {
      taps.add(std::nearbyint(p), 1, last_);
      return taps;
    }
    const T low = std::floor(p), high = low + 1;
    taps.add(low, high - p, last_);
    taps.add(high, p - low, last_);
    return taps;
  }

 private:
  static constexpr T kA = static_cast<T>(-0.75);
  static T near(T x) { return ((kA + 2) * x - (kA + 3)) * x * x + 1; }
  static T far(T x) { return ((kA * x - 5 * kA) * x + 8 * kA) * x - 4 * kA; }

  /// Brought into the image by the padding's rule; NaN becomes 0 where it brings anything.
  T inside(T p) const {
    if (padding_ == GridPadding::Zeros) return p;
    if (padding_ == GridPadding::Reflection) p = reflect(p);
    return p > 0 ? std::min(p, last_) : 0;
  }
  T reflect(T p) const {
    const T low = corners_ ? T(0) : T(-0.5), span = corners_ ? last_ : size_;
    if (span == 0) return 0;
    const T distance = std::abs(p - low), rest = std::fmod(distance, span);
    const bool is_turned = std::fmod(std::floor(distance / span), T(2)) != 0;
    return (is_turned ? span - rest : rest) + low;
  }

  T size_, last_;
  GridInterpolation mode_;
  GridPadding padding_;
  bool corners_;
};

/// The elements of the image that a point is made of, by their place among all.
template <class T>
struct Taps {
  int64_t count = 0;
  std::array<int64_t, kMostTaps> element;
  std::array<T, kMostTaps> weight;
};

template <class T>
class Sampler {
 public:
  explicit Sampler(const GridParams& p) : dims_(static_cast<int64_t>(p.image.size())), image_(p.image) {
    for (int64_t n : p.image) dim_.emplace_back(n, p);
  }
  /// `at` is a point of the grid, x first.
  Taps<T> taps(const T* at) const {
    Taps<T> all;
    all.count = 1, all.element[0] = 0, all.weight[0] = 1;
    for (int64_t d = 0; d < dims_; ++d) join(all, dim_[static_cast<size_t>(d)].taps(at[dims_ - 1 - d]), image_[d]);
    return all;
  }

 private:
  static void join(Taps<T>& all, const DimTaps<T>& inner, int64_t size) {
    const Taps<T> outer = all;
    all.count = 0;
    for (int64_t i = 0; i < outer.count; ++i) {
      for (int j = 0; j < inner.count; ++j) {
        const size_t a = static_cast<size_t>(i), b = static_cast<size_t>(j), to = static_cast<size_t>(all.count++);
        all.element[to] = outer.element[a] * size + inner.element[b];
        all.weight[to] = outer.weight[a] * inner.weight[b];
      }
    }
  }

  int64_t dims_;
  DimVector image_;
  std::vector<Dim<T>> dim_;
};

/// The sizes of a call, the same in both directions.
struct Sizes {
  int64_t batch, channels, elements, points, dims;

  Sizes(const Tensor& image, const Tensor& grid, const GridParams& p)
      : batch(image.sizes()[0]),
        channels(image.sizes()[1]),
        elements(numel_of(p.image)),
        points(numel_of(grid.sizes().slice(1, grid.sizes().size() - 2))),
        dims(static_cast<int64_t>(p.image.size())) {}
};

/// Rows of `from` become columns of `to`, whose rows are `to_step` apart.
template <class T>
void transpose(T* to, int64_t to_step, const T* from, int64_t rows, int64_t cols) {
  using U = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  vec_move<U>().transpose(reinterpret_cast<U*>(to), to_step, reinterpret_cast<const U*>(from), cols, cols, rows);
}

/// Points that are sampled before their channels are put apart again.
constexpr int64_t kBlock = 64;

template <class T>
void sample(T* y, const T* x, const T* grid, const Sizes& s, const Sampler<T>& sampler) {
  Scratch<T> turned(s.batch * s.elements * s.channels);
  const int64_t image = s.elements * s.channels;
  parallel_for(0, s.batch, std::max<int64_t>(1, 32768 / (image + 1)), [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n)
      transpose(turned.data() + n * image, s.channels, x + n * image, s.channels, s.elements);
  });
  const int64_t blocks = (s.points + kBlock - 1) / kBlock;
  parallel_for(0, s.batch * blocks, std::max<int64_t>(1, 256 / s.channels), [&](int64_t begin, int64_t end) {
    Scratch<T> rows(kBlock * s.channels);
    for (int64_t b = begin; b < end; ++b) {
      const int64_t n = b / blocks, first = b % blocks * kBlock, count = std::min(kBlock, s.points - first);
      for (int64_t i = 0; i < count; ++i) {
        const Taps<T> taps = sampler.taps(grid + (n * s.points + first + i) * s.dims);
        vec_resample<T>().sum_rows(turned.data() + n * image, s.channels, taps.element.data(), taps.weight.data(),
                                   taps.count, taps.count, rows.data() + i * s.channels, s.channels);
      }
      transpose(y + n * s.channels * s.points + first, s.points, rows.data(), count, s.channels);
    }
  });
}

/// Images are shared out, so that the sums of each have one order.
template <class T>
void spread(T* x, const T* g, const T* grid, const Sizes& s, const Sampler<T>& sampler) {
  const int64_t image = s.elements * s.channels;
  parallel_for(0, s.batch, 1, [&](int64_t begin, int64_t end) {
    Scratch<T> turned(image), rows(s.points * s.channels);
    for (int64_t n = begin; n < end; ++n) {
      std::memset(turned.data(), 0, static_cast<size_t>(image) * sizeof(T));
      transpose(rows.data(), s.channels, g + n * s.channels * s.points, s.channels, s.points);
      for (int64_t i = 0; i < s.points; ++i) {
        const Taps<T> taps = sampler.taps(grid + (n * s.points + i) * s.dims);
        const T* const from = rows.data() + i * s.channels;
        for (int64_t t = 0; t < taps.count; ++t) {
          T* const to = turned.data() + taps.element[static_cast<size_t>(t)] * s.channels;
          const T weight = taps.weight[static_cast<size_t>(t)];
          for (int64_t c = 0; c < s.channels; ++c) to[c] += weight * from[c];
        }
      }
      transpose(x + n * image, s.elements, turned.data(), s.elements, s.channels);
    }
  });
}

void grid_sample_cpu(Tensors& out, Args in, const GridParams& p) {
  const Sizes s(in[0], in[1], p);
  if (out[0].numel() == 0) return;
  const auto run = [&]<class T>() {
    sample<T>(out[0].data_ptr<T>(), in[0].data_ptr<T>(), in[1].data_ptr<T>(), s, Sampler<T>(p));
  };
  in[0].dtype() == kFloat ? run.template operator()<float>() : run.template operator()<double>();
}

void grid_sample_backward_cpu(Tensors& out, Args in, const GridParams& p) {
  const Sizes s(in[0], in[1], p);
  if (out[0].numel() == 0) return;
  const auto run = [&]<class T>() {
    spread<T>(out[0].data_ptr<T>(), in[0].data_ptr<T>(), in[1].data_ptr<T>(), s, Sampler<T>(p));
  };
  in[0].dtype() == kFloat ? run.template operator()<float>() : run.template operator()<double>();
}

}  // namespace

STRATA_KERNEL(grid_sample_op, CPU, RowMajor<grid_sample_cpu>::run);
STRATA_KERNEL(grid_sample_backward_op, CPU, RowMajor<grid_sample_backward_cpu>::run);

}  // namespace strata::cpu::resample
