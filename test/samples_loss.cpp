// Rows of the loss family.
#include "test/op_samples.h"

namespace strata::test {

void add_loss(Table&) {}

}  // namespace strata::test
