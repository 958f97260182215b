// Leaving a broken group, and meeting again.
#include "distributed/elastic.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>

#include "autograd/autograd.h"
#include "core/error.h"
#include "distributed/environment.h"
#include "ops/collective.h"
#include "ops/creation.h"
#include "ops/reduce.h"

namespace strata::distributed::elastic {
namespace {

/// Thrown by `commit` where another node wants to take part.
struct HostsUpdated {};

int64_t variable(const char* name, int64_t otherwise) {
  const char* const text = std::getenv(name);
  return text && *text ? std::strtoll(text, nullptr, 10) : otherwise;
}

/// The launcher's end of the job: packets over a socket that it has left open (launcher/worker_channel.h).
class Agent {
 public:
  /// The descriptor is not for programs that this one starts.
  Agent() : fd_(static_cast<int>(variable("STRATA_AGENT_FD", -1))) {
    if (fd_ >= 0 && fcntl(fd_, F_SETFD, FD_CLOEXEC) != 0) fd_ = -1;
  }
  bool is_there() const { return fd_ >= 0; }
  void say(const std::string& packet) const {
    if (is_there()) (void)::send(fd_, packet.data(), packet.size(), MSG_NOSIGNAL);
  }

  /// Has it announced a generation after the own one? Does not wait.
  bool announces() {
    while (read(0)) {
    }
    return !plan_.empty();
  }

  /// Waits for the plan of a generation after the own one, and takes its place in that.
  void take_next_plan() {
    while (plan_.empty()) STRATA_CHECK(read(-1), "elastic: the launcher has gone");
    while (read(0)) {  // the newest one
    }
    for (size_t begin = 0; begin < plan_.size();) {
      const size_t end = std::min(plan_.find('\n', begin), plan_.size());
      const std::string entry = plan_.substr(begin, end - begin);
      const size_t sign = entry.find('=');
      if (sign != entry.npos) setenv(entry.substr(0, sign).c_str(), entry.c_str() + sign + 1, 1);
      begin = end + 1;
    }
    plan_.clear();
  }

 private:
  /// One packet, if there is one within `timeout` milliseconds (-1: whenever); false where there is none.
  bool read(int timeout) {
    if (!is_there()) return false;
    pollfd waits = {fd_, POLLIN, 0};
    int ready;
    while ((ready = poll(&waits, 1, timeout)) < 0 && errno == EINTR) {
    }
    if (ready <= 0) return false;
    std::array<char, 1 << 16> packet;
    const ssize_t size = recv(fd_, packet.data(), packet.size(), MSG_DONTWAIT);
    if (size <= 0) return false;
    const std::string_view text(packet.data(), static_cast<size_t>(size));
    constexpr std::string_view kPlan = "plan\n";
    if (text.starts_with(kPlan)) plan_ = text.substr(kPlan.size());
    return true;
  }

  int fd_;
  std::string plan_;
};

Agent& agent() {
  static auto* const agent = new Agent;
  return *agent;
}

/// A part of the state.
class Item {
 public:
  virtual ~Item() = default;
  virtual void save() = 0;
  virtual void restore() = 0;
  /// Collective: `root`'s values on all ranks. What was saved stays: the root may be lost before all parts are through.
  virtual void broadcast(int64_t root) = 0;
};

class Tensors final : public Item {
 public:
  explicit Tensors(std::vector<Tensor> tensors) : tensors_(std::move(tensors)) {}
  void save() override {
    if (saved_.empty())
      for (const Tensor& t : tensors_) saved_.push_back(t.detach().clone());
    else
      copy(tensors_, saved_);
  }
  void restore() override {
    copy(saved_, tensors_);
    for (const Tensor& t : tensors_)
      if (t.requires_grad()) t.mutable_grad() = Tensor();
  }
  void broadcast(int64_t root) override {
    for (const Tensor& t : tensors_) {
      Tensor plain = t.detach();
      broadcast_(plain, root);
    }
  }

 private:
  static void copy(const std::vector<Tensor>& from, const std::vector<Tensor>& to) {
    for (size_t i = 0; i < from.size(); ++i) to[i].detach().copy_(from[i].detach());
  }
  const std::vector<Tensor> tensors_;
  std::vector<Tensor> saved_;
};

class Number final : public Item {
 public:
  explicit Number(int64_t& number) : number_(number) {}
  void save() override { saved_ = number_; }
  void restore() override { number_ = saved_; }
  void broadcast(int64_t root) override {
    Tensor value = full({1}, number_, kLong);
    broadcast_(value, root);
    number_ = value.item<int64_t>();
  }

 private:
  int64_t& number_;
  int64_t saved_ = 0;
};

class Saved final : public Item {
 public:
  using Save = strata::detail::Function<void(serialize::OutputArchive&)>;
  using Load = strata::detail::Function<void(serialize::InputArchive&)>;
  Saved(Save save, Load load) : save_(std::move(save)), load_(std::move(load)) {}
  void save() override { saved_ = bytes_now(); }
  void restore() override { load(saved_.data(), saved_.size()); }
  void broadcast(int64_t root) override {
    const bool is_root = get_rank() == root;
    const std::string own = is_root ? bytes_now() : "";
    Tensor size = full({1}, static_cast<int64_t>(own.size()), kLong);
    broadcast_(size, root);
    Tensor bytes = empty({size.item<int64_t>()}, kByte);
    if (is_root) std::memcpy(bytes.data_ptr(), own.data(), own.size());
    broadcast_(bytes, root);
    if (!is_root) load(static_cast<const char*>(bytes.data_ptr()), static_cast<size_t>(bytes.numel()));
  }

 private:
  std::string bytes_now() const {
    serialize::OutputArchive archive;
    save_(archive);
    std::ostringstream out;
    archive.save_to(out);
    return std::move(out).str();
  }
  void load(const char* data, size_t size) const {
    serialize::InputArchive archive;
    archive.load_from(data, size);
    load_(archive);
  }
  const Save save_;
  const Load load_;
  std::string saved_;
};

/// Whether an error is the group's: all later calls of a failed group throw what it has failed with.
bool is_of_group(const std::string& error) {
  if (!is_initialized() || get_world_size() == 1) return false;
  const ProcessGroup group = find_group("");
  Collective nothing{.kind = CollectiveKind::kPermute};
  nothing.in_counts = nothing.out_counts = {-1};
  try {
    group->run(nothing);
  } catch (const std::exception& failure) {
    return error.find(failure.what()) != error.npos || error.find("of group " + group->name()) != error.npos;
  }
  return false;
}

std::string generation() { return std::to_string(variable("STRATA_GENERATION", 0)); }

/// May nodes come while this generation trains?
bool may_grow() { return variable("STRATA_MAX_NODES", 1) > variable("GROUP_WORLD_SIZE", 1); }

/// Leaves the default group at its end.
struct InGroup {
  explicit InGroup(const InitOptions& options) { init_process_group(options); }
  ~InGroup() { destroy_process_group(); }
  InGroup(const InGroup&) = delete;
  InGroup& operator=(const InGroup&) = delete;
};

/// One generation. Returns whether it was the last; otherwise `why` is what has broken it.
bool train_in_group(State& state, const strata::detail::Function<void()>& train, const InitOptions& options,
                    std::string& why) {
  bool has_joined = false;
  try {
    const InGroup group(options);
    has_joined = true;
    try {
      state.sync();
      train();
      barrier();
      return true;
    } catch (const std::exception& error) {
      why = error.what();
      if (!agent().is_there() || !is_of_group(why)) throw;
    }
  } catch (const HostsUpdated&) {
    why.clear();
  } catch (const std::exception& error) {
    why = error.what();
    if (has_joined || !agent().is_there() || read_environment().world_size == 1) throw;
  }
  return false;
}

}  // namespace

struct State::Impl {
  std::vector<std::unique_ptr<Item>> items;
  int64_t commits = 0;
  bool is_shared = false;

  void save() {
    const NoGradGuard no_grad;
    for (const auto& item : items) item->save();
  }
};

State::State() : impl_(std::make_unique<Impl>()) {}
State::~State() = default;

State& State::add(nn::Module& module) {
  std::vector<Tensor> tensors = module.parameters();
  for (const Tensor& buffer : module.buffers()) tensors.push_back(buffer);
  impl_->items.push_back(std::make_unique<Tensors>(std::move(tensors)));
  return *this;
}

State& State::add(const Tensor& tensor) {
  impl_->items.push_back(std::make_unique<Tensors>(std::vector<Tensor>{tensor}));
  return *this;
}

State& State::add(int64_t& number) {
  impl_->items.push_back(std::make_unique<Number>(number));
  return *this;
}

State& State::add_saved(strata::detail::Function<void(serialize::OutputArchive&)> save,
                        strata::detail::Function<void(serialize::InputArchive&)> load) {
  impl_->items.push_back(std::make_unique<Saved>(std::move(save), std::move(load)));
  return *this;
}

void State::commit() {
  impl_->save();
  ++impl_->commits;
  if (!may_grow()) return;
  Tensor comes = full({1}, agent().announces() ? 1 : 0, kLong);
  all_reduce_(comes, ReduceOp::MAX);
  if (comes.item<int64_t>() != 0) throw HostsUpdated();
}

void State::restore() {
  const NoGradGuard no_grad;
  for (const auto& item : impl_->items) item->restore();
}

void State::sync() {
  {
    const NoGradGuard no_grad;
    // Before the first commit, those who share a state already count more than newcomers.
    const Tensor own = full({2}, impl_->commits, kLong);
    own[1].fill_(impl_->is_shared ? 1 : 0);
    const Tensor all = all_gather_into_tensor(own).view({-1, 2});
    const int64_t root = all.sum(1).argmax().item<int64_t>();
    for (const auto& item : impl_->items) item->broadcast(root);
    impl_->commits = all[root][0].item<int64_t>();
  }
  impl_->is_shared = true;
  impl_->save();
}

int64_t State::commits() const { return impl_->commits; }

void run(State& state, const strata::detail::Function<void()>& train, const InitOptions& options) {
  STRATA_CHECK(!is_initialized(), "elastic::run joins the default group by itself: leave out init_process_group()");
  state.impl_->save();  // what a rank goes back to that is lost before its first commit
  agent().say("here");
  for (std::string why;;) {
    bool is_done = false;
    try {
      is_done = train_in_group(state, train, options, why);
    } catch (...) {
      agent().say("done " + generation());
      throw;
    }
    if (is_done) return agent().say("done " + generation());
    state.restore();
    if (!why.empty()) agent().say("lost " + generation() + " " + why.substr(0, 4000));
    agent().take_next_plan();
  }
}

}  // namespace strata::distributed::elastic
