// A header of the foreign project that happens to have the path of one of Strata's.
#pragma once

namespace foreign {

/// Not Strata's tensor.
struct Tensor {
  int answer = 42;
};

}  // namespace foreign
