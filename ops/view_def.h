// The view ops and their params: each output aliases its input.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

struct ViewParams {
  DimVector sizes;
};
struct PermuteParams {
  DimVector dims;
};
/// `dims` are sorted and non-negative: of the input for squeeze, of the output for unsqueeze.
struct SqueezeParams {
  DimVector dims;
};
struct SelectParams {
  int64_t dim, index;
};
/// `length` elements from `start` in steps of `step`.
struct SliceParams {
  int64_t dim, start, length, step;
};
struct DiagonalParams {
  int64_t offset, dim1, dim2;
};
struct UnfoldParams {
  int64_t dim, size, step;
};
/// `offset` counts elements from the input's first. `input_strides` are empty where the input is row-major: Note
/// [as_strided of what is not row-major].
struct AsStridedParams {
  DimVector sizes, strides;
  int64_t offset;
  DimVector input_strides = {};
};

/// The `input_strides` for a view of an input of these sizes and strides: none where the input is row-major and has all
/// that the view shows, so that places among its elements say where the view lies.
DimVector strides_for_view(IntArrayRef input_sizes, IntArrayRef input_strides, IntArrayRef sizes, IntArrayRef strides,
                           int64_t offset);

/// The memory behind an input and a view of it as a row-major tensor of `room` elements, and where the two begin in it.
struct SharedMemory {
  int64_t room, input_offset, output_offset;
};
SharedMemory memory_of(const AsStridedParams& p, IntArrayRef input_sizes);

extern Op view_op, expand_op, permute_op, squeeze_op, unsqueeze_op, select_op, slice_op, diagonal_op, unfold_op,
    as_strided_op, alias_op, detach_op, stop_gradient_op;

}  // namespace strata
