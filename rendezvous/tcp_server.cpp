// How the server listens, keeps its clients and ends.
#include "rendezvous/tcp_server.h"

#include <pthread.h>
#include <signal.h>
#include <uv.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>

#include "rendezvous/address.h"
#include "rendezvous/connection.h"

namespace strata::rendezvous {
namespace {

constexpr int kBacklog = 4096;
constexpr milliseconds kResolveTimeout{5'000};

void check(int error, const std::string& what) {
  if (error) throw StoreError(what + ": " + uv_strerror(error));
}

ServerOptions checked(ServerOptions options) {
  if (options.token.empty() && !options.plain)
    throw StoreError("a store's server needs a token, or to be told that it is plain");
  if (options.plain && !options.token.empty()) throw StoreError("a plain store's server asks for no token");
  return options;
}

}  // namespace

/// The handles' closing outlives the server in a loop that the caller runs, so this destroys itself when the last one
/// has closed and nobody owns it any more.
class TcpServer::Impl final : public Shared {
 public:
  explicit Impl(ServerOptions options) : Shared(checked(std::move(options))) {}

  /// Listens in `loop`; where that fails, the handles are left for the loop to close.
  void listen(uv_loop_t* loop) {
    loop_ = loop;
    check(uv_async_init(loop, &wake_, [](uv_async_t* wake) { of(wake).on_wake(); }), "a store's server");
    wake_.data = this;
    open_handles_ = 1;
    check(uv_tcp_init(loop, &listener_), "a store's server");
    listener_.data = this;
    open_handles_ = 2;
    const Address where = resolve(options.host, options.port, Deadline(kResolveTimeout)).at(0);
    const std::string what = "a store cannot listen at " + host_and_port(options.host, options.port);
    check(uv_tcp_bind(&listener_, where.get(), 0), what);
    const auto connected = [](uv_stream_t* stream, int error) {
      if (error) return;
      try {
        of(stream).on_connect();
      } catch (const std::exception&) {  // no memory for one more client: libuv is C, nothing may be thrown through it
      }
    };
    const int error = uv_listen(reinterpret_cast<uv_stream_t*>(&listener_), kBacklog, connected);
    check(error, what + (error == UV_EADDRINUSE ? " (another job's? port 0 takes a free one)" : ""));
    Address bound;
    int size = sizeof bound.storage;
    check(uv_tcp_getsockname(&listener_, reinterpret_cast<sockaddr*>(&bound.storage), &size), what);
    port_ = port_of(bound);
  }

  /// The thread takes no signals: they are the program's own threads' matter, and SIGPIPE, which libuv does not avoid,
  /// must not end it.
  void start_thread() {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const auto restore = [&](sigset_t* mask) { pthread_sigmask(SIG_SETMASK, mask, nullptr); };
    const std::unique_ptr<sigset_t, decltype(restore)> restored(&before, restore);
    thread_ = std::thread([this] { uv_run(loop_, UV_RUN_DEFAULT); });
  }

  uint16_t port() const { return port_; }
  bool has_thread() const { return thread_.joinable(); }

  void raise_fence(int64_t generation) {
    int64_t now = fence_.load();
    while (now < generation && !fence_.compare_exchange_weak(now, generation)) {
    }
    const std::lock_guard lock(wake_mutex_);
    if (!closing_) uv_async_send(&wake_);
  }

  int64_t fence() const override { return fence_.load(); }

  /// Ends the thread, or closes right away what the caller's loop runs.
  void stop() {
    if (!has_thread()) return close_all();
    stopping_ = true;
    uv_async_send(&wake_);
    thread_.join();
  }

  void close_all() {
    {
      const std::lock_guard lock(wake_mutex_);
      if (std::exchange(closing_, true)) return;
    }
    for (const auto& entry : connections_) {
      if (entry.first->is_waiting()) entry.first->fail(Status::kFailed, "the store has stopped");
      entry.first->close();
    }
    const auto closed = [](uv_handle_t* handle) { of(handle).on_handle_closed(); };
    if (open_handles_ > 0) uv_close(reinterpret_cast<uv_handle_t*>(&wake_), closed);
    if (open_handles_ > 1) uv_close(reinterpret_cast<uv_handle_t*>(&listener_), closed);
  }

  /// Nobody owns this any more.
  void abandon() {
    close_all();
    abandoned_ = true;
    destroy_if_done();
  }

  /// Where the server has a thread of its own; not moved once it is there.
  std::optional<uv_loop_t> own_loop;

 private:
  static Impl& of(const void* handle) {
    return *static_cast<Impl*>(uv_handle_get_data(static_cast<const uv_handle_t*>(handle)));
  }

  void on_connect() {
    auto connection = std::make_unique<Connection>(loop_, *this);
    Connection* const client = connection.get();
    connections_.emplace(client, std::move(connection));
    client->accept(reinterpret_cast<uv_stream_t*>(&listener_));
    if (connections_.size() > options.max_connections) client->close();
  }

  void on_wake() {
    if (stopping_) return close_all();
    const std::string text = "generations before " + std::to_string(fence()) + " are over";
    for (Waiter* waiter : table.fence(fence())) static_cast<Connection*>(waiter)->fail(Status::kGenerationOver, text);
  }

  void on_closed(Connection& connection) override {
    connections_.erase(&connection);
    destroy_if_done();
  }

  void on_handle_closed() {
    --open_handles_;
    destroy_if_done();
  }

  void destroy_if_done() {
    if (abandoned_ && open_handles_ == 0 && connections_.empty()) delete this;
  }

  uv_loop_t* loop_ = nullptr;
  uv_tcp_t listener_{};
  uv_async_t wake_{};
  int open_handles_ = 0;
  uint16_t port_ = 0;
  std::unordered_map<Connection*, std::unique_ptr<Connection>> connections_;
  std::atomic<int64_t> fence_{0};
  std::atomic<bool> stopping_{false};
  std::mutex wake_mutex_;  // a fence may be raised from any thread, but not once its handle is closing
  bool closing_ = false;
  bool abandoned_ = false;
  std::thread thread_;
};

TcpServer::TcpServer(ServerOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {
  uv_loop_t* const loop = &impl_->own_loop.emplace();
  check(uv_loop_init(loop), "a store's server");
  try {
    impl_->listen(loop);
    impl_->start_thread();
  } catch (...) {
    impl_->close_all();
    uv_run(loop, UV_RUN_DEFAULT);
    uv_loop_close(loop);
    throw;
  }
}

TcpServer::TcpServer(ServerOptions options, uv_loop_s* loop) : impl_(std::make_unique<Impl>(std::move(options))) {
  try {
    impl_->listen(loop);
  } catch (...) {
    impl_.release()->abandon();
    throw;
  }
}

TcpServer::~TcpServer() {
  stop();
  if (impl_->own_loop)
    uv_loop_close(&*impl_->own_loop);
  else
    impl_.release()->abandon();
}

uint16_t TcpServer::port() const { return impl_->port(); }

std::string TcpServer::address() const { return host_and_port(impl_->options.host, impl_->port()); }

void TcpServer::fence(int64_t generation) { impl_->raise_fence(generation); }

void TcpServer::stop() { impl_->stop(); }

}  // namespace strata::rendezvous
