// The parts of Tensor that need no op.
#include "core/tensor.h"

#include "core/cuda_backend.h"
#include "core/naming.h"
#include "core/stack.h"

namespace strata {

const Tensor& OptionalTensorRef::getTensorRef() const {
  static const Tensor absent;
  return tensor_ ? *tensor_ : absent;
}

namespace {
constexpr const char* kWhyUndefined = "nothing was assigned to it, or it is a grad() that no backward() has reached";
}

void Tensor::fail_undefined() {
  const std::string called = called_function();
  if (called.empty()) detail::fail("use of an undefined tensor: {}", {kWhyUndefined});
  detail::fail("{}: an argument is an undefined tensor: {}", {called, kWhyUndefined});
}

/// A program written for libtorch that asks for the shape of an undefined tensor gets (0,), as there. A function that
/// was given one is an error in any case.
const TensorImpl& Tensor::shape_of_undefined() {
  const std::string called = called_function();
  if (!libtorch_names() || !(called.empty() || called == "size")) fail_undefined();
  static const Tensor nothing = [] {
    TensorImpl* const impl = new TensorImpl(DType::Float, Device(), Storage());
    impl->set_geometry(DimVector{0}, DimVector{1}, 0);
    return adopt(impl);
  }();
  return *nothing.impl_;
}

void Tensor::check_has_data() const {
  if (!impl_ || !impl_->has_data()) fail_no_data();
}

void Tensor::fail_no_data() const {
  if (!impl_) fail_undefined();
  if (impl_->wrapper()) {
    detail::fail(
        "the data of a tensor inside a transform (vmap, grad, jvp, …) cannot be read: use tensor operations, or item() "
        "for one number",
        {});
  }
  if (impl_->storage())
    detail::fail(
        "the storage of a tensor of shape {} was freed, by storage().resize_(0) or by a compiled function that it was "
        "donated to; storage().resize_(bytes) takes it again",
        {detail::ErrorArg(sizes())});
  detail::fail("the tensor has a shape {} but no data", {detail::ErrorArg(sizes())});
}

int64_t Tensor::_version() const {
  if (!has_storage()) return 0;
  STRATA_CHECK(
      !is_inference(),
      "_version: a tensor made in InferenceMode does not count its writes: Inference tensors do not track version "
      "counter");
  return impl_->storage()->version();
}

int64_t Tensor::size(int64_t d) const {
  STRATA_CHECK_INDEX(dim() > 0, "size: dim {} of a 0-dim tensor", d);
  return sizes()[wrap_dim(d, dim(), "size")];
}
int64_t Tensor::stride(int64_t d) const {
  STRATA_CHECK_INDEX(dim() > 0, "stride: dim {} of a 0-dim tensor", d);
  return strides()[wrap_dim(d, dim(), "stride")];
}

namespace {

inline size_t bytes_of(IntArrayRef sizes, int64_t numel, DType dtype) {
  size_t bytes = 0;
  STRATA_CHECK(!__builtin_mul_overflow(static_cast<size_t>(numel), item_size(dtype), &bytes),
               "shape {}: too many bytes", sizes);
  return bytes;
}

/// Takes over the storage. Inlined, because every op comes through here.
[[gnu::always_inline]] inline Tensor over(StorageImpl* storage, IntArrayRef sizes, int64_t numel, DType dtype,
                                          Device device) {
  auto* impl = new TensorImpl(dtype, device, Storage::adopt(storage));
  impl->set_contiguous(sizes, numel);
  if (thread_state.inference_mode) [[unlikely]]
    impl->set_inference(true);
  return Tensor::adopt(impl);
}

}  // namespace

Tensor empty_cpu(IntArrayRef sizes, DType dtype) {
  const int64_t numel = numel_of(sizes);
  return over(StorageImpl::create(bytes_of(sizes, numel, dtype)), sizes, numel, dtype, kCPU);
}

Tensor empty_cpu_like(const Tensor& t) {
  // The bytes of a row-major tensor were counted when it was made; an expanded one may show more than fit into memory.
  if (!t.is_contiguous()) return empty_cpu(t.sizes(), t.dtype());
  return over(StorageImpl::create(t.nbytes()), t.sizes(), t.numel(), t.dtype(), kCPU);
}

Tensor empty_on_device(IntArrayRef sizes, DType dtype, Device device) {
  const Device d = numbered(device);
  const int64_t numel = numel_of(sizes);
  if (d.is_meta()) return over(nullptr, sizes, numel, dtype, d);
  return over(StorageImpl::create(bytes_of(sizes, numel, dtype), d), sizes, numel, dtype, d);
}

Tensor cuda::empty_pinned(IntArrayRef sizes, DType dtype) {
  const int64_t numel = numel_of(sizes);
  const size_t bytes = bytes_of(sizes, numel, dtype);
  const Block block = backend().allocate_pinned(bytes, current_device());
  const auto give_back = [](void* handle, void*) { backend().free(handle); };
  return over(StorageImpl::wrap(block.data, bytes, kCPU, give_back, block.handle), sizes, numel, dtype, kCPU);
}

namespace {
[[noreturn]] void refuse_strided(const char* who) {
  STRATA_THROW("{}: expected sparse tensor layout but got Strided: there are no sparse tensors here", who);
}
}  // namespace
Tensor Tensor::indices() const { refuse_strided("indices"); }
Tensor Tensor::values() const { refuse_strided("values"); }
bool Tensor::is_coalesced() const { refuse_strided("is_coalesced"); }

}  // namespace strata
