// What is in a checkpoint: which file has which part of which tensor.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "../ops/safetensors.h"
#include "checkpoint_agreement.h"
#include "checkpoint_box.h"

namespace strata::distributed::checkpoint {

/// A part of a named tensor that this rank has.
struct Item {
  std::string name;
  Sizes sizes;  ///< of the whole
  Box box;
  Tensor tensor;  ///< of the box's shape
  /// Where several ranks have the part, the lowest one's is saved; else they share out what they all have.
  bool is_lowest = false;
};

/// A box of a tensor in a file, from byte `position` of it.
struct Chunk {
  Box box;
  size_t file;
  uint64_t position;
};

struct TableEntry {
  DType dtype;
  Sizes sizes;
  std::vector<Chunk> chunks;
  bool is_integral() const;
};

/// The tensors of a checkpoint by name.
class Table {
 public:
  explicit Table(std::vector<std::string> files) : files_(std::move(files)) {}

  /// Reads the header of file `index`, which is in safetensors' format with the metadata of torch's distributed
  /// checkpoint, or without it, where it has whole tensors; as text for `add`. Throws where it cannot be believed.
  std::string describe(size_t index) const;
  /// Takes what `describe` said, on this rank or another one.
  void add(const std::string& description);

  const std::map<std::string, TableEntry>& entries() const { return entries_; }
  /// Null where there is none.
  const TableEntry* find(const std::string& name) const;
  /// Throws unless the files have all of it, so that its size is one that can be believed.
  const TableEntry& at(const std::string& name) const;
  /// What comes behind `prefix` in the names that begin with it.
  std::vector<std::string> names_below(const std::string& prefix) const;
  /// Throws unless it has all of the tensor that the item is a part of.
  void check(const Item& item) const;
  /// Fills the item's tensor, reading from files what it needs and little more; converts between dtypes.
  void read(const Item& item) const;
  /// Fills what file `index` has of the item's tensor, where `source` has the file's bytes.
  void read_from(serialize::Source& source, size_t index, const Item& item) const;

 private:
  std::vector<std::string> files_;
  std::map<std::string, TableEntry> entries_;
};

/// Which of its items each rank writes, when `descriptions` are what `describe(items)` made on each. As torch's
/// distributed checkpoint, a part that several ranks have is written once, by the one that has the fewest bytes so far.
/// Throws where ranks differ in a tensor's shape or dtype, or have not all of it between them.
std::string describe(const std::vector<Item>& items);
std::vector<std::vector<size_t>> assign(const Texts& descriptions);

/// Of a rank's items, those of each of its files: a name stands in a file once.
std::vector<std::vector<const Item*>> by_files(const std::vector<Item>& items, const std::vector<size_t>& own);
/// What `Table::describe` says of file `index` if it has these items' numbers, one after the other, and nothing else.
std::string describe_memory(size_t index, const std::vector<const Item*>& items);
/// The text that stands in the header of a file with these items, under its names.
OrderedDict<std::string, std::string> metadata_of(const std::vector<const Item*>& items);
/// "shard-00001-model-00001-of-00002.safetensors" for rank 0's first file of two.
std::string shard_name(int64_t rank, size_t file, size_t files);

}  // namespace strata::distributed::checkpoint
