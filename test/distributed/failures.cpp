// What ranks are told when one of them is killed, stopped, throws, ends or calls something else: the same on all.
#include <fcntl.h>
#include <strata/distributed/failure_store.h>
#include <strata/distributed/flight_recorder.h>
#include <strata/distributed/watched_group.h>
#include <strata/strata.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#include "test/catch.h"
#include "test/distributed/cases.h"
#include "test/distributed/port.h"
#include "test/distributed/ranks.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using std::chrono::milliseconds;
using Words = std::vector<std::string>;

int64_t now_ms() {
  return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string content_of(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct How {
  std::string scenario = "train";
  int64_t world = 3, victim = 2;
  milliseconds timeout = 60s, heartbeat = 4s;
  bool by_folder = false;  ///< meet at file://, else at a store that rank 0 opens
  Words environment = {};
};

/// Processes that run test/distributed/workers/failing_rank.cpp. None is left when this is gone.
class Ranks {
 public:
  explicit Ranks(const How& how) : how_(how), folder_(fresh_store().substr(7)) {
    fs::create_directories(folder_ + "/store");
    const std::string store =
        how.by_folder ? "file://" + folder_ + "/store" : "tcp://127.0.0.1:" + std::to_string(free_port());
    for (int64_t r = 0; r < how.world; ++r) start(r, store);
  }
  ~Ranks() {
    for (const pid_t pid : pids_) {
      if (pid <= 0) continue;
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
    fs::remove_all(folder_);
  }
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  void wait_until_ready() const {
    for (int64_t r = 0; r < how_.world; ++r) REQUIRE(comes("ready", r));
  }
  void send(int signal, int64_t rank) {
    at_ = now_ms();
    REQUIRE(kill(pids_[static_cast<size_t>(rank)], signal) == 0);
  }
  /// The text that a rank was told and, since `send`, after how many milliseconds.
  std::pair<std::string, int64_t> told(int64_t rank) const {
    REQUIRE(comes("text", rank));
    const std::string all = content_of(path("text", rank));
    const size_t space = all.find(' ');
    return {all.substr(space + 1), std::stoll(all.substr(0, space)) - at_};
  }
  /// What all but one rank were told, which has to be the same. Without rank 0's store each rank names its own call.
  std::string told_all_but(int64_t victim, int64_t within = 60'000) const {
    std::string text;
    for (int64_t r = 0; r < how_.world; ++r) {
      if (r == victim) continue;
      auto [own, after] = told(r);
      INFO("rank " << r << " after " << after << " ms: " << own);
      CHECK(after < within);
      if (text.empty()) text = own;
      if (victim == 0) own = text.substr(0, text.find("): ")) + own.substr(own.find("): "));
      CHECK(own == text);
      slowest_ = std::max(slowest_, after);
    }
    return text;
  }
  /// The exit code; the rank has to end by itself.
  int finish(int64_t rank) {
    pid_t& pid = pids_[static_cast<size_t>(rank)];
    int status = 0;
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (waitpid(pid, &status, WNOHANG) == 0) {
      REQUIRE(std::chrono::steady_clock::now() < deadline);
      std::this_thread::sleep_for(2ms);
    }
    pid = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  std::string dump_of(int64_t rank) const {
    return content_of(folder_ + "/dumps/world.restart0.rank" + std::to_string(rank) + ".jsonl");
  }
  int64_t slowest() const { return slowest_; }

 private:
  fs::path path(const std::string& name, int64_t rank) const {
    return folder_ + "/" + name + "." + std::to_string(rank);
  }
  bool comes(const std::string& name, int64_t rank) const {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (!fs::exists(path(name, rank))) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::sleep_for(2ms);
    }
    return true;
  }
  void start(int64_t rank, const std::string& store) {
    const auto number = [](auto n) { return std::to_string(n); };
    Words words = {STRATA_FAILING_RANK,
                   how_.scenario,
                   folder_,
                   store,
                   number(rank),
                   number(how_.world),
                   number(how_.victim),
                   number(how_.timeout.count()),
                   number(how_.heartbeat.count())};
    Words environment = how_.environment;
    environment.push_back("STRATA_FLIGHT_RECORDER_DIR=" + folder_ + "/dumps");
    std::vector<char*> arguments, variables;
    for (std::string& w : words) arguments.push_back(w.data());
    for (std::string& v : environment) variables.push_back(v.data());
    for (char** v = environ; *v; ++v) variables.push_back(*v);
    arguments.push_back(nullptr), variables.push_back(nullptr);
    const pid_t pid = fork();
    if (pid == 0) {
      execve(STRATA_FAILING_RANK, arguments.data(), variables.data());
      _exit(99);
    }
    pids_.push_back(pid);
  }

  const How how_;
  const std::string folder_;
  std::vector<pid_t> pids_;
  int64_t at_ = now_ms();  ///< of what happened to them
  mutable int64_t slowest_ = 0;
};

/// As `run_gloo`, with what programs get.
std::vector<std::string> run_watched(int64_t world, bool debug, const std::function<void(const ProcessGroup&)>& body,
                                     milliseconds timeout = 20s) {
  const std::string store = fresh_store();
  std::vector<std::string> errors(static_cast<size_t>(world));
  std::vector<std::thread> ranks;
  for (int64_t rank = 0; rank < world; ++rank)
    ranks.emplace_back([&, rank] {
      try {
        const ProcessGroup group = distributed::watched_group({.name = "threads",
                                                               .rank = rank,
                                                               .world_size = world,
                                                               .store = store,
                                                               .token = {},
                                                               .address = {},
                                                               .interface = {},
                                                               .timeout = timeout,
                                                               .debug = debug});
        const GroupScope scope(group, GroupScope::Reach::kThread);
        body(group);
      } catch (const std::exception& e) {
        errors[static_cast<size_t>(rank)] = e.what();
      }
    });
  for (std::thread& t : ranks) t.join();
  fs::remove_all(store.substr(7));
  return errors;
}

std::vector<std::string> run_watched_in_debug_mode(int64_t world,
                                                   const std::function<void(const ProcessGroup&)>& body) {
  return run_watched(world, true, body);
}
/// The same on threads.
std::vector<std::string> run_on_threads(int64_t world, const std::function<void(const ProcessGroup&)>& body) {
  std::vector<std::string> errors(static_cast<size_t>(world));
  distributed::run_threads(world, [&](const ProcessGroup& g) {
    try {
      body(g);
    } catch (const std::exception& e) {
      errors[static_cast<size_t>(g->rank())] = e.what();
    }
  });
  return errors;
}

}  // namespace

TEST_CASE("a rank that is killed is named on all others, which have dumped what they ran") {
  for (const bool by_folder : {false, true}) {
    Ranks ranks({.by_folder = by_folder});
    ranks.wait_until_ready();
    ranks.send(SIGKILL, 2);
    const std::string text = ranks.told_all_but(2);
    INFO(text << " after " << ranks.slowest() << " ms");
    CHECK(has(text, "all_reduce (call "));
    CHECK(has(text, " of group world, rank "));
    CHECK(has(text, "): rank 2 is gone: the connection closed"));
    for (int64_t r : {0, 1}) {
      CHECK(ranks.finish(r) == 1);
      const std::string dump = ranks.dump_of(r);
      CHECK(has(dump, "\"rank\":" + std::to_string(r) + ",\"world_size\":3,\"group\":\"world\""));
      CHECK(has(dump, "rank 2 is gone"));
      CHECK(has(dump, "\"op\":\"all_reduce\",\"dtype\":\"float32\",\"in_count\":1000"));
      CHECK(has(dump, "\"state\":\"finished\""));
      CHECK(has(dump, "\"state\":\"started\""));
    }
  }
}

TEST_CASE("where rank 0 is killed, its store goes with it, and all others say so") {
  Ranks ranks({.victim = 0});
  ranks.wait_until_ready();
  ranks.send(SIGKILL, 0);
  const std::string text = ranks.told_all_but(0);
  INFO(text << " after " << ranks.slowest() << " ms");
  CHECK(has(text, "rank 0 is gone"));
  for (int64_t r : {1, 2}) CHECK(has(ranks.dump_of(r), "rank 0 is gone"));
}

TEST_CASE("a stopped rank is named by all others with what it was in, and hears the same when it goes on") {
  for (const int64_t victim : {2, 0}) {
    Ranks ranks({.victim = victim, .heartbeat = 1600ms, .by_folder = victim != 0});
    ranks.wait_until_ready();
    ranks.send(SIGSTOP, victim);
    const std::string text = ranks.told_all_but(victim, 20'000);
    INFO(text << " after " << ranks.slowest() << " ms");
    CHECK(has(text, "all_reduce (call "));
    CHECK(has(text, "rank " + std::to_string(victim) + " is silent: "));
    if (victim != 0)
      CHECK((has(text, "its heartbeat was in all_reduce, call ") || has(text, "its last was all_reduce, call ")));
    ranks.send(SIGCONT, victim);
    const std::string own = ranks.told(victim).first;
    if (victim != 0) CHECK(own == text);
    CHECK(ranks.finish(victim) == 1);
  }
}

TEST_CASE("a rank that is only slow is not silent, and one that does not come is named when the time is over") {
  Ranks slow({.scenario = "slow", .victim = 1, .heartbeat = 800ms});
  for (int64_t r : {0, 1, 2}) CHECK(slow.finish(r) == 0);
  Ranks late({.scenario = "wait", .victim = 1, .timeout = 1s});
  late.wait_until_ready();
  const std::string text = late.told_all_but(1);
  INFO(text);
  CHECK(has(text, "all_reduce (call 2 of group world, rank "));
  CHECK(has(text, "not done after 1000 ms; rank 1 has not come: its last was all_reduce, call 1 of group world"));
  CHECK(!has(text, "rank 0 has not come"));
}

TEST_CASE("a store that takes the connection and says nothing is silent, as a half-open connection is") {
  const Bound mute;
  REQUIRE(listen(mute.fd, 8) == 0);
  distributed::EngineOptions options;
  options.store = GENERATE("agent", "generation") + ("://127.0.0.1:" + std::to_string(mute.port));
  options.token = "token", options.rank = 1, options.timeout = 60s, options.heartbeat_timeout = 400ms;
  const auto store = distributed::failure_store(options);
  const int64_t begin = now_ms();
  CHECK(store->set("key", "value") == distributed::FailureStore::Answer::kSilent);
  CHECK(now_ms() - begin < 2000);
}

TEST_CASE("rank 0's store that has ended before it was asked is gone, and not waited for") {
  distributed::EngineOptions options;
  options.store = "tcp://127.0.0.1:" + std::to_string(free_port());
  options.token = "token", options.rank = 1, options.timeout = 60s, options.heartbeat_timeout = 20s;
  const auto store = distributed::failure_store(options);
  const int64_t begin = now_ms();
  CHECK(store->set("key", "value") == distributed::FailureStore::Answer::kGone);
  CHECK(now_ms() - begin < 5000);
}

TEST_CASE("a rank that throws, ends or leaves while others wait for it") {
  const auto told = [](const std::string& scenario, int64_t victim) {
    Ranks ranks({.scenario = scenario, .victim = victim});
    const std::string text = ranks.told_all_but(victim);
    CHECK(ranks.finish(victim) == (scenario == "throw" ? 1 : 0));
    if (scenario == "throw") CHECK(has(ranks.dump_of(victim), "no luck"));  // the first to fail has its dump too
    return text;
  };
  for (const int64_t victim : {2, 0}) {
    const std::string who = "rank " + std::to_string(victim);
    const std::string thrown = told("throw", victim);
    INFO(thrown);
    CHECK(has(thrown, who + " has closed the group after: no luck on " + who));
    const std::string ended = told("crash", victim);
    INFO(ended);
    CHECK(has(ended, who + " is gone"));
  }
  const std::string ended = told("end", 2);
  INFO(ended);
  CHECK(has(ended, "): rank 2 has left the group"));
  const std::string left = told("leave", 2);
  INFO(left);
  CHECK(has(left, "all_reduce (call 2 of group world, rank "));
  CHECK(has(left, "): rank 2 has left the group"));
}

TEST_CASE("in debug mode, which one rank's variable is enough for, calls that differ are an error that names two") {
  for (const char* variable : {"TORCH_DISTRIBUTED_DEBUG=DETAIL", "STRATA_DISTRIBUTED_DEBUG=1"}) {
    Ranks ranks({.scenario = "mismatch", .victim = 1, .environment = {variable}});
    const std::string text = ranks.told_all_but(-1);
    INFO(text);
    CHECK(has(text, "ranks call different collectives: rank 0 all_reduce (SUM) of 1000 float32, rank 1 barrier"));
  }
}

TEST_CASE("a failure in a part of a group names the part, and leaves the whole") {
  Ranks ranks({.scenario = "part", .world = 4, .victim = 1});
  const std::string text = ranks.told(2).first;
  INFO(text);
  CHECK(has(text, "all_reduce (call 1 of group part, rank 1 of 2): rank 0 is gone: the connection closed"));
  for (int64_t r : {0, 3}) CHECK(ranks.finish(r) == 0);
}

TEST_CASE("calls that differ between ranks, by what differs, and those that may") {
  struct Pair {
    std::string part;  ///< of the error; empty for none
    std::function<void(int64_t)> call;
  };
  using namespace distributed;
  const Tensor x = ones({6});
  const std::vector<Pair> pairs = {
      {"rank 0 all_reduce (SUM) of 6 float32, rank 1 all_reduce (MAX) of 6 float32",
       [&](int64_t r) { all_reduce(x, r == 0 ? ReduceOp::SUM : ReduceOp::MAX); }},
      {"of 6 float64", [&](int64_t r) { all_reduce(r == 0 ? x : x.to(kDouble)); }},
      {"of 3 float32", [&](int64_t r) { all_reduce(r == 0 ? x : x.narrow(0, 0, 3)); }},
      {"rank 1 broadcast of 6 float32, root 1", [&](int64_t r) { broadcast(x, r); }},
      {"rank 0 reduce (SUM) of 6 float32, root 0, rank 1 reduce (SUM) of 6 float32, root 1",
       [&](int64_t r) { reduce(x, r); }},
      {"rank 0 gather of 6 float32, root 1, rank 1 gather of 6 float32, root 0",
       [&](int64_t r) { distributed::gather(x, 1 - r); }},
      {"rank 0 scatter of 3 float32, root 0, rank 1 scatter of 3 float32, root 1",
       [&](int64_t r) { distributed::scatter(x, r); }},
      {"rank 0 reduce_scatter (AVG) of 6 float32, rank 1 reduce_scatter (SUM) of 6 float32",
       [&](int64_t r) { reduce_scatter_tensor(x, r == 0 ? ReduceOp::AVG : ReduceOp::SUM); }},
      {"all_to_all: rank 0 sends 3 elements to rank 1, which takes 2",
       [&](int64_t r) {
         all_to_all_single(x.narrow(0, 0, r == 0 ? 4 : 3), {r + 1, 2 - r}, {r + 1, 3 - 2 * r});
       }},
      {"all_to_all: rank 0 sends 3 elements to rank 1, which takes 2",
       [&](int64_t r) { all_to_all_single(x.narrow(0, 0, r == 0 ? 6 : 4)); }},
      {"permute: rank 0 sends 6 elements to rank 1, which takes 0",
       [&](int64_t r) {
         permute(x, r == 0 ? std::vector<std::pair<int64_t, int64_t>>{{0, 1}}
                           : std::vector<std::pair<int64_t, int64_t>>{{1, 0}});
       }},
      {"rank 0 all_gather of 6 float32, rank 1 all_reduce",
       [&](int64_t r) { r == 0 ? all_gather_into_tensor(x) : all_reduce(x); }},
      {"",
       [&](int64_t r) {
         all_to_all_single(x.narrow(0, 0, r == 0 ? 3 : 4), {r == 0 ? 1 : 2, 2}, {r + 1, 2});
       }},
      {"",
       [&](int64_t) {
         permute(x, std::vector<std::pair<int64_t, int64_t>>{{0, 1}});
       }},
  };
  for (const Pair& p : pairs) {
    for (const auto& run : {&run_watched_in_debug_mode, &run_on_threads}) {
      INFO(p.part << (run == &run_on_threads ? " on threads" : " by Gloo"));
      const std::vector<std::string> errors = run(2, [&](const ProcessGroup& g) {
        barrier();
        p.call(g->rank());
      });
      for (const std::string& error : errors) {
        INFO(error);
        CHECK((p.part.empty() ? error.empty() : has(error, p.part)));
        if (!p.part.empty())
          CHECK((has(error, " (call 2 of group ") && has(error, "ranks call different collectives: ")));
      }
    }
  }
}

TEST_CASE("ranks that call two groups in different orders end by the deadline, which names who has not come") {
  const std::vector<std::string> errors = run_watched(
      2, true,
      [](const ProcessGroup& g) {
        const ProcessGroup other = distributed::split(g, 0, g->rank());
        distributed::all_reduce(ones({3}), ReduceOp::SUM, g->rank() == 0 ? g : other);
        distributed::broadcast(ones({3}), 0, g->rank() == 0 ? other : g);
      },
      500ms);
  for (const std::string& error : errors) {
    INFO(error);
    CHECK((has(error, "all_reduce (call ") && has(error, "not done after 500 ms")));
  }
}

TEST_CASE("a flight recorder keeps the last entries, also of threads at once, and tells which are not finished") {
  distributed::FlightRecorder recorder(4);
  const size_t group = recorder.add_group("some \"name\"");
  const Collective c{.kind = CollectiveKind::kReduce, .dtype = kDouble, .op = ReduceOp::MAX, .root = 1, .in_count = 7};
  for (int64_t i = 1; i <= 6; ++i) {
    const uint64_t id = recorder.begin(c, i, group, 1000 * i);
    if (i < 6) recorder.end(id, 1000 * i + 500);
  }
  const auto entries = recorder.entries();
  REQUIRE(entries.size() == 4);
  for (size_t i = 0; i < 4; ++i) {
    CHECK(entries[i].sequence == static_cast<int64_t>(i) + 3);
    CHECK(entries[i].is_finished == (i < 3));
  }
  const std::string text = distributed::as_json_lines(entries, {"world", 1, 2, "a \"quote\"\nand a line\xff"});
  CHECK(std::count(text.begin(), text.end(), '\n') == 5);
  CHECK(has(text, R"("failure":"a \"quote\"\nand a line)"
                  "\xEF\xBF\xBD\"}"));
  CHECK(has(text, R"("group":"some \"name\"","sequence":6,"op":"reduce","dtype":"float64","in_count":7)"));
  CHECK(has(text, R"("root":1,"reduce_op":"MAX","state":"started")"));
  CHECK(
      has(distributed::as_short_line(entries, {"world", 1, 2, "why."}), "strata: rank 1 of 2: why. Last here: reduce"));

  std::vector<std::thread> writers;
  for (int t = 0; t < 3; ++t)
    writers.emplace_back([&, t] {
      for (int64_t i = 0; i < 20'000; ++i) {
        Collective mine = c;
        mine.in_count = mine.out_count = i * 3 + t;
        recorder.end(recorder.begin(mine, i, group, i + 1), i + 2);
      }
    });
  for (int i = 0; i < 200; ++i)
    for (const auto& e : recorder.entries()) CHECK((e.sequence < 7 || e.in_count == e.out_count));
  for (std::thread& t : writers) t.join();
  CHECK(recorder.entries().size() == 4);
  CHECK(distributed::FlightRecorder(0).entries().empty());
}

}  // namespace strata
