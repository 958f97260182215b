// What a sharded module saves and loads, and the norm of its gradients.
#include "core/error.h"
#include "core/grad_mode.h"
#include "distributed/reducer.h"
#include "distributed/sharder.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/collective.h"
#include "ops/creation.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/unary.h"

namespace strata::distributed {

std::vector<Tensor> Sharder::shards() const {
  std::vector<Tensor> list;
  for (const auto& unit : units_)
    for (const auto& flat : unit->flats) list.push_back(flat->shard());
  return list;
}

std::vector<const FlatParameter*> Sharder::flat_parameters() const {
  std::vector<const FlatParameter*> list;
  for (const auto& unit : units_)
    for (const auto& flat : unit->flats) list.push_back(flat.get());
  return list;
}

OrderedDict<std::string, Tensor> Sharder::full_state_dict() const {
  const NoGradGuard no_grad;
  const bool is_first = group_->rank() == 0;
  std::unordered_map<std::string, Tensor> found;
  for (const auto& unit : units_)
    for (const auto& flat : unit->flats) {
      const Tensor whole = flat->whole();
      if (!is_first) continue;
      for (const auto& m : flat->members()) found[m.name] = FlatParameter::part_of(whole, m).clone();
    }
  OrderedDict<std::string, Tensor> state;
  if (!is_first) return state;
  for (const auto& item : root_.named_parameters()) state.insert(item.key(), found.at(item.key()));
  for (const auto& item : root_.named_buffers()) state.insert(item.key(), item.value().detach().clone());
  return state;
}

/// On rank 0, and the others throw with it: they would wait for what it does not send.
void Sharder::check_fits(const OrderedDict<std::string, Tensor>& state) const {
  std::string misfit;
  const auto check = [&](const std::string& name, const Tensor& wanted) {
    const Tensor* const t = state.find(name);
    if (misfit.empty() && !(t && t->defined() && t->sizes() == wanted.sizes())) misfit = name;
  };
  if (group_->rank() == 0) {
    for (const auto& item : root_.named_parameters()) check(item.key(), item.value());
    for (const auto& item : root_.named_buffers()) check(item.key(), item.value());
  }
  const Tensor ok = broadcast(full({}, int64_t{misfit.empty()}, kLong), 0, group_);
  STRATA_CHECK(misfit.empty(), "load_full_state_dict: '{}' is missing or has another shape", misfit);
  STRATA_CHECK(ok.item<int64_t>() != 0, "load_full_state_dict: rank 0's state does not fit the module");
}

void Sharder::load_full_state_dict(const OrderedDict<std::string, Tensor>& state) {
  const NoGradGuard no_grad;
  check_fits(state);
  const bool is_first = group_->rank() == 0;
  for (const auto& unit : units_)
    for (const auto& flat : unit->flats) {
      const Tensor& shard = flat->shard();
      const Tensor whole = zeros({flat->padded_numel()}, shard.options());
      if (is_first)
        for (const auto& m : flat->members()) FlatParameter::part_of(whole, m).copy_(*state.find(m.name));
      flat->scatter_from_first(whole);
    }
  if (is_first)
    for (const auto& item : root_.named_buffers()) item.value().detach().copy_(*state.find(item.key()));
  broadcast_coalesced(root_.buffers(), 0, group_);
}

OrderedDict<std::string, Tensor> Sharder::sharded_state_dict() const {
  OrderedDict<std::string, Tensor> state;
  for (const auto& unit : units_)
    for (const auto& flat : unit->flats) state.insert(flat->name(), flat->shard().detach().clone());
  for (const auto& item : root_.named_buffers()) state.insert(item.key(), item.value().detach().clone());
  return state;
}

void Sharder::load_sharded_state_dict(const OrderedDict<std::string, Tensor>& state) {
  const NoGradGuard no_grad;
  OrderedDict<std::string, Tensor> targets = root_.named_buffers();
  for (const auto& unit : units_)
    for (const auto& flat : unit->flats) targets.insert(flat->name(), flat->shard());
  for (const auto& item : targets) {
    const Tensor* const t = state.find(item.key());
    STRATA_CHECK(t && t->sizes() == item.value().sizes(),
                 "load_sharded_state_dict: '{}' is missing or has another shape; shards fit the number of ranks that "
                 "saved them",
                 item.key());
  }
  for (const auto& item : targets) item.value().detach().copy_(*state.find(item.key()));
}

Tensor Sharder::clip_grad_norm(double max_norm) {
  const NoGradGuard no_grad;
  Tensor squares = zeros({}, kDouble);
  for (const Tensor& shard : shards())
    if (shard.grad().defined()) squares = squares + shard.grad().to(kDouble).square().sum();
  const bool is_sharded = options_.sharding_strategy != ShardingStrategy::NO_SHARD;
  const Tensor norm = (is_sharded ? all_reduce(squares, ReduceOp::SUM, group_) : squares).sqrt();
  const double factor = max_norm / (norm.item<double>() + 1e-6);
  if (factor < 1)
    for (const Tensor& shard : shards())
      if (shard.grad().defined()) shard.grad().detach().mul_(factor);
  return norm;
}

}  // namespace strata::distributed
