// The arena's memory and its kernels, which do what the CPU's do on memory of their own.
#include "test/devices/arena.h"

#include <sys/mman.h>

#include <cstring>

#include "dispatcher/kernel.h"
#include "ops/binary_def.h"
#include "ops/linalg_def.h"
#include "ops/optim_ops_def.h"
#include "ops/reduce_def.h"
#include "ops/softmax_def.h"
#include "ops/ternary_def.h"
#include "ops/unary_def.h"

namespace strata::test {
namespace {

constexpr size_t kBytes = size_t{1} << 26, kAligned = 64;

/// The same elements as a tensor of the CPU.
Tensor as_host(const Tensor& t) {
  if (!t.defined()) return t;
  const Storage& s = t.storage();
  auto* const impl = new TensorImpl(t.dtype(), kCPU,
                                    Storage::adopt(StorageImpl::wrap(s->data(), s->nbytes(), kCPU, nullptr, nullptr)));
  impl->set_geometry(t.sizes(), t.strides(), t.storage_offset());
  return Tensor::adopt(impl);
}

template <Op& kOp>
void as_on_cpu(Tensors& out, Args in, const void* params) {
  Tensors host_in = Tensors::undefined(in.size()), host_out = Tensors::undefined(out.size());
  for (size_t i = 0; i < in.size(); ++i) host_in[i] = as_host(in[i]);
  for (size_t i = 0; i < out.size(); ++i) host_out[i] = as_host(out[i]);
  const Arena::Open open(arena());
  arena().note_kernel();
  kOp.kernel(kCPU)(host_out, ArgList(host_in), params);
}

template <Op&... kOps>
bool take_from_cpu() {
  ((kOps.kernels[static_cast<int>(Key::PrivateUse1)] = &as_on_cpu<kOps>), ...);
  return true;
}
[[maybe_unused]] const bool taken = take_from_cpu<add_op, mul_op, sum_op, matmul_op, linear_op, log_softmax_op,
                                                  log_softmax_backward_op, lerp_op, adam_step_op>();

/// A kernel of its own, for contiguous floats, which the test's ReLUs are given.
void relu_arena(Tensors& out, Args in, const NoParams&) {
  const Tensor y = as_host(out[0]), x = as_host(in[0]);
  STRATA_CHECK(x.dtype() == kFloat && x.is_contiguous() && y.is_contiguous(), "relu of the arena: not for this tensor");
  const Arena::Open open(arena());
  arena().note_kernel();
  for (int64_t i = 0; i < x.numel(); ++i) {
    const float v = x.data_ptr<float>()[i];
    y.data_ptr<float>()[i] = v < 0 ? 0 : v;
  }
}
STRATA_KERNEL(relu_op, PrivateUse1, relu_arena);

}  // namespace

thread_local DeviceIndex Arena::current_ = 0;
thread_local void* Arena::streams_[2] = {};

Arena::Arena() {
  void* const p = ::mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  STRATA_CHECK(p != MAP_FAILED, "the arena has no memory");
  free_.emplace(static_cast<char*>(p), kBytes);
  memory_ = static_cast<char*>(p);
}

void Arena::set_access(int change) {
  const std::lock_guard lock(mutex_);
  const bool was_open = open_ > 0;
  open_ += change;
  if (was_open != (open_ > 0)) ::mprotect(memory_, kBytes, open_ > 0 ? PROT_READ | PROT_WRITE : PROT_NONE);
}

/// Takes the first free range that is long enough.
DeviceBlock Arena::allocate(size_t bytes, DeviceIndex) {
  const size_t size = (bytes + kAligned) / kAligned * kAligned;
  const std::lock_guard lock(mutex_);
  for (auto at = free_.begin(); at != free_.end(); ++at) {
    auto [data, room] = *at;
    if (room < size) continue;
    free_.erase(at);
    if (room > size) free_.emplace(data + size, room - size);
    used_.emplace(data, size);
    in_use_ += size;
    return {data, data};
  }
  STRATA_THROW("arena: out of memory: {} bytes asked for", bytes);
}

/// Freed neighbours are not joined: the tests' tensors are few.
void Arena::free(void* handle) noexcept {
  const std::lock_guard lock(mutex_);
  const auto at = used_.find(static_cast<char*>(handle));
  in_use_ -= at->second;
  free_.insert(used_.extract(at));
}

void Arena::copy_from_host(void* to, DeviceIndex, const void* from, size_t bytes) {
  const Open open(*this);
  ++copies;
  std::memcpy(to, from, bytes);
}
void Arena::copy_to_host(void* to, const void* from, DeviceIndex, size_t bytes) {
  const Open open(*this);
  ++copies;
  std::memcpy(to, from, bytes);
}

Arena& arena() {
  static Arena* const once = [] {
    auto* const made = new Arena;
    set_device_backend(kPrivateUse1, made);
    register_privateuse1_backend("arena");
    return made;
  }();
  return *once;
}

}  // namespace strata::test
