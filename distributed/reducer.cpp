// Buckets of gradients, and the hooks that fill and send them.
#include "distributed/reducer.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <utility>

#include "autograd/accumulate.h"
#include "autograd/autograd.h"
#include "autograd/engine.h"
#include "core/error.h"
#include "core/grad_mode.h"
#include "core/replay.h"
#include "distributed/registration.h"
#include "distributed/shard_sums.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/collective.h"
#include "ops/creation.h"
#include "ops/shaping.h"
#include "ops/view.h"

namespace strata::distributed {
namespace {

/// FNV-1a, to compare descriptions of parameters between ranks.
int64_t hash_of(const std::string& text) {
  uint64_t h = 0xcbf29ce484222325;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return static_cast<int64_t>(h);
}

struct Parameter {
  Parameter(std::string of_name, Tensor leaf) : name(std::move(of_name)), tensor(std::move(leaf)) {}
  std::string name;
  Tensor tensor;
  HookHandle hook = 0;
  Tensor view;  ///< of its bucket
  size_t bucket = 0;
  int64_t flag = 0;                  ///< the place in its bucket that says whether it got a gradient
  bool ready = false, used = false;  ///< in this pass: is it in its bucket, and did it get a gradient on this rank?
  int64_t uses = 0, first_uses = 0;  ///< how often it got a gradient in this pass, and of a static graph in the first
  bool is_used_somewhere = false;    ///< of a static graph: did any rank have a gradient for it in the first pass?
  ShardSum shards = {};
};

/// Gradients that travel together: those of some parameters, and behind them a number for each that is 1 where it got
/// one.
struct Bucket {
  Tensor memory;
  std::vector<size_t> parameters;
  int64_t flags = 0;  ///< how many numbers there are behind the gradients: none once a static graph is known
  size_t missing = 0;
  std::shared_ptr<Work> work;
  Tensor shares;  ///< the numbers behind the gradients, after they have travelled: on the CPU
  std::shared_ptr<void> registration;
};

std::string description(const Parameter& p) {
  return strata::detail::format_message("{} {} {}", {p.name, p.tensor.sizes(), name(p.tensor.dtype())});
}

}  // namespace

void broadcast_coalesced(const std::vector<Tensor>& tensors, int64_t src, const ProcessGroup& group) {
  const NoGradGuard no_grad;
  std::map<DType, std::vector<Tensor>> by_dtype;
  for (const Tensor& t : tensors)
    if (t.numel() > 0) by_dtype[t.dtype()].push_back(t);
  for (const auto& [dtype, list] : by_dtype) {
    std::vector<Tensor> flat;
    for (const Tensor& t : list) flat.push_back(t.detach().reshape({-1}));
    Tensor all = cat(flat);
    broadcast_(all, src, group);
    int64_t at = 0;
    for (const Tensor& t : list) {
      t.detach().copy_(all.narrow(0, at, t.numel()).view(t.sizes()));
      at += t.numel();
    }
  }
}

struct __attribute__((visibility("hidden"))) Reducer::Impl {
  ReducerOptions options;
  ProcessGroup group;
  std::vector<Parameter> parameters;
  std::vector<Tensor> buffers, everything;  ///< the latter: parameters and buffers
  std::vector<Bucket> buckets;
  std::vector<size_t> ready_order;  ///< of the first pass
  size_t next = 0;                  ///< the bucket to send next
  bool is_synced = true, is_running = false, is_ordered = false, is_broken = false;
  std::shared_ptr<CommHook> hook;
  std::unique_ptr<LowPrecision> low;   ///< of the parameters, by their index
  bool is_low_for_backward = false;    ///< did a graph need their copies before this forward pass?
  int64_t shards_each = 1, shard = 0;  ///< logical shards of this rank, and how many of them were run in this step
  JoinOptions joining;
  bool is_joinable = false;
  int64_t active = 0;  ///< how many ranks still train
  int64_t source = 0;  ///< the first of them

  /// Lives in the callback at the end of a pass. The engine drops callbacks of a pass that throws.
  struct Pass {
    explicit Pass(Impl& impl) : reducer(impl) {}
    ~Pass() {
      if (!is_done) reducer.give_up();
    }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;
    Impl& reducer;
    bool is_done = false;
  };

  /// What ranks tell each other goes where the parameters are: a group of GPUs moves nothing else.
  Tensor own(const Tensor& numbers) const { return numbers.to(parameters[0].tensor.device()); }

  // ---- At the start -------------------------------------------------------------------------------------------------

  /// The error names the first parameter that differs, on the rank that has another than rank 0.
  void check_same_on_all_ranks() {
    const Tensor counts =
        all_gather_into_tensor(own(full({1}, static_cast<int64_t>(parameters.size()), kLong)), group).cpu();
    for (int64_t r = 0; r < group->size(); ++r)
      STRATA_CHECK(counts[r].item<int64_t>() == counts[0].item<int64_t>(),
                   "DistributedDataParallel: rank 0 has {} parameters, rank {} has {}", counts[0].item<int64_t>(), r,
                   counts[r].item<int64_t>());
    std::vector<int64_t> mine;
    for (const Parameter& p : parameters) mine.push_back(hash_of(description(p)));
    const Tensor all = all_gather_into_tensor(own(tensor(mine, kLong).unsqueeze(0)), group).cpu();
    for (int64_t r = 1; r < group->size(); ++r)
      for (size_t i = 0; i < parameters.size(); ++i)
        STRATA_CHECK(
            all[r][static_cast<int64_t>(i)].item<int64_t>() == all[0][static_cast<int64_t>(i)].item<int64_t>(),
            "DistributedDataParallel: parameter {} is not the same on rank {} as on rank 0; on rank {} it is {}", i, r,
            group->rank(), description(parameters[i]));
  }

  void share_shards() {
    shards_each = options.logical_shards / group->size();
    STRATA_CHECK(options.logical_shards % group->size() == 0 && std::has_single_bit(static_cast<uint64_t>(shards_each)),
                 "DistributedDataParallel: {} logical shards are no power of two for each of {} ranks",
                 options.logical_shards, group->size());
  }

  void add_hooks() {
    for (size_t i = 0; i < parameters.size(); ++i)
      parameters[i].hook = autograd::register_post_accumulate_grad_hook(parameters[i].tensor,
                                                                        [this, i](const Tensor&) { on_gradient(i); });
  }

  void prepare_precision() {
    const MixedPrecision& precision = options.mixed_precision;
    if (precision.buffer_dtype) cast_buffers_(buffers, *precision.buffer_dtype);
    if (!precision.param_dtype && !precision.reduce_dtype) return;
    std::vector<Tensor> leaves;
    for (const Parameter& p : parameters) leaves.push_back(p.tensor);
    low = std::make_unique<LowPrecision>(leaves, precision.param_dtype.value_or(leaves[0].dtype()));
  }

  /// Fills buckets with parameters in this order; each has one dtype and about the size that was asked for.
  void make_buckets(const std::vector<size_t>& order) {
    const auto cap = static_cast<int64_t>(options.bucket_cap_mb * (1 << 20));
    std::map<DType, std::pair<size_t, int64_t>> open;  // the bucket that is being filled, and its bytes
    buckets.clear();
    for (const size_t i : order) {
      const Tensor& t = parameters[i].tensor;
      const auto [at, is_new] = open.try_emplace(t.dtype(), buckets.size(), 0);
      if (is_new || at->second.second >= cap) at->second = {buckets.size(), 0}, buckets.emplace_back();
      at->second.second += static_cast<int64_t>(t.nbytes());
      buckets[at->second.first].parameters.push_back(i);
    }
    for (size_t b = 0; b < buckets.size(); ++b) allocate(b);
  }

  void allocate(size_t b) {
    Bucket& bucket = buckets[b];
    bucket.flags = is_known() ? 0 : static_cast<int64_t>(bucket.parameters.size());
    int64_t numbers = bucket.flags;
    for (const size_t i : bucket.parameters) numbers += parameters[i].tensor.numel();
    const TensorOptions like = parameters[bucket.parameters[0]].tensor.options();
    const DType dtype = options.mixed_precision.reduce_dtype.value_or(like.dtype());
    bucket.memory = zeros({numbers}, like.dtype(dtype).requires_grad(false));
    if (auto* const registers = dynamic_cast<RegistersMemory*>(group.get()); registers && bucket.memory.is_cuda())
      bucket.registration = registers->register_memory(bucket.memory.data_ptr(), bucket.memory.nbytes());
    int64_t at = 0, flag = numbers - bucket.flags;
    for (const size_t i : bucket.parameters) {
      Parameter& p = parameters[i];
      p.view = bucket.memory.narrow(0, at, p.tensor.numel()).view(p.tensor.sizes());
      p.bucket = b, p.flag = flag++;
      if (shards_each == 1 && !low) autograd::AccumulateGrad::set_buffer(p.tensor, p.view.view(p.tensor.sizes()));
      at += p.tensor.numel();
    }
  }

  // ---- During backward ----------------------------------------------------------------------------------------------

  /// Has the first pass told what those of a static graph are?
  bool is_known() const { return options.static_graph && is_ordered; }

  void begin_pass() {
    announce(Event::kBackward);
    is_running = true;
    next = 0;
    ready_order.clear();
    for (Parameter& p : parameters) p.ready = false, p.uses = 0;
    for (Bucket& b : buckets) b.missing = b.parameters.size(), b.work = nullptr;
    const auto finish = [this, pass = std::make_shared<Pass>(*this)] {
      if (is_known()) check_as_first();
      pass->is_done = true;
      is_last_shard() ? finish_pass() : finish_shard();
    };
    options.static_graph ? autograd::queue_callback_of_outermost(finish) : autograd::queue_callback(finish);
    if (!is_known()) return;
    for (size_t i = 0; i < parameters.size(); ++i)
      if (parameters[i].first_uses == 0) parameters[i].ready = true, fill(i);
    send_full_buckets();
  }

  /// In a pass of a static graph that is over.
  void check_as_first() const {
    for (const Parameter& p : parameters) check_uses(p, p.uses == p.first_uses);
  }
  void check_uses(const Parameter& p, bool holds) const {
    STRATA_CHECK(
        holds,
        "DistributedDataParallel: parameter {} got {} gradients in a pass on rank {}, and {} in the first one; "
        "without static_graph passes may differ",
        p.name, p.uses, group->rank(), p.first_uses);
  }

  /// A pass that is not averaged ends with the parameters' own values, too, also if it throws.
  void begin_unsynced_pass() {
    is_running = true;
    const std::shared_ptr<Impl> end(this, [](Impl* reducer) {
      reducer->is_running = false;
      reducer->low->leave();
    });
    autograd::queue_callback_of_outermost([end] {});
  }

  bool is_last_shard() const { return shard + 1 == shards_each; }

  /// The gradients of one logical shard go to the sums of those before.
  void finish_shard() {
    const NoGradGuard no_grad;
    is_running = false;
    ++shard;
    for (Parameter& p : parameters) p.shards.add(std::exchange(p.tensor.mutable_grad(), Tensor()));
  }

  /// A pass threw. The other ranks wait for the buckets that it has not sent, and would take those of the next pass for
  /// them, so there can be none.
  void give_up() {
    is_running = false;
    is_broken = true;
    if (low) low->leave();
    group->close();
  }

  void on_gradient(size_t i) {
    if (!is_synced) {
      if (low && !is_running) begin_unsynced_pass();
      return;
    }
    STRATA_CHECK(!is_broken,
                 "DistributedDataParallel: an earlier backward pass threw on rank {}, whose gradients the other ranks "
                 "still wait for; end this process, or make the group and the module anew",
                 group->rank());
    if (!is_running) begin_pass();
    if (options.static_graph && !is_last_use(i)) return;
    STRATA_CHECK(!parameters[i].ready,
                 "DistributedDataParallel: parameter {} got a gradient twice in one backward pass, after it was sent; "
                 "where it does in each, static_graph lets it",
                 parameters[i].name);
    ready_order.push_back(i);
    parameters[i].ready = true;
    if (!is_last_shard()) return;
    fill(i);
    send_full_buckets();
  }

  /// Of a static graph. In the first pass nobody knows, so gradients are taken when it is over.
  bool is_last_use(size_t i) {
    Parameter& p = parameters[i];
    ++p.uses;
    if (!is_known()) {
      if (p.uses == 1) ready_order.push_back(i);
      return false;
    }
    check_uses(p, p.uses <= p.first_uses);
    return p.uses == p.first_uses;
  }

  /// Puts what the parameter has as gradient, or zeros, into its bucket.
  void fill(size_t i) {
    const NoGradGuard no_grad;
    Parameter& p = parameters[i];
    Tensor grad = low ? low->take_gradient(i) : p.tensor.grad();
    if (shards_each > 1) {
      p.shards.add(grad);
      grad = p.shards.take();
    }
    p.used = grad.defined();
    if (buckets[p.bucket].flags > 0) buckets[p.bucket].memory[p.flag].fill_(p.used ? 1 : 0);
    if (!grad.defined())
      p.view.zero_();
    else if (grad.data_ptr() != p.view.data_ptr())
      p.view.copy_(grad);
    if (p.used && !low) p.tensor.mutable_grad() = p.view;
    --buckets[p.bucket].missing;
  }

  /// What all ranks' numbers are divided by after they were summed; 0 where the sum needs no such step.
  double divisor() const {
    if (options.op == ReduceOp::SUM) return 0;
    if (options.logical_shards > 0) return static_cast<double>(options.logical_shards);
    return is_joinable && !joining.divide_by_initial_world_size ? static_cast<double>(active) : 0;
  }
  ReduceOp op() const { return divisor() > 0 ? ReduceOp::SUM : options.op; }

  Collective reduction(const Bucket& b) const {
    Collective c{.kind = CollectiveKind::kAllReduce, .dtype = b.memory.dtype(), .op = op()};
    c.device = b.memory.device();
    c.in = c.out = b.memory.data_ptr();
    c.in_count = c.out_count = b.memory.numel();
    return c;
  }

  GradBucket for_hook(size_t index) const {
    GradBucket bucket{index, buckets[index].memory, {}, op(), group};
    for (const size_t i : buckets[index].parameters) bucket.gradients.push_back(parameters[i].view);
    return bucket;
  }

  /// In the order of buckets, which is the same on all ranks. Beside the last one nothing is left to compute, so that
  /// one is not worth another thread.
  void send_full_buckets() {
    for (; next + 1 < buckets.size() && buckets[next].missing == 0; ++next) send(next);
  }
  void send(size_t b) {
    if (hook)
      buckets[b].work = hook->start(for_hook(b));
    else if (b + 1 < buckets.size())
      buckets[b].work = group->start(reduction(buckets[b]));
    else
      group->run(reduction(buckets[b]));
  }

  /// After the last gradient of a pass: those that did not come count as zeros.
  void finish_pass() {
    is_running = false;
    shard = 0;
    for (size_t i = 0; i < parameters.size(); ++i)
      if (!std::exchange(parameters[i].ready, true)) fill(i);
    send_full_buckets();
    send(next);
    receive();
  }

  void receive() {
    const NoGradGuard no_grad;
    for (Bucket& b : buckets) {
      if (b.work) b.work->wait();
      if (divisor() > 0) b.memory.div_(divisor());
      if (b.flags > 0) b.shares = b.memory.narrow(0, b.memory.numel() - b.flags, b.flags).cpu();
      if (b.work) b.work->wait();  // a device has come so far only now, and a rank may have failed meanwhile
    }
    if (low) low->leave();
    for (Parameter& p : parameters) take(p);
    if (!is_ordered) order_by_readiness();
  }

  /// A parameter that got a gradient on other ranks alone has one now.
  void take(Parameter& p) {
    if (is_known()) return p.is_used_somewhere ? give(p) : void();
    const Bucket& b = buckets[p.bucket];
    const double share = b.shares[p.flag - b.memory.numel() + b.shares.numel()].item<double>();
    if (options.strict && share < full_share()) fail_unused(p);
    p.first_uses = p.uses, p.is_used_somewhere = share > 0;
    if (share > 0) give(p);
  }

  /// The average, in the dtype of the parameter.
  static void give(Parameter& p) {
    p.tensor.mutable_grad() = p.view.dtype() == p.tensor.dtype() ? p.view : p.view.to(p.tensor.dtype());
  }

  /// Less than the flags of a parameter that got its gradient everywhere become, and more than those of any other.
  double full_share() const {
    const double ranks = is_joinable ? static_cast<double>(active) : static_cast<double>(group->size());
    const double by = divisor() > 0 ? divisor() : options.op == ReduceOp::SUM ? 1 : static_cast<double>(group->size());
    return (ranks - 0.5) / by;
  }

  /// All ranks know that one has none, so they can ask together which.
  [[noreturn]] void fail_unused(const Parameter& p) {
    const Tensor used = all_gather_into_tensor(own(full({1}, int64_t{p.used}, kLong)), group).cpu();
    int64_t rank = 0;
    while (used[rank].item<int64_t>() != 0) ++rank;
    STRATA_THROW("DistributedDataParallel: parameter {} got no gradient on rank {}", p.name, rank);
  }

  /// Buckets anew, in the order of rank 0's first pass.
  void order_by_readiness() {
    is_ordered = true;
    const auto all = static_cast<int64_t>(parameters.size());
    std::vector<int64_t> order(ready_order.begin(), ready_order.end());
    for (int64_t i = 0; i < all; ++i)
      if (std::find(order.begin(), order.end(), i) == order.end()) order.push_back(i);
    const Tensor agreed = broadcast(own(tensor(order, kLong)), 0, group).cpu();
    std::vector<size_t> indices;
    for (int64_t i = 0; i < all; ++i) indices.push_back(static_cast<size_t>(agreed[i].item<int64_t>()));
    make_buckets(indices);
    const NoGradGuard no_grad;
    for (Parameter& p : parameters)
      if (p.tensor.grad().defined()) p.view.copy_(p.tensor.grad()), give(p);
  }

  // ---- Ranks that have no more batches ------------------------------------------------------------------------------

  enum class Event : int64_t { kEnded, kBuffers, kBackward };

  /// Tells those that have ended what comes, so that they do it too. The first rank that trains is the one whose
  /// buffers count.
  Event announce(Event mine) {
    if (!is_joinable) return mine;
    const Tensor all = all_gather_into_tensor(full({1}, static_cast<int64_t>(mine), kLong), group);
    Event event = Event::kEnded;
    active = 0;
    for (int64_t r = group->size(); r-- > 0;) {
      const auto theirs = static_cast<Event>(all[r].item<int64_t>());
      if (theirs == Event::kEnded) continue;
      STRATA_CHECK(event == Event::kEnded || event == theirs,
                   "join: rank {} runs forward where rank {} runs backward; do both as often on each", r, source);
      event = theirs, source = r, ++active;
    }
    STRATA_CHECK(!joining.throw_on_early_termination || active == group->size() || active == 0,
                 "join: {} of {} ranks have no more batches", group->size() - active, group->size());
    return event;
  }

  void send_buffers() {
    announce(Event::kBuffers);
    broadcast_coalesced(buffers, source, group);
  }

  /// Zeros from this rank, which has ended, to all buckets of a pass.
  void shadow_pass() {
    const NoGradGuard no_grad;
    ready_order.clear();
    for (size_t b = 0; b < buckets.size(); ++b) {
      buckets[b].memory.zero_();
      buckets[b].work = nullptr;
      send(b);
    }
    for (Parameter& p : parameters) p.used = true;
    receive();
  }

  void shadow_the_others() {
    for (;;) switch (announce(Event::kEnded)) {
        case Event::kEnded:
          return;
        case Event::kBuffers:
          broadcast_coalesced(buffers, source, group);
          break;
        case Event::kBackward:
          shadow_pass();
      }
  }

  void join(const strata::detail::Function<void()>& train, const JoinOptions& how) {
    STRATA_CHECK(options.logical_shards == 0, "join: logical shards are the same number on each rank");
    STRATA_CHECK(!options.static_graph, "join: a rank that has ended has no static graph; leave static_graph away");
    joining = how;
    is_joinable = true;
    active = group->size();
    struct End {
      Impl& reducer;
      ~End() { reducer.is_joinable = false, reducer.source = 0; }
    } const end{*this};
    train();
    shadow_the_others();
    broadcast_coalesced(everything, source, group);
  }
};

Reducer::Reducer(const OrderedDict<std::string, Tensor>& parameters, const std::vector<Tensor>& buffers,
                 const ReducerOptions& options)
    : impl_(std::make_unique<Impl>()) {
  impl_->options = options;
  impl_->group = options.group ? options.group : find_group("");
  impl_->buffers = buffers;
  for (const auto& item : parameters)
    if (item.value().requires_grad()) impl_->parameters.emplace_back(item.key(), item.value());
  STRATA_CHECK(!impl_->parameters.empty(), "DistributedDataParallel: no parameter requires grad");
  STRATA_CHECK(options.op == ReduceOp::AVG || options.op == ReduceOp::SUM, "DistributedDataParallel: {} of gradients",
               name(options.op));
  STRATA_CHECK(options.logical_shards == 0 || !(options.static_graph || options.mixed_precision.param_dtype ||
                                                options.mixed_precision.reduce_dtype),
               "DistributedDataParallel: logical_shards go with neither static_graph nor mixed_precision");
  if (options.logical_shards > 0) impl_->share_shards();
  impl_->prepare_precision();
  impl_->check_same_on_all_ranks();
  impl_->everything = buffers;
  for (const auto& item : parameters) impl_->everything.push_back(item.value());
  broadcast_coalesced(impl_->everything, 0, impl_->group);
  std::vector<size_t> order(impl_->parameters.size());
  std::iota(order.rbegin(), order.rend(), size_t{0});  // backward reaches the last layers first
  impl_->make_buckets(order);
  impl_->add_hooks();
}

Reducer::~Reducer() {
  for (const Parameter& p : impl_->parameters) {
    autograd::AccumulateGrad::set_buffer(p.tensor, Tensor());
    p.tensor.remove_hook(p.hook);
  }
}

void Reducer::before_forward(bool is_training) {
  strata::detail::check_not_traced("DistributedDataParallel");
  if (impl_->options.broadcast_buffers && is_training && impl_->is_synced && !impl_->buffers.empty() &&
      impl_->shard == 0)
    impl_->send_buffers();
  if (!impl_->low) return;
  impl_->is_low_for_backward = impl_->low->is_entered();
  impl_->low->enter();
}

void Reducer::after_forward(bool threw) noexcept {
  if (impl_->low && !impl_->is_low_for_backward && (threw || !GradMode::is_enabled())) impl_->low->leave();
}

void Reducer::set_sync(bool on) { impl_->is_synced = on; }
bool Reducer::sync() const { return impl_->is_synced; }
void Reducer::register_comm_hook(std::shared_ptr<CommHook> hook) { impl_->hook = std::move(hook); }
void Reducer::join(const strata::detail::Function<void()>& train, const JoinOptions& options) {
  impl_->join(train, options);
}

}  // namespace strata::distributed
