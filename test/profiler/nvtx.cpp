// NVTX ranges, by functions that write down what they are asked for.
#include <strata/strata.h>

#include "test/catch.h"
#include "test/profiler/tools.h"

namespace strata::test {
namespace {

Names said;

/// The test's functions in place of the library's.
struct Listening {
  Listening() {
    said.clear();
    before = nvtx::set_functions({[](const char* name) {
                                    said.push_back(name);
                                    return 0;
                                  },
                                  [] {
                                    said.push_back("pop");
                                    return 0;
                                  },
                                  [](const char* name) { said.push_back(std::string("mark ") + name); }});
  }
  ~Listening() { nvtx::set_functions(before); }
  nvtx::Functions before;
};

}  // namespace

TEST_CASE("ranges and marks are passed on") {
  const Listening listening;
  nvtx::range_push("step");
  { const nvtx::Range inner("inner"); }
  nvtx::mark("here");
  nvtx::range_pop();
  CHECK(said == Names{"step", "inner", "pop", "mark here", "pop"});
}

TEST_CASE("each op, user range and node of backward is an NVTX range while emit_nvtx lives") {
  const Listening listening;
  const Tensor x = ones({3}, requires_grad());
  said.clear();
  {
    const profiler::emit_nvtx emit(true);
    const profiler::RecordFunction range("range");
    (void)x.exp();
  }
  (void)x.sin();
  CHECK(said == Names{"range", "exp, sizes = [(3,)]", "pop", "pop"});
  said.clear();
  const Tensor y = x.exp();
  {
    const profiler::emit_nvtx emit;
    y.backward(ones({3}));
  }
  CHECK(std::find(said.begin(), said.end(), "ExpBackward0") != said.end());
  CHECK(std::count(said.begin(), said.end(), "pop") * 2 == static_cast<int64_t>(said.size()));
}

TEST_CASE("a profiler and emit_nvtx work together, and either may end first") {
  const Listening listening;
  const Tensor x = ones({3});
  profiler::Profiler p;
  {
    const profiler::emit_nvtx emit;
    p.start();
    (void)x.exp();
  }
  (void)x.sin();
  p.stop();
  CHECK(count(names(p), "exp") == 1);
  CHECK(count(names(p), "sin") == 1);
  CHECK(said == Names{"exp", "pop"});
}

}  // namespace strata::test
