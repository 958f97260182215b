// Devices of host memory whose streams run on their own, and the CPU's kernels behind them.
#include "test/distributed/fake_nccl/device.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <utility>

#include "dispatcher/names.h"

namespace strata::test {
namespace {

/// A kernel runs on the host at once, so its stream has to be there. It is that of the thread that calls: another
/// thread's may wait for this very thread.
void wait_for_stream_of(const Tensor& t) {
  if (t.defined() && t.is_cuda()) cuda::backend().synchronize(t.device().index());
}

constexpr size_t kMostOps = 512;
std::array<KernelFn, kMostOps> kernels;

/// Kernels are plain functions, so each op needs one of its own.
template <size_t kOp>
void run_in_order(Tensors& out, Args in, const void* params) {
  for (const Tensor& t : out) wait_for_stream_of(t);
  for (size_t i = 0; i < in.size(); ++i) wait_for_stream_of(in[i]);
  kernels[kOp](out, in, params);
}

template <size_t... kOps>
constexpr std::array<KernelFn, kMostOps> make_ordered(std::index_sequence<kOps...>) {
  return {&run_in_order<kOps>...};
}

void order_kernels() {
  static constexpr auto ordered = make_ordered(std::make_index_sequence<kMostOps>());
  size_t i = 0;
  for (const Op& op : all_ops()) {
    KernelFn& kernel = const_cast<Op&>(op).kernels[static_cast<int>(Key::CUDA)];
    STRATA_CHECK(i < kMostOps, "more than {} ops", kMostOps);
    if (!kernel) continue;
    kernels[i] = kernel;
    kernel = ordered[i++];
  }
}

}  // namespace

AsyncDevices::OfThread& AsyncDevices::mine() {
  static thread_local OfThread mine;
  return mine;
}

/// Each thread's streams are its own from the start: threads that are ranks share no device.
void* AsyncDevices::current_stream(DeviceIndex device) const {
  static auto* const defaults = new std::array<AsyncStream, kDevices>;
  void* const chosen = mine().streams[device];
  return chosen ? chosen : static_cast<HostStream*>(&(*defaults)[static_cast<size_t>(device)]);
}

void AsyncDevices::record_event(void* event, void* stream) {
  auto* const moment = static_cast<Moment*>(event);
  moment->state = std::make_shared<State>();
  stream_at(stream).enqueue([state = moment->state] { state->pass(); });
}

void AsyncDevices::wait_event(void* stream, void* event) {
  stream_at(stream).enqueue([state = static_cast<Moment*>(event)->state] { state->wait(); });
}

cuda::Block AsyncDevices::allocate(size_t bytes, DeviceIndex device) {
  void* data = nullptr;
  STRATA_CHECK(posix_memalign(&data, 64, std::max<size_t>(bytes, 1)) == 0, "the host has no memory left");
  const std::lock_guard lock(memory_mutex_);
  memory_[data] = {current_stream(device), {}};
  return {data, data};
}

void AsyncDevices::free(void* address) noexcept {
  Memory memory;
  {
    const std::lock_guard lock(memory_mutex_);
    memory = memory_.extract(address).mapped();
  }
  for (void* const user : memory.users) {
    const auto state = std::make_shared<State>();
    stream_at(user).enqueue([state] { state->pass(); });
    stream_at(memory.stream).enqueue([state] { state->wait(); });
  }
  stream_at(memory.stream).enqueue([address] { std::free(address); });
}

bool AsyncDevices::record_use(const void* address, DeviceIndex, void* stream) {
  const std::lock_guard lock(memory_mutex_);
  const auto after = memory_.upper_bound(address);
  if (after == memory_.begin()) return false;
  std::prev(after)->second.users.push_back(stream);
  return true;
}

void AsyncDevices::copy_from_host(void* to, DeviceIndex device, const void* from, size_t bytes) {
  synchronize(device);
  std::memcpy(to, from, bytes);
}
void AsyncDevices::copy_to_host(void* to, const void* from, DeviceIndex device, size_t bytes) {
  synchronize(device);
  std::memcpy(to, from, bytes);
}

AsyncDevices* async_devices() {
  if (!stand_in()) return nullptr;
  static AsyncDevices* const once = [] {
    auto* const made = new AsyncDevices;
    cuda::set_backend(made);
    order_kernels();
    return made;
  }();
  return once;
}

}  // namespace strata::test
