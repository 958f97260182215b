// Clients that mean harm, or know no better: a server cuts them off and goes on serving the others.
#include <sys/socket.h>

#include <functional>

#include "rendezvous/handshake.h"
#include "rendezvous/protocol.h"
#include "rendezvous/socket.h"
#include "test/rendezvous/store_test.h"

using namespace std::chrono_literals;
using namespace store_test;
using namespace strata::rendezvous;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A connection that sends what it likes.
struct Raw {
  explicit Raw(const TcpServer& server) {
    socket.connect(resolve("127.0.0.1", server.port(), deadline).at(0), deadline);
  }

  void send(std::string_view bytes) { socket.send(bytes, deadline); }
  std::string receive(size_t size) { return socket.receive(size, deadline); }

  /// Whether the server closes the connection; it may do so while more is being sent.
  bool is_closed_after(std::string_view bytes) {
    try {
      if (!bytes.empty()) send(bytes);
      for (;;) receive(1);
    } catch (const SocketError&) {
      return true;
    } catch (const SocketTimeout&) {
      return false;
    }
  }

  void shake_hands() {
    send(proof(kToken, receive(kNonceSize), "client") + std::string(kNonceSize, 'n'));
    CHECK(receive(kProofSize) == proof(kToken, std::string(kNonceSize, 'n'), "server"));
  }

  Deadline deadline{kSoon};
  Socket socket;
};

std::string type(Query query) { return {static_cast<char>(query)}; }

template <class T>
std::string bytes_of(T value) {
  std::string text;
  put(text, value);
  return text;
}

std::string validation() { return type(Query::kValidate) + bytes_of(kMagic); }

void check_serves(const TcpServer& server, const std::string& token = kToken) {
  TcpClient client(client_of(server, token));
  CHECK(client.add("still here", 1) >= 1);
}

}  // namespace

TEST_CASE("a wrong token is refused at once, by both ends") {
  TcpServer server(with_token());
  const auto begin = Clock::now();
  CHECK_THAT(message_of<StoreError>([&] { TcpClient client(client_of(server, std::string(64, 'b'))); }),
             ContainsSubstring("refused this job's token"));
  CHECK(Clock::now() - begin < kSoon / 2);
  CHECK_THAT(message_of<StoreError>([&] { TcpClient client(client_of(server, "")); }),
             ContainsSubstring("does the store want a token"));
  check_serves(server);
}

TEST_CASE("a client does not trust a server that lacks the token") {
  const Address any = resolve("127.0.0.1", 0, Deadline(kSoon)).at(0);
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  REQUIRE(bind(listener, any.get(), any.size) == 0);
  REQUIRE(listen(listener, 1) == 0);
  Address bound;
  bound.size = sizeof bound.storage;
  getsockname(listener, reinterpret_cast<sockaddr*>(&bound.storage), &bound.size);
  ssize_t sent = 0;
  std::thread impostor([&] {
    const int peer = accept(listener, nullptr, nullptr);
    const std::string text(kNonceSize + kProofSize, 'x');
    sent = send(peer, text.data(), text.size(), MSG_NOSIGNAL);
    char byte;
    while (recv(peer, &byte, 1, 0) > 0) {
    }
    close(peer);
  });
  CHECK_THAT(message_of<StoreError>([&] {
               TcpClient client({"127.0.0.1", port_of(bound), kToken, kSoon, kSoon});
             }),
             ContainsSubstring("does not hold this job's token"));
  impostor.join();
  CHECK(sent == kNonceSize + kProofSize);
  close(listener);
}

TEST_CASE("nothing is parsed before the handshake") {
  TcpServer server(with_token());
  for (const std::string& text :
       {validation() + type(Query::kPing) + std::string(80, '\0'), std::string(64, '\xff'), std::string(1 << 20, 'G'),
        std::string("GET / HTTP/1.1\r\n\r\n") + std::string(99, ' ')})
    CHECK(Raw(server).is_closed_after(text));
  {
    Raw eager(server);  // the right proof, but a query before the server's answer to it
    CHECK(eager.is_closed_after(proof(kToken, eager.receive(kNonceSize), "client") + std::string(kNonceSize, 'n') +
                                type(Query::kNumKeys)));
  }
  {
    Raw mirror(server);  // the server's own role is not a client's
    CHECK(mirror.is_closed_after(proof(kToken, mirror.receive(kNonceSize), "server") + std::string(kNonceSize, 'n')));
  }
  check_serves(server);
}

TEST_CASE("a proof is good for one connection") {
  TcpServer server(with_token());
  Raw first(server), second(server);
  const std::string seen = proof(kToken, first.receive(kNonceSize), "client") + std::string(kNonceSize, 'n');
  CHECK(second.is_closed_after(seen));
  first.send(seen);
  CHECK(first.receive(kProofSize).size() == kProofSize);
}

TEST_CASE("who does not prove themselves in time is cut off, and others are served meanwhile") {
  ServerOptions options = GENERATE(true, false) ? with_token() : plain();
  options.handshake_timeout = 100ms;
  TcpServer server(options);
  Raw silent(server), half(server);
  half.send(options.plain ? validation().substr(0, 3) : std::string(10, 'x'));
  const auto begin = Clock::now();
  check_serves(server, options.token);
  CHECK(silent.is_closed_after(""));
  CHECK(half.is_closed_after(""));
  CHECK(Clock::now() - begin < kSoon / 2);
}

TEST_CASE("garbage behind the handshake ends the connection that sent it") {
  TcpServer server(with_token());
  const std::string huge = bytes_of(~uint64_t{0}), one = bytes_of(uint64_t{1}) + "k";
  const std::string long_key = bytes_of(uint64_t{4097}), long_value = bytes_of(uint64_t{(64 << 20) + 1});
  for (const std::string& text :
       {std::string(1, '\xff'), type(Query::kValidate), type(Query::kSet) + huge, type(Query::kSet) + long_key,
        type(Query::kSet) + one + huge, type(Query::kSet) + one + long_value, type(Query::kWait) + huge,
        type(Query::kCheck) + huge, type(Query::kMultiGet) + huge, type(Query::kMultiSet) + huge,
        type(Query::kMultiSet) + one.substr(0, 8) + huge, type(Query::kCompareSet) + one + one + huge}) {
    Raw raw(server);
    raw.shake_hands();
    CHECK(raw.is_closed_after(text));
  }
  check_serves(server);
}

TEST_CASE("a plain server closes what is no store's client") {
  TcpServer server(plain());
  CHECK(Raw(server).is_closed_after("GET / HTTP/1.1\r\n"));
  CHECK(Raw(server).is_closed_after(type(Query::kValidate) + bytes_of(~kMagic)));
  CHECK(Raw(server).is_closed_after(validation() + type(Query::kSet) + bytes_of(~uint64_t{0})));
  check_serves(server, "");
}

TEST_CASE("queries may come byte by byte, and half of one harms nobody") {
  TcpServer server(plain());
  const std::string key = bytes_of(uint64_t{2}) + "/k";
  const std::string text = validation() + type(Query::kSet) + key + bytes_of(uint64_t{3}) + "abc" + type(Query::kGet) +
                           key + type(Query::kSet) + bytes_of(uint64_t{9}) + "ha";
  Raw raw(server);
  for (const char byte : text) raw.send({&byte, 1});
  CHECK(raw.receive(11) == bytes_of(uint64_t{3}) + "abc");
  TcpClient client(client_of(server, ""));
  CHECK(client.get("k", kSoon) == "abc");
  raw.socket.close();
  CHECK(client.num_keys() == 1);
}

TEST_CASE("clients that vanish while they wait or read are forgotten") {
  TcpServer server(plain());
  TcpClient client(client_of(server, ""));
  client.set("long", std::string(8 << 20, 'x'));
  const std::string get = type(Query::kGet) + bytes_of(uint64_t{5}) + "/long";
  const std::string wait = type(Query::kWait) + bytes_of(uint64_t{1}) + bytes_of(uint64_t{6}) + "/never";
  for (int i = 0; i < 20; ++i) {
    Raw reader(server), waiter(server);
    reader.send(validation() + get + get);
    waiter.send(validation() + wait);
    reader.receive(100);
  }
  client.set("never", "now");
  CHECK(client.get("never", kSoon) == "now");
}

TEST_CASE("a client that reads nothing is not answered without end") {
  TcpServer server(plain());
  TcpClient client(client_of(server, ""));
  client.set("long", std::string(4 << 20, 'x'));
  Raw slow(server);
  std::string text = validation();
  for (int i = 0; i < 30; ++i) text += type(Query::kGet) + bytes_of(uint64_t{5}) + "/long";
  text += type(Query::kSet) + bytes_of(uint64_t{4}) + "/end" + bytes_of(uint64_t{0});
  slow.send(text);
  CHECK_THROWS_AS(client.get("end", 100ms), StoreTimeout);  // the server waits for it to read
  for (int i = 0; i < 30; ++i) CHECK(slow.receive(8 + (4 << 20)).back() == 'x');
  CHECK(client.get("end", kSoon).empty());
}

TEST_CASE("no more connections than allowed") {
  ServerOptions options = plain();
  options.max_connections = 2;
  TcpServer server(options);
  TcpClient a(client_of(server, "")), b(client_of(server, ""));
  CHECK(Raw(server).is_closed_after(""));
  CHECK(a.add("n", 1) == 1);
  CHECK(b.add("n", 1) == 2);
}
