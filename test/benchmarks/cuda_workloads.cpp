// The workloads of script/bench --cuda at sizes of nothing, on a device that is host memory: events, memory, graphs.
#include "benchmarks/cuda/harness.h"
#include "test/catch.h"
#include "test/cuda_stand_in.h"

namespace strata::test {

TEST_CASE("every workload runs on a CUDA device") {
  if (!stand_in()) return;  // script/bench --cuda shows it where a real one is
  bench::Suite suite({.tiny = true});
  bench::all_rows(suite);
  CHECK(suite.failures() == 0);
}

TEST_CASE("a workload that fails is counted, and the others go on") {
  bench::Suite suite({.device = kCPU, .tiny = true, .rows = "row"});
  int ran = 0;
  suite.device_time("row 1", {}, []() -> bench::Body { STRATA_THROW("a \"reason\""); });
  suite.device_time("row 2", {}, [&]() -> bench::Body { return [&] { ++ran; }; });
  suite.device_time("unwanted", {}, [&]() -> bench::Body { return [&] { ran = -100; }; });
  CHECK(suite.failures() == 1);
  CHECK(ran == 6);  // three to warm up, one to see how long it takes, two samples
}

}  // namespace strata::test
