// libtorch's functions that turn its profiler on and off; the profiler is Strata's.
#pragma once
#include <strata/strata.h>

#include <initializer_list>
#include <memory>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

#include "check.h"

namespace strata {

/// Kinds of rows by libtorch's names.
enum class RecordScope : uint8_t { FUNCTION = 0, BACKWARD_FUNCTION, TORCHSCRIPT_FUNCTION, USER_SCOPE = 7 };

namespace profiler::impl {

enum class ProfilerState { Disabled = 0, CPU, CUDA, NVTX, ITT, PRIVATEUSE1, KINETO, KINETO_GPU_FALLBACK };
enum class ActivityType { CPU = 0, XPU, CUDA, HPU, MTIA, PrivateUse1 };
struct ProfilerConfig {
  explicit ProfilerConfig(ProfilerState which, bool input_shapes = false, bool memory = false)
      : state(which), report_input_shapes(input_shapes), profile_memory(memory) {}
  ProfilerState state;
  bool report_input_shapes, profile_memory;
};

}  // namespace profiler::impl

namespace autograd::profiler {

using strata::profiler::impl::ActivityType;
using strata::profiler::impl::ProfilerConfig;
using strata::profiler::impl::ProfilerState;

/// What was recorded between enableProfiler and disableProfiler.
class ProfilerResult {
 public:
  explicit ProfilerResult(std::unique_ptr<strata::profiler::Profiler> recorded) : recorded_(std::move(recorded)) {}
  /// Writes the trace as JSON that chrome://tracing reads.
  void save(const std::string& path) const { recorded_->export_chrome_trace(path); }
  const std::vector<strata::profiler::Event>& events() const { return recorded_->events(); }

 private:
  std::unique_ptr<strata::profiler::Profiler> recorded_;
};

namespace detail {
/// The profiler that is on, of which there is one in a process.
inline std::unique_ptr<strata::profiler::Profiler>& running() {
  static std::unique_ptr<strata::profiler::Profiler> profiler;
  return profiler;
}
}  // namespace detail

inline bool profilerEnabled() { return detail::running() != nullptr; }
inline void prepareProfiler(const ProfilerConfig& /*config*/, const std::set<ActivityType>& /*activities*/) {}
inline void enableProfiler(const ProfilerConfig& config, const std::set<ActivityType>& activities,
                           const std::unordered_set<RecordScope>& /*scopes*/ = {}) {
  TORCH_CHECK(!profilerEnabled(), "Profiler is already enabled");
  detail::running() = std::make_unique<strata::profiler::Profiler>(
      strata::profiler::ProfilerOptions{.record_shapes = config.report_input_shapes,
                                        .profile_memory = config.profile_memory,
                                        .cuda = activities.contains(ActivityType::CUDA)});
  detail::running()->start();
}
inline std::unique_ptr<ProfilerResult> disableProfiler() {
  TORCH_CHECK(profilerEnabled(), "Can't disable Kineto profiler when it's not running");
  detail::running()->stop();
  return std::make_unique<ProfilerResult>(std::move(detail::running()));
}

}  // namespace autograd::profiler
}  // namespace strata
