// Short names for the parameter types of the functions in the tables.
#pragma once
#include "test/differential/value.h"

namespace differential {

using strata::IntArrayRef;
using strata::Scalar;
using T = const Tensor&;
using S = const Scalar&;
using I = int64_t;
using Dims = strata::OptionalIntArrayRef;
using Maybe = strata::OptionalTensorRef;
using MaybeScalar = std::optional<Scalar>;
using MaybeInt = std::optional<int64_t>;
using MaybeDouble = std::optional<double>;
using MaybeDType = std::optional<strata::DType>;
using Text = std::string_view;
using Tensors = std::vector<Tensor>;
using Pair = std::tuple<Tensor, Tensor>;

inline Tensor tensor_of(Maybe t) { return t.defined() ? *t : Tensor(); }

}  // namespace differential
