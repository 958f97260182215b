// Grid sampling with the channels of an image side by side, so that a point is a weighted sum of short rows.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
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

/// The nearest whole number, of two the even one, without a call where adding and taking away a large number rounds.
template <class T>
T nearest_whole(T x) {
  constexpr T kUnit = T(1) / std::numeric_limits<T>::epsilon(), kLarge = kUnit + kUnit / 2;
  return std::abs(x) < kUnit / 4 ? (x + kLarge) - kLarge : std::nearbyint(x);
}
/// In whole numbers, so that the compiler makes no branch of it, which nobody could foresee.
template <class T>
T whole_below(T x) {
  if (!(std::abs(x) < T(int64_t{1} << 62))) return std::floor(x);
  const auto cut = static_cast<int64_t>(x);
  return static_cast<T>(cut - int64_t{static_cast<T>(cut) > x});
}

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
      const T first = whole_below(place), t = place - first;
      taps.add(inside(first - 1), far(t + 1), last_);
      taps.add(inside(first), near(t), last_);
      taps.add(inside(first + 1), near(1 - t), last_);
      taps.add(inside(first + 2), far(2 - t), last_);
      return taps;
    }
    const T p = inside(place);
    if (mode_ == GridInterpolation::Nearest) {
      taps.add(nearest_whole(p), 1, last_);
      return taps;
    }
    const T low = whole_below(p), high = low + 1;
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

/// Finds the elements of the image that a point is made of, by their place among all, and their weights.
template <class T>
class Sampler {
 public:
  explicit Sampler(const GridParams& p) : height_(p.image[p.image.size() - 2]), width_(p.image.back()) {
    for (int64_t n : p.image) dims_.emplace_back(n, p);
  }
  /// `at` is a point of the grid, x first. Gives the number of elements, at most kMostTaps.
  int64_t find(const T* at, int64_t* element, T* weight) const {
    const size_t last = dims_.size() - 1;
    const DimTaps<T> x = dims_[last].taps(at[0]), y = dims_[last - 1].taps(at[1]);
    if (last == 1) return join(0, 1, y, x, element, weight);
    const DimTaps<T> z = dims_[0].taps(at[2]);
    int64_t n = 0;
    for (size_t k = 0; k < static_cast<size_t>(z.count); ++k)
      n += join(z.element[k], z.weight[k], y, x, element + n, weight + n);
    return n;
  }

 private:
  int64_t join(int64_t slice, T of_slice, const DimTaps<T>& y, const DimTaps<T>& x, int64_t* element, T* weight) const {
    for (size_t i = 0; i < static_cast<size_t>(y.count); ++i) {
      const int64_t row = (slice * height_ + y.element[i]) * width_;
      const T of_row = of_slice * y.weight[i];
      for (size_t j = 0; j < static_cast<size_t>(x.count); ++j) {
        *element++ = row + x.element[j];
        *weight++ = of_row * x.weight[j];
      }
    }
    return int64_t{y.count} * x.count;
  }

  int64_t height_, width_;
  std::vector<Dim<T>> dims_;
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

/// Points that are sampled together: their taps are known when their rows are read, so that those can be fetched ahead.
template <class T>
class Block {
 public:
  static constexpr int64_t kPoints = 64;

  explicit Block(int64_t channels) : channels_(channels), rows_(kPoints * channels) {}

  /// Samples `image`, whose channels lie side by side, at `count` points into `y`, whose channels are `step` apart.
  void run(const T* image, const T* grid, int64_t count, const Sampler<T>& sampler, int64_t dims, T* y, int64_t step) {
    int64_t total = 0;
    for (int64_t i = 0; i < count; ++i) {
      first_[static_cast<size_t>(i)] = total;
      total += sampler.find(grid + i * dims, element_.data() + total, weight_.data() + total);
    }
    first_[static_cast<size_t>(count)] = total;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t first = first_[static_cast<size_t>(i)], n = first_[static_cast<size_t>(i) + 1] - first;
      vec_resample<T>().sum_rows(image, channels_, element_.data() + first, weight_.data() + first, n, total - first,
                                 rows_.data() + i * channels_, channels_);
    }
    transpose(y, step, rows_.data(), count, channels_);
  }

 private:
  int64_t channels_;
  Scratch<T> rows_;
  std::array<int64_t, kPoints + 1> first_;
  std::array<int64_t, kPoints * kMostTaps> element_;
  std::array<T, kPoints * kMostTaps> weight_;
};

/// Images are shared out where there are enough of them, else the points of each.
template <class T>
void sample(T* y, const T* x, const T* grid, const Sizes& s, const Sampler<T>& sampler) {
  const int64_t image = s.elements * s.channels, blocks = (s.points + Block<T>::kPoints - 1) / Block<T>::kPoints;
  const auto run_blocks = [&](int64_t n, const T* turned, int64_t begin, int64_t end) {
    Block<T> block(s.channels);
    for (int64_t b = begin; b < end; ++b) {
      const int64_t first = b * Block<T>::kPoints, count = std::min(Block<T>::kPoints, s.points - first);
      block.run(turned, grid + (n * s.points + first) * s.dims, count, sampler, s.dims,
                y + n * s.channels * s.points + first, s.points);
    }
  };
  if (s.batch >= get_num_threads()) {
    const int64_t work = s.points * s.channels + image;
    return parallel_for(0, s.batch, std::max<int64_t>(1, 16384 / work), [&](int64_t begin, int64_t end) {
      Scratch<T> turned(image);
      for (int64_t n = begin; n < end; ++n) {
        transpose(turned.data(), s.channels, x + n * image, s.channels, s.elements);
        run_blocks(n, turned.data(), 0, blocks);
      }
    });
  }
  Scratch<T> turned(image);
  for (int64_t n = 0; n < s.batch; ++n) {
    transpose(turned.data(), s.channels, x + n * image, s.channels, s.elements);
    parallel_for(0, blocks, std::max<int64_t>(1, 256 / s.channels),
                 [&](int64_t begin, int64_t end) { run_blocks(n, turned.data(), begin, end); });
  }
}

/// Points that are one element each are copied channel by channel, as the image lies.
template <class T>
void pick(T* y, const T* x, const T* grid, const Sizes& s, const Sampler<T>& sampler) {
  constexpr int64_t kPoints = 1024;
  const int64_t blocks = (s.points + kPoints - 1) / kPoints;
  parallel_for(0, s.batch * blocks, std::max<int64_t>(1, 16 / s.channels), [&](int64_t begin, int64_t end) {
    std::array<int64_t, kPoints> element;
    T weight;
    for (int64_t b = begin; b < end; ++b) {
      const int64_t n = b / blocks, first = b % blocks * kPoints, count = std::min(kPoints, s.points - first);
      bool all_exist = true;
      for (int64_t i = 0; i < count; ++i) {
        int64_t& place = element[static_cast<size_t>(i)];
        if (sampler.find(grid + (n * s.points + first + i) * s.dims, &place, &weight) == 0)
          place = -1, all_exist = false;
      }
      for (int64_t c = 0; c < s.channels; ++c) {
        const T* const from = x + (n * s.channels + c) * s.elements;
        T* const to = y + (n * s.channels + c) * s.points + first;
        for (int64_t i = 0; i < count; ++i) {
          const int64_t place = element[static_cast<size_t>(i)];
          to[i] = all_exist || place >= 0 ? from[place] : T(0);
        }
      }
    }
  });
}

/// Images are shared out, so that the sums of each have one order.
template <class T>
void spread(T* x, const T* g, const T* grid, const Sizes& s, const Sampler<T>& sampler) {
  const int64_t image = s.elements * s.channels;
  parallel_for(0, s.batch, 1, [&](int64_t begin, int64_t end) {
    Scratch<T> turned(image), rows(s.points * s.channels);
    std::array<int64_t, kMostTaps> element;
    std::array<T, kMostTaps> weight;
    for (int64_t n = begin; n < end; ++n) {
      std::memset(turned.data(), 0, static_cast<size_t>(image) * sizeof(T));
      transpose(rows.data(), s.channels, g + n * s.channels * s.points, s.channels, s.points);
      for (int64_t i = 0; i < s.points; ++i) {
        const int64_t taps = sampler.find(grid + (n * s.points + i) * s.dims, element.data(), weight.data());
        const T* const from = rows.data() + i * s.channels;
        for (size_t t = 0; t < static_cast<size_t>(taps); ++t) {
          T* const to = turned.data() + element[t] * s.channels;
          const T by = weight[t];
          for (int64_t c = 0; c < s.channels; ++c) to[c] += by * from[c];
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
    const auto go = p.mode == GridInterpolation::Nearest ? &pick<T> : &sample<T>;
    go(out[0].data_ptr<T>(), in[0].data_ptr<T>(), in[1].data_ptr<T>(), s, Sampler<T>(p));
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
