// Where pad, flip and roll take elements from and put them, in strides and offsets that count elements.
#pragma once
#include <algorithm>

#include "core/tensor.h"
#include "ops/diagonal_def.h"
#include "ops/shaping_def.h"

namespace strata {

/// What pad keeps of x: `sizes` elements from offset `from` in x on, which go to offset `to` in y.
struct KeptWindow {
  DimVector sizes;
  int64_t from = 0, to = 0;
};
inline KeptWindow kept_window(const Tensor& y, const Tensor& x, const PadParams& p) {
  KeptWindow w{x.sizes()};
  for (int64_t d = 0; d < x.dim(); ++d) {
    w.sizes[d] = std::max<int64_t>(0, w.sizes[d] + std::min<int64_t>(p.low[d], 0) + std::min<int64_t>(p.high[d], 0));
    w.from += std::max<int64_t>(0, -p.low[d]) * x.strides()[d];
    w.to += std::max<int64_t>(0, p.low[d]) * y.strides()[d];
  }
  return w;
}

/// x, which is not empty, walked backwards along some dims.
struct Reversed {
  DimVector strides;
  int64_t first = 0;
};
inline Reversed reversed(const Tensor& x, IntArrayRef dims) {
  Reversed r{x.strides()};
  for (int64_t d : dims) {
    r.first += (x.sizes()[d] - 1) * r.strides[d];
    r.strides[d] = -r.strides[d];
  }
  return r;
}

/// Where the elements laid on a diagonal of row-major y, which is not empty, begin, and their strides.
struct LaidDiagonal {
  DimVector strides;
  int64_t first = 0;
};
inline LaidDiagonal laid_diagonal(const LaidDiagonalParams& p) {
  LaidDiagonal d{contiguous_strides(p.sizes)};
  const int64_t down = d.strides[p.dim1], right = d.strides[p.dim2];
  d.first = p.offset >= 0 ? p.offset * right : -p.offset * down;
  d.strides.erase(std::max(p.dim1, p.dim2));
  d.strides.erase(std::min(p.dim1, p.dim2));
  d.strides.push_back(down + right);
  return d;
}

/// Calls f(sizes, offset in x, offset in y) for the blocks that move as a whole in a roll: each dim has one that stays
/// in order and one that comes round.
template <class F>
void for_rolled_blocks(const Tensor& y, const Tensor& x, const RollParams& p, F f) {
  for (uint64_t block = 0; block < uint64_t{1} << p.dims.size(); ++block) {
    DimVector sizes = x.sizes();
    int64_t from = 0, to = 0;
    for (size_t i = 0; i < p.dims.size(); ++i) {
      const int64_t d = p.dims[i], stays = x.sizes()[d] - p.shifts[i];
      const bool comes_round = block >> i & 1;
      sizes[d] = comes_round ? p.shifts[i] : stays;
      if (comes_round)
        from += stays * x.strides()[d];
      else
        to += p.shifts[i] * y.strides()[d];
    }
    f(sizes, from, to);
  }
}

}  // namespace strata
