// CUDA kernels of layer norm and its like: each row is read once and kept in registers.
#include "kernels/cuda/common/rows.cuh"
#include "kernels/cuda/norm/norm.cuh"

namespace strata::cuda::norm {
namespace {

/// Threads of a block where rows are short: several rows side by side.
constexpr unsigned kRowThreads = 512;

template <class C, int n>
__device__ Pack<C, n> pack_at(const C* from, int place, C otherwise) {
  if (from) return reinterpret_cast<const Pack<C, n>*>(from)[place];
  Pack<C, n> p;
  STRATA_UNROLL
  for (int j = 0; j < n; ++j) p[j] = otherwise;
  return p;
}

template <class T, int kWidth, int kPacks>
__global__ void __launch_bounds__(kMostThreads, 1) row_kernel(Normalize<T> t, int rows, int packs) {
  using Row = RowPart<T, kWidth, kPacks>;
  using C = typename Row::C;
  const int row = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y), length = packs * kWidth;
  if (row >= rows) return;
  Row part;
  part.load(t.x + int64_t{row} * length, packs, C(0));
  C sum = 0, squares = 0;
  STRATA_UNROLL
  for (C v : part.values) sum += v;
  const C mean = row_reduce(sum, C(0), Sum()) / static_cast<C>(length);
  STRATA_UNROLL
  for (int i = 0; i < Row::kValues; ++i) {
    C& v = part.values[i];
    v = part.place(i / kWidth) < packs ? v - mean : C(0);
    squares += v * v;
  }
  const C var = row_reduce(squares, C(0), Sum()) / static_cast<C>(length);
  const C rstd = C(1) / std::sqrt(var + t.eps);
  if (threadIdx.x == 0) t.mean[row] = mean, t.var[row] = var;
  const C scale = t.per_element || !t.w ? rstd : rstd * t.w[row], shift = t.per_element || !t.b ? C(0) : t.b[row];
  const C *const w = t.per_element ? t.w : nullptr, *const b = t.per_element ? t.b : nullptr;
  STRATA_UNROLL
  for (int k = 0; k < kPacks; ++k) {
    const int place = part.place(k);
    if (place >= packs) break;
    const auto weight = pack_at<C, kWidth>(w, place, C(1)), bias = pack_at<C, kWidth>(b, place, shift);
    Pack<T, kWidth> y;
    STRATA_UNROLL
    for (int j = 0; j < kWidth; ++j) y[j] = static_cast<T>(part.values[k * kWidth + j] * scale * weight[j] + bias[j]);
    reinterpret_cast<Pack<T, kWidth>*>(t.y + int64_t{row} * length)[place] = y;
  }
}

/// The sums over the rows of a block, in their order, of each column's gradients of weight and bias.
template <class C, int kWidth, int kPacks>
__device__ void store_sums(const C (&gw)[kWidth * kPacks], const C (&gb)[kWidth * kPacks], int packs, C* part) {
  C* const shared = dynamic_shared<C>();
  const int length = packs * kWidth;
  for (unsigned y = 0; y < blockDim.y; ++y) {
    if (threadIdx.y == y) {
      C* const to = y + 1 == blockDim.y ? part : shared;
      STRATA_UNROLL
      for (int i = 0; i < kWidth * kPacks; ++i) {
        const int place = static_cast<int>(threadIdx.x + i / kWidth * blockDim.x), at = place * kWidth + i % kWidth;
        if (place >= packs) break;
        to[at] = y == 0 ? gw[i] : shared[at] + gw[i];
        to[length + at] = y == 0 ? gb[i] : shared[length + at] + gb[i];
      }
    }
    __syncthreads();
  }
}

/// gx of every gridDim.x-th group of rows, and either the parts of these rows in the gradients of weight and bias, or
/// those of each row.
template <class T, int kWidth, int kPacks, bool kPerElement>
__global__ void __launch_bounds__(kMostThreads, 1)
    gradient_kernel(Gradients<T> t, int rows, int packs, arithmetic::Compute<T>* parts) {
  using Row = RowPart<T, kWidth, kPacks>;
  using C = typename Row::C;
  const int length = packs * kWidth;
  C gw[Row::kValues] = {}, gb[Row::kValues] = {};
  for (int first = static_cast<int>(blockIdx.x * blockDim.y); first < rows; first += gridDim.x * blockDim.y) {
    const int row = first + static_cast<int>(threadIdx.y);
    const int mine = row < rows ? packs : 0;
    Row g, x;
    g.load(t.g + int64_t{row} * length, mine, C(0));
    x.load(t.x + int64_t{row} * length, mine, C(0));
    const C mean = mine ? t.mean[row] : C(0), rstd = mine ? t.rstd[row] : C(0);
    Pair<C> sums{0, 0};
    STRATA_UNROLL
    for (int k = 0; k < kPacks; ++k) {
      const int place = g.place(k);
      if (place >= mine) break;
      const auto weight = pack_at<C, kWidth>(kPerElement ? t.w : nullptr, place, C(1));
      STRATA_UNROLL
      for (int i = k * kWidth; i < (k + 1) * kWidth; ++i) {
        C &u = g.values[i], &v = x.values[i];
        v -= mean;
        if (kPerElement) gw[i] += u * (v * rstd), gb[i] += u, u *= weight[i % kWidth];
        sums.first += u;
        sums.second += u * v;
      }
    }
    sums = row_reduce(sums, Pair<C>{0, 0}, AddPairs());
    const C n = static_cast<C>(length), of_g = sums.first / n, of_h = sums.second / n * rstd * rstd;
    const C scale = !kPerElement && t.w && mine ? rstd * t.w[row] : rstd;
    STRATA_UNROLL
    for (int i = 0; i < Row::kValues; ++i) g.values[i] = scale * (g.values[i] - of_g - x.values[i] * of_h);
    g.store(t.gx + int64_t{row} * length, mine);
    if (!kPerElement && mine && threadIdx.x == 0) t.gw[row] = sums.second * rstd, t.gb[row] = sums.first;
  }
  if (kPerElement) store_sums<C, kWidth, kPacks>(gw, gb, packs, parts + int64_t{blockIdx.x} * 2 * length);
}

/// The sum of each column: 32 neighbouring ones per block, whose warps share the rows.
template <class C>
__global__ void __launch_bounds__(kThreads) sum_parts_kernel(const C* parts, int count, int64_t s, C* gw, C* gb) {
  constexpr int kWarps = kThreads / kWarp;
  __shared__ C of_threads[kThreads];
  const int64_t column = int64_t{blockIdx.x} * kWarp + threadIdx.x % kWarp;
  C sum = 0;
  if (column < 2 * s) {
    for (int i = static_cast<int>(threadIdx.x) / kWarp; i < count; i += kWarps) sum += parts[i * 2 * s + column];
  }
  of_threads[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x >= kWarp || column >= 2 * s) return;
  for (int i = 1; i < kWarps; ++i) sum += of_threads[i * kWarp + threadIdx.x];
  (column < s ? gw[column] : gb[column - s]) = sum;
}

/// Is each slice one row?
bool has_rows(const Tensor& x) {
  return x.size(0) == 1 && x.numel() > 0 && x.size(1) <= std::numeric_limits<int32_t>::max() - (1 << 20);
}

}  // namespace

template <class C>
void sum_parts(const Tensor& parts, C* gw, C* gb) {
  const int64_t s = parts.size(1) / 2;
  if (s == 0) return;
  start(kNormalizeBackward, sum_parts_kernel<C>, {static_cast<unsigned>((2 * s + kWarp - 1) / kWarp)}, stream_of(parts),
        parts.data_ptr<C>(), static_cast<int>(parts.size(0)), s, gw, gb);
}
template void sum_parts(const Tensor&, float*, float*);
template void sum_parts(const Tensor&, double*, double*);

template <class T>
bool normalize_rows(const Tensor& x, const Normalize<T>& t) {
  const int64_t rows = x.size(1), length = x.size(2);
  bool fits = false;
  if (!has_rows(x)) return fits;
  visit_rows<T, kMostOfRow<T>, kMostOfRow<T> / 4>(
      length, is_wide<T>(length, {t.x, t.y, t.w, t.b}), [&]<int kWidth, int kPacks>(int64_t packs, dim3 threads) {
        if constexpr (kPacks > 0) {
          start(kNormalize, row_kernel<T, kWidth, kPacks>,
                {static_cast<unsigned>((rows + threads.y - 1) / threads.y), threads}, stream_of(x), t,
                static_cast<int>(rows), static_cast<int>(packs));
          fits = true;
        }
      });
  return fits;
}

namespace {

template <class T, int kWidth, int kPacks>
void start_gradient(const Tensor& x, const Gradients<T>& t, int64_t packs, dim3 threads) {
  using C = arithmetic::Compute<T>;
  const int64_t rows = x.size(1), length = x.size(2);
  threads.y = std::max(1u, kRowThreads / threads.x);
  const int64_t groups = (rows + threads.y - 1) / threads.y;
  if (!t.per_element)
    return start(kNormalizeBackward, gradient_kernel<T, kWidth, kPacks, false>,
                 {static_cast<unsigned>(std::min<int64_t>(groups, 1 << 20)), threads}, stream_of(x), t,
                 static_cast<int>(rows), static_cast<int>(packs), nullptr);
  const Tensor parts = empty_on_device({std::min(groups, kMostParts), 2 * length}, dtype_of<C>, x.device());
  const size_t shared = threads.y > 1 ? static_cast<size_t>(2 * length) * sizeof(C) : 0;
  start(kNormalizeBackward, gradient_kernel<T, kWidth, kPacks, true>,
        {static_cast<unsigned>(parts.size(0)), threads, shared}, stream_of(x), t, static_cast<int>(rows),
        static_cast<int>(packs), parts.data_ptr<C>());
  sum_parts(parts, t.gw, t.gb);
}

}  // namespace

template <class T>
bool normalize_rows_backward(const Tensor& x, const Gradients<T>& t) {
  bool fits = false;
  if (!has_rows(x)) return fits;
  visit_rows<T, kMostOfGradientRow<T>, kMostOfGradientRow<T> / 2>(
      x.size(2), is_wide<T>(x.size(2), {t.g, t.x, t.gx, t.w}),
      [&]<int kWidth, int kPacks>(int64_t packs, dim3 threads) {
        if constexpr (kPacks > 0) {
          start_gradient<T, kWidth, kPacks>(x, t, packs, threads);
          fits = true;
        }
      });
  return fits;
}

template bool normalize_rows(const Tensor&, const Normalize<float>&);
template bool normalize_rows(const Tensor&, const Normalize<double>&);
template bool normalize_rows(const Tensor&, const Normalize<Half>&);
template bool normalize_rows(const Tensor&, const Normalize<BFloat16>&);
template bool normalize_rows_backward(const Tensor&, const Gradients<float>&);
template bool normalize_rows_backward(const Tensor&, const Gradients<double>&);
template bool normalize_rows_backward(const Tensor&, const Gradients<Half>&);
template bool normalize_rows_backward(const Tensor&, const Gradients<BFloat16>&);

}  // namespace strata::cuda::norm
