// Meeting at a folder or at a store.
#include "rendezvous/meeting.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <string_view>
#include <thread>

#include "rendezvous/address.h"
#include "rendezvous/tcp_client.h"
#include "rendezvous/tcp_server.h"

namespace strata::rendezvous {
namespace {

using Milliseconds = std::chrono::milliseconds;

/// A file for each key.
class Folder final : public Meeting {
 public:
  explicit Folder(std::string path) : path_(std::move(path)) {}
  void set(const std::string& key, const std::string& value) override {
    const std::string file = file_of(key), draft = write_draft(file, value);
    // Nobody sees a part of a value: the name is there once the file is whole.
    if (std::rename(draft.c_str(), file.c_str()) != 0) throw StoreError("store: cannot write " + file);
  }
  std::string get(const std::string& key, Milliseconds timeout) override {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (!check(key)) {  // folders of other machines tell nobody that they have changed
      if (std::chrono::steady_clock::now() > deadline)
        throw StoreError("store: " + file_of(key) + " did not come within " + std::to_string(timeout.count()) + " ms");
      std::this_thread::sleep_for(Milliseconds(5));
    }
    std::ifstream in(file_of(key), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  bool check(const std::string& key) override { return std::filesystem::exists(file_of(key)); }
  std::string put_first(const std::string& key, const std::string& value) override {
    const std::string file = file_of(key), draft = write_draft(file, value);
    const bool is_first = link(draft.c_str(), file.c_str()) == 0;
    unlink(draft.c_str());
    if (!is_first && !check(key)) throw StoreError("store: cannot write " + file);
    return is_first ? value : get(key, Milliseconds(0));
  }
  void remove(const std::string& key) override { unlink(file_of(key).c_str()); }

 private:
  /// Ranks may be threads of one process, or have the same number on two machines.
  static std::string write_draft(const std::string& file, const std::string& value) {
    static const unsigned mark = std::random_device()();
    static std::atomic<int> count{0};
    std::string draft = file + "." + std::to_string(mark) + "." + std::to_string(count++);
    std::ofstream out(draft, std::ios::binary);
    out << value;
    out.close();
    if (!out) throw StoreError("store: cannot write " + draft);
    return draft;
  }
  std::string file_of(std::string key) const {
    for (char& c : key)
      if (c == '/') c = '_';
    return path_ + "/" + key;
  }
  const std::string path_;
};

class SharedMeeting final : public Meeting {
 public:
  SharedMeeting(const std::string& host, uint16_t port, bool opens, const MeetingOptions& o)
      : server_(opens ? open(host, port, o.token) : nullptr),
        client_({.host = host,
                 .port = port,
                 .token = o.token,
                 .connect_timeout = o.timeout,
                 .query_timeout = o.query_timeout > Milliseconds(0) ? o.query_timeout : o.timeout,
                 .waits_for_start = !o.is_open && !o.store.starts_with("generation://")}) {}
  void set(const std::string& key, const std::string& value) override { client_.set(key, value); }
  std::string get(const std::string& key, Milliseconds timeout) override { return client_.get(key, timeout); }
  bool check(const std::string& key) override { return client_.check({key}); }
  std::string put_first(const std::string& key, const std::string& value) override {
    return client_.compare_set(key, "", value);
  }
  void remove(const std::string& key) override { client_.delete_key(key); }
  bool is_host() const override { return server_ != nullptr; }

 private:
  static std::unique_ptr<TcpServer> open(const std::string& host, uint16_t port, const std::string& token) {
    return std::make_unique<TcpServer>(
        ServerOptions{.host = listening_host(host), .port = port, .token = token, .plain = token.empty()});
  }
  const std::unique_ptr<TcpServer> server_;
  TcpClient client_;
};

/// What stands behind the prefix.
std::optional<std::string> behind(const std::string& text, std::string_view prefix) {
  return text.starts_with(prefix) ? std::optional(text.substr(prefix.size())) : std::nullopt;
}

}  // namespace

std::unique_ptr<Meeting> meet(const MeetingOptions& o) {
  if (const auto path = behind(o.store, "file://")) return std::make_unique<Folder>(*path);
  const auto own = behind(o.store, "tcp://"), agent = behind(o.store, "agent://");
  const auto place = own ? own : agent ? agent : behind(o.store, "generation://");
  if (!place) throw StoreError("the store " + o.store + " is none of file://, tcp:// and agent://");
  const auto [host, port] = split_host_and_port(*place);
  return std::make_unique<SharedMeeting>(host, port, own && o.rank == 0, o);
}

}  // namespace strata::rendezvous
