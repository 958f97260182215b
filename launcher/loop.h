// Owners for libuv's loop and handles: what they watch ends with them.
#pragma once

#include <uv.h>

#include <chrono>
#include <functional>
#include <memory>

namespace strata::launcher {

/// A libuv loop. Everything that uses it is destroyed before it.
class Loop {
 public:
  Loop();
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void run() { uv_run(&loop_, UV_RUN_DEFAULT); }
  void stop() { uv_stop(&loop_); }
  uv_loop_t* get() { return &loop_; }

 private:
  uv_loop_t loop_;
};

struct CloseHandle {
  // libuv may touch a handle until its close callback, which comes from a later turn of the loop.
  template <class T>
  void operator()(T* handle) const {
    uv_close(reinterpret_cast<uv_handle_t*>(handle), [](uv_handle_t* closed) { delete reinterpret_cast<T*>(closed); });
  }
};

template <class T>
using Handle = std::unique_ptr<T, CloseHandle>;

/// Calls back once, a time after `start`, unless stopped.
class Timer {
 public:
  Timer(Loop& loop, std::function<void()> expired);
  void start(std::chrono::milliseconds delay);
  void stop() { uv_timer_stop(handle_.get()); }
  bool active() const { return uv_is_active(reinterpret_cast<const uv_handle_t*>(handle_.get())); }

 private:
  std::function<void()> expired_;
  Handle<uv_timer_t> handle_;
};

/// Calls back while a descriptor, which becomes non-blocking, can be read or written. It is not to be destroyed by its
/// own callback. Throws std::system_error for descriptors that cannot be waited for, such as a regular file's.
class Poll {
 public:
  Poll(Loop& loop, int fd, std::function<void()> ready);
  void start(uv_poll_event event);
  void stop() { uv_poll_stop(handle_.get()); }

 private:
  std::function<void()> ready_;
  Handle<uv_poll_t> handle_;
};

/// Lets a signal handler have something called by the loop.
class Wakeup {
 public:
  Wakeup(Loop& loop, std::function<void()> woken);
  void send() { uv_async_send(handle_.get()); }  ///< async-signal-safe

 private:
  std::function<void()> woken_;
  Handle<uv_async_t> handle_;
};

}  // namespace strata::launcher
