// The allocator of CUDA memory, over a driver that is host memory and streams that run when told to.
#include "kernels/cuda/runtime/caching_allocator.h"

#include <array>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "core/error.h"
#include "test/catch.h"

using namespace strata;
using namespace strata::cuda;

namespace {

constexpr size_t kMiB = size_t{1} << 20;

/// Counts what it gave out, as a driver with so much memory; an event passes when its stream is let run.
class FakeDriver final : public DeviceMemory {
 public:
  explicit FakeDriver(size_t total = size_t{1} << 40) : total_(total) {}
  ~FakeDriver() override {
    CHECK(sizes.empty());
    CHECK(events == 0);
  }

  void* allocate(size_t bytes) override {
    if (in_use + bytes > total_) return nullptr;
    in_use += bytes;
    char* const at = next_;  // addresses only: nothing is written there
    next_ += bytes + 512;
    sizes[at] = bytes;
    return at;
  }
  void free(void* p) override {
    REQUIRE(sizes.count(p) == 1);
    in_use -= sizes[p];
    sizes.erase(p);
  }
  Amounts amounts() override { return {total_ - in_use, total_}; }

  void* record(void* stream) override {
    ++events;
    return new Event{stream, ++given_[stream]};
  }
  bool has_passed(void* event) override {
    const Event& e = *static_cast<Event*>(event);
    return e.position <= done_[e.stream];
  }
  void wait(void* event) override {
    ++waits;
    run(static_cast<Event*>(event)->stream);
  }
  void destroy(void* event) override {
    --events;
    delete static_cast<Event*>(event);
  }

  void run(void* stream) { done_[stream] = given_[stream]; }

  std::map<void*, size_t> sizes;
  size_t in_use = 0;
  int events = 0, waits = 0;

 private:
  struct Event {
    void* stream;
    int position;
  };
  const size_t total_;
  char* next_ = reinterpret_cast<char*>(uintptr_t{1} << 44);
  std::map<void*, int> given_, done_;
};

char streams[4];
void* const kFirst = &streams[0];
void* const kSecond = &streams[1];
void* const kThird = &streams[2];

struct FakeGpu {
  FakeDriver driver;
  CachingAllocator allocator{driver, "cuda:0"};
  FakeGpu() = default;
  explicit FakeGpu(size_t total) : driver(total) {}
  CachingAllocator::Block* allocate(size_t bytes, void* stream = kFirst) { return allocator.allocate(bytes, stream); }
  int64_t reserved() const { return allocator.stats().reserved; }
  int64_t allocated() const { return allocator.stats().allocated; }
};

char* data(const CachingAllocator::Block* b) { return static_cast<char*>(CachingAllocator::data(b)); }

}  // namespace

TEST_CASE("sizes are rounded to 512 bytes and segments to those of PyTorch's allocator") {
  for (const auto& [asked, rounded, segment] :
       std::vector<std::array<size_t, 3>>{{0, 512, 2 * kMiB},
                                          {1, 512, 2 * kMiB},
                                          {513, 1024, 2 * kMiB},
                                          {kMiB, kMiB, 2 * kMiB},
                                          {kMiB + 1, kMiB + 512, 20 * kMiB},
                                          {10 * kMiB - 512, 10 * kMiB - 512, 20 * kMiB},
                                          {10 * kMiB, 10 * kMiB, 10 * kMiB},
                                          {21 * kMiB - 512, 21 * kMiB - 512, 22 * kMiB}}) {
    CAPTURE(asked);
    FakeGpu d;
    CachingAllocator::Block* const b = d.allocate(asked);
    CHECK(d.allocated() == static_cast<int64_t>(rounded));
    CHECK(d.reserved() == static_cast<int64_t>(segment));
    CHECK(d.driver.in_use == segment);
    d.allocator.free(b);
  }
}

TEST_CASE("the end of an own segment stays with its block") {
  FakeGpu d;
  CachingAllocator::Block* const b = d.allocate(21 * kMiB);
  CHECK(d.reserved() == 22 * static_cast<int64_t>(kMiB));
  CHECK(d.allocated() == d.reserved());  // 1 MiB would be left: for small blocks, which live elsewhere
  d.allocator.free(b);
}

TEST_CASE("blocks are split, merged and handed out again") {
  FakeGpu d;
  CachingAllocator::Block* const a = d.allocate(1000);
  CachingAllocator::Block* const b = d.allocate(1000);
  CachingAllocator::Block* const c = d.allocate(1000);
  CHECK(data(b) == data(a) + 1024);
  CHECK(data(c) == data(b) + 1024);
  char* const first = data(a);
  d.allocator.free(b);
  CachingAllocator::Block* const again = d.allocate(600);  // the best fit is the hole, not the end of the segment
  CHECK(data(again) == first + 1024);
  d.allocator.free(again);
  d.allocator.free(c);
  d.allocator.free(a);
  CachingAllocator::Block* const whole = d.allocate(kMiB);
  CHECK(data(whole) == first);
  CHECK(d.allocator.stats().num_device_allocs == 1);
  CHECK(d.allocator.stats().num_allocs == 5);
  d.allocator.free(whole);
}

TEST_CASE("a block serves its own stream only") {
  FakeGpu d;
  CachingAllocator::Block* a = d.allocate(512, kFirst);
  char* const where = data(a);
  d.allocator.free(a);
  CachingAllocator::Block* const b = d.allocate(512, kSecond);
  CHECK(data(b) != where);
  a = d.allocate(512, kFirst);
  CHECK(data(a) == where);
  d.allocator.free(a);
  d.allocator.free(b);
}

TEST_CASE("a block that another stream uses is free when both are done") {
  FakeGpu d;
  CachingAllocator::Block* a = d.allocate(2 * kMiB, kFirst);
  char* const where = data(a);
  d.allocator.record_use(a, kFirst);
  d.allocator.record_use(a, kSecond);
  d.allocator.record_use(a, kSecond);
  d.allocator.record_use(a, kThird);
  d.allocator.free(a);
  CHECK(d.driver.events == 2);
  CHECK(d.allocated() == 0);
  CachingAllocator::Block* const b = d.allocate(2 * kMiB, kFirst);
  CHECK(data(b) != where);
  d.driver.run(kSecond);
  CachingAllocator::Block* const c = d.allocate(17 * kMiB, kFirst);
  CHECK(d.driver.events == 1);
  d.driver.run(kThird);
  d.allocator.free(b);
  d.allocator.empty_cache();
  CHECK(d.driver.events == 0);
  CHECK(d.driver.sizes.size() == 1);
  d.allocator.free(c);
}

TEST_CASE("empty_cache gives back exactly the segments that nobody uses") {
  FakeGpu d;
  CachingAllocator::Block* const small = d.allocate(100);
  CachingAllocator::Block* const large = d.allocate(5 * kMiB);
  CachingAllocator::Block* const huge = d.allocate(50 * kMiB);
  CachingAllocator::Block* const waits = d.allocate(30 * kMiB);
  d.allocator.free(huge);
  d.allocator.record_use(waits, kSecond);
  d.allocator.free(waits);
  CHECK(d.reserved() == 102 * static_cast<int64_t>(kMiB));
  d.allocator.empty_cache();
  CHECK(d.reserved() == 52 * static_cast<int64_t>(kMiB));
  CHECK(d.driver.in_use == 52 * kMiB);
  d.driver.run(kSecond);
  d.allocator.free(small);
  d.allocator.empty_cache();
  CHECK(d.driver.in_use == 20 * kMiB);
  d.allocator.free(large);
  d.allocator.empty_cache();
  CHECK(d.driver.in_use == 0);
  CHECK(d.allocator.stats().max_reserved == 102 * static_cast<int64_t>(kMiB));
  d.allocator.reset_peak_stats();
  CHECK(d.allocator.stats().max_reserved == 0);
}

TEST_CASE("out of memory: what is cached and what others are about to free is used first") {
  FakeGpu d(100 * kMiB);
  CachingAllocator::Block* a = d.allocate(60 * kMiB);
  d.allocator.free(a);
  CachingAllocator::Block* b = d.allocate(80 * kMiB);
  CHECK(d.reserved() == 80 * static_cast<int64_t>(kMiB));
  d.allocator.record_use(b, kSecond);
  d.allocator.free(b);
  b = d.allocate(80 * kMiB);  // waits for the second stream
  CHECK(d.driver.waits == 1);
  d.allocator.free(b);
}

TEST_CASE("out of memory: one line says what is held, and the program goes on") {
  FakeGpu d(100 * kMiB);
  CachingAllocator::Block* const a = d.allocate(50 * kMiB);
  CachingAllocator::Block* const b = d.allocate(4 * kMiB);
  CHECK_THROWS_WITH(d.allocate(60 * kMiB),
                    "cuda:0: out of memory: 60.00 MiB asked for; 30.00 MiB of 100.00 MiB are free; 54.00 MiB allocated "
                    "by tensors, 70.00 MiB reserved, 16.00 MiB in the largest free block; largest in use: 50.00 MiB, "
                    "4.00 MiB");
  CHECK_THROWS_AS(d.allocate(SIZE_MAX), Error);
  CHECK_THROWS_AS(d.allocate(SIZE_MAX / 2), Error);
  CachingAllocator::Block* const c = d.allocate(30 * kMiB);
  for (CachingAllocator::Block* block : {a, b, c}) d.allocator.free(block);
}

TEST_CASE("out of memory: what waits and what graphs keep is named") {
  FakeGpu d(100 * kMiB);
  d.allocator.begin_capture(7);
  CachingAllocator::Block* const of_graph = d.allocator.allocate(30 * kMiB, kFirst, 7);
  CachingAllocator::Block* const shared = d.allocate(20 * kMiB);
  d.allocator.free(of_graph);
  d.allocator.record_use(shared, kSecond);
  d.allocator.free(shared);
  CHECK_THROWS_WITH(d.allocate(60 * kMiB),
                    Catch::Matchers::ContainsSubstring("during a graph's capture") &&
                        Catch::Matchers::ContainsSubstring("20.00 MiB wait for other streams; 30.00 MiB kept"));
  d.allocator.end_capture();
  CHECK_THROWS_WITH(d.allocate(80 * kMiB), Catch::Matchers::ContainsSubstring("30.00 MiB kept for graphs"));
  d.allocator.release_pool(7);
  d.allocator.free(d.allocate(80 * kMiB));
}

TEST_CASE("a graph's pool serves its captures alone, and goes back to the driver with the last graph") {
  FakeGpu d;
  CachingAllocator::Block* const common = d.allocate(512);
  char* const common_data = data(common);
  d.allocator.free(common);
  d.allocator.begin_capture(1);
  CachingAllocator::Block* a = d.allocator.allocate(512, kFirst, 1);
  char* const where = data(a);
  CHECK(where != common_data);
  d.allocator.free(a);
  a = d.allocator.allocate(512, kFirst, 1);
  CHECK(data(a) == where);
  d.allocator.free(a);
  d.allocator.end_capture();
  CachingAllocator::Block* const b = d.allocate(512);
  CHECK(data(b) == common_data);
  d.allocator.free(b);
  d.allocator.empty_cache();
  CHECK(d.driver.in_use == 2 * kMiB);  // replays use it, though no tensor does
  d.allocator.begin_capture(1);        // a second graph with the pool
  CachingAllocator::Block* const c = d.allocator.allocate(512, kFirst, 1);
  CHECK(data(c) == where);
  d.allocator.end_capture();
  d.allocator.release_pool(1);
  d.allocator.empty_cache();
  CHECK(d.driver.in_use == 2 * kMiB);
  d.allocator.release_pool(1);
  CHECK(d.driver.in_use == 2 * kMiB);  // a tensor is left
  d.allocator.free(c);
  CHECK(d.driver.in_use == 2 * kMiB);
  d.allocator.empty_cache();
  CHECK(d.driver.in_use == 0);
}

TEST_CASE("two pools do not mix, and a pool goes at once when nothing uses it") {
  FakeGpu d;
  d.allocator.begin_capture(1);
  d.allocator.free(d.allocator.allocate(512, kFirst, 1));
  d.allocator.end_capture();
  d.allocator.begin_capture(2);
  d.allocator.free(d.allocator.allocate(512, kFirst, 2));
  CHECK(d.driver.in_use == 4 * kMiB);
  d.allocator.end_capture();
  const auto json = nlohmann::json::parse(d.allocator.snapshot());
  CHECK(json[0]["graphs"] == 1);
  d.allocator.release_pool(1);
  CHECK(d.driver.in_use == 2 * kMiB);
  d.allocator.release_pool(2);
  CHECK(d.driver.in_use == 0);
}

TEST_CASE("during a capture no event is recorded or asked for") {
  FakeGpu d;
  CachingAllocator::Block* const before = d.allocate(512);
  d.allocator.record_use(before, kSecond);
  d.allocator.free(before);
  CHECK(d.driver.events == 1);
  d.driver.run(kSecond);
  d.allocator.begin_capture(1);
  d.allocator.begin_capture(2);  // of another thread
  CachingAllocator::Block* const common = d.allocate(512);
  CachingAllocator::Block* const of_graph = d.allocator.allocate(512, kFirst, 1);
  for (CachingAllocator::Block* b : {common, of_graph}) {
    d.allocator.record_use(b, kThird);
    d.allocator.free(b);
  }
  CHECK(d.driver.events == 1);
  CHECK(d.allocated() == 0);
  d.allocator.end_capture();
  CHECK(d.driver.events == 1);
  d.allocator.end_capture();
  CHECK(d.driver.events == 3);
  d.driver.run(kThird);
  d.allocator.empty_cache();
  CHECK(d.driver.events == 0);
  d.allocator.release_pool(1);
  d.allocator.release_pool(2);
  CHECK(d.driver.in_use == 0);
}

TEST_CASE("blocks are found by any address inside") {
  FakeGpu d;
  CHECK(d.allocator.find(&d) == nullptr);
  CachingAllocator::Block* const a = d.allocate(1000);
  CachingAllocator::Block* const b = d.allocate(1000);
  CHECK(d.allocator.find(data(a)) == a);
  CHECK(d.allocator.find(data(a) + 1023) == a);
  CHECK(d.allocator.find(data(a) + 1024) == b);
  CHECK(d.allocator.find(data(a) - 1) == nullptr);
  d.allocator.free(b);
  CHECK(d.allocator.find(data(a) + 1024) == nullptr);
  d.allocator.free(a);
}

TEST_CASE("the snapshot lists every byte that is reserved") {
  FakeGpu d;
  CachingAllocator::Block* const a = d.allocate(1000);
  CachingAllocator::Block* const b = d.allocate(3 * kMiB, kSecond);
  CachingAllocator::Block* const c = d.allocate(512);
  d.allocator.record_use(c, kSecond);
  d.allocator.free(c);
  const auto json = nlohmann::json::parse(d.allocator.snapshot());
  REQUIRE(json.size() == 2);
  std::map<std::string, int64_t> by_state;
  for (const auto& segment : json)
    for (const auto& block : segment["blocks"]) by_state[block["state"]] += block["size"].get<int64_t>();
  CHECK(by_state["used"] == d.allocated());
  CHECK(by_state["waiting"] == 512);
  CHECK(by_state["used"] + by_state["waiting"] + by_state["free"] == d.reserved());
  CHECK(json[0]["pool"] == "small");
  d.allocator.free(a);
  d.allocator.free(b);
}

namespace {

/// Blocks in use, by address; fails where two overlap.
class Held {
 public:
  void add(CachingAllocator::Block* b, size_t bytes, void* stream) {
    char* const at = data(b);
    const auto after = held_.lower_bound(at);
    if (after != held_.end()) REQUIRE(at + bytes <= after->first);
    if (after != held_.begin()) REQUIRE(std::prev(after)->first + std::prev(after)->second.bytes <= at);
    held_[at] = {b, bytes, stream};
  }
  size_t size() const { return held_.size(); }
  CachingAllocator::Block* take(size_t index) {
    const auto it = std::next(held_.begin(), static_cast<std::ptrdiff_t>(index));
    CachingAllocator::Block* const b = it->second.block;
    held_.erase(it);
    return b;
  }

 private:
  struct One {
    CachingAllocator::Block* block;
    size_t bytes;
    void* stream;
  };
  std::map<char*, One> held_;
};

size_t random_size(std::mt19937& random) {
  switch (random() % 4) {
    case 0:
      return random() % 4096;
    case 1:
      return random() % (2 * kMiB);
    case 2:
      return random() % (16 * kMiB);
    default:
      return random() % 1024 * 512;
  }
}

int64_t bytes_in(const nlohmann::json& snapshot, const char* state) {
  int64_t sum = 0;
  for (const auto& segment : snapshot)
    for (const auto& block : segment["blocks"])
      if (block["state"] == state) sum += block["size"].get<int64_t>();
  return sum;
}

}  // namespace

TEST_CASE("100000 random operations hand no byte out twice and keep the books") {
  FakeGpu d(size_t{2} << 30);
  Held held;
  std::mt19937 random(3);
  uint64_t pools = 0;
  bool capturing = false;
  constexpr uint64_t kKept = 3;  // graphs to the end
  const auto end_capture = [&] {
    d.allocator.end_capture();
    capturing = false;
    if (pools > kKept) d.allocator.release_pool(pools);
  };
  for (int step = 0; step < 100000; ++step) {
    const uint32_t action = random() % 1000;
    if (action < 480 && held.size() < 400) {
      void* const stream = &streams[random() % 4];
      const size_t bytes = random_size(random);
      try {
        held.add(d.allocator.allocate(bytes, stream, capturing ? pools : 0), bytes, stream);
      } catch (const Error&) {
        REQUIRE((capturing || held.size() > 0));  // what waits for other streams goes on waiting during a capture
        if (capturing) end_capture();
        if (held.size() > 0) d.allocator.free(held.take(random() % held.size()));
      }
    } else if (action < 960 && held.size() > 0) {
      CachingAllocator::Block* const b = held.take(random() % held.size());
      for (uint32_t users = random() % 3; users > 0; --users) d.allocator.record_use(b, &streams[random() % 4]);
      d.allocator.free(b);
    } else if (action < 997) {
      d.driver.run(&streams[random() % 4]);
    } else if (action < 999) {
      if (capturing) {
        end_capture();
      } else {
        d.allocator.begin_capture(++pools);
        capturing = true;
      }
    } else {
      d.allocator.empty_cache();
    }
    REQUIRE(d.reserved() == static_cast<int64_t>(d.driver.in_use));
    if (step % 5000 == 0) {
      const auto json = nlohmann::json::parse(d.allocator.snapshot());
      REQUIRE(bytes_in(json, "used") == d.allocated());
      REQUIRE(bytes_in(json, "used") + bytes_in(json, "waiting") + bytes_in(json, "free") == d.reserved());
    }
  }
  if (capturing) end_capture();
  while (held.size() > 0) d.allocator.free(held.take(0));
  for (char& stream : streams) d.driver.run(&stream);
  for (uint64_t pool = 1; pool <= kKept; ++pool) d.allocator.release_pool(pool);
  CHECK(d.allocated() == 0);
  d.allocator.empty_cache();
  CHECK(d.reserved() == 0);
  CHECK(d.driver.events == 0);
}

TEST_CASE("four threads allocate and free at once") {
  FakeGpu d;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&d, t] {
      std::mt19937 random(t);
      std::vector<CachingAllocator::Block*> mine;
      for (int step = 0; step < 5000; ++step) {
        if (mine.size() < 20) mine.push_back(d.allocator.allocate(random_size(random), &streams[random() % 4]));
        if (random() % 2) d.allocator.record_use(mine.back(), &streams[random() % 4]);
        if (random() % 2) {
          d.allocator.free(mine.back());
          mine.pop_back();
        }
      }
      for (CachingAllocator::Block* b : mine) d.allocator.free(b);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(d.allocated() == 0);
  for (char& stream : streams) d.driver.run(&stream);
  d.allocator.empty_cache();
  CHECK(d.reserved() == 0);
}
