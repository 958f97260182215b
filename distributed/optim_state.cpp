// The state of an optimizer of shards, by the names of the parameters: gathered from all ranks, and divided again.
#include <algorithm>
#include <map>
#include <sstream>

#include "core/error.h"
#include "core/grad_mode.h"
#include "distributed/sharder.h"
#include "ops/cast.h"
#include "ops/collective.h"
#include "ops/creation.h"

namespace strata::distributed {
namespace {

using State = OrderedDict<std::string, Tensor>;

std::string state_key(const std::string& parameter, const std::string& field) {
  return "state." + parameter + "." + field;
}
std::string option_key(const std::string& parameter, const std::string& option) {
  return "param_groups." + parameter + "." + option;
}

serialize::InputArchive read_back(const serialize::OutputArchive& archive) {
  std::stringstream bytes;
  archive.save_to(bytes);
  serialize::InputArchive read;
  read.load_from(bytes);
  return read;
}

serialize::InputArchive group_of(const SavedOptimizer& o, size_t index) {
  return o.saved.nested("group" + std::to_string(index));
}

using Entry = OptimizerEntry;

std::string written(const std::vector<Entry>& entries) {
  std::ostringstream text;
  for (const Entry& e : entries)
    text << e.group << ' ' << e.index << ' ' << e.name << ' ' << e.is_vector << ' ' << e.dtype << '\n';
  return text.str();
}
std::vector<Entry> entries_in(const std::string& text) {
  std::istringstream in(text);
  std::vector<Entry> entries;
  for (Entry e; in >> e.group >> e.index >> e.name >> e.is_vector >> e.dtype;) entries.push_back(e);
  return entries;
}

/// Rank 0's text, for all.
std::string broadcast_text(const std::string& text, Device device, const ProcessGroup& group) {
  const Tensor length = full({1}, static_cast<int64_t>(text.size()), kLong).to(device);
  const int64_t n = broadcast(length, 0, group).cpu().item<int64_t>();
  if (n == 0) return "";
  std::string bytes = group->rank() == 0 ? text : std::string(static_cast<size_t>(n), ' ');
  const Tensor mine = from_blob(bytes.data(), {n}, TensorOptions(kByte)).to(device);
  const Tensor all = broadcast(mine, 0, group).cpu();
  return {static_cast<const char*>(all.data_ptr()), static_cast<size_t>(n)};
}

/// What rank 0 gives, entry by entry.
class Giver {
 public:
  Giver(const State& state, FlatParameter& flat) : state_(state), flat_(flat) {}
  /// The fields of a shard's state: what any of its parameters has.
  std::vector<std::string> fields() const {
    std::vector<std::string> names;
    for (const auto& m : flat_.members())
      for (const auto& item : state_) {
        const std::string prefix = state_key(m.name, "");
        if (!item.key().starts_with(prefix)) continue;
        const std::string field = item.key().substr(prefix.size());
        const bool is_own = field.find('.') == field.npos;  // else a parameter's whose name goes on from here
        if (is_own && std::find(names.begin(), names.end(), field) == names.end()) names.push_back(field);
      }
    return names;
  }
  Entry entry(size_t group, int64_t index, const std::string& field) const {
    Entry e{group, index, field, true, 0};
    for (const auto& m : flat_.members()) {
      const Tensor* const t = state_.find(state_key(m.name, field));
      if (!t) continue;
      e.dtype = static_cast<int>(t->dtype());
      e.is_vector = e.is_vector && t->is_floating_point() && t->sizes() == m.parameter.sizes();
      STRATA_CHECK(e.is_vector || t->dim() == 0, "{} has shape {}, its parameter {}", state_key(m.name, field),
                   t->sizes(), m.parameter.sizes());
    }
    return e;
  }
  /// The whole vector of a field; zeros where a parameter has none.
  Tensor vector(const Entry& e) const {
    const Tensor whole = zeros({flat_.padded_numel()}, flat_.shard().options().dtype(static_cast<DType>(e.dtype)));
    for (const auto& m : flat_.members())
      if (const Tensor* const t = state_.find(state_key(m.name, e.name))) FlatParameter::part_of(whole, m).copy_(*t);
    return whole;
  }
  Tensor number(const Entry& e) const {
    for (const auto& m : flat_.members())
      if (const Tensor* const t = state_.find(e.index < 0 ? option_key(m.name, e.name) : state_key(m.name, e.name)))
        return t->to(static_cast<DType>(e.dtype));
    return {};
  }

 private:
  const State& state_;
  FlatParameter& flat_;
};

/// By group and index.
using Values = std::map<std::pair<size_t, int64_t>, std::map<std::string, Tensor>>;

/// `values` in the form in which the optimizer saves itself; options that are not among them are its own.
serialize::InputArchive to_load(const SavedOptimizer& optimizer, const Values& values) {
  serialize::OutputArchive archive;
  archive.write("groups", optimizer.groups.size());
  for (size_t g = 0; g < optimizer.groups.size(); ++g) {
    serialize::OutputArchive group, options;
    serialize::InputArchive own = group_of(optimizer, g).nested("options");
    const auto given = values.find({g, -1});
    for (const std::string& option : own.keys()) {
      const Tensor number = own.find(option);
      std::string text;
      if (given != values.end() && given->second.contains(option))
        options.write(option, given->second.at(option));
      else if (number.defined())
        options.write(option, number);
      else if (own.try_read(option, text))
        options.write(option, text);
    }
    group.write("params", optimizer.groups[g].size());
    group.write("options", options);
    for (size_t i = 0; i < optimizer.groups[g].size(); ++i) {
      const auto fields = values.find({g, static_cast<int64_t>(i)});
      if (fields == values.end()) continue;
      serialize::OutputArchive state;
      for (const auto& [name, value] : fields->second) state.write(name, value);
      group.write(std::to_string(i), state);
    }
    archive.write("group" + std::to_string(g), group);
  }
  return read_back(archive);
}

}  // namespace

SavedOptimizer::SavedOptimizer(std::vector<std::vector<Tensor>> parameters, const serialize::OutputArchive& archive)
    : groups(std::move(parameters)), saved(read_back(archive)) {}

FlatParameter& Sharder::flat_of(const Tensor& shard) const {
  for (const auto& unit : units_)
    for (const auto& flat : unit->flats)
      if (flat->shard().is_same(shard)) return *flat;
  STRATA_THROW("FullyShardedDataParallel: the optimizer has a parameter of shape {} that is no shard", shard.sizes());
}

State Sharder::full_optim_state_dict(const SavedOptimizer& optimizer) const {
  const NoGradGuard no_grad;
  State state;
  const auto give = [&](const std::string& key, const Tensor& value) {
    if (group_->rank() == 0) state.insert(key, value.clone());
  };
  for (size_t g = 0; g < optimizer.groups.size(); ++g) {
    const serialize::InputArchive group = group_of(optimizer, g), options = group.nested("options");
    for (size_t i = 0; i < optimizer.groups[g].size(); ++i) {
      FlatParameter& flat = flat_of(optimizer.groups[g][i]);
      const serialize::InputArchive saved = group.nested(std::to_string(i));
      for (const std::string& field : saved.keys()) {
        const Tensor value = saved.find(field);
        if (!value.defined()) continue;
        const Tensor whole = value.dim() > 0 ? flat.gathered(value.to(flat.shard().device())) : Tensor();
        for (const auto& m : flat.members())
          give(state_key(m.name, field), whole.defined() ? FlatParameter::part_of(whole, m) : value);
      }
      for (const std::string& option : options.keys())
        for (const auto& m : flat.members())
          if (const Tensor value = options.find(option); value.defined()) give(option_key(m.name, option), value);
    }
  }
  return state;
}

/// What rank 0 has of each, in the order in which the ranks share it.
std::vector<Entry> Sharder::entries_of(const State& state, const SavedOptimizer& optimizer) const {
  std::vector<Entry> entries;
  for (size_t g = 0; g < optimizer.groups.size(); ++g) {
    const serialize::InputArchive options = group_of(optimizer, g).nested("options");
    for (size_t i = 0; i < optimizer.groups[g].size(); ++i) {
      const Giver from(state, flat_of(optimizer.groups[g][i]));
      for (const std::string& field : from.fields()) entries.push_back(from.entry(g, static_cast<int64_t>(i), field));
      for (const std::string& option : i == 0 ? options.keys() : std::vector<std::string>()) {
        const Tensor own = options.find(option);
        if (!own.defined()) continue;  // text: stays as it is
        const Entry e{g, -1, option, false, static_cast<int>(own.dtype())};
        if (from.number(e).defined()) entries.push_back(e);
      }
    }
  }
  STRATA_CHECK(!entries.empty(), "the state has nothing of this module's parameters");
  return entries;
}

serialize::InputArchive Sharder::divide_optim_state(const State& state, const SavedOptimizer& optimizer) const {
  const NoGradGuard no_grad;
  const bool is_first = group_->rank() == 0;
  std::string text;  // rank 0's entries, or behind a '!' why there are none: then all ranks throw
  if (is_first) try {
      text = written(entries_of(state, optimizer));
    } catch (const std::exception& e) {
      text = std::string("!") + e.what();
    }
  const std::vector<Tensor> all = shards();
  const Device device = all.empty() ? Device(kCPU) : all[0].device();
  text = broadcast_text(text, device, group_);
  STRATA_CHECK(!text.starts_with('!'), "load_full_optim_state_dict: {}", text.substr(1));

  Values values;
  for (const Entry& e : entries_in(text)) {
    FlatParameter& flat = flat_of(optimizer.groups[e.group][static_cast<size_t>(std::max<int64_t>(e.index, 0))]);
    const Giver from(state, flat);
    const auto dtype = static_cast<DType>(e.dtype);
    Tensor& value = values[{e.group, e.index}][e.name];
    if (e.is_vector) {
      const Tensor whole =
          is_first ? from.vector(e) : empty({flat.padded_numel()}, flat.shard().options().dtype(dtype));
      value = flat.scattered(whole);
    } else {
      const Tensor mine = is_first ? from.number(e) : zeros({}, dtype);
      value = broadcast(mine.reshape({1}).to(device), 0, group_).cpu().reshape({});
    }
  }
  return to_load(optimizer, values);
}

}  // namespace strata::distributed
