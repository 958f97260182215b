// Tensors whose channels lie innermost in memory, as libtorch's memory formats want them.
#include "ops/memory_format.h"

#include "ops/creation.h"
#include "ops/shaping.h"
#include "ops/view.h"

namespace strata {
namespace {

bool is_channels_last(MemoryFormat format) {
  return format == MemoryFormat::ChannelsLast || format == MemoryFormat::ChannelsLast3d;
}

int64_t dims_of(MemoryFormat format) { return format == MemoryFormat::ChannelsLast ? 4 : 5; }

void check_dims(IntArrayRef sizes, MemoryFormat format) {
  STRATA_CHECK(static_cast<int64_t>(sizes.size()) == dims_of(format),
               "memory format: required rank {} tensor to use {} format, got shape {}", dims_of(format),
               format == MemoryFormat::ChannelsLast ? "channels_last" : "channels_last_3d", sizes);
}

/// The dims from the outermost to the innermost: batch, rows and columns, channels.
DimVector order_of(int64_t dims) {
  DimVector order(dims, 1);
  order[0] = 0;
  for (int64_t d = 2; d < dims; ++d) order[d - 1] = d;
  return order;
}

/// Do the strides grow from the channels outwards?
bool strides_say_channels_last(const Tensor& x) {
  const IntArrayRef sizes = x.sizes(), strides = x.strides();
  if (strides[1] == 0) return false;
  const DimVector order = order_of(x.dim());
  int64_t least = 0;
  for (int64_t i = x.dim() - 1; i >= 0; --i) {
    const int64_t d = order[i];
    if (sizes[d] == 0 || strides[d] < least || (d == 0 && least == strides[1])) return false;
    least = strides[d] * (sizes[d] > 1 ? sizes[d] : 1);
  }
  return true;
}

}  // namespace

DimVector strides_in(IntArrayRef sizes, MemoryFormat format) {
  const auto dims = static_cast<int64_t>(sizes.size());
  DimVector strides(dims, 1);
  if (is_channels_last(format)) check_dims(sizes, format);
  const DimVector order = is_channels_last(format) ? order_of(dims) : DimVector();
  int64_t step = 1;
  for (int64_t i = dims - 1; i >= 0; --i) {
    const int64_t d = order.empty() ? i : order[i];
    strides[d] = step;
    step *= sizes[d] > 1 ? sizes[d] : 1;
  }
  return strides;
}

bool Tensor::is_contiguous(MemoryFormat format) const {
  if (!is_channels_last(format)) return is_contiguous();
  if (dim() != dims_of(format)) return false;
  const DimVector wanted = strides_in(sizes(), format);
  for (int64_t d = 0; d < dim(); ++d)
    if (sizes()[d] != 1 && strides()[d] != wanted[d]) return numel() == 0;
  return true;
}

MemoryFormat Tensor::suggest_memory_format() const {
  if (dim() == 4 && strides_say_channels_last(*this)) return MemoryFormat::ChannelsLast;
  if (dim() == 5 && strides_say_channels_last(*this)) return MemoryFormat::ChannelsLast3d;
  return MemoryFormat::Contiguous;
}

Tensor Tensor::contiguous(MemoryFormat format) const {
  STRATA_CHECK(format != MemoryFormat::Preserve,
               "contiguous: preserve memory format is unsupported by the contiguous operator");
  return is_contiguous(format) ? *this : clone(format);
}

Tensor Tensor::clone(MemoryFormat format) const {
  if (!is_channels_last(format)) return clone();
  check_dims(sizes(), format);
  const DimVector order = order_of(dim());
  DimVector back(dim(), 0);
  for (int64_t i = 0; i < dim(); ++i) back[order[i]] = i;
  return permute(order).clone().permute(back);
}

}  // namespace strata
