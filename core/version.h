// Which version of Strata this is. The build file reads the numbers here.
#pragma once

#define STRATA_VERSION_MAJOR 0
#define STRATA_VERSION_MINOR 1
#define STRATA_VERSION_PATCH 0

namespace strata {

/// The version of the library that runs, for example "0.1.0"; the macros are those of the headers compiled against.
const char* version();

}  // namespace strata
