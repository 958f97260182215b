// Rows around a stretch of code: of the user's own, and around each node that backward runs.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "../core/thread_state.h"

namespace strata::profiler {

enum class EventKind : uint8_t { kOp, kBackward, kUserRange, kRuntime, kKernel, kMemcpy, kMemset, kModule };

/// A row that is open on this thread, and an NVTX range where those are emitted. Costs a test where neither is.
class OpenRange {
 public:
  OpenRange() = default;
  ~OpenRange() {
    if (log_ || nvtx_) [[unlikely]]
      close();
  }
  OpenRange(const OpenRange&) = delete;
  OpenRange& operator=(const OpenRange&) = delete;
  static bool wanted() { return thread_state.included.has(Key::Profiler); }
  void open(EventKind kind, std::string_view name);

 private:
  void close();
  void* log_ = nullptr;
  void* record_ = nullptr;
  bool nvtx_ = false, backward_ = false;
};

/// A row of the user's own around a scope; free of cost where no profiler sees the thread.
class RecordFunction {
 public:
  explicit RecordFunction(std::string_view name) {
    if (OpenRange::wanted()) [[unlikely]]
      range_.open(EventKind::kUserRange, name);
  }

 private:
  OpenRange range_;
};

/// For the engine of backward: the row of the node with the name that `name()` gives. Rows inside are part of backward.
class BackwardRange {
 public:
  template <class F>
  explicit BackwardRange(F name) {
    if (OpenRange::wanted()) [[unlikely]]
      range_.open(EventKind::kBackward, name());
  }

 private:
  OpenRange range_;
};

}  // namespace strata::profiler
