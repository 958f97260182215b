// The store's side of the protocol, on libuv's loop.
#include "rendezvous/server.h"

#include <netinet/in.h>
#include <uv.h>

#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rendezvous/client.h"
#include "rendezvous/protocol.h"

namespace strata::rendezvous {
namespace {

constexpr uint64_t kHandshakeMilliseconds = 5000;
constexpr size_t kMostUnread = size_t{256} << 20;  // answers that a client does not take
constexpr size_t kMostConnections = 65536;

/// What a client sends that is no query: its connection is closed.
struct Malformed {};

/// Takes queries apart. `more` becomes true where the end has not come yet.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}
  bool more() const { return more_; }
  size_t position() const { return at_; }
  template <class T>
  T number() {
    T value{};
    if (has(sizeof(T))) {
      std::memcpy(&value, text_.data() + at_, sizeof(T));
      at_ += sizeof(T);
    }
    return value;
  }
  std::string string(uint64_t longest) {
    const auto size = number<uint64_t>();
    if (size > longest) throw Malformed();
    if (!has(size)) return {};
    at_ += size;
    return std::string(text_.substr(at_ - size, size));
  }
  std::string key() { return string(kLongestKey); }
  std::string value() { return string(kLongestValue); }
  uint64_t count() {
    const auto n = number<uint64_t>();
    if (n > kMostKeys) throw Malformed();
    return n;
  }
  std::vector<std::string> keys() {
    std::vector<std::string> all;
    for (uint64_t n = count(); n > 0 && !more_; --n) all.push_back(key());
    return all;
  }

 private:
  bool has(uint64_t size) {
    more_ |= text_.size() - at_ < size;
    return !more_;
  }
  std::string_view text_;
  size_t at_ = 0;
  bool more_ = false;
};

}  // namespace

struct Server::Impl {
  struct Connection {
    Impl* server;
    uv_tcp_t socket;
    uv_timer_t timer;  ///< until the handshake is over
    std::string input, nonce;
    std::vector<std::string> awaited;  ///< keys of a wait that is not answered
    bool is_trusted = false, is_closing = false;
    int open_handles = 2;
    std::list<Connection>::iterator self;
  };
  struct Write {
    uv_write_t request;
    std::string data;
  };

  explicit Impl(const ServerOptions& options) : token(options.token) {
    uv_loop_init(&loop);
    uv_async_init(&loop, &stop, [](uv_async_t* a) { static_cast<Impl*>(a->data)->close_all(); });
    uv_tcp_init(&loop, &listener);
    stop.data = listener.data = loop.data = this;
    if (const int error = listen(options)) {
      close_all();
      uv_run(&loop, UV_RUN_DEFAULT);
      uv_loop_close(&loop);
      throw StoreError("store: cannot listen at " + options.address + ":" + std::to_string(options.port) + ": " +
                       uv_strerror(error));
    }
    thread = std::thread([this] {
      uv_run(&loop, UV_RUN_DEFAULT);
      uv_loop_close(&loop);
    });
  }
  ~Impl() {
    uv_async_send(&stop);
    thread.join();
  }

  int listen(const ServerOptions& options) {
    sockaddr_storage address = {};
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (uv_ip4_addr(options.address.c_str(), options.port, reinterpret_cast<sockaddr_in*>(generic)) != 0) {
      const int error = uv_ip6_addr(options.address.c_str(), options.port, reinterpret_cast<sockaddr_in6*>(generic));
      if (error) return error;
    }
    if (const int error = uv_tcp_bind(&listener, generic, 0)) return error;
    const auto came = [](uv_stream_t* s, int status) {
      if (status == 0) static_cast<Impl*>(s->data)->accept();
    };
    if (const int error = uv_listen(reinterpret_cast<uv_stream_t*>(&listener), 1024, came)) return error;
    int size = sizeof address;
    if (const int error = uv_tcp_getsockname(&listener, generic, &size)) return error;
    // The port is at the same place in both kinds of addresses.
    port = ntohs(reinterpret_cast<sockaddr_in*>(generic)->sin_port);
    return 0;
  }

  void close_all() {
    for (Connection& c : connections) close(c);
    for (uv_handle_t* h : {reinterpret_cast<uv_handle_t*>(&stop), reinterpret_cast<uv_handle_t*>(&listener)})
      if (!uv_is_closing(h)) uv_close(h, nullptr);
  }

  void close(Connection& c) {
    if (std::exchange(c.is_closing, true)) return;
    forget(c);
    const auto closed = [](uv_handle_t* h) {
      auto* const c = static_cast<Connection*>(h->data);
      if (--c->open_handles == 0) c->server->connections.erase(c->self);
    };
    uv_close(reinterpret_cast<uv_handle_t*>(&c.socket), closed);
    uv_close(reinterpret_cast<uv_handle_t*>(&c.timer), closed);
  }

  // ---- Connections --------------------------------------------------------------------------------------------------

  void accept() {
    Connection& c = connections.emplace_back();
    c.self = std::prev(connections.end());
    c.server = this;
    uv_tcp_init(&loop, &c.socket);
    uv_timer_init(&loop, &c.timer);
    c.socket.data = c.timer.data = &c;
    if (uv_accept(reinterpret_cast<uv_stream_t*>(&listener), stream(c)) != 0 || connections.size() > kMostConnections)
      return close(c);
    uv_tcp_nodelay(&c.socket, 1);
    if (token.empty()) {
      c.is_trusted = true;
    } else {
      c.nonce = random_bytes(kNonce);
      answer(c, c.nonce);
      const auto late = [](uv_timer_t* t) {
        auto* const c = static_cast<Connection*>(t->data);
        c->server->close(*c);
      };
      uv_timer_start(&c.timer, late, kHandshakeMilliseconds, 0);
    }
    const auto room = [](uv_handle_t* h, size_t, uv_buf_t* buffer) {
      Impl& server = *static_cast<Connection*>(h->data)->server;
      *buffer = uv_buf_init(server.room, sizeof server.room);
    };
    const auto read = [](uv_stream_t* s, ssize_t count, const uv_buf_t* buffer) {
      Connection& c = *static_cast<Connection*>(s->data);
      if (count < 0) return c.server->close(c);
      c.input.append(buffer->base, static_cast<size_t>(count));
      c.server->take(c);
    };
    uv_read_start(stream(c), room, read);
  }

  static uv_stream_t* stream(Connection& c) { return reinterpret_cast<uv_stream_t*>(&c.socket); }

  void answer(Connection& c, std::string data) {
    if (c.is_closing) return;
    if (uv_stream_get_write_queue_size(stream(c)) > kMostUnread) return close(c);
    auto* const write = new Write{{}, std::move(data)};
    write->request.data = write;
    const uv_buf_t buffer = uv_buf_init(write->data.data(), static_cast<unsigned>(write->data.size()));
    const auto done = [](uv_write_t* w, int) { delete static_cast<Write*>(w->data); };
    if (uv_write(&write->request, stream(c), &buffer, 1, done) != 0) {
      delete write;
      close(c);
    }
  }

  /// Answers all queries of which the end has come.
  void take(Connection& c) {
    try {
      if (!c.is_trusted && !shake_hands(c)) return;
      size_t done = 0;
      while (!c.is_closing && done < c.input.size()) {
        Cursor query(std::string_view(c.input).substr(done));
        if (!run(c, query)) break;
        done += query.position();
      }
      c.input.erase(0, done);
    } catch (const Malformed&) {
      close(c);
    }
  }

  bool shake_hands(Connection& c) {
    if (c.input.size() < kNonce + kProof) return false;
    const std::string nonce = c.input.substr(0, kNonce), shown = c.input.substr(kNonce, kProof);
    if (!equal_in_constant_time(shown, proof(token, c.nonce, "client"))) throw Malformed();
    c.input.erase(0, kNonce + kProof);
    c.is_trusted = true;
    uv_timer_stop(&c.timer);
    answer(c, proof(token, nonce, "server"));
    return true;
  }

  // ---- Queries ------------------------------------------------------------------------------------------------------

  /// False where the end of the query has not come; nothing is changed then.
  bool run(Connection& c, Cursor& q) {
    switch (static_cast<Query>(q.number<uint8_t>())) {
      case Query::kValidate: {
        const auto magic = q.number<uint32_t>();
        if (!q.more() && magic != kMagic) throw Malformed();
        return !q.more();
      }
      case Query::kPing:
        return reply(c, q, [nonce = q.number<uint32_t>()] { return bytes_of(nonce); });
      case Query::kSet: {
        std::string key = q.key(), value = q.value();
        if (!q.more()) set(key, std::move(value));
        return !q.more();
      }
      case Query::kAppend: {
        std::string key = q.key(), value = q.value();
        if (!q.more()) set(key, values[key] + value);
        return !q.more();
      }
      case Query::kCompareSet: {
        std::string key = q.key(), expected = q.value(), desired = q.value();
        return reply(c, q, [&] { return text(compare_set(key, expected, desired)); });
      }
      case Query::kGet: {
        const std::string key = q.key();
        return reply(c, q, [&] { return text(find(key)); });
      }
      case Query::kAdd: {
        const std::string key = q.key();
        const auto amount = q.number<int64_t>();
        return reply(c, q, [&] { return bytes_of(add(key, amount)); });
      }
      case Query::kCheck: {
        const auto keys = q.keys();
        return reply(c, q, [&] { return bytes_of(uint8_t{!has_all(keys)}); });
      }
      case Query::kWait: {
        auto keys = q.keys();
        if (!q.more()) wait(c, std::move(keys));
        return !q.more();
      }
      case Query::kCancelWait:
        forget(c);
        return reply(c, q, [] { return bytes_of(uint8_t{1}); });
      case Query::kGetNumKeys:
        return reply(c, q, [&] { return bytes_of(static_cast<int64_t>(values.size())); });
      case Query::kDeleteKey: {
        const std::string key = q.key();
        return reply(c, q, [&] { return bytes_of(static_cast<int64_t>(values.erase(key))); });
      }
      case Query::kMultiGet: {
        const auto keys = q.keys();
        return reply(c, q, [&] {
          std::string all;
          for (const std::string& key : keys) all += text(find(key));
          return all;
        });
      }
      case Query::kMultiSet:
        return multi_set(q);
    }
    throw Malformed();
  }

  template <class F>
  bool reply(Connection& c, const Cursor& q, F&& make) {
    if (!q.more()) answer(c, make());
    return !q.more();
  }

  bool multi_set(Cursor& q) {
    std::vector<std::pair<std::string, std::string>> all;
    for (uint64_t n = q.count(); n > 0 && !q.more(); --n) {
      std::string key = q.key(), value = q.value();
      all.emplace_back(std::move(key), std::move(value));
    }
    if (q.more()) return false;
    for (auto& [key, value] : all) set(key, std::move(value));
    return true;
  }

  const std::string& find(const std::string& key) const {
    const auto found = values.find(key);
    if (found == values.end()) throw Malformed();  // clients wait for a key before they get it
    return found->second;
  }
  bool has_all(const std::vector<std::string>& keys) const {
    for (const std::string& key : keys)
      if (!values.contains(key)) return false;
    return true;
  }

  void set(const std::string& key, std::string value) {
    if (value.size() > kLongestValue) throw Malformed();
    values[key] = std::move(value);
    const auto [begin, end] = waiters.equal_range(key);
    std::vector<Connection*> ready;
    for (auto w = begin; w != end; ++w) ready.push_back(w->second);
    for (Connection* c : ready)
      if (!c->awaited.empty() && has_all(c->awaited)) stop_waiting(*c);
  }

  /// The number that a key holds as text, as TCPStore keeps it.
  int64_t add(const std::string& key, int64_t amount) {
    const auto found = values.find(key);
    int64_t sum = amount;
    if (found != values.end()) {
      char* end = nullptr;
      sum = static_cast<int64_t>(static_cast<uint64_t>(std::strtoll(found->second.c_str(), &end, 10)) +
                                 static_cast<uint64_t>(amount));
      if (*end != '\0' || found->second.empty()) throw Malformed();
    }
    set(key, std::to_string(sum));
    return sum;
  }

  std::string compare_set(const std::string& key, const std::string& expected, const std::string& desired) {
    const auto found = values.find(key);
    if (found == values.end() ? !expected.empty() : found->second != expected)
      return found == values.end() ? expected : found->second;
    set(key, desired);
    return desired;
  }

  // ---- Waiting ------------------------------------------------------------------------------------------------------

  void wait(Connection& c, std::vector<std::string> keys) {
    if (!c.awaited.empty()) throw Malformed();  // a client waits for one thing at a time
    if (has_all(keys)) return answer(c, bytes_of(uint8_t{0}));
    c.awaited = std::move(keys);
    for (const std::string& key : c.awaited) waiters.emplace(key, &c);
  }

  void stop_waiting(Connection& c) {
    forget(c);
    answer(c, bytes_of(uint8_t{0}));
  }

  void forget(Connection& c) {
    for (const std::string& key : c.awaited) {
      const auto [begin, end] = waiters.equal_range(key);
      for (auto w = begin; w != end;) w = w->second == &c ? waiters.erase(w) : std::next(w);
    }
    c.awaited.clear();
  }

  const std::string token;
  int port = 0;
  uv_loop_t loop;
  uv_async_t stop;
  uv_tcp_t listener;
  char room[1 << 16];
  std::list<Connection> connections;
  std::unordered_map<std::string, std::string> values;
  std::multimap<std::string, Connection*> waiters;
  std::thread thread;
};

Server::Server(const ServerOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Server::~Server() = default;
int Server::port() const { return impl_->port; }

}  // namespace strata::rendezvous
