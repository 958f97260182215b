// Who has a copy of whose part, and how the parts come back.
#include "distributed/checkpoint_replicas.h"

#include <algorithm>
#include <cstring>
#include <future>
#include <map>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/grad_mode.h"
#include "core/warning.h"
#include "distributed/checkpoint_agreement.h"
#include "distributed/checkpoint_parts.h"
#include "distributed/checkpoint_table.h"
#include "distributed/environment.h"
#include "distributed/split.h"
#include "ops/collective.h"
#include "ops/creation.h"
#include "ops/file.h"
#include "ops/messages.h"
#include "ops/view.h"

namespace strata::distributed::checkpoint {
namespace {

using Json = nlohmann::json;

char* bytes_at(const Tensor& memory, int64_t position) { return static_cast<char*>(memory.data_ptr()) + position; }

/// What travels at once: Gloo's thread, which the training's own collectives wait for as well, takes a message from
/// its begin to its end.
constexpr int64_t kPieceBytes = int64_t{1} << 20;

/// What ranks tell each other of a copy that they have made.
struct Size {
  int64_t save, bytes, table, local_ranks;
};

std::vector<Size> sizes_of_all(const ProcessGroup& group, const Size& own) {
  const Texts texts = agree(group, [&] { return Json{own.save, own.bytes, own.table, own.local_ranks}.dump(); });
  std::vector<Size> sizes;
  for (size_t rank = 0; rank < texts.size(); ++rank) {
    const Json s = Json::parse(texts[rank]);
    sizes.push_back({s[0].get<int64_t>(), s[1].get<int64_t>(), s[2].get<int64_t>(), s[3].get<int64_t>()});
    STRATA_CHECK(
        sizes[rank].save == sizes[0].save,
        "checkpoint::Replicas: rank {} makes save {}, rank 0 save {}: all ranks call load before the first save "
        "of a generation",
        rank, sizes[rank].save, sizes[0].save);
  }
  return sizes;
}

/// How many ranks further the copy goes: to the next node, or to the next rank where there is one node.
int64_t distance(const std::vector<Size>& sizes) {
  int64_t most = 1;
  for (const Size& size : sizes) most = std::max(most, size.local_ranks);
  return most < static_cast<int64_t>(sizes.size()) ? most : 1;
}

/// Sends all of `out` to one rank while `in` is filled by another, piece by piece.
void send_and_receive(const Tensor& out, int64_t to, const Tensor& in, int64_t from, const ProcessGroup& group) {
  for (int64_t at = 0; at < std::max(out.numel(), in.numel()); at += kPieceBytes) {
    std::vector<P2POp> messages;
    const auto add = [&](P2POp::Start op, const Tensor& memory, int64_t peer) {
      const int64_t left = memory.numel() - at;
      if (left > 0) messages.emplace_back(op, memory.narrow(0, at, std::min(left, kPieceBytes)), peer, group);
    };
    add(isend, out, to), add(irecv, in, from);
    for (const auto& work : batch_isend_irecv(messages)) work->wait();
  }
}

}  // namespace

struct Replicas::Whole {
  struct Part {
    int64_t holder = -1, bytes = 0;
  };
  int64_t save = 0;
  std::vector<Part> parts;  ///< by the ranks of then

  std::vector<int64_t> lost() const {
    std::vector<int64_t> ranks;
    for (size_t rank = 0; rank < parts.size(); ++rank)
      if (parts[rank].holder < 0) ranks.push_back(static_cast<int64_t>(rank));
    return ranks;
  }
};

struct Replicas::Sending {
  std::shared_future<Outcome> outcome;
  bool is_beside = false;  ///< the training
};

void Replicas::wait() const {
  if (last_) last_->outcome.wait();
}

const std::vector<Replicas::Copy>& Replicas::copies() const {
  static const std::vector<Copy> none;
  return last_ ? last_->outcome.get().copies : none;
}

int64_t Replicas::bytes() const {
  int64_t sum = 0;
  for (const Copy& copy : copies()) sum += copy.memory.numel();
  return sum;
}

Replicas::Copy Replicas::copy_of(const State& state, const ProcessGroup& group, int64_t save) {
  const Share share = share_of(state, group);
  std::vector<const Item*> own;
  for (const size_t i : share.own) own.push_back(&share.items[i]);
  const std::string table = describe_memory(static_cast<size_t>(group->rank()), own);
  Copy copy{save, group->size(), group->rank(), 0, {}};
  for (const Item* const item : own) copy.table += static_cast<int64_t>(item->tensor.nbytes());
  copy.memory = empty({copy.table + static_cast<int64_t>(table.size())}, kByte);
  int64_t at = 0;
  for (const Item* const item : own) {
    const Tensor values = item->tensor.detach().to(kCPU).contiguous();
    if (values.nbytes() > 0) std::memcpy(bytes_at(copy.memory, at), values.data_ptr(), values.nbytes());
    at += static_cast<int64_t>(values.nbytes());
  }
  std::memcpy(bytes_at(copy.memory, at), table.data(), table.size());
  return copy;
}

/// Sends the own copy and keeps what comes. Older ones go when all ranks have theirs.
void Replicas::exchange(const ProcessGroup& group, int64_t local_ranks, const Copy& own, std::vector<Copy>& copies) {
  const std::vector<Size> sizes = sizes_of_all(group, {own.save, own.memory.numel(), own.table, local_ranks});
  const int64_t ranks = group->size(), to = (own.rank + distance(sizes)) % ranks,
                from = (own.rank - distance(sizes) + ranks) % ranks;
  copies.push_back(own);
  if (to != own.rank) {
    const Size& size = sizes[static_cast<size_t>(from)];
    const Tensor memory = empty({size.bytes}, kByte);
    send_and_receive(own.memory, to, memory, from, group);
    copies.push_back({own.save, ranks, from, size.table, memory});
  }
  barrier(group);
  std::erase_if(copies, [&](const Copy& copy) { return copy.save != own.save; });
}

/// Sends the own copy by the group `by`: on a thread, or as soon as somebody waits. Both end in `last_`.
void Replicas::start(Copy own, const ProcessGroup& by, bool is_beside) {
  saves_ = own.save;
  const int64_t local_ranks = read_environment().local_world_size;  // not by the thread: elastic::run sets variables
  auto send = [group = by, is_beside, local_ranks, own = std::move(own),
               outcome = Outcome{copies(), nullptr}]() mutable {
    const NoGradGuard no_grad;
    try {
      exchange(group, local_ranks, own, outcome.copies);
    } catch (...) {
      outcome.error = std::current_exception();
      if (is_beside) group->close();  // others may wait for this rank
    }
    group = nullptr, own = {};  // the future keeps this function
    return std::move(outcome);
  };
  const std::launch policy = is_beside ? std::launch::async : std::launch::deferred;
  last_ = std::make_shared<const Sending>(Sending{std::async(policy, std::move(send)).share(), is_beside});
}

/// As a save that has left these.
std::shared_ptr<const Replicas::Sending> Replicas::done(std::vector<Copy> copies) {
  std::promise<Outcome> outcome;
  outcome.set_value({std::move(copies), nullptr});
  return std::make_shared<const Sending>(Sending{outcome.get_future().share()});
}

/// Throws, once, what the last save has thrown.
void Replicas::rethrow() {
  if (!last_) return;
  const Outcome outcome = last_->outcome.get();
  if (!outcome.error) return;
  last_ = done(outcome.copies);
  std::rethrow_exception(outcome.error);
}

/// Returns when the last save has ended well on all ranks.
void Replicas::finish(const ProcessGroup& group) {
  wait();
  try {
    agree(group, [&] { return rethrow(), std::string(); });
  } catch (const AgreedError&) {
    beside_ = nullptr, group_.reset();
    throw;
  }
}

/// Ranks that wait for this one in the group beside another one see that it has gone.
void Replicas::leave_other_groups(const ProcessGroup& group) {
  if (group_.lock() != group) beside_ = nullptr, group_.reset();
}

void Replicas::async_save(const State& state, const ProcessGroup& over) {
  const NoGradGuard no_grad;
  const ProcessGroup group = group_of(over);
  finish(group);
  leave_other_groups(group);
  if (!beside_) beside_ = split(group, 0, 0, "replicas"), group_ = group;
  start(copy_of(state, group, saves_ + 1), beside_, /*is_beside=*/true);
}

void Replicas::save(const State& state, const ProcessGroup& over) {
  const NoGradGuard no_grad;
  const ProcessGroup group = group_of(over);
  if (last_ && last_->is_beside) finish(group);
  start(copy_of(state, group, saves_ + 1), group, /*is_beside=*/false);
  rethrow();
}

const Replicas::Copy& Replicas::own_copy(int64_t save, int64_t rank) const {
  return *std::find_if(copies().begin(), copies().end(),
                       [&](const Copy& copy) { return copy.save == save && copy.rank == rank; });
}

/// What all ranks have between them; `parts` is empty where no save is whole. From here on all count alike.
Replicas::Whole Replicas::newest_whole(const ProcessGroup& group) {
  const Texts texts = agree(group, [&] {
    Json list = Json::array();
    for (const Copy& c : copies()) list.push_back({c.save, c.world_size, c.rank, c.memory.numel()});
    return Json{saves_, list}.dump();
  });
  std::map<std::pair<int64_t, size_t>, Whole> saves;
  for (size_t holder = 0; holder < texts.size(); ++holder) {
    const Json held = Json::parse(texts[holder]);
    saves_ = std::max(saves_, held[0].get<int64_t>());
    for (const Json& c : held[1]) {
      const auto save = c[0].get<int64_t>();
      const auto ranks = c[1].get<size_t>();
      Whole& whole = saves.try_emplace({save, ranks}, Whole{save, std::vector<Whole::Part>(ranks)}).first->second;
      Whole::Part& part = whole.parts[c[2].get<size_t>()];
      if (part.holder < 0) part = {static_cast<int64_t>(holder), c[3].get<int64_t>()};
    }
  }
  for (auto at = saves.rbegin(); at != saves.rend(); ++at)
    if (at->second.lost().empty()) return at->second;
  if (!saves.empty() && group->rank() == 0)
    warn("checkpoint::Replicas: of save {} nobody is left who has the parts of ranks {}; load a checkpoint of a disk",
         saves.rbegin()->second.save, IntArrayRef(saves.rbegin()->second.lost()));
  return {};
}

void Replicas::fill(State& state, const ProcessGroup& group, const Whole& whole) const {
  const size_t ranks = whole.parts.size();
  const auto is_own = [&](size_t rank) { return whole.parts[rank].holder == group->rank(); };
  const Texts tables = agree(group, [&] {
    Json own = Json::array();
    for (size_t rank = 0; rank < ranks; ++rank) {
      if (!is_own(rank)) continue;
      const Copy& copy = own_copy(whole.save, static_cast<int64_t>(rank));
      own.push_back(std::string(bytes_at(copy.memory, copy.table), bytes_at(copy.memory, copy.memory.numel())));
    }
    return own.dump();
  });
  Table table(std::vector<std::string>(ranks, "a copy in memory"));
  for (size_t holder = 0; holder < tables.size(); ++holder)
    for (const Json& text : Json::parse(tables[holder])) table.add(text.get<std::string>());
  const std::vector<Item> targets = targets_of(state, group, table);
  for (size_t rank = 0; rank < ranks; ++rank) {
    const Whole::Part& part = whole.parts[rank];
    Tensor memory = is_own(rank) ? own_copy(whole.save, static_cast<int64_t>(rank)).memory : empty({part.bytes}, kByte);
    broadcast_(memory, part.holder, group);
    serialize::MemorySource source(bytes_at(memory, 0), static_cast<size_t>(part.bytes), "a copy in memory");
    for (const Item& item : targets) table.read_from(source, rank, item);
  }
  agree(group, [&] {
    for (const auto& part : state.parts()) part->finish();
    return std::string();
  });
}

/// What has gone wrong with the last save, if it has, is the reason for this.
bool Replicas::load(State& state, const ProcessGroup& over) {
  const NoGradGuard no_grad;
  const ProcessGroup group = group_of(over);
  leave_other_groups(group);
  last_ = done(copies());
  const Whole whole = newest_whole(group);
  if (whole.parts.empty()) return false;
  fill(state, group, whole);
  save(state, group);
  return true;
}

}  // namespace strata::distributed::checkpoint
