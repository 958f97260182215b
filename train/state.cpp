// One nested archive for each part.
#include "train/state.h"

#include <algorithm>

#include "ops/creation.h"

namespace strata::train {

State& State::add_entry(Entry entry) {
  STRATA_CHECK(!entry.name.empty() && entry.name.find('.') == std::string::npos,
               "State: a part named '{}', expected a name without dots", entry.name);
  const bool taken =
      std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.name == entry.name; });
  STRATA_CHECK(!taken, "State: there is a part '{}' already", entry.name);
  entries_.push_back(std::move(entry));
  return *this;
}

void State::save(serialize::OutputArchive& archive) const {
  for (const Entry& entry : entries_) entry.save(archive);
}

void State::load(serialize::InputArchive& archive) {
  for (const Entry& entry : entries_) entry.load(archive);
}

void State::save(const std::string& path) const {
  serialize::OutputArchive archive;
  save(archive);
  archive.save_to(path);
}

void State::load(const std::string& path) {
  serialize::InputArchive archive;
  archive.load_from(path);
  load(archive);
}

void State::write_list(serialize::OutputArchive& archive, const std::string& key, const std::vector<double>& list) {
  archive.write(key, tensor(list, kDouble));
}

void State::read_list(serialize::InputArchive& archive, const std::string& key, std::vector<double>& list) {
  Tensor values;
  archive.read(key, values);
  STRATA_CHECK(values.dim() == 1 && values.dtype() == kDouble,
               "State: '{}' in {} is a tensor {}, not a list of numbers", key, archive.source(), values.sizes());
  const Tensor dense = values.contiguous();
  const double* first = dense.data_ptr<double>();
  list.assign(first, first + values.numel());
}

void State::check_present(const serialize::InputArchive& archive, const std::string& key) {
  const auto keys = archive.keys();
  STRATA_CHECK(std::find(keys.begin(), keys.end(), key) != keys.end(), "State: {} has no '{}'", archive.source(), key);
}

}  // namespace strata::train
