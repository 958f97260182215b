// Kills ranks and launchers of trainings at random moments, until each training has ended: `test_chaos [SEED [RUNS]]`.
// No run may hang, leave a process or a file, or have another loss in any step than a training that nothing has broken.
// Run i has the seed SEED + i, so `test_chaos SEED 1` is one run again, as far as moments repeat.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <thread>

#include "test/launcher/chaos_training/fleet.h"

namespace chaos {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using test::Clock;

constexpr long kSteps = 40;
constexpr std::chrono::seconds kLimit{60};  // for a run, of which each takes a few

/// By shard, then by step.
using Losses = std::map<std::string, std::map<long, std::string>>;

void require(bool holds, const std::string& otherwise) {
  if (!holds) throw std::runtime_error(otherwise);
}

/// What a training has logged; a step that was made twice has to have had the same loss both times.
Losses losses_in(const std::string& folder) {
  Losses losses;
  for (const auto& file : fs::directory_iterator(folder)) {
    const std::string name = file.path().filename().string();
    if (!name.starts_with("losses.")) continue;
    std::ifstream lines(file.path());
    long step = 0;
    for (std::string loss; lines >> step >> loss;) {
      const auto [known, is_new] = losses[name].try_emplace(step, loss);
      require(is_new || known->second == loss,
              name + ": step " + std::to_string(step) + " had the losses " + known->second + " and " + loss);
    }
  }
  return losses;
}

void check_losses(const Losses& losses, const Losses& unbroken) {
  require(losses.size() == unbroken.size(), "there are losses of " + std::to_string(losses.size()) + " shards");
  for (const auto& [shard, steps] : unbroken) {
    for (const auto& [step, loss] : steps) {
      const auto& own = losses.at(shard);
      const auto found = own.find(step);
      const std::string where = shard + ": step " + std::to_string(step);
      require(found != own.end(), where + " is not there");
      require(found->second == loss, where + " has the loss " + found->second + " in place of " + loss);
    }
    require(losses.at(shard).size() == steps.size(), shard + " has steps that the unbroken training has not");
  }
}

void check_files(const std::string& folder) {
  require(fs::is_empty(folder + "/tmp"), "a temporary file is left");
  int checkpoints = 0;
  for (const auto& entry : fs::directory_iterator(folder + "/run")) {
    const std::string name = entry.path().filename().string();
    require(name.starts_with("step-"), "the checkpoints have left " + name);
    ++checkpoints;
  }
  require(checkpoints == 2, std::to_string(checkpoints) + " checkpoints are left");
}

/// The losses of a training of this shape that nothing breaks.
const Losses& unbroken(const Shape& shape) {
  static std::map<std::pair<bool, int>, Losses> known;
  Losses& losses = known[{shape.elastic, shape.ranks()}];
  if (losses.empty()) {
    const test::TemporaryFolder folder;
    fs::create_directory(folder.path + "/tmp");
    Fleet fleet({.workers = shape.ranks(), .elastic = shape.elastic}, folder.path, kSteps);
    while (!fleet.tend()) std::this_thread::sleep_for(milliseconds(1));
    require(fleet.starts() == 0, "the unbroken training failed:\n" + fleet.outputs());
    losses = losses_in(folder.path);
    for (const auto& [shard, steps] : losses) require(steps.size() == kSteps, "the unbroken " + shard + " is short");
  }
  return losses;
}

Shape shape_of(std::mt19937& random) {
  Shape shape;
  shape.nodes = random() % 2 ? 2 : 1;
  shape.workers = shape.nodes == 2 ? 1 + random() % 2 : 2 + random() % 2;
  shape.elastic = random() % 2;
  if (shape.elastic && shape.workers == 3) shape.workers = 2;  // shards have to be shared out evenly
  shape.any_number = shape.elastic && shape.nodes == 2 && random() % 2;
  shape.restarts = static_cast<int>(random() % 5);
  return shape;
}

bool is_saving(const std::string& folder) {
  std::error_code error;
  auto entry = fs::directory_iterator(folder + "/run", error);
  for (; !error && entry != fs::end(entry); entry.increment(error))
    if (entry->path().filename().string().starts_with(".")) return true;
  return false;
}

/// Waits for a moment to kill at: soon after the last start or kill, at any time, or while a checkpoint is written.
/// Returns what it was, or nothing where the training has ended before.
std::string wait_for_moment(Fleet& fleet, const std::string& folder, std::mt19937& random) {
  const int kind = static_cast<int>(random() % 4);
  const auto begin = Clock::now();
  const std::chrono::microseconds delay(random() % (kind == 0 ? 30'000 : kind == 1 ? 3'000 : 800'000));
  if (kind == 1) {
    while (!is_saving(folder) && Clock::now() - begin < std::chrono::seconds(2))
      if (fleet.tend()) return "";
    std::this_thread::sleep_for(delay);
  } else {
    for (; Clock::now() - begin < delay; std::this_thread::sleep_for(milliseconds(1)))
      if (fleet.tend()) return "";
  }
  const auto waited = std::chrono::duration_cast<milliseconds>(Clock::now() - begin).count();
  return "after " + std::to_string(waited) + " ms" + (kind == 1 && is_saving(folder) ? " in a save" : "");
}

/// Returns what was done, as it is being done.
void run(uint32_t seed) {
  std::mt19937 random(seed);
  const Shape shape = shape_of(random);
  const Losses& expected = unbroken(shape);
  const test::TemporaryFolder folder;
  fs::create_directory(folder.path + "/tmp");
  std::printf("seed %u: %s:", seed, shape.describe().c_str());
  const auto begin = Clock::now();
  Fleet fleet(shape, folder.path, kSteps);
  int kills = 0;
  try {
    for (int left = 2 + static_cast<int>(random() % 6); left > 0; --left) {
      const std::string moment = wait_for_moment(fleet, folder.path, random);
      if (moment.empty()) break;
      if (const auto victim = fleet.kill_one(random)) {
        ++kills;
        std::printf(" %s %s;", moment.c_str(), victim->c_str());
      }
    }
    while (!fleet.tend()) {
      require(Clock::now() - begin < kLimit, "the training has not ended in time");
      std::this_thread::sleep_for(milliseconds(1));
    }
    check_losses(losses_in(folder.path), expected);
    check_files(folder.path);
  } catch (const std::exception& error) {
    throw std::runtime_error(std::string(error.what()) + "\n" + fleet.outputs());
  }
  std::printf(" %d kills, %d starts anew, %.1f s\n", kills, fleet.starts(),
              std::chrono::duration<double>(Clock::now() - begin).count());
}

}  // namespace
}  // namespace chaos

int main(int argc, char** argv) {
  const auto first = static_cast<uint32_t>(argc > 1 ? std::atoll(argv[1]) : 1);
  const auto runs = static_cast<uint32_t>(argc > 2 ? std::atoll(argv[2]) : 5);
  uint32_t failed = 0;
  for (uint32_t seed = first; seed < first + runs; ++seed) {
    try {
      chaos::run(seed);
    } catch (const std::exception& error) {
      ++failed;
      std::printf("\nFAILED with seed %u: %s\n", seed, error.what());
    }
    std::fflush(stdout);
  }
  std::printf("%u of %u runs kept every loss\n", runs - failed, runs);
  return failed ? 1 : 0;
}
