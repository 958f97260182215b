// Libraries beside libstrata that are loaded on first use.
#pragma once

namespace strata::detail {

/// The function `entry` of the library `file`, which lies beside libstrata or wherever the loader looks and is never
/// unloaded; `user` is what messages begin with. Throws where it is not there, or has no such function.
void* load_component(const char* user, const char* file, const char* entry);

}  // namespace strata::detail
