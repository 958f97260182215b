// Reductions in a fixed order over any engine.
#include "distributed/ordered_group.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

#include "core/error.h"
#include "distributed/split.h"
#include "ops/collective.h"
#include "ops/creation.h"
#include "ops/view.h"

namespace strata::distributed {
namespace {

/// Up to here one message to each rank takes less time than two of its W-th part.
constexpr int64_t kSmallBytes = int64_t{16} << 10;

/// A collective in the queue of a group's thread.
class Queued final : public Work {
 public:
  explicit Queued(const Collective& c) : collective(c) {}
  void wait() override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done_; });
    STRATA_CHECK(error_.empty(), "{}", error_);
  }
  void finish(std::string error) {
    const std::lock_guard lock(mutex_);
    error_ = std::move(error);
    done_ = true;
    changed_.notify_all();
  }
  const Collective collective;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::string error_;
};

class OrderedGroup final : public Communicator, public Divisible {
 public:
  explicit OrderedGroup(ProcessGroup engine) : engine_(std::move(engine)) {}
  ~OrderedGroup() override {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
      if (!queue_.empty()) engine_->close();  // nobody waits for these any more
    }
    came_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  const std::string& name() const override { return engine_->name(); }
  int64_t rank() const override { return engine_->rank(); }
  int64_t size() const override { return engine_->size(); }
  void close() override { engine_->close(); }

  void run(const Collective& c) override {
    if (thread_.joinable()) return start(c)->wait();
    execute(c);
  }

  ProcessGroup split(int64_t color, int64_t key, const std::string& name) override {
    auto* const engine = dynamic_cast<Divisible*>(engine_.get());
    STRATA_CHECK(engine, "split: the engine of group {} cannot divide it", engine_->name());
    run({});  // nothing that was started uses the engine from here on
    try {
      const ProcessGroup part = engine->split(color, key, name);
      return part ? ordered_group(part) : nullptr;
    } catch (const std::exception& e) {
      engine_->close();
      STRATA_THROW("split (into {}, of group {}, rank {} of {}): {}", name, this->name(), rank(), size(), e.what());
    }
  }

  std::shared_ptr<Work> start(const Collective& c) override {
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    const auto queued = std::make_shared<Queued>(c);
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back(queued);
    }
    came_.notify_one();
    return queued;
  }

 private:
  /// What the group's thread does.
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      came_.wait(lock, [&] { return ends_ || !queue_.empty(); });
      if (queue_.empty()) return;
      const std::shared_ptr<Queued> next = queue_.front();
      lock.unlock();
      std::string error;
      try {
        execute(next->collective);
      } catch (const std::exception& e) {
        error = e.what();
      }
      lock.lock();
      queue_.pop_front();
      next->finish(std::move(error));
    }
  }

  void execute(const Collective& c) {
    STRATA_CHECK(failure_.empty(), "{}", failure_);
    ++sequence_;
    try {
      dispatch(c);
    } catch (const std::exception& e) {
      fail(c, e.what());
    }
  }

  [[noreturn]] void fail(const Collective& c, const char* why) {
    failure_ = strata::detail::format_message("{} (call {} of group {}, rank {} of {}): {}",
                                              {strata::name(c.kind), sequence_, name(), rank(), size(), why});
    engine_->close();
    throw Error(failure_);
  }

  void dispatch(const Collective& c) {
    switch (c.kind) {
      case CollectiveKind::kAllReduce:
        return c.in_count * item(c) <= kSmallBytes ? reduce_small(c) : all_reduce(c);
      case CollectiveKind::kReduceScatter:
        return reduce_scatter(c);
      case CollectiveKind::kReduce:
        return reduce(c);
      default:
        return engine_->run(c);
    }
  }

  static int64_t item(const Collective& c) { return static_cast<int64_t>(item_size(c.dtype)); }
  static Tensor memory(const Collective& c, int64_t count) { return empty({count}, TensorOptions(c.dtype)); }
  /// The sum of `all`, one row for each rank, into `out`.
  static void sum_rows(const Tensor& all, ReduceOp op, void* out) {
    const Tensor sum = reduce_in_pairs(unbind(all, 0), op);
    if (sum.numel() > 0) std::memcpy(out, sum.data_ptr(), sum.nbytes());
  }
  Collective part(const Collective& c, CollectiveKind kind) const {
    return {.kind = kind, .dtype = c.dtype, .root = c.root, .device = c.device};
  }

  void reduce_small(const Collective& c) {
    const Tensor all = memory(c, size() * c.in_count);
    gather_all(c, c.in, c.in_count, all.data_ptr());
    sum_rows(all.view({size(), c.in_count}), c.op, c.out);
  }

  void gather_all(const Collective& c, const void* in, int64_t count, void* out) {
    Collective gather = part(c, CollectiveKind::kAllGather);
    gather.in = in, gather.in_count = count;
    gather.out = out, gather.out_count = size() * count;
    engine_->run(gather);
  }

  /// Each rank sums one piece of everybody's numbers. The pieces are equal but for the last ones, which are shorter.
  void all_reduce(const Collective& c) {
    const int64_t world = size(), length = (c.in_count + world - 1) / world;
    std::vector<int64_t> pieces(static_cast<size_t>(world));
    for (int64_t r = 0; r < world; ++r)
      pieces[static_cast<size_t>(r)] = std::clamp<int64_t>(c.in_count - r * length, 0, length);
    const int64_t own = pieces[static_cast<size_t>(rank())];

    const Tensor mine = memory(c, world * own), sum = memory(c, own);
    Collective exchange = part(c, CollectiveKind::kAllToAll);
    exchange.in = c.in, exchange.in_count = c.in_count, exchange.in_counts = pieces;
    exchange.out = mine.data_ptr(), exchange.out_count = world * own;
    exchange.out_counts.assign(static_cast<size_t>(world), own);
    engine_->run(exchange);
    sum_rows(mine.view({world, own}), c.op, sum.data_ptr());

    Collective gather = part(c, CollectiveKind::kAllGather);
    gather.in = sum.data_ptr(), gather.in_count = own;
    gather.out = c.out, gather.out_count = c.in_count, gather.out_counts = pieces;
    engine_->run(gather);
  }

  void reduce_scatter(const Collective& c) {
    const Tensor mine = memory(c, c.in_count);
    Collective exchange = part(c, CollectiveKind::kAllToAll);
    exchange.in = c.in, exchange.in_count = c.in_count;
    exchange.out = mine.data_ptr(), exchange.out_count = c.in_count;
    engine_->run(exchange);
    sum_rows(mine.view({size(), c.out_count}), c.op, c.out);
  }

  void reduce(const Collective& c) {
    const bool is_root = c.root == rank();
    const Tensor all = memory(c, is_root ? size() * c.in_count : 0);
    Collective gather = part(c, CollectiveKind::kGather);
    gather.in = c.in, gather.in_count = c.in_count;
    gather.out = all.data_ptr(), gather.out_count = all.numel();
    engine_->run(gather);
    if (is_root) sum_rows(all.view({size(), c.in_count}), c.op, c.out);
  }

  const ProcessGroup engine_;
  int64_t sequence_ = 0;  // these two belong to the thread that executes
  std::string failure_;
  std::mutex mutex_;
  std::condition_variable came_;
  std::deque<std::shared_ptr<Queued>> queue_;
  bool ends_ = false;
  std::thread thread_;  ///< from the first start on
};

}  // namespace

ProcessGroup ordered_group(ProcessGroup engine) { return std::make_shared<OrderedGroup>(std::move(engine)); }

}  // namespace strata::distributed
