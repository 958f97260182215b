// Which version of Strata this is.
#pragma once

namespace strata {

/// The library's version, for example "0.1.0".
const char* version();

}  // namespace strata
