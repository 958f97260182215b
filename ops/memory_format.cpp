// Memory formats: in which order the dims of a tensor lie in memory.
#include "ops/memory_format.h"

#include <algorithm>
#include <ostream>

#include "ops/as_result.h"
#include "ops/view.h"

namespace strata {
namespace {

/// The dims from the outermost in memory to the innermost; equal ones in their own order.
DimVector order_of(IntArrayRef sizes, IntArrayRef strides) {
  DimVector order;
  for (size_t d = 0; d < sizes.size(); ++d) order.push_back(static_cast<int64_t>(d));
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return strides[static_cast<size_t>(a)] > strides[static_cast<size_t>(b)];
  });
  return order;
}

/// Each element once, without gaps: the strides are the products of the sizes further in.
bool is_dense(IntArrayRef sizes, IntArrayRef strides) {
  int64_t expected = 1;
  const DimVector order = order_of(sizes, strides);
  for (size_t i = order.size(); i-- > 0;) {
    const size_t d = static_cast<size_t>(order[i]);
    if (sizes[d] == 1) continue;
    if (strides[d] != expected) return false;
    expected *= sizes[d];
  }
  return true;
}

/// Strides without gaps for dims in this order.
DimVector dense_strides(IntArrayRef sizes, const DimVector& order) {
  DimVector strides = sizes;
  int64_t step = 1;
  for (size_t i = order.size(); i-- > 0;) {
    const size_t d = static_cast<size_t>(order[i]);
    strides[d] = step;
    step *= std::max<int64_t>(sizes[d], 1);
  }
  return strides;
}

void check_dims(MemoryFormat format, size_t dims) {
  const size_t needed = format == MemoryFormat::ChannelsLast ? 4 : 5;
  STRATA_CHECK(format == MemoryFormat::Contiguous || format == MemoryFormat::Preserve || dims == needed,
               "required rank {} tensor to use {} format, got {} dims", needed,
               needed == 4 ? "channels_last" : "channels_last_3d", dims);
}

}  // namespace

const char* name(MemoryFormat format) {
  static constexpr const char* names[] = {"Contiguous", "Preserve", "ChannelsLast", "ChannelsLast3d"};
  return names[static_cast<size_t>(format)];
}
std::ostream& operator<<(std::ostream& stream, MemoryFormat format) { return stream << name(format); }

DimVector detail::strides_in(MemoryFormat format, IntArrayRef sizes, const Tensor& like) {
  check_dims(format, sizes.size());
  if (format == MemoryFormat::Contiguous) return contiguous_strides(sizes);
  if (format != MemoryFormat::Preserve) return channels_last_strides(sizes);
  STRATA_CHECK(like.defined(), "empty: there is no tensor whose memory format could be preserved");
  return is_dense(like.sizes(), like.strides()) ? DimVector(like.strides())
                                                : dense_strides(sizes, order_of(like.sizes(), like.strides()));
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

Tensor Tensor::clone(MemoryFormat format) const {
  const DimVector wanted = detail::strides_in(format, sizes(), *this), order = order_of(sizes(), wanted);
  DimVector back = order;
  for (size_t i = 0; i < order.size(); ++i) back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  if (std::is_sorted(order.begin(), order.end())) return clone();
  return as_result(permute(order).clone().permute(back));
}

Tensor Tensor::contiguous(MemoryFormat format) const {
  STRATA_CHECK(format != MemoryFormat::Preserve, "contiguous: preserve memory format is unsupported");
  check_dims(format, sizes().size());
  return is_contiguous(format) ? *this : clone(format);
}

}  // namespace strata
