// One kernel over many tensors at once: element-wise work on slots of tensors of one size each.
#pragma once
#include "dispatcher/kernel.h"
#include "kernels/arithmetic.h"
#include "kernels/cuda/common/strided.h"
#include "kernels/cuda/runtime/launch.h"

namespace strata::cuda::optim {

/// Slots of one launch: with five tensors each, what a kernel's params hold.
inline constexpr int kMostSlots = 64;
/// Packs that one thread takes.
inline constexpr int kPacksPerThread = 4;

/// Where the tensors of the slots lie. A block works on one slot, blocks of a slot follow each other.
template <int width>
struct Slots {
  void* data[width][kMostSlots];
  int64_t numel[kMostSlots];
  uint32_t first_block[kMostSlots];
  uint64_t packed;  ///< bit i: the tensors of slot i lie at multiples of 16 bytes
  int count;

  /// The last slot that begins at or before the block.
  STRATA_HD int slot_of(uint32_t block) const {
    int low = 0, high = count - 1;
    while (low < high) {
      const int middle = (low + high + 1) / 2;
      if (first_block[middle] <= block)
        low = middle;
      else
        high = middle - 1;
    }
    return low;
  }
};

/// Elements in 16 bytes.
template <class T>
inline constexpr int kSlotPack = 16 / static_cast<int>(sizeof(T));
template <class T>
inline constexpr int64_t kPerBlock = int64_t{kThreads} * kPacksPerThread* kSlotPack<T>;

/// f on elements i to i + n - 1 of each tensor of a slot, computed in float where they are stored in 16 bits. All are
/// read; those that F does not say it keeps are written.
template <class T, int n, int width, class F>
STRATA_HD void run_slot_pack(const F& f, void* const (&data)[width], int64_t i) {
  using C = arithmetic::Compute<T>;
  Pack<T, n> x[width];
  STRATA_UNROLL
  for (int k = 0; k < width; ++k) x[k] = *reinterpret_cast<const Pack<T, n>*>(static_cast<T*>(data[k]) + i);
  STRATA_UNROLL
  for (int j = 0; j < n; ++j) {
    C element[width];
    STRATA_UNROLL
    for (int k = 0; k < width; ++k) element[k] = static_cast<C>(x[k][j]);
    f(element);
    STRATA_UNROLL
    for (int k = 0; k < width; ++k) x[k][j] = static_cast<T>(element[k]);
  }
  STRATA_UNROLL
  for (int k = 0; k < width; ++k)
    if (k != F::kKept) *reinterpret_cast<Pack<T, n>*>(static_cast<T*>(data[k]) + i) = x[k];
}

/// What a block works on: `n` elements of a slot's tensors, of which the first lie in packs.
template <class T, int width>
struct BlockPart {
  void* data[width];
  int64_t n, in_packs;

  __device__ BlockPart(const Slots<width>& slots, uint32_t block) {
    const int s = slots.slot_of(block);
    const int64_t begin = int64_t{block - slots.first_block[s]} * kPerBlock<T>, left = slots.numel[s] - begin;
    n = left < kPerBlock<T> ? left : kPerBlock<T>;
    in_packs = slots.packed >> s & 1 ? n / kSlotPack<T> * kSlotPack<T> : 0;
    STRATA_UNROLL
    for (int k = 0; k < width; ++k) data[k] = static_cast<T*>(slots.data[k][s]) + begin;
  }
};

template <class T, int width, class F>
__global__ void __launch_bounds__(kThreads) slots_kernel(const Slots<width> slots, F f) {
  if (!f.find_numbers()) return;
  const BlockPart<T, width> part(slots, blockIdx.x);
  for (int64_t i = int64_t{threadIdx.x} * kSlotPack<T>; i < part.in_packs; i += kThreads * kSlotPack<T>)
    run_slot_pack<T, kSlotPack<T>, width>(f, part.data, i);
  for (int64_t i = part.in_packs + threadIdx.x; i < part.n; i += kThreads) run_slot_pack<T, 1, width>(f, part.data, i);
}

/// launch(slots, blocks) for the slots of `width` row-major tensors of type T that `in` is made of, up to kMostSlots at
/// a time.
template <class T, int width, class Launch>
void for_each_launch(Args in, Launch launch) {
  Slots<width> slots{};
  int64_t blocks = 0;
  const auto flush = [&] {
    if (slots.count > 0) launch(slots, static_cast<unsigned>(blocks));
    slots.count = 0;
    slots.packed = 0;
    blocks = 0;
  };
  constexpr int64_t kMostBlocks = INT32_MAX;
  for (size_t first = 0; first + width <= in.size(); first += width) {
    const int64_t numel = in[first].numel(), more = (numel + kPerBlock<T> - 1) / kPerBlock<T>;
    if (numel == 0) continue;
    if (slots.count == kMostSlots || blocks + more > kMostBlocks) flush();
    const int s = slots.count++;
    bool packed = true;
    for (int k = 0; k < width; ++k) {
      slots.data[k][s] = in[first + static_cast<size_t>(k)].bytes();
      packed &= is_aligned(slots.data[k][s], 16);
    }
    slots.numel[s] = numel;
    slots.first_block[s] = static_cast<uint32_t>(blocks);
    slots.packed |= uint64_t{packed} << s;
    blocks += more;
  }
  flush();
}

/// Starts f on `in`, slots of `width` row-major tensors of type T: in one launch for up to kMostSlots of them.
template <class T, int width, class F>
void run_slots(std::string_view op, Args in, const F& f) {
  for_each_launch<T, width>(in, [&](const Slots<width>& slots, unsigned blocks) {
    start(op, slots_kernel<T, width, F>, {blocks}, stream_of(in[0]), slots, f);
  });
}

}  // namespace strata::cuda::optim
