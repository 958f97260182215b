// Making and freeing storages.
#include "core/storage.h"

#include <new>

#include "core/allocator.h"
#include "core/cuda_backend.h"

namespace strata {

StorageImpl* StorageImpl::create(size_t bytes) {
  const size_t whole = sizeof(StorageImpl) + bytes;
  if (whole <= kSmallBlock) {
    char* block = static_cast<char*>(small_alloc(whole));
    return new (block) StorageImpl(block + sizeof(StorageImpl), bytes, kCPU);
  }
  char* data = static_cast<char*>(buffer_alloc(bytes));
  return new (small_alloc(sizeof(StorageImpl))) StorageImpl(data, bytes, kCPU);
}

StorageImpl* StorageImpl::create(size_t bytes, Device device) {
  if (device.is_cpu()) return create(bytes);
  const cuda::Block block = cuda::backend().allocate(bytes, device.index());
  const auto give_back = [](void* handle, void*) { cuda::backend().free(handle); };
  return wrap(block.data, bytes, device, give_back, block.handle);
}

StorageImpl* StorageImpl::wrap(void* data, size_t bytes, Device device, DataDeleter deleter, void* context) {
  auto* s = new (small_alloc(sizeof(StorageImpl))) StorageImpl(static_cast<char*>(data), bytes, device);
  s->deleter_ = deleter;
  s->context_ = context;
  s->foreign_ = true;
  return s;
}

void StorageImpl::destroy() noexcept {
  const size_t block = is_inline() && !foreign_ ? sizeof(StorageImpl) + nbytes_ : sizeof(StorageImpl);
  if (foreign_) {
    if (deleter_) deleter_(context_, data_);
  } else if (!is_inline()) {
    buffer_free(data_, nbytes_);
  }
  small_free(this, block);
}

}  // namespace strata
