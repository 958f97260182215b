// Products and convolutions in the destructor of an object that was made before the first of them.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "strata.h"
#include "test/catch.h"

namespace strata {
namespace {

constexpr int kRight = 7, kWrong = 8;

bool multiplies(int64_t n) {
  const Tensor x = ones({n, n}), y = x.slice(1, 0, 2);
  const bool squares = equal(x.t().matmul(x), full({n, n}, static_cast<double>(n))) &&
                       equal(x.matmul(y), full({n, 2}, static_cast<double>(n)));
  return squares && equal(x.matmul(x[0]), full({n}, static_cast<double>(n)));
}

bool convolves() {
  const Tensor x = ones({4, 16, 20, 20}).requires_grad_(), w = ones({32, 16, 3, 3}).requires_grad_();
  const Tensor y = conv2d(x, w);
  y.backward(ones_like(y));
  return equal(y, full({4, 32, 18, 18}, 144.0)) && equal(w.grad(), full({32, 16, 3, 3}, 4.0 * 18 * 18));
}

/// Its destructor computes what the process has computed before, then ends the process with what came of it.
struct AtExit {
  bool computes = false;
  ~AtExit() {
    if (computes) _exit(multiplies(3) && multiplies(40) && multiplies(300) && convolves() ? kRight : kWrong);
  }
} at_exit;

int end_of_child_after(bool (*compute)()) {
  const pid_t child = fork();
  if (child == 0) {
    at_exit.computes = true;
    std::exit(compute() ? 0 : kWrong);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("a static object's destructor multiplies and convolves after oneDNN has freed its kernels (forks)") {
  CHECK(end_of_child_after([] { return multiplies(300); }) == kRight);
  CHECK(end_of_child_after([] { return multiplies(300) && convolves(); }) == kRight);
}

}  // namespace strata
