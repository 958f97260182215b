// Ranks that are threads of this process and talk by Gloo, over TCP.
#pragma once
#include <strata/distributed/engine.h>
#include <strata/distributed/ordered_group.h>
#include <strata/strata.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "test/catch.h"

namespace strata {

/// A file that ranks meet by, for one group.
inline std::string fresh_store() {
  static std::atomic<int> count{0};
  const auto path = std::filesystem::temp_directory_path() /
                    ("strata_gloo_" + std::to_string(getpid()) + "_" + std::to_string(count++));
  std::filesystem::create_directories(path);
  return "file://" + path.string();
}

/// What each rank's `body` threw; empty for those that ended well.
inline std::vector<std::string> run_gloo(int64_t world, const std::function<void(const ProcessGroup&)>& body,
                                         std::chrono::milliseconds timeout = std::chrono::seconds(20)) {
  const std::string store = fresh_store();
  std::vector<std::string> errors(static_cast<size_t>(world));
  std::vector<std::thread> ranks;
  for (int64_t rank = 0; rank < world; ++rank)
    ranks.emplace_back([&, rank] {
      try {
        distributed::EngineOptions options;
        options.name = "i", options.rank = rank, options.world_size = world;
        options.store = store, options.timeout = timeout;
        const ProcessGroup group = distributed::ordered_group(distributed::gloo_engine(options));
        const GroupScope scope(group, GroupScope::Reach::kThread);
        body(group);
      } catch (const std::exception& e) {
        errors[static_cast<size_t>(rank)] = e.what();
      }
    });
  for (std::thread& t : ranks) t.join();
  std::filesystem::remove_all(store.substr(7));
  return errors;
}

inline void run_well(int64_t world, const std::function<void(const ProcessGroup&)>& body) {
  for (const std::string& e : run_gloo(world, body)) CHECK(e == "");
}

}  // namespace strata
