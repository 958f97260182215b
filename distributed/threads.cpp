// The group whose ranks are threads: each posts what it wants to run, and reads what the others have posted.
#include "distributed/threads.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>

#include "core/error.h"
#include "distributed/collective_check.h"
#include "distributed/split.h"
#include "ops/collective.h"
#include "ops/creation.h"

namespace strata::distributed {
namespace {

/// A message that one rank has posted.
struct Letter {
  Collective c;
  bool is_done = false;
  std::string error;
};
using Letters = std::vector<std::shared_ptr<Letter>>;

/// Elements of `c.out` from `to` on, of `from` from `start` on.
void copy(const Collective& c, int64_t to, const void* from, int64_t start, int64_t count) {
  const auto item = static_cast<int64_t>(item_size(c.dtype));
  char* const out = static_cast<char*>(c.out) + to * item;
  const char* const in = static_cast<const char*>(from) + start * item;
  if (count > 0 && out != in) std::memcpy(out, in, static_cast<size_t>(count * item));
}

/// Where ranks meet. `meet` is a barrier that throws on all ranks as soon as one cannot come.
class Hub : public std::enable_shared_from_this<Hub> {
 public:
  Hub(std::string group_name, int64_t world_size, std::chrono::milliseconds timeout)
      : name(std::move(group_name)), size(world_size), timeout_(timeout), posted_(static_cast<size_t>(world_size)) {}
  /// Where some ranks of another one meet.
  Hub(std::string group_name, std::weak_ptr<Hub> whole, std::vector<int64_t> ranks, std::chrono::milliseconds timeout)
      : Hub(std::move(group_name), static_cast<int64_t>(ranks.size()), timeout) {
    whole_ = std::move(whole);
    ranks_ = std::move(ranks);
  }

  /// Shows the other ranks what this one runs, once all are there.
  void post(int64_t rank, const Collective& c) {
    std::unique_lock lock(mutex_);
    posted_[static_cast<size_t>(rank)] = &c;
    meet(lock, rank, c);
  }
  /// Returns when all ranks have read what the others posted.
  void done(int64_t rank, const Collective& c) {
    std::unique_lock lock(mutex_);
    meet(lock, rank, c);
  }
  const Collective& of(int64_t rank) const { return *posted_[static_cast<size_t>(rank)]; }

  /// The first that is sent and the first that is received by a tag make a pair.
  void post_letter(int64_t rank, const std::shared_ptr<Letter>& letter) {
    const std::lock_guard lock(mutex_);
    const bool is_sent = letter->c.kind == CollectiveKind::kSend;
    const int64_t from = is_sent ? rank : letter->c.root, to = is_sent ? letter->c.root : rank;
    Mail& mail = mail_[{from, to, letter->c.tag}];
    (is_sent ? mail.sent : mail.received).push_back(letter);
    if (mail.sent.empty() || mail.received.empty()) return;
    deliver(*mail.sent.front(), *mail.received.front());
    mail.sent.pop_front(), mail.received.pop_front();
    changed_.notify_all();
  }
  void wait_for(int64_t rank, const Letter& letter) {
    std::unique_lock lock(mutex_);
    wait(lock, rank, letter.c, [&] { return letter.is_done; });
    STRATA_CHECK(letter.error.empty(), "{}", letter.error);
  }
  /// Nobody waits for these any more.
  void withdraw(const Letters& letters) {
    const std::lock_guard lock(mutex_);
    const auto is_one = [&](const auto& l) { return std::find(letters.begin(), letters.end(), l) != letters.end(); };
    for (auto& [key, mail] : mail_) std::erase_if(mail.sent, is_one), std::erase_if(mail.received, is_one);
  }

  /// A rank has ended, by an error or well: nobody may wait for it from now on. The first error is the one that counts,
  /// or that of the rank that closed the group because of it: others may have heard of it before this rank has ended.
  void leave(int64_t rank, std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (error && (!error_ || rank == closed_by_)) error_ = error;
    if (why_.empty())
      why_ = strata::detail::format_message(error ? "rank {} has failed" : "rank {} has ended already", {rank});
    changed_.notify_all();
    for (const auto& [key, weak] : parts_) {
      const auto own = std::find(key.ranks.begin(), key.ranks.end(), rank);
      const std::shared_ptr<Hub> part = own == key.ranks.end() ? nullptr : weak.lock();
      if (part) part->leave(own - key.ranks.begin(), error);
    }
  }
  /// A rank calls it off: nobody may wait for it from now on.
  void close(int64_t rank) {
    note_closed(rank);
    const std::lock_guard lock(mutex_);
    if (why_.empty()) why_ = strata::detail::format_message("rank {} has closed the group", {rank});
    changed_.notify_all();
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

  /// Which part of a group: the number of the split, and the ranks.
  struct PartKey {
    int64_t split;
    std::vector<int64_t> ranks;
    auto operator<=>(const PartKey&) const = default;
  };
  /// Where these ranks meet after a split; whoever comes first makes it.
  std::shared_ptr<Hub> part(const PartKey& key, const std::string& part_name) {
    const std::lock_guard lock(mutex_);
    std::erase_if(parts_, [](const auto& entry) { return entry.second.expired(); });
    std::shared_ptr<Hub> found = parts_[key].lock();
    if (!found) parts_[key] = found = std::make_shared<Hub>(part_name, weak_from_this(), key.ranks, timeout_);
    return found;
  }

  const std::string name;
  const int64_t size;

 private:
  /// What one rank has posted for another and that has not, by one tag.
  struct Mail {
    std::deque<std::shared_ptr<Letter>> sent, received;
  };
  static void deliver(Letter& sent, Letter& received) {
    const Collective &from = sent.c, &to = received.c;
    if (from.dtype == to.dtype && from.in_count == to.out_count)
      copy(to, 0, from.in, 0, to.out_count);
    else
      sent.error = received.error = strata::detail::format_message(
          "recv: rank {} sends {} elements of {}, rank {} takes {} of {}",
          {to.root, from.in_count, strata::name(from.dtype), from.root, to.out_count, strata::name(to.dtype)});
    sent.is_done = received.is_done = true;
  }

  /// A rank closes this group or a part of it, and nobody has left before.
  void note_closed(int64_t rank) {
    {
      const std::lock_guard lock(mutex_);
      if (!why_.empty() || closed_by_ >= 0) return;
      closed_by_ = rank;
    }
    if (const auto whole = whole_.lock()) whole->note_closed(ranks_[static_cast<size_t>(rank)]);
  }

  /// A rank that has given up counts among those that have come, so nobody may come after it.
  void meet(std::unique_lock<std::mutex>& lock, int64_t rank, const Collective& c) {
    STRATA_CHECK(why_.empty(), "distributed: group {}: {}", name, why_);
    const uint64_t round = round_;
    if (++arrived_ == size) {
      arrived_ = 0;
      ++round_;
      changed_.notify_all();
    } else {
      wait(lock, rank, c, [&] { return round_ != round; });
    }
  }
  template <class Condition>
  void wait(std::unique_lock<std::mutex>& lock, int64_t rank, const Collective& c, const Condition& condition) {
    if (!changed_.wait_for(lock, timeout_, [&] { return condition() || !why_.empty(); })) {
      why_ = strata::detail::format_message("rank {} has waited in {} for {} ms",
                                            {rank, strata::name(c.kind), timeout_.count()});
      changed_.notify_all();
    }
    STRATA_CHECK(condition(), "distributed: group {}: {}", name, why_);
  }

  const std::chrono::milliseconds timeout_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<const Collective*> posted_;
  std::map<std::tuple<int64_t, int64_t, uint32_t>, Mail> mail_;  ///< from, to, tag
  std::map<PartKey, std::weak_ptr<Hub>> parts_;
  int64_t arrived_ = 0;
  uint64_t round_ = 0;
  std::string why_;         ///< of the first rank that left
  int64_t closed_by_ = -1;  ///< that rank, if it has closed the group before it left
  std::weak_ptr<Hub> whole_;
  std::vector<int64_t> ranks_;  ///< by number in the whole
  std::exception_ptr error_;
};

/// `count` elements from `start` on, as a tensor.
Tensor elements(const void* data, DType dtype, int64_t start, int64_t count) {
  auto* const first = static_cast<char*>(const_cast<void*>(data)) + start * static_cast<int64_t>(item_size(dtype));
  return from_blob(first, {count}, TensorOptions(dtype));
}

/// Messages under way.
class Posted final : public Work {
 public:
  Posted(std::shared_ptr<Hub> hub, int64_t rank, Letters letters)
      : hub_(std::move(hub)), rank_(rank), letters_(std::move(letters)) {}
  ~Posted() override { hub_->withdraw(letters_); }
  void wait() override {
    for (const auto& letter : letters_) hub_->wait_for(rank_, *letter);
  }

 private:
  const std::shared_ptr<Hub> hub_;
  const int64_t rank_;
  const Letters letters_;
};

class ThreadGroup final : public Communicator, public Divisible {
 public:
  ThreadGroup(std::shared_ptr<Hub> hub, int64_t rank) : shared_(std::move(hub)), rank_(rank) {}
  const std::string& name() const override { return hub_.name; }
  int64_t rank() const override { return rank_; }
  int64_t size() const override { return hub_.size; }

  ProcessGroup split(int64_t color, int64_t key, const std::string& name) override {
    const Hub::PartKey part{splits_++, ranks_of_color(*this, color, key)};
    ProcessGroup group;
    if (color >= 0) {
      const auto own = std::find(part.ranks.begin(), part.ranks.end(), rank_);
      group = std::make_shared<ThreadGroup>(hub_.part(part, name), own - part.ranks.begin());
    }
    run({});  // a part lives from here on, since all its ranks hold it
    return group;
  }

  void run(const Collective& c) override {
    if (size() == 1 && c.in == c.out) return;  // on any device
    check_device(c);
    ++calls_;
    hub_.post(rank_, c);
    Tensor result;
    try {
      check_same(c);
      if (is_reduction(c.kind))
        result = reduced(c);
      else
        move(c);
    } catch (...) {
      hub_.done(rank_, c);  // the others may be reading what this rank has posted
      throw;
    }
    hub_.done(rank_, c);
    if (result.defined()) copy(c, 0, result.data_ptr(), 0, result.numel());  // `out` may be what the others have read
  }

  void close() override { hub_.close(rank_); }

  std::shared_ptr<Work> start_messages(std::span<const Collective> messages) override {
    Letters letters;
    for (const Collective& c : messages) {
      check_device(c);
      letters.push_back(std::make_shared<Letter>(Letter{c, false, ""}));
    }
    const auto posted = std::make_shared<Posted>(shared_, rank_, letters);
    for (const auto& letter : letters) hub_.post_letter(rank_, letter);
    return posted;
  }

 private:
  static void check_device(const Collective& c) {
    STRATA_CHECK(c.device.is_cpu(), "{}: ranks that are threads have tensors of the CPU, not of {}",
                 strata::name(c.kind), c.device.str());
  }
  /// Throws on all ranks alike where what they call differs.
  void check_same(const Collective& c) const {
    std::vector<const Collective*> all;
    for (int64_t r = 0; r < size(); ++r) all.push_back(&hub_.of(r));
    const std::string why = difference_between(all);
    STRATA_CHECK(why.empty(), "{} (call {} of group {}, rank {} of {}): {}", strata::name(c.kind), calls_, name(),
                 rank_, size(), why);
  }

  Tensor reduced(const Collective& c) const {
    if (c.kind == CollectiveKind::kReduce && c.root != rank_) return {};
    const bool scattered = c.kind == CollectiveKind::kReduceScatter;
    std::vector<Tensor> parts;
    for (int64_t r = 0; r < size(); ++r)
      parts.push_back(elements(hub_.of(r).in, c.dtype, scattered ? rank_ * c.out_count : 0, c.out_count));
    return size() == 1 ? parts[0].clone() : reduce_in_pairs(std::move(parts), c.op);
  }

  void move(const Collective& c) const {
    switch (c.kind) {
      case CollectiveKind::kBroadcast:
        return copy(c, 0, hub_.of(c.root).in, 0, c.out_count);
      case CollectiveKind::kAllGather:
        return gather(c);
      case CollectiveKind::kGather:
        return c.root == rank_ ? gather(c) : void();
      case CollectiveKind::kScatter:
        return copy(c, 0, hub_.of(c.root).in, rank_ * c.out_count, c.out_count);
      case CollectiveKind::kAllToAll:
        return exchange(c);
      case CollectiveKind::kPermute:
        return c.out_counts[0] < 0 ? void() : copy(c, 0, hub_.of(c.out_counts[0]).in, 0, c.out_count);
      default:
        return;  // a barrier moves nothing
    }
  }

  void gather(const Collective& c) const {
    for (int64_t r = 0; r < size(); ++r) copy(c, r * c.in_count, hub_.of(r).in, 0, c.in_count);
  }

  void exchange(const Collective& c) const {
    int64_t to = 0;
    for (int64_t r = 0; r < size(); ++r) {
      const Collective& sender = hub_.of(r);
      int64_t start = 0;
      for (int64_t i = 0; i < rank_; ++i) start += piece(sender.in_counts, sender.in_count, i);
      const int64_t count = piece(sender.in_counts, sender.in_count, rank_);
      copy(c, to, sender.in, start, count);
      to += count;
    }
  }
  int64_t piece(const std::vector<int64_t>& counts, int64_t total, int64_t i) const {
    return counts.empty() ? total / size() : counts[static_cast<size_t>(i)];
  }

  const std::shared_ptr<Hub> shared_;
  Hub& hub_ = *shared_;
  const int64_t rank_;
  int64_t splits_ = 0;
  int64_t calls_ = 0;  ///< of collectives
};

}  // namespace

/// A rank that is alone waits for nobody.
ProcessGroup single_rank(const std::string& name) {
  return std::make_shared<ThreadGroup>(std::make_shared<Hub>(name, 1, std::chrono::milliseconds(0)), 0);
}

void run_threads(int64_t world_size, const strata::detail::Function<void(const ProcessGroup&)>& body,
                 const std::string& name, std::chrono::milliseconds timeout) {
  STRATA_CHECK(world_size > 0, "run_threads: {} ranks", world_size);
  const auto hub = std::make_shared<Hub>(name, world_size, timeout);
  std::vector<std::thread> ranks;
  for (int64_t rank = 0; rank < world_size; ++rank) {
    ranks.emplace_back([hub, rank, body] {
      std::exception_ptr error;
      try {
        const auto group = std::make_shared<ThreadGroup>(hub, rank);
        const GroupScope scope(group, GroupScope::Reach::kThread);
        body(group);
      } catch (...) {
        error = std::current_exception();
      }
      hub->leave(rank, error);
    });
  }
  for (std::thread& t : ranks) t.join();
  hub->rethrow();
}

}  // namespace strata::distributed
