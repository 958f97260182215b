// The rendezvous of several nodes: one of them, at first node 0, serves a store, and a thread on each node waits there
// for the others.
#include <fmt/format.h>
#include <signal.h>

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "launcher/participant.h"
#include "launcher/rendezvous_handler.h"
#include "launcher/worker_stores.h"
#include "rendezvous/address.h"
#include "rendezvous/tcp_server.h"

namespace strata::launcher {
namespace {

using namespace rendezvous;

/// A thread that gets no signals: they are the main thread's.
template <class Fn>
std::thread quiet_thread(Fn fn) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::move(fn));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

class SeveralNodes final : public RendezvousHandler {
 public:
  explicit SeveralNodes(const Options& options) : options_(options), succession_(options_) {}
  ~SeveralNodes() override { end_thread(); }

  void attach(Loop& loop, Ended ended) override {
    ended_ = std::move(ended);
    wakeup_.emplace(loop, [this] { deliver(); });
  }

  void next_rendezvous(Ready ready, Failed failed) override {
    Opening opening;
    try {
      opening = begin();
    } catch (const Exit& exit) {
      return failed(exit.code, exit.what());
    } catch (const std::exception& error) {
      return failed(kJobFailed, fmt::format("stratarun: {}", error.what()));
    }
    ready_ = std::move(ready);
    failed_ = std::move(failed);
    participant_.emplace(options_, succession_, [this](const std::string& host) { return stand_by(host); });
    thread_ = quiet_thread([this, last = generation_, opening] { attend(last, opening); });
  }

  void succeed(int64_t finished) override {
    const auto among = nodes_of_.find(finished);
    const int nodes = among == nodes_of_.end() ? static_cast<int>(nodes_.size()) : among->second;
    tell([&] { count_success(*teller_, options_.node_rank, nodes, generation_); });
  }

  void fail(const std::string& reason, bool is_final) override {
    tell([&] {
      const auto where = fmt::format("node {} ({}): {}", options_.node_rank, host_name(), reason);
      const bool leaves = is_final && options_.any_number_of_nodes();  // one that ends does not end the job
      end_attempt(*teller_,
                  {.is_final = is_final && !leaves, .leaves = leaves, .node = options_.node_rank, .reason = where},
                  generation_);
    });
  }

 private:
  bool is_host() const { return succession_.host() == options_.node_rank; }

  /// On the host makes the store, and ends what is left of the attempt before.
  Opening begin() {
    end_thread();
    const Verdict end = is_host() ? last_end() : Verdict();
    teller_.reset();
    return is_host() ? open(generation_, generation_ < 0 ? 0 : restarts_ + (end.grows ? 0 : 1), end) : Opening();
  }

  /// The generation after `last`, whose end was `end`.
  Opening open(int64_t last, int restarts, const Verdict& end) {
    if (!server_) serve(succession_.address());
    server_->fence(last + 1);
    if (end.leaves && !end.is_silent) succession_.left(end.node);
    Opening opening;
    opening.restarts = restarts;
    if (last >= 0) {
      opening.expected = options_.any_number_of_nodes() ? succession_.nodes() : nodes_;
      opening.quorum = succession_.quorum();
      if (end.leaves) std::erase(opening.expected, end.node);
      if (end.grows) opening.expected.push_back(end.node);
    }
    if (!options_.is_elastic()) return opening;
    stores_.open(succession_.address().host, end.grows);
    opening.store = stores_.place(), opening.token = stores_.token();
    return opening;
  }

  /// The host is lost, so another one of the nodes is it; where that is this one, it opens the generation after `last`.
  Opening follow(int64_t last, bool has_ended, const std::string& why) {
    const int lost = succession_.host();
    if (!succession_.lose_host(has_ended))
      throw Exit(kJobFailed, fmt::format("stratarun: node {} is lost, and the nodes left are no part of its job that "
                                         "may go on by itself: {}",
                                         lost, why));
    if (!is_host()) return {};
    Verdict end;
    end.leaves = end.is_silent = true;  // it was taken out already
    end.node = lost;
    return open(last, restarts_ + 1, end);
  }

  /// How the attempt before was ended, whoever was first to do so.
  Verdict last_end() {
    try {
      if (teller_) return read_end(*teller_, generation_);
    } catch (const StoreError&) {
    }
    return {};
  }

  /// The place of the own store, which waits until this node is the host.
  std::string stand_by(const std::string& host) {
    if (server_) return place_;
    ClientOptions own = succession_.address();
    own.host = host;
    own.port = 0;
    serve(own);
    return place_;
  }

  void serve(const ClientOptions& at) {
    ServerOptions own;
    own.host = rendezvous::listening_host(at.host);
    own.port = at.port;
    own.token = at.token;
    try {
      server_.emplace(own);
    } catch (const StoreError& error) {
      throw Exit(kBadArguments, fmt::format("stratarun: {}{}", error.what(), holder_of(at)));
    }
    place_ = host_and_port(at.host, server_->port());
  }

  /// Who has the port that node 0 wanted.
  static std::string holder_of(ClientOptions at) {
    at.connect_timeout = milliseconds(2000);
    at.identity = nullptr;
    try {
      TcpClient client(at);
      return ": --node-rank 0 of this job is taken; each node wants a rank of its own";
    } catch (const TokenRefused&) {
      return ": the store of another job, of another --rdzv-id, is there";
    } catch (const StoreError&) {
      return "";
    }
  }

  /// The thread: meets, waits for the attempt's end and leaves.
  void attend(int64_t last, const Opening& opening) {
    try {
      const auto met = meet(last, opening);
      const RendezvousInfo& info = met.first;
      post([this, info, teller = met.second] {
        generation_ = info.generation;
        restarts_ = info.restarts;
        nodes_ = info.nodes;
        nodes_of_[generation_] = info.group_world_size;
        teller_ = teller;
        ready_(info);
      });
      Verdict end = participant_->watch();
      if (end.leaves && end.node != options_.node_rank) end = without(end);
      post([this, end] { ended_(end); });
      const bool goes_on = end.grows || end.follows || info.restarts < options_.max_restarts;
      if (end.is_final || !goes_on) participant_->leave(info.group_world_size);
    } catch (const Participant::Quit&) {
    } catch (const Exit& exit) {
      post([this, exit] { failed_(exit.code, exit.what()); });
    } catch (const std::exception& error) {
      post([this, text = fmt::format("stratarun: the nodes did not meet: {}", error.what())] {
        failed_(kJobFailed, text);
      });
    }
  }

  /// With whoever is the host in the end.
  std::pair<RendezvousInfo, std::shared_ptr<TcpClient>> meet(int64_t last, Opening opening) {
    for (;;) {
      try {
        RendezvousInfo info = participant_->meet(last, opening);
        return {std::move(info), participant_->another_connection()};
      } catch (const Participant::HostLost& lost) {
        last = std::max(last, participant_->generation());
        opening = follow(last, lost.has_ended, lost.why);
      }
    }
  }

  /// A node has left the attempt.
  Verdict without(Verdict end) {
    if (end.node != succession_.host()) {
      if (!end.is_silent) succession_.left(end.node);
    } else if (!succession_.lose_host(!end.is_silent)) {
      end.is_final = true;
    }
    return end;
  }

  /// What is asked of the store here takes a moment; where it does not answer, the thread finds that out as well.
  template <class Fn>
  void tell(Fn fn) {
    if (!teller_) return;
    try {
      fn();
    } catch (const StoreError&) {
    }
  }

  void post(std::function<void()> event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
    wakeup_->send();
  }

  /// An event may begin the next attempt, for which those that wait here do not count.
  void deliver() {
    for (;;) {
      std::function<void()> event;
      {
        const std::lock_guard lock(mutex_);
        if (events_.empty()) return;
        event = std::move(events_.front());
        events_.pop_front();
      }
      event();
    }
  }

  void end_thread() {
    if (!thread_.joinable()) return;
    participant_->quit();
    thread_.join();
    events_.clear();
  }

  const Options options_;
  Ended ended_;
  Ready ready_;
  Failed failed_;
  int64_t generation_ = -1;
  int restarts_ = 0;
  std::vector<int> nodes_;           // of the generation
  std::map<int64_t, int> nodes_of_;  // how many each generation has had
  std::optional<TcpServer> server_;  // the job's where this node is the host, else in waiting
  std::string place_;                // of the server
  WorkerStores stores_;              // of the host
  Succession succession_;
  std::optional<Participant> participant_;
  std::shared_ptr<TcpClient> teller_;
  std::optional<Wakeup> wakeup_;
  std::mutex mutex_;
  std::deque<std::function<void()>> events_;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<RendezvousHandler> make_several_nodes(const Options& options) {
  return std::make_unique<SeveralNodes>(options);
}

}  // namespace strata::launcher
