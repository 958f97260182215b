// Owners for libuv's loop and handles.
#include "launcher/loop.h"

#include <system_error>

namespace strata::launcher {
namespace {

void check(int error, const char* what) {
  if (error < 0) throw std::system_error(-error, std::generic_category(), what);
}

}  // namespace

Loop::Loop() { check(uv_loop_init(&loop_), "uv_loop_init"); }

Loop::~Loop() {
  while (uv_loop_alive(&loop_)) uv_run(&loop_, UV_RUN_DEFAULT);  // the close callbacks
  uv_loop_close(&loop_);
}

Timer::Timer(Loop& loop, std::function<void()> expired) : expired_(std::move(expired)), handle_(new uv_timer_t) {
  uv_timer_init(loop.get(), handle_.get());
  handle_->data = this;
}

void Timer::start(std::chrono::milliseconds delay) {
  uv_update_time(handle_->loop);  // else the delay counts from when this turn of the loop began
  uv_timer_start(
      handle_.get(), [](uv_timer_t* handle) { static_cast<Timer*>(handle->data)->expired_(); },
      static_cast<uint64_t>(delay.count()), 0);
}

Poll::Poll(Loop& loop, int fd, std::function<void()> ready) : ready_(std::move(ready)) {
  auto handle = std::make_unique<uv_poll_t>();
  check(uv_poll_init(loop.get(), handle.get(), fd), "uv_poll_init");
  handle->data = this;
  handle_.reset(handle.release());
}

void Poll::start(uv_poll_event event) {
  // An error of the descriptor shows in the read or write that follows.
  uv_poll_start(handle_.get(), event, [](uv_poll_t* handle, int, int) { static_cast<Poll*>(handle->data)->ready_(); });
}

Wakeup::Wakeup(Loop& loop, std::function<void()> woken) : woken_(std::move(woken)), handle_(new uv_async_t) {
  check(uv_async_init(loop.get(), handle_.get(),
                      [](uv_async_t* handle) { static_cast<Wakeup*>(handle->data)->woken_(); }),
        "uv_async_init");
  handle_->data = this;
}

}  // namespace strata::launcher
