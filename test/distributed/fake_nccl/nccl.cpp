// A library in NCCL's place whose ranks are threads of one process and whose memory is the host's. It keeps to what
// NCCL's manual says of communicators that do not block, and notes whatever a program does against it.
#include "test/distributed/fake_nccl/nccl.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "test/distributed/fake_nccl/stream.h"
#include "test/distributed/fake_nccl/world.h"

namespace strata::test {
namespace {

using api::Result;

struct Library {
  std::mutex mutex;
  std::condition_variable changed;
  std::string rules;
  int last_id = 0, live = 0, registered = 0, failing_rank = -1;
  bool held = false;
  std::map<int, std::shared_ptr<FakeWorld>> worlds;  ///< by their unique ids
  std::vector<std::shared_ptr<FakeWorld>> parts;     ///< that were made by dividing others
};
Library& library() {
  static auto* const library = new Library;
  return *library;
}

/// Calls of this thread that are to go on together.
struct Group {
  int depth = 0;
  FakeComm* comm = nullptr;
  void* stream = nullptr;
  std::vector<FakeOp> ops;
};
thread_local Group group;

Result launch(FakeComm& comm, void* stream, std::vector<FakeOp> ops) {
  {
    const std::lock_guard lock(mutex());
    ++comm.running;
    comm.polls = kPolls;
  }
  stream_at(stream).enqueue([&comm, ops = std::move(ops)] { run_together(comm, ops); });
  return api::kInProgress;
}

Result call(const char* what, const FakeOp& op, api::Comm to, void* stream) {
  FakeComm& comm = of(to);
  {
    const std::lock_guard lock(mutex());
    if (!check_alive(comm, what)) return api::kInvalidUsage;
    if (comm.state != FakeComm::kReady) return broken(std::string(what) + " on a communicator that is not ready");
    if (comm.polls > 0) return broken(std::string(what) + " while an earlier call is in progress");
    if (!stream) return broken(std::string(what) + " without a stream");
    if (op.count > 0 && !op.in && !op.out) return broken(std::string(what) + " without memory");
    const int ranks = static_cast<int>(comm.world->ranks.size());
    if (op.peer < -1 || op.peer >= ranks) return broken(std::string(what) + ": no rank " + std::to_string(op.peer));
    if (op.is_message() && op.peer == comm.rank && group.depth == 0)
      return broken(std::string(what) + " to oneself outside of a group");
    if (group.comm && (group.comm != &comm || group.stream != stream))
      return broken(std::string(what) + " in a group of another communicator or stream");
  }
  if (group.depth == 0) return launch(comm, stream, {op});
  group.comm = &comm, group.stream = stream;
  group.ops.push_back(op);
  return api::kSuccess;
}

Result join(api::Comm* made, int ranks, const api::UniqueId& id, int rank, const api::Config& config) {
  const std::lock_guard lock(mutex());
  int number = 0;
  std::memcpy(&number, id.internal, sizeof number);
  std::shared_ptr<FakeWorld>& world = library().worlds[number];
  if (number <= 0 || number > library().last_id) return broken("ncclCommInitRankConfig with an unknown id");
  if (config.magic != 0xcafebeef || config.size < 20) return broken("ncclCommInitRankConfig without a configuration");
  if (config.blocking != 0) return broken("ncclCommInitRankConfig makes the host wait");
  if (!world) world = std::make_shared<FakeWorld>(ranks);
  const auto place = static_cast<size_t>(rank);
  if (world->ranks.size() != static_cast<size_t>(ranks) || place >= world->ranks.size() || world->ranks[place])
    return broken("ncclCommInitRankConfig for a rank that is there already, or among another number of ranks");
  *made = reinterpret_cast<api::Comm>(make(world, rank));
  return api::kInProgress;
}

Result ask(FakeComm& comm, Result& answer) {
  const std::lock_guard lock(mutex());
  if (!check_alive(comm, "ncclCommGetAsyncError")) return api::kInvalidUsage;
  if (comm.rank == library().failing_rank) comm.error = api::kRemoteError;
  const FakeWorld& world = *comm.world;
  answer = api::kInProgress;
  if (comm.error != api::kSuccess)
    answer = comm.error;
  else if (comm.is_dividing)
    return api::kSuccess;
  else if (comm.state == FakeComm::kJoining && world.joined < world.ranks.size())
    return api::kSuccess;
  else if (comm.state == FakeComm::kFinalizing && (comm.running > 0 || world.finalized < world.ranks.size()))
    return api::kSuccess;
  else if (comm.polls == 0 || --comm.polls == 0)
    answer = api::kSuccess;
  if (answer == api::kSuccess && comm.state == FakeComm::kJoining) comm.state = FakeComm::kReady;
  return api::kSuccess;
}

Result finalize(FakeComm& comm) {
  const std::lock_guard lock(mutex());
  if (!check_alive(comm, "ncclCommFinalize")) return api::kInvalidUsage;
  if (comm.state != FakeComm::kReady) return broken("ncclCommFinalize on a communicator that is not ready");
  comm.state = FakeComm::kFinalizing;
  comm.polls = kPolls;
  ++comm.world->finalized;
  return api::kInProgress;
}

Result destroy(FakeComm& comm) {
  const std::lock_guard lock(mutex());
  if (!check_alive(comm, "ncclCommDestroy")) return api::kInvalidUsage;
  if (comm.state != FakeComm::kFinalizing || comm.polls > 0) return broken("ncclCommDestroy before the end");
  if (comm.registered > 0) broken("ncclCommDestroy while memory is registered");
  comm.state = FakeComm::kDestroyed;
  --library().live;
  return api::kSuccess;
}

/// The other ranks are not told: they wait for this one until somebody aborts them as well.
Result abort(FakeComm& comm) {
  const std::lock_guard lock(mutex());
  if (!check_alive(comm, "ncclCommAbort")) return api::kInvalidUsage;
  comm.state = FakeComm::kAborted;
  library().registered -= comm.registered;
  withdraw(comm);
  changed().notify_all();
  --library().live;
  return api::kSuccess;
}

Result register_memory(FakeComm& comm, void* memory, size_t bytes, void** handle) {
  const std::lock_guard lock(mutex());
  if (!check_alive(comm, "ncclCommRegister")) return api::kInvalidUsage;
  if (!memory || bytes == 0) return broken("ncclCommRegister without memory");
  ++comm.registered, ++library().registered;
  *handle = memory;
  return api::kSuccess;
}

Result deregister_memory(FakeComm& comm, void* handle) {
  const std::lock_guard lock(mutex());
  if (!check_alive(comm, "ncclCommDeregister")) return api::kInvalidUsage;
  if (!handle || comm.registered == 0) return broken("ncclCommDeregister of what was not registered");
  --comm.registered, --library().registered;
  return api::kSuccess;
}

std::string broken_rules() {
  const std::lock_guard lock(mutex());
  return std::exchange(library().rules, "");
}
int live_communicators() {
  const std::lock_guard lock(mutex());
  return library().live;
}
int ids() {
  const std::lock_guard lock(mutex());
  return library().last_id;
}

int registrations() {
  const std::lock_guard lock(mutex());
  return library().registered;
}
void fail_rank(int rank) {
  const std::lock_guard lock(mutex());
  library().failing_rank = rank;
}
void hold(bool on) {
  const std::lock_guard lock(mutex());
  library().held = on;
  changed().notify_all();
}

}  // namespace

std::mutex& mutex() { return library().mutex; }
std::condition_variable& changed() { return library().changed; }
bool is_held() { return library().held; }
FakeComm& of(api::Comm comm) { return *reinterpret_cast<FakeComm*>(comm); }
bool check_alive(const FakeComm& comm, const char* what) {
  if (comm.state == FakeComm::kAborted) broken(std::string(what) + " after ncclCommAbort");
  if (comm.state == FakeComm::kDestroyed) broken(std::string(what) + " after ncclCommDestroy");
  return comm.state != FakeComm::kAborted && comm.state != FakeComm::kDestroyed;
}
std::shared_ptr<FakeWorld> make_part(int size) {
  return library().parts.emplace_back(std::make_shared<FakeWorld>(size));
}
FakeComm* make(const std::shared_ptr<FakeWorld>& world, int rank) {
  auto* const comm = new FakeComm;
  comm->world = world, comm->rank = rank, comm->polls = kPolls;
  world->ranks[static_cast<size_t>(rank)] = comm;
  ++world->joined;
  ++library().live;
  changed().notify_all();
  return comm;
}
Result broken(const std::string& rule) {
  library().rules += rule + "\n";
  return api::kInvalidUsage;
}

}  // namespace strata::test

using namespace strata::test;
using api::Comm, api::CudaStream, api::DataType, api::RedOp, api::Result;

extern "C" {

extern const FakeNccl strata_fake_nccl;
const FakeNccl strata_fake_nccl = {&broken_rules, &live_communicators, &registrations, &fail_rank, &hold, &ids};

Result ncclGetVersion(int* version) {
  *version = 22809;
  return api::kSuccess;
}
Result ncclGetUniqueId(api::UniqueId* id) {
  const std::lock_guard lock(mutex());
  const int number = ++library().last_id;
  std::memcpy(id->internal, &number, sizeof number);
  return api::kSuccess;
}
const char* ncclGetErrorString(Result result) {
  return result == api::kRemoteError ? "remote process exited or there was a network error" : "invalid usage";
}
const char* ncclGetLastError(Comm) { return ""; }
Result ncclCommInitRankConfig(Comm* comm, int ranks, api::UniqueId id, int rank, api::Config* config) {
  return join(comm, ranks, id, rank, *config);
}
Result ncclCommGetAsyncError(Comm comm, Result* error) { return ask(of(comm), *error); }
Result ncclCommFinalize(Comm comm) { return finalize(of(comm)); }
Result ncclCommDestroy(Comm comm) { return destroy(of(comm)); }
Result ncclCommAbort(Comm comm) { return strata::test::abort(of(comm)); }
Result ncclCommRegister(Comm comm, void* memory, size_t bytes, void** handle) {
  return register_memory(of(comm), memory, bytes, handle);
}
Result ncclCommDeregister(Comm comm, void* handle) { return deregister_memory(of(comm), handle); }

Result ncclAllReduce(const void* in, void* out, size_t count, DataType type, RedOp op, Comm comm, CudaStream stream) {
  return call("ncclAllReduce", {FakeOp::kAllReduce, in, out, count, type, op, -1}, comm, stream);
}
Result ncclReduce(const void* in, void* out, size_t count, DataType type, RedOp op, int root, Comm comm,
                  CudaStream stream) {
  return call("ncclReduce", {FakeOp::kReduce, in, out, count, type, op, root}, comm, stream);
}
Result ncclBroadcast(const void* in, void* out, size_t count, DataType type, int root, Comm comm, CudaStream stream) {
  return call("ncclBroadcast", {FakeOp::kBroadcast, in, out, count, type, {}, root}, comm, stream);
}
Result ncclAllGather(const void* in, void* out, size_t count, DataType type, Comm comm, CudaStream stream) {
  return call("ncclAllGather", {FakeOp::kAllGather, in, out, count, type, {}, -1}, comm, stream);
}
Result ncclReduceScatter(const void* in, void* out, size_t count, DataType type, RedOp op, Comm comm,
                         CudaStream stream) {
  return call("ncclReduceScatter", {FakeOp::kReduceScatter, in, out, count, type, op, -1}, comm, stream);
}
Result ncclSend(const void* in, size_t count, DataType type, int peer, Comm comm, CudaStream stream) {
  return call("ncclSend", {FakeOp::kSend, in, nullptr, count, type, {}, peer}, comm, stream);
}
Result ncclRecv(void* out, size_t count, DataType type, int peer, Comm comm, CudaStream stream) {
  return call("ncclRecv", {FakeOp::kRecv, nullptr, out, count, type, {}, peer}, comm, stream);
}

Result ncclGroupStart() {
  ++group.depth;
  return api::kSuccess;
}
Result ncclGroupEnd() {
  if (group.depth == 0) {
    const std::lock_guard lock(mutex());
    return broken("ncclGroupEnd without ncclGroupStart");
  }
  if (--group.depth > 0) return api::kSuccess;
  const Group all = std::exchange(group, {});
  return all.comm ? launch(*all.comm, all.stream, all.ops) : api::kSuccess;
}
}
