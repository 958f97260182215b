// An optimizer's state by the names of parameters, whatever the ranks have of them.
#include <charconv>
#include <set>

#include "core/error.h"
#include "distributed/checkpoint_parts.h"
#include "ops/creation.h"
#include "ops/view.h"

namespace strata::distributed::checkpoint {
namespace {

/// "12.rest" to 12 and "rest"; false if it is none.
bool split_number(std::string_view text, size_t& number, std::string_view& rest) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end == text.data() + text.size() || *end != '.') return false;
  rest = text.substr(static_cast<size_t>(end - text.data()) + 1);
  return true;
}

/// Counts, and what else is not a number for each of the parameter's.
bool is_divided(const Tensor& value, const Tensor& parameter) {
  return value.sizes() == parameter.sizes() && !is_integral(value.dtype(), true);
}

class OptimizerPart final : public Part {
 public:
  OptimizerPart(std::string name, OptimizerAccess optimizer)
      : name_(std::move(name)), optimizer_(std::move(optimizer)) {}

  void save(const Context& context, std::vector<Item>& items) const override {
    serialize::OutputArchive archive;
    optimizer_.save(archive);
    const auto groups = optimizer_.groups();
    for (const auto& item : archive.tensors()) {
      std::string_view key = item.key(), rest, field;
      size_t group = 0, place = 0;
      if (key == "groups") continue;
      const bool is_of_group = key.starts_with("group") && split_number(key.substr(5), group, rest);
      STRATA_CHECK(is_of_group && group < groups.size(), "optimizer '{}' has no state by parameters, but '{}'", name_,
                   key);
      if (rest == "params") continue;
      if (rest.starts_with("options.")) {
        items.push_back(whole_item(option_name(group, std::string(rest.substr(8))), item.value()));
        continue;
      }
      const bool is_of_parameter = split_number(rest, place, field) && place < groups[group].size();
      STRATA_CHECK(is_of_parameter && field.find('.') == field.npos,
                   "optimizer '{}' has no state by parameters, but '{}'", name_, key);
      save_field(layout_of(context, groups[group][place]), groups[group][place], std::string(field), item.value(),
                 items);
    }
  }

  void prepare(const Context& context, const Table& table, std::vector<Item>& targets) override {
    read_ = OrderedDict<std::string, Tensor>();
    counts_.clear();
    const auto groups = optimizer_.groups();
    insert_number("groups", groups.size());
    for (size_t g = 0; g < groups.size(); ++g) {
      const std::string group = "group" + std::to_string(g) + ".";
      insert_number(group + "params", groups[g].size());
      const std::vector<std::string> options = table.names_below(option_name(g, "") + ".");
      STRATA_CHECK(!options.empty(), "the checkpoint has no parameter group {} of optimizer '{}'", g, name_);
      for (const std::string& option : options)
        want_whole(table, option_name(g, option), group + "options." + option, targets);
      for (size_t i = 0; i < groups[g].size(); ++i)
        prepare_parameter(context, table, groups[g][i], group + std::to_string(i) + ".", targets);
    }
  }

  void finish() override {
    for (const auto& [first, other, name] : counts_)
      STRATA_CHECK(first.item<double>() == other.item<double>(),
                   "optimizer '{}': '{}' differs from that of other parameters in its unit, which share one", name_,
                   name);
    serialize::InputArchive archive(read_);
    read_ = OrderedDict<std::string, Tensor>();
    counts_.clear();
    optimizer_.load(archive);
  }

 private:
  struct Count {
    Tensor first, other;
    std::string name;
  };

  std::string option_name(size_t group, const std::string& option) const {
    return join(join(name_, "param_groups." + std::to_string(group)), option);
  }
  std::string state_name(const std::string& parameter, const std::string& field) const {
    return join(join(name_, "state." + parameter), field);
  }
  const Layout& layout_of(const Context& context, const Tensor& parameter) const {
    const auto at = context.layouts.find(parameter.impl());
    STRATA_CHECK(at != context.layouts.end(),
                 "optimizer '{}' has a parameter of shape {} that is in no module of the state: add its module", name_,
                 parameter.sizes());
    return at->second;
  }

  void save_field(const Layout& layout, const Tensor& parameter, const std::string& field, const Tensor& value,
                  std::vector<Item>& items) const {
    std::set<std::string> done;
    for (const Block& b : layout.blocks) {
      if (is_divided(value, parameter))
        items.push_back({state_name(b.name, field), b.sizes, b.box, view_of(value, b)});
      else if (done.insert(b.name).second)
        items.push_back(whole_item(state_name(b.name, field), value));
    }
  }

  void prepare_parameter(const Context& context, const Table& table, const Tensor& parameter, const std::string& key,
                         std::vector<Item>& targets) {
    const Layout& layout = layout_of(context, parameter);
    std::set<std::string> fields;
    for (const std::string& name : layout.names)
      for (const std::string& field : table.names_below(state_name(name, "") + "."))
        if (field.find('.') == field.npos) fields.insert(field);  // else of a parameter whose name begins like this one
    for (const std::string& field : fields) {
      const bool was_divided = prepare_divided(table, layout, parameter, field, key, targets);
      if (!was_divided) prepare_shared(table, layout, field, key, targets);
    }
  }

  /// False if it is one for all of the parameter. Where the checkpoint has nothing of a parameter, it gets zeros.
  bool prepare_divided(const Table& table, const Layout& layout, const Tensor& parameter, const std::string& field,
                       const std::string& key, std::vector<Item>& targets) {
    Tensor local;
    for (const std::string& name : layout.names) {
      const TableEntry* const entry = table.find(state_name(name, field));
      if (entry && entry->is_integral()) return false;
    }
    for (const Block& b : layout.blocks) {
      const TableEntry* const entry = table.find(state_name(b.name, field));
      if (!entry) continue;
      if (entry->sizes != b.sizes) return false;
      if (!local.defined()) local = zeros(parameter.sizes(), parameter.options());
      targets.push_back({state_name(b.name, field), b.sizes, b.box, view_of(local, b)});
    }
    // A rank whose part is padding alone counts steps with the others.
    if (!local.defined()) local = zeros(parameter.sizes(), parameter.options());
    read_.insert(key + field, local);
    return true;
  }

  void prepare_shared(const Table& table, const Layout& layout, const std::string& field, const std::string& key,
                      std::vector<Item>& targets) {
    Tensor first;
    for (const std::string& name : layout.names) {
      if (!table.find(state_name(name, field))) continue;
      if (!first.defined()) {
        first = want_whole(table, state_name(name, field), key + field, targets);
        continue;
      }
      const TableEntry& entry = table.at(state_name(name, field));
      const Tensor other = empty_cpu(entry.sizes, entry.dtype);
      targets.push_back(whole_item(state_name(name, field), other));
      if (other.numel() == 1) counts_.push_back({first, other, state_name(name, field)});
    }
  }

  Tensor want_whole(const Table& table, const std::string& name, const std::string& key, std::vector<Item>& targets) {
    const TableEntry& entry = table.at(name);
    const Tensor value = read_.insert(key, empty_cpu(entry.sizes, entry.dtype));
    targets.push_back(whole_item(name, value));
    return value;
  }
  void insert_number(const std::string& key, size_t value) {
    read_.insert(key, full({}, static_cast<int64_t>(value), kLong));
  }

  std::string name_;
  OptimizerAccess optimizer_;
  OrderedDict<std::string, Tensor> read_;
  std::vector<Count> counts_;
};

}  // namespace

std::unique_ptr<Part> make_optimizer_part(std::string name, OptimizerAccess optimizer) {
  return std::make_unique<OptimizerPart>(std::move(name), std::move(optimizer));
}

}  // namespace strata::distributed::checkpoint
