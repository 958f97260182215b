// For programs that include this header of libtorch by name: the profiler under its names.
#pragma once

#include "../../torch.h"

#define RECORD_FUNCTION(name, ...) STRATA_RECORD_FUNCTION(name)

namespace strata::autograd::profiler {
using RecordProfile = ::strata::profiler::profile;
}
