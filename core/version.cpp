// Which version of Strata this is, as the build file says it.
#include "core/version.h"

namespace strata {

const char* version() { return STRATA_VERSION; }

}  // namespace strata
