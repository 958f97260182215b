// The Philox generator's known answers and parallel_for's promises.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/allocator.h"
#include "core/error.h"
#include "core/generator.h"
#include "core/grad_mode.h"
#include "core/parallel.h"
#include "test/catch.h"

namespace strata {
namespace {

bool equals(const Philox4x32& p, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  return p.word[0] == a && p.word[1] == b && p.word[2] == c && p.word[3] == d;
}

/// Sets the number of threads until the end of the scope.
struct Threads {
  explicit Threads(int n) : before(get_num_threads()) { set_num_threads(n); }
  ~Threads() { set_num_threads(before); }
  int before;
};

int threads_of_process() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<int>(std::distance(begin(tasks), end(tasks)));
}

}  // namespace

TEST_CASE("Philox4x32-10 gives the known answers of Random123") {
  constexpr uint64_t kOnes = UINT64_MAX;
  CHECK(equals(Philox4x32::at(0, 0, 0), 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
  CHECK(equals(Philox4x32::at(kOnes, kOnes, kOnes), 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
  CHECK(equals(Philox4x32::at(0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e), 0xd16cfe09, 0x94fdcceb,
               0x5001e420, 0x24126ea1));
}

TEST_CASE("a generator hands out each position once and can be restored") {
  Generator g(5);
  CHECK(g.current_seed() == 5);
  CHECK(g.next().offset == 0);
  CHECK(g.next().offset == 1);
  const Generator::Position saved = g.state();
  CHECK(g.next().offset == 2);
  g.set_state(saved);
  CHECK(g.next().offset == 2);
  g.set_current_seed(9);
  CHECK(g.next().offset == 0);
  CHECK(g.next().seed == 9);
}

TEST_CASE("no two threads get the same position") {
  Generator g(1);
  std::vector<std::atomic<int>> taken(4000);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) ++taken[g.next().offset];
    });
  }
  for (std::thread& t : threads) t.join();
  for (const auto& n : taken) REQUIRE(n == 1);
}

TEST_CASE("parallel_for covers each element exactly once") {
  for (int threads : {1, 2, 5}) {
    const Threads scope(threads);
    for (int64_t n : {0, 1, 2, 3, 7, 64, 1000, 1001})
      for (int64_t grain : {1, 2, 10, 1000, 5000}) {
        std::vector<std::atomic<int>> hits(static_cast<size_t>(n) + 5);
        parallel_for(5, n + 5, grain, [&](int64_t b, int64_t e) {
          for (int64_t i = b; i < e; ++i) ++hits[static_cast<size_t>(i)];
        });
        for (size_t i = 0; i < hits.size(); ++i) REQUIRE(hits[i] == (i >= 5));
      }
  }
}

TEST_CASE("parallel_for covers its range whether workers spin, sleep or are woken meanwhile") {
  using Clock = std::chrono::steady_clock;
  const auto compute_for = [](std::chrono::microseconds time) {
    for (const auto end = Clock::now() + time; Clock::now() < end;) {
    }
  };
  for (int threads : {2, 3}) {
    const Threads scope(threads);
    for (int gap : {0, 20, 100, 300, 700})  // shorter and longer than workers look out
      for (int64_t pieces : {2, 8, 64})     // few, which wake at once, and many
        for (int64_t piece : {0, 2, 20}) {  // short and long enough for a worker that sleeps
          std::vector<std::atomic<int>> hits(static_cast<size_t>(pieces));
          for (int turn = 1; turn <= 3; ++turn) {
            compute_for(std::chrono::microseconds(gap));
            parallel_for(0, pieces, 1, [&](int64_t b, int64_t e) {
              for (int64_t i = b; i < e; ++i) {
                compute_for(std::chrono::microseconds(piece));
                ++hits[static_cast<size_t>(i)];
              }
            });
            for (const auto& n : hits) REQUIRE(n == turn);
          }
        }
  }
}

TEST_CASE("an exception in the first piece of a region reaches its caller") {
  const Threads scope(2);
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // workers sleep
    CHECK_THROWS_WITH(parallel_for(0, 64, 1, [](int64_t b, int64_t) { STRATA_CHECK(b != 0, "the first"); }),
                      "the first");
  }
}

TEST_CASE("parallel_for does nothing for an empty or reversed range") {
  bool called = false;
  parallel_for(3, 3, 1, [&](int64_t, int64_t) { called = true; });
  parallel_for(5, 3, 1, [&](int64_t, int64_t) { called = true; });
  CHECK_FALSE(called);
}

TEST_CASE("an exception in any part of a parallel_for reaches the caller and the pool stays usable") {
  const Threads scope(4);
  for (int64_t culprit : {0, 499, 999}) {
    CHECK_THROWS_WITH(
        parallel_for(0, 1000, 1,
                     [&](int64_t b, int64_t e) { STRATA_CHECK(culprit < b || culprit >= e, "part with {}", culprit); }),
        "part with " + std::to_string(culprit));
  }
  std::atomic<int64_t> sum = 0;
  parallel_for(0, 100, 1, [&](int64_t b, int64_t e) {
    for (int64_t i = b; i < e; ++i) sum += i;
  });
  CHECK(sum == 4950);
}

TEST_CASE("a nested parallel_for runs inline and covers its range") {
  const Threads scope(2);
  std::atomic<int64_t> count = 0;
  std::atomic<int> split = 0;
  parallel_for(0, 10, 1, [&](int64_t b, int64_t e) {
    for (int64_t i = b; i < e; ++i) {
      int calls = 0;
      parallel_for(0, 100, 1, [&](int64_t x, int64_t y) { count += y - x, ++calls; });
      split += calls != 1 && in_parallel_region();
    }
  });
  CHECK(count == 1000);
  CHECK(split == 0);
  CHECK_FALSE(in_parallel_region());
}

TEST_CASE("parallel_for does not wait for workers that do not come") {
  const Threads scope(2);
  // The first caller's pieces hold the only worker, so the second caller has to do all of its pieces itself.
  std::atomic<int> held = 0;
  std::atomic<bool> release = false;
  std::thread first([&] {
    parallel_for(0, 2, 1, [&](int64_t, int64_t) {
      ++held;
      while (!release) std::this_thread::yield();
    });
  });
  while (held < 2) std::this_thread::yield();
  std::atomic<int64_t> sum = 0;
  parallel_for(0, 1000, 1, [&](int64_t b, int64_t e) { sum += e - b; });
  CHECK(sum == 1000);
  release = true;
  first.join();
}

TEST_CASE("eight threads share one pool") {
  const Threads scope(3);
  const int before = threads_of_process();
  std::atomic<int> wrong = 0;
  std::vector<std::thread> callers;
  for (int t = 0; t < 8; ++t) {
    callers.emplace_back([&, t] {
      std::vector<int64_t> values(1000);
      for (int64_t round = 0; round < 200; ++round) {
        parallel_for(0, 1000, 10, [&](int64_t b, int64_t e) {
          for (int64_t i = b; i < e; ++i) values[static_cast<size_t>(i)] = i * round + t;
        });
        for (int64_t i = 0; i < 1000; ++i) wrong += values[static_cast<size_t>(i)] != i * round + t;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == 0);
  CHECK(threads_of_process() <= before + 2);
}

TEST_CASE("the number of threads holds for the process") {
  const Threads scope(2);
  std::thread([] { set_num_threads(3); }).join();
  CHECK(get_num_threads() == 3);
  int seen = 0;
  std::thread([&] { seen = get_num_threads(); }).join();
  CHECK(seen == 3);
}

TEST_CASE("regions run inline where a thread asks for it") {
  const Threads scope(4);
  const InlineRegions guard;
  int calls = 0;
  parallel_for(0, 1000, 1, [&](int64_t, int64_t) { ++calls; });
  CHECK(calls == 1);
}

#if !defined(__SANITIZE_THREAD__)  // which cannot follow a process that forks while it has threads
TEST_CASE("a process that forks after parallel work can do such work in the child") {
  const Threads scope(3);
  const auto count = [] {
    std::atomic<int64_t> sum = 0;
    for (int i = 0; i < 50; ++i) parallel_for(0, 1000, 1, [&](int64_t b, int64_t e) { sum += e - b; });
    return sum.load();
  };
  REQUIRE(count() == 50000);
  const pid_t child = fork();
  if (child == 0) _exit(count() == 50000 ? 0 : 1);
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

#if !defined(__SANITIZE_ADDRESS__)  // whose own malloc, used in place of ours, keeps its locks in the child
TEST_CASE("a process that forks while other threads take memory can take some in the child") {
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      while (!stop) buffer_free(buffer_alloc(1 << 20), 1 << 20);
    });
  int alive = 0;
  constexpr int kChildren = 40;
  for (int i = 0; i < kChildren; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(10);  // ends a child that waits for a lock
      buffer_free(buffer_alloc(1 << 20), 1 << 20);
      _exit(0);
    }
    int status = -1;
    alive += waitpid(child, &status, 0) == child && status == 0;
    if (status != 0) break;
  }
  stop = true;
  for (std::thread& t : threads) t.join();
  CHECK(alive == kChildren);
}
#endif
#endif

TEST_CASE("a worker comes to a region that goes on when another caller's has ended") {
  using namespace std::chrono_literals;
  const Threads scope(2);
  std::atomic<bool> first_began = false, second_began = false;
  std::thread first([&] {
    parallel_for(0, 2, 1, [&](int64_t, int64_t) {
      first_began = true;
      while (!second_began) std::this_thread::yield();
      std::this_thread::sleep_for(20ms);
    });
  });
  while (!first_began) std::this_thread::yield();
  std::mutex mutex;
  std::set<std::thread::id> helpers;
  parallel_for(0, 8, 1, [&](int64_t, int64_t) {
    second_began = true;
    for (int i = 0; i < 100; ++i) {
      {
        const std::lock_guard lock(mutex);
        helpers.insert(std::this_thread::get_id());
        if (helpers.size() == 2) return;
      }
      std::this_thread::sleep_for(2ms);
    }
  });
  first.join();
  CHECK(helpers.size() == 2);
}

TEST_CASE("worker threads carry the caller's grad mode") {
  const Threads scope(2);
  const NoGradGuard no_grad;
  std::atomic<int> recording = 0;
  parallel_for(0, 100, 1, [&](int64_t, int64_t) { recording += GradMode::is_enabled(); });
  CHECK(recording == 0);
}

TEST_CASE("grad mode guards nest and are per thread") {
  CHECK(GradMode::is_enabled());
  {
    const NoGradGuard off;
    CHECK_FALSE(GradMode::is_enabled());
    {
      const EnableGradGuard on;
      CHECK(GradMode::is_enabled());
    }
    CHECK_FALSE(GradMode::is_enabled());
    bool elsewhere = false;
    std::thread([&] { elsewhere = GradMode::is_enabled(); }).join();
    CHECK(elsewhere);
  }
  CHECK(GradMode::is_enabled());
  {
    const InferenceMode inference;
    CHECK(InferenceMode::is_enabled());
    CHECK_FALSE(GradMode::is_enabled());
  }
  CHECK_FALSE(InferenceMode::is_enabled());
  CHECK(GradMode::is_enabled());
}

TEST_CASE("the number of threads must be positive") {
  CHECK_THROWS_WITH(set_num_threads(0), "set_num_threads: expected at least 1, got 0");
  CHECK_THROWS_AS(set_num_threads(-2), Error);
}

}  // namespace strata
