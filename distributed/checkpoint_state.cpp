// Modules, tensors, numbers and archives as parts of a checkpoint.
#include "distributed/checkpoint_state.h"

#include "core/error.h"
#include "distributed/checkpoint_agreement.h"
#include "distributed/checkpoint_parts.h"
#include "ops/creation.h"
#include "ops/shaping.h"
#include "ops/view.h"

namespace strata::distributed::checkpoint {
namespace {

/// A tensor of this rank by its layout.
struct Local {
  Tensor tensor;
  Layout layout;
  bool is_lowest = false;
};

Layout layout_of_whole(const std::string& name, const Tensor& t) {
  const Sizes sizes = t.sizes().vec();
  return {{name}, {{name, sizes, whole_box(sizes)}}};
}

Layout layout_of(const std::string& name, const DTensor& t) {
  const DimVector all = t.sizes();
  const Sizes sizes(all.begin(), all.end());
  return {{name}, {{name, sizes, box_of(sizes, t.device_mesh(), t.placements())}}};
}

Local local_of(const std::string& name, const Tensor& parameter, const Context& context) {
  for (const Placed& p : context.placed)
    if (p.parameter.is_same(parameter))
      return {parameter, layout_of(name, DTensor::from_local(parameter.detach(), p.mesh, p.placements))};
  return {parameter, layout_of_whole(name, parameter)};
}

Local local_of(const FlatParameter& flat) {
  Local local{flat.shard(), {}};
  const int64_t begin = flat.shard_offset(), end = begin + flat.shard().numel();
  for (const FlatParameter::Member& m : flat.members()) {
    const Sizes sizes = m.parameter.sizes().vec();
    const int64_t first = std::max(begin, m.offset), last = std::min(end, m.offset + m.parameter.numel());
    local.layout.names.push_back(m.name);
    std::vector<Block>& blocks = local.layout.blocks;
    if (m.parameter.numel() == 0) blocks.push_back({m.name, sizes, whole_box(sizes)});
    if (first >= last) continue;
    for (Block& b : blocks_of_range(m.name, sizes, first - m.offset, last - m.offset, first - begin))
      blocks.push_back(std::move(b));
  }
  return local;
}

/// Things whose memory is saved and filled as it is.
class LocalPart : public Part {
 public:
  explicit LocalPart(std::string name) : name_(std::move(name)) {}
  void add_layouts(Context& context) const override {
    for (Local& local : locals(context)) context.layouts[local.tensor.impl()] = std::move(local.layout);
  }
  void save(const Context& context, std::vector<Item>& items) const override {
    for (const Local& local : locals(context))
      for (const Block& b : local.layout.blocks)
        items.push_back({join(name_, b.name), b.sizes, b.box, view_of(local.tensor.detach(), b), local.is_lowest});
  }
  void prepare(const Context& context, const Table&, std::vector<Item>& targets) override { save(context, targets); }

 protected:
  virtual std::vector<Local> locals(const Context& context) const = 0;
  static void add_buffers(const nn::Module& module, std::vector<Local>& list) {
    for (const auto& item : module.named_buffers())
      list.push_back({item.value(), layout_of_whole(item.key(), item.value()), /*is_lowest=*/true});
  }

 private:
  std::string name_;
};

class ModulePart final : public LocalPart {
 public:
  ModulePart(std::string name, const nn::Module& module) : LocalPart(std::move(name)), module_(module) {}

 private:
  std::vector<Local> locals(const Context& context) const override {
    std::vector<Local> list;
    for (const auto& item : module_.named_parameters()) list.push_back(local_of(item.key(), item.value(), context));
    add_buffers(module_, list);
    return list;
  }
  const nn::Module& module_;
};

class SharderPart final : public LocalPart {
 public:
  SharderPart(std::string name, const Sharder& sharder) : LocalPart(std::move(name)), sharder_(sharder) {}

 private:
  std::vector<Local> locals(const Context&) const override {
    std::vector<Local> list;
    for (const FlatParameter* const flat : sharder_.flat_parameters()) list.push_back(local_of(*flat));
    add_buffers(sharder_.module(), list);
    return list;
  }
  const Sharder& sharder_;
};

class TensorPart final : public LocalPart {
 public:
  TensorPart(std::string name, Tensor tensor, Layout layout)
      : LocalPart(std::move(name)), tensor_(std::move(tensor)), layout_(std::move(layout)) {}

 private:
  std::vector<Local> locals(const Context&) const override { return {{tensor_, layout_}}; }
  Tensor tensor_;
  Layout layout_;
};

class NumberPart final : public Part {
 public:
  NumberPart(std::string name, strata::detail::Function<Scalar()> get,
             strata::detail::Function<void(const Scalar&)> set)
      : name_(std::move(name)), get_(std::move(get)), set_(std::move(set)) {}
  void save(const Context&, std::vector<Item>& items) const override {
    const Scalar value = get_();
    items.push_back(whole_item(name_, full({}, value, value.type())));
  }
  void prepare(const Context&, const Table& table, std::vector<Item>& targets) override {
    const TableEntry& entry = table.at(name_);
    STRATA_CHECK(entry.sizes.empty(), "'{}' is a tensor of shape {} in the checkpoint and a number here", name_,
                 IntArrayRef(entry.sizes));
    value_ = empty_cpu({}, entry.dtype);
    targets.push_back(whole_item(name_, value_));
  }
  void finish() override { set_(value_.item()); }

 private:
  std::string name_;
  strata::detail::Function<Scalar()> get_;
  strata::detail::Function<void(const Scalar&)> set_;
  Tensor value_;
};

/// Seed and offset of each rank's generator, a row for each.
class GeneratorPart final : public Part {
 public:
  GeneratorPart(std::string name, Generator& generator) : name_(std::move(name)), generator_(generator) {}
  void save(const Context& context, std::vector<Item>& items) const override {
    const Generator::Position p = generator_.state();
    const Tensor row = tensor(std::vector<int64_t>{static_cast<int64_t>(p.seed), static_cast<int64_t>(p.offset)});
    items.push_back({name_, {context.world_size, 2}, {{context.rank, 0}, {1, 2}}, row.view({1, 2})});
  }
  void prepare(const Context& context, const Table& table, std::vector<Item>& targets) override {
    const TableEntry& entry = table.at(name_);
    STRATA_CHECK(entry.sizes.size() == 2 && entry.sizes[0] > 0 && entry.sizes[1] == 2 && entry.dtype == kLong,
                 "'{}' is not the state of generators in the checkpoint", name_);
    const bool is_own = context.rank < entry.sizes[0];
    new_rank_ = is_own ? 0 : static_cast<uint64_t>(context.rank);
    row_ = empty_cpu({1, 2}, kLong);
    targets.push_back({name_, entry.sizes, {{is_own ? context.rank : 0, 0}, {1, 2}}, row_});
  }
  void finish() override {
    const auto* const row = row_.data_ptr<int64_t>();
    // An odd multiple, so that no two ranks draw the same numbers.
    const uint64_t seed = static_cast<uint64_t>(row[0]) + new_rank_ * 0x9E3779B97F4A7C15U;
    generator_.set_state({seed, static_cast<uint64_t>(row[1])});
  }

 private:
  std::string name_;
  Generator& generator_;
  Tensor row_;
  uint64_t new_rank_ = 0;
};

class ArchivePart final : public Part {
 public:
  ArchivePart(std::string name, strata::detail::Function<void(serialize::OutputArchive&)> save,
              strata::detail::Function<void(serialize::InputArchive&)> load)
      : name_(std::move(name)), save_(std::move(save)), load_(std::move(load)) {}
  void save(const Context&, std::vector<Item>& items) const override {
    serialize::OutputArchive archive;
    save_(archive);
    for (const auto& item : archive.tensors()) items.push_back(whole_item(join(name_, item.key()), item.value()));
  }
  void prepare(const Context&, const Table& table, std::vector<Item>& targets) override {
    read_ = OrderedDict<std::string, Tensor>();
    for (const std::string& key : table.names_below(name_.empty() ? "" : name_ + ".")) {
      const std::string name = join(name_, key);
      const TableEntry& entry = table.at(name);
      targets.push_back(whole_item(name, read_.insert(key, empty_cpu(entry.sizes, entry.dtype))));
    }
    STRATA_CHECK(!read_.empty(), "the checkpoint has nothing of the name '{}'", name_);
  }
  void finish() override {
    serialize::InputArchive archive(read_);
    read_ = OrderedDict<std::string, Tensor>();
    load_(archive);
  }

 private:
  std::string name_;
  strata::detail::Function<void(serialize::OutputArchive&)> save_;
  strata::detail::Function<void(serialize::InputArchive&)> load_;
  OrderedDict<std::string, Tensor> read_;
};

}  // namespace

Item whole_item(const std::string& name, const Tensor& t) {
  const Sizes sizes = t.sizes().vec();
  return {name, sizes, whole_box(sizes), t, /*is_lowest=*/true};
}

std::string join(const std::string& prefix, const std::string& name) {
  return prefix.empty() || name.empty() ? prefix + name : prefix + "." + name;
}

Context context_of(const State& state, const ProcessGroup& group) {
  Context context{group->rank(), group->size(), state.placed()};
  for (const auto& part : state.parts()) part->add_layouts(context);
  return context;
}

ProcessGroup group_of(const ProcessGroup& group) { return group ? group : find_group(""); }

Share share_of(const State& state, const ProcessGroup& group) {
  Share share;
  const Texts tables = agree(group, [&] {
    const Context context = context_of(state, group);
    for (const auto& part : state.parts()) part->save(context, share.items);
    return describe(share.items);
  });
  share.own = assign(tables).at(static_cast<size_t>(group->rank()));
  return share;
}

std::vector<Item> targets_of(State& state, const ProcessGroup& group, const Table& table) {
  std::vector<Item> targets;
  agree(group, [&] {
    const Context context = context_of(state, group);
    for (const auto& part : state.parts()) part->prepare(context, table, targets);
    for (const Item& item : targets) table.check(item);
    return std::string();
  });
  return targets;
}

State::State() = default;
State::~State() = default;
State::State(State&&) noexcept = default;
State& State::operator=(State&&) noexcept = default;

State& State::place(const Tensor& parameter, const DeviceMesh& mesh, const Placements& placements) {
  placed_.push_back({parameter, mesh, placements});
  return *this;
}

State& State::add_tensor(const std::string& name, const Tensor& tensor) {
  STRATA_CHECK(tensor.defined(), "checkpoint: tensor '{}' is undefined: give it the shape that it shall have", name);
  parts_.push_back(std::make_unique<TensorPart>(name, tensor, layout_of_whole("", tensor)));
  return *this;
}

State& State::add_dtensor(const std::string& name, const DTensor& tensor) {
  parts_.push_back(std::make_unique<TensorPart>(name, tensor.to_local(), layout_of("", tensor)));
  return *this;
}

State& State::add_number(const std::string& name, strata::detail::Function<Scalar()> get,
                         strata::detail::Function<void(const Scalar&)> set) {
  parts_.push_back(std::make_unique<NumberPart>(name, std::move(get), std::move(set)));
  return *this;
}

State& State::add_module(const std::string& name, const nn::Module& module) {
  parts_.push_back(std::make_unique<ModulePart>(name, module));
  return *this;
}

State& State::add_sharder(const std::string& name, const Sharder& sharder) {
  parts_.push_back(std::make_unique<SharderPart>(name, sharder));
  return *this;
}

State& State::add_optimizer(const std::string& name, OptimizerAccess optimizer) {
  parts_.push_back(make_optimizer_part(name, std::move(optimizer)));
  return *this;
}

State& State::add_generator(const std::string& name, Generator& generator) {
  parts_.push_back(std::make_unique<GeneratorPart>(name, generator));
  return *this;
}

State& State::add_archive(const std::string& name, strata::detail::Function<void(serialize::OutputArchive&)> save,
                          strata::detail::Function<void(serialize::InputArchive&)> load) {
  parts_.push_back(std::make_unique<ArchivePart>(name, std::move(save), std::move(load)));
  return *this;
}

}  // namespace strata::distributed::checkpoint
