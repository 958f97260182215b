// Writing to a connection that the other side has closed, without the signal that ends the process.
#pragma once
#include <pthread.h>

#include <csignal>
#include <ctime>

namespace strata::distributed {

/// While it lives, a write of the calling thread to a closed connection fails with EPIPE and raises no SIGPIPE; the
/// same holds for good on the threads that it starts meanwhile. Gloo writes without MSG_NOSIGNAL, and how a program
/// treats the signal is not a library's to change.
class NoBrokenPipe {
 public:
  NoBrokenPipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    was_pending_ = is_pending();
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoBrokenPipe() {
    const timespec at_once = {};
    if (!was_pending_ && is_pending()) sigtimedwait(&pipe_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoBrokenPipe(const NoBrokenPipe&) = delete;
  NoBrokenPipe& operator=(const NoBrokenPipe&) = delete;

 private:
  static bool is_pending() {
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGPIPE) == 1;
  }

  sigset_t pipe_, before_;
  bool was_pending_;
};

}  // namespace strata::distributed
