// Anomaly mode's hint of a loss that is NaN, and the lines of source that errors carry where they are asked for.
#include <dlfcn.h>

#include <cmath>

#include "autograd/anomaly.h"
#include "autograd/autograd.h"
#include "core/stack.h"
#include "core/warning.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/linalg.h"
#include "ops/unary.h"
#include "test/catch.h"
#include "test/error_of.h"

using namespace strata;

namespace {
struct Hearing : WarningHandler {
  void process(const Warning& warning) override { heard.push_back(warning.msg()); }
  std::vector<std::string> heard;
};

/// Does this build look for functions by libdw, and has the machine that it runs on one (qemu's may not)?
bool finds_functions() {
#if __has_include(<elfutils/libdwfl.h>)
  return ::dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL) != nullptr;
#else
  return false;
#endif
}
}  // namespace

/// A name that stands in the program's symbols.
[[gnu::noinline]] void multiply_what_does_not_fit() {
  matmul(ones({2, 3}), ones({4, 5}));
  asm volatile("");  // or the call above would be a jump, and this function not on the stack
}

TEST_CASE("a loss that is NaN is told of in anomaly mode") {
  Hearing hearing;
  const WarningUtils::WarningHandlerGuard guard(&hearing);
  const Tensor x = tensor(-1.).requires_grad_();
  (x * NAN).backward();
  CHECK(hearing.heard.empty());
  const autograd::DetectAnomalyGuard anomaly;
  hearing.heard.clear();  // what the mode itself costs is told once
  (x * 2).backward();
  CHECK(hearing.heard.empty());
  for (int i = 0; i < 2; ++i) CHECK_THROWS((x * NAN).backward());
  std::erase_if(hearing.heard, [](const std::string& text) { return !text.starts_with("backward: "); });
  REQUIRE(hearing.heard.size() == 1);
  CHECK(hearing.heard[0].starts_with("backward: the loss is NaN before backward begins; MulBackward0"));
}

TEST_CASE("errors say where they were thrown from, if they are asked") {
  const std::string plain = error_of([] { multiply_what_does_not_fit(); });
  CHECK(plain.find('\n') == std::string::npos);
  set_error_backtraces(true);
  const std::string told = error_of([] { multiply_what_does_not_fit(); });
  set_error_backtraces(false);
  CHECK(told.rfind(plain + "\n  at ", 0) == 0);
  CHECK(told.find("0x") == std::string::npos);
  if (finds_functions())
    CHECK(told.find("\n  at multiply_what_does_not_fit() at ") != std::string::npos);
  else
    WARN("functions are not looked for: no libdw here, or libdw-dev was not installed when Strata was built");
}
