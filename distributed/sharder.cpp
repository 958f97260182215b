// Choosing units, and gathering and freeing them around forward and backward.
#include "distributed/sharder.h"

#include <algorithm>
#include <exception>
#include <map>

#include "autograd/autograd.h"
#include "core/error.h"
#include "core/grad_mode.h"
#include "core/replay.h"
#include "distributed/reducer.h"
#include "ops/collective.h"
#include "ops/creation.h"
#include "ops/view.h"

namespace strata::distributed {
namespace {

std::string join(const std::string& prefix, const std::string& name) {
  return prefix.empty() ? name : prefix + "." + name;
}

struct Kept {
  Tensor tensor;
  uint32_t version;
};

}  // namespace

AutoWrapPolicy size_based_auto_wrap_policy(int64_t min_num_params) {
  return [=](const nn::Module&, int64_t nonwrapped_numel) { return nonwrapped_numel >= min_num_params; };
}

/// Tensors stay as they are; one that shows a unit's memory has it gathered when backward needs it.
class Sharder::Saved final : public autograd::SavedTensorHooks {
 public:
  explicit Saved(std::shared_ptr<Sharder> sharder) : sharder_(std::move(sharder)) {}
  std::any pack(const Tensor& t) override { return Kept{t, t.impl()->version()}; }
  Tensor unpack(const std::any& packed) override {
    const auto& kept = std::any_cast<const Kept&>(packed);
    const auto unit = sharder_->unit_of_.find(kept.tensor.storage().get());
    if (unit != sharder_->unit_of_.end())
      sharder_->need_in_backward(*unit->second);
    else
      STRATA_CHECK(kept.version == kept.tensor.impl()->version(),
                   "backward: a tensor of shape {} that it needs was modified in place since", kept.tensor.sizes());
    return kept.tensor;
  }

 private:
  std::shared_ptr<Sharder> sharder_;
};

/// Lives in the callback at the end of a pass. The engine drops callbacks of a pass that throws.
struct Sharder::Pass {
  explicit Pass(std::shared_ptr<Sharder> of) : sharder(std::move(of)) {}
  ~Pass() {
    if (!is_done) sharder->give_up();
  }
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;
  std::shared_ptr<Sharder> sharder;
  bool is_done = false;
};

// ---- At the start ---------------------------------------------------------------------------------------------------

Sharder::Sharder(nn::Module& root, const SharderOptions& options)
    : root_(root), options_(options), group_(options.group ? options.group : find_group("")) {
  std::vector<Tensor> all = root.buffers();
  for (const Tensor& p : root.parameters()) all.push_back(p);
  broadcast_coalesced(all, 0, group_);
  if (options.mixed_precision.buffer_dtype) cast_buffers_(root.buffers(), *options.mixed_precision.buffer_dtype);
  choose_units(root, "");
  units_.push_back(std::make_unique<Unit>(Unit{.name = ""}));
  Parts parts(units_.size());
  assign(root, "", units_.size() - 1, parts);
  for (size_t u = 0; u < units_.size(); ++u) flatten(*units_[u], parts[u]);
}

/// Of the modules below `module`, and, unless it is the root, of itself. Returns how many numbers no unit has taken.
int64_t Sharder::choose_units(nn::Module& module, const std::string& name) {
  int64_t numbers = 0;
  for (const Tensor& p : module.parameters(false)) numbers += p.numel();
  for (const auto& child : module.named_children()) numbers += choose_units(*child.value(), join(name, child.key()));
  if (&module == &root_ || !options_.auto_wrap_policy || !options_.auto_wrap_policy(module, numbers)) return numbers;
  for (const auto& unit : units_)
    if (unit->module.get() == &module) return 0;  // it is in the tree twice
  units_.push_back(std::make_unique<Unit>(Unit{.name = name, .module = module.shared_from_this()}));
  return 0;
}

/// Each parameter to the nearest unit above it, or to the root, if it has more than one.
void Sharder::assign(nn::Module& module, const std::string& name, size_t unit, Parts& parts) const {
  for (size_t u = 0; u < units_.size(); ++u)
    if (units_[u]->module.get() == &module) unit = u;
  for (const auto& item : module.named_parameters(false)) {
    const auto is_it = [&](const auto& entry) { return entry.second.is_same(item.value()); };
    size_t owner = parts.size();
    for (size_t u = 0; u < parts.size(); ++u)
      if (std::any_of(parts[u].begin(), parts[u].end(), is_it)) owner = u;
    if (owner == unit || owner + 1 == parts.size()) continue;
    std::pair<std::string, Tensor> entry{join(name, item.key()), item.value()};
    if (owner < parts.size()) {
      const auto at = std::find_if(parts[owner].begin(), parts[owner].end(), is_it);
      entry = *at;
      parts[owner].erase(at);
      parts.back().push_back(entry);
    } else {
      parts[unit].push_back(entry);
    }
  }
  for (const auto& child : module.named_children()) assign(*child.value(), join(name, child.key()), unit, parts);
}

/// A vector for each dtype, and frozen ones apart: they have no gradient to average.
void Sharder::flatten(Unit& unit, const std::vector<std::pair<std::string, Tensor>>& parameters) {
  std::map<std::pair<DType, bool>, std::vector<std::pair<std::string, Tensor>>> alike;
  for (const auto& entry : parameters) {
    STRATA_CHECK(entry.second.device() == parameters[0].second.device(),
                 "FullyShardedDataParallel: parameter {} is on another device than {}", entry.first,
                 parameters[0].first);
    alike[{entry.second.dtype(), entry.second.requires_grad()}].push_back(entry);
  }
  for (const auto& [kind, list] : alike) {
    const std::string suffix = unit.flats.empty() ? "" : "_" + std::to_string(unit.flats.size());
    unit.flats.push_back(std::make_unique<FlatParameter>(join(unit.name, "_flat_param") + suffix, list, group_,
                                                         options_.mixed_precision,
                                                         options_.sharding_strategy != ShardingStrategy::NO_SHARD));
    unit_of_[unit.flats.back()->storage()] = &unit;
  }
}

void Sharder::add_hooks() {
  const std::weak_ptr<Sharder> self = weak_from_this();
  for (const auto& owned : units_) {
    Unit* const unit = owned.get();
    if (unit->module) {
      unit->before = unit->module->register_forward_pre_hook([this, unit](nn::Module&) { before_unit(*unit); });
      unit->after = unit->module->register_forward_hook([this, unit](nn::Module&) { after_unit(*unit); });
    }
    for (const auto& f : unit->flats) {
      FlatParameter* const flat = f.get();
      if (!flat->requires_grad()) continue;
      for (FlatParameter::Member& m : flat->members()) {
        const auto hook = [self, unit, flat, member = &m](const Tensor&) {
          if (const auto sharder = self.lock()) sharder->on_gradient(*unit, *flat, *member);
        };
        gradient_hooks_.emplace_back(m.parameter, autograd::register_post_accumulate_grad_hook(m.parameter, hook));
      }
    }
  }
}

Sharder::~Sharder() {
  for (const auto& [parameter, hook] : gradient_hooks_) parameter.remove_hook(hook);
  for (const auto& unit : units_) {
    if (unit->before) unit->module->remove_forward_hook(unit->before);
    if (unit->after) unit->module->remove_forward_hook(unit->after);
  }
}

// ---- Forward --------------------------------------------------------------------------------------------------------

void Sharder::start_gather(Unit& unit) {
  for (const auto& flat : unit.flats) {
    if (!flat->is_gathered()) note(*flat, 'g');
    flat->start_gather();
  }
}

void Sharder::gather(Unit& unit) {
  start_gather(unit);
  for (const auto& flat : unit.flats) flat->gather();
}

void Sharder::free(Unit& unit) noexcept {
  for (const auto& flat : unit.flats) flat->free();
}

Sharder::Forward::Forward(Sharder& sharder)
    : sharder_(sharder),
      guard_(std::make_shared<Saved>(sharder.shared_from_this())),
      exceptions_(std::uncaught_exceptions()) {
  STRATA_CHECK(!sharder.is_broken_,
               "FullyShardedDataParallel: an earlier pass threw on rank {}, which the other ranks may wait for; end "
               "this process, or make the group and the module anew",
               sharder.group_->rank());
  for (const auto& unit : sharder.units_) free(*unit);  // the shards may have changed since
  sharder.previous_order_ = std::exchange(sharder.order_, {});
  sharder.before_unit(*sharder.units_.back());
}

Sharder::Forward::~Forward() {
  const bool threw = std::uncaught_exceptions() > exceptions_;
  if (threw) sharder_.give_up();
  const bool stays = sharder_.options_.sharding_strategy != ShardingStrategy::FULL_SHARD && GradMode::is_enabled();
  if (threw || !stays)
    for (const auto& unit : sharder_.units_) free(*unit);
}

void Sharder::before_unit(Unit& unit) {
  strata::detail::check_not_traced("FullyShardedDataParallel");
  const size_t at = order_.size();
  order_.push_back(&unit);
  gather(unit);
  const bool is_known = at + 1 < previous_order_.size() && previous_order_[at] == &unit;
  if (options_.forward_prefetch && is_known) start_gather(*previous_order_[at + 1]);
}

void Sharder::after_unit(Unit& unit) noexcept {
  if (options_.sharding_strategy == ShardingStrategy::FULL_SHARD || !GradMode::is_enabled()) free(unit);
}

// ---- Backward -------------------------------------------------------------------------------------------------------

void Sharder::begin_pass() {
  if (is_running_) return;
  STRATA_CHECK(!is_broken_, "FullyShardedDataParallel: an earlier pass threw on rank {}", group_->rank());
  is_running_ = true;
  backward_at_ = order_.size();
  for (const auto& unit : units_)
    for (const auto& flat : unit->flats) flat->begin_pass();
  autograd::queue_callback([pass = std::make_shared<Pass>(shared_from_this())] {
    pass->is_done = true;
    pass->sharder->finish_pass();
  });
}

void Sharder::need_in_backward(Unit& unit) {
  begin_pass();
  gather(unit);
  if (unit.module) {  // the root is there all the time and says nothing about where backward is
    size_t calls = std::min(backward_at_ + 1, order_.size());
    while (calls > 0 && order_[calls - 1] != &unit) --calls;
    if (calls == 0) return;
    backward_at_ = calls - 1;
  }
  if (options_.backward_prefetch && backward_at_ > 0) start_gather(*order_[backward_at_ - 1]);
}

void Sharder::on_gradient(Unit& unit, FlatParameter& flat, FlatParameter::Member& member) {
  begin_pass();
  const bool was_complete = flat.is_complete();
  flat.take_gradient(member);
  if (was_complete || !flat.is_complete()) return;
  if (is_synced_ && flat.has_gradient()) reduce(flat);
  for (const auto& f : unit.flats)
    if (f->requires_grad() && !f->is_complete()) return;
  free(unit);
}

/// The gradients of two units have memory at most: one that travels and one that is being made.
void Sharder::reduce(FlatParameter& flat) {
  if (reducing_) reducing_->finish_reduce();
  reducing_ = &flat;
  note(flat, 'r');
  flat.start_reduce();
}

/// FNV-1a of all names and kinds so far.
void Sharder::note(const FlatParameter& flat, char kind) {
  for (const char c : flat.name() + kind) order_hash_ = (order_hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3;
}

/// Units of equal size could be taken for one another, and no collective would see it.
void Sharder::check_same_order() {
  const Tensor hashes = all_gather_into_tensor(full({1}, static_cast<int64_t>(order_hash_), kLong), group_);
  for (int64_t rank = 1; rank < group_->size(); ++rank)
    STRATA_CHECK(hashes[rank].item<int64_t>() == hashes[0].item<int64_t>(),
                 "FullyShardedDataParallel: rank {} ran its units in another order than rank 0, or had gradients of "
                 "other parameters",
                 rank);
}

/// After the last gradient: units with a parameter that got none are averaged too, with zeros for it.
void Sharder::finish_pass() {
  is_running_ = false;
  for (auto unit = units_.rbegin(); unit != units_.rend(); ++unit) {
    for (const auto& flat : (*unit)->flats)
      if (is_synced_ && flat->has_gradient()) reduce(*flat);
    free(**unit);
  }
  if (reducing_) std::exchange(reducing_, nullptr)->finish_reduce();
  if (is_synced_) check_same_order();
}

/// The other ranks wait for collectives that this one will not start, and would take the next pass's for them.
void Sharder::give_up() noexcept {
  is_running_ = false;
  is_broken_ = true;
  group_->close();
  for (const auto& unit : units_) free(*unit);
}

size_t Sharder::gathered_bytes() const {
  size_t bytes = 0;
  for (const auto& unit : units_)
    for (const auto& flat : unit->flats) bytes += flat->gathered_bytes();
  return bytes;
}

}  // namespace strata::distributed
