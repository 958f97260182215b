// The shaping ops and their params: ops that copy elements to new places without computing on them.
#pragma once
#include "../core/scalar.h"
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// `lengths[i]` is the size of input i along `dim`.
struct CatParams {
  int64_t dim;
  DimVector lengths;
};
/// Elements to add before and after each dim; negative ones are cut off.
struct PadParams {
  DimVector low, high;
  Scalar value;
};
struct FlipParams {
  DimVector dims;
};
/// By how much each of some distinct dims moves on: at least 0, less than its size.
struct RollParams {
  DimVector shifts, dims;
};
struct TriangleParams {
  int64_t diagonal;
};
/// Note [Geometry over a contiguous base]
/// Element (i, j, …) stands at `offset + i * strides[0] + j * strides[1] + …` of a row-major tensor of `base_sizes`.
/// Because the base is row-major whatever the strides of the argument are, batching puts one dim in front of each list
/// and changes nothing else.
struct StridedParams {
  DimVector base_sizes, sizes, strides;
  int64_t offset;
};

/// Throws unless every element of the geometry lies inside the base; errors begin with `name`.
void check_geometry(const StridedParams& p, const char* name);

/// `split_copy(Tensor x, int dim, int[] lengths)`: what `cat` with the same params joins to x.
extern Op split_copy_op;
/// `roll(Tensor x, int[] shifts, int[] dims)`: what leaves a dim at its end comes in at its start.
extern Op roll_op;
extern Op cat_op, pad_op, flip_op, tril_op, triu_op, as_strided_copy_op, as_strided_backward_op, as_strided_scatter_op;

}  // namespace strata
