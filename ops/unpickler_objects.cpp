// What a pickle may name and call, tensors above all, and the values that come of it.
#include <algorithm>
#include <array>
#include <set>

#include "core/error.h"
#include "core/grad_mode.h"
#include "ops/file_layout.h"
#include "ops/pickle_codes.h"
#include "ops/storage_types.h"
#include "ops/unpickler.h"

namespace strata::serialize {

namespace {

constexpr size_t kLongestKey = 1000;  ///< of a storage
constexpr uint64_t kTextInPart = 16;  ///< bytes of a text that count as a part

/// What copying a leaf counts.
uint64_t parts_of(const Value& leaf) {
  if (leaf.isString()) return 1 + leaf.toStringRef().size() / kTextInPart;
  return leaf.isBytes() ? 1 + leaf.toBytes().size() / kTextInPart : 1;
}

constexpr std::string_view kKnown[] = {"collections.OrderedDict",
                                       "torch._utils._rebuild_tensor",
                                       "torch._utils._rebuild_tensor_v2",
                                       "torch._utils._rebuild_tensor_v3",
                                       "torch._utils._rebuild_parameter",
                                       "torch.Size",
                                       "torch.device",
                                       "torch.storage.UntypedStorage",
                                       "builtins.set",
                                       "builtins.frozenset",
                                       "builtins.complex",
                                       "_codecs.encode",
                                       "torch.jit._pickle.build_intlist",
                                       "torch.jit._pickle.build_doublelist",
                                       "torch.jit._pickle.build_boollist",
                                       "torch.jit._pickle.build_tensorlist",
                                       "torch.jit._pickle.restore_type_tag"};

DType dtype_named(std::string_view global) {
  for (int i = 0; i < kNumDTypes; ++i)
    if (global.starts_with("torch.") && global.substr(6) == name(static_cast<DType>(i))) return static_cast<DType>(i);
  return DType::Undefined;
}

/// A module that libtorch saved, whose members are all it is here.
bool is_script_class(std::string_view global) { return global.starts_with("__torch__."); }

/// The bytes of a text that was made of bytes by `decode("latin1")`.
bool from_latin1(const std::string& text, std::string& bytes) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x80) {
      bytes += text[i];
    } else if ((c == 0xc2 || c == 0xc3) && i + 1 < text.size()) {
      bytes += static_cast<char>((c & 3) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3f));
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

void Unpickler::push_global(const std::string& module, const std::string& name) {
  const std::string full = (module == "__builtin__" ? "builtins" : module) + "." + name;
  if (const DType dtype = dtype_named(full); dtype != DType::Undefined) return push(Form::kLeaf, dtype);
  const bool known = std::ranges::find(kKnown, full) != std::end(kKnown) || storage_dtype(full) != DType::Undefined ||
                     is_script_class(full);
  if (!known)
    fail("it names '" + full +
         "', which is none of what tensors, dicts, lists, numbers and text are made of, so it is refused");
  count(parts_of(full));
  push(Form::kGlobal, full);
}

void Unpickler::call(Id function, Id arguments) {
  if (nodes_[function].form != Form::kGlobal) fail("it calls what is no function");
  if (nodes_[arguments].form != Form::kTuple) fail("it calls a function without a tuple of arguments");
  const std::string name = nodes_[function].leaf.toStringRef();
  count(parts_of(nodes_[function].leaf));
  const std::vector<Id> items = items_of(arguments);
  if (name.starts_with("torch._utils."))
    call_tensor(name, items);
  else
    call_plain(name, items);
}

void Unpickler::call_tensor(const std::string& function, const std::vector<Id>& arguments) {
  if (function == "torch._utils._rebuild_parameter") {
    if (arguments.size() < 2 || nodes_[arguments[0]].form != Form::kTensor) fail("a parameter is made of no tensor");
    return push(Form::kParameter, {}, {arguments[0], arguments[1]});
  }
  const bool untyped = function.ends_with("_v3");
  if (arguments.size() < (untyped ? 7u : 4u) || nodes_[arguments[0]].form != Form::kStorage)
    fail("a tensor is made of no storage");
  if (untyped &&
      !(nodes_[arguments[6]].form == Form::kLeaf && nodes_[arguments[6]].leaf.kind() == Value::Kind::kElementType))
    fail("a tensor has no dtype that is known here");
  std::vector<Id> parts(arguments.begin(), arguments.begin() + 4);
  parts.push_back(arguments.size() > 4 ? arguments[4] : add(Form::kLeaf, false));
  if (untyped) parts.push_back(arguments[6]);
  push(Form::kTensor, {}, std::move(parts));
}

void Unpickler::call_plain(const std::string& function, const std::vector<Id>& arguments) {
  const auto wants = [&](bool fits) {
    if (!fits) fail("it calls '" + function + "' with other arguments than are known");
  };
  const auto items_of_first = [&]() -> std::vector<Id> {
    if (arguments.empty()) return {};
    const Node& first = nodes_[arguments[0]];
    wants(arguments.size() == 1 &&
          (first.form == Form::kList || first.form == Form::kTuple || first.form == Form::kSet));
    return items_of(arguments[0]);
  };
  if (is_script_class(function)) return push(Form::kDict);
  if (function == "collections.OrderedDict") {
    wants(arguments.size() <= 1);
    std::vector<Id> items;
    for (const Id pair : items_of_first()) {
      wants(nodes_[pair].items.size() == 2);
      items.insert(items.end(), nodes_[pair].items.begin(), nodes_[pair].items.end());
    }
    return push(Form::kDict, {}, std::move(items));
  }
  if (function == "torch.Size") return push(Form::kTuple, {}, items_of_first());
  if (function == "builtins.set" || function == "builtins.frozenset") return push(Form::kSet, {}, items_of_first());
  if (function.starts_with("torch.jit._pickle.build_")) return push(Form::kList, {}, items_of_first());
  if (function == "torch.jit._pickle.restore_type_tag") {
    wants(arguments.size() == 2);
    return stack_.push_back(arguments[0]);
  }
  if (function == "torch.device") {
    wants(arguments.size() == 1 || arguments.size() == 2);
    const std::string index = arguments.size() == 2 ? ":" + std::to_string(integer_of(arguments[1])) : "";
    return push(Form::kLeaf, Device(text_of(arguments[0]) + index));
  }
  if (function == "builtins.complex") {
    wants(arguments.size() == 2);
    std::array<double, 2> parts{};
    for (size_t i = 0; i < 2; ++i) {
      const Value& part = nodes_[arguments[i]].leaf;
      wants(part.isDouble() || part.isInt());
      parts[i] = part.toDouble();
    }
    return push(Form::kLeaf, Complex<double>(parts[0], parts[1]));
  }
  wants(function == "_codecs.encode" && arguments.size() == 2 && text_of(arguments[1]) == "latin1");
  count(parts_of(nodes_[arguments[0]].leaf));
  std::string bytes;
  wants(from_latin1(text_of(arguments[0]), bytes));
  push(Form::kLeaf, Value::Bytes{std::move(bytes)});
}

void Unpickler::build_state(Id object, Id state) {
  // The attributes of an OrderedDict (a state dict's `_metadata`) are versions of modules, which nothing here asks for;
  // those of a module of libtorch are its members.
  Node& node = nodes_[object];
  if (node.form != Form::kDict || nodes_[state].form != Form::kDict) fail("it sets the state of what has none");
  const std::vector<Id> items = items_of(state);
  const bool is_metadata = items.size() == 2 && nodes_[items[0]].leaf.isString() && text_of(items[0]) == "_metadata";
  if (is_metadata) return;
  count(items.size());
  node.items.insert(node.items.end(), items.begin(), items.end());
}

/// ("storage", type, key, location, number of elements), and in old files what part of another storage it is.
void Unpickler::persistent(Id tuple) {
  const Node& node = nodes_[tuple];
  if (node.form != Form::kTuple || node.items.size() < 5 || text_of(node.items[0]) != "storage")
    fail("it refers to what is no storage");
  if (node.items.size() > 5 && !nodes_[node.items[5]].leaf.isNone())
    fail("a storage is part of another one, as files of PyTorch before 0.4 have it");
  const Node& type = nodes_[node.items[1]];
  if (type.form != Form::kGlobal || storage_dtype(type.leaf.toStringRef()) == DType::Undefined)
    fail("a storage has no type that is known here");
  if (const size_t bytes = text_of(node.items[2]).size(); bytes > kLongestKey)
    fail("a storage has a name of " + std::to_string(bytes) + " bytes");
  if (integer_of(node.items[4]) < 0) fail("a storage has a negative size");
  push(Form::kStorage, type.leaf, {node.items[2], node.items[4]});
}

StorageId Unpickler::storage_of(Id id) const {
  const Node& node = nodes_[id];
  StorageId s{text_of(node.items[0]), storage_dtype(node.leaf.toStringRef()),
              static_cast<uint64_t>(integer_of(node.items[1]))};
  if (s.count > INT64_MAX / item_size(s.dtype)) fail("a storage is too large");
  return s;
}

std::unordered_map<std::string, StorageId> Unpickler::storages() const {
  std::unordered_map<std::string, StorageId> out;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].form != Form::kStorage) continue;
    const StorageId s = storage_of(static_cast<Id>(i));
    out.emplace(s.key, s);
  }
  return out;
}

/// Makes values of nodes, each once.
class Unpickler::Builder {
 public:
  Builder(const Unpickler& pickle, const StorageReader& read) : pickle_(pickle), read_(read) {}

  Value build(Id id, int depth = 0) {
    if (const auto found = done_.find(id); found != done_.end()) {
      count(found->second.parts);
      return found->second.value;
    }
    if (depth > pickle::kDeepest)
      pickle_.fail("it is nested more than " + std::to_string(pickle::kDeepest) + " deep, or contains itself");
    const uint64_t before = parts_;
    count(parts_of(pickle_.nodes_[id].leaf));
    Value value = make(id, depth);
    done_.emplace(id, Done{value, parts_ - before});
    return value;
  }

 private:
  struct Done {
    Value value;
    uint64_t parts;
  };

  void count(uint64_t parts) {
    parts_ += parts;
    if (parts_ > kMostParts) pickle_.fail("it has more than " + std::to_string(kMostParts) + " parts");
  }

  Value make(Id id, int depth) {
    const Node& node = pickle_.nodes_[id];
    switch (node.form) {
      case Form::kLeaf:
        return node.leaf;
      case Form::kTensor:
        return tensor(node);
      case Form::kParameter:
        return parameter(node, depth);
      case Form::kList:
        return items(node, depth);
      case Form::kTuple:
        return Value::tuple(items(node, depth));
      case Form::kSet:
        return Value::set(items(node, depth));
      case Form::kDict:
        return dict(node, depth);
      default:
        pickle_.fail("a type or a storage stands where a value was expected");
    }
  }

  Value::List items(const Node& node, int depth) {
    Value::List out;
    for (const Id item : node.items) out.push_back(build(item, depth + 1));
    return out;
  }

  /// A key that comes again takes the new value, as in Python.
  Value dict(const Node& node, int depth) {
    Value::Dict out;
    std::unordered_map<std::string, size_t> places;
    for (size_t i = 0; i + 1 < node.items.size(); i += 2) {
      Value key = build(node.items[i], depth + 1), value = build(node.items[i + 1], depth + 1);
      if (key.isString()) {
        const auto [at, is_new] = places.emplace(key.toStringRef(), out.items.size());
        if (!is_new) {
          out.items[at->second].second = std::move(value);
          continue;
        }
      }
      out.items.emplace_back(std::move(key), std::move(value));
    }
    return out;
  }

  bool flag(Id id) const {
    const Node& node = pickle_.nodes_[id];
    if (node.form != Form::kLeaf || !node.leaf.isBool()) pickle_.fail("True or False was expected");
    return node.leaf.toBool();
  }

  Value parameter(const Node& node, int depth) {
    const Tensor data = build(node.items[0], depth + 1).toTensor();
    return with_gradient(data.detach(), flag(node.items[1]));
  }

  Tensor with_gradient(Tensor t, bool wanted) const {
    if (wanted && !is_differentiable(t.dtype())) pickle_.fail("a tensor of integers requires grad");
    if (wanted) t.requires_grad_();
    return t;
  }

  Tensor tensor(const Node& node) {
    const StorageId id = pickle_.storage_of(node.items[0]);
    const DType dtype = node.items.size() > 5 ? pickle_.nodes_[node.items[5]].leaf.toScalarType() : id.dtype;
    const int64_t offset = pickle_.integer_of(node.items[1]);
    const std::vector<int64_t> sizes = pickle_.integers_of(node.items[2]), strides = pickle_.integers_of(node.items[3]);
    check_geometry(id, dtype, offset, sizes, strides);
    const Storage& storage = storage_of(id, dtype);
    const NoGradGuard no_grad;
    Tensor t = empty_cpu({0}, dtype);
    t.set_(storage, offset, sizes, strides);
    return with_gradient(t, flag(node.items[4]));
  }

  /// Every element must lie inside of the storage, and no product of sizes and strides may overflow on the way, also
  /// where a dim has one element or none and its stride moves nothing.
  void check_geometry(const StorageId& id, DType dtype, int64_t offset, const std::vector<int64_t>& sizes,
                      const std::vector<int64_t>& strides) const {
    const char* const kOutside = "a tensor reaches beyond its storage";
    if (sizes.size() != strides.size() || sizes.size() > kMaxDims)
      pickle_.fail("a tensor's sizes and strides do not go together");
    const auto item = static_cast<int64_t>(item_size(dtype));
    int64_t last = offset, reach = offset;
    bool empty = false;
    if (offset < 0) pickle_.fail(kOutside);
    for (size_t i = 0; i < sizes.size(); ++i) {
      int64_t step = 0, span = 0;
      if (sizes[i] < 0 || strides[i] < 0) pickle_.fail(kOutside);
      empty = empty || sizes[i] == 0;
      if (__builtin_mul_overflow(std::max<int64_t>(sizes[i] - 1, 0), strides[i], &step) ||
          __builtin_add_overflow(last, step, &last) ||
          __builtin_mul_overflow(std::max<int64_t>(sizes[i], 1), strides[i], &span) ||
          __builtin_add_overflow(reach, span, &reach))
        pickle_.fail(kOutside);
    }
    if (reach > INT64_MAX / item || !bytes_of(dtype, sizes)) pickle_.fail(kOutside);
    const uint64_t room = id.bytes() / item_size(dtype);
    if (static_cast<uint64_t>(empty ? offset : last) >= room + (empty ? 1 : 0)) pickle_.fail(kOutside);
  }

  const Storage& storage_of(const StorageId& id, DType dtype) {
    const auto found = storages_.find(id.key);
    if (found == storages_.end()) {
      sizes_.emplace(id.key, id.bytes());
      Storage read = read_(id);
      if (id.dtype == kBool || dtype == kBool) make_bools(read->data(), read->nbytes());
      return storages_.emplace(id.key, std::move(read)).first->second;
    }
    if (sizes_.at(id.key) != id.bytes() || (dtype == kBool) != (id.dtype == kBool))
      pickle_.fail("storage '" + id.key + "' has two sizes or types");
    if (dtype == kBool) make_bools(found->second->data(), found->second->nbytes());
    return found->second;
  }

  const Unpickler& pickle_;
  const StorageReader& read_;
  std::unordered_map<Id, Done> done_;
  std::unordered_map<std::string, Storage> storages_;
  std::unordered_map<std::string, uint64_t> sizes_;
  uint64_t parts_ = 0;
};

Value Unpickler::build(const StorageReader& read_storage) { return Builder(*this, read_storage).build(root_); }

}  // namespace strata::serialize
