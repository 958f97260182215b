// Rows of the norm family.
#include "test/op_samples.h"

namespace strata::test {

void add_norm(Table&) {}

}  // namespace strata::test
