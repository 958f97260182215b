// The one loop of all element-wise CUDA kernels: 16-byte accesses where operands lie in a row, else any strides.
#pragma once
#include <array>
#include <utility>

#include "dispatcher/kernel.h"
#include "kernels/cuda/common/strided.h"
#include "kernels/cuda/runtime/launch.h"
#include "kernels/op_formulas.h"

namespace strata::cuda {

/// The pointers of an output and N inputs.
template <int N>
struct Pointers {
  void* out;
  const void* in[N];
};

/// Elements that a thread takes at once: 16 bytes of the largest type, one where the function is long.
template <class F, class... T>
inline constexpr int kPack = requires {
  F::kLong;
}
? 1 : 16 / static_cast<int>(std::max({sizeof(T)...}));

template <class T, int n>
STRATA_HD Pack<T, n> load(const void* from, int64_t i, bool constant) {
  Pack<T, n> x;
  if (!constant) return static_cast<const Pack<T, n>*>(from)[i];
  const T value = *static_cast<const T*>(from);
  STRATA_UNROLL
  for (int j = 0; j < n; ++j) x[j] = value;
  return x;
}

/// f at one element, computed in float where that is stored in 16 bits.
template <class R, class F, class... T>
STRATA_HD R apply(const F& f, T... x) {
  return static_cast<R>(f(static_cast<arithmetic::Compute<T>>(x)...));
}

template <class R, class... T, class F, int n = kPack<F, R, T...>, size_t... k>
STRATA_HD void run_pack(const F& f, const Pointers<sizeof...(T)>& p, uint32_t constants, int64_t i,
                        std::index_sequence<k...>) {
  [&](const Pack<T, n>&... x) {
    Pack<R, n> result;
    STRATA_UNROLL
    for (int j = 0; j < n; ++j) result[j] = apply<R>(f, x[j]...);
    static_cast<Pack<R, n>*>(p.out)[i] = result;
  }(load<T, n>(p.in[k], i, constants >> k & 1)...);
}

/// One element: `at` in the output, `offsets[k + 1]` in input k.
template <class R, class... T, class F, class O, size_t... k>
STRATA_HD void run_one(const F& f, const Pointers<sizeof...(T)>& p, const O& offsets, std::index_sequence<k...>) {
  static_cast<R*>(p.out)[offsets[0]] = apply<R>(f, static_cast<const T*>(p.in[k])[offsets[k + 1]]...);
}

/// Where element i is when operands are in a row or, by `constants`, one value.
struct RowOffsets {
  int64_t i;
  uint32_t constants;
  STRATA_HD int64_t operator[](int k) const { return k > 0 && (constants >> (k - 1) & 1) ? 0 : i; }
};

template <class F, class R, class... T>
__global__ void __launch_bounds__(kThreads) packs_kernel(F f, Pointers<sizeof...(T)> p, uint32_t constants, int64_t n) {
  constexpr int kWidth = kPack<F, R, T...>;
  constexpr auto kInputs = std::index_sequence_for<T...>();
  const int64_t thread = int64_t{blockIdx.x} * kThreads + threadIdx.x, step = int64_t{gridDim.x} * kThreads;
  const int64_t packs = n / kWidth;
  for (int64_t i = thread; i < packs; i += step) run_pack<R, T...>(f, p, constants, i, kInputs);
  if (packs * kWidth + thread < n) run_one<R, T...>(f, p, RowOffsets{packs * kWidth + thread, constants}, kInputs);
}

template <class F, class R, class... T>
__global__ void __launch_bounds__(kThreads)
    strided_kernel(F f, Pointers<sizeof...(T)> p, Strided<sizeof...(T) + 1> walk) {
  const uint32_t step = gridDim.x * kThreads;
  for (uint64_t i = blockIdx.x * kThreads + threadIdx.x; i < walk.numel; i += step)
    run_one<R, T...>(f, p, walk.at(static_cast<uint32_t>(i)), std::index_sequence_for<T...>());
}

/// How a launch walks an output and N inputs. What does not depend on the function stands here, once per N.
template <int N>
struct ElementWalk {
  Geometry<N + 1> g;
  Pointers<N> p;
  uint32_t constants = 0;  ///< a bit for each input that is one value
  bool packed = true;      ///< do all others lie in a row, aligned for packs?
};

/// `items` are the bytes of an element of each operand, `pack` the elements that are taken at once.
template <int N>
ElementWalk<N> walk_of(const Tensor& out, Args in, const size_t (&items)[N + 1], size_t pack) {
  ElementWalk<N> w;
  IntArrayRef strides[N + 1] = {out.strides()};
  for (int k = 0; k < N; ++k) strides[k + 1] = in[k].strides();
  w.g = collapse<N + 1>(out.sizes(), strides);
  w.p.out = out.bytes();
  w.packed = w.g.in_a_row(0) && is_aligned(w.p.out, pack * items[0]);
  for (int k = 0; k < N; ++k) {
    w.p.in[k] = in[k].bytes();
    if (w.g.is_constant(k + 1))
      w.constants |= 1u << k;
    else
      w.packed = w.packed && w.g.in_a_row(k + 1) && is_aligned(w.p.in[k], pack * items[k + 1]);
  }
  return w;
}

/// `first` elements further in each operand.
template <int N>
Pointers<N> advanced(const Pointers<N>& p, const int64_t (&first)[N + 1], const size_t (&items)[N + 1]) {
  Pointers<N> at{static_cast<std::byte*>(p.out) + first[0] * static_cast<int64_t>(items[0]), {}};
  for (int k = 0; k < N; ++k)
    at.in[k] = static_cast<const std::byte*>(p.in[k]) + first[k + 1] * static_cast<int64_t>(items[k + 1]);
  return at;
}

/// out[i] = R(f(in[0][i], ...)) for a result type R and inputs of types T.
template <class R, class... T, class F>
void launch(const Op& op, const Tensor& out, Args in, const F& f) {
  constexpr int kInputs = sizeof...(T), kWidth = kPack<F, R, T...>;
  constexpr size_t kItems[] = {sizeof(R), sizeof(T)...};
  const int64_t n = out.numel();
  if (n == 0) return;
  const ElementWalk<kInputs> w = walk_of<kInputs>(out, in, kItems, kWidth);
  const cudaStream_t stream = stream_of(out);
  if (w.packed)
    return start(op.name(), packs_kernel<F, R, T...>, {grid((n + kWidth - 1) / kWidth)}, stream, f, w.p, w.constants,
                 n);
  for_each_piece(w.g, [&](const Strided<kInputs + 1>& piece, const int64_t(&first)[kInputs + 1]) {
    start(op.name(), strided_kernel<F, R, T...>, {grid(piece.numel)}, stream, f, advanced<kInputs>(w.p, first, kItems),
          piece);
  });
}

struct LongFunction {
  static constexpr bool kLong = true;
};
struct ShortFunction {};

/// F of the shared arithmetic with its numbers, in the type that it computes in.
template <class F, class C, int kNumberCount>
    struct Function : std::conditional_t < requires {
  F::kLong;
}, LongFunction, ShortFunction > {
  C numbers[kNumberCount > 0 ? kNumberCount : 1];
  template <class... X>
  STRATA_HD auto operator()(X... x) const {
    return with(std::make_integer_sequence<int, kNumberCount>(), x...);
  }
  template <int... k, class... X>
  STRATA_HD auto with(std::integer_sequence<int, k...>, X... x) const {
    return F::run(x..., numbers[k]...);
  }
};

using Launcher = void (*)(const Op&, const Tensor& out, Args in, const double* numbers);
using Launchers = std::array<Launcher, kNumDTypes>;

template <class F, class T, int kNumberCount, size_t... k>
void launch_same(const Op& op, const Tensor& out, Args in, [[maybe_unused]] const double* numbers,
                 std::index_sequence<k...>) {
  using C = arithmetic::Compute<T>;
  Function<F, C, kNumberCount> f{};
  for (int i = 0; i < kNumberCount; ++i) f.numbers[i] = static_cast<C>(numbers[i]);
  launch<arithmetic::Result<F, T>, std::conditional_t<true, T, std::index_sequence<k>>...>(op, out, in, f);
}

template <class F, int kInputs, int kNumberCount, class... T>
constexpr void add_types(Launchers& t) {
  ((t[static_cast<int>(dtype_of<T>)] =
        [](const Op& op, const Tensor& out, Args in, const double* numbers) {
          launch_same<F, T, kNumberCount>(op, out, in, numbers, std::make_index_sequence<kInputs>());
        }),
   ...);
}

/// The launchers of F by element type; null where there is none.
template <class F, int kInputs, unsigned types, int kNumberCount = 0>
constexpr Launchers launchers() {
  Launchers t{};
  if constexpr (types & arithmetic::kFloats) add_types<F, kInputs, kNumberCount, float, double, Half, BFloat16>(t);
  if constexpr (types & arithmetic::kIntegers)
    add_types<F, kInputs, kNumberCount, uint8_t, int8_t, int16_t, int32_t, uint32_t, int64_t>(t);
  if constexpr (types & arithmetic::kBools) add_types<F, kInputs, kNumberCount, bool>(t);
  if constexpr (types & arithmetic::kComplex) add_types<F, kInputs, kNumberCount, Complex<float>, Complex<double>>(t);
  return t;
}

/// Runs F on inputs of one type, that of the last.
template <class F, int kInputs, unsigned types, int kNumberCount = 0>
void run(const Op& op, const Tensor& out, Args in, const double* numbers = nullptr) {
  static constexpr Launchers table = launchers<F, kInputs, types, kNumberCount>();
  const DType dtype = in[kInputs - 1].dtype();
  const Launcher launcher = table[static_cast<int>(dtype)];
  STRATA_CHECK(launcher, "{}: not implemented for {}; convert it with to()", op.name(), name(dtype));
  launcher(op, out, in, numbers);
}

template <Op& op, int kInputs, unsigned types, class P, class... F>
void run_op(Tensors& out, Args in, const P& p) {
  const auto numbers = arithmetic::numbers_of(p);
  using Run = void (*)(const Op&, const Tensor&, Args, const double*);
  static constexpr Run kRuns[] = {&run<F, kInputs, types, std::tuple_size_v<decltype(numbers)>>...};
  kRuns[arithmetic::which_of(p)](op, out[0], in, numbers.data());
}

template <Op& op, int kInputs, unsigned types, class P, class... F>
void register_op(arithmetic::OpFormulas<op, kInputs, types, P, F...>) {
  op.kernels[static_cast<int>(Key::CUDA)] = &dispatch::KernelThunk<&run_op<op, kInputs, types, P, F...>>::run;
}

/// Registers the kernels of a list's ops.
template <class... O>
struct FormulaOps {
  explicit FormulaOps(arithmetic::List<O...>) { (register_op(O()), ...); }
};

}  // namespace strata::cuda
