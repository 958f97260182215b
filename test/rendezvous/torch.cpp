// Python's torch.distributed.TCPStore as the server of our client and as the client of our server.
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "rendezvous/socket.h"
#include "test/rendezvous/store_test.h"

using namespace std::chrono_literals;
using namespace store_test;
using namespace strata::rendezvous;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A program whose standard input and output are pipes; ended with this.
class Child {
 public:
  explicit Child(std::vector<std::string> words) {
    int in[2], out[2];
    REQUIRE(pipe2(in, O_CLOEXEC) == 0);
    REQUIRE(pipe2(out, O_CLOEXEC) == 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    if (posix_spawnp(&pid_, argv[0], &actions, nullptr, argv.data(), environ) != 0) pid_ = -1;
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    input_ = in[1];
    output_ = out[0];
  }

  ~Child() {
    close(input_);
    close(output_);
    if (pid_ > 0) kill(pid_, SIGKILL);
    wait_for_end();
  }

  /// The next line of output; empty at its end or after a minute.
  std::string read_line() {
    std::string line;
    const Deadline deadline(60s);
    char byte;
    for (pollfd entry{output_, POLLIN, 0}; poll(&entry, 1, deadline.left()) > 0 && read(output_, &byte, 1) == 1;) {
      if (byte == '\n') return line;
      line += byte;
    }
    return line;
  }

  int wait_for_end() {
    int status = -1;
    if (pid_ > 0) waitpid(pid_, &status, 0);
    pid_ = -1;
    return status;
  }

 private:
  pid_t pid_ = -1;
  int input_, output_;
};

/// The interpreter that has torch, from STRATA_TORCH_PYTHON or /usr/bin/python3; empty where there is none, and then
/// the test says so.
std::string torch_python() {
  const char* named = std::getenv("STRATA_TORCH_PYTHON");
  const std::string python = named ? named : "/usr/bin/python3";
  static const bool has_torch =
      Child({python, "-c", "import importlib.util, sys; sys.exit(not importlib.util.find_spec('torch'))"})
          .wait_for_end() == 0;
  if (has_torch) return python;
  WARN("skipped: " << python << " has no torch; STRATA_TORCH_PYTHON names an interpreter that does");
  return "";
}

const std::string kImports = R"(
import sys
from datetime import timedelta
from torch.distributed import TCPStore
)";

}  // namespace

TEST_CASE("our client uses Python's store") {
  const std::string python = torch_python();
  if (python.empty()) return;
  Child child({python, "-c", kImports + R"(
store = TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False, timeout=timedelta(seconds=60))
store.set("from python", "yes")
print(store.port, flush=True)
for key in ["set", "sum", "appended", "compared", "many1", "many2"]:
    print(store.get(key).decode(), flush=True)
print(store.check(["deleted"]), flush=True)
store.set("late", "now")
sys.stdin.read()
)"});
  const auto port = static_cast<uint16_t>(std::stoi(child.read_line()));
  TcpClient client({"127.0.0.1", port, "", kSoon, kSoon});
  CHECK(client.get("from python", kSoon) == "yes");
  CHECK_THROWS_AS(client.get("late", 30ms), StoreTimeout);
  CHECK(client.num_keys() >= 1);
  client.set("deleted", "");
  CHECK(client.delete_key("deleted"));
  CHECK_FALSE(client.delete_key("deleted"));
  CHECK(client.add("number", 40) == 40);
  CHECK(client.add("number", 2) == 42);
  client.append("tail", "a");
  client.append("tail", "b");
  CHECK(client.compare_set("cas", "absent", "x") == "absent");
  CHECK(client.compare_set("cas", "", "first") == "first");
  CHECK(client.compare_set("cas", "other", "x") == "first");
  CHECK(client.compare_set("cas", "first", "second") == "second");
  client.multi_set({"many1", "many2"}, {"1", "2"});
  CHECK(client.multi_get({"number", "tail", "cas", "many2"}, kSoon) == Keys{"42", "ab", "second", "2"});
  CHECK(client.check({"tail", "cas"}));
  CHECK_FALSE(client.check({"tail", "none"}));
  client.set("appended", "ab");
  client.set("compared", "second");
  client.set("sum", "42");
  client.set("set", "hello");
  for (const char* line : {"hello", "42", "ab", "second", "1", "2", "False"}) CHECK(child.read_line() == line);
  CHECK(client.get("late", kSoon) == "now");
  const std::string megabytes(4 << 20, 'm');
  client.set("long", megabytes);
  CHECK(client.get("long", kSoon) == megabytes);
}

TEST_CASE("Python's client uses our plain store") {
  const std::string python = torch_python();
  if (python.empty()) return;
  TcpServer server(plain());
  Child child({python, "-c", kImports + R"(
store = TCPStore("127.0.0.1", int(sys.argv[1]), is_master=False, wait_for_workers=False, timeout=timedelta(seconds=60))
store.set("k", "v")
assert store.get("k") == b"v"
assert store.add("n", 40) == 40 and store.add("n", 2) == 42 and store.get("n") == b"42"
assert store.check(["k", "n"]) and not store.check(["k", "none"])
assert store.compare_set("cas", "absent", "x") == b"absent"
assert store.compare_set("cas", "", "first") == b"first"
assert store.compare_set("cas", "other", "x") == b"first"
assert store.compare_set("cas", "first", "second") == b"second"
store.append("tail", "a")
store.append("tail", "b")
store.multi_set(["m1", "m2"], ["1", "2"])
assert store.multi_get(["tail", "m1", "m2"]) == [b"ab", b"1", b"2"]
keys = store.num_keys()
assert store.delete_key("k") and not store.delete_key("k") and store.num_keys() == keys - 1
try:
    store.wait(["never"], timedelta(milliseconds=50))
    assert False
except Exception as error:
    assert "never" in str(error) or "timeout" in str(error).lower(), error
other = store.clone()
other.set("long", "m" * (4 << 20))
assert len(store.get("long")) == 4 << 20
print("ready", flush=True)
store.wait(["from C++"], timedelta(seconds=60))
print(store.get("from C++").decode(), flush=True)
)",
               std::to_string(server.port())});
  CHECK(child.read_line() == "ready");
  TcpClient client(client_of(server, ""));
  CHECK(client.get("tail", kSoon) == "ab");
  client.set("from C++", "hello");
  CHECK(child.read_line() == "hello");
  CHECK(child.wait_for_end() == 0);
}

TEST_CASE("Python ranks form a group over our plain store") {
  const std::string python = torch_python();
  if (python.empty()) return;
  TcpServer server(plain());
  const std::string program = kImports + R"(
import torch
import torch.distributed as dist
rank = int(sys.argv[2])
store = TCPStore("127.0.0.1", int(sys.argv[1]), is_master=False, wait_for_workers=False, timeout=timedelta(seconds=60))
dist.init_process_group("gloo", store=store, rank=rank, world_size=2)
tensor = torch.tensor([rank + 1.0])
dist.all_reduce(tensor)
print(tensor.item(), flush=True)
dist.destroy_process_group()
)";
  Child zero({python, "-c", program, std::to_string(server.port()), "0"});
  Child one({python, "-c", program, std::to_string(server.port()), "1"});
  CHECK(zero.read_line() == "3.0");
  CHECK(one.read_line() == "3.0");
  CHECK(zero.wait_for_end() == 0);
  CHECK(one.wait_for_end() == 0);
}
