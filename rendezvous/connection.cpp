// How a connection's bytes become queries and the table's values answers.
#include "rendezvous/connection.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

namespace strata::rendezvous {
namespace {

constexpr size_t kMostUnsent = 1 << 20;         // bytes; a client with more of them to read is not listened to
constexpr size_t kMostBesidesValues = 1 << 20;  // bytes of keys and lengths in a query, beside two values
constexpr unsigned kKeepAlive = 30;             // seconds until a silent client's machine is asked whether it is there

/// A query that the server will not carry out.
struct Failure {
  Status status;
  std::string text;
};

struct Write {
  uv_write_t request{};
  std::string text;
};

template <class T>
uv_handle_t* handle(T& of) {
  return reinterpret_cast<uv_handle_t*>(&of);
}

Connection& owner(const void* handle) {
  return *static_cast<Connection*>(uv_handle_get_data(static_cast<const uv_handle_t*>(handle)));
}

uv_buf_t buffer_of(std::string& text, size_t from = 0) {
  return uv_buf_init(text.data() + from, static_cast<unsigned>(text.size() - from));
}

int64_t parse_number(const std::string& key, const std::string& text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    throw Failure{Status::kFailed, "\"" + key + "\" does not hold a number"};
  return number;
}

}  // namespace

Connection::Connection(uv_loop_t* loop, Shared& shared)
    : shared_(shared), state_(shared.options.plain ? State::kValidate : State::kHandshake) {
  uv_tcp_init(loop, &socket_);
  uv_timer_init(loop, &timer_);
  socket_.data = timer_.data = this;
}

/// libuv is C, so nothing may be thrown through its callbacks: what a query has thrown ends its sender's connection.
template <class Fn>
void Connection::guard(Fn fn) {
  try {
    fn();
  } catch (const std::exception&) {
    close();
  }
}

void Connection::accept(uv_stream_t* listener) {
  uv_timer_start(
      &timer_, [](uv_timer_t* timer) { owner(timer).close(); },
      static_cast<uint64_t>(shared_.options.handshake_timeout.count()), 0);
  auto* stream = reinterpret_cast<uv_stream_t*>(&socket_);
  if (uv_accept(listener, stream) != 0) return close();
  uv_tcp_nodelay(&socket_, 1);
  uv_tcp_keepalive(&socket_, 1, kKeepAlive);
  guard([&] {
    if (state_ == State::kHandshake) {
      nonce_ = make_nonce();
      send(std::string(nonce_.data(), nonce_.size()));
    }
    on_sent(0);
  });
}

void Connection::close() {
  if (std::exchange(closing_, true)) return;
  shared_.table.leave(*this);
  waiting_ = false;
  const auto closed = [](uv_handle_t* handle) {
    Connection& connection = owner(handle);
    if (--connection.open_handles_ == 0) connection.shared_.on_closed(connection);
  };
  uv_close(handle(socket_), closed);
  uv_close(handle(timer_), closed);
}

void Connection::on_read(ssize_t size) {
  if (size < 0) return close();
  guard([&] {
    input_.append(shared_.buffer, static_cast<size_t>(size));
    if (state_ == State::kHandshake && input_.size() > kProofSize + kNonceSize) return close();
    take_queries();
  });
}

/// Carries out the whole queries that have come, unless their sender does not read the answers.
void Connection::take_queries() {
  size_t taken = 0;
  try {
    while (!closing_ && !paused_ && taken < input_.size()) {
      Parser parser(std::string_view(input_).substr(taken));
      switch (state_) {
        case State::kHandshake:
          take_proof(parser);
          break;
        case State::kValidate:
          take_validation(parser);
          break;
        case State::kQueries:
          take_query(parser);
      }
      taken += parser.taken();
    }
  } catch (const Incomplete&) {
  }
  if (closing_) return;
  input_.erase(0, taken);
  if (input_.empty()) input_.shrink_to_fit();
  if (input_.size() > 2 * shared_.options.max_value + kMostBesidesValues) close();
}

void Connection::take_proof(Parser& parser) {
  const std::string_view theirs = parser.take_raw(kProofSize);
  const std::string_view nonce = parser.take_raw(kNonceSize);
  const std::string& token = shared_.options.token;
  if (!same_proof(theirs, proof(token, {nonce_.data(), nonce_.size()}, "client"))) return close();
  begin_queries(true);
  send(proof(token, nonce, "server"));
}

void Connection::take_validation(Parser& parser) {
  if (parser.take<Query>() != Query::kValidate || parser.take<uint32_t>() != kMagic)
    throw ProtocolError("no client of a store");
  begin_queries(false);
}

void Connection::begin_queries(bool with_status) {
  state_ = State::kQueries;
  with_status_ = with_status;
  uv_timer_stop(&timer_);
}

void Connection::take_query(Parser& parser) {
  try {
    switch (parser.take<Query>()) {
      case Query::kSet:
        return take_set(parser);
      case Query::kCompareSet:
        return take_compare_set(parser);
      case Query::kGet:
        return take_get(parser);
      case Query::kAdd:
        return take_add(parser);
      case Query::kCheck:
        return take_check(parser);
      case Query::kWait:
        return take_wait(parser);
      case Query::kNumKeys: {
        std::string text = answer();
        put(text, static_cast<int64_t>(shared_.table.size()));
        return send(std::move(text));
      }
      case Query::kDeleteKey:
        return take_delete(parser);
      case Query::kAppend:
        return take_append(parser);
      case Query::kMultiGet:
        return take_multi_get(parser);
      case Query::kMultiSet:
        return take_multi_set(parser);
      case Query::kCancelWait:
        return cancel_wait();
      case Query::kPing: {
        std::string text = answer();
        put(text, parser.take<uint32_t>());
        return send(std::move(text));
      }
      default:
        throw ProtocolError("no query");
    }
  } catch (const Failure& failure) {
    fail(failure.status, failure.text);
  }
}

void Connection::take_set(Parser& parser) {
  const std::string key = take_key(parser);
  const std::string_view value = take_value(parser);
  check_fence(key);
  store(key, std::string(value));
  acknowledge();
}

void Connection::take_compare_set(Parser& parser) {
  const std::string key = take_key(parser);
  const std::string_view expected = take_value(parser);
  const std::string_view desired = take_value(parser);
  check_fence(key);
  const std::string* held = shared_.table.find(key);
  std::string text = answer();
  if (held ? *held == expected : expected.empty()) {
    store(key, std::string(desired));
    put_bytes(text, desired);
  } else {
    put_bytes(text, held ? std::string_view(*held) : expected);
  }
  send(std::move(text));
}

void Connection::take_get(Parser& parser) {
  const std::string key = take_key(parser);
  check_fence(key);
  const std::string* value = shared_.table.find(key);
  if (!value) throw Failure{Status::kFailed, "\"" + key + "\" is not there"};
  std::string text = answer();
  put_bytes(text, *value);
  send(std::move(text));
}

void Connection::take_add(Parser& parser) {
  const std::string key = take_key(parser);
  const auto amount = parser.take<int64_t>();
  check_fence(key);
  const std::string* held = shared_.table.find(key);
  int64_t sum = held ? parse_number(key, *held) : 0;
  if (__builtin_add_overflow(sum, amount, &sum))
    throw Failure{Status::kFailed, "\"" + key + "\" would no longer fit into 64 bits"};
  store(key, std::to_string(sum));
  std::string text = answer();
  put(text, sum);
  send(std::move(text));
}

void Connection::take_check(Parser& parser) {
  bool all = true;
  for (const std::string& key : take_keys(parser)) {
    check_fence(key);
    all = all && shared_.table.has(key);
  }
  std::string text = answer();
  put(text, all ? CheckAnswer::kReady : CheckAnswer::kNotReady);
  send(std::move(text));
}

void Connection::take_wait(Parser& parser) {
  const std::vector<std::string> keys = take_keys(parser);
  if (waiting_) throw ProtocolError("two waits at once");
  for (const std::string& key : keys) check_fence(key);
  waiting_ = true;
  if (shared_.table.wait(*this, keys)) on_keys();
}

void Connection::take_delete(Parser& parser) {
  const std::string key = take_key(parser);
  check_fence(key);
  std::string text = answer();
  put<int64_t>(text, shared_.table.remove(key) ? 1 : 0);
  send(std::move(text));
}

void Connection::take_append(Parser& parser) {
  const std::string key = take_key(parser);
  const std::string_view value = take_value(parser);
  check_fence(key);
  const std::string* held = shared_.table.find(key);
  if (held && held->size() + value.size() > shared_.options.max_value)
    throw Failure{Status::kFailed, "\"" + key + "\" would become longer than a value may be"};
  store(key, (held ? *held : std::string()) + std::string(value));
  acknowledge();
}

/// The answer to one query may be no longer than twice the longest value, or a small question would cost much memory.
void Connection::take_multi_get(Parser& parser) {
  std::string text = answer();
  for (const std::string& key : take_keys(parser)) {
    check_fence(key);
    const std::string* value = shared_.table.find(key);
    if (!value) throw Failure{Status::kFailed, "\"" + key + "\" is not there"};
    put_bytes(text, *value);
    if (text.size() > 2 * shared_.options.max_value + sizeof(uint64_t))
      throw Failure{Status::kFailed, "the values are too long for one answer"};
  }
  send(std::move(text));
}

void Connection::take_multi_set(Parser& parser) {
  std::vector<std::pair<std::string, std::string_view>> entries(parser.take_length(kMostKeysInQuery));
  for (auto& [key, value] : entries) {
    key = take_key(parser);
    value = take_value(parser);
  }
  for (const auto& entry : entries) check_fence(entry.first);
  for (const auto& [key, value] : entries) store(key, std::string(value));
  acknowledge();
}

void Connection::cancel_wait() {
  shared_.table.leave(*this);
  waiting_ = false;
  std::string text = answer();
  put(text, WaitAnswer::kWaitCanceled);
  send(std::move(text));
}

void Connection::on_keys() {
  waiting_ = false;
  guard([&] {  // it runs within the query of somebody else, whose connection it must not end
    std::string text = answer();
    put(text, WaitAnswer::kStopWaiting);
    send(std::move(text));
  });
}

void Connection::fail(Status status, const std::string& text) {
  waiting_ = false;
  if (!with_status_) return close();
  std::string out;
  put(out, status);
  put_bytes(out, text);
  send(std::move(out));
}

std::string Connection::take_key(Parser& parser) const {
  return std::string(parser.take_bytes(shared_.options.max_key));
}

/// The keys are looked for before room is made for them, so that a number alone costs no memory.
std::vector<std::string> Connection::take_keys(Parser& parser) const {
  std::vector<std::string> keys;
  for (uint64_t left = parser.take_length(kMostKeysInQuery); left > 0; --left) keys.push_back(take_key(parser));
  return keys;
}

std::string_view Connection::take_value(Parser& parser) const { return parser.take_bytes(shared_.options.max_value); }

void Connection::check_fence(const std::string& key) const {
  const auto generation = generation_of(key);
  if (generation && *generation < shared_.fence())
    throw Failure{Status::kGenerationOver, "generation " + std::to_string(*generation) + " is over, the job is at " +
                                               std::to_string(shared_.fence())};
}

void Connection::store(const std::string& key, std::string value) {
  if (!shared_.table.set(key, std::move(value)))
    throw Failure{Status::kFailed, "the store is full (" + std::to_string(shared_.table.size()) + " keys)"};
}

void Connection::acknowledge() {
  if (with_status_) send(answer());
}

/// How an answer begins.
std::string Connection::answer() const {
  return with_status_ ? std::string(1, static_cast<char>(Status::kOk)) : std::string();
}

void Connection::send(std::string text) {
  if (closing_) return;
  auto* stream = reinterpret_cast<uv_stream_t*>(&socket_);
  uv_buf_t bytes = buffer_of(text);
  const int sent = uv_try_write(stream, &bytes, 1);
  if (sent < 0 && sent != UV_EAGAIN) return close();
  if (sent == static_cast<int>(text.size())) return;
  auto write = std::make_unique<Write>();
  write->text = std::move(text);
  write->request.data = write.get();
  bytes = buffer_of(write->text, static_cast<size_t>(std::max(sent, 0)));
  const auto done = [](uv_write_t* request, int error) {
    const std::unique_ptr<Write> finished(static_cast<Write*>(request->data));
    Connection& connection = owner(request->handle);
    connection.guard([&] { connection.on_sent(error); });
  };
  if (uv_write(&write->request, stream, &bytes, 1, done) != 0) return close();
  write.release();  // `done` has it
  if (uv_stream_get_write_queue_size(stream) > kMostUnsent && !std::exchange(paused_, true)) uv_read_stop(stream);
}

/// Listens, at first and again when a slow client has read most of what was kept for it.
void Connection::on_sent(int error) {
  auto* stream = reinterpret_cast<uv_stream_t*>(&socket_);
  if (closing_) return;
  if (error) return close();
  if (uv_stream_get_write_queue_size(stream) > kMostUnsent / 2) return;
  if (std::exchange(paused_, false)) take_queries();
  if (closing_ || paused_) return;
  uv_read_start(
      stream,
      [](uv_handle_t* handle, size_t, uv_buf_t* buffer) {
        *buffer = uv_buf_init(owner(handle).shared_.buffer, sizeof Shared::buffer);
      },
      [](uv_stream_t* stream, ssize_t size, const uv_buf_t*) { owner(stream).on_read(size); });
}

}  // namespace strata::rendezvous
