// The restricted reader of pickles: it runs no code, knows what tensors and plain values are made of, and refuses all
// else. Internal to what saves and loads.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "../core/function.h"
#include "../core/value.h"
#include "safetensors.h"

namespace strata::serialize {

/// Of a pickle and of the value it makes, those that appear in several places counted in each: a pickle of a few bytes
/// can ask for more than any memory holds.
constexpr uint64_t kMostParts = 1 << 24;

/// What a pickle says of the memory behind tensors.
struct StorageId {
  std::string key;
  DType dtype = kByte;  ///< of its elements; bytes where the storage has no type
  uint64_t count = 0;   ///< elements
  uint64_t bytes() const { return count * item_size(dtype); }
};

/// Gives a storage's bytes; asked once for each key.
using StorageReader = strata::detail::Function<Storage(const StorageId&)>;

/// Parses one pickle into a graph of nodes, and makes a Value of them. Nodes are no values yet, so that a pickle that
/// contains itself, or lists in lists without end, is seen before anything of it is built.
class Unpickler {
 public:
  /// `name` is the pickle's in messages.
  explicit Unpickler(std::string name) : name_(std::move(name)) {}
  /// Reads the pickle that begins at byte `at`, and leaves `at` behind its end.
  void parse(const std::string& bytes, size_t& at);
  /// The storages that tensors of the parsed pickle are in, by key.
  std::unordered_map<std::string, StorageId> storages() const;
  Value build(const StorageReader& read_storage);

 private:
  using Id = uint32_t;
  enum class Form : uint8_t { kLeaf, kList, kTuple, kDict, kSet, kGlobal, kStorage, kTensor, kParameter };
  struct Node {
    Form form = Form::kLeaf;
    Value leaf;             ///< of a leaf; the name of a global
    std::vector<Id> items;  ///< of a dict: key, value, key, value
  };
  class Bytes;

  void run(Bytes& in);
  bool push_simple(int op, Bytes& in);
  bool push_text(int op, Bytes& in);
  bool change_container(int op);
  bool remember(int op, Bytes& in);
  bool make_object(int op, Bytes& in);
  /// Throws when the pickle asks for more than `kMostParts`.
  void count(uint64_t parts);
  Id add(Form form, Value leaf = {}, std::vector<Id> items = {});
  void push(Form form, Value leaf = {}, std::vector<Id> items = {}) {
    stack_.push_back(add(form, std::move(leaf), std::move(items)));
  }
  Id pop();
  Id top();
  std::vector<Id> pop_to_mark();
  void call(Id function, Id arguments);
  void call_tensor(const std::string& function, const std::vector<Id>& arguments);
  void call_plain(const std::string& function, const std::vector<Id>& arguments);
  void build_state(Id object, Id state);
  void persistent(Id tuple);
  void push_global(const std::string& module, const std::string& name);
  /// A copy of a node's items, which is counted.
  std::vector<Id> items_of(Id id);
  const std::string& text_of(Id id) const;
  int64_t integer_of(Id id) const;
  std::vector<int64_t> integers_of(Id id) const;
  DType dtype_of_storage(Id type) const;
  StorageId storage_of(Id id) const;
  [[noreturn]] void fail(const std::string& what) const;

  class Builder;

  std::string name_;
  std::vector<Node> nodes_;
  std::vector<Id> stack_;
  std::vector<size_t> marks_;
  std::unordered_map<uint64_t, Id> memo_;
  uint64_t parts_ = 0;  ///< that the pickle has asked for
  Id root_ = 0;
};

}  // namespace strata::serialize
