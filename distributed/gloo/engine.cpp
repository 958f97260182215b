// The engine between processes on CPUs: Gloo's collectives over TCP. Reductions are made of them elsewhere, in an order
// that does not depend on the engine.
#include <gloo/allgather.h>
#include <gloo/allgatherv.h>
#include <gloo/alltoall.h>
#include <gloo/alltoallv.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/gather.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/prefix_store.h>
#include <gloo/scatter.h>
#include <gloo/transport/tcp/device.h>
#include <gloo/transport/unbound_buffer.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>

#include "core/error.h"
#include "distributed/engine.h"
#include "distributed/gloo/abortable_context.h"
#include "distributed/gloo/broken_pipe.h"
#include "distributed/gloo/full_mesh.h"
#include "distributed/gloo/small_messages.h"
#include "distributed/split.h"
#include "rendezvous/meeting.h"

namespace strata::distributed {
namespace {

using Context = gloo::Context;
using Device = std::shared_ptr<gloo::transport::Device>;

/// Gloo does not look at the error of a name that cannot be resolved, so it gets numbers or an interface.
Device make_device(const EngineOptions& o) {
  const NoBrokenPipe guard;  // for the thread that is started here
  gloo::transport::tcp::attr attr;
  attr.iface = o.interface;
  if (o.interface.empty()) attr.hostname = o.address.empty() ? "127.0.0.1" : o.address;
  return gloo::transport::tcp::CreateDevice(attr);
}

/// A meeting as Gloo wants it.
class MeetingStore final : public gloo::rendezvous::Store {
 public:
  explicit MeetingStore(const EngineOptions& o)
      : meeting_(rendezvous::meet({o.store, o.token, o.rank, o.timeout})), timeout_(o.timeout) {}
  /// All have met: a group that the same ranks make later finds nothing of this one.
  void forget() {
    for (const auto& [key, value] : own_) meeting_->remove(key);
  }
  void set(const std::string& key, const std::vector<char>& data) override {
    own_.emplace_back(key, std::string(data.begin(), data.end()));
    meeting_->set(key, own_.back().second);
  }
  std::vector<char> get(const std::string& key) override {
    const std::string value = look_up(key);
    return {value.begin(), value.end()};
  }
  /// Gloo gets each key next, and `get` waits: what others have set crosses the network once.
  void wait(const std::vector<std::string>&) override {}
  void wait(const std::vector<std::string>&, const std::chrono::milliseconds&) override {}

 private:
  /// A rank that comes early may have met the store of rank 0's earlier group, which then ends.
  std::string look_up(const std::string& key) {
    const auto deadline = std::chrono::steady_clock::now() + timeout_;
    for (;;) {
      try {
        return meeting_->get(key, timeout_);
      } catch (const rendezvous::StoreTimeout&) {
        throw;
      } catch (const rendezvous::StoreError&) {
        if (std::chrono::steady_clock::now() > deadline) throw;
        for (const auto& [own, value] : own_) meeting_->set(own, value);
      }
    }
  }

  const std::unique_ptr<rendezvous::Meeting> meeting_;
  const std::chrono::milliseconds timeout_;
  std::vector<std::pair<std::string, std::string>> own_;
};

using WholeContext = Abortable<gloo::rendezvous::Context>;

/// A context of either kind, and what ends its waits.
struct Connected {
  template <class SomeContext>
  Connected(const std::shared_ptr<SomeContext>& of) : context(of), connections(of->connections()) {}
  std::shared_ptr<Context> context;
  std::shared_ptr<AbortableContext> connections;
};

/// The ranks leave together: rank 0's store has to stay until the last one has read what it needs.
Connected connect(const EngineOptions& o, Device device) {
  const NoBrokenPipe guard;  // the store's thread is started here
  if (o.store.starts_with("generation://")) return connect_generation(o, device);
  MeetingStore all_groups(o);
  gloo::rendezvous::PrefixStore store(o.name, all_groups);
  auto context = std::make_shared<WholeContext>(static_cast<int>(o.rank), static_cast<int>(o.world_size));
  context->setTimeout(o.timeout);
  context->connectFullMesh(store, device);
  context->make_abortable();
  gloo::BarrierOptions all(context);
  gloo::barrier(all);
  all_groups.forget();
  return context;
}

/// What Gloo says, without the place in its sources that it begins with.
std::string reason_of(const std::exception& e) {
  const std::string text = e.what();
  const size_t end = text.starts_with('[') ? text.find("] ") : text.npos;
  return end == text.npos ? text : text.substr(end + 2);
}

/// What goes to one rank while something comes from another.
class Exchange final : public Work {
 public:
  using Buffer = std::unique_ptr<gloo::transport::UnboundBuffer>;
  Exchange(Buffer sent, Buffer got, std::chrono::milliseconds timeout)
      : sent_(std::move(sent)), got_(std::move(got)), timeout_(timeout) {}
  void wait() override {
    if (got_) STRATA_CHECK(got_->waitRecv(timeout_), "was given up");
    if (sent_) STRATA_CHECK(sent_->waitSend(timeout_), "was given up");
  }

 private:
  const Buffer sent_, got_;
  const std::chrono::milliseconds timeout_;
};

class Several final : public Work {
 public:
  void wait() override {
    for (const auto& work : works) work->wait();
  }
  std::vector<std::shared_ptr<Work>> works;
};

/// Something that is done already.
class Done final : public Work {
 public:
  void wait() override {}
};

class GlooGroup final : public Communicator, public Divisible, public KnowsLostRanks {
 public:
  explicit GlooGroup(const EngineOptions& options) : GlooGroup(options, make_device(options)) {}
  GlooGroup(EngineOptions options, Device device, Connected connected)
      : options_(std::move(options)),
        device_(std::move(device)),
        context_(std::move(connected.context)),
        connections_(std::move(connected.connections)) {
    if (size() > 1 && size() <= SmallMessages::kMostRanks) connect_small_messages();
  }
  const std::string& name() const override { return options_.name; }
  int64_t rank() const override { return options_.rank; }
  int64_t size() const override { return options_.world_size; }

  void run(const Collective& c) override {
    if (c.kind == CollectiveKind::kPermute) return start(c)->wait();
    check_device(c);
    ++tag_;
    const NoBrokenPipe guard;
    move(c);
  }
  ProcessGroup split(int64_t color, int64_t key, const std::string& name) override {
    const NoBrokenPipe guard;
    std::vector<int64_t> ranks = ranks_of_color(*this, color, key);
    if (color < 0) ranks.clear();
    const int64_t own = std::find(ranks.begin(), ranks.end(), rank()) - ranks.begin();
    EngineOptions options = options_;
    options.name = name, options.rank = own, options.world_size = static_cast<int64_t>(ranks.size());
    const auto part =
        ranks.empty() ? nullptr : std::make_shared<FullMesh>(own, options.world_size, device_, options_.timeout);
    connect_part(part.get(), ranks);
    if (!part) return nullptr;
    part->make_abortable();
    return std::make_shared<GlooGroup>(options, device_, part);
  }
  /// What goes between pairs of ranks is done when it was waited for, anything else when this returns.
  std::shared_ptr<Work> start(const Collective& c) override {
    if (c.kind != CollectiveKind::kPermute) return Communicator::start(c);
    check_device(c);
    const NoBrokenPipe guard;
    return exchange(gloo::Slot::build(kExchange, c.tag), c, c.in_counts[0], c.out_counts[0]);
  }
  std::shared_ptr<Work> start_messages(std::span<const Collective> messages) override {
    const NoBrokenPipe guard;
    auto all = std::make_shared<Several>();
    for (const Collective& c : messages) {
      check_device(c);
      const bool is_sent = c.kind == CollectiveKind::kSend;
      const uint64_t slot = gloo::Slot::build(kPointToPoint, c.tag);
      all->works.push_back(exchange(slot, c, is_sent ? c.root : -1, is_sent ? -1 : c.root));
    }
    return all;
  }
  /// Gloo has no way to end one collective, so a failed rank closes its connections, which the others see at once.
  void close() override {
    const NoBrokenPipe guard;
    connections_->abort();
    context_->closeConnections();
    if (small_) small_->close();
  }
  /// A small message may find out before the other connection to the same rank breaks.
  std::vector<int64_t> lost_ranks() override {
    std::vector<int64_t> lost = connections_->lost_ranks();
    const int64_t other = small_ ? small_->lost_rank() : -1;
    if (other >= 0 && std::find(lost.begin(), lost.end(), other) == lost.end()) lost.push_back(other);
    return lost;
  }

 private:
  GlooGroup(const EngineOptions& options, const Device& device)
      : GlooGroup(with_grace(options), device, connect(options, device)) {}
  static EngineOptions with_grace(EngineOptions o) {
    o.timeout += o.grace;
    return o;
  }
  static void check_device(const Collective& c) {
    STRATA_CHECK(c.device.is_cpu(), "{}: Gloo moves tensors of the CPU, not of {}", strata::name(c.kind),
                 c.device.str());
  }
  char* in(const Collective& c) const { return static_cast<char*>(const_cast<void*>(c.in)); }
  char* out(const Collective& c) const { return static_cast<char*>(c.out); }
  static size_t bytes(const Collective& c, int64_t count) { return static_cast<size_t>(count) * item_size(c.dtype); }
  static std::vector<int64_t> in_bytes(const Collective& c, std::vector<int64_t> counts) {
    for (int64_t& n : counts) n *= static_cast<int64_t>(item_size(c.dtype));
    return counts;
  }
  template <class Options>
  Options& prepared(Options& o) const {
    o.setTag(tag_);
    o.setTimeout(options_.timeout);
    return o;
  }

  void move(const Collective& c) {
    switch (c.kind) {
      case CollectiveKind::kBroadcast:
        return broadcast(c);
      case CollectiveKind::kAllGather:
        return c.out_counts.empty() ? all_gather(c) : all_gather_uneven(c);
      case CollectiveKind::kAllToAll:
        return c.in_counts.empty() ? all_to_all(c) : all_to_all_uneven(c);
      case CollectiveKind::kGather:
        return gather(c);
      case CollectiveKind::kScatter:
        return scatter(c);
      case CollectiveKind::kBarrier:
        return barrier();
      default:
        STRATA_THROW("{}: the engine does not reduce", strata::name(c.kind));
    }
  }

  void broadcast(const Collective& c) {
    if (c.out_count == 0) return;
    gloo::BroadcastOptions o(context_);
    if (c.root == rank() && out(c) != in(c)) std::memcpy(c.out, c.in, bytes(c, c.out_count));
    o.setOutput(out(c), bytes(c, c.out_count));
    o.setRoot(static_cast<int>(c.root));
    gloo::broadcast(prepared(o));
  }
  void all_gather(const Collective& c) {
    if (c.in_count == 0) return;  // Gloo divides by the size
    if (small_ && bytes(c, c.in_count) <= SmallMessages::kMostBytes)
      return small_->all_gather(in(c), bytes(c, c.in_count), out(c));
    gloo::AllgatherOptions o(context_);
    o.setInput(in(c), bytes(c, c.in_count));
    o.setOutput(out(c), bytes(c, c.out_count));
    gloo::allgather(prepared(o));
  }
  void all_gather_uneven(const Collective& c) {
    if (c.out_count == 0) return;
    gloo::AllgathervOptions o(context_);
    const std::vector<int64_t> counts = in_bytes(c, c.out_counts);
    o.setInput(in(c), bytes(c, c.in_count));
    o.setOutput(out(c), std::vector<size_t>(counts.begin(), counts.end()));
    gloo::allgatherv(prepared(o));
  }
  void all_to_all(const Collective& c) {
    if (c.in_count == 0) return;
    gloo::AlltoallOptions o(context_);
    o.setInput(in(c), bytes(c, c.in_count));
    o.setOutput(out(c), bytes(c, c.out_count));
    gloo::alltoall(prepared(o));
  }
  void all_to_all_uneven(const Collective& c) {
    gloo::AlltoallvOptions o(context_);
    o.setInput(in(c), in_bytes(c, c.in_counts));
    o.setOutput(out(c), in_bytes(c, c.out_counts));
    gloo::alltoallv(prepared(o));
  }
  void gather(const Collective& c) {
    if (c.in_count == 0) return;
    gloo::GatherOptions o(context_);
    o.setInput(in(c), bytes(c, c.in_count));
    if (c.root == rank()) o.setOutput(out(c), bytes(c, c.out_count));
    o.setRoot(static_cast<int>(c.root));
    gloo::gather(prepared(o));
  }
  void scatter(const Collective& c) {
    if (c.out_count == 0) return;
    gloo::ScatterOptions o(context_);
    if (c.root == rank()) {
      std::vector<char*> pieces;
      for (int64_t r = 0; r < size(); ++r) pieces.push_back(in(c) + bytes(c, r * c.out_count));
      o.setInputs(pieces, bytes(c, c.out_count));
    }
    o.setOutput(out(c), bytes(c, c.out_count));
    o.setRoot(static_cast<int>(c.root));
    gloo::scatter(prepared(o));
  }
  void barrier() {
    gloo::BarrierOptions o(context_);
    gloo::barrier(prepared(o));
  }
  /// To the ranks of this group that are in a part of it; what they listen at goes by this group. All ranks call it.
  void connect_part(FullMesh* part, const std::vector<int64_t>& ranks) {
    const std::vector<char> addresses = exchange_addresses(part, ranks);
    if (!part) return;
    MeshWatch watch(*part, *connections_);
    for (int r = 0; r < part->size; ++r) {
      if (r == part->rank) continue;
      const int64_t whole_rank = ranks[static_cast<size_t>(r)];
      watch.wait_for(whole_rank);
      part->connect_to(r, &addresses[static_cast<size_t>(whole_rank) * kAddressBytes]);
    }
  }
  void connect_small_messages() {
    const auto all = std::make_shared<FullMesh>(rank(), size(), device_, options_.timeout);
    small_.emplace(all);
    std::vector<int64_t> ranks(static_cast<size_t>(size()));
    std::iota(ranks.begin(), ranks.end(), 0);
    connect_part(all.get(), ranks);
  }
  /// Where each rank of this group listens for this one, in pieces of kAddressBytes; zeros from those that are not in
  /// the part.
  std::vector<char> exchange_addresses(FullMesh* part, const std::vector<int64_t>& ranks) {
    const size_t bytes = static_cast<size_t>(size()) * kAddressBytes;
    std::vector<char> own(bytes), all(bytes);
    for (int r = 0; part && r < part->size; ++r) {
      if (r == part->rank) continue;
      const std::vector<char> address = part->listens_for(r);
      const size_t start = static_cast<size_t>(ranks[static_cast<size_t>(r)]) * kAddressBytes;
      std::copy(address.begin(), address.end(), own.begin() + static_cast<std::ptrdiff_t>(start));
    }
    Collective exchange{.kind = CollectiveKind::kAllToAll, .dtype = kByte};
    exchange.in = own.data(), exchange.in_count = static_cast<int64_t>(bytes);
    exchange.out = all.data(), exchange.out_count = static_cast<int64_t>(bytes);
    run(exchange);
    return all;
  }
  /// Sends to one rank while it receives from another; -1 for none. A slot's messages keep their order between two
  /// ranks, so they need no number, which ranks that take no part would not count.
  std::shared_ptr<Work> exchange(uint64_t slot, const Collective& c, int64_t to, int64_t from) {
    if (to == rank() && from == rank()) {
      std::memcpy(c.out, c.in, bytes(c, c.in_count));
      return std::make_shared<Done>();
    }
    auto sent = to < 0 ? nullptr : context_->createUnboundBuffer(in(c), bytes(c, c.in_count));
    auto got = from < 0 ? nullptr : context_->createUnboundBuffer(c.out, bytes(c, c.out_count));
    // First what the other side has not asked for yet: it goes by Gloo's thread then, which otherwise spins while this
    // one writes.
    if (sent) sent->send(static_cast<int>(to), slot);
    if (got) got->recv(static_cast<int>(from), slot);
    return std::make_shared<Exchange>(std::move(sent), std::move(got), options_.timeout);
  }

  /// Slots of Gloo's own collectives have prefixes from 1 on.
  static constexpr uint8_t kExchange = 0x40, kPointToPoint = 0x42;  // the sentinels' is 0x41
  static constexpr size_t kAddressBytes = gloo::transport::Address::kMaxByteSize;
  const EngineOptions options_;
  const Device device_;
  std::optional<SmallMessages> small_;  ///< of a few ranks; ends last, since the others watch the other connections
  const std::shared_ptr<Context> context_;
  const std::shared_ptr<AbortableContext> connections_;
  uint32_t tag_ = 0;
};

}  // namespace
}  // namespace strata::distributed

extern "C" __attribute__((visibility("default"))) void strata_engine_entry(
    const strata::distributed::EngineOptions& options, strata::ProcessGroup& group) {
  try {
    group = std::make_shared<strata::distributed::GlooGroup>(options);
  } catch (const strata::Error&) {
    throw;
  } catch (const std::exception& e) {
    STRATA_THROW("gloo: the {} ranks of group {} did not meet: {}", options.world_size, options.name,
                 strata::distributed::reason_of(e));
  }
}
