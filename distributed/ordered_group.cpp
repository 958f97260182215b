// Reductions in a fixed order over any engine.
#include "distributed/ordered_group.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "core/error.h"
#include "distributed/collective_check.h"
#include "distributed/failure_watch.h"
#include "distributed/one_caller.h"
#include "distributed/split.h"
#include "ops/collective.h"
#include "ops/creation.h"
#include "ops/view.h"

namespace strata::distributed {
namespace {

/// Up to here one message to each rank takes less time than two of its W-th part.
constexpr int64_t kSmallBytes = int64_t{16} << 10;
/// What travels at once. Each round costs Gloo's thread and this one some messages before the numbers, so there are
/// few.
constexpr int64_t kRoundBytes = int64_t{4} << 20;

/// Tags of what an all_reduce sends; 0 is the user's.
constexpr uint32_t kPieces = 1, kSums = 2;

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

using Works = std::vector<std::shared_ptr<Work>>;

class OrderedGroup final : public Communicator, public Divisible {
 public:
  OrderedGroup(ProcessGroup engine, std::shared_ptr<GroupWatch> watch)
      : engine_(std::move(engine)), watch_(std::move(watch)) {}
  ~OrderedGroup() override {
    bool is_needed;
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
      is_needed = !queue_.empty();  // nobody waits for these any more
    }
    if (is_needed || std::uncaught_exceptions() > 0) close();
    came_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  const std::string& name() const override { return engine_->name(); }
  int64_t rank() const override { return engine_->rank(); }
  int64_t size() const override { return engine_->size(); }
  /// Called where an exception is handled, it tells the others of that.
  void close() override {
    if (watch_) watch_->agree(why_closed());
    engine_->close();
    if (watch_) watch_->wait_for_others();
  }

  /// By the calling thread, once all that was started is done.
  void run(const Collective& c) override {
    const OneCaller::Turn turn(caller_, name());
    wait_until_idle();
    execute(c, [&] { dispatch(c); });
  }

  ProcessGroup split(int64_t color, int64_t key, const std::string& name) override {
    auto* const engine = dynamic_cast<Divisible*>(engine_.get());
    STRATA_CHECK(engine, "split: the engine of group {} cannot divide it", engine_->name());
    const OneCaller::Turn turn(caller_, this->name());
    run({});  // nothing that was started uses the engine from here on
    try {
      const std::vector<int64_t> ranks = watch_ ? ranks_of_color(*engine_, color, key) : std::vector<int64_t>();
      const ProcessGroup part = engine->split(color, key, name);
      if (!part) return nullptr;
      return ordered_group(part, watch_ ? watch_->part(part, ranks, sequence_) : nullptr);
    } catch (const std::exception& e) {
      const std::string why = strata::detail::format_message("split (into {}, of group {}, rank {} of {}): {}",
                                                             {name, this->name(), rank(), size(), e.what()});
      const std::string text = watch_ ? watch_->agree(why) : why;
      engine_->close();
      throw Error(text);
    }
  }

  std::shared_ptr<Work> start(const Collective& c) override {
    const OneCaller::Turn turn(caller_, name());
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    const auto queued = std::make_shared<Queued>(c);
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back(queued);
    }
    came_.notify_one();
    return queued;
  }

  /// They travel from here on; the group runs them, as its watch sees it, while somebody waits.
  std::shared_ptr<Work> start_messages(std::span<const Collective> messages) override {
    const OneCaller::Turn turn(caller_, name());
    auto started = std::make_shared<Messages>(*this);
    for (const Collective& c : messages) started->add(c, post(c));
    return started;
  }

 private:
  /// Messages under way.
  class Messages final : public Work {
   public:
    explicit Messages(OrderedGroup& group) : group_(group) {}
    void add(const Collective& c, std::shared_ptr<Work> work) { messages_.emplace_back(c, std::move(work)); }
    void wait() override {
      const OneCaller::Turn turn(group_.caller_, group_.name());
      group_.wait_until_idle();
      for (const auto& [c, work] : messages_) group_.execute(c, [&w = work] { w->wait(); });
    }

   private:
    OrderedGroup& group_;
    std::vector<std::pair<Collective, std::shared_ptr<Work>>> messages_;
  };

  /// Throws what went wrong when somebody waits, since only then all ranks can agree on it.
  std::shared_ptr<Work> post(const Collective& c) {
    try {
      return engine_->start_messages({&c, 1});
    } catch (const std::exception& e) {
      const auto failed = std::make_shared<Queued>(c);
      failed->finish(e.what());
      return failed;
    }
  }

  void wait_until_idle() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [&] { return queue_.empty(); });
  }

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
        execute(next->collective, [&] { dispatch(next->collective); });
      } catch (const std::exception& e) {
        error = e.what();
      }
      lock.lock();
      queue_.pop_front();
      next->finish(std::move(error));
      if (queue_.empty()) idle_.notify_all();
    }
  }

  /// What every call has around it.
  template <class F>
  void execute(const Collective& c, const F& move) {
    STRATA_CHECK(failure_.empty(), "{}", failure_);
    const int64_t sequence = is_message(c.kind) ? ++messages_ : ++sequence_;
    try {
      if (watch_) watch_->begin(c, sequence);
      if (watch_ && watch_->compares() && !is_message(c.kind)) check_same_collective(*engine_, c);
      move();
      if (watch_) watch_->end();
    } catch (const std::exception& e) {
      fail(c, sequence, e.what());
    }
  }

  [[noreturn]] void fail(const Collective& c, int64_t sequence, const char* why) {
    failure_ = watch_ ? watch_->agree(why)
                      : strata::detail::format_message("{} (call {} of group {}, rank {} of {}): {}",
                                                       {strata::name(c.kind), sequence, name(), rank(), size(), why});
    engine_->close();
    ahead_.reset();  // its memory is the caller's, who hears of the failure next
    if (watch_) watch_->wait_for_others();
    throw Error(failure_);
  }

  std::string why_closed() const {
    std::string why = strata::detail::format_message("rank {} has closed the group", {rank()});
    try {
      if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
    } catch (const std::exception& e) {
      why += std::string(" after: ") + e.what();
    } catch (...) {
    }
    return why;
  }

  void dispatch(const Collective& c) {
    switch (c.kind) {
      case CollectiveKind::kAllReduce:
        return is_large_sum(c) ? all_reduce(c) : reduce_small(c);
      case CollectiveKind::kReduceScatter:
        return reduce_scatter(c);
      case CollectiveKind::kReduce:
        return reduce(c);
      default:
        return engine_->run(c);
    }
  }

  static bool is_large_sum(const Collective& c) {
    return c.kind == CollectiveKind::kAllReduce && c.in_count * item(c) > kSmallBytes;
  }
  static int64_t item(const Collective& c) { return static_cast<int64_t>(item_size(c.dtype)); }
  static Tensor memory(const Collective& c, int64_t count) { return empty({count}, TensorOptions(c.dtype)); }
  /// Memory of the caller as a tensor.
  static Tensor numbers(const Collective& c, const void* data, int64_t start, int64_t count) {
    auto* const first = static_cast<char*>(const_cast<void*>(data)) + start * item(c);
    return from_blob(first, {count}, TensorOptions(c.dtype));
  }
  /// The sum of `all`, one row for each rank, into `out`.
  static void sum_rows(const Tensor& all, const Collective& c, int64_t count) {
    Tensor out = numbers(c, c.out, 0, count);
    reduce_in_pairs_(unbind(all, 0), c.op, out);
  }
  Collective part(const Collective& c, CollectiveKind kind) const {
    return {.kind = kind, .dtype = c.dtype, .root = c.root, .device = c.device};
  }

  void reduce_small(const Collective& c) {
    const Tensor all = memory(c, size() * c.in_count);
    gather_all(c, c.in, c.in_count, all.data_ptr());
    sum_rows(all.view({size(), c.in_count}), c, c.in_count);
  }

  void gather_all(const Collective& c, const void* in, int64_t count, void* out) {
    Collective gather = part(c, CollectiveKind::kAllGather);
    gather.in = in, gather.in_count = count;
    gather.out = out, gather.out_count = size() * count;
    engine_->run(gather);
  }

  /// A part of an all_reduce: each rank sums one piece of everybody's numbers and sends it to all. The pieces are equal
  /// but for the last ones, which are shorter.
  struct Round {
    int64_t start = 0, count = 0, length = 0;
    std::pair<int64_t, int64_t> piece(int64_t rank) const {
      const int64_t from = std::min(rank * length, count);
      return {start + from, std::min(length, count - from)};
    }
    Works works;  ///< what is sent, and the sums that come
  };

  static void wait(const Works& works) {
    for (const auto& work : works) work->wait();
  }

  std::vector<Round> rounds_of(const Collective& c) const {
    const int64_t step = std::max<int64_t>(kRoundBytes / item(c), size());
    std::vector<Round> rounds;
    for (int64_t at = 0; at < c.in_count; at += step) {
      const int64_t count = std::min(step, c.in_count - at);
      rounds.push_back({at, count, (count + size() - 1) / size(), {}});
    }
    return rounds;
  }

  /// While one round is being summed, the next one travels: of this sum or of that which waits behind it.
  void all_reduce(const Collective& c) {
    std::vector<Round> rounds = rounds_of(c);
    if (!staging_.defined()) make_staging();
    ask_for_next_call();  // that is this one, if it is the first
    if (ahead_)
      rounds[0] = *std::exchange(ahead_, std::nullopt);
    else
      collect(c, rounds[0]);
    for (size_t i = 0; i < rounds.size(); ++i) {
      if (i + 1 < rounds.size())
        collect(c, rounds[i + 1]);
      else
        collect_ahead();
      const int64_t place = sum(c, rounds[i]);
      if (i + 2 < rounds.size()) ask_for_pieces(place);
    }
    for (const Round& round : rounds) wait(round.works);
    ask_for_next_call();
  }

  /// The first round of the sum that comes next, if that is known. Ranks need not know of it at the same time: what one
  /// rank sends to another keeps its order. In debug mode the two calls are compared before anything travels.
  void collect_ahead() {
    if (watch_ && watch_->compares()) return;
    std::shared_ptr<Queued> next;
    {
      const std::lock_guard lock(mutex_);
      if (queue_.size() > 1) next = queue_[1];  // the first one is the one that runs
    }
    if (!next || !is_large_sum(next->collective)) return;
    ahead_ = rounds_of(next->collective)[0];
    collect(next->collective, *ahead_);
  }

  /// Sends the other ranks' pieces of a round to them. Their sums are asked for already, so that they can be sent as
  /// soon as they are there: one comes to the place of a piece that its rank has.
  void collect(const Collective& c, Round& r) {
    for (int64_t i = 1; i < size(); ++i) {
      const int64_t from = (rank() + size() - i) % size();
      const auto [start, count] = r.piece(from);
      if (count > 0)
        r.works.push_back(receive(kSums, c.dtype, numbers(c, c.out, start, count).data_ptr(), count, from));
    }
    for (int64_t i = 1; i < size(); ++i) {
      const int64_t to = (rank() + i) % size();
      const auto [start, count] = r.piece(to);
      if (count > 0) r.works.push_back(send(kPieces, c.dtype, numbers(c, c.in, start, count).data_ptr(), count, to));
    }
  }

  /// Sums everybody's numbers of the own piece, and sends the sums to all. Returns the place where they came.
  int64_t sum(const Collective& c, Round& r) {
    const int64_t place = sums_ % 2;
    const auto [start, count] = r.piece(rank());
    if (count == 0) return place;
    ++sums_;
    wait(std::exchange(pieces_[place], {}));
    std::vector<Tensor> rows;
    for (int64_t from = 0; from < size(); ++from) rows.push_back(numbers(c, staged(place, from), 0, count));
    Tensor out = numbers(c, c.out, start, count);
    if (c.out != c.in) out.copy_(numbers(c, c.in, start, count));
    rows[static_cast<size_t>(rank())] = out;
    reduce_in_pairs_(std::move(rows), c.op, out);
    for (int64_t i = 1; i < size(); ++i)
      r.works.push_back(send(kSums, c.dtype, out.data_ptr(), count, (rank() + i) % size()));
    return place;
  }

  /// The others' numbers of the own piece come to two places in turn. They are asked for before anybody has them, also
  /// those of the next call: who has to ask whether it may send waits for several turns of a busy machine. What is
  /// asked for first comes first, so the two have to be asked for in their turns.
  void make_staging() { staging_ = empty({2, size(), (kRoundBytes / size() / 16 + 2) * 16}, kByte); }
  void* staged(int64_t place, int64_t from) const { return staging_[place][from].data_ptr(); }
  void ask_for_pieces(int64_t place) {
    if (!pieces_[place].empty()) return;  // they are asked for already
    for (int64_t i = 1; i < size(); ++i) {
      const int64_t from = (rank() + size() - i) % size();
      pieces_[place].push_back(receive(kPieces, kByte, staged(place, from), staging_.size(2), from));
    }
  }

  /// A rank that this was the last call of may leave now, and the system drops what it has sent where something comes
  /// to a connection that it has closed. So nobody is asked before everything of this call is there, and one who has
  /// left is found by the next call, when it waits.
  void ask_for_next_call() {
    for (const int64_t turn : {0, 1}) ask_for_pieces((sums_ + turn) % 2);
  }

  /// Half of a kPermute: to or from one rank.
  std::shared_ptr<Work> send(uint32_t tag, DType dtype, const void* numbers, int64_t count, int64_t to) {
    Collective p{.kind = CollectiveKind::kPermute, .dtype = dtype, .tag = tag};
    p.in = numbers, p.in_count = count, p.in_counts = {to}, p.out_counts = {-1};
    return engine_->start(p);
  }
  std::shared_ptr<Work> receive(uint32_t tag, DType dtype, void* numbers, int64_t count, int64_t from) {
    Collective p{.kind = CollectiveKind::kPermute, .dtype = dtype, .tag = tag};
    p.out = numbers, p.out_count = count, p.out_counts = {from}, p.in_counts = {-1};
    return engine_->start(p);
  }

  void reduce_scatter(const Collective& c) {
    const Tensor mine = memory(c, c.in_count);
    Collective exchange = part(c, CollectiveKind::kAllToAll);
    exchange.in = c.in, exchange.in_count = c.in_count;
    exchange.out = mine.data_ptr(), exchange.out_count = c.in_count;
    engine_->run(exchange);
    sum_rows(mine.view({size(), c.out_count}), c, c.out_count);
  }

  void reduce(const Collective& c) {
    const bool is_root = c.root == rank();
    const Tensor all = memory(c, is_root ? size() * c.in_count : 0);
    Collective gather = part(c, CollectiveKind::kGather);
    gather.in = c.in, gather.in_count = c.in_count;
    gather.out = all.data_ptr(), gather.out_count = all.numel();
    engine_->run(gather);
    if (is_root) sum_rows(all.view({size(), c.in_count}), c, c.in_count);
  }

  const ProcessGroup engine_;
  const std::shared_ptr<GroupWatch> watch_;  ///< may be null
  OneCaller caller_;
  int64_t sequence_ = 0, messages_ = 0;  // these seven belong to the thread that executes
  std::string failure_;
  Tensor staging_;  ///< (place, rank, bytes)
  Works pieces_[2];
  int64_t sums_ = 0;            ///< so far, and so the next one's place
  std::optional<Round> ahead_;  ///< what the next call need not collect
  std::mutex mutex_;
  std::condition_variable came_, idle_;
  std::deque<std::shared_ptr<Queued>> queue_;
  bool ends_ = false;
  std::thread thread_;  ///< from the first start on
};

}  // namespace

ProcessGroup ordered_group(ProcessGroup engine, std::shared_ptr<GroupWatch> watch) {
  return std::make_shared<OrderedGroup>(std::move(engine), std::move(watch));
}

}  // namespace strata::distributed
