// Calling NCCL from several threads, and waiting for what it does in the background.
#include "distributed/nccl/link.h"

#include <algorithm>
#include <thread>

#include "core/error.h"

namespace strata::distributed::nccl {
namespace {

/// NCCL has no way to wait but to ask again: at once at first, later less and less often.
class Pause {
 public:
  void operator()() {
    std::this_thread::sleep_for(time_);
    time_ = std::min(2 * time_, std::chrono::microseconds(1000));
  }

 private:
  std::chrono::microseconds time_{2};
};

}  // namespace

/// Throws for what is an error; the caller holds the lock.
void Link::check(const char* what, Result result) const {
  if (result == kSuccess || result == kInProgress) return;
  const char* const detail = comm_ ? api().GetLastError(comm_) : nullptr;
  STRATA_THROW("{}: {}{}{}", what, api().GetErrorString(result), detail && *detail ? ": " : "", detail ? detail : "");
}

void Link::open(const UniqueId& id, int ranks, int rank) {
  Config config;
  Result result = kInProgress;
  {
    const std::lock_guard lock(mutex_);
    STRATA_CHECK(!ended_, "the group was closed");
    if (!comm_) result = api().CommInitRankConfig(&comm_, ranks, id, rank, &config);
    check("ncclCommInitRankConfig", result);
  }
  settle("ncclCommInitRankConfig", result);
}

bool Link::is_open() {
  const std::lock_guard lock(mutex_);
  return comm_;
}

void Link::settle(const char* what, Result result, Clock::time_point deadline) {
  for (Pause pause; result == kInProgress; pause()) {
    const std::lock_guard lock(mutex_);
    STRATA_CHECK(!ended_, "the group was closed");
    STRATA_CHECK(Clock::now() < deadline, "{}: not done in time", what);
    check("ncclCommGetAsyncError", api().CommGetAsyncError(comm_, &result));
    check(what, result);
  }
}

Result Link::begin(const char* what, const Call& call, bool together) {
  const std::lock_guard lock(mutex_);
  STRATA_CHECK(!ended_, "the group was closed");
  if (together) check("ncclGroupStart", api().GroupStart());
  const Result result = call(comm_);
  // The group of calls ends in any case: it belongs to the thread, not to the communicator.
  const Result end = together ? api().GroupEnd() : kSuccess;
  check(what, result);
  check("ncclGroupEnd", end);
  return together ? end : result;
}

void Link::run(const char* what, const Call& call) { settle(what, begin(what, call, false)); }
void Link::run_together(const char* what, const Call& calls) { settle(what, begin(what, calls, true)); }

void Link::split_into(Link& part, int color, int key, Clock::time_point deadline) {
  make_part("ncclCommSplit", part, color != kNoColor, deadline,
            [&](Comm whole, Comm* made) { return api().CommSplit(whole, color, key, made, nullptr); });
}

void Link::shrink_into(Link& part, std::vector<int> excluded, Clock::time_point deadline) {
  constexpr int kDefault = 0;  // NCCL_SHRINK_DEFAULT: what was begun has ended
  make_part("ncclCommShrink", part, true, deadline, [&](Comm whole, Comm* made) {
    return api().CommShrink(whole, excluded.data(), static_cast<int>(excluded.size()), made, nullptr, kDefault);
  });
}

/// The new communicator's address comes by itself, and not before this communicator is ready again.
void Link::make_part(const char* what, Link& part, bool is_in_it, Clock::time_point deadline, const Make& make) {
  Comm& made = parts_.emplace_back(nullptr);
  settle(what,
         begin(
             what, [&](Comm whole) { return make(whole, &made); }, false),
         deadline);
  const auto address = [&] { return __atomic_load_n(&made, __ATOMIC_ACQUIRE); };
  for (Pause pause; is_in_it && !address(); pause()) settle(what, kInProgress, deadline);
  {
    const std::lock_guard lock(part.mutex_);
    part.comm_ = address();
  }
  if (is_in_it) part.settle(what, kInProgress, deadline);
}

std::string Link::async_error() {
  const std::lock_guard lock(mutex_);
  if (!comm_ || ended_) return "";
  try {
    Result now = kSuccess;
    check("ncclCommGetAsyncError", api().CommGetAsyncError(comm_, &now));
    check("NCCL", now);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

void Link::abort() noexcept {
  const std::lock_guard lock(mutex_);
  if (comm_) api().CommAbort(comm_);
  comm_ = nullptr;
  ended_ = true;
}

void Link::close(std::chrono::milliseconds grace) {
  const auto deadline = Clock::now() + grace;
  {
    const std::lock_guard lock(mutex_);
    if (!comm_) return;
    Result result = api().CommFinalize(comm_);
    for (Pause pause; result == kInProgress && Clock::now() < deadline; pause())
      if (api().CommGetAsyncError(comm_, &result) != kSuccess) break;
    if (result == kSuccess && api().CommDestroy(comm_) == kSuccess) comm_ = nullptr, ended_ = true;
  }
  abort();
}

}  // namespace strata::distributed::nccl
