// The store by which ranks tell each other of failures: a meeting whose errors are answers.
#include "distributed/failure_store.h"

#include <algorithm>
#include <mutex>

#include "core/error.h"
#include "distributed/gloo/broken_pipe.h"
#include "rendezvous/meeting.h"

namespace strata::distributed {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// A store that does not answer for so long is silent: sooner than a rank, since its ranks find out one after another.
milliseconds query_timeout(const EngineOptions& o) {
  const milliseconds silence = o.heartbeat_timeout > milliseconds(0) ? o.heartbeat_timeout : milliseconds(4000);
  return std::max(milliseconds(100), silence - silence / 8);
}

std::unique_ptr<rendezvous::Meeting> meet(const EngineOptions& o, milliseconds connect_timeout,
                                          milliseconds query_timeout, bool is_open) {
  const NoBrokenPipe guard;  // the store's thread is started here
  return rendezvous::meet({o.store, o.token, o.rank, connect_timeout, query_timeout, is_open});
}

class MeetingFailureStore final : public FailureStore {
 public:
  explicit MeetingFailureStore(const EngineOptions& o)
      : options_(o),
        timeout_(query_timeout(o)),
        is_of_rank_0_(o.store.starts_with("tcp://")),
        is_of_generation_(o.store.starts_with("generation://")) {
    if (is_host()) meeting_ = meet(o, o.timeout, timeout_, /*is_open=*/false);
  }

  Answer set(const std::string& key, const std::string& value) override {
    return ask([&] {
      meeting_->set(key, value);
      return Answer::kYes;
    });
  }
  Answer get(const std::string& key, std::string& value) override {
    return ask([&] {
      if (!meeting_->check(key)) return Answer::kNo;
      value = meeting_->get(key, timeout_);
      return Answer::kYes;
    });
  }
  Answer put_first(const std::string& key, std::string& value) override {
    return ask([&] {
      value = meeting_->put_first(key, value);
      return Answer::kYes;
    });
  }
  bool is_of_rank_0() const override { return is_of_rank_0_; }
  bool is_of_generation() const override { return is_of_generation_; }
  bool is_host() const override { return is_of_rank_0_ && options_.rank == 0; }

 private:
  /// A store that is rank 0's, or of one generation, is not asked again once it did not answer: nobody could tell from
  /// it any more what came first. Another one that belongs to a launcher may come back.
  template <class Query>
  Answer ask(const Query& query) {
    const std::lock_guard lock(mutex_);
    if ((is_of_rank_0_ || is_of_generation_) && state_ != Answer::kYes) return state_;
    const auto begin = Clock::now();
    try {
      // Not before the first query: whoever makes a second group early would find the store of the first one. The ranks
      // have met by then, so rank 0's store has ended if nobody listens there, and no store is waited for longer than
      // for an answer.
      if (!meeting_) meeting_ = meet(options_, timeout_, timeout_, is_of_rank_0_);
      return query();
    } catch (const rendezvous::StoreTimeout&) {
      // Whoever was stopped itself has not waited for an answer.
      const bool was_stopped = Clock::now() - begin > timeout_ + timeout_ / 2 + milliseconds(500);
      if (was_stopped) return Answer::kNo;
      state_ = Answer::kSilent;
    } catch (const std::exception&) {
      const bool was_not_reached = is_of_rank_0_ && !meeting_ && Clock::now() - begin >= timeout_;
      state_ = was_not_reached ? Answer::kSilent : Answer::kGone;
    }
    return state_;
  }

  const EngineOptions options_;
  const milliseconds timeout_;
  const bool is_of_rank_0_, is_of_generation_;
  std::mutex mutex_;
  Answer state_ = Answer::kYes;
  std::unique_ptr<rendezvous::Meeting> meeting_;
};

}  // namespace
}  // namespace strata::distributed

extern "C" __attribute__((visibility("default"))) void strata_failure_store_entry(
    const strata::distributed::EngineOptions& options, std::shared_ptr<strata::distributed::FailureStore>& store) {
  try {
    store = std::make_shared<strata::distributed::MeetingFailureStore>(options);
  } catch (const std::exception& e) {
    STRATA_THROW("gloo: the {} ranks of group {} did not meet: {}", options.world_size, options.name, e.what());
  }
}
