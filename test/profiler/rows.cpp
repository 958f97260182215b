// What the profiler writes down: ops, backward, user ranges, shapes, memory and threads.
#include <strata/strata.h>

#include <thread>

#include "core/thread_state.h"
#include "test/catch.h"
#include "test/profiler/tools.h"

namespace strata::test {

TEST_CASE("ops and user ranges are rows, each inside the one around it") {
  const Tensor a = ones({3, 4}), b = ones({3, 4});
  profiler::Profiler p;
  p.start();
  {
    STRATA_RECORD_FUNCTION("outer");
    const profiler::RecordFunction inner("inner");
    (void)(a * b);
  }
  (void)(a + b);
  p.stop();
  (void)(a * b);  // nobody sees this
  CHECK(names(p) == Names{"outer", "inner", "mul", "add"});
  const auto& e = p.events();
  CHECK(e[0].parent == profiler::kNoEvent);
  CHECK(e[1].parent == 0);
  CHECK(e[2].parent == 1);
  CHECK(e[3].parent == profiler::kNoEvent);
  CHECK(e[0].kind == profiler::EventKind::kUserRange);
  CHECK(e[2].kind == profiler::EventKind::kOp);
  for (const auto& row : e) {
    CHECK(row.begin >= 0);
    CHECK(row.end >= row.begin);
    CHECK(row.input_shapes.empty());
    if (row.parent == profiler::kNoEvent) continue;
    CHECK(e[row.parent].begin <= row.begin);
    CHECK(row.end <= e[row.parent].end);
  }
}

TEST_CASE("an in-place op, a view and an op of a transform are rows") {
  Tensor x = ones({2, 3});
  profiler::Profiler p;
  p.start();
  x.add_(x);
  (void)x.t();
  (void)vmap([](const Tensor& v) { return v.sin(); })(x);
  p.stop();
  const Names got = names(p);
  CHECK(got[0] == "add");
  CHECK(count(got, "sin") == 2);  // as the function calls it, and below the transform
}

TEST_CASE("a node of backward is a row, and so is what it runs") {
  const Tensor x = ones({4}, requires_grad());
  profiler::Profiler p;
  p.start();
  const Tensor y = (x * x).sum();
  y.backward();
  p.stop();
  const size_t node = find(p, "MulBackward0");
  const auto& e = p.events();
  REQUIRE(node != profiler::kNoEvent);
  CHECK(e[node].kind == profiler::EventKind::kBackward);
  CHECK(e[node].in_backward);
  CHECK(find(p, "SumBackward0") < node);
  CHECK(find(p, "AccumulateGrad") > node);
  CHECK_FALSE(e[find(p, "mul")].in_backward);
  size_t inside = 0;
  for (const auto& row : e) inside += row.parent == node && row.in_backward && row.name == "mul";
  CHECK(inside == 2);
}

TEST_CASE("shapes, dtypes and memory are kept if asked for") {
  const Tensor a = ones({256, 256}), b = ones({256, 256});
  const std::vector<int64_t> shape = {256, 256};
  profiler::Profiler p({.record_shapes = true, .profile_memory = true});
  p.start();
  const Tensor c = matmul(a, b);
  (void)a.sum(kInt64);
  p.stop();
  const auto& mm = p.events().front();
  CHECK(mm.input_shapes == std::vector{shape, shape});
  CHECK(mm.input_dtypes == Names{"float32", "float32"});
  CHECK(mm.memory == 256 * 256 * 4);
  CHECK(p.table("self_cpu_memory_usage", 10, true).find("[[256, 256], [256, 256]]") != std::string::npos);
}

TEST_CASE("a row ends where an op throws, and rows that are open end when the profiler stops") {
  const Tensor a = ones({2, 2});
  profiler::Profiler p;
  p.start();
  const profiler::RecordFunction open("open");
  CHECK_THROWS_AS(index_select(a, 0, full({1}, 7, kLong)), Error);
  p.stop();
  REQUIRE(names(p).size() >= 2);
  for (const auto& e : p.events()) CHECK(e.end >= e.begin);
  CHECK(p.events().back().parent == 0);
}

TEST_CASE("without a profiler the key is off, also after one that was not stopped by hand") {
  CHECK_FALSE(thread_state.included.has(Key::Profiler));
  {
    profiler::Profiler p;
    p.start();
    CHECK(thread_state.included.has(Key::Profiler));
  }
  CHECK_FALSE(thread_state.included.has(Key::Profiler));
}

TEST_CASE("a profiler starts again with an empty list") {
  profiler::Profiler p;
  for (int i = 0; i < 2; ++i) {
    p.start();
    (void)ones({2}).exp();
    p.stop();
    CHECK(count(names(p), "exp") == 1);
  }
}

TEST_CASE("other threads are recorded while they are attached") {
  const Tensor a = ones({8});
  profiler::Profiler p;
  p.start();
  std::thread([&] { (void)a.exp(); }).join();
  std::thread([&] {
    {
      const profiler::Attach attach;
      (void)a.sin();
    }
    (void)a.tanh();
  }).join();
  (void)a.cos();
  p.stop();
  REQUIRE(names(p) == Names{"sin", "cos"});
  CHECK(p.events()[0].thread != p.events()[1].thread);
}

TEST_CASE("profilers start and stop while attached threads go on") {
  std::atomic<bool> done = false;
  const auto work = [&done] {
    const profiler::Attach attach;
    const Tensor a = ones({8});
    while (!done) {
      const profiler::RecordFunction step("step");
      (void)(a * a);
    }
  };
  std::thread one(work), two(work);
  for (int i = 0; i < 50; ++i) {
    profiler::Profiler p({.record_shapes = i % 2 == 0});
    p.start();
    (void)ones({8}).exp();
    p.stop();
    for (const auto& e : p.events()) REQUIRE(e.end >= e.begin);
    CHECK(count(names(p), "exp") == 1);
  }
  done = true;
  one.join();
  two.join();
}

TEST_CASE("many rows keep their order over chunks") {
  const Tensor a = ones({1});
  profiler::Profiler p;
  p.start();
  for (int i = 0; i < 5000; ++i) (void)(i % 2 ? a.exp() : a.sin());
  p.stop();
  REQUIRE(p.events().size() == 5000);
  for (size_t i = 0; i < 5000; ++i) REQUIRE(p.events()[i].name == (i % 2 ? "exp" : "sin"));
}

TEST_CASE("a schedule keeps the active steps of each cycle") {
  const Tensor a = ones({2});
  std::vector<Names> cycles;
  profiler::Profiler p({.schedule = {.wait = 1, .warmup = 1, .active = 2, .repeat = 2}});
  p.on_trace_ready([&](profiler::Profiler& ready) { cycles.push_back(names(ready)); });
  p.start();
  for (int i = 0; i < 12; ++i) {
    (void)(i % 2 ? a.exp() : a.sin());
    p.step();
  }
  p.stop();
  REQUIRE(cycles.size() == 2);
  CHECK(cycles[0] == Names{"ProfilerStep#2", "sin", "ProfilerStep#3", "exp"});
  CHECK(cycles[1] == Names{"ProfilerStep#6", "sin", "ProfilerStep#7", "exp"});
}

TEST_CASE("a schedule may be active all the time, and stop ends a cycle that has begun") {
  std::vector<size_t> steps;
  profiler::Profiler p({.schedule = {.active = 2}});
  p.on_trace_ready([&](profiler::Profiler& ready) { steps.push_back(ready.events().size()); });
  p.start();
  for (int i = 0; i < 5; ++i) p.step();
  p.stop();
  CHECK(steps == std::vector<size_t>{2, 2, 2});  // the last step is the one that the fifth call began
  profiler::Profiler waits({.schedule = {.wait = 5, .active = 1}});
  waits.start();
  waits.step();
  waits.stop();
  CHECK_THROWS_AS(waits.events(), Error);
  profiler::Profiler negative({.schedule = {.wait = -1, .active = 1}});
  CHECK_THROWS_WITH(negative.start(), "profiler: a negative number of steps");
}

TEST_CASE("misuse of the profiler is an error") {
  profiler::Profiler p, q;
  CHECK_THROWS_WITH(p.stop(), "profiler: not started");
  CHECK_THROWS_WITH(p.table(), "profiler: nothing recorded yet: start() and stop() come first");
  p.start();
  CHECK_THROWS_WITH(p.start(), "profiler: started already");
  CHECK_THROWS_WITH(q.start(), "profiler: another one is running; stop it first");
  p.stop();
  CHECK_THROWS_WITH(p.table("nonsense"), Catch::Matchers::ContainsSubstring("cannot sort by 'nonsense'"));
}

TEST_CASE("a profiler may be stopped, or end, on another thread") {
  auto p = std::make_unique<profiler::Profiler>();
  p->start();
  (void)ones({2}).exp();
  std::thread([&] { p->stop(); }).join();
  CHECK(count(names(*p), "exp") == 1);
  p->start();
  std::thread([&] { p.reset(); }).join();
  (void)ones({2}).exp();  // the first op notices
  CHECK_FALSE(thread_state.included.has(Key::Profiler));
}

TEST_CASE("long names are cut in the table") {
  profiler::Profiler p;
  p.start();
  { const profiler::RecordFunction range(std::string(100, 'x')); }
  p.stop();
  CHECK(p.table().find(std::string(52, 'x') + "...  ") != std::string::npos);
  CHECK(p.events()[0].name.size() == 100);
}

TEST_CASE("averages add up rows of a name, and self leaves out what is inside") {
  const Tensor a = ones({64, 64});
  profiler::Profiler p;
  p.start();
  for (int i = 0; i < 3; ++i) {
    const profiler::RecordFunction step("step");
    (void)matmul(a, a);
  }
  p.stop();
  for (const auto& average : p.key_averages()) {
    CHECK(average.self_cpu_time <= average.cpu_time);
    if (average.key == "step") CHECK(average.count == 3);
  }
  const std::string table = p.table("count");
  CHECK(table.find("Self CPU %") != std::string::npos);
  CHECK(table.find("CUDA") == std::string::npos);
  CHECK(table.find("step") != std::string::npos);
}

}  // namespace strata::test
