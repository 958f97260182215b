// What gives a tensor other sizes or other memory in place.
#include "core/error.h"
#include "core/tensor.h"
#include "dispatcher/layout.h"
#include "ops/become_view.h"
#include "ops/in_place.h"
#include "ops/memory_format.h"

namespace strata {
namespace {

/// How many elements from the start of the storage the geometry reaches.
int64_t reach(IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset) {
  if (numel_of(sizes) == 0) return storage_offset;
  int64_t last = storage_offset;
  for (size_t d = 0; d < sizes.size(); ++d)
    last = checked_add(last, checked_mul(sizes[d] - 1, strides[d], "resize_"), "resize_");
  return last + 1;
}

void check_own_geometry(const Tensor& x, const char* who) {
  STRATA_CHECK(x.defined(), "{}: undefined tensor", who);
  STRATA_CHECK(x.has_storage(), "{}: the geometry of a tensor inside a transform cannot change in place", who);
  STRATA_CHECK(!x.requires_grad(), "{}: cannot resize variables that require grad; detach() the tensor first", who);
}

void check_geometry(IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset, const char* who) {
  STRATA_CHECK(sizes.size() == strides.size(), "{}: {} sizes and {} strides", who, sizes.size(), strides.size());
  STRATA_CHECK(storage_offset >= 0, "{}: the storage offset must not be negative, got {}", who, storage_offset);
  for (size_t d = 0; d < sizes.size(); ++d)
    STRATA_CHECK(sizes[d] >= 0 && strides[d] >= 0, "{}: sizes and strides must not be negative, got {} and {}", who,
                 sizes, strides);
}

/// Makes a view, which does not require grad, a tensor like others that has its storage together with its base. A view
/// carries the Autograd key on its base's account (Note [Views and gradients]), so that goes too.
void become_own_tensor(const Tensor& x) {
  if (!x.is_view()) return;
  x.impl()->forget_base();
  x.impl()->remove_key(Key::Autograd);
}

/// Lets `x` show that geometry of its storage, which grows where it is too small.
void grow_to(const Tensor& x, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset) {
  const int64_t bytes =
      checked_mul(reach(sizes, strides, storage_offset), static_cast<int64_t>(item_size(x.dtype())), "resize_");
  become_own_tensor(x);
  if (static_cast<size_t>(bytes) > x.storage().nbytes()) x.storage().resize_(static_cast<size_t>(bytes));
  x.impl()->set_geometry(sizes, strides, storage_offset);
}

Tensor empty_storage_like(const Tensor& x) { return empty_on_device({0}, x.dtype(), x.device()); }

void check_same_kind(const Tensor& x, const Tensor& source) {
  STRATA_CHECK(source.dtype() == x.dtype() && source.device() == x.device(),
               "set_: the source is {} on {}, the tensor {} on {}", name(source.dtype()), source.device().str(),
               name(x.dtype()), x.device().str());
}

}  // namespace

Tensor& Tensor::resize_(IntArrayRef sizes, std::optional<MemoryFormat> format) const {
  return detail::in_place("resize_", [&]() -> Tensor& {
    if (thread_state.top_layer) [[unlikely]]
      detail::before_becoming_view(*this);
    const bool is_inside = impl_ && impl_->wrapper();
    if (!is_inside) check_own_geometry(*this, "resize_");
    const DimVector wanted(sizes);  // they may be this tensor's own
    STRATA_CHECK(format != MemoryFormat::Preserve,
                 "resize_: Unsupported memory format Preserve: say Contiguous or where channels are last");
    const DimVector strides = detail::strides_in(format.value_or(MemoryFormat::Contiguous), wanted);
    check_geometry(wanted, strides, 0, "resize_");
    if (!format && wanted == this->sizes()) return self();
    is_inside ? detail::resize_inside(*this, wanted, strides) : grow_to(*this, wanted, strides, storage_offset());
    return self();
  });
}
Tensor& Tensor::resize_as_(const Tensor& other, std::optional<MemoryFormat> format) const {
  if (format == MemoryFormat::Preserve) format = other.suggest_memory_format();
  return detail::in_place("resize_as_", [&]() -> Tensor& { return resize_(other.sizes(), format); });
}

Tensor& Tensor::set_(const Tensor& source) const {
  check_own_geometry(*this, "set_");
  check_own_geometry(source, "set_");
  check_same_kind(*this, source);
  if (impl_ == source.impl()) return self();
  become_own_tensor(*this);
  impl_->take_data(*source.impl());
  return self();
}
Tensor& Tensor::set_() const {
  check_own_geometry(*this, "set_");
  return set_(empty_storage_like(*this));
}
Tensor& Tensor::set_(const Storage& source, int64_t storage_offset, IntArrayRef sizes, IntArrayRef strides) const {
  return detail::in_place("set_", [&]() -> Tensor& {
    check_own_geometry(*this, "set_");
    const DimVector all = strides.size() == 0 && sizes.size() > 0 ? contiguous_strides(sizes) : DimVector(strides);
    check_geometry(sizes, all, storage_offset, "set_");
    const Tensor shown = adopt(new TensorImpl(dtype(), source.device(), source));
    grow_to(shown, sizes, all, storage_offset);
    return set_(shown);
  });
}
Tensor& Tensor::set_(const Tensor& source, int64_t storage_offset, IntArrayRef sizes, IntArrayRef strides) const {
  return set_(source.storage(), storage_offset, sizes, strides);
}
Tensor& Tensor::set_(const Storage& source) const {
  check_own_geometry(*this, "set_");
  return set_(source, 0, {static_cast<int64_t>(source.nbytes() / item_size(dtype()))});
}

bool Tensor::is_set_to(const Tensor& other) const {
  return has_storage() && other.has_storage() && storage() == other.storage() && dtype() == other.dtype() &&
         storage_offset() == other.storage_offset() && sizes() == other.sizes() && strides() == other.strides();
}

bool Tensor::is_non_overlapping_and_dense() const {
  return is_contiguous() || numel() == 0 || dispatch::is_dense(sizes(), strides());
}

void Tensor::check_accessor_dims(const char* who, size_t asked) const {
  STRATA_CHECK(dim() == static_cast<int64_t>(asked), "{}: the tensor has {} dims, asked for {}", who, dim(), asked);
}

}  // namespace strata
