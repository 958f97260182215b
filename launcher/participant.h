// What the launchers of a job's nodes tell each other through the store of node 0. One object is one node in one
// attempt, used by a thread that may wait.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "launcher/options.h"
#include "launcher/rendezvous_handler.h"
#include "rendezvous/tcp_client.h"

namespace strata::launcher {

/// The host and port of "HOST:PORT", "[IPV6]:PORT" or "HOST" (port 29400, as torchrun's). Throws Exit (2).
rendezvous::ClientOptions store_address(const Options& options);

/// What node 0 knows of the generation that it opens.
struct Opening {
  std::vector<int> expected;  ///< nodes that surely come; empty: not known. Of a fixed number, all are waited for.
  int restarts = 0;           ///< how many there have been
  std::string store, token;   ///< where the workers of an elastic job meet
};

class Participant {
 public:
  /// Thrown by every wait after `quit`.
  struct Quit {};

  /// Those of a launcher share the identity of its job's store.
  Participant(const Options& options, std::shared_ptr<rendezvous::StoreIdentity> identity)
      : options_(options), identity_(std::move(identity)) {}

  /// Meets the other nodes, of MIN:MAX those that come, in the generation that follows `last` (-1: the job's first or
  /// the one it is in), which node 0 opens. Throws Exit where they do not come in time or are of another job.
  RendezvousInfo meet(int64_t last, const Opening& opening);

  /// Shows each second that this node is there until the attempt has ended, and returns how.
  Verdict watch();

  /// After the last attempt: says that the end has been read. Node 0, which has the store, waits a while until `nodes`
  /// have said so.
  void leave(int nodes);

  /// A connection of another thread's own to the store, by which the nodes have met.
  std::unique_ptr<rendezvous::TcpClient> another_connection();

  /// Ends the waits of another thread, within a second.
  void quit();

 private:
  using Milliseconds = std::chrono::milliseconds;

  std::string key(const std::string& name) const { return rendezvous::generation_key(generation_, name); }
  std::string node_key(const char* name, int node) const { return key(name + ("/" + std::to_string(node))); }
  void connect();
  std::unique_ptr<rendezvous::TcpClient> connection(Milliseconds patience);
  void open(int64_t generation);
  int64_t generation_after(int64_t last);
  void come();
  std::string assemble(const Opening& opening);
  bool look_for_nodes();
  void wait_for_nodes(const std::vector<int>& expected);
  RendezvousInfo plan();
  void ask_to_take_part(const std::string& plan);
  void give_up();
  std::optional<Verdict> wait_for_end();
  void watch_others();
  int64_t silence() const;
  void pause(Milliseconds time);
  void check_quit();

  const Options& options_;
  const std::shared_ptr<rendezvous::StoreIdentity> identity_;
  std::unique_ptr<rendezvous::TcpClient> client_;
  int64_t generation_ = -1;
  std::map<int, std::string> came_;  // what node 0 has read of the others, JSON
  std::vector<int> others_;          // the nodes but node 0, which watches them
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
