// Finding one text for a failure, and the thread that looks for failures of others.
#include "distributed/failure_watch.h"

#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <random>
#include <sstream>

#include "core/error.h"
#include "core/function.h"

namespace strata::distributed {
namespace {

using std::chrono::milliseconds;
using strata::detail::format_message;

/// While a rank waits in a collective for longer than this, it looks for failures more often.
constexpr milliseconds kLongWait{1500};
constexpr milliseconds kFastTick{100};
/// What has arrived before a connection broke is read within this time. A call that still runs then waits for the rank
/// behind it: Gloo does not always wake it.
constexpr milliseconds kBroken{300};
/// How long rank 0 keeps its store for the others after a failure.
constexpr milliseconds kGrace{500};
/// A group of more ranks does not look for those that have not come.
constexpr size_t kMostRanksAsked = 256;
constexpr size_t kMostRanksNamed = 8;

milliseconds tick_of(const EngineOptions& o) {
  const milliseconds by_beats = o.heartbeat_timeout > milliseconds(0) ? o.heartbeat_timeout / 8 : milliseconds(500);
  return std::max(milliseconds(10), std::min(by_beats, o.timeout / 4));
}

/// For signals the program's own threads are there.
std::thread thread_without_signals(strata::detail::Function<void()> body) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::move(body));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

int64_t generation() {
  for (const char* const name : {"STRATA_GENERATION", "TORCHELASTIC_RESTART_COUNT"})
    if (const char* const text = std::getenv(name); text && *text) return std::atoll(text);
  return 0;
}

/// A heartbeat: how many there were, and the call that runs or the last one.
struct Beat {
  int64_t count = 0, sequence = 0;
  bool is_running = false;
  std::string op, group;
  std::string str() const { return format_message("{} {} {} {} {}", {count, sequence, is_running ? 1 : 0, op, group}); }
  static Beat parse(const std::string& text) {
    Beat b;
    std::istringstream in(text);
    in >> b.count >> b.sequence >> b.is_running >> b.op >> std::ws;
    std::getline(in, b.group);
    return b;
  }
  std::string where() const {
    if (sequence == 0) return "it had not called any collective";
    return format_message(
        is_running ? "its heartbeat was in {}, call {} of group {}" : "its last was {}, call {} of group {}",
        {op, sequence, group});
  }
};

std::string joined(const std::vector<int64_t>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (size_t i = 0; i < ranks.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(ranks[i]);
  return text;
}

/// Groups that a program has not left when it ends.
struct Unleft {
  std::mutex mutex;
  std::set<GroupWatch*> groups;
};
Unleft& unleft() {
  static auto* const all = new Unleft;
  return *all;
}
void leave_at_exit() {
  const std::lock_guard lock(unleft().mutex);
  for (GroupWatch* const group : unleft().groups) group->leave();
}
void remember_to_leave(GroupWatch& group) {
  static const int registered = std::atexit(leave_at_exit);
  const std::lock_guard lock(unleft().mutex);
  if (registered == 0) unleft().groups.insert(&group);
}

double seconds(std::chrono::nanoseconds t) { return static_cast<double>(t.count() / 100'000'000) / 10; }

}  // namespace

// ---- The record ----------------------------------------------------------------------------------------------------

std::string FailureRecord::str() const {
  return format_message("{}\n{}\n{}\n{}\n{}", {generation, op, sequence, rank, text});
}

FailureRecord FailureRecord::parse(const std::string& text) {
  FailureRecord r;
  std::istringstream in(text);
  in >> r.generation >> std::ws;
  std::getline(in, r.op);
  in >> r.sequence >> r.rank >> std::ws;
  r.text.assign(std::istreambuf_iterator<char>(in), {});
  return r;
}

// ---- One group -----------------------------------------------------------------------------------------------------

GroupWatch::GroupWatch(std::shared_ptr<FailureWatch> job, const ProcessGroup& engine, std::string id,
                       std::vector<int64_t> ranks)
    : job_(std::move(job)),
      engine_(engine),
      name_(engine->name()),
      id_(std::move(id)),
      rank_(engine->rank()),
      ranks_(std::move(ranks)),
      number_(job_->recorder_.add_group(name_)) {
  job_->add(*this);
  remember_to_leave(*this);
}

GroupWatch::~GroupWatch() {
  job_->remove(*this);
  {
    const std::lock_guard lock(unleft().mutex);
    unleft().groups.erase(this);
  }
  leave();
}

void GroupWatch::leave() {
  const std::lock_guard lock(job_->agreeing_);
  if (failure_.empty()) job_->store_->set(key("left/" + std::to_string(rank_)), "");
}

bool GroupWatch::has_left(int64_t rank) const {
  std::string none;
  return job_->store_->get(key("left/" + std::to_string(rank)), none) == Answer::kYes;
}

std::vector<int64_t> GroupWatch::lost_ranks() const {
  const auto engine = std::dynamic_pointer_cast<KnowsLostRanks>(engine_.lock());
  return engine ? engine->lost_ranks() : std::vector<int64_t>();
}

/// The wait that throws because a connection broke may be woken a moment before what shows whose it was.
std::vector<int64_t> GroupWatch::lost_ranks_behind(const std::string& why) const {
  const bool has_broken = why.find("peer") != why.npos || why.find("Broken pipe") != why.npos;
  const auto deadline = std::chrono::steady_clock::now() + kBroken;
  std::vector<int64_t> lost = lost_ranks();
  while (lost.empty() && has_broken && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(milliseconds(1));
    lost = lost_ranks();
  }
  return lost;
}

std::shared_ptr<GroupWatch> GroupWatch::part(const ProcessGroup& engine, const std::vector<int64_t>& ranks,
                                             int64_t number) const {
  std::vector<int64_t> all;
  for (const int64_t r : ranks) all.push_back(ranks_[static_cast<size_t>(r)]);
  std::string id = format_message("{}/{}.{}", {id_, number, all[0]});
  return std::make_shared<GroupWatch>(job_, engine, std::move(id), std::move(all));
}

void GroupWatch::begin(const Collective& c, int64_t sequence) {
  const int64_t now = FlightRecorder::now();
  const uint64_t changes = changes_.load(std::memory_order_relaxed);
  kind_.store(static_cast<uint8_t>(c.kind), std::memory_order_release);
  sequence_.store(sequence, std::memory_order_release);
  start_.store(now, std::memory_order_release);
  changes_.store(changes + 1, std::memory_order_release);
  entry_ = job_->recorder_.begin(c, sequence, number_, now);
}

void GroupWatch::end() {
  changes_.store(changes_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  job_->recorder_.end(entry_, FlightRecorder::now());
}

GroupWatch::Call GroupWatch::last_call() const {
  for (;;) {
    const uint64_t changes = changes_.load(std::memory_order_acquire);
    Call call;
    call.kind = static_cast<CollectiveKind>(kind_.load(std::memory_order_acquire));
    call.sequence = sequence_.load(std::memory_order_acquire);
    call.start = start_.load(std::memory_order_acquire);
    call.is_running = changes % 2 == 1;
    if (changes_.load(std::memory_order_acquire) == changes) return call;
  }
}

std::string GroupWatch::where(const Call& call, bool with_rank) const {
  std::string text = call.sequence == 0
                         ? format_message("before the first call (group {}", {name_})
                         : format_message(call.is_running ? "{} (call {} of group {}" : "after {} (call {} of group {}",
                                          {strata::name(call.kind), call.sequence, name_});
  if (with_rank) text += format_message(", rank {} of {}", {rank_, ranks_.size()});
  return text + "): ";
}

std::string GroupWatch::agree(const std::string& why) {
  const std::lock_guard lock(job_->agreeing_);
  if (!failure_.empty()) return failure_;
  try {
    failure_ = job_->failure_.empty() ? find_text(why) : job_->failure_;
    if (is_whole()) job_->failure_ = failure_;
    job_->store_->set(key("knows/" + std::to_string(rank_)), "");
    const int64_t world = job_->options_.world_size;
    dump(job_->recorder_.entries(), {job_->options_.name, job_->options_.rank, world, failure_});
  } catch (const std::exception&) {  // no memory: this rank's own word has to do
    if (failure_.empty()) failure_ = why;
  }
  return failure_;
}

/// Either somebody has put a record there, or this rank does.
std::string GroupWatch::find_text(const std::string& why) {
  const Call call = last_call();
  FailureStore& store = *job_->store_;
  knows_ = lost_ranks_behind(why);
  std::string record;
  if (!is_whole() && store.get(job_->key("failure"), record) == Answer::kYes) return FailureRecord::parse(record).text;
  FailureRecord own{generation(), strata::name(call.kind), call.sequence, rank_, own_text(why, call)};
  record = own.str();
  const Answer answer = store.put_first(key("failure"), record);
  if (answer == Answer::kYes) return FailureRecord::parse(record).text;
  const bool is_rank_0 = is_whole() && store.is_of_rank_0() && !store.is_host();  // a part may be without that rank
  return is_rank_0 ? text_without_store(answer, call) : own.text;
}

/// A broken connection says who is gone; anything else is this rank's own trouble.
std::string GroupWatch::own_text(const std::string& why, const Call& call) {
  std::vector<int64_t> left, gone;
  for (const int64_t r : knows_) (has_left(r) ? left : gone).push_back(r);
  const std::string begin = where(call, true);
  const bool was_own = why.find("Timed out") != why.npos || knows_.empty();  // Gloo then breaks its connections itself
  if (was_own) return begin + why;
  if (gone.empty()) return begin + joined(left) + (left.size() == 1 ? " has" : " have") + " left the group";
  return begin + joined(gone) + (gone.size() == 1 ? " is" : " are") + " gone: the connection closed";
}

std::string GroupWatch::text_without_store(Answer answer, const Call& call) const {
  const std::string begin = where(call, false);
  if (answer == Answer::kGone)
    return begin + "rank 0 is gone, and with it the store by which ranks tell each other why";
  return begin + "rank 0 is silent: the store that it holds does not answer";
}

/// Those whose connections were broken know already.
void GroupWatch::wait_for_others() {
  FailureStore& store = *job_->store_;
  if (!store.is_host()) return;
  const auto deadline = std::chrono::steady_clock::now() + kGrace;
  for (size_t r = 0; r < ranks_.size(); ++r) {
    const auto rank = static_cast<int64_t>(r);
    if (rank == rank_ || std::find(knows_.begin(), knows_.end(), rank) != knows_.end()) continue;
    std::string none;
    while (store.get(key("knows/" + std::to_string(r)), none) == Answer::kNo) {
      if (std::chrono::steady_clock::now() > deadline) return;
      std::this_thread::sleep_for(milliseconds(5));
    }
  }
}

void GroupWatch::close() {
  if (const auto engine = engine_.lock()) engine->close();
}

// ---- All groups of a rank ------------------------------------------------------------------------------------------

FailureWatch::FailureWatch(std::shared_ptr<FailureStore> store, const EngineOptions& options, std::string prefix)
    : store_(std::move(store)),
      options_(options),
      prefix_(std::move(prefix)),
      tick_(tick_of(options)),
      recorder_(FlightRecorder::default_entries()),
      thread_(thread_without_signals([this] { work(); })) {}

FailureWatch::~FailureWatch() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void FailureWatch::add(GroupWatch& group) {
  const std::lock_guard lock(groups_mutex_);
  groups_.push_back(&group);
}

void FailureWatch::remove(GroupWatch& group) {
  const std::lock_guard lock(groups_mutex_);
  std::erase(groups_, &group);
}

void FailureWatch::work() {
  std::unique_lock lock(mutex_);
  while (!ends_) {
    lock.unlock();
    const bool goes_on = look_around();
    const milliseconds rest = pause();
    lock.lock();
    if (!goes_on) return;
    changed_.wait_for(lock, rest, [&] { return ends_; });
  }
}

/// False once the whole group has failed, or has gone.
bool FailureWatch::look_around() {
  const std::lock_guard lock(groups_mutex_);
  if (groups_.empty()) return true;
  check_connections();
  const auto now = Clock::now();
  if (now - last_asked_ >= store_tick()) {
    last_asked_ = now;
    if (!ask_store()) return false;
  }
  check_deadlines();
  return true;
}

bool FailureWatch::ask_store() {
  beat();
  if (find_record()) return false;
  return options_.heartbeat_timeout <= milliseconds(0) || !watch_next();
}

/// Often while there is a reason for it.
FailureWatch::milliseconds FailureWatch::store_tick() const {
  bool waits = next_quiet_ > options_.heartbeat_timeout / 2;
  for (const GroupWatch* const group : groups_) {
    const GroupWatch::Call call = group->last_call();
    waits = waits || (call.is_running && std::chrono::nanoseconds(FlightRecorder::now() - call.start) > kLongWait);
  }
  return waits ? std::min(tick_, kFastTick + milliseconds(options_.world_size)) : tick_;
}

/// A call that goes on although a rank has gone is ended.
void FailureWatch::check_connections() {
  for (GroupWatch* const group : groups_) {
    const GroupWatch::Call call = group->last_call();
    if (!call.is_running) continue;
    const std::vector<int64_t> lost = group->lost_ranks();
    if (lost.empty()) continue;
    const int64_t now = FlightRecorder::now();
    if (group->broken_call_ != call.start) group->broken_call_ = call.start, group->broken_since_ = now;
    std::string record;
    bool ends = store_->get(group->key("failure"), record) == Answer::kYes;
    if (!ends && std::chrono::nanoseconds(now - group->broken_since_) > kBroken)
      ends = std::any_of(lost.begin(), lost.end(), [&](int64_t r) { return !group->has_left(r); });
    if (!ends || group->last_call().start != call.start) continue;
    group->agree("");
    group->close();
  }
}

/// Until the next round, or until the time of a collective is over.
FailureWatch::milliseconds FailureWatch::pause() {
  const std::lock_guard lock(groups_mutex_);
  milliseconds rest = store_tick();
  for (const GroupWatch* const group : groups_) {
    const GroupWatch::Call call = group->last_call();
    if (!call.is_running) continue;
    const auto age =
        std::chrono::duration_cast<milliseconds>(std::chrono::nanoseconds(FlightRecorder::now() - call.start));
    rest = std::min({rest, kFastTick, std::max(options_.timeout - age, milliseconds(0)) + milliseconds(1)});
  }
  return rest;
}

/// Twice in the time in which the rank before this one looks four times; also when a new call has begun to take long.
void FailureWatch::beat() {
  const auto now = Clock::now();
  Beat b;
  b.count = beats_ + 1;
  int64_t newest = 0;
  for (const GroupWatch* const group : groups_) {
    const GroupWatch::Call call = group->last_call();
    if (call.sequence == 0 || call.start < newest) continue;
    newest = call.start;
    b.sequence = call.sequence, b.is_running = call.is_running;
    b.op = strata::name(call.kind), b.group = group->name_;
  }
  if (b.op.empty()) b.op = "-", b.group = options_.name;
  const bool is_new = b.is_running && static_cast<uint64_t>(newest) != last_call_;
  if (beats_ > 0 && !is_new && now - last_beat_ < 2 * tick_ - milliseconds(5)) return;
  last_beat_ = now;
  last_call_ = b.is_running ? static_cast<uint64_t>(newest) : 0;
  beats_ = b.count;
  store_->set(key("beat/" + std::to_string(options_.rank)), b.str());
}

/// A part's record is found by its ranks alone, whose connections break.
bool FailureWatch::find_record() {
  std::string record;
  const Answer answer = store_->get(key("failure"), record);
  const bool is_rank_0s = store_->is_of_rank_0() && !store_->is_host();
  if (is_rank_0s && answer == Answer::kGone && store_gone_ == Clock::time_point{}) store_gone_ = Clock::now();
  const bool store_is_silent = is_rank_0s && (answer == Answer::kSilent || waits_for_rank_0());
  const bool is_over = store_->is_of_generation() && (answer == Answer::kSilent || answer == Answer::kGone);
  if (answer != Answer::kYes && !store_is_silent && !is_over) return false;
  declare(!is_over                  ? ""
          : answer == Answer::kGone ? "the launcher has begun another generation, or is gone"
                                    : "the launcher is silent: the store that it holds does not answer");
  return true;
}

/// Rank 0 has ended, and the connections to it have not: the system tells of a connection's end by a packet that it may
/// not send again. What rank 0 sent before it ended well is given the time to come.
bool FailureWatch::waits_for_rank_0() const {
  if (store_gone_ == Clock::time_point{} || options_.heartbeat_timeout <= milliseconds(0)) return false;
  if (Clock::now() - store_gone_ < 2 * options_.heartbeat_timeout) return false;
  return std::any_of(groups_.begin(), groups_.end(), [&](const GroupWatch* group) {
    const GroupWatch::Call call = group->last_call();
    const std::chrono::nanoseconds age(FlightRecorder::now() - call.start);
    return group->is_whole() && call.is_running && !is_message(call.kind) && age > 2 * options_.heartbeat_timeout;
  });
}

/// True where it has failed.
bool FailureWatch::watch_next() {
  const auto now = Clock::now();
  // Time in which this rank itself was stopped does not count.
  const Clock::duration passed = last_look_ == Clock::time_point{} ? Clock::duration{} : now - last_look_;
  last_look_ = now;
  int64_t who = (options_.rank + 1) % options_.world_size;
  while (left_.contains(who)) who = (who + 1) % options_.world_size;
  if (who == options_.rank) return false;
  std::string beat = next_beat_, none;
  const Answer answer = store_->get(key("beat/" + std::to_string(who)), beat);
  if (answer == Answer::kGone || answer == Answer::kSilent) return false;
  if (who != next_ || beat != next_beat_) {
    next_ = who, next_beat_ = beat, next_quiet_ = {};
    return false;
  }
  next_quiet_ += std::min<Clock::duration>(passed, 2 * tick_);
  if (next_quiet_ < options_.heartbeat_timeout / 2) return false;
  if (store_->get(key("left/" + std::to_string(who)), none) == Answer::kYes) return left_.insert(who), false;
  return next_quiet_ >= options_.heartbeat_timeout && declare_silent(who, beat);
}

bool FailureWatch::declare_silent(int64_t who, const std::string& last_beat) {
  const std::string state =
      last_beat.empty() ? std::string("it had not called any collective") : Beat::parse(last_beat).where();
  declare(format_message("rank {} is silent: no heartbeat for {} s; {}", {who, seconds(next_quiet_), state}));
  return true;
}

/// Ends the whole group, and all its parts with it.
void FailureWatch::declare(const std::string& why) {
  for (GroupWatch* const group : groups_)
    if (group->is_whole()) group->agree(why);
  for (GroupWatch* const group : groups_) group->close();
}

void FailureWatch::check_deadlines() {
  for (GroupWatch* const group : groups_) {
    const GroupWatch::Call call = group->last_call();
    const std::chrono::nanoseconds age(FlightRecorder::now() - call.start);
    if (!call.is_running || age < options_.timeout) continue;
    group->agree(format_message("not done after {} ms{}", {options_.timeout.count(), last_of(*group, call.sequence)}));
    group->close();
  }
}

/// Names the ranks of a group that have not begun its call, as far as their heartbeats tell.
std::string FailureWatch::last_of(const GroupWatch& group, int64_t sequence) {
  std::string text;
  size_t missing = 0;
  for (size_t r = 0; r < group.ranks_.size() && group.ranks_.size() <= kMostRanksAsked; ++r) {
    std::string value;
    if (static_cast<int64_t>(r) == group.rank_) continue;
    if (store_->get(key("beat/" + std::to_string(group.ranks_[r])), value) != Answer::kYes) continue;
    const Beat beat = Beat::parse(value);
    const bool is_here = beat.group == group.name_;
    if (is_here && beat.sequence >= sequence) continue;
    if (++missing <= kMostRanksNamed)
      text += format_message("; rank {}{}: {}", {r, is_here ? " has not come" : "", beat.where()});
  }
  if (missing > kMostRanksNamed) text += format_message("; {} more have not come", {missing - kMostRanksNamed});
  return text;
}

// ---- What all ranks have in common ---------------------------------------------------------------------------------

std::string agree_on_options(Communicator& engine, EngineOptions& options) {
  struct Own {
    int64_t nonce, heartbeat, debug;
  };
  std::random_device random;
  const Own own{static_cast<int64_t>(uint64_t{random()} << 32 | random()) & INT64_MAX,
                options.heartbeat_timeout.count(), options.debug};
  std::vector<Own> all(static_cast<size_t>(engine.size()));
  Collective gather{.kind = CollectiveKind::kAllGather, .dtype = kLong};
  gather.in = &own, gather.in_count = 3;
  gather.out = all.data(), gather.out_count = 3 * engine.size();
  engine.run(gather);
  options.heartbeat_timeout = milliseconds(all[0].heartbeat);
  options.debug = std::any_of(all.begin(), all.end(), [](const Own& o) { return o.debug != 0; });
  return format_message("{}/watch/{}", {options.name, all[0].nonce});
}

}  // namespace strata::distributed
