// Geometry changes and the rare parts of a tensor's life.
#include "core/tensor_impl.h"

#include <mutex>
#include <unordered_map>

#include "core/allocator.h"

namespace strata {
namespace {

/// Storages that bodies had and that views still borrow from them.
class KeptStorages {
 public:
  static KeptStorages& get() {
    static KeptStorages& kept = *new KeptStorages;  // tensors may die after static destruction began
    return kept;
  }
  void add(const TensorImpl* lender, const Storage& storage) {
    const std::lock_guard lock(mutex_);
    storages_.emplace(lender, storage);
  }
  void drop(const TensorImpl* lender) {
    std::unique_lock lock(mutex_);
    const auto dropped = storages_.extract(lender);
    lock.unlock();  // foreign memory has a deleter, which may do anything
  }

 private:
  std::mutex mutex_;
  std::unordered_map<const TensorImpl*, Storage> storages_;
};

}  // namespace

void TensorImpl::own_storage() {
  if (!borrows_) return;
  borrows_ = false;
  Storage(storage_).detach();  // one reference more
  base_->retain();
  base_->refs_.release(kBorrower);  // not the last reference
}

void TensorImpl::forget_base() {
  own_storage();
  if (TensorImpl* const base = std::exchange(base_, nullptr)) base->release();
}

void TensorImpl::release_storage() {
  own_storage();
  const bool is_borrowed = borrowers() > 0;
  if (keeps_ && !is_borrowed) KeptStorages::get().drop(this);
  if (!keeps_ && is_borrowed) KeptStorages::get().add(this, storage_);
  keeps_ = is_borrowed;
}

void* TensorImpl::operator new(size_t) { return small_alloc(sizeof(TensorImpl)); }
void TensorImpl::operator delete(void* p, size_t) noexcept { small_free(p, sizeof(TensorImpl)); }

void TensorImpl::set_geometry(IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset) {
  sizes_.assign(sizes);
  strides_.assign(strides);
  numel_ = numel_of(sizes_, strides_, contiguous_);
  offset_ = checked_mul(storage_offset, static_cast<int64_t>(item_size(dtype_)), "storage offset");
}

void TensorImpl::copy_geometry(const TensorImpl& other, int64_t first) {
  sizes_.assign(IntArrayRef(other.sizes_).slice(first));
  strides_.assign(IntArrayRef(other.strides_).slice(first));
  numel_ = numel_of(sizes_, strides_, contiguous_);
  contiguous_ |= other.contiguous_;
}

void TensorImpl::swap_contents(TensorImpl& other) {
  release_storage();
  other.release_storage();
  std::swap(dtype_, other.dtype_);
  std::swap(device_, other.device_);
  std::swap(keys_, other.keys_);
  std::swap(contiguous_, other.contiguous_);
  std::swap(inference_, other.inference_);
  std::swap(storage_, other.storage_);
  std::swap(base_, other.base_);
  std::swap(offset_, other.offset_);
  std::swap(view_made_, other.view_made_);
  std::swap(view_version_, other.view_version_);
  std::swap(numel_, other.numel_);
  std::swap(autograd_, other.autograd_);
  std::swap(wrapper_, other.wrapper_);
  std::swap(sizes_, other.sizes_);
  std::swap(strides_, other.strides_);
}

void* WrapperBase::operator new(size_t bytes) { return small_alloc(bytes); }
void WrapperBase::operator delete(void* p, size_t bytes) noexcept { small_free(p, bytes); }
WrapperBase::~WrapperBase() { delete view; }

void TensorImpl::take_data(const TensorImpl& other) {
  release_storage();
  storage_ = other.storage_;
  offset_ = other.offset_;
  // The keys that tell what the data is go with it, the others stay.
  constexpr KeySet kOwn = KeySet::backends();
  keys_ = (keys_ - kOwn) | (other.keys_ - (other.keys_ - kOwn));
  dtype_ = other.dtype_;
  device_ = other.device_;
  numel_ = other.numel_;
  contiguous_ = other.contiguous_;
  sizes_ = other.sizes_;
  strides_ = other.strides_;
}

void TensorImpl::destroy() noexcept {
  delete autograd_;
  delete wrapper_;
  if (keeps_) [[unlikely]]
    KeptStorages::get().drop(this);
  if (base_) {
    if (borrows_) storage_.detach();
    if (base_->refs_.release(borrows_ ? kBorrower : 1)) base_->destroy();
  }
  delete this;
}

}  // namespace strata
