// One client of the store's server: its handshake, its queries and the answers it has yet to read.
#pragma once

#include <uv.h>

#include <string>
#include <string_view>
#include <vector>

#include "rendezvous/handshake.h"
#include "rendezvous/key_table.h"
#include "rendezvous/protocol.h"
#include "rendezvous/tcp_server.h"

namespace strata::rendezvous {

class Connection;

/// What the connections of a server share.
struct Shared {
  explicit Shared(ServerOptions asked) : options(std::move(asked)), table(options.max_keys, options.max_bytes) {}
  virtual ~Shared() = default;

  /// The connection's handles are closed; it may be destroyed.
  virtual void on_closed(Connection& connection) = 0;

  /// Generations before this one are over.
  virtual int64_t fence() const = 0;

  const ServerOptions options;
  KeyTable table;
  char buffer[64 << 10];  // libuv hands on what it reads before it reads again, so one buffer serves all
};

/// Owned by the server, which destroys it when both handles are closed.
class Connection final : public Waiter {
 public:
  Connection(uv_loop_t* loop, Shared& shared);

  /// Takes the client that `listener` has ready and begins its handshake; closes where that fails.
  void accept(uv_stream_t* listener);

  /// Nothing is sent or parsed after this.
  void close();

  /// Tells the client, who waits for something that will not come; without a handshake only closing can say that.
  void fail(Status status, const std::string& text);

  bool is_waiting() const { return waiting_; }

  void on_keys() override;

 private:
  enum class State { kHandshake, kValidate, kQueries };

  template <class Fn>
  void guard(Fn fn);
  void on_read(ssize_t size);
  void take_queries();
  void take_proof(Parser& parser);
  void take_validation(Parser& parser);
  void take_query(Parser& parser);
  void take_set(Parser& parser);
  void take_compare_set(Parser& parser);
  void take_get(Parser& parser);
  void take_add(Parser& parser);
  void take_check(Parser& parser);
  void take_wait(Parser& parser);
  void take_delete(Parser& parser);
  void take_append(Parser& parser);
  void take_multi_get(Parser& parser);
  void take_multi_set(Parser& parser);
  void cancel_wait();

  std::string take_key(Parser& parser) const;
  std::vector<std::string> take_keys(Parser& parser) const;
  std::string_view take_value(Parser& parser) const;
  void check_fence(const std::string& key) const;
  void store(const std::string& key, std::string value);
  void acknowledge();
  std::string answer() const;
  void send(std::string text);
  void on_sent(int error);
  void begin_queries(bool with_status);

  Shared& shared_;
  uv_tcp_t socket_{};
  uv_timer_t timer_{};  // for the handshake
  int open_handles_ = 2;
  bool closing_ = false;
  bool paused_ = false;  // because it does not read its answers
  bool waiting_ = false;
  bool with_status_ = false;
  State state_;
  Nonce nonce_{};
  std::string input_;
};

}  // namespace strata::rendezvous
