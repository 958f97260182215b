// Geometry changes and the rare parts of a tensor's life.
#include "core/tensor_impl.h"

#include "core/allocator.h"

namespace strata {

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
  delete this;
}

}  // namespace strata
