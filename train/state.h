// All that the rest of a run depends on, in one file.
#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../core/function.h"
#include "../core/tensor.h"
#include "../ops/serialize.h"

namespace strata::train {

/// Named parts of a program that are saved and loaded together: modules, optimizers, schedulers, data loaders,
/// generators, averaged models, metrics (whatever has `<<` and `>>` with archives, or `save` and `load`), tensors,
/// numbers, text, and lists of numbers. Parts are held by reference and have to outlive the state; a module holder, a
/// smart pointer and a tensor stand for what they point to now.
///
///     train::State state;
///     state.add("model", net).add("optimizer", optimizer).add("random", default_generator()).add("step", step);
///     state.save("run.safetensors");
class State {
 public:
  /// Throws for a name that is taken, empty or has a dot in it, which separates nested names in files.
  template <class Part>
  State& add(std::string name, Part& part) {
    Entry entry{std::move(name), {}, {}};
    const std::string key = entry.name;
    entry.save = [&part, key](serialize::OutputArchive& archive) { write(archive, key, part); };
    entry.load = [&part, key](serialize::InputArchive& archive) { read(archive, key, part); };
    return add_entry(std::move(entry));
  }

  void save(serialize::OutputArchive& archive) const;
  /// Throws where a part is missing in the archive or does not fit; parts before it are loaded then.
  void load(serialize::InputArchive& archive);
  /// The file is either the old one or the whole new one at any time: a kill in between cannot leave half of it.
  void save(const std::string& path) const;
  /// The file is read and checked whole before the first part changes.
  void load(const std::string& path);

 private:
  struct Entry {
    std::string name;
    strata::detail::Function<void(serialize::OutputArchive&)> save;
    strata::detail::Function<void(serialize::InputArchive&)> load;
  };
  State& add_entry(Entry entry);
  static void write_list(serialize::OutputArchive& archive, const std::string& key, const std::vector<double>& list);
  static void read_list(serialize::InputArchive& archive, const std::string& key, std::vector<double>& list);
  static void check_present(const serialize::InputArchive& archive, const std::string& key);

  template <class Part>
  static constexpr bool is_plain =
      std::is_arithmetic_v<Part> || std::is_same_v<Part, std::string> || std::is_same_v<Part, Tensor>;

  template <class Part>
  static void write(serialize::OutputArchive& archive, const std::string& key, const Part& part) {
    if constexpr (is_plain<Part>) {
      archive.write(key, part);
    } else if constexpr (std::is_same_v<Part, std::vector<double>>) {
      write_list(archive, key, part);
    } else {
      serialize::OutputArchive nested;
      if constexpr (requires { part.save(nested); })
        part.save(nested);
      else if constexpr (requires { nested << part; })
        nested << part;
      else
        part->save(nested);
      archive.write(key, nested);
    }
  }
  template <class Part>
  static void read(serialize::InputArchive& archive, const std::string& key, Part& part) {
    if constexpr (is_plain<Part>) {
      archive.read(key, part);
    } else if constexpr (std::is_same_v<Part, std::vector<double>>) {
      read_list(archive, key, part);
    } else {
      check_present(archive, key);
      serialize::InputArchive nested = archive.nested(key);
      if constexpr (requires { part.load(nested); })
        part.load(nested);
      else if constexpr (requires { nested >> part; })
        nested >> part;
      else
        part->load(nested);
    }
  }

  std::vector<Entry> entries_;
};

}  // namespace strata::train
