// The ranks of a communicator in one process: what each does is compared with what the others do.
#pragma once
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "distributed/nccl/api.h"

namespace strata::test {

namespace api = distributed::nccl;

/// How often a call's end has to be asked for.
constexpr int kPolls = 3;

struct FakeOp {
  enum Kind { kAllReduce, kReduce, kBroadcast, kAllGather, kReduceScatter, kSend, kRecv };
  Kind kind;
  const void* in;
  void* out;
  size_t count;  ///< of the function's argument
  api::DataType type;
  api::RedOp op;
  int peer;  ///< or root; -1 for none
  bool is_message() const { return kind == kSend || kind == kRecv; }
};

struct FakeWorld;

/// Never freed, so that its use after its end can be told.
struct FakeComm {
  std::shared_ptr<FakeWorld> world;
  int rank = 0;
  enum State { kJoining, kReady, kFinalizing, kAborted, kDestroyed } state = kJoining;
  int polls = 0;    ///< how often "in progress" is answered yet
  int running = 0;  ///< jobs on streams that have not ended
  int registered = 0;
  bool is_dividing = false;  ///< by ncclCommSplit or ncclCommShrink, to which not all ranks have come
  uint64_t collectives = 0;  ///< that were run so far
  api::Result error = api::kSuccess;
};

/// All that the ranks of one unique id share; `mutex()` guards it.
struct FakeWorld {
  explicit FakeWorld(int size) : ranks(static_cast<size_t>(size)) {}
  struct Round {
    std::vector<const FakeOp*> ops;
    size_t arrived = 0, finished = 0;
    bool is_same = true;  ///< for all ranks
  };
  struct Message {
    const FakeOp* op;
    bool taken = false;
  };
  struct Choice {
    FakeComm* comm;
    int color, key;
    api::Comm* part;
  };
  std::vector<FakeComm*> ranks;
  std::vector<Choice> choices;  ///< of those that divide it now
  std::vector<int> excluded;    ///< by those that shrink it
  size_t joined = 0, finalized = 0;
  std::map<uint64_t, Round> rounds;
  std::map<std::pair<int, int>, std::vector<std::shared_ptr<Message>>> mail;
};

std::mutex& mutex();
std::condition_variable& changed();
/// Notes a broken rule; the caller holds the mutex.
api::Result broken(const std::string& rule);
/// May collectives end?
bool is_held();
FakeComm& of(api::Comm comm);
/// Is the communicator one that calls may be made on? The caller holds the mutex.
bool check_alive(const FakeComm& comm, const char* what);
/// What the ranks of a divided communicator's part share, kept for good as they are; the caller holds the mutex.
std::shared_ptr<FakeWorld> make_part(int size);
/// Gives the choices of one color a communicator each, in the order of keys and ranks; the caller holds the mutex.
void divide(std::vector<FakeWorld::Choice> choices);
/// A communicator of this rank; the caller holds the mutex.
FakeComm* make(const std::shared_ptr<FakeWorld>& world, int rank);

/// Takes back what the communicator has posted, whose memory may go now; the caller holds the mutex.
void withdraw(FakeComm& comm);
/// Runs what was begun together on one communicator, on the stream's thread. Returns early when it is aborted.
void run_together(FakeComm& comm, const std::vector<FakeOp>& ops);

}  // namespace strata::test
