// oneDNN's kernels and caches are static objects: destructors that run after theirs must do without.
#pragma once

namespace strata::cpu {

/// Whether the process exits and oneDNN has freed, or is about to free, what its calls need. Any thread may ask.
bool onednn_is_gone();

/// Makes `onednn_is_gone` true at exit before what oneDNN holds now is freed; to be called once after the first call of
/// each of its families. Returns true, to initialise a static variable with.
bool watch_for_the_end_of_onednn();

}  // namespace strata::cpu
