// The moment when no transform runs on a thread any more.
#pragma once

namespace strata::dispatch {

/// Calls `f` on each thread whenever its outermost transform ends, also by an error.
void at_end_of_transforms(void (*f)());

}  // namespace strata::dispatch
