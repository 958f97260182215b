// Collectives and messages between threads: posted by all, compared, copied, and left together.
#include "test/distributed/fake_nccl/world.h"

#include <strata/strata.h>

#include <algorithm>
#include <cstring>

namespace strata::test {
namespace {

constexpr DType kDTypes[] = {kChar, kByte, kInt, kUInt32, kLong, kLong, kHalf, kFloat, kDouble, kBFloat16};
constexpr ReduceOp kOps[] = {ReduceOp::SUM, ReduceOp::PRODUCT, ReduceOp::MAX, ReduceOp::MIN, ReduceOp::AVG};

size_t bytes_of(const FakeOp& op) { return op.count * item_size(kDTypes[op.type]); }

/// Waits for `condition`; false if the communicator was aborted before.
template <class Condition>
bool wait(std::unique_lock<std::mutex>& lock, const FakeComm& comm, const Condition& condition) {
  changed().wait(lock, [&] { return comm.state == FakeComm::kAborted || condition(); });
  return comm.state != FakeComm::kAborted;
}

Tensor elements(const FakeOp& op, size_t first) {
  const auto* const data = static_cast<const char*>(op.in) + first * item_size(kDTypes[op.type]);
  return from_blob(const_cast<char*>(data), {static_cast<int64_t>(op.count)}, TensorOptions(kDTypes[op.type]));
}

/// What the rank's memory holds in the end; empty where it gets nothing.
std::vector<char> result_of(const FakeWorld::Round& round, int rank) {
  const FakeOp& own = *round.ops[static_cast<size_t>(rank)];
  std::vector<char> result;
  const auto append = [&](const void* data, size_t bytes) {
    const auto* const first = static_cast<const char*>(data);
    result.insert(result.end(), first, first + bytes);
  };
  if (own.kind == FakeOp::kBroadcast) {
    append(round.ops[static_cast<size_t>(own.peer)]->in, bytes_of(own));
  } else if (own.kind == FakeOp::kAllGather) {
    for (const FakeOp* op : round.ops) append(op->in, bytes_of(*op));
  } else if (own.kind != FakeOp::kReduce || own.peer == rank) {
    const size_t first = own.kind == FakeOp::kReduceScatter ? static_cast<size_t>(rank) * own.count : 0;
    std::vector<Tensor> parts;
    for (const FakeOp* op : round.ops) parts.push_back(elements(*op, first));
    const Tensor sum = distributed::reduce_in_pairs(std::move(parts), kOps[own.op]).contiguous();
    append(sum.data_ptr(), bytes_of(own));
  }
  return result;
}

/// Ranks that do not call the same function alike would hang or get wrong numbers.
bool compare(const FakeWorld::Round& round) {
  const FakeOp& first = *round.ops[0];
  for (size_t r = 1; r < round.ops.size(); ++r) {
    const FakeOp& other = *round.ops[r];
    if (other.kind != first.kind || other.count != first.count || other.type != first.type || other.op != first.op ||
        other.peer != first.peer) {
      broken("rank " + std::to_string(r) + " calls another function than rank 0, or with other arguments");
      return false;
    }
  }
  return true;
}

void run_collective(FakeComm& comm, const FakeOp& op) {
  std::unique_lock lock(mutex());
  if (comm.state == FakeComm::kAborted) return;
  FakeWorld& world = *comm.world;
  const uint64_t number = comm.collectives++;
  FakeWorld::Round& round = world.rounds[number];
  round.ops.resize(world.ranks.size());
  round.ops[static_cast<size_t>(comm.rank)] = &op;
  if (++round.arrived == world.ranks.size()) round.is_same = compare(round);
  changed().notify_all();
  if (!wait(lock, comm, [&] { return round.arrived >= world.ranks.size() && !is_held(); })) return;
  const std::vector<char> result = round.is_same ? result_of(round, comm.rank) : std::vector<char>();
  ++round.finished;
  changed().notify_all();
  // A rank's memory may be what the others still read.
  if (!wait(lock, comm, [&] { return round.finished >= world.ranks.size(); })) return;
  round.ops[static_cast<size_t>(comm.rank)] = nullptr;
  if (!result.empty()) std::memcpy(op.out, result.data(), result.size());
}

/// Takes the oldest message that fits.
void receive(FakeComm& comm, const FakeOp& op) {
  std::unique_lock lock(mutex());
  auto& box = comm.world->mail[{op.peer, comm.rank}];
  if (!wait(lock, comm, [&] { return !box.empty() && !is_held(); })) return;
  FakeWorld::Message& message = *box.front();
  if (message.op->count != op.count || message.op->type != op.type)
    broken("rank " + std::to_string(op.peer) + " sends other numbers than rank " + std::to_string(comm.rank) +
           " receives");
  std::memcpy(op.out, message.op->in, std::min(bytes_of(op), bytes_of(*message.op)));
  message.taken = true;
  box.erase(box.begin());
  changed().notify_all();
}

}  // namespace

void withdraw(FakeComm& comm) {
  for (auto& [number, round] : comm.world->rounds) {
    const FakeOp*& own = round.ops[static_cast<size_t>(comm.rank)];
    round.arrived -= own != nullptr;
    own = nullptr;
  }
  for (auto& [ends, box] : comm.world->mail)
    if (ends.first == comm.rank) box.clear();
}

void run_together(FakeComm& comm, const std::vector<FakeOp>& ops) {
  std::vector<std::shared_ptr<FakeWorld::Message>> sent;
  for (const FakeOp& op : ops) {
    if (op.kind != FakeOp::kSend) continue;
    const std::lock_guard lock(mutex());
    if (comm.state == FakeComm::kAborted) break;
    sent.push_back(std::make_shared<FakeWorld::Message>(FakeWorld::Message{&op}));
    comm.world->mail[{comm.rank, op.peer}].push_back(sent.back());
    changed().notify_all();
  }
  for (const FakeOp& op : ops) {
    if (op.kind == FakeOp::kRecv) receive(comm, op);
    if (!op.is_message()) run_collective(comm, op);
  }
  std::unique_lock lock(mutex());
  for (const auto& message : sent) wait(lock, comm, [&] { return message->taken; });
  --comm.running;
  changed().notify_all();
}

}  // namespace strata::test
