// Memory of the host as a device's, and kernels that do what the CPU's do.
#include "test/cuda_stand_in.h"

#include <dlfcn.h>

#include <cstdlib>
#include <memory>

#include "dispatcher/call.h"
#include "dispatcher/names.h"

namespace strata::test {
namespace {

/// What is known of a block. It lies apart: replays write over what lay in a graph's memory when it was captured.
struct Handle {
  size_t bytes;
  DeviceIndex device;
  void* data;
  cuda::CachingAllocator::Block* block;  ///< of a graph's memory, else null
};

/// The same memory as a tensor of the CPU.
Tensor on_host(const Tensor& t) {
  if (!t.defined() || t.is_cpu()) return t;
  auto* impl = new TensorImpl(
      t.dtype(), kCPU, Storage::adopt(StorageImpl::wrap(t.storage()->data(), t.nbytes(), kCPU, nullptr, nullptr)));
  impl->set_geometry(t.sizes(), t.strides(), t.storage_offset());
  return Tensor::adopt(impl);
}

struct OnHost {
  explicit OnHost(Args args) : tensors(Tensors::undefined(args.size())) {
    for (size_t i = 0; i < args.size(); ++i) tensors[i] = on_host(args[i]);
  }
  Tensors tensors;
};

/// By name: a program that names an op's object would get a copy of it from the loader, and the library uses that.
Op& op_named(std::string_view name) {
  for (const Op& op : all_ops())
    if (op.name() == name) return const_cast<Op&>(op);
  STRATA_THROW("no op '{}'", name);
}
KernelFn cpu_kernel(const Op& op) { return op.kernels[static_cast<int>(Key::CPU)]; }

void copy_any(Tensors& out, Args in, const void*) {
  Tensors to(on_host(out[0]));
  const Tensor from = on_host(in[0]);
  const NoParams none;
  static const KernelFn copy = cpu_kernel(op_named("copy"));
  copy(to, {&from}, &none);
}

/// Results whose shape the kernel finds out are moved to the device of the input.
void run_and_move(const char* op, Tensors& out, Args in, const void* params) {
  const OnHost host(in);
  Tensors found;
  cpu_kernel(op_named(op))(found, ArgList(host.tensors), params);
  for (const Tensor& t : found) {
    Tensors moved(empty(meta(t.sizes(), t.dtype(), in[0].device())));
    copy_any(moved, {&t}, nullptr);
    out.push_back(moved[0]);
  }
}
void nonzero(Tensors& out, Args in, const void* params) { run_and_move("nonzero", out, in, params); }
void unique(Tensors& out, Args in, const void* params) { run_and_move("unique", out, in, params); }

}  // namespace

cuda::DeviceProperties StandIn::properties(DeviceIndex) const { return {"host memory", 0, 0, 1, capacity}; }

void* StandIn::pool_stream(DeviceIndex, bool) {
  static HostStream streams[32];
  static int next = 0;
  return &streams[next++ % 32];
}

/// A stream that waits for one that is captured takes part in the capture.
void StandIn::wait_event(void* stream, void* event) {
  CapturedWork* const r = static_cast<Event*>(event)->recording;
  if (!r || !stream || recording_of(stream) == r) return;
  static_cast<HostStream*>(stream)->recording = r;
  r->streams.push_back(static_cast<HostStream*>(stream));
}

cuda::Block StandIn::allocate(size_t bytes, DeviceIndex device) {
  const std::lock_guard lock(mutex_);
  cuda::MemoryStats& s = stats_[device];
  STRATA_CHECK(static_cast<size_t>(s.allocated) + bytes <= capacity,
               "cuda:{}: out of memory: {} bytes asked for, {} of {} in use", int{device}, bytes, s.allocated,
               capacity);
  void* const stream = current_stream(device);
  const CapturedWork* const r = recording_of(stream);
  cuda::CachingAllocator::Block* const block = r ? graphs_.allocate(bytes, stream, r->pool) : nullptr;
  void* data = block ? cuda::CachingAllocator::data(block) : nullptr;
  if (!block) STRATA_CHECK(posix_memalign(&data, 64, std::max<size_t>(bytes, 1)) == 0, "the host has no memory left");
  s.allocated += static_cast<int64_t>(bytes);
  s.max_allocated = std::max(s.max_allocated, s.allocated);
  ++s.num_allocs;
  return {data, new Handle{bytes, device, data, block}};
}

cuda::Block StandIn::allocate_pinned(size_t bytes, DeviceIndex device) {
  const cuda::Block b = allocate(bytes, device);
  const std::lock_guard lock(mutex_);
  pinned_.insert(b.data);
  return b;
}
bool StandIn::is_pinned(const void* address) {
  const std::lock_guard lock(mutex_);
  return pinned_.count(address) > 0;
}

void StandIn::free(void* handle) noexcept {
  const std::unique_ptr<Handle> h(static_cast<Handle*>(handle));
  const std::lock_guard lock(mutex_);
  stats_[h->device].allocated -= static_cast<int64_t>(h->bytes);
  pinned_.erase(h->data);
  if (h->block) return graphs_.free(h->block);
  std::free(h->data);
}

void StandIn::begin_capture(DeviceIndex, void* stream, uint64_t pool) {
  STRATA_CHECK(stream, "Graph: the default stream cannot be captured");
  auto* const s = static_cast<HostStream*>(stream);
  s->recording = new CapturedWork{{}, {s}, pool};
  graphs_.begin_capture(pool);
}

void* StandIn::end_capture(DeviceIndex, void* stream) {
  CapturedWork* const r = recording_of(stream);
  for (HostStream* const s : r->streams) s->recording = nullptr;
  graphs_.end_capture();
  return r;
}

void StandIn::launch_graph(void* graph, void*) {
  for (const auto& work : static_cast<CapturedWork*>(graph)->work) work();
}
void StandIn::destroy_graph(void* graph) noexcept { delete static_cast<CapturedWork*>(graph); }
void StandIn::release_pool(DeviceIndex, uint64_t pool) noexcept { graphs_.release_pool(pool); }
void StandIn::write_position(uint64_t* words, Generator::Position at, DeviceIndex, void*) {
  words[0] = at.seed;
  words[1] = at.offset;
}

StandIn* stand_in(const char* kernels) {
  if (cuda::is_available() && !dynamic_cast<StandIn*>(cuda::find_backend())) return nullptr;
  static StandIn* const once = [kernels] {
    auto* const made = new StandIn;
    cuda::set_backend(made);
    for (const Op& op : all_ops()) const_cast<Op&>(op).kernels[static_cast<int>(Key::CUDA)] = cpu_kernel(op);
    op_named("transfer").kernels[static_cast<int>(Key::CUDA)] = &copy_any;
    op_named("runs").kernels[static_cast<int>(Key::CUDA)] = nullptr;  // it makes its outputs itself: of other ops, then
    op_named("nonzero").kernels[static_cast<int>(Key::CUDA)] = &nonzero;
    op_named("unique").kernels[static_cast<int>(Key::CUDA)] = &unique;
    STRATA_CHECK(!kernels || dlopen(kernels, RTLD_NOW | RTLD_LOCAL), "{}", dlerror());  // they register themselves
    return made;
  }();
  return once;
}

}  // namespace strata::test
