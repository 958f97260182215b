// NVTX behind profiler/nvtx.h: its headers alone, which look for a tool when the program starts.
#include <nvtx3/nvToolsExt.h>

#include "profiler/nvtx.h"

namespace strata::nvtx {
namespace {

[[maybe_unused]] const bool installed =
    (set_functions({[](const char* name) { return nvtxRangePushA(name); }, [] { return nvtxRangePop(); },
                    [](const char* name) { nvtxMarkA(name); }}),
     true);

}  // namespace
}  // namespace strata::nvtx
