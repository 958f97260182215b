// Rows of the random family.
#include "test/op_samples.h"

namespace strata::test {

void add_random(Table&) {}

}  // namespace strata::test
