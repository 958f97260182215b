// Saves a checkpoint again and again, with a fault in the first call on files, in the second, and so on until a save
// makes fewer calls: `checkpoint_faults FOLDER kill|error|full|short new|again`. Each save is a process of two ranks,
// and another one looks at what it has left. Prints how often which call was made.
#include <signal.h>
#include <strata/strata.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <set>

#include "test/distributed/workers/file_faults.h"

namespace strata {
namespace {

using distributed::run_threads;
namespace checkpoint = distributed::checkpoint;
namespace fs = std::filesystem;

/// How a process has ended that saves or looks.
enum Outcome { kSaved, kUntouched, kRefused, kBroken };

/// One of two ranks that save 600 numbers `value`, and it itself.
void save_rank(const std::string& folder, double value, int64_t step) {
  const DeviceMesh mesh = distributed::init_device_mesh({2}, {"data"});
  const auto all = distributed::DTensor::from_local(full({300}, value, kDouble), mesh, {distributed::Shard(0)});
  checkpoint::State state;
  state.add("all", all).add("value", value);
  checkpoint::save(state, folder, {.step = step});
}
void save_value(const std::string& folder, double value, int64_t step) {
  run_threads(2, [&](const ProcessGroup&) { save_rank(folder, value, step); });
}

/// What a checkpoint holds, which has to be one value throughout.
double value_in(const std::string& path) {
  double found = 0;
  run_threads(2, [&](const ProcessGroup& group) {
    double value = 0;
    const Tensor all = zeros({600}, kDouble);
    checkpoint::State state;
    state.add("all", all).add("value", value);
    checkpoint::load(state, path);
    STRATA_CHECK(all.equal(full({600}, value, kDouble)), "'{}' mixes two saves", path);
    if (group->rank() == 0) found = value;
  });
  return found;
}

/// Folders of steps; `litter` counts all else.
std::vector<std::string> steps_in(const std::string& folder, size_t& litter) {
  std::vector<std::string> steps;
  litter = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const bool is_step = entry.path().filename().string().starts_with("step-");
    is_step ? steps.push_back(entry.path().string()) : void(++litter);
  }
  return steps;
}

/// `body` in a process of its own; what it returns, or minus the signal that has ended it.
int in_process(const strata::detail::Function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    try {
      _exit(body());
    } catch (const std::exception& e) {
      std::fprintf(stderr, "%s\n", e.what());
      _exit(kBroken);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/// A save with a fault at a call. An error has to be the same on both ranks, and one line that says what has failed.
int save_with(const std::string& folder, int64_t step, int64_t call, Fault fault) {
  std::string errors[2];
  arm(folder, call, fault);
  run_threads(2, [&](const ProcessGroup& group) {
    try {
      save_rank(folder, 3, step);
    } catch (const std::exception& e) {
      errors[group->rank()] = e.what();
    }
  });
  if (calls_made() < call) {
    for (const auto& [name, times] : calls_by_name()) std::printf("%s %d\n", name.c_str(), static_cast<int>(times));
    std::fflush(stdout);
    return errors[0].empty() ? kUntouched : kBroken;
  }
  // What was written is not there for sure without these; others may fail where old checkpoints are read and removed.
  const std::set<std::string> needed = {"create", "write", "fsync", "mkdir", "renameat2"};
  const bool must_throw = fault != Fault::kShort && needed.count(failed_call()) > 0;
  STRATA_CHECK(!must_throw || !errors[0].empty(), "a save whose {} fails says nothing", failed_call());
  const std::string cause = fault == Fault::kFull ? "No space left on device" : "Input/output error";
  STRATA_CHECK(errors[0] == errors[1], "the ranks differ: '{}' and '{}'", errors[0], errors[1]);
  const bool is_clear = errors[0].starts_with("checkpoint: rank ") && errors[0].find('\n') == std::string::npos &&
                        errors[0].find(folder) != std::string::npos && errors[0].find(cause) != std::string::npos;
  STRATA_CHECK(errors[0].empty() || is_clear, "not a clear text: {}", errors[0]);
  return errors[0].empty() ? kSaved : kRefused;
}

/// What was left: whole checkpoints, two at least, one of them the older; and a further save removes what is not.
int look(const std::string& folder, bool is_saved) {
  size_t litter = 0;
  const std::vector<std::string> steps = steps_in(folder, litter);
  STRATA_CHECK(steps.size() >= 2, "{} checkpoints are left", steps.size());
  for (const std::string& path : steps) value_in(path);
  run_threads(2, [&](const ProcessGroup&) {
    const auto newest = checkpoint::latest(folder);
    STRATA_CHECK(newest == *std::max_element(steps.begin(), steps.end()), "not the newest one");
  });
  const double value = value_in(*std::max_element(steps.begin(), steps.end()));
  STRATA_CHECK(value == 3 || (value == 2 && !is_saved), "the newest one has {}", value);
  save_value(folder, 4, 4);
  const size_t left = steps_in(folder, litter).size();
  STRATA_CHECK(left == 2 && litter == 0, "a later save leaves {} checkpoints and {} other things", left, litter);
  STRATA_CHECK(value_in(folder + "/step-00000004") == 4, "another value");
  return kSaved;
}

void run(const std::string& folder, Fault fault, int64_t step) {
  const std::string made = folder + "/made", run = folder + "/run";
  in_process([&] { return save_value(made, 1, 1), save_value(made, 2, 2), kSaved; });
  int outcomes[kBroken] = {}, killed = 0;
  for (int64_t call = 1, outcome = kSaved; outcome != kUntouched; ++call) {
    fs::remove_all(run);
    fs::copy(made, run, fs::copy_options::recursive);
    outcome = in_process([&] { return save_with(run, step, call, fault); });
    const bool is_expected = outcome == -SIGKILL ? fault == Fault::kKill : outcome >= 0 && outcome < kBroken;
    STRATA_CHECK(is_expected, "call {}: the save has ended with {}", call, outcome);
    const bool is_saved = outcome == kSaved || outcome == kUntouched;
    STRATA_CHECK(in_process([&] { return look(run, is_saved); }) == kSaved, "call {}: see above", call);
    outcome >= 0 ? ++outcomes[outcome] : ++killed;
  }
  std::printf("killed %d, refused %d, saved in spite of it %d\n", killed, outcomes[kRefused], outcomes[kSaved]);
}

Fault fault_of(const std::string& name) {
  return name == "kill"    ? Fault::kKill
         : name == "error" ? Fault::kError
         : name == "full"  ? Fault::kFull
                           : Fault::kShort;
}

}  // namespace
}  // namespace strata

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  try {
    strata::run(argv[1], strata::fault_of(argv[2]), std::string(argv[3]) == "again" ? 2 : 3);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
