// Where the digits come from.
#pragma once
#include <strata/strata.h>

#include <string>

namespace mnist {

/// Digits to learn from and others to test with: images `(N, 1, 28, 28)` from 0 to 1 and labels `(N,)`.
struct Digits {
  std::string source;
  strata::data::datasets::TensorPairDataset train;
  strata::data::datasets::TensorPairDataset test;
  bool is_fallback = false;
};

/// The small digits that are part of the program, enlarged to MNIST's size: 1500 to learn from, 297 to test with.
Digits embedded_digits();

/// MNIST from `folder` (it must be there), else from the first of $STRATA_DATA, data and ../shared/data that has it,
/// else the embedded digits. The files may also lie in a folder `mnist` below.
Digits load_digits(const std::string& folder);

}  // namespace mnist
