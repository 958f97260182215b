// Rows of the sort family.
#include "test/op_samples.h"

namespace strata::test {

void add_sort(Table&) {}

}  // namespace strata::test
