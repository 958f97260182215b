// Allocators, storages, tensor bodies and reference counts, across threads as well.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "core/allocator.h"
#include "core/intrusive.h"
#include "core/tensor.h"
#include "test/catch.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kCaches = false;  // sanitized builds use plain malloc and free
#else
constexpr bool kCaches = true;
#endif

namespace strata {
namespace {

bool is_aligned(const void* p) { return reinterpret_cast<uintptr_t>(p) % kAlignment == 0; }

}  // namespace

TEST_CASE("small blocks are aligned, distinct and writable to their last byte") {
  for (size_t bytes : {size_t{0}, size_t{1}, size_t{63}, size_t{64}, size_t{65}, size_t{500}, kSmallBlock}) {
    std::vector<char*> blocks;
    for (int i = 0; i < 200; ++i) {
      blocks.push_back(static_cast<char*>(small_alloc(bytes)));
      REQUIRE(is_aligned(blocks.back()));
      std::memset(blocks.back(), i, bytes);
    }
    for (int i = 0; i < 200; ++i) {
      if (bytes) CHECK(blocks[i][bytes - 1] == static_cast<char>(i));
      small_free(blocks[i], bytes);
    }
  }
}

TEST_CASE("a freed small block is the next one given out") {
  void* p = small_alloc(100);
  small_free(p, 100);
  void* q = small_alloc(128);  // the same size class
  if (kCaches) CHECK(p == q);
  small_free(q, 128);
}

TEST_CASE("blocks freed by another thread come back into use") {
  constexpr int kRounds = 20, kBlocks = 2000;
  std::set<void*> seen;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<void*> blocks(kBlocks);
    for (void*& p : blocks) seen.insert(p = small_alloc(256));
    std::thread([&] {
      for (void* p : blocks) small_free(p, 256);
    }).join();
  }
  // Without a way back, every round would need 2,000 fresh blocks.
  if (kCaches) CHECK(seen.size() < 3 * kBlocks);
}

TEST_CASE("blocks travel between threads that allocate and free at once") {
  std::vector<std::thread> threads;
  std::atomic<void*> slots[64] = {};
  std::atomic<int> bad = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20000; ++i) {
        auto* mine = static_cast<uint64_t*>(small_alloc(192));
        mine[0] = mine[23] = static_cast<uint64_t>(t) << 32 | static_cast<uint64_t>(i);
        auto* other = static_cast<uint64_t*>(slots[(i * 7 + t) % 64].exchange(mine));
        if (!other) continue;
        bad += other[0] != other[23];
        small_free(other, 192);
      }
    });
  }
  for (std::thread& t : threads) t.join();
  for (auto& slot : slots)
    if (void* p = slot.load()) small_free(p, 192);
  CHECK(bad == 0);
}

TEST_CASE("big buffers are aligned, cached by size class, and counted") {
  if (!kCaches) return;
  empty_cache();
  const MemoryStats before = memory_stats();
  CHECK(before.cached == 0);
  void* p = buffer_alloc(1 << 20);
  CHECK(is_aligned(p));
  std::memset(p, 1, 1 << 20);
  CHECK(memory_stats().in_use >= before.in_use + (1 << 20));
  CHECK(memory_stats().peak >= memory_stats().in_use);
  buffer_free(p, 1 << 20);
  CHECK(memory_stats().in_use == before.in_use);
  CHECK(memory_stats().cached >= 1 << 20);
  void* q = buffer_alloc((1 << 20) - 100);  // near enough to share the class
  CHECK(p == q);
  CHECK(memory_stats().system_calls == before.system_calls + 1);
  buffer_free(q, (1 << 20) - 100);
  empty_cache();
  CHECK(memory_stats().cached == 0);
}

TEST_CASE("the cache wastes little and gives up what nobody used for long") {
  if (!kCaches) return;
  empty_cache();
  const int64_t before = memory_stats().in_use;
  for (size_t bytes : {size_t{5000}, size_t{70000}, size_t{1000001}, size_t{33333333}}) {
    void* p = buffer_alloc(bytes);
    CHECK(memory_stats().in_use - before <= static_cast<int64_t>(bytes + bytes / 8 + 512));
    buffer_free(p, bytes);
  }
  for (size_t i = 0; i < 64; ++i) buffer_free(buffer_alloc((i + 1) << 20), (i + 1) << 20);
  const int64_t peak = memory_stats().peak;
  CHECK(memory_stats().cached <= std::max<int64_t>(peak + peak / 4, int64_t{256} << 20));
  empty_cache();
}

TEST_CASE("a thread takes first what it gave back itself, and whoever asks for all memory gets that too") {
  if (!kCaches) return;
  empty_cache();
  const MemoryStats before = memory_stats();
  void* const own = buffer_alloc(8192);
  buffer_free(own, 8192);
  std::thread([&] {
    void* const other = buffer_alloc(8192);
    CHECK(other != own);
    CHECK(memory_stats().in_use == before.in_use + 8192);
    buffer_free(other, 8192);
    CHECK(buffer_alloc(8192) == other);
    buffer_free(other, 8192);
    CHECK(memory_stats().in_use == before.in_use);
    empty_cache();  // also what the thread that waits keeps
    CHECK(memory_stats().cached == 0);
    buffer_free(buffer_alloc(8192), 8192);
  }).join();
  CHECK(memory_stats().cached == 8192);  // of the thread that has ended
  const int64_t calls = memory_stats().system_calls;
  buffer_free(buffer_alloc(8192), 8192);
  CHECK(memory_stats().system_calls == calls);
  empty_cache();
}

TEST_CASE("what a thread keeps is of the size that was asked for, and little") {
  if (!kCaches) return;
  empty_cache();
  const int64_t before = memory_stats().in_use;
  std::vector<std::pair<char*, size_t>> all;
  for (int turn = 0; turn < 3; ++turn) {  // from the system, from the thread's own, from those and from all threads'
    for (size_t bytes = kSmallBlock + 1; bytes <= size_t{160} << 10; bytes += 509) {
      all.emplace_back(static_cast<char*>(buffer_alloc(bytes)), bytes);
      std::memset(all.back().first, turn, bytes);
    }
    for (const auto& [data, bytes] : all) {
      CHECK(static_cast<size_t>(std::count(data, data + bytes, turn)) == bytes);  // nobody else's memory
      buffer_free(data, bytes);
    }
    all.clear();
    CHECK(memory_stats().in_use == before);
  }
  empty_cache();
  CHECK(memory_stats().cached == 0);
}

TEST_CASE("asking for more than there is throws and harms nothing") {
  CHECK_THROWS_AS(buffer_alloc(size_t{1} << 63), Error);
  CHECK_THROWS_AS(buffer_alloc(SIZE_MAX), Error);
  CHECK_THROWS_AS(empty_cpu({int64_t{1} << 60, 16}, kFloat), Error);
  CHECK_THROWS_AS(empty_cpu({int64_t{1} << 61}, kDouble), Error);
  CHECK(empty_cpu({2}, kFloat).numel() == 2);
}

TEST_CASE("intrusive pointers count their references") {
  struct Counted {
    RefCount refs;
    int* alive;
    explicit Counted(int* n) : alive(n) { ++*n; }
    ~Counted() { --*alive; }
    void retain() { refs.retain(); }
    void release() {
      if (refs.release()) delete this;
    }
  };
  int alive = 0;
  {
    auto a = IntrusivePtr<Counted>::adopt(new Counted(&alive));
    IntrusivePtr<Counted> b = a, c = std::move(b);
    CHECK(!b);
    CHECK(c == a);
    CHECK(a->refs.count() == 2);
    c = nullptr;
    CHECK(a->refs.count() == 1);
    const auto* same = &a;
    a = *same;
    CHECK(a->refs.count() == 1);
    Counted* raw = a.detach();
    CHECK(!a);
    a = IntrusivePtr<Counted>::adopt(raw);
    CHECK(alive == 1);
  }
  CHECK(alive == 0);
  RefCount count;
  CHECK(count.try_retain());
  CHECK_FALSE(count.release());
  CHECK(count.release());     // the last owner lets go ...
  CHECK(count.try_retain());  // ... but a weak reference was turned into a new one
  CHECK(count.taken_back());
  CHECK(count.release());
  CHECK_FALSE(count.taken_back());
}

TEST_CASE("a storage lies inline when small, apart when big, and may wrap foreign memory") {
  for (size_t bytes : {size_t{0}, size_t{4}, size_t{960}, size_t{961}, size_t{1} << 20}) {
    const Storage s = Storage::adopt(StorageImpl::create(bytes));
    CHECK(is_aligned(s->data()));
    CHECK(s->nbytes() == bytes);
    std::memset(s->data(), 3, bytes);
    CHECK(s->version() == 0);
    s->bump_version();
    CHECK(s->version() == 1);
  }
  float data[4] = {1, 2, 3, 4};
  int deleted = 0;
  {
    const Storage s = Storage::adopt(StorageImpl::wrap(
        data, sizeof data, kCPU, [](void* n, void*) { ++*static_cast<int*>(n); }, &deleted));
    CHECK(s->data() == reinterpret_cast<char*>(data));
    const Storage other = s;
    CHECK(s->use_count() == 2);
  }
  CHECK(deleted == 1);
  CHECK(data[3] == 4);
}

TEST_CASE("tensor handles share a body, know their geometry and refuse wrong use") {
  Tensor t = empty_cpu({2, 3}, kFloat);
  CHECK(t.use_count() == 1);
  const Tensor same = t;
  CHECK(same.is_same(t));
  CHECK(t.use_count() == 2);
  CHECK(t.dim() == 2);
  CHECK(t.size(-1) == 3);
  CHECK(t.stride(0) == 3);
  CHECK(t.numel() == 6);
  CHECK(t.nbytes() == 24);
  CHECK(t.is_contiguous());
  CHECK(t.storage_offset() == 0);
  CHECK(is_aligned(t.bytes()));
  CHECK_THROWS_AS(t.size(2), IndexError);
  CHECK_THROWS_WITH(t.data_ptr<double>(), "data_ptr: the tensor is float32, asked for float64");
  CHECK_THROWS_AS((t.accessor<float, 1>()), Error);
  auto a = t.accessor<float, 2>();
  a[1][2] = 5;
  CHECK(t.data_ptr<float>()[5] == 5);
  const Tensor undefined;
  CHECK_FALSE(undefined.defined());
  CHECK_THROWS_WITH(undefined.sizes(), Catch::Matchers::StartsWith("use of an undefined tensor: "));
  CHECK_THROWS_AS(undefined.bytes(), Error);
  t.reset();
  CHECK_FALSE(t.defined());
  CHECK(same.use_count() == 1);
}

TEST_CASE("tensors have any number of dims up to 64 and any of them may be empty") {
  for (int64_t n : {0, 1, 6, 7, 12, 64}) {
    const Tensor t = empty_cpu(DimVector(static_cast<size_t>(n), 1), kDouble);
    CHECK(t.dim() == n);
    CHECK(t.numel() == 1);
  }
  CHECK(empty_cpu({0}, kFloat).numel() == 0);
  CHECK(empty_cpu({3, 0, 5}, kFloat).numel() == 0);
  CHECK(empty_cpu({0, INT64_MAX, INT64_MAX}, kFloat).numel() == 0);
  CHECK_THROWS_AS(empty_cpu({-1}, kFloat), Error);
}

TEST_CASE("a tensor dies on whichever thread drops it last") {
  const int64_t before = memory_stats().in_use;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 500; ++i) {
        Tensor big = empty_cpu({1024 + i}, kFloat);
        std::thread([moved = std::move(big)]() mutable { moved.reset(); }).join();
      }
    });
  }
  for (std::thread& t : threads) t.join();
  CHECK(memory_stats().in_use == before);
}

}  // namespace strata
