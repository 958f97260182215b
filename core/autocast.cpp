// The state of mixed precision, and the key that stands for it in every call.
#include "core/autocast.h"

#include "core/error.h"
#include "core/thread_state.h"

namespace strata::autocast {
namespace {

struct State {
  bool enabled[2] = {false, false};
  DType dtypes[2] = {kBFloat16, kHalf};
  bool caches = true;
};
constinit thread_local State state;

int place(DeviceType device) { return static_cast<int>(device); }

}  // namespace

bool is_autocast_enabled(DeviceType device) { return state.enabled[place(device)]; }
void set_autocast_enabled(DeviceType device, bool enabled) {
  state.enabled[place(device)] = enabled;
  const KeySet others = thread_state.included - KeySet(Key::Autocast);
  thread_state.included = state.enabled[0] || state.enabled[1] ? others | KeySet(Key::Autocast) : others;
}

DType get_autocast_dtype(DeviceType device) { return state.dtypes[place(device)]; }
void set_autocast_dtype(DeviceType device, DType dtype) {
  STRATA_CHECK(dtype == kHalf || dtype == kBFloat16 || dtype == kFloat,
               "set_autocast_dtype: {} is none of float16, bfloat16 and float32", name(dtype));
  state.dtypes[place(device)] = dtype;
}

bool is_autocast_cache_enabled() { return state.caches; }
void set_autocast_cache_enabled(bool enabled) { state.caches = enabled; }

Settings settings() {
  return {{state.enabled[0], state.enabled[1]},
          {state.dtypes[0], state.dtypes[1]},
          !thread_state.excluded.has(Key::Autocast)};
}

void restore(const Settings& settings) {
  for (const DeviceType device : {kCPU, kCUDA}) {
    state.dtypes[place(device)] = settings.dtypes[place(device)];
    set_autocast_enabled(device, settings.enabled[place(device)]);
  }
  const KeySet others = thread_state.excluded - KeySet(Key::Autocast);
  thread_state.excluded = settings.takes_part ? others : others | KeySet(Key::Autocast);
}

std::optional<DType> active_dtype(DeviceType device) {
  const bool takes_part = (thread_state.included - thread_state.excluded).has(Key::Autocast);
  return takes_part && is_autocast_enabled(device) ? std::optional(get_autocast_dtype(device)) : std::nullopt;
}

}  // namespace strata::autocast
