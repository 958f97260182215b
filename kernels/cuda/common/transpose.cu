// The CUDA kernel of transposed copies.
#include "kernels/cuda/common/transpose.h"

#include "kernels/cuda/runtime/launch.h"
#include "kernels/visit_item.h"

namespace strata::cuda {
namespace {

constexpr int kTile = 32;
constexpr int kTileRows = kThreads / kTile;

/// Two dims of a copy: the target lies in a row along `across`, the source along `down`.
struct Plane {
  int64_t across, down;        ///< sizes
  int64_t to_step, from_step;  ///< of the target along `down`, of the source along `across`
  uint32_t tiles_across;
};

/// Block (tile, plane). Tiles have a column more than they need, so that columns lie in different banks.
template <class U>
__global__ void __launch_bounds__(kThreads) tile_kernel(U* to, const U* from, Plane p, Strided<2> planes) {
  __shared__ U tile[kTile][kTile + 1];
  const int x = static_cast<int>(threadIdx.x) % kTile, y = static_cast<int>(threadIdx.x) / kTile;
  const int64_t across = int64_t{blockIdx.x % p.tiles_across} * kTile,
                down = int64_t{blockIdx.x / p.tiles_across} * kTile;
  for (uint32_t plane = blockIdx.y; plane < planes.numel; plane += gridDim.y) {
    const Offsets<2> at = planes.at(plane);
    for (int i = y; i < kTile && across + i < p.across; i += kTileRows)
      if (down + x < p.down) tile[i][x] = from[at[1] + (across + i) * p.from_step + down + x];
    __syncthreads();
    for (int i = y; i < kTile && down + i < p.down; i += kTileRows)
      if (across + x < p.across) to[at[0] + (down + i) * p.to_step + across + x] = tile[x][i];
    __syncthreads();  // the next plane writes the tile
  }
}

/// The dim along which the source lies in a row, if it and the target's are long enough for tiles; else 0.
int tiled_dim(const Geometry<2>& g) {
  if (g.rank < 2 || g.strides[0][0] != 1 || g.strides[0][1] == 1 || g.sizes[0] < kTile / 2) return 0;
  for (int d = 1; d < g.rank; ++d)
    if (g.strides[d][1] == 1 && g.sizes[d] >= kTile / 2) return d;
  return 0;
}

Geometry<2> without(const Geometry<2>& g, int dim) {
  Geometry<2> rest;
  for (int d = 1; d < g.rank; ++d) {
    if (d == dim) continue;
    rest.sizes[rest.rank] = g.sizes[d];
    std::copy_n(g.strides[d], 2, rest.strides[rest.rank++]);
  }
  return rest;
}

}  // namespace

bool copy_tiles(const Geometry<2>& g, size_t item, void* to, const void* from, cudaStream_t stream) {
  const int dim = tiled_dim(g);
  const auto tiles = [](int64_t size) { return (size + kTile - 1) / kTile; };
  if (dim == 0 || tiles(g.sizes[0]) * tiles(g.sizes[dim]) > std::numeric_limits<int32_t>::max()) return false;
  const Plane p{g.sizes[0], g.sizes[dim], g.strides[dim][0], g.strides[0][1], static_cast<uint32_t>(tiles(g.sizes[0]))};
  const unsigned in_plane = p.tiles_across * static_cast<unsigned>(tiles(p.down));
  visit_wide_item(item, [&]<class U>() {
    for_each_piece(without(g, dim), [&](const Strided<2>& planes, const int64_t(&first)[2]) {
      const dim3 blocks(in_plane, std::min<unsigned>(planes.numel, 65535));
      start("copy", tile_kernel<U>, {blocks}, stream, static_cast<U*>(to) + first[0],
            static_cast<const U*>(from) + first[1], p, planes);
    });
  });
  return true;
}

}  // namespace strata::cuda
