// The engine between GPUs: NCCL's collectives, on a stream of the group's own.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <tuple>

#include "core/cuda_backend.h"
#include "core/error.h"
#include "distributed/engine.h"
#include "distributed/nccl/board.h"
#include "distributed/nccl/link.h"
#include "distributed/nccl/numbers.h"
#include "distributed/nccl/watch.h"
#include "distributed/one_caller.h"
#include "distributed/registration.h"
#include "distributed/split.h"
#include "rendezvous/meeting.h"

namespace strata::distributed::nccl {
namespace {

/// A store may hold what an earlier group of this name has left there, in this process or before the launcher started
/// it again. All ranks make their groups in the same order.
std::string fresh_prefix(const EngineOptions& o) {
  static std::mutex mutex;
  static auto* const made = new std::map<std::tuple<std::string, std::string, int64_t>, int>;
  const char* const restarts = std::getenv("TORCHELASTIC_RESTART_COUNT");
  const std::lock_guard lock(mutex);
  const int before = (*made)[{o.store, o.name, o.rank}]++;
  return o.name + "/nccl/" + (restarts ? restarts : "0") + "." + std::to_string(before) + "/";
}

/// Runs what waits for other ranks at the store.
template <class F>
auto meet(const EngineOptions& o, const F& f) {
  try {
    return f();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {
    STRATA_THROW("nccl: the {} ranks of group {} did not meet: {}", o.world_size, o.name, e.what());
  }
}

/// A number for each of the group's ranks: that which it has in the ranks' first group, by which the board knows it.
using Origins = std::vector<int64_t>;

/// What outlives the group in the hands of those who wait for its work.
struct Shared {
  Shared(const EngineOptions& options, std::shared_ptr<Board> board, std::string prefix)
      : watch(link, std::move(board), options, std::move(prefix)) {}
  Link link;
  Watch watch;
};

class StreamWork final : public Work {
 public:
  StreamWork(std::shared_ptr<Shared> shared, std::shared_ptr<Pending> pending, DeviceIndex device)
      : shared_(std::move(shared)), pending_(std::move(pending)), device_(device) {}
  /// The current stream waits, the host does not.
  void wait() override {
    shared_->watch.check();
    pending_->done.block(cuda::current_stream(device_));
  }

 private:
  const std::shared_ptr<Shared> shared_;
  const std::shared_ptr<Pending> pending_;
  const DeviceIndex device_;
};

/// Memory that the library knows. The communicator may end before it, and takes what is registered with it.
class Registration {
 public:
  Registration(std::shared_ptr<Shared> shared, void* handle) : shared_(std::move(shared)), handle_(handle) {}
  ~Registration() {
    try {
      shared_->link.run("ncclCommDeregister", [this](Comm comm) { return api().CommDeregister(comm, handle_); });
    } catch (const Error&) {
    }
  }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

 private:
  const std::shared_ptr<Shared> shared_;
  void* const handle_;
};

/// The first element of a rank's piece, in bytes; pieces lie one after the other.
class Pieces {
 public:
  Pieces(const std::vector<int64_t>& counts, int64_t total, int64_t ranks, DType dtype)
      : counts_(counts), equal_(total / ranks), item_(static_cast<int64_t>(item_size(dtype))) {}
  int64_t count(int64_t r) const { return counts_.empty() ? equal_ : counts_[static_cast<size_t>(r)]; }
  int64_t bytes_before(int64_t rank) const {
    int64_t elements = 0;
    for (int64_t r = 0; r < rank; ++r) elements += count(r);
    return elements * item_;
  }

 private:
  const std::vector<int64_t>& counts_;
  const int64_t equal_, item_;
};

class NcclGroup final : public Communicator, public Divisible, public Shrinkable, public RegistersMemory {
 public:
  NcclGroup(const EngineOptions& options, std::shared_ptr<Board> board, const std::string& prefix, Origins origins)
      : options_(options),
        board_(std::move(board)),
        origins_(std::move(origins)),
        shared_(std::make_shared<Shared>(options, board_, prefix)) {}

  /// Where nothing went wrong, the ranks leave together.
  ~NcclGroup() override {
    if (std::uncaught_exceptions() > 0) close();
    if (shared_->watch.drain()) shared_->link.close(grace_of(options_));
    shared_->watch.leave();
  }

  /// Gives all ranks the id by which they make their communicator. The first rank does not wait for the others.
  void share_id() {
    if (rank() == 0) {
      STRATA_CHECK(api().GetUniqueId(&id_) == kSuccess, "nccl: no unique id: {}", api().GetLastError(nullptr));
      return shared_->watch.publish("id", std::string(id_.internal, sizeof id_.internal));
    }
    const std::string id = shared_->watch.look_up("id");
    STRATA_CHECK(id.size() == sizeof id_.internal, "nccl: rank 0 has published {} bytes as its id", id.size());
    std::memcpy(id_.internal, id.data(), id.size());
  }

  /// The exchange of colors ends when all that the group has put on its stream is done.
  ProcessGroup split(int64_t color, int64_t key, const std::string& name) override {
    const std::string prefix = "split" + std::to_string(++splits_) + ".";
    const std::vector<int64_t> ranks = ranks_of_color(*this, color, key, own_device());
    shared_->watch.check();
    const auto part = color < 0 ? nullptr : part_of(ranks, prefix + std::to_string(ranks[0]), name);
    if (api().CommSplit)
      divide(part.get(), ranks);
    else if (part)
      meet(part->options_, [&] { part->share_id(); });
    return part;
  }

  /// By ncclCommShrink, where nothing is wrong with the communicator. Else those that stay meet by an id of their own,
  /// as the communicator may be what the lost ones have broken.
  ProcessGroup shrink(const std::vector<int64_t>& ranks_to_exclude, ShrinkFlags shrink_flags) override {
    if (shrink_flags == SHRINK_ABORT)
      shared_->watch.fail(detail::format_message("rank {} has shrunk group {}", {rank(), name()}));
    else if (!shared_->watch.drain())
      shared_->watch.check();
    std::vector<int64_t> ranks;
    for (int64_t r = 0; r < size(); ++r)
      if (!std::binary_search(ranks_to_exclude.begin(), ranks_to_exclude.end(), r)) ranks.push_back(r);
    const auto rest = part_of(ranks, "shrink" + std::to_string(++shrinks_), name());
    if (shrink_flags == SHRINK_DEFAULT && api().CommShrink && shared_->link.is_open())
      drop(*rest, ranks_to_exclude);
    else
      meet(rest->options_, [&] { rest->share_id(); });
    rest->run({.kind = CollectiveKind::kBarrier});
    if (shrink_flags == SHRINK_ABORT)
      for (const int64_t r : ranks_to_exclude) board_->forget(origins_[static_cast<size_t>(r)]);
    return rest;
  }

  const std::string& name() const override { return options_.name; }
  int64_t rank() const override { return options_.rank; }
  int64_t size() const override { return options_.world_size; }
  void close() override {
    shared_->watch.fail(detail::format_message("rank {} has closed group {}", {rank(), name()}));
  }

  void run(const Collective& c) override {
    const bool is_barrier = c.kind == CollectiveKind::kBarrier;
    const std::shared_ptr<Pending> pending = enqueue({&c, 1});
    if (is_barrier || cuda::launches_block()) return shared_->watch.wait(*pending);
    pending->done.block(cuda::current_stream(device_));
  }

  std::shared_ptr<Work> start(const Collective& c) override { return start_all({&c, 1}); }
  std::shared_ptr<Work> start_messages(std::span<const Collective> messages) override {
    for (const Collective& c : messages)
      STRATA_CHECK(c.tag == 0, "{}: NCCL knows no tags, and this message has {}", strata::name(c.kind), c.tag);
    return start_all(messages);
  }

  /// What cannot be registered is sent all the same.
  std::shared_ptr<void> register_memory(void* data, size_t bytes) override {
    if (!stream_ || bytes == 0 || !api().CommRegister || !api().CommDeregister) return nullptr;
    try {
      void* handle = nullptr;
      shared_->link.run("ncclCommRegister", [&](Comm comm) { return api().CommRegister(comm, data, bytes, &handle); });
      return handle ? std::make_shared<Registration>(shared_, handle) : nullptr;
    } catch (const Error&) {
      return nullptr;
    }
  }

 private:
  /// A group of some of the ranks, without a communicator yet.
  std::shared_ptr<NcclGroup> part_of(const std::vector<int64_t>& ranks, const std::string& key,
                                     const std::string& name) const {
    EngineOptions options = options_;
    options.name = name, options.world_size = static_cast<int64_t>(ranks.size());
    options.rank = std::find(ranks.begin(), ranks.end(), rank()) - ranks.begin();
    Origins origins;
    for (const int64_t r : ranks) origins.push_back(origins_[static_cast<size_t>(r)]);
    auto part = std::make_shared<NcclGroup>(options, board_, shared_->watch.key(key + "/"), std::move(origins));
    part->device_ = own_device().index();
    return part;
  }

  /// Gives the part its communicator; every rank of this group calls it, those of no part with null.
  void divide(NcclGroup* part, const std::vector<int64_t>& ranks) {
    or_fail("split", [&](Link::Clock::time_point deadline) {
      Link none;
      shared_->link.split_into(part ? part->shared_->link : none, part ? static_cast<int>(ranks[0]) : kNoColor,
                               part ? static_cast<int>(part->rank()) : 0, deadline);
    });
  }

  /// Gives the group without some ranks its communicator; the others call it.
  void drop(NcclGroup& rest, const std::vector<int64_t>& excluded) {
    or_fail("shrink_group", [&](Link::Clock::time_point deadline) {
      shared_->link.shrink_into(rest.shared_->link, {excluded.begin(), excluded.end()}, deadline);
    });
  }

  /// What goes wrong ends this group.
  template <class F>
  void or_fail(const char* what, const F& make) {
    try {
      make(Link::Clock::now() + options_.timeout);
    } catch (const Error& e) {
      shared_->watch.fail(
          detail::format_message("{} (of group {}, rank {} of {}): {}", {what, name(), rank(), size(), e.what()}));
      shared_->watch.check();
    }
  }

  std::shared_ptr<Work> start_all(std::span<const Collective> all) {
    const std::shared_ptr<Pending> pending = enqueue(all);
    for (const Collective& c : all)
      for (const void* const memory : {c.in, static_cast<const void*>(c.out)})
        if (memory) cuda::backend().record_use(memory, device_, stream_->native());
    return std::make_shared<StreamWork>(shared_, pending, device_);
  }

  /// One collective, or messages that go on together.
  std::shared_ptr<Pending> enqueue(std::span<const Collective> all) {
    const OneCaller::Turn turn(caller_, name());
    const Collective& c = all[0];
    const bool is_barrier = c.kind == CollectiveKind::kBarrier;
    STRATA_CHECK(c.device.is_cuda() || is_barrier, "{}: NCCL moves tensors of CUDA devices, not of {}",
                 strata::name(c.kind), c.device.str());
    cuda::refuse_capture("a collective");
    ++sequence_;
    const std::shared_ptr<Pending> pending = shared_->watch.begin(detail::format_message(
        "{} (call {} of group {}, rank {} of {})", {strata::name(c.kind), sequence_, name(), rank(), size()}));
    try {
      const Device device = is_barrier && !c.device.is_cuda() ? own_device() : c.device;
      const DeviceGuard guard(device);
      open(device.index());
      cuda::Event ready(false);
      ready.record(cuda::current_stream(device_));
      ready.block(*stream_);
      if (is_message(c.kind))
        exchange(all);
      else
        launch(c);
      shared_->watch.record(*pending, *stream_);
    } catch (const std::exception& e) {
      shared_->watch.fail(pending->what + ": " + e.what());
      shared_->watch.check();
    }
    return pending;
  }

  /// Where nobody has said, by a tensor, which device this rank has.
  Device own_device() const {
    if (device_ >= 0) return {kCUDA, device_};
    return options_.device < 0 ? numbered(kCUDA) : Device(kCUDA, static_cast<DeviceIndex>(options_.device));
  }

  /// The communicator belongs to the device of the first tensor, and so do those of its parts.
  void open(DeviceIndex device) {
    STRATA_CHECK(device_ < 0 || device == device_, "this rank of the group is on cuda:{}, the tensor on cuda:{}",
                 device_, device);
    if (stream_) return;
    device_ = device;
    shared_->link.open(id_, static_cast<int>(size()), static_cast<int>(rank()));
    stream_ = std::make_unique<cuda::Stream>(cuda::Stream::from_pool(true, device));
  }

  void launch(const Collective& c) {
    switch (c.kind) {
      case CollectiveKind::kAllReduce:
        return all_reduce(c.in, c.out, summands_of(c.dtype, c.in_count, c.op), operation(c.dtype, c.op));
      case CollectiveKind::kReduce:
        return reduce(c);
      case CollectiveKind::kReduceScatter:
        return reduce_scatter(c);
      case CollectiveKind::kBroadcast:
        return broadcast(c);
      case CollectiveKind::kAllGather:
        return c.out_counts.empty() ? all_gather(c) : all_gather_uneven(c);
      case CollectiveKind::kBarrier:
        return barrier();
      default:
        return exchange({&c, 1});
    }
  }

  void* stream() const { return stream_->native(); }
  template <class F>
  void call(const char* what, const F& f) {
    shared_->link.run(what, f);
  }

  void all_reduce(const void* in, void* out, Numbers n, RedOp op) {
    call("ncclAllReduce", [&](Comm comm) { return api().AllReduce(in, out, n.count, n.type, op, comm, stream()); });
  }
  void reduce(const Collective& c) {
    const Numbers n = summands_of(c.dtype, c.in_count, c.op);
    call("ncclReduce", [&](Comm comm) {
      return api().Reduce(c.in, c.out, n.count, n.type, operation(c.dtype, c.op), static_cast<int>(c.root), comm,
                          stream());
    });
  }
  void reduce_scatter(const Collective& c) {
    const Numbers n = summands_of(c.dtype, c.out_count, c.op);
    call("ncclReduceScatter", [&](Comm comm) {
      return api().ReduceScatter(c.in, c.out, n.count, n.type, operation(c.dtype, c.op), comm, stream());
    });
  }
  void broadcast(const Collective& c) {
    const Numbers n = numbers_of(c.dtype, c.out_count);
    call("ncclBroadcast", [&](Comm comm) {
      return api().Broadcast(c.in, c.out, n.count, n.type, static_cast<int>(c.root), comm, stream());
    });
  }
  void all_gather(const Collective& c) {
    const Numbers n = numbers_of(c.dtype, c.in_count);
    call("ncclAllGather", [&](Comm comm) { return api().AllGather(c.in, c.out, n.count, n.type, comm, stream()); });
  }
  /// A broadcast from each rank, all at once.
  void all_gather_uneven(const Collective& c) {
    const Pieces pieces(c.out_counts, c.out_count, size(), c.dtype);
    shared_->link.run_together("ncclBroadcast", [&](Comm comm) {
      Result result = kSuccess;
      for (int64_t r = 0; r < size() && result == kSuccess; ++r) {
        void* const out = static_cast<char*>(c.out) + pieces.bytes_before(r);
        const Numbers n = numbers_of(c.dtype, pieces.count(r));
        if (n.count > 0)
          result = api().Broadcast(r == rank() ? c.in : out, out, n.count, n.type, static_cast<int>(r), comm, stream());
      }
      return result;
    });
  }
  /// NCCL has none; a sum that nobody reads needs all ranks as well.
  void barrier() {
    if (!barrier_memory_) {
      const DeviceBlock block = cuda::backend().allocate(1, device_);
      barrier_memory_ =
          std::shared_ptr<void>(block.data, [handle = block.handle](void*) { cuda::backend().free(handle); });
      cuda::backend().record_use(block.data, device_, stream());
    }
    all_reduce(barrier_memory_.get(), barrier_memory_.get(), {kUint8, 1}, kMax);
  }

  // ---- What NCCL makes of messages between two ranks ----------------------------------------------------------------

  /// Messages that go on together: nothing is sent where there is nothing to send, as the other side knows too.
  class Messages {
   public:
    Messages(const Collective& c, Comm comm, void* stream) : c_(c), comm_(comm), stream_(stream) {}
    void send(int64_t to, int64_t offset, int64_t count) {
      const Numbers n = numbers_of(c_.dtype, count);
      if (to >= 0 && n.count > 0 && result == kSuccess)
        result =
            api().Send(static_cast<const char*>(c_.in) + offset, n.count, n.type, static_cast<int>(to), comm_, stream_);
    }
    void receive(int64_t from, int64_t offset, int64_t count) {
      const Numbers n = numbers_of(c_.dtype, count);
      if (from >= 0 && n.count > 0 && result == kSuccess)
        result =
            api().Recv(static_cast<char*>(c_.out) + offset, n.count, n.type, static_cast<int>(from), comm_, stream_);
    }
    Result result = kSuccess;

   private:
    const Collective& c_;
    const Comm comm_;
    void* const stream_;
  };

  void exchange(std::span<const Collective> all) {
    shared_->link.run_together(strata::name(all[0].kind), [&](Comm comm) {
      Result result = kSuccess;
      for (size_t i = 0; i < all.size() && result == kSuccess; ++i) {
        Messages m(all[i], comm, stream());
        post(all[i], m);
        result = m.result;
      }
      return result;
    });
  }

  void post(const Collective& c, Messages& m) const {
    const bool is_root = c.root == rank();
    switch (c.kind) {
      case CollectiveKind::kAllToAll:
        send_pieces(c, c.in_counts, m);
        return receive_pieces(c, c.out_counts, m);
      case CollectiveKind::kGather:
        m.send(c.root, 0, c.in_count);
        return is_root ? receive_pieces(c, {}, m) : void();
      case CollectiveKind::kScatter:
        if (is_root) send_pieces(c, {}, m);
        return m.receive(c.root, 0, c.out_count);
      case CollectiveKind::kPermute:
        m.send(c.in_counts[0], 0, c.in_count);
        return m.receive(c.out_counts[0], 0, c.out_count);
      case CollectiveKind::kSend:
        return m.send(c.root, 0, c.in_count);
      case CollectiveKind::kReceive:
        return m.receive(c.root, 0, c.out_count);
      default:
        STRATA_THROW("{}: not made of messages", strata::name(c.kind));
    }
  }
  void send_pieces(const Collective& c, const std::vector<int64_t>& counts, Messages& m) const {
    const Pieces pieces(counts, c.in_count, size(), c.dtype);
    for (int64_t r = 0; r < size(); ++r) m.send(r, pieces.bytes_before(r), pieces.count(r));
  }
  void receive_pieces(const Collective& c, const std::vector<int64_t>& counts, Messages& m) const {
    const Pieces pieces(counts, c.out_count, size(), c.dtype);
    for (int64_t r = 0; r < size(); ++r) m.receive(r, pieces.bytes_before(r), pieces.count(r));
  }

  const EngineOptions options_;
  const std::shared_ptr<Board> board_;
  const Origins origins_;
  const std::shared_ptr<Shared> shared_;
  OneCaller caller_;
  int splits_ = 0, shrinks_ = 0;  ///< so far, to name their keys
  UniqueId id_ = {};
  int64_t sequence_ = 0;
  DeviceIndex device_ = -1;               ///< the first collective's, or that of the group which was divided
  std::unique_ptr<cuda::Stream> stream_;  ///< from the first collective on
  std::shared_ptr<void> barrier_memory_;
};

ProcessGroup make_group(const EngineOptions& o) {
  const std::string prefix = fresh_prefix(o);
  Origins all(static_cast<size_t>(o.world_size));
  std::iota(all.begin(), all.end(), 0);
  const auto board = std::make_shared<Board>(rendezvous::meet({o.store, o.token, o.rank, o.timeout}), prefix, o.rank,
                                             o.world_size, grace_of(o));
  const auto group = std::make_shared<NcclGroup>(o, board, prefix, std::move(all));
  group->share_id();
  return group;
}

}  // namespace
}  // namespace strata::distributed::nccl

extern "C" __attribute__((visibility("default"))) void strata_engine_entry(
    const strata::distributed::EngineOptions& options, strata::ProcessGroup& group) {
  using namespace strata::distributed::nccl;
  api();  // its absence is an error of its own
  group = meet(options, [&] { return make_group(options); });
}
