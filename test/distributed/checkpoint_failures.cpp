// Checkpoints that are damaged, cannot be written or do not fit, and processes that are killed while they write.
#include <signal.h>
#include <spawn.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <random>
#include <thread>

#include "test/catch.h"
#include "test/distributed/checkpoint_files.h"

extern char** environ;

namespace strata {
namespace {

using distributed::run_threads;
namespace checkpoint = distributed::checkpoint;
namespace fs = std::filesystem;

/// 1000 numbers `value` on each of two ranks.
void save_value(const std::string& folder, double value, int64_t step, int64_t keep = 2) {
  run_threads(2, [&](const ProcessGroup&) {
    const DeviceMesh mesh = distributed::init_device_mesh({2}, {"data"});
    const auto all = distributed::DTensor::from_local(full({1000}, value, kDouble), mesh, {distributed::Shard(0)});
    checkpoint::State state;
    state.add("all", all).add("value", value);
    checkpoint::save(state, folder, {.step = step, .keep = keep});
  });
}

/// What `latest` gives: the value, or -1 for none.
double latest_value(const std::string& folder, std::string* warnings = nullptr) {
  double value = -1;
  std::string heard_by_first;
  run_threads(2, [&](const ProcessGroup& g) {
    Heard heard;
    const auto path = checkpoint::latest(folder);
    if (g->rank() == 0) heard_by_first = heard.all;
    if (!path) return;
    double number = 0;
    const Tensor all = zeros({2000}, kDouble);
    checkpoint::State state;
    state.add("all", all).add("value", number);
    checkpoint::load(state, *path);
    expect(all.equal(full({2000}, number, kDouble)), "the numbers of one step");
    if (g->rank() == 0) value = number;
  });
  if (warnings) *warnings = heard_by_first;
  return value;
}

/// What two ranks throw, which has to be the same text.
std::string error_of(const std::function<void(const ProcessGroup&)>& body) {
  std::string errors[2];
  run_threads(2, [&](const ProcessGroup& g) {
    try {
      body(g);
    } catch (const Error& e) {
      errors[g->rank()] = e.what();
    }
  });
  CHECK(errors[0] == errors[1]);
  CHECK(errors[0].find('\n') == std::string::npos);
  return errors[0];
}

std::string load_error(const std::string& path) {
  return error_of([&](const ProcessGroup&) {
    const Tensor all = zeros({2000}, kDouble);
    checkpoint::State state;
    state.add("all", all);
    try {
      checkpoint::load(state, path);
    } catch (...) {
      expect(all.equal(zeros({2000}, kDouble)), "nothing was changed");
      throw;
    }
  });
}

std::string save_error(const std::string& folder, const Tensor& more = zeros({1})) {
  return error_of([&](const ProcessGroup& g) {
    const Tensor local = ones({4});
    checkpoint::State state;
    const DeviceMesh mesh = distributed::init_device_mesh({2}, {"data"});
    const auto all = distributed::DTensor::from_local(local, mesh, {distributed::Shard(0)});
    state.add("all", all);
    if (g->rank() == 1) state.add("more", more);
    checkpoint::save(state, folder, {.step = 9});
  });
}

const char* const kShard1 = "shard-00002-model-00001-of-00001.safetensors";

}  // namespace

TEST_CASE("the newest checkpoint that is whole is taken") {
  const Folder folder;
  CHECK(latest_value(folder / "none") == -1);
  save_value(folder.str(), 1, 1);
  save_value(folder.str(), 2, 2);
  CHECK(latest_value(folder.str()) == 2);
  const std::string path = folder / "step-00000002";
  const std::string shard = path + "/" + kShard1, manifest = path + "/manifest.json";
  const std::string bytes = bytes_of(shard), text = bytes_of(manifest);
  std::string warnings;

  put_bytes(shard, bytes.substr(0, bytes.size() - 1));
  CHECK(latest_value(folder.str(), &warnings) == 1);
  CHECK((has(warnings, kShard1) && has(warnings, "bytes")));
  CHECK(has(load_error(path), kShard1));

  fs::remove(shard);
  CHECK(latest_value(folder.str(), &warnings) == 1);
  CHECK((has(warnings, kShard1) && has(warnings, "No such file")));
  put_bytes(shard, bytes);

  fs::remove(manifest);
  CHECK(latest_value(folder.str(), &warnings) == 1);
  CHECK(has(warnings, "no manifest.json"));
  put_bytes(manifest, text.substr(0, text.size() / 2));
  CHECK(latest_value(folder.str(), &warnings) == 1);
  CHECK(has(warnings, "damaged"));
  put_bytes(manifest, text);
  CHECK(latest_value(folder.str()) == 2);

  fs::rename(path, folder / "step-00000003");  // a manifest of another step
  CHECK(latest_value(folder.str(), &warnings) == 1);
  CHECK(has(warnings, "of step 2"));
}

TEST_CASE("a bit that flips or a byte that is missing anywhere in a checkpoint is found") {
  const Folder folder;
  save_value(folder.str(), 1, 1);
  save_value(folder.str(), 2, 2);
  const std::string newest = folder / "step-00000002";
  std::mt19937 random(1);
  const auto check_found = [&](const std::string& path, const std::string& bytes, const std::string& damaged) {
    INFO(path << ", " << damaged.size() << " of " << bytes.size() << " bytes");
    put_bytes(path, damaged);
    CHECK(latest_value(folder.str()) == 1);
    CHECK(load_error(newest) != "");
    put_bytes(path, bytes);
  };
  for (const std::string& name : names_in(newest)) {
    const std::string path = newest + "/" + name, bytes = bytes_of(path);
    for (int i = 0; i < 20; ++i) {
      std::string flipped = bytes;
      char& one = flipped[random() % bytes.size()];
      one = static_cast<char>(one ^ (1 << (random() % 8)));
      check_found(path, bytes, flipped);
      check_found(path, bytes, bytes.substr(0, random() % bytes.size()));
    }
    check_found(path, bytes, bytes.substr(0, bytes.size() - 1));
    check_found(path, bytes, bytes + '\0');
  }
  CHECK(latest_value(folder.str()) == 2);
}

TEST_CASE("older checkpoints are removed when newer ones are whole") {
  const Folder folder;
  for (int step = 1; step <= 4; ++step) save_value(folder.str(), step, step);
  CHECK(names_in(folder.str()) == std::vector<std::string>{"step-00000003", "step-00000004"});
  fs::resize_file(folder / "step-00000004/" + kShard1, 10);
  fs::create_directories(folder / ".step-00000009");  // of a save that was cut short
  save_value(folder.str(), 5, 5);
  CHECK(names_in(folder.str()) == std::vector<std::string>{"step-00000003", "step-00000004", "step-00000005"});
  CHECK(latest_value(folder.str()) == 5);
  save_value(folder.str(), 44, 4);  // again, over a damaged one
  CHECK(names_in(folder.str()) == std::vector<std::string>{"step-00000004", "step-00000005"});
  fs::remove_all(folder / "step-00000005");
  CHECK(latest_value(folder.str()) == 44);
  CHECK(has(error_of([&](const ProcessGroup&) { checkpoint::save({}, folder.str(), {.step = 1, .keep = 1}); }),
            "at least 2"));
}

TEST_CASE("a rank that cannot write stops all") {
  const Folder folder;
  save_value(folder.str(), 1, 1);
  put_bytes(folder / "file", "x");
  CHECK(has(save_error(folder / "file"), "rank 0"));
  CHECK(has(save_error("/proc/none/here"), "/proc/none/here"));
  {
    rlimit before = {};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small = {64 << 10, before.rlim_max};
    const auto old = signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    const std::string error = save_error(folder.str(), ones({100'000}));
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, old);
    CHECK((has(error, "checkpoint: rank 1: ") && has(error, kShard1) && has(error, "File too large")));
  }
  CHECK(names_in(folder.str()) == std::vector<std::string>{"file", "step-00000001"});
  CHECK(latest_value(folder.str()) == 1);
}

TEST_CASE("a disk that gets full while a checkpoint is written leaves the one before") {
  const Folder folder;
  if (mount("tmpfs", folder.str().c_str(), "tmpfs", 0, "size=256k") != 0) {
    WARN("skipped: a small file system cannot be mounted here: " << std::strerror(errno));
    return;
  }
  save_value(folder.str(), 1, 1);
  const std::string error = save_error(folder.str(), ones({100'000}));
  const double value = latest_value(folder.str());
  const auto names = names_in(folder.str());
  CHECK(umount(folder.str().c_str()) == 0);
  CHECK((has(error, "checkpoint: rank ") && has(error, "No space left")));  // rank 0 may be the one that finds it full
  CHECK(value == 1);
  CHECK(names == std::vector<std::string>{"step-00000001"});
}

TEST_CASE("a folder that may not be written is named") {
  if (geteuid() == 0) {
    WARN("skipped: root may write everywhere");
    return;
  }
  const Folder folder;
  fs::permissions(folder.str(), fs::perms::owner_read | fs::perms::owner_exec);
  CHECK(has(save_error(folder.str()), "Permission denied"));
}

TEST_CASE("a file system that may only be read is named, and is read") {
  const Folder folder;
  if (mount("tmpfs", folder.str().c_str(), "tmpfs", 0, "size=1m") != 0) {
    WARN("skipped: a file system cannot be mounted here: " << std::strerror(errno));
    return;
  }
  save_value(folder.str(), 1, 1);
  const bool is_read_only = mount("tmpfs", folder.str().c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr) == 0;
  const std::string error = save_error(folder.str());
  const double value = latest_value(folder.str());
  CHECK(umount(folder.str().c_str()) == 0);
  CHECK(is_read_only);
  CHECK((has(error, "checkpoint: rank 0: ") && has(error, folder.str()) && has(error, "Read-only file system")));
  CHECK(value == 1);
}

TEST_CASE("links are followed to a run's folder, and of a step's removed by themselves") {
  const Folder folder, elsewhere;
  fs::create_directory_symlink(folder.str(), elsewhere / "link");
  save_value(elsewhere / "link", 1, 1);
  CHECK(latest_value(folder.str()) == 1);
  fs::rename(folder / "step-00000001", elsewhere / "moved");  // to a larger disk, as it were
  fs::create_directory_symlink(elsewhere / "moved", folder / "step-00000001");
  CHECK(latest_value(folder.str()) == 1);
  save_value(folder.str(), 11, 1);  // in place of the link
  CHECK(latest_value(folder.str()) == 11);
  CHECK_FALSE(fs::is_symlink(folder / "step-00000001"));
  fs::remove_all(folder / "step-00000001");
  fs::create_directory_symlink(elsewhere / "moved", folder / "step-00000001");
  for (int step = 2; step <= 3; ++step) save_value(folder.str(), step, step);  // the link is too old now
  CHECK(names_in(folder.str()) == std::vector<std::string>{"step-00000002", "step-00000003"});
  CHECK(names_in(elsewhere / "moved").size() == 3);
  fs::create_symlink(elsewhere / "nothing", elsewhere / "dangling");
  CHECK(has(save_error(elsewhere / "dangling"), "cannot make the folder '" + (elsewhere / "dangling")));
}

TEST_CASE("what does not fit a checkpoint is named on all ranks") {
  const Folder folder;
  save_value(folder.str(), 1, 1);
  const std::string path = folder / "step-00000001";
  const auto loading = [&](const char* name, const Tensor& t) {
    return error_of([&](const ProcessGroup& g) {
      const Tensor own = t.clone(), all = zeros({2000}, kDouble);
      checkpoint::State state;
      state.add("all", all);
      if (g->rank() == 1) state.add(name, own);
      checkpoint::load(state, path);
    });
  };
  CHECK(has(loading("other", zeros({2})), "rank 1: the checkpoint has no tensor 'other'"));
  CHECK(has(loading("all", zeros({2, 3})), "'all' has shape (2000,) in the checkpoint, (2, 3) here"));
  CHECK(has(error_of([&](const ProcessGroup&) {
              checkpoint::State state;
              checkpoint::load(state, folder / "nothing");
            }),
            "nothing"));

  const auto saving = [&](const std::function<void(const ProcessGroup&, checkpoint::State&)>& add) {
    return error_of([&](const ProcessGroup& g) {
      checkpoint::State state;
      add(g, state);
      checkpoint::save(state, folder.str(), {.step = 2});
    });
  };
  CHECK(has(saving([](const ProcessGroup& g, checkpoint::State& s) {
              const Tensor x = zeros({2 + g->rank()});
              s.add("x", x);
            }),
            "ranks 0 and 1 have tensor 'x' in other shapes"));
  const Tensor x = zeros({2});
  CHECK(has(saving([&](const ProcessGroup&, checkpoint::State& s) { s.add("x", x).add("x", x); }),
            "two tensors are named 'x'"));
  nn::Linear net(2, 2);
  optim::SGD optimizer(net->parameters(), optim::SGDOptions(0.1).momentum(0.9));
  net(ones({1, 2})).sum().backward();
  optimizer.step();
  CHECK(has(saving([&](const ProcessGroup&, checkpoint::State& s) { s.add("optim", optimizer); }), "add its module"));
  CHECK(names_in(folder.str()) == std::vector<std::string>{"step-00000001"});
}

TEST_CASE("a folder of files that lie about tensors is refused") {
  const Folder folder;
  const auto with = [&](const std::string& info, const std::string& sizes = "[1000]") {
    const std::string header = R"({"__metadata__":{"DCP_SHARDING_INFO":")" + info +
                               R"("},"all":{"dtype":"F64","shape":)" + sizes + R"(,"data_offsets":[0,8000]}})";
    std::string bytes(8, '\0');
    for (int i = 0; i < 8; ++i) bytes[static_cast<size_t>(i)] = static_cast<char>(header.size() >> (8 * i));
    put_bytes(folder / "a.safetensors", bytes + header + std::string(8000, '\0'));
    return load_error(folder.str());
  };
  const auto at = [](const std::string& offsets) { return R"({\"all\":{\"saved_offsets\":)" + offsets + "}}"; };
  CHECK(has(with(at("[0]")), "has shape (1000,)"));
  CHECK(has(with(at("[1000]")), "1000 of its 2000 numbers"));
  CHECK(has(with(at("[-1]")), "bad offset"));
  CHECK(has(with(at("[1.5]")), "bad offset"));
  CHECK(has(with(at("[9223372036854775807]")), "bad offset"));
  CHECK(has(with(at("[4611686018427387000]")), "bad offset"));
  CHECK(has(with(at("[0,0]")), "1 dims and 2 offsets"));
  CHECK(has(with(at("7")), "does not say where 'all' lies"));
  CHECK(has(with(R"({\"other\":1})"), "does not say where 'all' lies"));
  CHECK(has(with("[]"), "not a JSON object"));
  CHECK(has(with("{"), "not a JSON object"));
  CHECK(has(with(at("[2305843009213693951,2305843009213693951]"), "[10,100]"), "too large"));
  put_bytes(folder / "b.safetensors", bytes_of(folder / "a.safetensors"));
  CHECK(with(at("[0]")) != "");
}

TEST_CASE("headers of which bytes are changed are refused or read, and no more") {
  const Folder folder, made;
  save_value(made.str(), 1, 1);
  const std::string bytes = bytes_of(made / "step-00000001/" + kShard1);
  fs::copy(made / "step-00000001/shard-00001-model-00001-of-00001.safetensors", folder / "a.safetensors");
  const ProcessGroup alone = distributed::single_rank();
  std::mt19937 random(2);
  int refused = 0;
  for (int i = 0; i < 400; ++i) {
    std::string changed = bytes;
    for (uint64_t n = random() % 3 + 1; n > 0; --n)
      changed[random() % 250] = "0123456789-.e[]{}:,\"\\ \xff"[random() % 24];
    put_bytes(folder / "b.safetensors", changed);
    const Tensor all = zeros({2000}, kDouble);
    checkpoint::State state;
    state.add("all", all);
    try {
      checkpoint::load(state, folder.str(), {.group = alone});
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(refused > 200);
}

TEST_CASE("parts that overlap are no tensor") {
  using checkpoint::Box, checkpoint::check_cover;
  const auto error = [](const checkpoint::Sizes& sizes, const std::vector<Box>& boxes) -> std::string {
    try {
      check_cover("x", sizes, boxes);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  CHECK(error({4, 4}, {{{0, 0}, {4, 2}}, {{0, 2}, {4, 2}}}) == "");
  CHECK(has(error({4, 4}, {{{0, 0}, {4, 2}}, {{0, 1}, {4, 2}}}), "overlap"));
  CHECK(has(error({4, 4}, {{{0, 0}, {4, 2}}}), "8 of its 16"));
  CHECK(error({}, {{{}, {}}}) == "");
  CHECK(error({}, {{{}, {}}, {{}, {}}}) != "");
  CHECK(error({0, 3}, {{{0, 0}, {0, 3}}}) == "");
}

namespace {

/// Two ranks that save one step after another, each of 10000 numbers, and print those that are there.
class Saver {
 public:
  explicit Saver(const std::string& folder) {
    int out[2] = {};
    REQUIRE(pipe(out) == 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_addclose(&actions, out[0]);
    const char* const arguments[] = {STRATA_CHECKPOINT_WORKER, "loop", folder.c_str(), nullptr};
    REQUIRE(posix_spawn(&pid_, arguments[0], &actions, nullptr, const_cast<char**>(arguments), environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]);
    said_ = fdopen(out[0], "r");
    REQUIRE(std::fgets(line_, sizeof line_, said_) != nullptr);  // it is under way
  }
  ~Saver() { stop(); }
  Saver(const Saver&) = delete;
  Saver& operator=(const Saver&) = delete;
  /// Kills it and returns the last step that it printed.
  int64_t stop() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      int status = 0;
      waitpid(pid_, &status, 0);
      CHECK(WIFSIGNALED(status));
      pid_ = 0;
      while (std::fgets(line_, sizeof line_, said_)) {
      }
      std::fclose(said_);
    }
    return std::atoll(line_);
  }

 private:
  pid_t pid_ = 0;
  FILE* said_ = nullptr;
  char line_[64] = "";
};

/// The newest step of a Saver, whose numbers have to be its own; `error` is what two ranks throw.
int64_t newest_step(const std::string& folder, std::string& error) {
  int64_t newest = 0;
  error = error_of([&](const ProcessGroup& g) {
    const Heard of_those_left_out;
    const auto path = checkpoint::latest(folder);
    expect(path.has_value(), "a checkpoint");
    const Tensor all = zeros({10'000}, kDouble);
    int64_t step = 0;
    checkpoint::State state;
    state.add("all", all).add("step", step);
    checkpoint::load(state, *path);
    expect(all.equal(full({10'000}, static_cast<double>(step), kDouble)), "the numbers of one step");
    if (g->rank() == 0) newest = step;
  });
  return newest;
}

}  // namespace

TEST_CASE("kill -9 at any moment of a save leaves one of the two newest checkpoints") {
  const Folder folder;
  std::mt19937 random(4);
  int64_t before = 0;
  for (int round = 0; round < 8; ++round) {
    Saver saver(folder.str());
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 40'000));
    const int64_t last = saver.stop();
    std::string error;
    const int64_t value = newest_step(folder.str(), error);
    CHECK(error == "");
    CHECK(value > before);
    CHECK((value == last || value == last + 1));  // that of the moment when it was killed
    before = value;
  }
}

TEST_CASE("who reads while others save gets one step, or is told that it was removed") {
  const Folder folder;
  Saver saver(folder.str());
  std::string error;
  int64_t before = 0, whole = 0;
  for (int i = 0; i < 40; ++i) {
    const int64_t value = newest_step(folder.str(), error);
    INFO(error);
    CHECK((error == "" || has(error, "No such file") || has(error, "there is no manifest.json")));
    CHECK((error != "" || value >= before));
    if (error == "") before = value, ++whole;
  }
  CHECK(whole > 0);
  const int64_t last = saver.stop();
  CHECK(newest_step(folder.str(), error) >= last);
  CHECK(error == "");
}

#ifdef STRATARUN
TEST_CASE("a job whose rank is killed goes on after the launcher's restart with the same losses") {
  const auto losses_of = [](const std::string& environment) {
    const Folder folder;
    const std::string command = environment + " " STRATARUN " --standalone --nproc-per-node 2 --max-restarts 1 " +
                                STRATA_CHECKPOINT_WORKER + " job " + folder.str() + " > " + (folder / "log") + " 2>&1";
    const int status = std::system(command.c_str());
    INFO(bytes_of(folder / "log"));
    CHECK(status == 0);
    return bytes_of(folder / "losses");
  };
  const std::string unbroken = losses_of("env -u STRATA_CRASH_AT");
  CHECK(std::count(unbroken.begin(), unbroken.end(), '\n') == 6);
  CHECK(losses_of("STRATA_CRASH_AT=4") == unbroken);
}
#endif

}  // namespace strata
