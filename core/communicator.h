// The group of ranks that collectives run among, as ops see it: which ranks there are, and one call to run. Engines
// (Gloo, NCCL, threads of one process) implement it, so that no op knows any of them.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device.h"
#include "dtype.h"

namespace strata {

/// How values of all ranks become one. The names are libtorch's; AVG is the sum divided by the number of ranks.
enum class ReduceOp : uint8_t { SUM, AVG, PRODUCT, MIN, MAX };
const char* name(ReduceOp op);

enum class CollectiveKind : uint8_t {
  kAllReduce,
  kBroadcast,
  kReduce,
  kAllGather,
  kReduceScatter,
  kAllToAll,
  kPermute,
  kGather,
  kScatter,
  kBarrier,
  kSend,
  kReceive
};
const char* name(CollectiveKind kind);

/// One collective as one rank sees it: row-major memory of `device`, lengths in elements of `dtype`. With W ranks:
///
///     kAllReduce      in (n), out (n), which may be `in`       kAllToAll  in (n) in W pieces (`in_counts`, or equal),
///     kBroadcast      in (n) read on `root`, out (n)                      out in W pieces (`out_counts`, or equal)
///     kReduce         in (n), out (n) written on `root`        kPermute   in (n) to rank `in_counts[0]`, out (n) from
///     kAllGather      in (n), out (W n) in order of ranks                 rank `out_counts[0]`; -1 for none
///     kReduceScatter  in (W n), out (n)                        kGather    in (n), out (W n) written on `root`
///     kBarrier        nothing                                  kScatter   in (W n) read on `root`, out (n)
///     kSend           in (n) to rank `root`                    kReceive   out (n) from rank `root`
struct Collective {
  CollectiveKind kind = CollectiveKind::kBarrier;
  DType dtype = kByte;
  ReduceOp op = ReduceOp::SUM;
  int64_t root = 0;
  const void* in = nullptr;
  void* out = nullptr;
  int64_t in_count = 0;
  int64_t out_count = 0;
  std::vector<int64_t> in_counts = {};
  std::vector<int64_t> out_counts = {};
  Device device = kCPU;
  uint32_t tag = 0;  ///< of kPermute, kSend, kReceive: messages of one tag keep their order between two ranks
};

/// Does it concern two ranks alone, and not the whole group?
constexpr bool is_message(CollectiveKind kind) {
  return kind == CollectiveKind::kSend || kind == CollectiveKind::kReceive;
}
/// Does it combine the ranks' numbers by an operation?
constexpr bool is_reduction(CollectiveKind kind) {
  return kind == CollectiveKind::kAllReduce || kind == CollectiveKind::kReduce ||
         kind == CollectiveKind::kReduceScatter;
}

/// A collective that was started.
class Work {
 public:
  virtual ~Work() = default;
  /// Returns when it is done; throws what it threw.
  virtual void wait() = 0;
};

/// Ranks 0 to size() - 1 that run the same collectives in the same order; messages between two ranks go beside them. A
/// rank's object is its own; calls come from one thread at a time.
class Communicator {
 public:
  virtual ~Communicator() = default;
  /// The same on all ranks, and another one for each group of a process (of a thread, where ranks are threads).
  virtual const std::string& name() const = 0;
  virtual int64_t rank() const = 0;
  virtual int64_t size() const = 0;
  /// Runs one collective and returns when `out` holds the result (on a device with streams: when its current stream
  /// will). Throws Error where a rank failed or did not come in time; the group is closed then.
  virtual void run(const Collective& c) = 0;
  /// Starts one collective, whose memory has to stay until it is done, and returns. What is started or run later comes
  /// after it. Where a group has no thread for that, it is done when this returns.
  virtual std::shared_ptr<Work> start(const Collective& c);
  /// Starts kSend and kReceive, which travel at once and beside what was started before, and returns one work for all;
  /// the group and their memory have to stay until that is done. Ranks need not name them in one order, and waiting is
  /// up to the caller's thread. Throws where a group has no messages.
  virtual std::shared_ptr<Work> start_messages(std::span<const Collective> messages);
  /// Ends the group, from any thread: what runs now and later throws, on the other ranks too as soon as they wait for
  /// this one. Nothing by itself where ranks share nothing that could be closed.
  virtual void close() {}
};

/// A handle of a group; empty for none.
using ProcessGroup = std::shared_ptr<Communicator>;

/// Makes a group known by its name until the end of the scope: to the whole process, or to the calling thread, which
/// asks its own groups first. The first group of a process that is made known is the default one, which an empty name
/// finds.
class GroupScope {
 public:
  enum class Reach : uint8_t { kProcess, kThread };
  GroupScope(ProcessGroup group, Reach reach);
  ~GroupScope();
  GroupScope(const GroupScope&) = delete;
  GroupScope& operator=(const GroupScope&) = delete;

 private:
  const ProcessGroup group_;
  const Reach reach_;
};
/// Throws where no group of that name is known.
ProcessGroup find_group(std::string_view name);
/// The default group, or none.
ProcessGroup find_default_group();

}  // namespace strata
