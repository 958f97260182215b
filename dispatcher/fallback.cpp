// Running an op of another device on the CPU: copies of its memory on the host, and tensors over them.
#include "dispatcher/fallback.h"

#include <algorithm>

#include "core/device_backend.h"

namespace strata::dispatch {
namespace {

/// What to do where an op has no kernel on the CPU either: a slim build has left its kernel out.
const char* way_out(const Op& op) {
  return op.is(kNeedsLapack) ? "; this is a slim build of Strata, without the ops that need LAPACK: build with "
                               "-DSTRATA_SLIM=OFF for them"
                             : "";
}

/// The part of one storage that a call's tensors show, and its copy on the host. Tensors that overlap on the device
/// overlap there too.
struct Mirrored {
  StorageImpl* storage;
  size_t begin, end;  ///< in bytes from the storage's first; begin is a multiple of every element size
  bool is_read = false, is_written = false;
  Storage host = {};

  char* first() const { return storage->data() + begin; }
  DeviceBackend& backend() const { return device_backend(storage->device().type()); }
  DeviceIndex device() const { return storage->device().index(); }
};

class Mirror {
 public:
  /// Notes what a tensor shows; those of the CPU, and those without elements, need nothing.
  void add(const Tensor& t, bool is_read, bool is_written) {
    if (!has_memory_elsewhere(t)) return;
    constexpr size_t kLargestElement = 16;
    const ByteRange range = byte_range_of(t);
    const size_t begin = static_cast<size_t>(range.begin - t.storage()->data()) / kLargestElement * kLargestElement;
    const size_t end = static_cast<size_t>(range.end - t.storage()->data());
    Mirrored* m = find(t);
    if (!m) m = &all_.emplace_back(Mirrored{t.storage().get(), begin, end});
    m->begin = std::min(m->begin, begin);
    m->end = std::max(m->end, end);
    m->is_read |= is_read;
    m->is_written |= is_written;
  }

  void copy_to_host() {
    for (Mirrored& m : all_) {
      m.host = Storage::adopt(StorageImpl::create(m.end - m.begin));
      if (m.is_read) m.backend().copy_to_host(m.host->data(), m.first(), m.device(), m.end - m.begin);
    }
  }
  void copy_back() const {
    for (const Mirrored& m : all_)
      if (m.is_written) m.backend().copy_from_host(m.first(), m.device(), m.host->data(), m.end - m.begin);
  }

  /// The same elements on the host.
  Tensor on_host(const Tensor& t) {
    if (!t.defined() || t.is_cpu()) return t;
    if (!has_memory_elsewhere(t)) return empty_cpu(t.sizes(), t.dtype());
    const Mirrored& m = *find(t);
    auto* const impl = new TensorImpl(t.dtype(), kCPU, m.host);
    const int64_t offset = t.storage_offset() - static_cast<int64_t>(m.begin) / static_cast<int64_t>(t.element_size());
    impl->set_geometry(t.sizes(), t.strides(), offset);
    return Tensor::adopt(impl);
  }

 private:
  static bool has_memory_elsewhere(const Tensor& t) {
    return t.defined() && !t.is_cpu() && t.has_storage() && t.numel() > 0;
  }
  Mirrored* find(const Tensor& t) {
    for (Mirrored& m : all_)
      if (m.storage == t.storage().get()) return &m;
    return nullptr;
  }
  std::vector<Mirrored> all_;
};

Tensor on_device(const Tensor& host, Device device) {
  const Tensor packed = host.contiguous();
  Tensor t = empty_on_device(host.sizes(), host.dtype(), device);
  if (t.numel() > 0)
    device_backend(device.type()).copy_from_host(t.bytes(), t.device().index(), packed.bytes(), packed.nbytes());
  return t;
}

KernelFn cpu_kernel_of(const Op& op, Device device) {
  const KernelFn kernel = op.kernel(kCPU);
  STRATA_CHECK(kernel && !device.is_cpu(), "{}: no kernel for device {}{}", op.name(), device.str(), way_out(op));
  if (!op.is(kMovesDevice))  // for which this is the usual way
    warn_once(strata::detail::format_message(
        "{}: there is no kernel for {}, so it runs on the CPU; register one, or give the op one with .decompose(...)",
        {op.name(), name(device.type())}));
  return kernel;
}

}  // namespace

ByteRange byte_range_of(const Tensor& t) {
  int64_t last = 0;
  for (int64_t i = 0; i < t.dim(); ++i) last += (t.sizes()[i] - 1) * t.strides()[i];
  return {t.bytes(), t.bytes() + (last + 1) * static_cast<int64_t>(t.element_size())};
}

bool overlaps(const Tensor& a, const Tensor& b) {
  if (!a.has_storage() || !b.has_storage() || !(a.storage() == b.storage()) || a.numel() == 0 || b.numel() == 0)
    return false;
  const ByteRange x = byte_range_of(a), y = byte_range_of(b);
  return x.begin < y.end && y.begin < x.end;
}

void run_on_cpu(const Op& op, Device device, Tensors& out, Args args, const void* params) {
  const KernelFn kernel = cpu_kernel_of(op, device);
  Mirror mirror;
  for (const Tensor* t : args) mirror.add(*t, true, op.is(kUpdatesInputs));
  for (const Tensor& t : out) mirror.add(t, !t.is_contiguous(), true);  // what lies between its elements stays
  mirror.copy_to_host();
  Tensors host_args = Tensors::undefined(args.size()), host_out = Tensors::undefined(out.size());
  for (size_t i = 0; i < args.size(); ++i) host_args[i] = mirror.on_host(args[i]);
  for (size_t i = 0; i < out.size(); ++i) host_out[i] = mirror.on_host(out[i]);
  kernel(host_out, ArgList(host_args), params);
  mirror.copy_back();
  for (size_t i = out.size(); i < host_out.size(); ++i) out.push_back(on_device(host_out[i], device));
}

}  // namespace strata::dispatch
