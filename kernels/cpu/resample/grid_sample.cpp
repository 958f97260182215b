// Grid sampling with the channels of an image side by side, so that a point is a weighted sum of short rows.
#include <algorithm>
#include <cstring>

#include "core/parallel.h"
#include "dispatcher/kernel.h"
#include "kernels/cpu/common/dense.h"
#include "kernels/cpu/common/lines.h"
#include "kernels/cpu/common/vec_move.h"
#include "kernels/cpu/resample/vec_grid.h"

namespace strata::cpu::resample {
namespace {

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

/// Numbers from one element of a turned image to the next: its channels, up to a whole unit.
template <class T>
int64_t step_of(const Sizes& s) {
  constexpr int64_t kUnit = VecGrid<T>::kRowUnit;
  return (s.channels + kUnit - 1) / kUnit * kUnit;
}

/// Rows of `from` become columns of `to`, whose rows are `to_step` apart.
template <class T>
void transpose(T* to, int64_t to_step, const T* from, int64_t from_step, int64_t rows, int64_t cols) {
  using U = Moved<T>;
  vec_move<U>().transpose(reinterpret_cast<U*>(to), to_step, reinterpret_cast<const U*>(from), from_step, cols, rows);
}

/// An image with the channels of an element side by side, as VecGrid takes it.
template <class T>
class Turned {
 public:
  explicit Turned(const Sizes& s)
      : channels_(s.channels), elements_(s.elements), step_(step_of<T>(s)), memory_((elements_ + 1) * step_) {
    clear(step_ == channels_ ? 1 : elements_ + 1);
  }
  void clear() { clear(elements_ + 1); }
  void read(const T* image) { transpose(data(), step_, image, elements_, channels_, elements_); }
  void write(T* image) { transpose(image, elements_, data(), step_, elements_, channels_); }
  T* data() { return memory_.data() + step_; }

 private:
  void clear(int64_t rows) { std::memset(memory_.data(), 0, static_cast<size_t>(rows * step_) * sizeof(T)); }

  int64_t channels_, elements_, step_;
  Scratch<T> memory_;
};

/// Points that are sampled together, and their rows.
template <class T>
class Block {
 public:
  Block(const Sizes& s, const GridParams& p) : s_(s), p_(p), step_(step_of<T>(s)), rows_(kGridPoints * step_) {
    std::memset(rows_.data(), 0, static_cast<size_t>(kGridPoints * step_) * sizeof(T));
  }
  /// Samples `image` at points from `first` on into y, of which both hold all points.
  void sample(const T* image, const T* grid, int64_t first, T* y) {
    const int64_t points = find(grid, first);
    vec_grid<T>().gather(image, step_, taps_, points, rows_.data());
    transpose(y + first, s_.points, rows_.data(), step_, points, s_.channels);
  }
  /// Its transpose.
  void spread(T* image, const T* grid, int64_t first, const T* g) {
    const int64_t points = find(grid, first);
    transpose(rows_.data(), step_, g + first, s_.points, s_.channels, points);
    vec_grid<T>().scatter(image, step_, taps_, points, rows_.data());
  }

 private:
  int64_t find(const T* grid, int64_t first) {
    const int64_t points = std::min(kGridPoints, s_.points - first);
    vec_grid<T>().find(p_, grid + first * s_.dims, points, taps_);
    return points;
  }

  const Sizes& s_;
  const GridParams& p_;
  int64_t step_;
  Scratch<T> rows_;
  GridTaps<T> taps_;
};

/// Images are shared out where there are enough of them, else the points of each.
template <class T>
void sample(T* y, const T* x, const T* grid, const Sizes& s, const GridParams& p) {
  const int64_t image = s.elements * s.channels, blocks = (s.points + kGridPoints - 1) / kGridPoints;
  const auto run_blocks = [&](int64_t n, const T* turned, int64_t begin, int64_t end) {
    Block<T> block(s, p);
    for (int64_t b = begin; b < end; ++b)
      block.sample(turned, grid + n * s.points * s.dims, b * kGridPoints, y + n * s.channels * s.points);
  };
  if (s.batch >= get_num_threads()) {
    const int64_t work = s.points * s.channels + image;
    return parallel_for(0, s.batch, std::max<int64_t>(1, 16384 / work), [&](int64_t begin, int64_t end) {
      Turned<T> turned(s);
      for (int64_t n = begin; n < end; ++n) {
        turned.read(x + n * image);
        run_blocks(n, turned.data(), 0, blocks);
      }
    });
  }
  Turned<T> turned(s);
  for (int64_t n = 0; n < s.batch; ++n) {
    turned.read(x + n * image);
    parallel_for(0, blocks, std::max<int64_t>(1, 256 / s.channels),
                 [&](int64_t begin, int64_t end) { run_blocks(n, turned.data(), begin, end); });
  }
}

/// Points that are one element each are copied channel by channel, as the image lies.
template <class T>
void pick(T* y, const T* x, const T* grid, const Sizes& s, const GridParams& p) {
  const int64_t blocks = (s.points + kGridPoints - 1) / kGridPoints;
  parallel_for(0, s.batch * blocks, std::max<int64_t>(1, 256 / s.channels), [&](int64_t begin, int64_t end) {
    GridTaps<T> taps;
    for (int64_t b = begin; b < end; ++b) {
      const int64_t n = b / blocks, first = b % blocks * kGridPoints, count = std::min(kGridPoints, s.points - first);
      vec_grid<T>().find(p, grid + (n * s.points + first) * s.dims, count, taps);
      const int64_t* const element = taps.element.data();
      const bool all_exist = *std::min_element(element, element + count) >= 0;
      for (int64_t c = 0; c < s.channels; ++c) {
        const T* const from = x + (n * s.channels + c) * s.elements;
        T* const to = y + (n * s.channels + c) * s.points + first;
        if (all_exist)
          for (int64_t i = 0; i < count; ++i) to[i] = from[element[i]];
        else
          for (int64_t i = 0; i < count; ++i) to[i] = element[i] >= 0 ? from[element[i]] : T(0);
      }
    }
  });
}

/// Images are shared out, so that the sums of each have one order.
template <class T>
void spread(T* x, const T* g, const T* grid, const Sizes& s, const GridParams& p) {
  const int64_t image = s.elements * s.channels;
  parallel_for(0, s.batch, 1, [&](int64_t begin, int64_t end) {
    Turned<T> turned(s);
    Block<T> block(s, p);
    for (int64_t n = begin; n < end; ++n) {
      turned.clear();
      for (int64_t first = 0; first < s.points; first += kGridPoints)
        block.spread(turned.data(), grid + n * s.points * s.dims, first, g + n * s.channels * s.points);
      turned.write(x + n * image);
    }
  });
}

void grid_sample_cpu(Tensors& out, Args in, const GridParams& p) {
  const Sizes s(in[0], in[1], p);
  if (out[0].numel() == 0) return;
  const auto run = [&]<class T>() {
    const auto go = p.mode == GridInterpolation::Nearest ? &pick<T> : &sample<T>;
    go(out[0].data_ptr<T>(), in[0].data_ptr<T>(), in[1].data_ptr<T>(), s, p);
  };
  in[0].dtype() == kFloat ? run.template operator()<float>() : run.template operator()<double>();
}

void grid_sample_backward_cpu(Tensors& out, Args in, const GridParams& p) {
  const Sizes s(in[0], in[1], p);
  if (out[0].numel() == 0) return;
  const auto run = [&]<class T>() { spread<T>(out[0].data_ptr<T>(), in[0].data_ptr<T>(), in[1].data_ptr<T>(), s, p); };
  in[0].dtype() == kFloat ? run.template operator()<float>() : run.template operator()<double>();
}

}  // namespace

STRATA_KERNEL(grid_sample_op, CPU, RowMajor<grid_sample_cpu>::run);
STRATA_KERNEL(grid_sample_backward_op, CPU, RowMajor<grid_sample_backward_cpu>::run);

}  // namespace strata::cpu::resample
