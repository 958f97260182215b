// What a checkpoint's state is made of, as named parts of tensors. Internal to checkpoint*.cpp.
#pragma once
#include <unordered_map>

#include "checkpoint_state.h"
#include "checkpoint_table.h"

namespace strata::distributed::checkpoint {

/// What a tensor of this rank is in the checkpoint: its blocks, and the names of all that it is a part of, of which it
/// may have nothing itself.
struct Layout {
  std::vector<std::string> names;
  std::vector<Block> blocks;
};

/// Who asks, and how the parameters lie that modules in the state have.
struct Context {
  int64_t rank, world_size;
  const std::vector<Placed>& placed;
  std::unordered_map<const TensorImpl*, Layout> layouts = {};
};
/// With the layouts of all parts.
Context context_of(const State& state, const ProcessGroup& group);

/// One thing that was added.
class Part {
 public:
  virtual ~Part() = default;
  virtual void add_layouts(Context&) const {}
  /// What this rank has of it.
  virtual void save(const Context& context, std::vector<Item>& items) const = 0;
  /// What this rank wants of a checkpoint: tensors that `finish` uses, or that are the thing itself.
  virtual void prepare(const Context& context, const Table& table, std::vector<Item>& targets) = 0;
  /// When they are filled.
  virtual void finish() {}
};

/// The group, or the default one where it is none.
ProcessGroup group_of(const ProcessGroup& group);
/// What this rank has of a state, and which of these items it keeps: what several ranks have, one of them does.
struct Share {
  std::vector<Item> items;
  std::vector<size_t> own;
};
/// Collective. Throws, on all ranks, where the ranks' parts do not fit together.
Share share_of(const State& state, const ProcessGroup& group);
/// What this rank wants of a checkpoint with this table. Collective. Throws, on all ranks, where it is not there or of
/// another kind.
std::vector<Item> targets_of(State& state, const ProcessGroup& group, const Table& table);

/// All of a tensor that is the same on all ranks, of which the lowest rank writes it.
Item whole_item(const std::string& name, const Tensor& t);
/// Of names of which one may be empty.
std::string join(const std::string& prefix, const std::string& name);

std::unique_ptr<Part> make_optimizer_part(std::string name, OptimizerAccess optimizer);

}  // namespace strata::distributed::checkpoint
