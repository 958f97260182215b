// Reads `{"state": {0: {...}}, "param_groups": [{"lr": ..., "params": [0, ...]}]}` (torch.optim's state_dict) and
// libtorch's archive, which has the same with the names of states as text and the options in an archive of their own.
#include "optim/foreign_state.h"

#include <algorithm>

namespace strata::optim::detail {

namespace {

using serialize::InputArchive;
using serialize::OutputArchive;

/// One group in the file: its options, and the names of its parameters' states.
struct Group {
  InputArchive options;
  std::vector<std::string> states;
};

size_t count_of(const InputArchive& archive, const std::string& key) {
  const Tensor t = archive.find(key);
  STRATA_CHECK(t.defined() && t.numel() == 1, "load: {}: there is no number '{}'", archive.source(),
               archive.full_name(key));
  return t.item().to<size_t>();
}

Group python_group(const InputArchive& groups, size_t i) {
  Group g;
  g.options = groups.nested(std::to_string(i));
  const InputArchive params = g.options.nested("params");
  for (const std::string& key : params.keys()) g.states.push_back(std::to_string(count_of(params, key)));
  return g;
}

Group libtorch_group(const InputArchive& groups, size_t i) {
  InputArchive group = groups.nested("param_groups/" + std::to_string(i));
  Group g;
  g.options = group.nested("options");
  const size_t count = count_of(group, "params/size");
  for (size_t p = 0; p < count; ++p) {
    g.states.emplace_back();
    group.read("params/" + std::to_string(p), g.states.back());
  }
  return g;
}

std::vector<Group> groups_of(const InputArchive& archive) {
  const InputArchive groups = archive.nested("param_groups");
  const bool python = !groups.find("param_groups/size").defined();
  const size_t count = python ? groups.keys().size() : count_of(groups, "param_groups/size");
  std::vector<Group> out;
  for (size_t i = 0; i < count; ++i) out.push_back(python ? python_group(groups, i) : libtorch_group(groups, i));
  return out;
}

/// An option in the file; "betas_1" is the second of "betas".
Tensor option_of(const InputArchive& options, const std::string& name) {
  const Tensor whole = options.find(name);
  const size_t bar = name.rfind('_');
  if (whole.defined() || bar == name.npos) return whole;
  return options.nested(name.substr(0, bar)).find(name.substr(bar + 1));
}

void write_options(OutputArchive& group, const InputArchive& read, const OptimizerOptions& own) {
  OutputArchive defaults, options;
  own.serialize(defaults);
  for (const auto& item : defaults.tensors()) {
    const Tensor found = option_of(read, item.key());
    options.write(item.key(), found.defined() ? found : item.value());
  }
  group.write("options", options);
}

void write_state(OutputArchive& group, const std::string& place, const InputArchive& read) {
  OutputArchive state;
  for (const std::string& name : read.tensor_names()) state.write(name, read.find(name));
  group.write(place, state);
}

}  // namespace

bool is_foreign_state(const InputArchive& archive) {
  const std::vector<std::string> keys = archive.keys();
  return !archive.find("groups").defined() && std::find(keys.begin(), keys.end(), "param_groups") != keys.end();
}

InputArchive translated(const InputArchive& archive, const std::vector<OptimizerParamGroup>& own) {
  const std::vector<Group> groups = groups_of(archive);
  STRATA_CHECK(groups.size() == own.size(), "load: the file has {} parameter groups, the optimizer {}", groups.size(),
               own.size());
  OutputArchive all;
  InputArchive states = archive.nested("state");
  all.write("groups", groups.size());
  for (size_t g = 0; g < groups.size(); ++g) {
    OutputArchive group;
    group.write("params", groups[g].states.size());
    write_options(group, groups[g].options, own[g].options());
    for (size_t i = 0; i < groups[g].states.size(); ++i) {
      InputArchive state;
      if (states.try_read(groups[g].states[i], state)) write_state(group, std::to_string(i), state);
    }
    all.write("group" + std::to_string(g), group);
  }
  return InputArchive(all.tensors());
}

}  // namespace strata::optim::detail
