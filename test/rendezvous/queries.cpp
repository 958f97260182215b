// Each query of a store, with a token and without, and many clients at once.
#include <atomic>
#include <memory>

#include "rendezvous/handshake.h"
#include "rendezvous/key_table.h"
#include "test/rendezvous/store_test.h"

using namespace std::chrono_literals;
using namespace store_test;
using namespace strata::rendezvous;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Pair {
  explicit Pair(bool token)
      : server(token ? with_token() : plain()), client(client_of(server, token ? kToken : std::string())) {}
  TcpServer server;
  TcpClient client;
};

}  // namespace

TEST_CASE("values come back as they were set") {
  Pair pair(GENERATE(true, false));
  TcpClient& client = pair.client;
  const std::string bytes("a\0b\n\xff", 5);
  client.set("k", bytes);
  CHECK(client.get("k", kSoon) == bytes);
  client.set("k", "");
  CHECK(client.get("k", kSoon).empty());
  CHECK(client.num_keys() == 1);
  client.append("k", "one");
  client.append("k", "two");
  client.append("new", "three");
  CHECK(client.get("k", kSoon) == "onetwo");
  CHECK(client.get("new", kSoon) == "three");
  CHECK(client.check({"k", "new"}));
  CHECK_FALSE(client.check({"k", "none"}));
  CHECK(client.check({}));
  CHECK(client.delete_key("k"));
  CHECK_FALSE(client.delete_key("k"));
  CHECK_FALSE(client.check({"k"}));
}

TEST_CASE("numbers are decimal text") {
  Pair pair(GENERATE(true, false));
  CHECK(pair.client.add("n", 5) == 5);
  CHECK(pair.client.add("n", -7) == -2);
  CHECK(pair.client.get("n", kSoon) == "-2");
  pair.client.set("n", "40");
  CHECK(pair.client.add("n", 2) == 42);
}

TEST_CASE("compare_set sets what holds the expected value") {
  Pair pair(GENERATE(true, false));
  TcpClient& client = pair.client;
  CHECK(client.compare_set("k", "absent", "x") == "absent");
  CHECK_FALSE(client.check({"k"}));
  CHECK(client.compare_set("k", "", "first") == "first");
  CHECK(client.compare_set("k", "other", "second") == "first");
  CHECK(client.compare_set("k", "first", "second") == "second");
  CHECK(client.get("k", kSoon) == "second");
}

TEST_CASE("a thousand keys go and come in one query each") {
  Pair pair(GENERATE(true, false));
  Keys keys, values;
  for (int i = 0; i < 1000; ++i) {
    keys.push_back("key" + std::to_string(i));
    values.push_back(std::string(static_cast<size_t>(i), 'v'));
  }
  pair.client.multi_set(keys, values);
  CHECK(pair.client.num_keys() == 1000);
  CHECK(pair.client.multi_get(keys, kSoon) == values);
  CHECK(pair.client.check(keys));
  CHECK(pair.client.multi_get({}, kSoon).empty());
  CHECK_THROWS_AS(pair.client.multi_set({"a"}, {}), StoreError);
}

TEST_CASE("long values pass, slow readers too") {
  Pair pair(GENERATE(true, false));
  std::string value(30 << 20, '\0');
  for (size_t i = 0; i < value.size(); ++i) value[i] = static_cast<char>(i * i >> 7);
  pair.client.set("long", value);
  CHECK(pair.client.get("long", kSoon) == value);
  CHECK(pair.client.multi_get({"long", "long"}, kSoon) == Keys{value, value});
}

TEST_CASE("a server's failed query leaves the connection whole") {
  Pair pair(true);
  pair.client.set("word", "no number");
  CHECK_THAT(message_of<StoreError>([&] { pair.client.add("word", 1); }),
             ContainsSubstring("\"/word\" does not hold a number, adding to \"word\""));
  CHECK(pair.client.add("n", INT64_MAX) == INT64_MAX);
  CHECK_THROWS_AS(pair.client.add("n", 1), StoreError);
  CHECK(pair.client.get("word", kSoon) == "no number");
}

TEST_CASE("a store has an end to what it keeps") {
  ServerOptions options = with_token();
  options.max_keys = 2;
  options.max_bytes = 100;
  TcpServer server(options);
  TcpClient client(client_of(server));
  client.set("a", "1");
  client.set("b", "1");
  CHECK_THAT(message_of<StoreError>([&] { client.set("c", "1"); }), ContainsSubstring("full"));
  CHECK_THROWS_AS(client.set("a", std::string(100, 'x')), StoreError);
  client.delete_key("b");
  client.set("c", "1");
  CHECK(client.get("a", kSoon) == "1");
}

TEST_CASE("64 clients count, meet and wait at once") {
  TcpServer server(with_token());
  constexpr int kClients = 64;
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kClients; ++i) {
    threads.emplace_back([&] {
      TcpClient client(client_of(server));
      for (int n = 0; n < 10; ++n) client.add("count", 1);
      if (client.add("here", 1) == kClients) client.set("all", "yes");
      const bool met = client.get("all", kSoon) == "yes" && client.add("count", 0) == kClients * 10;
      right += met ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == kClients);
}

TEST_CASE("waiters hear of keys however they come") {
  TcpServer server(with_token());
  TcpClient setter(client_of(server));
  const auto meet = [&](const Keys& keys, const auto& come) {
    bool heard = false;
    std::thread waiter([&] {
      TcpClient client(client_of(server));
      client.set("ready", "");
      client.wait(keys, kSoon);
      heard = true;
    });
    setter.wait({"ready"}, kSoon);
    setter.delete_key("ready");
    come();
    waiter.join();
    CHECK(heard);
  };
  meet({"set"}, [&] { setter.set("set", ""); });
  meet({"add", "set", "add"}, [&] { setter.add("add", 1); });
  meet({"append"}, [&] { setter.append("append", "x"); });
  meet({"compared"}, [&] { setter.compare_set("compared", "", "x"); });
  meet({"x", "y"}, [&] { setter.multi_set({"x", "y"}, {"1", "2"}); });
}

TEST_CASE("a key's generation is read off its front") {
  CHECK(generation_of("gen/12/a") == 12);
  CHECK(generation_of("/gen/0/a/b") == 0);
  CHECK(generation_of(generation_key(3, "rank")) == 3);
  for (const char* key : {"", "gen/", "gen/1", "gen//a", "gen/x/a", "generation/1/a", "gen/99999999999999999999/a"})
    CHECK_FALSE(generation_of(key));
}

TEST_CASE("tokens are 256 bits in hexadecimal, and proofs are HMAC-SHA256") {
  const std::string token = make_token();
  CHECK(token.size() == 64);
  CHECK(token.find_first_not_of("0123456789abcdef") == token.npos);
  CHECK(token != make_token());
  // Test case 2 of RFC 4231, whose text is split here between nonce and role.
  std::string hex;
  for (const char byte : proof("Jefe", "what do ya want ", "for nothing?")) {
    for (const int shift : {4, 0}) hex += "0123456789abcdef"[static_cast<unsigned char>(byte) >> shift & 15];
  }
  CHECK(hex == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  CHECK(same_proof("ab", "ab"));
  CHECK_FALSE(same_proof("ab", "ac"));
  CHECK_FALSE(same_proof("ab", "abc"));
}
