// Tensors as sets and sequences: membership, distinct runs and slices, places of non-zeros.
#pragma once
#include <optional>
#include <tuple>
#include <vector>

#include "../core/tensor.h"

namespace strata {

/// bool of the shape of `elements`: is each among `test_elements` (not among them if `invert`)? NaN never is.
/// `assume_unique` changes nothing.
Tensor isin(const Tensor& elements, const Tensor& test_elements, bool assume_unique = false, bool invert = false);
Tensor isin(const Tensor& elements, const Scalar& test_element, bool assume_unique = false, bool invert = false);
Tensor isin(const Scalar& element, const Tensor& test_elements, bool assume_unique = false, bool invert = false);

/// (elements, or slices along `dim`, that differ from the one before, for each one its number among them, the lengths
/// of the runs); int64 tensors that were not asked for are empty.
std::tuple<Tensor, Tensor, Tensor> unique_consecutive(const Tensor& x, bool return_inverse = false,
                                                      bool return_counts = false,
                                                      std::optional<int64_t> dim = std::nullopt);
std::tuple<Tensor, Tensor, Tensor> unique_dim_consecutive(const Tensor& x, int64_t dim, bool return_inverse = false,
                                                          bool return_counts = false);
/// The same of distinct slices along `dim` in lexicographic order, wherever they stand.
std::tuple<Tensor, Tensor, Tensor> unique_dim(const Tensor& x, int64_t dim, bool sorted = true,
                                              bool return_inverse = false, bool return_counts = false);

/// The coordinates of the non-zero elements, one `(n,)` int64 tensor per dim; a 0-dim tensor counts as `(1,)`.
std::vector<Tensor> nonzero_numpy(const Tensor& x);
/// The first `size` rows of `nonzero`; rows that are not there are `fill_value`.
Tensor nonzero_static(const Tensor& x, int64_t size, int64_t fill_value = -1);

}  // namespace strata
