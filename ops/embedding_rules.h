// What the batch rules of look-ups share. Not included by public headers.
#pragma once
#include "../core/tensor.h"

namespace strata {

/// `numbers` of the examples, (size, 1, ...), of as many dims as `like`.
Tensor example_numbers(int64_t size, const Tensor& like);

/// `index` (size, ...) into tables of `rows` rows, one for each example, as an index into the rows of all of them.
/// Throws where it would reach into the next table.
Tensor index_into_all(const Tensor& index, int64_t rows);

}  // namespace strata
