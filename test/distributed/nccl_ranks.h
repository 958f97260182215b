// Ranks of NCCL between threads of this process, by a library in NCCL's place.
#pragma once
#include <dlfcn.h>
#include <strata/distributed/device_group.h>
#include <strata/strata.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "test/catch.h"
#include "test/distributed/cases.h"
#include "test/distributed/fake_nccl/device.h"
#include "test/distributed/fake_nccl/nccl.h"
#include "test/distributed/port.h"

namespace strata::nccl_ranks {

/// The library in NCCL's place. The engine asks the loader for libnccl.so.2, which is there already.
inline const test::FakeNccl& fake() {
  static const auto* const found = [] {
    const char* const path = std::getenv("STRATA_FAKE_NCCL");  // an older one
    void* const library = dlopen(path ? path : STRATA_FAKE_NCCL, RTLD_NOW | RTLD_LOCAL);
    STRATA_CHECK(library, "{}", dlerror());
    return static_cast<const test::FakeNccl*>(dlsym(library, "strata_fake_nccl"));
  }();
  return *found;
}

/// False where there are real devices, which these tests have nothing to do with.
inline bool has_devices() { return test::async_devices() != nullptr; }

inline std::string fresh_folder() {
  static std::atomic<int> count{0};
  const auto path = std::filesystem::temp_directory_path() /
                    ("strata_nccl_" + std::to_string(getpid()) + "_" + std::to_string(count++));
  std::filesystem::create_directories(path);
  return "file://" + path.string();
}

inline distributed::EngineOptions options_of(int64_t rank, int64_t world, const std::string& store,
                                             std::chrono::milliseconds timeout = std::chrono::seconds(20)) {
  distributed::EngineOptions options;
  options.name = "i", options.rank = rank, options.world_size = world, options.store = store, options.timeout = timeout;
  return options;
}

/// What each rank's `body` threw; empty for those that ended well. Rank r has the device cuda:r.
inline std::vector<std::string> run_nccl(int64_t world, const std::function<void(const ProcessGroup&)>& body,
                                         std::chrono::milliseconds timeout = std::chrono::seconds(20)) {
  fake();
  const std::string store = fresh_folder();
  std::vector<std::string> errors(static_cast<size_t>(world));
  std::vector<std::thread> ranks;
  for (int64_t rank = 0; rank < world; ++rank)
    ranks.emplace_back([&, rank] {
      try {
        cuda::set_device(static_cast<DeviceIndex>(rank));
        const ProcessGroup group = distributed::nccl_engine(options_of(rank, world, store, timeout));
        const GroupScope scope(group, GroupScope::Reach::kThread);
        body(group);
      } catch (const std::exception& e) {
        errors[static_cast<size_t>(rank)] = e.what();
      }
    });
  for (std::thread& t : ranks) t.join();
  std::filesystem::remove_all(store.substr(7));
  CHECK(fake().broken_rules() == "");
  CHECK(fake().live_communicators() == 0);
  return errors;
}

inline void run_nccl_well(int64_t world, const std::function<void(const ProcessGroup&)>& body) {
  for (const std::string& e : run_nccl(world, body)) CHECK(e == "");
}

inline Collective sum_of(const Tensor& t) {
  Collective c{.kind = CollectiveKind::kAllReduce, .dtype = t.dtype(), .device = t.device()};
  c.in = c.out = t.data_ptr();
  c.in_count = c.out_count = t.numel();
  return c;
}

/// Returns when that many ranks are here, without a word to the group.
inline void meet(std::atomic<int>& arrived, int ranks) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  ++arrived;
  while (arrived < ranks) {
    expect(std::chrono::steady_clock::now() < deadline, "all ranks");
    std::this_thread::yield();
  }
}

}  // namespace strata::nccl_ranks
