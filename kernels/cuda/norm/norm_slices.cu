// CUDA kernels of normalisation over slices of any size: parts of each slice are summed, then the sums, in fixed order.
#include "kernels/cuda/norm/norm.cuh"

namespace strata::cuda::norm {
namespace {

/// Blocks that are worth starting; a number that the shape alone decides, for the same sums on every device.
constexpr int64_t kBlocks = 1056;
/// Lanes of a block that take neighbouring slices of one value per row.
constexpr int kColumns = 32;

/// Count, mean and sum of squared differences from it.
template <class C>
struct Moments {
  C count, mean, squares;
};
struct JoinMoments {
  template <class C>
  __device__ Moments<C> operator()(const Moments<C>& a, const Moments<C>& b) const {
    const C count = a.count + b.count;
    if (count == 0) return a;
    const C delta = b.mean - a.mean, share = b.count / count;
    return {count, a.mean + delta * share, a.squares + b.squares + delta * delta * a.count * share};
  }
};

/// The moments of x. Relative to the first element that a thread meets, sums of squares lose no more digits than its
/// elements are many.
template <class T>
struct ForMoments {
  using C = arithmetic::Compute<T>;
  using Value = Moments<C>;
  using Join = JoinMoments;
  const T* x;
  struct State {
    C first = 0, count = 0, sum = 0, squares = 0;
  };

  __device__ static Value nothing() { return {0, 0, 0}; }
  __device__ State begin(int64_t) const { return {}; }
  template <int n>
  __device__ void add(State& t, int64_t at, int64_t) const {
    const auto v = *reinterpret_cast<const Pack<T, n>*>(x + at);
    if (t.count == 0) t.first = static_cast<C>(v[0]);
    t.count += n;
    STRATA_UNROLL
    for (int j = 0; j < n; ++j) {
      const C d = static_cast<C>(v[j]) - t.first;
      t.sum += d;
      t.squares += d * d;
    }
  }
  __device__ Value end(const State& t) const {
    if (t.count == 0) return nothing();
    const C rest = t.sum / t.count;
    return {t.count, t.first + rest, t.squares - t.sum * rest};
  }
};

/// The sums of g w and g w (x - mean), w along S or 1.
template <class T>
struct ForGradient {
  using C = arithmetic::Compute<T>;
  using Value = Pair<C>;
  using Join = AddPairs;
  const T *g, *x;
  const C *mean, *w;
  struct State {
    C mean;
    Value sums;
  };

  __device__ static Value nothing() { return {0, 0}; }
  __device__ State begin(int64_t c) const { return {mean[c], nothing()}; }
  template <int n>
  __device__ void add(State& t, int64_t at, int64_t s) const {
    const auto grad = *reinterpret_cast<const Pack<T, n>*>(g + at), v = *reinterpret_cast<const Pack<T, n>*>(x + at);
    STRATA_UNROLL
    for (int j = 0; j < n; ++j) {
      C u = static_cast<C>(grad[j]);
      if (w) u *= w[s + j];
      t.sums.first += u;
      t.sums.second += u * (static_cast<C>(v[j]) - t.mean);
    }
  }
  __device__ Value end(const State& t) const { return t.sums; }
};

/// How a block of kThreads threads lies over a slice: `lanes` (a power of two) along S, the others along A; and into
/// how many parts slices are cut.
struct Plan {
  int lanes = 1, along_a = 1, along_s = 1;
  int rows() const { return kThreads / lanes; }
  int parts() const { return along_a * along_s; }
};

Plan plan_for(const Slices& n, int width) {
  Plan p;
  const int64_t packs = n.s / width;
  while (p.lanes < kThreads && p.lanes < packs) p.lanes *= 2;
  const auto divided = [](int64_t a, int64_t b) { return (a + b - 1) / b; };
  const int64_t parts = std::clamp<int64_t>(divided(kBlocks, std::max<int64_t>(n.c, 1)), 1, kThreads);
  p.along_a = static_cast<int>(std::clamp<int64_t>(divided(n.a, p.rows()), 1, parts));
  p.along_s = static_cast<int>(std::clamp<int64_t>(divided(packs, 4 * p.lanes), 1, divided(parts, p.along_a)));
  return p;
}

/// One part of one slice: block (slice, part).
template <int kWidth, class F>
__global__ void __launch_bounds__(kThreads) slices_kernel(F f, Slices n, Plan p, typename F::Value* parts) {
  const int64_t c = blockIdx.x;
  const int part_a = static_cast<int>(blockIdx.y) / p.along_s, part_s = static_cast<int>(blockIdx.y) % p.along_s;
  const int lane = static_cast<int>(threadIdx.x) & (p.lanes - 1), y = static_cast<int>(threadIdx.x) / p.lanes;
  const int rows = kThreads / p.lanes;
  typename F::State state = f.begin(c);
  for (int64_t a = part_a * rows + y; a < n.a; a += p.along_a * rows) {
    const int64_t at = n.at(a, c);
    for (int64_t s = int64_t{part_s * p.lanes + lane} * kWidth; s < n.s; s += int64_t{p.along_s} * p.lanes * kWidth)
      f.template add<kWidth>(state, at + s, s);
  }
  const auto value = block_reduce<kThreads>(f.end(state), typename F::Join());
  if (threadIdx.x == 0) parts[c * gridDim.y + blockIdx.y] = value;
}

/// The same for slices of one value per row: kColumns slices side by side.
template <class F>
__global__ void __launch_bounds__(kThreads) columns_kernel(F f, Slices n, typename F::Value* parts) {
  constexpr int kRows = kThreads / kColumns;
  __shared__ typename F::Value of_threads[kThreads];
  const int64_t c = int64_t{blockIdx.x} * kColumns + threadIdx.x % kColumns;
  if (c < n.c) {
    typename F::State state = f.begin(c);
    for (int64_t a = blockIdx.y * kRows + threadIdx.x / kColumns; a < n.a; a += gridDim.y * kRows)
      f.template add<1>(state, n.at(a, c), 0);
    of_threads[threadIdx.x] = f.end(state);
  }
  __syncthreads();
  if (c >= n.c || threadIdx.x >= kColumns) return;
  auto value = of_threads[threadIdx.x];
  for (int i = 1; i < kRows; ++i) value = typename F::Join()(value, of_threads[i * kColumns + threadIdx.x]);
  parts[c * gridDim.y + blockIdx.y] = value;
}

/// Calls finish(slice, all parts together), a warp for each slice.
template <class F, class V>
__global__ void __launch_bounds__(kThreads) join_kernel(V* parts, int count, int64_t slices, F finish) {
  const int64_t c = (int64_t{blockIdx.x} * kThreads + threadIdx.x) / kWarp;
  if (c >= slices) return;
  V value = F::For::nothing();
  for (int i = static_cast<int>(threadIdx.x) % kWarp; i < count; i += kWarp)
    value = typename F::For::Join()(value, parts[c * count + i]);
  value = warp_reduce(value, typename F::For::Join());
  if (threadIdx.x % kWarp == 0) finish(c, value);
}

template <class T>
struct StoreMoments {
  using For = ForMoments<T>;
  using C = arithmetic::Compute<T>;
  C *mean, *var;
  __device__ void operator()(int64_t c, const Moments<C>& m) const {
    mean[c] = m.count == 0 ? C(0) / m.count : m.mean;
    var[c] = m.squares / m.count;
  }
};

/// The means of g w and of g w h over a slice, the latter as a factor of x - mean; one value per slice of gw and gb.
template <class T>
struct StoreSums {
  using For = ForGradient<T>;
  using C = arithmetic::Compute<T>;
  const C* rstd;
  C *of_g, *of_h, *gw, *gb;
  C count;
  __device__ void operator()(int64_t c, const Pair<C>& sums) const {
    const C r = rstd[c];
    of_g[c] = sums.first / count;
    of_h[c] = sums.second / count * r * r;
    if (gw) gw[c] = sums.second * r, gb[c] = sums.first;
  }
};

/// Sums of all slices: f over their elements, `finish` with the results.
template <class T, class F, class Finish>
void sum_slices(const char* op, const Tensor& x, bool wide, const F& f, const Finish& finish) {
  using V = typename F::Value;
  constexpr int kWidth = 16 / static_cast<int>(sizeof(T));
  const Slices n(x);
  if (n.c == 0) return;
  const cudaStream_t stream = stream_of(x);
  const bool columns = n.s == 1;
  const int64_t column_blocks = (n.c + kColumns - 1) / kColumns;
  const Plan p = plan_for(n, wide ? kWidth : 1);
  const int64_t most = std::clamp<int64_t>((n.a + 63) / 64, 1, std::max<int64_t>(1, kBlocks / column_blocks));
  const int count = columns ? static_cast<int>(most) : p.parts();
  const Tensor scratch = empty_on_device({n.c * count * static_cast<int64_t>(sizeof(V))}, kByte, x.device());
  auto* const parts = reinterpret_cast<V*>(scratch.bytes());
  if (columns)
    start(op, columns_kernel<F>, {dim3(static_cast<unsigned>(column_blocks), count)}, stream, f, n, parts);
  else
    start(op, wide ? slices_kernel<kWidth, F> : slices_kernel<1, F>, {dim3(static_cast<unsigned>(n.c), count)}, stream,
          f, n, p, parts);
  start(op, join_kernel<Finish, V>, {blocks_for(n.c * kWarp)}, stream, parts, count, n.c, finish);
}

/// The results of the forward pass, a pack at a time. What all elements of a row share is made once: a square root and
/// a division are dozens of instructions.
template <class T>
struct Apply {
  using C = arithmetic::Compute<T>;
  Normalize<T> t;
  struct Row {
    C mean, rstd, scale, shift;
  };
  __device__ Row row(int64_t c) const {
    const C rstd = C(1) / std::sqrt(t.var[c] + t.eps);
    const bool has_scale = t.w && !t.per_element, has_shift = t.b && !t.per_element;
    return {t.mean[c], rstd, has_scale ? rstd * t.w[c] : rstd, has_shift ? t.b[c] : C(0)};
  }
  template <int n>
  __device__ void run(const Row& row, int64_t at, int64_t s) const {
    const auto v = *reinterpret_cast<const Pack<T, n>*>(t.x + at);
    Pack<T, n> y;
    STRATA_UNROLL
    for (int j = 0; j < n; ++j) {
      const C scale = t.w && t.per_element ? row.rstd * t.w[s + j] : row.scale;
      const C shift = t.b && t.per_element ? t.b[s + j] : row.shift;
      y[j] = static_cast<T>((static_cast<C>(v[j]) - row.mean) * scale + shift);
    }
    *reinterpret_cast<Pack<T, n>*>(t.y + at) = y;
  }
};
template <class T>
struct ApplyGradient {
  using C = arithmetic::Compute<T>;
  Gradients<T> t;
  const C *of_g, *of_h;
  struct Row {
    C mean, scale, of_g, of_h;
  };
  __device__ Row row(int64_t c) const {
    return {t.mean[c], t.w && !t.per_element ? t.rstd[c] * t.w[c] : t.rstd[c], of_g[c], of_h[c]};
  }
  template <int n>
  __device__ void run(const Row& row, int64_t at, int64_t s) const {
    const auto g = *reinterpret_cast<const Pack<T, n>*>(t.g + at), x = *reinterpret_cast<const Pack<T, n>*>(t.x + at);
    Pack<T, n> gx;
    STRATA_UNROLL
    for (int j = 0; j < n; ++j) {
      C u = static_cast<C>(g[j]);
      if (t.w && t.per_element) u *= t.w[s + j];
      gx[j] = static_cast<T>(row.scale * (u - row.of_g - (static_cast<C>(x[j]) - row.mean) * row.of_h));
    }
    *reinterpret_cast<Pack<T, n>*>(t.gx + at) = gx;
  }
};

/// f at all elements: `lanes` threads along each row (a, c), rows of a block side by side.
template <int kWidth, class F>
__global__ void __launch_bounds__(kThreads) rows_kernel(F f, Slices n, int lanes) {
  const int64_t row = int64_t{blockIdx.x} * (kThreads / lanes) + threadIdx.x / lanes, rows = n.a * n.c;
  if (row >= rows) return;
  const int64_t c = rows <= UINT32_MAX ? static_cast<uint32_t>(row) % static_cast<uint32_t>(n.c) : row % n.c;
  const int64_t first = int64_t{blockIdx.y} * lanes + (threadIdx.x & (lanes - 1));
  const typename F::Row of_row = f.row(c);
  for (int64_t s = first * kWidth; s < n.s; s += int64_t{gridDim.y} * lanes * kWidth)
    f.template run<kWidth>(of_row, row * n.s + s, s);
}

template <class T, class F>
void for_rows(const char* op, const Tensor& x, bool wide, const F& f) {
  constexpr int kWidth = 16 / static_cast<int>(sizeof(T));
  if (x.numel() == 0) return;
  const Slices n(x);
  const int lanes = plan_for(n, wide ? kWidth : 1).lanes, rows = kThreads / lanes;
  const int64_t packs = n.s / (wide ? kWidth : 1), blocks = (n.a * n.c + rows - 1) / rows;
  const int64_t pieces = std::clamp<int64_t>(packs / (4 * lanes), 1, 4096);
  start(op, wide ? rows_kernel<kWidth, F> : rows_kernel<1, F>,
        {dim3(static_cast<unsigned>(blocks), static_cast<unsigned>(pieces))}, stream_of(x), f, n, lanes);
}

/// The parts of gradients along S: for each column the sums over every gridDim.y-th group of rows (a, c).
template <class T>
__global__ void __launch_bounds__(kThreads)
    element_sums_kernel(Gradients<T> t, Slices n, arithmetic::Compute<T>* parts) {
  using C = arithmetic::Compute<T>;
  constexpr int kRows = kThreads / kColumns;
  __shared__ Pair<C> of_threads[kThreads];
  const int64_t s = int64_t{blockIdx.x} * kColumns + threadIdx.x % kColumns, rows = n.a * n.c;
  Pair<C> sums{0, 0};
  for (int64_t r = blockIdx.y * kRows + threadIdx.x / kColumns; s < n.s && r < rows; r += gridDim.y * kRows) {
    const C g = static_cast<C>(t.g[r * n.s + s]);
    const int64_t c = r % n.c;
    sums.first += g * ((static_cast<C>(t.x[r * n.s + s]) - t.mean[c]) * t.rstd[c]);
    sums.second += g;
  }
  of_threads[threadIdx.x] = sums;
  __syncthreads();
  if (s >= n.s || threadIdx.x >= kColumns) return;
  for (int i = 1; i < kRows; ++i) sums = AddPairs()(sums, of_threads[i * kColumns + threadIdx.x]);
  parts[blockIdx.y * 2 * n.s + s] = sums.first;
  parts[(blockIdx.y * 2 + 1) * n.s + s] = sums.second;
}

template <class T>
void sum_elements(const Tensor& x, const Gradients<T>& t) {
  using C = arithmetic::Compute<T>;
  const Slices n(x);
  const int64_t count = std::clamp<int64_t>((n.a * n.c + 63) / 64, 1, kMostParts);
  if (n.s == 0) return;
  const Tensor parts = empty_on_device({count, 2 * n.s}, dtype_of<C>, x.device());
  const auto blocks = static_cast<unsigned>((n.s + kColumns - 1) / kColumns);
  start(kNormalizeBackward, element_sums_kernel<T>, {dim3(blocks, static_cast<unsigned>(count))}, stream_of(x), t, n,
        parts.data_ptr<C>());
  sum_parts(parts, t.gw, t.gb);
}

}  // namespace

template <class T>
void normalize_slices(const Tensor& x, const Normalize<T>& t) {
  const bool wide = is_wide<T>(x.size(2), {t.x, t.y});
  sum_slices<T>(kNormalize, x, wide, ForMoments<T>{t.x}, StoreMoments<T>{t.mean, t.var});
  for_rows<T>(kNormalize, x, wide, Apply<T>{t});
}

template <class T>
void normalize_slices_backward(const Tensor& x, const Gradients<T>& t) {
  using C = arithmetic::Compute<T>;
  const bool wide = is_wide<T>(x.size(2), {t.x, t.g, t.gx});
  const Tensor sums = empty_on_device({2, x.size(1)}, dtype_of<C>, x.device());
  C *const of_g = sums.data_ptr<C>(), *const of_h = of_g + x.size(1);
  const StoreSums<T> finish{t.rstd,
                            of_g,
                            of_h,
                            t.per_element ? nullptr : t.gw,
                            t.per_element ? nullptr : t.gb,
                            static_cast<C>(x.size(0) * x.size(2))};
  sum_slices<T>(kNormalizeBackward, x, wide, ForGradient<T>{t.g, t.x, t.mean, t.per_element ? t.w : nullptr}, finish);
  for_rows<T>(kNormalizeBackward, x, wide, ApplyGradient<T>{t, of_g, of_h});
  if (t.per_element) sum_elements(x, t);
}

template void normalize_slices(const Tensor&, const Normalize<float>&);
template void normalize_slices(const Tensor&, const Normalize<double>&);
template void normalize_slices(const Tensor&, const Normalize<Half>&);
template void normalize_slices(const Tensor&, const Normalize<BFloat16>&);
template void normalize_slices_backward(const Tensor&, const Gradients<float>&);
template void normalize_slices_backward(const Tensor&, const Gradients<double>&);
template void normalize_slices_backward(const Tensor&, const Gradients<Half>&);
template void normalize_slices_backward(const Tensor&, const Gradients<BFloat16>&);

}  // namespace strata::cuda::norm
