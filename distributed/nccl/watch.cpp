// The thread that ends a group whose collectives do not end by themselves.
#include "distributed/nccl/watch.h"

#include <algorithm>

#include "core/error.h"

namespace strata::distributed::nccl {
namespace {

using std::chrono::milliseconds;

/// How often the device is asked about what is pending.
constexpr milliseconds kRound{5};

/// How often a rank asks the store about the others: many ranks ask more seldom, so that the store keeps up.
milliseconds round_of_store(int64_t ranks) { return milliseconds(50 + ranks); }

}  // namespace

milliseconds grace_of(const EngineOptions& options) { return std::min(options.timeout, milliseconds(5000)); }

Watch::Watch(Link& link, std::shared_ptr<Board> board, const EngineOptions& options, std::string prefix)
    : link_(link),
      options_(options),
      prefix_(std::move(prefix)),
      grace_(grace_of(options)),
      board_(std::move(board)),
      thread_([this] { work(); }) {}

Watch::~Watch() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Watch::check() {
  const std::lock_guard lock(mutex_);
  STRATA_CHECK(failure_.empty(), "{}", failure_);
}

std::shared_ptr<Pending> Watch::begin(std::string what) {
  const auto pending = std::make_shared<Pending>();
  pending->what = std::move(what);
  {
    const std::lock_guard lock(mutex_);
    STRATA_CHECK(failure_.empty(), "{}", failure_);
    pending_.push_back(pending);
  }
  changed_.notify_all();
  return pending;
}

void Watch::record(Pending& pending, const cuda::Stream& stream) {
  const std::lock_guard lock(mutex_);
  pending.done.record(stream);
  pending.is_on_stream = true;
}

void Watch::fail(const std::string& why) { end(why, true); }

void Watch::end(const std::string& why, bool tell) {
  {
    const std::lock_guard lock(mutex_);
    if (!failure_.empty()) return;
    failure_ = why;
  }
  changed_.notify_all();
  link_.abort();
  if (!tell) return;
  try {
    publish("failed", why);
  } catch (const std::exception&) {
    // The store has gone; the other ranks notice that by themselves.
  }
}

void Watch::wait(const Pending& pending) {
  std::unique_lock lock(mutex_);
  // Streams tell no condition variable when they have come somewhere.
  while (failure_.empty() && !pending.done.query()) changed_.wait_for(lock, std::chrono::microseconds(50));
  STRATA_CHECK(failure_.empty(), "{}", failure_);
}

bool Watch::drain() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !failure_.empty() || pending_.empty(); });
  return failure_.empty();
}

void Watch::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ends_ || (failure_.empty() && !pending_.empty()); });
    if (ends_) return;
    changed_.wait_for(lock, kRound, [&] { return ends_; });
    if (ends_ || pending_.empty()) continue;
    const std::string problem = drop_finished();
    if (pending_.empty()) continue;
    const std::shared_ptr<Pending> oldest = pending_.front();
    lock.unlock();
    look_after(*oldest, problem);
    lock.lock();
  }
}

void Watch::look_after(const Pending& oldest, std::string why) {
  if (why.empty()) why = own_problem(oldest);
  if (!why.empty()) return end(oldest.what + ": " + why, true);
  why = told_by_others(oldest);
  if (!why.empty()) end(oldest.what + ": " + why, false);
}

std::string Watch::own_problem(const Pending& oldest) {
  if (Clock::now() - oldest.begin > options_.timeout)
    return detail::format_message("not done after {} ms", {static_cast<int64_t>(options_.timeout.count())});
  return link_.async_error();
}

/// Collectives of a group end in the order in which they began. Returns what the device has met instead.
std::string Watch::drop_finished() {
  try {
    const size_t before = pending_.size();
    while (!pending_.empty() && pending_.front()->is_on_stream && pending_.front()->done.query()) pending_.pop_front();
    if (pending_.size() < before) changed_.notify_all();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

/// NCCL does not tell a rank that another one has ended its communicator, so the store does.
std::string Watch::told_by_others(const Pending& oldest) {
  if (Clock::now() - asked_others_ < round_of_store(options_.world_size)) return "";
  asked_others_ = Clock::now();
  try {
    if (board_->has(key("failed"))) return board_->wait_for(key("failed"), grace_);
    // Who leaves has finished its part of all earlier collectives; those may take a moment longer here.
    if (Clock::now() - oldest.begin > grace_ && board_->has(key("left")))
      return "rank " + board_->wait_for(key("left"), grace_) + " has left the group";
  } catch (const std::exception& e) {
    return std::string("the store by which ranks tell each other of failures has gone: ") + e.what();
  }
  return "";
}

void Watch::leave() {
  try {
    publish("left", std::to_string(options_.rank));
  } catch (const std::exception&) {
    // The store has gone with the rank that had opened it.
  }
}

void Watch::publish(const std::string& name, const std::string& value) { board_->set(key(name), value); }

std::string Watch::look_up(const std::string& name) { return board_->wait_for(key(name), options_.timeout); }

}  // namespace strata::distributed::nccl
