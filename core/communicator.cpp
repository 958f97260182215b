// The names of groups, and which groups a process and its threads know.
#include "core/communicator.h"

#include <algorithm>
#include <mutex>

#include "core/error.h"

namespace strata {
namespace {

using Groups = std::vector<ProcessGroup>;

struct SharedGroups {
  std::mutex mutex;
  Groups groups;
};
/// Never destroyed: a group may be given up by the destructor of another static object.
SharedGroups& of_process() {
  static auto* const shared = new SharedGroups;
  return *shared;
}
thread_local Groups of_thread;

/// The first one where no name is given, else the innermost of that name.
ProcessGroup find_in(const Groups& groups, std::string_view name) {
  if (name.empty()) return groups.empty() ? nullptr : groups.front();
  const auto found = std::find_if(groups.rbegin(), groups.rend(), [&](const auto& g) { return g->name() == name; });
  return found == groups.rend() ? nullptr : *found;
}

template <class F>
void with_groups(GroupScope::Reach reach, F&& f) {
  if (reach == GroupScope::Reach::kThread) return f(of_thread);
  const std::lock_guard lock(of_process().mutex);
  f(of_process().groups);
}

}  // namespace

const char* name(ReduceOp op) {
  static constexpr const char* names[] = {"SUM", "AVG", "PRODUCT", "MIN", "MAX"};
  return names[static_cast<int>(op)];
}

const char* name(CollectiveKind kind) {
  static constexpr const char* names[] = {"all_reduce",     "broadcast",  "reduce",  "all_gather",
                                          "reduce_scatter", "all_to_all", "permute", "gather",
                                          "scatter",        "barrier",    "send",    "recv"};
  return names[static_cast<int>(kind)];
}

std::shared_ptr<Work> Communicator::start(const Collective& c) {
  struct Done final : Work {
    void wait() override {}
  };
  run(c);
  return std::make_shared<Done>();
}

std::shared_ptr<Work> Communicator::start_messages(std::span<const Collective> messages) {
  STRATA_THROW("{}: group {} has no messages between two ranks", strata::name(messages[0].kind), name());
}

GroupScope::GroupScope(ProcessGroup group, Reach reach) : group_(std::move(group)), reach_(reach) {
  STRATA_CHECK(group_, "GroupScope: there is no group");
  with_groups(reach_, [&](Groups& groups) { groups.push_back(group_); });
}

GroupScope::~GroupScope() {
  with_groups(reach_, [&](Groups& groups) {
    const auto mine = std::find(groups.rbegin(), groups.rend(), group_);
    if (mine != groups.rend()) groups.erase(std::next(mine).base());
  });
}

namespace {

ProcessGroup look_up(std::string_view name) {
  ProcessGroup found = find_in(of_thread, name);
  if (!found) with_groups(GroupScope::Reach::kProcess, [&](Groups& groups) { found = find_in(groups, name); });
  return found;
}

}  // namespace

ProcessGroup find_default_group() { return look_up({}); }

ProcessGroup find_group(std::string_view name) {
  ProcessGroup found = look_up(name);
  STRATA_CHECK(found || !name.empty(), "distributed: there is no process group; call init_process_group() first");
  STRATA_CHECK(found, "distributed: no process group or axis is called {}", name);
  return found;
}

}  // namespace strata
