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
#include "rendezvous/tcp_client.h"
#include "rendezvous/tcp_server.h"

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
  SharedStore(const std::string& host, uint16_t port, const EngineOptions& o)
      : client_(
            {.host = host, .port = port, .token = o.token, .connect_timeout = o.timeout, .query_timeout = o.timeout}),
        timeout_(o.timeout) {}
  void set(const std::string& key, const std::vector<char>& data) override {
    client_.set(key, {data.data(), data.size()});
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
  rendezvous::TcpClient client_;
  const std::chrono::milliseconds timeout_;
};

/// Where the ranks meet, for as long as they need it.
struct Meeting {
  std::unique_ptr<rendezvous::TcpServer> server;  ///< rank 0's, where nobody else has opened one
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
  const auto port = static_cast<uint16_t>(std::atoi(place.c_str() + colon + 1));
  Meeting m;
  if (opens && o.rank == 0) {
    const bool is_local = host == "127.0.0.1" || host == "localhost";
    m.server = std::make_unique<rendezvous::TcpServer>(rendezvous::ServerOptions{
        .host = is_local ? "127.0.0.1" : "0.0.0.0", .port = port, .token = o.token, .plain = o.token.empty()});
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

class GlooGroup final : public Communicator {
 public:
  explicit GlooGroup(const EngineOptions& options) : options_(options), context_(connect(options)) {}
  const std::string& name() const override { return options_.name; }
  int64_t rank() const override { return options_.rank; }
  int64_t size() const override { return options_.world_size; }

  void run(const Collective& c) override {
    STRATA_CHECK(c.device.is_cpu(), "{}: Gloo moves tensors of the CPU, not of {}", strata::name(c.kind),
                 c.device.str());
    ++tag_;
    move(c);
  }
  /// Gloo has no way to end one collective, so a failed rank closes its connections, which the others see at once.
  void close() override { context_->closeConnections(); }

 private:
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
        return exchange(c, c.in_counts[0], c.out_counts[0]);
      case CollectiveKind::kSend:
        return exchange(c, c.root, -1);
      case CollectiveKind::kReceive:
        return exchange(c, -1, c.root);
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
  /// Sends to one rank while it receives from another; -1 for none.
  void exchange(const Collective& c, int64_t to, int64_t from) {
    if (to == rank() && from == rank()) {
      std::memcpy(c.out, c.in, bytes(c, c.in_count));
      return;
    }
    const uint64_t slot = gloo::Slot::build(kExchange, tag_);
    const auto sent = to < 0 ? nullptr : context_->createUnboundBuffer(in(c), bytes(c, c.in_count));
    const auto got = from < 0 ? nullptr : context_->createUnboundBuffer(c.out, bytes(c, c.out_count));
    if (got) got->recv(static_cast<int>(from), slot);
    if (sent) sent->send(static_cast<int>(to), slot);
    if (got) STRATA_CHECK(got->waitRecv(options_.timeout), "was given up");
    if (sent) STRATA_CHECK(sent->waitSend(options_.timeout), "was given up");
  }

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
