// What the autograd tests share: comparing, catching messages, running on a small stack.
#pragma once
#include <pthread.h>
#include <strata/strata.h>

#include <string>
#include <vector>

#include "test/catch.h"

namespace strata::autograd_test {

inline Tensor leaf(std::vector<double> values) { return tensor(values, kDouble).requires_grad_(); }

inline std::vector<double> values(const Tensor& t) {
  const Tensor c = t.detach().to(kDouble).contiguous();
  return {c.data_ptr<double>(), c.data_ptr<double>() + c.numel()};
}

using V = std::vector<double>;

template <class F>
std::string message(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Runs `f` on a thread with a stack of 256 KiB, which a recursion over a deep graph would overflow.
template <class F>
void on_small_stack(F f) {
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  pthread_attr_setstacksize(&attr, 256 * 1024);
  pthread_t thread;
  const auto run = [](void* p) -> void* {
    (*static_cast<F*>(p))();
    return nullptr;
  };
  const int status = pthread_create(&thread, &attr, run, &f);
  if (status == 0) pthread_join(thread, nullptr);  // Catch's own state is for one thread at a time
  REQUIRE(status == 0);
  pthread_attr_destroy(&attr);
}

}  // namespace strata::autograd_test
