// What goes wrong between honest clients and their store: deadlines, stops, ports in use, generations that are over.
#include <sys/socket.h>
#include <uv.h>

#include <csignal>
#include <future>
#include <memory>

#include "rendezvous/address.h"
#include "test/rendezvous/store_test.h"

using namespace std::chrono_literals;
using namespace store_test;
using namespace strata::rendezvous;
using Catch::Matchers::ContainsSubstring;

namespace {

template <class Fn>
auto later(Fn fn) {
  return std::async(std::launch::async, fn);
}

bool has_ipv6_loopback() {
  const int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  const Address address = resolve("::1", 0, Deadline(kSoon)).at(0);
  const bool bound = bind(fd, address.get(), address.size) == 0;
  close(fd);
  return bound;
}

/// Runs until `client_thread`, whose store it serves, is done.
struct Loop {
  Loop() { uv_loop_init(&loop); }
  ~Loop() {
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK(uv_loop_close(&loop) == 0);
  }
  uv_loop_t loop{};
};

}  // namespace

TEST_CASE("a wait ends within 50 ms of its deadline, and the connection goes on") {
  const bool token = GENERATE(true, false);
  TcpServer server(token ? with_token() : plain());
  TcpClient client(client_of(server, token ? kToken : ""));
  for (const milliseconds timeout : {0ms, 30ms, 200ms}) {
    const auto begin = Clock::now();
    const std::string text = message_of<StoreTimeout>([&] { client.get("never", timeout); });
    const auto took = Clock::now() - begin;
    CHECK(took >= timeout);
    CHECK(took < timeout + 50ms);
    CHECK(text ==
          "store " + server.address() + ": \"never\" not set within " + std::to_string(timeout.count()) + " ms");
    client.set("other", "x");
    CHECK(client.get("other", kSoon) == "x");
  }
  CHECK_THAT(message_of<StoreTimeout>([&] {
               client.wait({"no", "nor"}, 1ms);
             }),
             ContainsSubstring("\"no\" and 1 more"));
}

TEST_CASE("a store that does not answer costs no more than the timeout") {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  Address address = resolve("127.0.0.1", 0, Deadline(kSoon)).at(0);
  REQUIRE(bind(listener, address.get(), address.size) == 0);
  REQUIRE(listen(listener, 8) == 0);
  getsockname(listener, reinterpret_cast<sockaddr*>(&address.storage), &address.size);
  const ClientOptions options{"127.0.0.1", port_of(address), GENERATE(as<std::string>(), "", "token"), 100ms, 100ms};
  const auto begin = Clock::now();
  CHECK_THAT(message_of<StoreTimeout>([&] { TcpClient client(options); }), ContainsSubstring("no answer for 100 ms"));
  CHECK(Clock::now() - begin < 150ms);
  close(listener);
}

TEST_CASE("nobody listens: tried again until the deadline, and found when there is somebody") {
  uint16_t port;
  {
    TcpServer server(with_token());
    port = server.port();
  }
  const auto begin = Clock::now();
  CHECK_THAT(message_of<StoreTimeout>([&] {
               TcpClient client({"127.0.0.1", port, kToken, 100ms, 100ms});
             }),
             ContainsSubstring("not reached within 100 ms: Connection refused"));
  CHECK(Clock::now() - begin < 150ms);

  auto client = later([&] { return TcpClient({"localhost", port, kToken, kSoon, kSoon}).add("n", 1); });
  ServerOptions options = with_token();
  options.port = port;
  TcpServer server(options);
  CHECK(client.get() == 1);
}

TEST_CASE("a store that has to be there is not waited for") {
  ClientOptions to{"127.0.0.1", TcpServer(with_token()).port(), kToken, kSoon, kSoon};
  to.waits_for_start = false;
  const auto begin = Clock::now();
  CHECK_THAT(message_of<StoreError>([&] { TcpClient client(to); }), ContainsSubstring("Connection refused"));
  CHECK(Clock::now() - begin < kSoon / 2);
}

TEST_CASE("a host that nobody knows is named") {
  CHECK_THAT(message_of<StoreError>([] {
               TcpClient client({"no.such.host.invalid", 1, kToken, 2s, 2s});
             }),
             ContainsSubstring("no.such.host.invalid:1"));
}

TEST_CASE("a server that stops answers those who wait") {
  const bool token = GENERATE(true, false);
  auto server = std::make_unique<TcpServer>(token ? with_token() : plain());
  TcpClient other(client_of(*server, token ? kToken : ""));
  auto waiting = later([&] {
    TcpClient client(client_of(*server, token ? kToken : ""));
    client.set("ready", "");
    return message_of<StoreError>([&] { client.get("never", kSoon); });
  });
  other.wait({"ready"}, kSoon);
  server.reset();
  CHECK_THAT(waiting.get(), ContainsSubstring("waiting for \"never\""));
  CHECK_THROWS_AS(other.set("k", "v"), StoreError);
}

TEST_CASE("a client connects anew to a store that has come again") {
  auto server = std::make_unique<TcpServer>(with_token());
  ServerOptions again = with_token();
  again.port = server->port();
  TcpClient client(client_of(*server));
  server.reset();
  CHECK_THROWS_AS(client.num_keys(), StoreError);
  server = std::make_unique<TcpServer>(again);
  CHECK(client.num_keys() == 0);
}

TEST_CASE("a client that knows its store takes no other one for it") {
  auto server = std::make_unique<TcpServer>(with_token());
  ServerOptions again = with_token();
  again.port = server->port();
  ClientOptions options = client_of(*server);
  options.identity = std::make_shared<StoreIdentity>();
  TcpClient client(options), other(options);
  client.set("key", "value");
  server.reset();
  CHECK_THROWS_AS(client.num_keys(), StoreError);
  server = std::make_unique<TcpServer>(again);
  TcpClient new_one(client_of(*server));
  for (int i = 0; i < 2; ++i)
    CHECK_THAT(message_of<StoreReplaced>([&] { client.check({"key"}); }), ContainsSubstring("it has begun anew"));
  CHECK_THROWS_AS(other.set("key", "old"), StoreError);  // a connection that broke is found by its next query
  CHECK_THROWS_AS(other.set("key", "old"), StoreReplaced);
  CHECK_THROWS_AS(TcpClient(options), StoreReplaced);
  CHECK(!new_one.check({"key"}));
}

TEST_CASE("a port in use is an error that says what to do") {
  TcpServer first(with_token());
  ServerOptions options = with_token();
  options.port = first.port();
  CHECK_THAT(message_of<StoreError>([&] { TcpServer second(options); }),
             ContainsSubstring(first.address() + " (another job's? port 0 takes a free one)"));
  Loop loop;
  CHECK_THROWS_AS(TcpServer(options, &loop.loop), StoreError);
}

TEST_CASE("a server wants a token or to be plain") {
  CHECK_THROWS_AS(TcpServer(ServerOptions{}), StoreError);
  ServerOptions both = with_token();
  both.plain = true;
  CHECK_THROWS_AS(TcpServer(both), StoreError);
}

TEST_CASE("IPv6 loopback serves as IPv4's does") {
  if (!has_ipv6_loopback()) {
    WARN("skipped: no IPv6 loopback here");
    return;
  }
  ServerOptions options = with_token();
  options.host = "::1";
  TcpServer server(options);
  CHECK(server.address() == "[::1]:" + std::to_string(server.port()));
  TcpClient client({"::1", server.port(), kToken, kSoon, kSoon});
  CHECK(client.add("n", 3) == 3);
  CHECK_THROWS_AS(TcpClient({"127.0.0.1", server.port(), kToken, 50ms, 50ms}), StoreTimeout);
}

TEST_CASE("a fence ends the generations before it") {
  TcpServer server(with_token());
  TcpClient client(client_of(server));
  for (const int64_t generation : {1, 2, 3}) client.set(generation_key(generation, "k"), "v");
  client.set("always", "here");
  auto waiting = later([&] {
    TcpClient other(client_of(server));
    other.set("ready", "");
    return message_of<GenerationOver>([&] { other.wait({generation_key(3, "k"), generation_key(2, "no")}, kSoon); });
  });
  client.wait({"ready"}, kSoon);
  server.fence(3);
  CHECK_THAT(waiting.get(), ContainsSubstring(" over"));
  const std::string old = generation_key(2, "k"), current = generation_key(3, "k");
  const std::string text = message_of<GenerationOver>([&] { client.get(old, kSoon); });
  CHECK(text == "store " + server.address() + ": generation 2 is over, the job is at 3, waiting for \"gen/2/k\"");
  CHECK_THROWS_AS(client.set(old, "v"), GenerationOver);
  CHECK_THROWS_AS(client.add(old, 1), GenerationOver);
  CHECK_THROWS_AS(client.check({current, old}), GenerationOver);
  CHECK_THROWS_AS(client.compare_set(old, "", ""), GenerationOver);
  CHECK_THROWS_AS(client.delete_key(old), GenerationOver);
  CHECK_THROWS_AS(client.append(old, ""), GenerationOver);
  CHECK_THROWS_AS(client.multi_get({current, old}, kSoon), GenerationOver);
  CHECK_THROWS_AS(client.multi_set({current, old}, {"", ""}), GenerationOver);
  CHECK(client.get(current, kSoon) == "v");
  CHECK(client.get("always", kSoon) == "here");
  server.fence(1);  // moves nothing back
  CHECK_THROWS_AS(client.set(old, "v"), GenerationOver);
}

TEST_CASE("a plain server closes the connections of generations that are over") {
  TcpServer server(plain());
  TcpClient client(client_of(server, ""));
  server.fence(1);
  CHECK_THAT(message_of<StoreError>([&] { client.get(generation_key(0, "k"), kSoon); }),
             ContainsSubstring("closed the connection"));
  client.set(generation_key(1, "k"), "v");
  CHECK(client.get(generation_key(1, "k"), kSoon) == "v");
}

TEST_CASE("a server runs in a loop of the caller's") {
  std::signal(SIGPIPE, SIG_IGN);
  Loop loop;
  auto server = std::make_unique<TcpServer>(with_token(), &loop.loop);
  uv_async_t done{};
  uv_async_init(&loop.loop, &done, [](uv_async_t* async) {
    uv_stop(async->loop);
    uv_close(reinterpret_cast<uv_handle_t*>(async), nullptr);
  });
  std::string heard;
  std::thread client_thread([&, options = client_of(*server)] {
    TcpClient client(options);
    client.set("k", "v");
    heard = client.get("k", kSoon);
    uv_async_send(&done);
  });
  uv_run(&loop.loop, UV_RUN_DEFAULT);
  client_thread.join();
  CHECK(heard == "v");
  server.reset();
}
