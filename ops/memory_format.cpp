// Memory formats: in which order the dims of a tensor lie in memory.
#include "ops/memory_format.h"

#include <algorithm>

#include "dispatcher/layout.h"
#include "ops/as_result.h"
#include "ops/view.h"

namespace strata {
namespace {

/// The dims from the outermost in memory to the innermost; of those with equal strides the larger ones first.
DimVector order_of(IntArrayRef sizes, IntArrayRef strides) {
  DimVector order;
  for (size_t d = 0; d < sizes.size(); ++d) order.push_back(static_cast<int64_t>(d));
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    const size_t i = static_cast<size_t>(a), j = static_cast<size_t>(b);
    return strides[i] != strides[j] ? strides[i] > strides[j] : sizes[i] > sizes[j];
  });
  return order;
}

void check_dims(MemoryFormat format, size_t dims) {
  const size_t needed = format == MemoryFormat::ChannelsLast ? 4 : 5;
  STRATA_CHECK(format == MemoryFormat::Contiguous || format == MemoryFormat::Preserve || dims == needed,
               "required rank {} tensor to use {} format, got {} dims", needed,
               needed == 4 ? "channels_last" : "channels_last_3d", dims);
}

}  // namespace

DimVector detail::outermost_first(IntArrayRef strides) {
  DimVector order;
  for (size_t d = 0; d < strides.size(); ++d) order.push_back(static_cast<int64_t>(d));
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return strides[static_cast<size_t>(a)] > strides[static_cast<size_t>(b)];
  });
  return order;
}

DimVector detail::strides_in(MemoryFormat format, IntArrayRef sizes, const Tensor& like) {
  check_dims(format, sizes.size());
  if (format == MemoryFormat::Contiguous) return contiguous_strides(sizes);
  if (format != MemoryFormat::Preserve) return channels_last_strides(sizes);
  STRATA_CHECK(like.defined(), "empty: there is no tensor whose memory format could be preserved");
  return dispatch::strides_like(like.sizes(), like.strides());
}

void detail::set_strides(const Tensor& t, IntArrayRef strides) {
  const DimVector sizes = t.sizes();
  t.impl()->set_geometry(sizes, strides, 0);
}

bool Tensor::is_contiguous(MemoryFormat format) const {
  if (format == MemoryFormat::Contiguous || format == MemoryFormat::Preserve) return is_contiguous();
  return dim() == (format == MemoryFormat::ChannelsLast ? 4 : 5) && is_channels_last(sizes(), strides());
}

MemoryFormat Tensor::suggest_memory_format(bool channels_last_strides_exact_match) const {
  if (!looks_channels_last(sizes(), strides())) return MemoryFormat::Contiguous;
  if (channels_last_strides_exact_match && !(strides() == channels_last_strides(sizes())))
    return MemoryFormat::Contiguous;
  return dim() == 4 ? MemoryFormat::ChannelsLast : MemoryFormat::ChannelsLast3d;
}

Tensor Tensor::clone(std::optional<MemoryFormat> format) const {
  if (!format) return clone();
  if (*format == MemoryFormat::Contiguous) return detail::row_major_copy(*this);
  const DimVector wanted = detail::strides_in(*format, sizes(), *this), order = order_of(sizes(), wanted);
  DimVector back = order;
  for (size_t i = 0; i < order.size(); ++i) back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  if (std::is_sorted(order.begin(), order.end())) return detail::row_major_copy(*this);
  return as_result(detail::row_major_copy(permute(order)).permute(back));
}

Tensor Tensor::contiguous(MemoryFormat format) const {
  STRATA_CHECK(format != MemoryFormat::Preserve, "contiguous: preserve memory format is unsupported");
  check_dims(format, sizes().size());
  return is_contiguous(format) ? *this : clone(format);
}

TensorOptions detail::options_like(const Tensor& x, const TensorOptions& options) {
  return options.dtype(options.dtype_opt().value_or(x.dtype())).device(options.device_opt().value_or(x.device()));
}

}  // namespace strata
