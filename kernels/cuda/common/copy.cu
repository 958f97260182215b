// CUDA kernels that copy, fill and convert, and the moves between devices.
#include <atomic>
#include <cstring>

#include "core/cuda_backend.h"
#include "core/cuda_graph.h"
#include "dispatcher/kernel.h"
#include "kernels/convert.h"
#include "kernels/cuda/common/copy.h"
#include "kernels/cuda/common/strided.h"
#include "kernels/cuda/common/transpose.h"
#include "kernels/cuda/runtime/index_error.h"
#include "kernels/cuda/runtime/launch.h"
#include "kernels/visit_item.h"
#include "ops/cast_def.h"

namespace strata::cuda {
namespace {

template <class U>
__global__ void copy_kernel(U* to, const U* from, const Strided<2> elements) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= elements.numel) return;
  const Offsets<2> at = elements.at(i);
  to[at[0]] = from[at[1]];
}

template <class U>
__global__ void fill_kernel(U* to, U value, const Strided<1> elements) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i < elements.numel) to[elements.at(i)[0]] = value;
}

/// Elements of a conversion that one thread takes: 16 bytes on the wider side.
template <class To, class From>
inline constexpr int kPerThread = 16 / (sizeof(To) > sizeof(From) ? sizeof(To) : sizeof(From));

template <class To, class From>
__global__ void cast_kernel(To* to, const From* from, int64_t n, bool packs) {
  constexpr int kPack = kPerThread<To, From>;
  const int64_t first = (int64_t{blockIdx.x} * kThreads + threadIdx.x) * kPack;
  if (packs && first + kPack <= n) {
    const auto x = *reinterpret_cast<const Pack<From, kPack>*>(from + first);
    Pack<To, kPack> y;
    STRATA_UNROLL
    for (int i = 0; i < kPack; ++i) y[i] = convert<To>(x[i]);
    *reinterpret_cast<Pack<To, kPack>*>(to + first) = y;
    return;
  }
  for (int64_t i = first; i < n && i < first + kPack; ++i) to[i] = convert<To>(from[i]);
}

void copy_bytes(const Tensor& to, const Tensor& from) {
  const cudaStream_t stream = stream_of(to);
  check(cudaMemcpyAsync(to.bytes(), from.bytes(), to.nbytes(), cudaMemcpyDeviceToDevice, stream), "copy");
}

void fill_with(const Tensor& to, const void* value) {
  Geometry<1> g = collapse<1>(to.sizes(), {to.strides()});
  char* const data = to.bytes();
  const size_t item = item_size(to.dtype()), bytes = widen(g, item, {data});
  char repeated[16];
  for (size_t i = 0; i < bytes; i += item) std::memcpy(repeated + i, value, item);
  visit_wide_item(bytes, [&]<class U>() {
    U pattern;
    std::memcpy(&pattern, repeated, sizeof(U));
    for_each_piece(g, [&](const Strided<1>& piece, const int64_t(&first)[1]) {
      U* const begin = reinterpret_cast<U*>(data) + first[0];
      start("fill", fill_kernel<U>, {blocks_for(piece.numel)}, stream_of(to), begin, pattern, piece);
    });
  });
}

void copy_cuda(Tensors& out, Args in, const NoParams&) { copy_strided(out[0], in[0]); }

void fill_cuda(Tensors& out, Args, const FillParams& p) { fill_strided(out[0], p.value); }

template <class To, class From>
void cast_rows(const Tensor& to, const Tensor& from) {
  constexpr int kPack = kPerThread<To, From>;
  const bool packs = is_aligned(to.bytes(), kPack * sizeof(To)) && is_aligned(from.bytes(), kPack * sizeof(From));
  const int64_t n = to.numel();
  start("cast", cast_kernel<To, From>, {blocks_for((n + kPack - 1) / kPack)}, stream_of(to),
        reinterpret_cast<To*>(to.bytes()), reinterpret_cast<const From*>(from.bytes()), n, packs);
}

/// Strided operands go through a row-major copy: a pair of types has one kernel, not one per kind of layout.
void cast_cuda(Tensors& out, Args in, const CastParams&) {
  if (out[0].numel() == 0) return;
  const Tensor from = row_major(in[0]);
  const bool direct = out[0].is_contiguous();
  const Tensor to = direct ? out[0] : empty_on_device(out[0].sizes(), out[0].dtype(), out[0].device());
  visit_any_dtype(from.dtype(), [&]<class From>() {
    visit_any_dtype(to.dtype(), [&]<class To>() { cast_rows<To, From>(to, from); });
  });
  if (!direct) copy_strided(out[0], to);
}

// --- between devices -------------------------------------------------------------------------------------------------

/// Work that `second` is given from now on comes after all that `first` has.
void order(cudaStream_t first, const Tensor& on_first, cudaStream_t second) {
  const DeviceGuard guard(on_first.device());
  cudaEvent_t event;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "transfer");
  check(cudaEventRecord(event, first), "transfer");
  check(cudaStreamWaitEvent(second, event, 0), "transfer");
  check(cudaEventDestroy(event), "transfer");
}

/// Copies between two devices go straight where the machine can, rather than through the host.
void enable_peer_access(DeviceIndex device, DeviceIndex peer) {
  static std::atomic<bool> tried[64][64];
  if (tried[device][peer].exchange(true, std::memory_order_relaxed)) return;
  int can = 0;
  check(cudaDeviceCanAccessPeer(&can, device, peer), "transfer between devices");
  if (!can) return;
  const DeviceGuard guard(Device(kCUDA, device));
  cudaDeviceEnablePeerAccess(peer, 0);
  cudaGetLastError();  // somebody else may have enabled it
}

/// On the source's stream, so that the source may be freed at once; the destination's waits for it.
void between_gpus(const Tensor& to, const Tensor& from) {
  const DeviceIndex source = from.device().index(), target = to.device().index();
  enable_peer_access(source, target);
  enable_peer_access(target, source);
  const cudaStream_t reads = stream_of(from), writes = stream_of(to);
  order(writes, to, reads);
  check(cudaMemcpyPeerAsync(to.bytes(), target, from.bytes(), source, to.nbytes(), reads), "transfer between devices");
  order(reads, from, writes);
}

/// Of ordinary memory the runtime has read all when the call returns. Pinned memory it reads later: ours stays reserved
/// until then, others' is waited for. A graph reads it again in each replay.
void host_to_device(const Tensor& to, const Tensor& from) {
  const cudaStream_t stream = stream_of(to);
  const bool pinned = backend().is_pinned(from.bytes());
  STRATA_CHECK(pinned || !is_current_stream_capturing(),
               "transfer to the device: a captured graph reads host memory again in each replay, so it must be pinned "
               "and kept: pin_memory()");
  check(cudaMemcpyAsync(to.bytes(), from.bytes(), to.nbytes(), cudaMemcpyHostToDevice, stream),
        "transfer to the device");
  if (!pinned || backend().record_use(from.bytes(), to.device().index(), stream) || is_current_stream_capturing())
    return;
  check(cudaStreamSynchronize(stream), "transfer to the device");
}

/// The numbers are there when this returns, since the host has no stream that could wait for them, unless the caller
/// wants to see to that and the memory is pinned.
void device_to_host(const Tensor& to, const Tensor& from, bool non_blocking) {
  const DeviceGuard guard(from.device());
  const cudaStream_t stream = stream_of(from);
  const bool waits = !non_blocking || !backend().is_pinned(to.bytes());
  if (waits) refuse_capture("transfer to the host");
  check(cudaMemcpyAsync(to.bytes(), from.bytes(), to.nbytes(), cudaMemcpyDeviceToHost, stream), "transfer to the host");
  if (!waits) {
    backend().record_use(to.bytes(), from.device().index(), stream);
    return;
  }
  check(cudaStreamSynchronize(stream), "transfer to the host");
  throw_index_errors();
}

void transfer_rows(const Tensor& to, const Tensor& from, bool non_blocking) {
  if (from.is_cpu()) return host_to_device(to, from);
  return to.is_cpu() ? device_to_host(to, from, non_blocking) : between_gpus(to, from);
}

/// Copies on one device with that device's own kernel.
void copy_on_device(const Tensor& to, const Tensor& from) {
  const DeviceGuard guard(to.device());
  Tensors out(to);
  const NoParams none;
  copy_op.kernels[static_cast<int>(to.device().type())](out, {&from}, &none);
}

Tensor empty_on(Device device, const Tensor& like) { return empty(meta(like.sizes(), like.dtype(), device)); }

/// Only row-major memory crosses: what is strided is packed where it is and unpacked where it goes.
void transfer(Tensors& out, Args in, const TransferParams& p) {
  const Tensor &to = out[0], &from = in[0];
  if (to.numel() == 0) return;
  if (to.device() == from.device()) return copy_on_device(to, from);
  Tensor packed = from;
  if (!from.is_contiguous()) copy_on_device(packed = empty_on(from.device(), from), from);
  if (to.is_contiguous()) return transfer_rows(to, packed, p.non_blocking);
  const Tensor arrived = empty_on(to.device(), to);
  transfer_rows(arrived, packed, false);
  copy_on_device(to, arrived);
}

STRATA_KERNEL(copy_op, CUDA, copy_cuda);
STRATA_KERNEL(fill_op, CUDA, fill_cuda);
STRATA_KERNEL(cast_op, CUDA, cast_cuda);
STRATA_KERNEL(cast_to_integer_op, CUDA, cast_cuda);
STRATA_KERNEL(transfer_op, CUDA, transfer);

}  // namespace

void copy_strided(const StridedMemory& to, const StridedMemory& from, IntArrayRef sizes, size_t item,
                  cudaStream_t stream) {
  Geometry<2> g = collapse<2>(sizes, {to.strides, from.strides});
  if (copy_tiles(g, item, to.data, from.data, stream)) return;
  visit_wide_item(widen(g, item, {to.data, from.data}), [&]<class U>() {
    for_each_piece(g, [&](const Strided<2>& piece, const int64_t(&first)[2]) {
      start("copy", copy_kernel<U>, {blocks_for(piece.numel)}, stream, reinterpret_cast<U*>(to.data) + first[0],
            reinterpret_cast<const U*>(from.data) + first[1], piece);
    });
  });
}

void copy_strided(const Tensor& to, const Tensor& from) {
  if (to.numel() == 0) return;
  if (to.is_contiguous() && from.is_contiguous()) return copy_bytes(to, from);
  copy_strided(memory_of(to), memory_of(from), to.sizes(), item_size(to.dtype()), stream_of(to));
}

void fill_strided(const Tensor& to, const Scalar& value) {
  visit_stored_dtype(to.dtype(), [&]<class T>() {
    const T element = value.wrapped_to<T>();
    fill_with(to, &element);
  });
}

Tensor row_major(const Tensor& t) {
  if (t.is_contiguous()) return t;
  const Tensor copy = empty_on_device(t.sizes(), t.dtype(), t.device());
  copy_strided(copy, t);
  return copy;
}

}  // namespace strata::cuda
