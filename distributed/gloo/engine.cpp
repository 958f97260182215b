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
#include <gloo/rendezvous/file_store.h>
#include <gloo/rendezvous/prefix_store.h>
#include <gloo/scatter.h>
#include <gloo/transport/tcp/device.h>
#include <gloo/transport/unbound_buffer.h>

#include <cstdlib>
#include <cstring>
#include <memory>

#include "core/error.h"
#include "distributed/engine.h"
#include "rendezvous/client.h"
#include "rendezvous/server.h"

namespace strata::distributed {
namespace {

using Context = gloo::rendezvous::Context;

/// Gloo does not look at the error of a name that cannot be resolved, so it gets numbers or an interface.
std::shared_ptr<gloo::transport::Device> make_device(const EngineOptions& o) {
  gloo::transport::tcp::attr attr;
  attr.iface = o.interface;
  if (o.interface.empty()) attr.hostname = o.address.empty() ? "127.0.0.1" : o.address;
  return gloo::transport::tcp::CreateDevice(attr);
}

/// A store's client as Gloo wants it.
class SharedStore final : public gloo::rendezvous::Store {
 public:
  SharedStore(const std::string& host, int port, const EngineOptions& o)
      : client_(host, port, o.token, o.timeout), timeout_(o.timeout) {}
  void set(const std::string& key, const std::vector<char>& data) override {
    client_.set(key, std::string(data.begin(), data.end()));
  }
  std::vector<char> get(const std::string& key) override {
    const std::string value = client_.get(key, timeout_);
    return {value.begin(), value.end()};
  }
  void wait(const std::vector<std::string>& keys) override { client_.wait(keys, timeout_); }
  void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) override {
    client_.wait(keys, timeout);
  }

 private:
  rendezvous::Client client_;
  const std::chrono::milliseconds timeout_;
};

/// Where the ranks meet, for as long as they need it.
struct Meeting {
  std::unique_ptr<rendezvous::Server> server;  ///< rank 0's, where nobody else has opened one
  std::unique_ptr<gloo::rendezvous::Store> store;
};

bool take_prefix(std::string& text, std::string_view prefix) {
  const bool found = text.starts_with(prefix);
  if (found) text.erase(0, prefix.size());
  return found;
}

Meeting meeting_at(const EngineOptions& o) {
  std::string place = o.store;
  if (take_prefix(place, "file://")) return {nullptr, std::make_unique<gloo::rendezvous::FileStore>(place)};
  const bool opens = take_prefix(place, "tcp://");
  STRATA_CHECK(opens || take_prefix(place, "agent://"), "gloo: the store {} is none of file://, tcp:// and agent://",
               o.store);
  const size_t colon = place.rfind(':');
  STRATA_CHECK(colon != place.npos, "gloo: the store {} has no port", o.store);
  const std::string host = place.substr(0, colon);
  const int port = std::atoi(place.c_str() + colon + 1);
  Meeting m;
  if (opens && o.rank == 0) {
    const bool is_local = host == "127.0.0.1" || host == "localhost";
    m.server = std::make_unique<rendezvous::Server>(
        rendezvous::ServerOptions{is_local ? "127.0.0.1" : "0.0.0.0", port, o.token});
  }
  m.store = std::make_unique<SharedStore>(host, port, o);
  return m;
}

/// The ranks leave together: rank 0's store has to stay until the last one has read what it needs.
std::shared_ptr<Context> connect(const EngineOptions& o) {
  const Meeting meeting = meeting_at(o);
  gloo::rendezvous::PrefixStore store(o.name, *meeting.store);
  auto device = make_device(o);
  auto context = std::make_shared<Context>(static_cast<int>(o.rank), static_cast<int>(o.world_size));
  context->setTimeout(o.timeout);
  context->connectFullMesh(store, device);
  gloo::BarrierOptions all(context);
  gloo::barrier(all);
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

/// Something that is done already.
class Done final : public Work {
 public:
  void wait() override {}
};

class GlooGroup final : public Communicator {
 public:
  explicit GlooGroup(const EngineOptions& options) : options_(options), context_(connect(options)) {}
  const std::string& name() const override { return options_.name; }
  int64_t rank() const override { return options_.rank; }
  int64_t size() const override { return options_.world_size; }

  void run(const Collective& c) override {
    check_device(c);
    ++tag_;
    move(c);
  }
  /// What goes between pairs of ranks is done when it was waited for, anything else when this returns.
  std::shared_ptr<Work> start(const Collective& c) override {
    if (c.kind != CollectiveKind::kPermute) return Communicator::start(c);
    check_device(c);
    ++tag_;
    return exchange(c, c.in_counts[0], c.out_counts[0]);
  }
  /// Gloo has no way to end one collective, so a failed rank closes its connections, which the others see at once.
  void close() override { context_->closeConnections(); }

 private:
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
      case CollectiveKind::kPermute:
        return exchange(c, c.in_counts[0], c.out_counts[0])->wait();
      case CollectiveKind::kSend:
        return exchange(c, c.root, -1)->wait();
      case CollectiveKind::kReceive:
        return exchange(c, -1, c.root)->wait();
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
    if (bytes(c, c.in_count) <= kSmallBytes) return all_gather_small(c);
    gloo::AllgatherOptions o(context_);
    o.setInput(in(c), bytes(c, c.in_count));
    o.setOutput(out(c), bytes(c, c.out_count));
    gloo::allgather(prepared(o));
  }
  /// To all at once: Gloo's own goes around a ring, from each rank to the next.
  void all_gather_small(const Collective& c) {
    std::vector<std::shared_ptr<Work>> works;
    for (int64_t i = 1; i < size(); ++i) {
      const int64_t from = (rank() + size() - i) % size();
      Collective one = c;
      one.out = out(c) + bytes(c, from * c.in_count), one.out_count = c.in_count;
      works.push_back(exchange(one, (rank() + i) % size(), from));
    }
    std::memmove(out(c) + bytes(c, rank() * c.in_count), c.in, bytes(c, c.in_count));
    for (const auto& work : works) work->wait();
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
  /// Sends to one rank while it receives from another; -1 for none.
  std::shared_ptr<Work> exchange(const Collective& c, int64_t to, int64_t from) {
    if (to == rank() && from == rank()) {
      std::memcpy(c.out, c.in, bytes(c, c.in_count));
      return std::make_shared<Done>();
    }
    const uint64_t slot = gloo::Slot::build(kExchange, tag_);
    auto sent = to < 0 ? nullptr : context_->createUnboundBuffer(in(c), bytes(c, c.in_count));
    auto got = from < 0 ? nullptr : context_->createUnboundBuffer(c.out, bytes(c, c.out_count));
    // First what the other side has not asked for yet: it goes by Gloo's thread then, which otherwise spins while this
    // one writes.
    if (sent) sent->send(static_cast<int>(to), slot);
    if (got) got->recv(static_cast<int>(from), slot);
    return std::make_shared<Exchange>(std::move(sent), std::move(got), options_.timeout);
  }

  static constexpr size_t kSmallBytes = size_t{16} << 10;
  /// Slots of Gloo's own collectives have prefixes from 1 on.
  static constexpr uint8_t kExchange = 0x40;
  const EngineOptions options_;
  const std::shared_ptr<Context> context_;
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
