// A stream of a device that is host memory: its work runs at once or, while it is captured, is written down.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

namespace strata::test {

/// What a graph holds.
struct CapturedWork {
  std::vector<std::function<void()>> work;
  std::vector<struct HostStream*> streams;  ///< that take part in the capture
  uint64_t pool = 0;
};

/// What a cudaStream_t points to; the default stream is null.
struct HostStream {
  CapturedWork* recording = nullptr;
};

inline CapturedWork* recording_of(void* stream) {
  return stream ? static_cast<HostStream*>(stream)->recording : nullptr;
}

/// Runs `work`, which owns what it needs, or keeps it for the graph that captures the stream.
template <class F>
void give(void* stream, const F& work) {
  if (CapturedWork* const r = recording_of(stream))
    r->work.emplace_back(work);
  else
    work();
}

}  // namespace strata::test
