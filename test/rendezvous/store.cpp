// The store and its client: what they share, and what becomes of those who do not know the token or do not speak well.
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>

#include "rendezvous/client.h"
#include "rendezvous/server.h"
#include "test/catch.h"

namespace strata::rendezvous {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

const std::string kToken = "the token of this job";

/// A socket that says what it likes.
class Raw {
 public:
  explicit Raw(int port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    const timeval limit{10, 0};
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  }
  ~Raw() { close(fd_); }
  Raw(const Raw&) = delete;
  void send(const std::string& text) { static_cast<void>(::send(fd_, text.data(), text.size(), MSG_NOSIGNAL)); }
  std::string receive(size_t count) {
    std::string bytes(count, '\0');
    size_t at = 0;
    for (ssize_t got; at < count && (got = recv(fd_, bytes.data() + at, count - at, 0)) > 0;)
      at += static_cast<size_t>(got);
    return bytes.substr(0, at);
  }
  /// Whether the other side ends the connection, within ten seconds.
  bool is_closed() {
    char byte;
    const ssize_t got = recv(fd_, &byte, 1, 0);
    return got == 0 || (got < 0 && errno == ECONNRESET);
  }

 private:
  int fd_;
};

std::string length(uint64_t n) { return {reinterpret_cast<const char*>(&n), sizeof n}; }

std::unique_ptr<Client> client_of(const Server& server, const std::string& token = kToken,
                                  Client::Milliseconds limit = 10s) {
  return std::make_unique<Client>("127.0.0.1", server.port(), token, limit);
}

}  // namespace

TEST_CASE("keys and values") {
  const Server server({.token = kToken});
  const auto a = client_of(server), b = client_of(server);
  const std::string bytes("any\0bytes\n", 10);
  a->set("key", bytes);
  CHECK(b->get("key", 1s) == bytes);
  a->set("empty", "");
  CHECK(b->get("empty", 1s).empty());
  CHECK(b->check({"key", "empty"}));
  CHECK(!b->check({"key", "nowhere"}));
  CHECK(a->add("count", 5) == 5);
  CHECK(b->add("count", -7) == -2);
  CHECK(a->get("count", 1s) == "-2");
  CHECK(a->compare_set("first", "", "a") == "a");
  CHECK(b->compare_set("first", "", "b") == "a");
  CHECK(b->compare_set("first", "a", "c") == "c");
  CHECK(a->num_keys() == 4);
  CHECK(a->delete_key("key"));
  CHECK(!b->delete_key("key"));
  const std::string large(5 << 20, 'x');
  a->set("large", large);
  CHECK(b->get("large", 5s) == large);
}

TEST_CASE("a client waits for keys that others set") {
  const Server server({.token = kToken});
  std::thread setter([&] {
    const auto other = client_of(server);
    other->set("one", "1");
    other->set("two", "2");
  });
  const auto c = client_of(server);
  c->wait({"one", "two"}, 10s);
  setter.join();
  CHECK(c->get("two", 1s) == "2");
}

TEST_CASE("a wait ends at its time, and says what for") {
  const Server server({.token = kToken});
  const auto c = client_of(server);
  const auto start = Clock::now();
  CHECK_THROWS_WITH(c->get("nowhere", 200ms), "store at 127.0.0.1:" + std::to_string(server.port()) +
                                                  ": wait for nowhere for 200 ms: no answer in time");
  const auto took = Clock::now() - start;
  CHECK(took >= 200ms);
  CHECK(took < 2s);
  CHECK_THROWS_AS(c->set("key", "value"), StoreError);  // what may still come would be taken for another answer
}

TEST_CASE("many clients add and wait at once") {
  const Server server({.token = kToken});
  constexpr int kClients = 32, kEach = 30;
  std::atomic<int> failed{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kClients; ++i)
    threads.emplace_back([&, i] {
      const auto c = client_of(server, kToken, 60s);
      for (int k = 0; k < kEach; ++k) c->add("sum", 1);
      c->set("done/" + std::to_string(i), "");
      std::vector<std::string> all;
      for (int k = 0; k < kClients; ++k) all.push_back("done/" + std::to_string(k));
      c->wait(all, 60s);
      failed += c->add("sum", 0) != kClients * kEach;
    });
  for (std::thread& t : threads) t.join();
  CHECK(failed == 0);
}

TEST_CASE("who does not know the token gets nothing, and who does not know the server's is told") {
  const Server server({.token = kToken}), other({.token = "another"});
  CHECK_THROWS_WITH(client_of(server, "wrong"), Catch::Contains("handshake: it has closed the connection"));
  // A client without a token takes the nonce for an answer.
  CHECK_THROWS_AS(client_of(server, "", 300ms), StoreError);
  Raw thief(server.port());
  CHECK(thief.receive(kNonce).size() == kNonce);
  thief.send(std::string(kNonce + kProof, '\0') + std::string(1, '\7'));  // and asks how many keys there are
  CHECK(thief.is_closed());
  Raw first(server.port()), second(server.port());
  CHECK(first.receive(kNonce) != second.receive(kNonce));  // what somebody overheard does not help
  CHECK(client_of(server)->num_keys() == 0);
}

TEST_CASE("what is no query closes its connection, and no other") {
  const Server server({.token = ""});
  const auto good = client_of(server, "");
  good->set("key", "value");
  const std::string set(1, '\1'), get(1, '\3'), wait(1, '\6'), add(1, '\4');
  const std::string number = set + length(4) + "/num" + length(3) + "abc";
  for (const std::string& bad :
       {std::string(1, '\77'), std::string(1, '\0') + "abcd", get + length(1 << 20), get + length(~uint64_t{0}),
        set + length(1) + "k" + length(uint64_t{1} << 40), wait + length(1 << 20), get + length(8) + "/nowhere",
        number + add + length(4) + "/num" + length(1)}) {
    Raw client(server.port());
    client.send(bad);
    CHECK(client.is_closed());
  }
  {
    Raw half(server.port());
    half.send(set + length(100) + "half of a key");  // and goes away
  }
  CHECK(good->get("key", 5s) == "value");
}

TEST_CASE("a query may come in pieces, and several at once") {
  const Server server({.token = ""});
  Raw client(server.port());
  const std::string ping = std::string(1, '\15') + "abcd";
  for (const char c : ping) client.send(std::string(1, c));
  CHECK(client.receive(4) == "abcd");
  client.send(ping + ping + ping);
  CHECK(client.receive(12) == "abcdabcdabcd");
}

TEST_CASE("a server that ends ends what clients wait for") {
  auto server = std::make_unique<Server>(ServerOptions{.token = kToken});
  const auto c = client_of(*server);
  std::thread end([&] {
    const auto other = client_of(*server);
    other->set("seen", "");
    server.reset();
  });
  CHECK_THROWS_WITH(c->get("nowhere", 20s), Catch::Contains("it has closed the connection"));
  end.join();
}

TEST_CASE("where there is no server, a client tries until its time is over") {
  int port = 0;
  { port = Server({}).port(); }
  const auto start = Clock::now();
  CHECK_THROWS_WITH(Client("127.0.0.1", port, "", 200ms),
                    Catch::Contains("connect: Connection refused (tried for 200 ms)"));
  CHECK(Clock::now() - start < 3s);
  CHECK_THROWS_WITH(Client("no.such.host.invalid", 1, "", 50ms),
                    Catch::Contains("store at no.such.host.invalid:1: connect: "));
}

TEST_CASE("a port that is taken is an error, and so is an address that is none") {
  const Server server({});
  CHECK_THROWS_WITH(Server({.port = server.port()}),
                    "store: cannot listen at 127.0.0.1:" + std::to_string(server.port()) + ": address already in use");
  CHECK_THROWS_AS(Server({.address = "localhost"}), StoreError);
}

TEST_CASE("IPv6") {
  std::unique_ptr<Server> server;
  try {
    server = std::make_unique<Server>(ServerOptions{.address = "::1", .token = kToken});
  } catch (const StoreError&) {
    WARN("there is no IPv6 here, so it was not tested");
    return;
  }
  Client c("::1", server->port(), kToken, 5s);
  CHECK(c.add("key", 1) == 1);
}

/// Runs a Python program with PyTorch, which $STRATA_TORCH_PYTHON names; false where there is none.
bool run_python(const std::string& program) {
  const char* const python = std::getenv("STRATA_TORCH_PYTHON");
  if (!python) {
    WARN("STRATA_TORCH_PYTHON names no Python with PyTorch, so its TCPStore was not tried");
    return false;
  }
  const std::string command = std::string(python) + " -c '" + program + "'";
  CHECK(std::system(command.c_str()) == 0);
  return true;
}

TEST_CASE("PyTorch's TCPStore is a client of a store without token") {
  const Server server({});
  const auto mine = client_of(server, "");
  mine->set("from_strata", "hello");
  const std::string program = R"(
import datetime, torch.distributed as d
s = d.TCPStore("127.0.0.1", )" +
                              std::to_string(server.port()) + R"(, None, False, datetime.timedelta(seconds=20))
assert s.get("from_strata") == b"hello"
s.set("from_torch", "hi")
assert s.add("n", 3) == 3 and s.add("n", 4) == 7
assert s.compare_set("c", "", "x") == b"x" and s.compare_set("c", "y", "z") == b"x"
assert s.check(["c"]) and not s.check(["nothing"])
s.multi_set(["p", "q"], ["1", "2"])
assert s.multi_get(["p", "q"]) == [b"1", b"2"]
s.append("p", "3")
assert s.get("p") == b"13" and s.delete_key("p")
try:
    s.wait(["nowhere"], datetime.timedelta(milliseconds=100)); assert False
except d.DistStoreError: pass
assert s.get("q") == b"2"
)";
  if (run_python(program)) CHECK(mine->get("from_torch", 5s) == "hi");
}

TEST_CASE("PyTorch's TCPStore is a server for the client") {
  int port = 0;
  { port = Server({}).port(); }
  std::thread torch;
  bool ran = false;
  torch = std::thread([&] {
    const char* const python = std::getenv("STRATA_TORCH_PYTHON");
    if (!python) return;
    const std::string program = "import datetime, torch.distributed as d\ns = d.TCPStore(\"127.0.0.1\", " +
                                std::to_string(port) +
                                ", None, True, datetime.timedelta(seconds=60), wait_for_workers=False)\n"
                                "s.set(\"from_torch\", \"hi\")\nassert s.get(\"from_strata\") == b\"hello\"\n"
                                "s.set(\"end\", \"\")\nimport time; time.sleep(1)\n";
    ran = std::system((std::string(python) + " -c '" + program + "'").c_str()) == 0;
  });
  if (std::getenv("STRATA_TORCH_PYTHON")) {
    Client c("127.0.0.1", port, "", 60s);
    CHECK(c.get("from_torch", 30s) == "hi");
    CHECK(c.add("n", 2) == 2);
    CHECK(c.compare_set("c", "", "x") == "x");
    c.set("from_strata", "hello");
    c.wait({"end"}, 30s);
  }
  torch.join();
  CHECK(ran == (std::getenv("STRATA_TORCH_PYTHON") != nullptr));
}

}  // namespace strata::rendezvous
