// The group between processes on CPUs, as programs get it.
#pragma once
#include "engine.h"

namespace strata::distributed {

/// `ordered_group` over Gloo's engine, with a watch (failure_watch.h): all ranks throw the text of the first failure,
/// silent ranks are found, and the last collectives are recorded. Rank 0 keeps a tcp:// store open for as long as its
/// group lives. Throws where the ranks do not meet in time.
ProcessGroup watched_group(EngineOptions options);

}  // namespace strata::distributed
