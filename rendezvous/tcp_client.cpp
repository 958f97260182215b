// The client's side of the protocol: how it connects, asks and gives up.
#include "rendezvous/tcp_client.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>

#include "rendezvous/handshake.h"
#include "rendezvous/protocol.h"
#include "rendezvous/socket.h"

namespace strata::rendezvous {
namespace {

constexpr milliseconds kFirstPause{5};
constexpr milliseconds kLongestPause{500};
constexpr uint32_t kPing = 0x53545241;  // any number: the store sends it back
constexpr uint64_t kLongestAnswer = uint64_t{1} << 40;
constexpr uint64_t kLongestError = 64 << 10;

std::string quoted(const std::string& key) { return "\"" + key + "\""; }

std::string named(const std::vector<std::string>& keys) {
  if (keys.empty()) return "no key";
  return quoted(keys[0]) + (keys.size() > 1 ? " and " + std::to_string(keys.size() - 1) + " more" : "");
}

/// What the server says went wrong with a query; the connection can go on.
struct Refusal {
  Status status;
  std::string text;
};

void put_key(std::string& out, const std::string& key) {
  put<uint64_t>(out, key.size() + 1);
  out += kKeyPrefix;
  out += key;
}

std::string query(Query type) { return {static_cast<char>(type)}; }

std::string query(Query type, const std::string& key) {
  std::string out = query(type);
  put_key(out, key);
  return out;
}

std::string query(Query type, const std::vector<std::string>& keys) {
  std::string out = query(type);
  put<uint64_t>(out, keys.size());
  for (const std::string& key : keys) put_key(out, key);
  return out;
}

}  // namespace

class TcpClient::Connection {
 public:
  explicit Connection(ClientOptions options) : options_(std::move(options)) {
    // The first connection has its own timeout, because the store may be yet to start.
    guard("connecting", options_.connect_timeout, [](const Deadline&) {});
  }

  std::string address() const { return host_and_port(options_.host, options_.port); }

  std::string own_host() {
    return guard("its own address", options_.query_timeout, [&](const Deadline&) { return socket_.own_host(); });
  }

  /// Sends `text` and returns what `read(deadline)` makes of the answer; `what` is for messages.
  template <class Read>
  std::invoke_result_t<Read, const Deadline&> ask(const std::string& what, const std::string& text, Read read) {
    return guard(what, options_.query_timeout, [&](const Deadline& deadline) {
      socket_.send(text, deadline);
      return read(deadline);
    });
  }

  /// For queries that a plain store does not answer: the answer to a ping says there that it has heard them.
  void tell(const std::string& what, std::string text) {
    const bool is_plain = options_.token.empty();
    if (is_plain) put_ping(text);
    ask(what, text, [&](const Deadline& deadline) { is_plain ? check_ping(deadline) : check_status(deadline); });
  }

  /// Waits for `keys`, then sends `text`, if any, and returns what `read` makes of the answer.
  template <class Read>
  std::invoke_result_t<Read, const Deadline&> wait(const std::vector<std::string>& keys, milliseconds timeout,
                                                   const std::string& text, Read read) {
    return guard("waiting for " + named(keys), timeout, [&](const Deadline& deadline) {
      if (!keys.empty()) wait_for(keys, timeout, deadline);
      socket_.send(text, deadline);
      return read(deadline);
    });
  }

  template <class T>
  T receive(const Deadline& deadline) {
    check_status(deadline);
    return receive_number<T>(deadline);
  }

  std::string receive_bytes(const Deadline& deadline) {
    check_status(deadline);
    return receive_value(deadline, kLongestAnswer);
  }

  std::vector<std::string> receive_list(size_t count, const Deadline& deadline) {
    check_status(deadline);
    std::vector<std::string> values(count);
    for (std::string& value : values) value = receive_value(deadline, kLongestAnswer);
    return values;
  }

 private:
  /// Runs `fn(deadline)` on a connection that is ready for a query, and makes one line of what goes wrong.
  template <class Fn>
  std::invoke_result_t<Fn, const Deadline&> guard(const std::string& what, milliseconds timeout, Fn fn) {
    const std::lock_guard lock(mutex_);
    const Deadline deadline(timeout);
    const std::string prefix = "store " + address() + ": ";
    try {
      if (!socket_.is_open()) connect(timeout, deadline);
      settle(deadline);
      return fn(deadline);
    } catch (const SocketTimeout&) {
      socket_.close();
      throw StoreTimeout(prefix + "no answer for " + std::to_string(timeout.count()) + " ms, " + what);
    } catch (const SocketError& error) {
      socket_.close();
      throw StoreError(prefix + error.what() + ", " + what);
    } catch (const Refusal& refusal) {
      const std::string text = prefix + refusal.text + ", " + what;
      if (refusal.status == Status::kGenerationOver) throw GenerationOver(text);
      throw StoreError(text);
    } catch (const StoreTimeout&) {  // a key that did not come: the connection is whole
      throw;
    } catch (...) {
      socket_.close();
      throw;
    }
  }

  /// Nobody listens yet, or not yet at this address: tried again, ever more seldom, until the deadline.
  void connect(milliseconds timeout, const Deadline& deadline) {
    cancelling_ = false;
    milliseconds pause = kFirstPause;
    for (;;) {
      std::string why = try_addresses(resolve(options_.host, options_.port, deadline), deadline);
      if (why.empty()) break;
      if (!options_.waits_for_start && refused_) throw StoreGone("store " + address() + ": " + why);
      if (!options_.waits_for_start) throw SocketError(why);
      if (deadline.passed())
        throw StoreTimeout("store " + address() + ": not reached within " + std::to_string(timeout.count()) +
                           " ms: " + why);
      std::this_thread::sleep_for(std::min(pause, milliseconds(deadline.left())));
      pause = std::min(pause * 2, kLongestPause);
    }
    options_.token.empty() ? greet(deadline) : shake_hands(deadline);
    if (options_.identity) check_identity(deadline);
  }

  /// The first client of a store gives it a name.
  void check_identity(const Deadline& deadline) {
    std::string text = query(Query::kCompareSet, "strata/identity");
    put_bytes(text, "");
    put_bytes(text, make_token());
    socket_.send(text, deadline);
    const std::string name = receive_bytes(deadline);
    const std::lock_guard lock(options_.identity->mutex);
    if (options_.identity->name.empty()) options_.identity->name = name;
    if (options_.identity->name != name)
      throw StoreReplaced("store " + address() + ": it has begun anew, and knows nothing of what was there before");
  }

  /// Connects to the first that answers; otherwise says why the last did not. Each has its share of the time.
  std::string try_addresses(const std::vector<Address>& addresses, const Deadline& deadline) {
    std::string why = "no address";
    refused_ = !addresses.empty();
    for (size_t i = 0; i < addresses.size(); ++i) {
      const Deadline share(milliseconds(deadline.left() / static_cast<int>(addresses.size() - i)));
      try {
        socket_.connect(addresses[i], share);
        return "";
      } catch (const SocketTimeout&) {
        why = "no answer";
        refused_ = false;
      } catch (const SocketRefused& error) {
        why = error.what();
      } catch (const SocketError& error) {
        why = error.what();
        refused_ = false;
      }
      socket_.close();
    }
    return why;
  }

  void greet(const Deadline& deadline) {
    std::string text = query(Query::kValidate);
    put(text, kMagic);
    put_ping(text);
    socket_.send(text, deadline);
    check_ping(deadline);
  }

  static void put_ping(std::string& text) {
    text += query(Query::kPing);
    put(text, kPing);
  }

  void check_ping(const Deadline& deadline) {
    if (receive_number<uint32_t>(deadline) != kPing)
      throw SocketError("the answer to a ping is not one; does the store want a token?");
  }

  void shake_hands(const Deadline& deadline) {
    const Nonce nonce = make_nonce();
    const std::string_view own(nonce.data(), nonce.size());
    const std::string theirs = socket_.receive(kNonceSize, deadline);
    socket_.send(proof(options_.token, theirs, "client") + std::string(own), deadline);
    std::string answer;
    try {
      answer = socket_.receive(kProofSize, deadline);
    } catch (const SocketError&) {
      throw TokenRefused("store " + address() + ": refused this job's token; another job's store?");
    }
    if (!same_proof(answer, proof(options_.token, own, "server")))
      throw TokenRefused("store " + address() + ": whoever listens there does not hold this job's token");
  }

  void wait_for(const std::vector<std::string>& keys, milliseconds timeout, const Deadline& deadline) {
    socket_.send(query(Query::kWait, keys), deadline);
    std::string first;
    try {
      first = socket_.receive(1, deadline);
    } catch (const SocketTimeout&) {
      cancel(keys, timeout);
    }
    if (!options_.token.empty()) {
      check_status(first[0], deadline);
      first = socket_.receive(1, deadline);
    }
    if (first[0] != static_cast<char>(WaitAnswer::kStopWaiting)) throw SocketError("an answer that is none");
  }

  /// The answer to this is read before the next query, so that a store that does not answer costs no time now.
  [[noreturn]] void cancel(const std::vector<std::string>& keys, milliseconds timeout) {
    socket_.send(query(Query::kCancelWait), Deadline(milliseconds(0)));
    cancelling_ = true;
    throw StoreTimeout("store " + address() + ": " + named(keys) + " not set within " +
                       std::to_string(timeout.count()) + " ms");
  }

  /// Reads what is left of a wait that was given up: its answer, if it came, and that to the cancellation.
  void settle(const Deadline& deadline) {
    while (cancelling_) {
      try {
        cancelling_ = receive<WaitAnswer>(deadline) != WaitAnswer::kWaitCanceled;
      } catch (const Refusal&) {
      }
    }
  }

  void check_status(const Deadline& deadline) {
    if (!options_.token.empty()) check_status(socket_.receive(1, deadline)[0], deadline);
  }

  void check_status(char status, const Deadline& deadline) {
    if (status == static_cast<char>(Status::kOk)) return;
    throw Refusal{static_cast<Status>(status), receive_value(deadline, kLongestError)};
  }

  template <class T>
  T receive_number(const Deadline& deadline) {
    return Parser(socket_.receive(sizeof(T), deadline)).template take<T>();
  }

  std::string receive_value(const Deadline& deadline, uint64_t most) {
    const auto size = receive_number<uint64_t>(deadline);
    if (size > most) throw SocketError("an answer of " + std::to_string(size) + " bytes");
    return socket_.receive(size, deadline);
  }

  const ClientOptions options_;
  std::mutex mutex_;
  Socket socket_;
  bool refused_ = false;     // by all addresses, when it last tried to connect
  bool cancelling_ = false;  // a kCancelWait has been sent and its answer not been read
};

TcpClient::TcpClient(ClientOptions options) : connection_(std::make_unique<Connection>(std::move(options))) {}

TcpClient::~TcpClient() = default;

std::string TcpClient::address() const { return connection_->address(); }

std::string TcpClient::own_host() const { return connection_->own_host(); }

void TcpClient::set(const std::string& key, std::string_view value) {
  std::string text = query(Query::kSet, key);
  put_bytes(text, value);
  connection_->tell("setting " + quoted(key), text);
}

std::string TcpClient::get(const std::string& key, milliseconds timeout) {
  return connection_->wait({key}, timeout, query(Query::kGet, key),
                           [&](const Deadline& deadline) { return connection_->receive_bytes(deadline); });
}

int64_t TcpClient::add(const std::string& key, int64_t amount) {
  std::string text = query(Query::kAdd, key);
  put(text, amount);
  return connection_->ask("adding to " + quoted(key), text,
                          [&](const Deadline& deadline) { return connection_->receive<int64_t>(deadline); });
}

bool TcpClient::check(const std::vector<std::string>& keys) {
  if (keys.empty()) return true;
  return connection_->ask("looking for " + named(keys), query(Query::kCheck, keys), [&](const Deadline& deadline) {
    return connection_->receive<CheckAnswer>(deadline) == CheckAnswer::kReady;
  });
}

void TcpClient::wait(const std::vector<std::string>& keys, milliseconds timeout) {
  connection_->wait(keys, timeout, "", [](const Deadline&) {});
}

std::string TcpClient::compare_set(const std::string& key, std::string_view expected, std::string_view desired) {
  std::string text = query(Query::kCompareSet, key);
  put_bytes(text, expected);
  put_bytes(text, desired);
  return connection_->ask("comparing and setting " + quoted(key), text,
                          [&](const Deadline& deadline) { return connection_->receive_bytes(deadline); });
}

bool TcpClient::delete_key(const std::string& key) {
  return connection_->ask("deleting " + quoted(key), query(Query::kDeleteKey, key),
                          [&](const Deadline& deadline) { return connection_->receive<int64_t>(deadline) == 1; });
}

void TcpClient::append(const std::string& key, std::string_view value) {
  std::string text = query(Query::kAppend, key);
  put_bytes(text, value);
  connection_->tell("appending to " + quoted(key), text);
}

std::vector<std::string> TcpClient::multi_get(const std::vector<std::string>& keys, milliseconds timeout) {
  if (keys.empty()) return {};
  return connection_->wait(keys, timeout, query(Query::kMultiGet, keys),
                           [&](const Deadline& deadline) { return connection_->receive_list(keys.size(), deadline); });
}

void TcpClient::multi_set(const std::vector<std::string>& keys, const std::vector<std::string>& values) {
  if (keys.size() != values.size())
    throw StoreError("store " + address() + ": multi_set with " + std::to_string(keys.size()) + " keys and " +
                     std::to_string(values.size()) + " values");
  std::string text = query(Query::kMultiSet);
  put<uint64_t>(text, keys.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    put_key(text, keys[i]);
    put_bytes(text, values[i]);
  }
  connection_->tell("setting " + named(keys), text);
}

int64_t TcpClient::num_keys() {
  return connection_->ask("counting keys", query(Query::kNumKeys),
                          [&](const Deadline& deadline) { return connection_->receive<int64_t>(deadline); });
}

}  // namespace strata::rendezvous
