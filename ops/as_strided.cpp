// Views by sizes and strides over the memory behind a tensor.
#include <algorithm>

#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/rules.h"
#include "ops/shaping.h"
#include "ops/ternary.h"
#include "ops/view.h"
#include "ops/view_def.h"

namespace strata {
namespace {

/// How many elements of memory lie from the first to the last one shown.
int64_t extent(IntArrayRef sizes, IntArrayRef strides) {
  if (numel_of(sizes) == 0) return 0;
  int64_t last = 0;
  for (size_t i = 0; i < sizes.size(); ++i) last += (sizes[i] - 1) * strides[i];
  return last + 1;
}

/// The strides of an input of no dims are written as one, to be told from those that are left out.
IntArrayRef input_strides(const AsStridedParams& p, IntArrayRef input_sizes) {
  return IntArrayRef(p.input_strides).slice(0, input_sizes.size());
}

/// Note [as_strided of what is not row-major]
/// Sizes and strides that a user gives speak of the memory behind x, not of x's elements in order. So the rules lay a
/// row-major tensor out as that memory, from the first to the last element that x or the result shows, and put x and
/// the result into it as views. What the result shows beside x's elements has no gradient; where several elements of x
/// lie in one place, they share its gradient evenly.
class Memory {
 public:
  Memory(const AsStridedParams& p, IntArrayRef input_sizes)
      : sizes_(input_sizes), strides_(input_strides(p, input_sizes)), place_(memory_of(p, input_sizes)) {}

  Tensor gradient(const Tensor& grad, const AsStridedParams& p) const {
    Tensor memory = as_strided_backward(grad, {place_.room}, p.strides, place_.output_offset);
    const Tensor one = constant(1, to_real_dtype(grad.dtype()), grad.device(), sizes_);
    const Tensor owners = as_strided_backward(one, {place_.room}, strides_, place_.input_offset);
    memory = memory / clamp_min(owners, 1);
    return as_strided_copy(memory, sizes_, strides_, place_.input_offset);
  }

  /// The result for an input that has other numbers, zero beside them.
  Tensor shown(const Tensor& input, const AsStridedParams& p) const {
    const Tensor zeros = constant(0, input.dtype(), input.device(), {place_.room});
    const Tensor memory = as_strided_scatter(zeros, input, sizes_, strides_, place_.input_offset);
    return as_strided_copy(memory, p.sizes, p.strides, place_.output_offset);
  }

 private:
  DimVector sizes_, strides_;
  SharedMemory place_;
};

}  // namespace

DimVector strides_for_view(IntArrayRef input_sizes, IntArrayRef input_strides, IntArrayRef sizes, IntArrayRef strides,
                           int64_t offset) {
  const int64_t end = numel_of(sizes) == 0 ? offset : offset + extent(sizes, strides);
  if (is_contiguous(input_sizes, input_strides) && offset >= 0 && end <= numel_of(input_sizes)) return {};
  DimVector result = input_strides;
  if (input_sizes.empty()) result.push_back(1);
  return result;
}

SharedMemory memory_of(const AsStridedParams& p, IntArrayRef input_sizes) {
  const int64_t input = p.offset < 0 ? -p.offset : 0, output = p.offset + input;
  return {std::max(input + extent(input_sizes, input_strides(p, input_sizes)), output + extent(p.sizes, p.strides)),
          input, output};
}

STRATA_OP(as_strided_op) =
    op<AsStridedParams>("as_strided(Tensor x, int[] sizes, int[] strides, int offset, int[] input_strides) -> Tensor")
        .flag(kShowsMemory)
        .dtypes(kStoredTypes)
        .view([](const Tensor&, const AsStridedParams& p, ViewGeometry& g) {
          g.sizes = p.sizes;
          g.strides = p.strides;
          g.offset = p.offset;
        })
        .vjp([](const Vjp& c, const AsStridedParams& p) {
          if (!p.input_strides.empty()) return Memory(p, c.in(0).sizes()).gradient(c.grad(), p);
          return as_strided_backward(c.grad(), c.in(0).sizes(), p.strides, p.offset);
        })
        .saves(saves_shape(0))
        .jvp([](const Jvp& c, const AsStridedParams& p) {
          if (!p.input_strides.empty()) return Memory(p, c.in(0).sizes()).shown(c.tangent(), p);
          return call_view(as_strided_op, c.tangent().contiguous(), p);
        })
        .batch([](const Batch& c, const AsStridedParams& p) {
          const Tensor x = c.in(0).contiguous();  // an example has no memory of its own: it counts as row-major
          AsStridedParams batched{p.sizes, p.strides, p.offset};
          batched.sizes.insert(0, c.size);
          batched.strides.insert(0, x.strides()[0]);
          return call_view(as_strided_op, x, batched);
        });

Tensor as_strided(const Tensor& x, IntArrayRef sizes, IntArrayRef strides, std::optional<int64_t> storage_offset) {
  STRATA_CHECK(sizes.size() == strides.size(), "as_strided: {} sizes and {} strides", sizes.size(), strides.size());
  const WrapperBase* const w = x.impl() ? x.impl()->wrapper() : nullptr;
  STRATA_CHECK(
      !w || !w->view || !storage_offset,
      "as_strided: a view inside a transform knows no storage to count from; leave the offset out, or use slice");
  const int64_t own = x.has_storage() ? x.storage_offset() : 0, offset = storage_offset.value_or(own);
  for (size_t i = 0; i < sizes.size(); ++i)
    STRATA_CHECK(sizes[i] >= 0 && strides[i] >= 0, "as_strided: sizes {} and strides {} must not be negative", sizes,
                 strides);
  const bool empty = numel_of(sizes) == 0;
  int64_t last = offset;
  for (size_t i = 0; i < sizes.size() && !empty; ++i)
    last = checked_add(last, checked_mul(sizes[i] - 1, strides[i], "as_strided"), "as_strided");
  const int64_t room = x.has_storage() ? static_cast<int64_t>(x.storage()->nbytes()) / x.element_size() : x.numel();
  STRATA_CHECK(offset >= 0 && (empty || last < room),
               "as_strided: sizes {}, strides {}, offset {} leave the storage of {} elements", sizes, strides, offset,
               room);
  const DimVector input = strides_for_view(x.sizes(), x.strides(), sizes, strides, offset - own);
  return call_view(as_strided_op, x, AsStridedParams{sizes, strides, offset - own, input});
}

Tensor Tensor::as_strided(IntArrayRef sizes, IntArrayRef strides, std::optional<int64_t> storage_offset) const {
  return strata::as_strided(*this, sizes, strides, storage_offset);
}

}  // namespace strata
