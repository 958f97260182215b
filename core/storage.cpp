// Making, resizing and freeing storages.
#include "core/storage.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "core/allocator.h"
#include "core/device_backend.h"
#include "core/error.h"

namespace strata {

StorageImpl* StorageImpl::create(size_t bytes) {
  if (sizeof(StorageImpl) + bytes > kSmallBlock) return create(bytes, kCPU);
  auto* const s = new (small_alloc(sizeof(StorageImpl) + bytes)) StorageImpl(kCPU);
  s->room_behind_ = static_cast<uint32_t>(bytes);
  s->data_ = s->behind_header();
  s->nbytes_ = s->largest_ = bytes;
  s->source_ = Source::kBehindHeader;
  return s;
}

StorageImpl* StorageImpl::create(size_t bytes, Device device) {
  auto s = IntrusivePtr<StorageImpl>::adopt(new (small_alloc(sizeof(StorageImpl))) StorageImpl(device));
  s->take_bytes(bytes);
  return s.detach();
}

StorageImpl* StorageImpl::wrap(void* data, size_t bytes, Device device, DataDeleter deleter, void* context) {
  auto* s = new (small_alloc(sizeof(StorageImpl))) StorageImpl(device);
  s->data_ = static_cast<char*>(data);
  s->nbytes_ = s->largest_ = bytes;
  s->deleter_ = deleter;
  s->context_ = context;
  s->source_ = Source::kDeleter;
  s->resizable_ = false;
  return s;
}

void StorageImpl::take_bytes(size_t bytes) {
  if (!device_.is_cpu()) {
    const DeviceBlock block = device_backend(device_.type()).allocate(bytes, device_.index());
    data_ = static_cast<char*>(block.data);
    context_ = block.handle;
    source_ = Source::kDevice;
  } else if (bytes <= room_behind_) {
    data_ = behind_header();
    source_ = Source::kBehindHeader;
  } else {
    data_ = static_cast<char*>(buffer_alloc(bytes));
    source_ = Source::kBuffer;
  }
  nbytes_ = bytes;
  largest_ = std::max(largest_, bytes);
}

void StorageImpl::free_bytes() noexcept {
  if (source_ == Source::kBuffer) buffer_free(data_, nbytes_);
  if (source_ > Source::kBuffer) [[unlikely]]
    give_back();
  source_ = Source::kNone;
  data_ = nullptr;
  nbytes_ = 0;
}

void StorageImpl::give_back() noexcept {
  if (source_ == Source::kDevice) device_backend(device_.type()).free(context_);
  if (source_ == Source::kDeleter && deleter_) deleter_(context_, data_);
}

void StorageImpl::resize(size_t bytes) {
  STRATA_CHECK(resizable_, "storage: memory that came from outside cannot be resized");
  STRATA_CHECK(
      bytes == 0 || bytes >= largest_,
      "storage: cannot be resized to {} bytes, its tensors may reach {}; free it with 0 or give it all of them", bytes,
      largest_);
  if (bytes == nbytes_) return;
  STRATA_CHECK(bytes == 0 || nbytes_ == 0 || device_.is_cpu(), "storage: memory of {} cannot grow; free it first",
               device_.str());
  if (bytes == 0 || nbytes_ == 0) {
    free_bytes();
    if (bytes > 0) take_bytes(bytes);
    return;
  }
  char* const grown = static_cast<char*>(buffer_alloc(bytes));
  std::memcpy(grown, data_, nbytes_);
  free_bytes();
  data_ = grown;
  nbytes_ = largest_ = bytes;
  source_ = Source::kBuffer;
}

void StorageImpl::destroy() noexcept {
  if (source_ != Source::kBehindHeader) free_bytes();
  small_free(this, sizeof(StorageImpl) + room_behind_);
}

}  // namespace strata
