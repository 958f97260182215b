// What records the work of devices for the profiler, which knows none of their libraries.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "profiler.h"

namespace strata::profiler {

/// Something that ran on a device, or a call of the host that started it. Times are of the host's steady clock.
struct Activity {
  EventKind kind = EventKind::kKernel;
  std::string name;
  int64_t begin = 0, end = 0;  ///< nanoseconds
  int32_t device = 0;
  int64_t stream = 0;
  int64_t thread = 0;        ///< the system's number of the thread that made a call
  uint64_t correlation = 0;  ///< equal for a call and what it started
  uint64_t range = 0;        ///< the innermost range that was pushed when it was started; 0 is none
  int64_t bytes = 0;
  uint32_t grid[3] = {}, block[3] = {};
};

/// Registered by the library of a kind of device when that is loaded.
class DeviceTracer {
 public:
  virtual ~DeviceTracer() = default;
  /// Begins to record; the reason if that is impossible.
  virtual std::string start() = 0;
  /// Waits for the devices and returns what was recorded.
  virtual std::vector<Activity> stop() = 0;
  /// What this thread starts from here on belongs to range `id`, never 0, up to the pop.
  virtual void push(uint64_t id) noexcept = 0;
  virtual void pop() noexcept = 0;
};

/// Returns the one before; null is none.
DeviceTracer* set_device_tracer(DeviceTracer* tracer);
DeviceTracer* device_tracer();

/// Reads two clocks at the start and at the end of a recording and maps times of one to the other.
class ClockMap {
 public:
  struct Reading {
    int64_t other, steady;
  };
  /// The closest of a few readings of both clocks; `other` returns nanoseconds.
  template <class F>
  static Reading read(F other);
  ClockMap(Reading begin, Reading end) : begin_(begin), end_(end) {}
  int64_t to_steady(int64_t other) const;

 private:
  Reading begin_, end_;
};

/// Nanoseconds of the host's steady clock.
int64_t steady_now();

template <class F>
ClockMap::Reading ClockMap::read(F other) {
  Reading best{};
  int64_t closest = INT64_MAX;
  for (int i = 0; i < 8; ++i) {
    const int64_t before = steady_now(), there = other(), after = steady_now();
    if (after - before >= closest) continue;
    closest = after - before;
    best = {there, before + closest / 2};
  }
  return best;
}

}  // namespace strata::profiler
