// Gathering and freeing what is sharded, and averaging its gradient.
#include "distributed/flat_parameter.h"

#include "core/error.h"
#include "core/grad_mode.h"
#include "ops/cast.h"
#include "ops/collective.h"
#include "ops/creation.h"
#include "ops/shaping.h"
#include "ops/view.h"

namespace strata::distributed {

FlatParameter::FlatParameter(std::string name, const std::vector<std::pair<std::string, Tensor>>& parameters,
                             ProcessGroup group, const MixedPrecision& precision, bool is_sharded)
    : name_(std::move(name)), group_(std::move(group)), precision_(precision), is_sharded_(is_sharded) {
  const NoGradGuard no_grad;
  int64_t numbers = 0;
  for (const auto& [key, parameter] : parameters) {
    members_.push_back({key, parameter, numbers});
    numbers += parameter.numel();
  }
  const Tensor& first = members_.at(0).parameter;
  const int64_t shards = is_sharded ? group_->size() : 1, each = (numbers + shards - 1) / shards;
  const Tensor values = zeros({each * shards}, first.options());
  for (const Member& m : members_) part_of(values, m).copy_(m.parameter.detach());
  shard_ = values.narrow(0, is_sharded ? group_->rank() * each : 0, each).clone();
  shard_.requires_grad_(first.requires_grad());
  whole_ = empty(values.sizes(), first.options().dtype(precision_.param_dtype.value_or(first.dtype())));
  if (is_whole_shard()) whole_ = shard_.detach();
  for (const Member& m : members_) {
    m.parameter.mutable_grad() = Tensor();
    m.parameter.set_data(part_of(whole_, m));
  }
  free();
}

FlatParameter::~FlatParameter() {
  free();
  try {
    if (reducing_) reducing_->wait();
  } catch (...) {  // NOLINT(bugprone-empty-catch) nobody is left to be told
  }
}

Tensor FlatParameter::part_of(const Tensor& whole, const Member& member) {
  return whole.narrow(0, member.offset, member.parameter.numel()).view(member.parameter.sizes());
}

void FlatParameter::start_gather() {
  if (is_gathered() || whole_.numel() == 0) return;
  const NoGradGuard no_grad;
  whole_.storage().resize_(whole_.nbytes());
  try {
    if (!is_sharded_) return static_cast<void>(whole_.copy_(shard_.detach()));
    sent_ = shard_.detach().to(whole_.dtype());
    Collective c{.kind = CollectiveKind::kAllGather, .dtype = whole_.dtype()};
    c.device = whole_.device();
    c.in = sent_.data_ptr(), c.in_count = sent_.numel();
    c.out = whole_.data_ptr(), c.out_count = whole_.numel();
    gathering_ = group_->start(c);
  } catch (...) {
    free();
    throw;
  }
}

void FlatParameter::gather() {
  start_gather();
  try {
    wait();
  } catch (...) {
    free();
    throw;
  }
}

void FlatParameter::wait() {
  if (!gathering_) return;
  const std::shared_ptr<Work> work = std::move(gathering_);
  gathering_ = nullptr;
  work->wait();
  sent_ = Tensor();
}

void FlatParameter::free() noexcept {
  try {
    wait();
  } catch (...) {  // NOLINT(bugprone-empty-catch) the group is closed now and says why at the next call
  }
  sent_ = Tensor();
  if (!is_whole_shard()) whole_.storage().resize_(0);
}

void FlatParameter::begin_pass() {
  missing_ = members_.size();
  for (Member& m : members_) m.ready = false;
}

void FlatParameter::take_gradient(Member& m) {
  const NoGradGuard no_grad;
  Tensor& grad = m.parameter.mutable_grad();
  if (grad.defined()) {
    if (!gradient_.defined()) gradient_ = zeros(whole_.sizes(), whole_.options());
    part_of(gradient_, m).add_(grad);
    grad = Tensor();
  }
  if (!m.ready) --missing_;
  m.ready = true;
}

void FlatParameter::start_reduce() {
  const NoGradGuard no_grad;
  addends_ = gradient_.to(precision_.reduce_dtype.value_or(gradient_.dtype()));
  gradient_ = Tensor();
  sum_ = is_sharded_ ? empty(shard_.sizes(), addends_.options()) : addends_;
  const auto kind = is_sharded_ ? CollectiveKind::kReduceScatter : CollectiveKind::kAllReduce;
  Collective c{.kind = kind, .dtype = sum_.dtype(), .op = ReduceOp::AVG};
  c.device = sum_.device();
  c.in = addends_.data_ptr(), c.in_count = addends_.numel();
  c.out = sum_.data_ptr(), c.out_count = sum_.numel();
  reducing_ = group_->start(c);
}

void FlatParameter::finish_reduce() {
  if (!reducing_) return;
  const NoGradGuard no_grad;
  const std::shared_ptr<Work> work = std::move(reducing_);
  reducing_ = nullptr;
  work->wait();
  addends_ = Tensor();
  const Tensor mine = std::exchange(sum_, Tensor()).to(shard_.dtype());
  Tensor& grad = shard_.mutable_grad();
  if (grad.defined())
    grad.add_(mine);
  else
    grad = mine;
}

Tensor FlatParameter::whole() const { return gathered(shard_); }

Tensor FlatParameter::gathered(const Tensor& shard) const {
  const NoGradGuard no_grad;
  if (!is_sharded_ || whole_.numel() == 0) return shard.detach().clone();
  return all_gather_into_tensor(shard.detach(), group_);
}

void FlatParameter::scatter_from_first(const Tensor& whole) {
  const NoGradGuard no_grad;
  shard_.detach().copy_(scattered(whole));
}

Tensor FlatParameter::scattered(const Tensor& whole) const {
  const NoGradGuard no_grad;
  if (whole_.numel() == 0) return whole;
  return is_sharded_ ? scatter(whole, 0, group_) : broadcast(whole, 0, group_);
}

}  // namespace strata::distributed
