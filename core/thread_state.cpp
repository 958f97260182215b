// The one definition of the per-thread state.
#include "core/thread_state.h"

namespace strata {
constinit thread_local ThreadState thread_state;
}
