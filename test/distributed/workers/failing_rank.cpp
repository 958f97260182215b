// A rank for tests of failures: runs collectives until something goes wrong, and leaves what it was told in a file.
#include <strata/strata.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace {

using namespace strata;
using std::chrono::milliseconds;

struct Arguments {
  std::string scenario, folder, store;
  int64_t rank, world, victim;
  milliseconds timeout, heartbeat;
};

void leave_word(const Arguments& a, const std::string& name, const std::string& text) {
  const std::string path = a.folder + "/" + name + "." + std::to_string(a.rank);
  std::ofstream(path + ".draft") << text;
  std::filesystem::rename(path + ".draft", path);
}

void wait_for_word(const Arguments& a, const std::string& name, int64_t rank) {
  while (!std::filesystem::exists(a.folder + "/" + name + "." + std::to_string(rank)))
    std::this_thread::sleep_for(milliseconds(2));
}

void step(int64_t numbers = 1000) { distributed::all_reduce(ones({numbers})); }

/// Is ready once its heartbeats have told of training.
void train_for_ever(const Arguments& a) {
  const auto begin = std::chrono::steady_clock::now();
  bool is_ready = false;
  for (int64_t i = 0;; ++i) {
    step(i % 2 ? 1000 : 100'000);
    if (is_ready || std::chrono::steady_clock::now() - begin < a.heartbeat / 2) continue;
    leave_word(a, "ready", "");
    is_ready = true;
  }
}

void run(const Arguments& a) {
  const bool is_victim = a.rank == a.victim;
  if (a.scenario == "train") return train_for_ever(a);
  if (a.scenario == "wait") {  // the victim computes for ever, the others wait for it
    if (is_victim) std::this_thread::sleep_for(std::chrono::hours(1));
    return step();
  }
  if (a.scenario == "slow") {  // longer than a silence may be
    if (is_victim) std::this_thread::sleep_for(3 * a.heartbeat);
    step();
    return distributed::destroy_process_group();
  }
  if (a.scenario == "crash") return is_victim ? std::_Exit(0) : step();
  if (a.scenario == "end") return is_victim ? std::exit(0) : step();
  if (a.scenario == "leave") {
    if (is_victim) return distributed::destroy_process_group();
    return step();
  }
  if (a.scenario == "throw") {  // as DistributedDataParallel does where a backward pass throws
    try {
      STRATA_CHECK(!is_victim, "no luck on rank {}", a.rank);
    } catch (const Error&) {
      find_group("world")->close();
      throw;
    }
    return step();
  }
  if (a.scenario == "mismatch") {
    if (is_victim) return distributed::barrier();
    return step();
  }
  if (a.scenario == "part") {  // ranks 0 and the last one have a group of their own
    const ProcessGroup part = distributed::split(find_group("world"), a.rank % (a.world - 1) == 0 ? 0 : 1);
    leave_word(a, "divided", "");
    for (int64_t r = 0; r < a.world && is_victim; ++r) wait_for_word(a, "divided", r);
    if (is_victim) return std::_Exit(0);
    distributed::all_reduce(ones({3}), ReduceOp::SUM, part);
    wait_for_word(a, "text", 2);  // rank 0 has the store
  }
}

}  // namespace

int main(int count, char** words) {
  if (count != 9) return 2;
  const Arguments a{words[1],
                    words[2],
                    words[3],
                    std::atoll(words[4]),
                    std::atoll(words[5]),
                    std::atoll(words[6]),
                    milliseconds(std::atoll(words[7])),
                    milliseconds(std::atoll(words[8]))};
  distributed::InitOptions options;
  options.init_method = a.store, options.rank = a.rank, options.world_size = a.world;
  options.timeout = a.timeout, options.heartbeat_timeout = a.heartbeat;
  try {
    distributed::init_process_group(options);
    step();
    if (a.scenario != "train") leave_word(a, "ready", "");
    run(a);
  } catch (const std::exception& e) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    leave_word(a, "text", std::to_string(std::chrono::duration_cast<milliseconds>(now).count()) + " " + e.what());
    return 1;
  }
  return 0;
}
