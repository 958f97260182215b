// What the launchers of a job's nodes tell each other through the store of the one that is the host, at first node 0.
// One object is one node in one attempt, used by a thread that may wait.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "launcher/options.h"
#include "launcher/rendezvous_handler.h"
#include "launcher/succession.h"
#include "rendezvous/tcp_client.h"

namespace strata::launcher {

/// What the host knows of the generation that it opens.
struct Opening {
  std::vector<int> expected;  ///< nodes that surely come; empty: not known. Of a fixed number, all are waited for.
  int quorum = 1;             ///< how many nodes it takes, beside MIN
  int restarts = 0;           ///< how many there have been
  std::string store, token;   ///< where the workers of an elastic job meet
};

class Participant {
 public:
  /// Thrown by every wait after `quit`.
  struct Quit {};

  /// Thrown by `meet` where the host of a generation that this node was in is lost.
  struct HostLost {
    bool has_ended;  ///< surely; else it is silent
    std::string why;
  };

  /// Makes the store in waiting of a node that is reached at a host, where there is none yet, and returns its place.
  using Standby = std::function<std::string(const std::string& host)>;

  Participant(const Options& options, Succession& succession, Standby standby)
      : options_(options), succession_(succession), standby_(std::move(standby)) {}

  /// Meets the other nodes, of MIN:MAX those that come, in the generation that follows `last` (-1: the job's first or
  /// the one it is in), which the host opens. Throws Exit where they do not come in time or are of another job.
  RendezvousInfo meet(int64_t last, const Opening& opening);

  /// Shows each second that this node is there until the attempt has ended, and returns how.
  Verdict watch();

  /// After the last attempt: says that the end has been read. The host, which has the store, waits a while until
  /// `nodes` have said so.
  void leave(int nodes);

  /// The newest generation that this node has come to; -1 before.
  int64_t generation() const { return generation_; }

  /// A connection of another thread's own to the store, by which the nodes have met.
  std::unique_ptr<rendezvous::TcpClient> another_connection();

  /// Ends the waits of another thread, within a second.
  void quit();

 private:
  using Milliseconds = std::chrono::milliseconds;

  std::string key(const std::string& name) const { return rendezvous::generation_key(generation_, name); }
  std::string node_key(const char* name, int node) const { return key(name + ("/" + std::to_string(node))); }
  bool is_host() const { return succession_.host() == options_.node_rank; }
  void connect();
  std::unique_ptr<rendezvous::TcpClient> connection(Milliseconds patience);
  void open(int64_t generation);
  int64_t generation_after(int64_t last);
  void come();
  std::string assemble(const Opening& opening);
  bool look_for_nodes();
  void wait_for_nodes(const Opening& opening);
  void look_for_move(int64_t last);
  void tell_where();
  bool may_lose_host() const;
  bool host_has_ended();
  Verdict host_lost(bool has_ended, const std::string& reason);
  RendezvousInfo plan();
  void ask_to_take_part(const std::string& plan);
  void give_up();
  std::optional<Verdict> wait_for_end();
  void watch_others();
  int64_t silence() const;
  void pause(Milliseconds time);
  void check_quit();

  const Options& options_;
  Succession& succession_;
  const Standby standby_;
  std::unique_ptr<rendezvous::TcpClient> client_;
  std::string place_;  // of the own store
  int64_t generation_ = -1;
  std::map<int, std::string> came_;  // what the host has read of the others, JSON
  std::vector<int> others_;          // the nodes but the host, which watches them
  std::vector<std::string> beats_;   // of these, as last read
  std::vector<int> silent_for_;      // turns in which the beat has not changed

  std::mutex mutex_;
  std::condition_variable quitting_;
  bool quit_ = false;
};

/// Ends an attempt on all nodes; only the first end of it counts.
void end_attempt(rendezvous::Store& store, const Verdict& verdict, int64_t generation);

/// How an attempt was ended, if it was.
Verdict read_end(rendezvous::Store& store, int64_t generation);

/// Counts a node whose workers have all succeeded; the last one of `nodes` ends the attempt.
void count_success(rendezvous::Store& store, int node, int nodes, int64_t generation);

/// This machine's name.
std::string host_name();

}  // namespace strata::launcher
