// Looks ops up by name, and reads what a node is given.
#include "exchange/pt2_ops.h"

#include <algorithm>
#include <unordered_map>

#include "core/error.h"
#include "ops/creation.h"
#include "ops/promote.h"

namespace strata::pt2 {
namespace {

constexpr std::string_view kAten = "torch.ops.aten.";

/// What says where a tensor lies or how it is computed, but not what it is.
constexpr std::string_view kOfNoMatter[] = {
    "copy",      "path",          "layout",        "device",       "pin_memory", "non_blocking", "memory_format",
    "benchmark", "deterministic", "cudnn_enabled", "cudnn_enable", "allow_tf32", "implicit",     "generator"};

/// The schemas of ATen have far less than 64 arguments; those of higher-order ops have no names.
constexpr uint64_t bit(size_t i) { return i < 64 ? uint64_t{1} << i : 0; }

using Table = std::unordered_map<std::string, Values (*)(const Arguments&)>;

void add_entries(Table& table, std::string_view prefix, std::span<const OpEntry> entries) {
  for (const OpEntry& e : entries) {
    std::string_view left = e.overloads;
    do {
      const size_t end = std::min(left.find(' '), left.size());
      std::string name(prefix);
      name += e.name;
      if (end > 0) (name += '.') += left.substr(0, end);
      table.emplace(std::move(name), e.run);
      left.remove_prefix(std::min(end + 1, left.size()));
    } while (!left.empty());
  }
}

const Table& all_ops() {
  static const Table table = [] {
    Table t;
    for (const auto& entries : {pointwise_ops(), reducing_ops(), shaping_ops(), layer_ops()})
      add_entries(t, kAten, entries);
    add_entries(t, "", control_ops());
    return t;
  }();
  return table;
}

}  // namespace

bool resolve(Node& node) {
  const Table& table = all_ops();
  auto found = table.find(node.target);
  const size_t overload = node.target.rfind("_.");
  if (found == table.end() && overload != node.target.npos && node.target.starts_with(kAten)) {
    std::string name = node.target;
    found = table.find(name.erase(overload, 1));
    node.writes_self = true;
  }
  if (found == table.end()) return false;
  node.run = found->second;
  return true;
}

const Value* Arguments::find(std::string_view name) const {
  for (size_t i = 0; i < values_.size(); ++i) {
    if (node_.inputs[i].name != name) continue;
    read_ |= bit(i);
    return values_[i].isNone() ? nullptr : &values_[i];
  }
  return nullptr;
}

const Value& Arguments::required(std::string_view name) const {
  const Value* const v = find(name);
  STRATA_CHECK(v != nullptr, "load_pt2: the argument '{}' is missing", name);
  return *v;
}

const Value& Arguments::at(size_t i) const {
  STRATA_CHECK(i < values_.size(), "load_pt2: argument {} is missing", i);
  read_ |= bit(i);
  return values_[i];
}

void Arguments::check_all_read() const {
  for (size_t i = 0; i < values_.size(); ++i) {
    const std::string& name = node_.inputs[i].name;
    if (name.empty() || values_[i].isNone() || (read_ & bit(i))) continue;
    const bool matters = std::find(std::begin(kOfNoMatter), std::end(kOfNoMatter), name) == std::end(kOfNoMatter);
    STRATA_CHECK(!matters, "load_pt2: the argument '{}' is not known", name);
  }
}

const Tensor& Arguments::tensor(std::string_view name) const { return required(name).toTensor(); }

Tensor Arguments::number_beside(const Tensor& other) const {
  const Scalar number = scalar("self");
  return scalar_tensor(number, TensorOptions().dtype(result_type(other, number)).device(other.device()));
}

OptionalTensorRef Arguments::maybe_tensor(std::string_view name) const {
  const Value* const v = find(name);
  return v ? OptionalTensorRef(v->toTensor()) : OptionalTensorRef();
}

Tensor Arguments::tensor_or_none(std::string_view name) const {
  const Value* const v = find(name);
  return v ? v->toTensor() : Tensor();
}

std::vector<Tensor> Arguments::tensors(std::string_view name) const {
  std::vector<Tensor> out;
  for (const Value& v : required(name).toListRef()) out.push_back(v.isNone() ? Tensor() : v.toTensor());
  return out;
}

std::optional<int64_t> Arguments::maybe_integer(std::string_view name) const {
  const Value* const v = find(name);
  return v ? std::optional(v->toInt()) : std::nullopt;
}

std::optional<double> Arguments::maybe_number(std::string_view name) const {
  const Value* const v = find(name);
  return v ? std::optional(v->toDouble()) : std::nullopt;
}

bool Arguments::flag(std::string_view name, bool otherwise) const {
  const Value* const v = find(name);
  return v ? v->toBool() : otherwise;
}

std::string Arguments::text(std::string_view name, const char* otherwise) const {
  const Value* const v = find(name);
  return v ? v->toStringRef() : otherwise;
}

std::optional<Scalar> Arguments::maybe_scalar(std::string_view name) const {
  const Value* const v = find(name);
  return v ? std::optional(v->toScalar()) : std::nullopt;
}

std::vector<int64_t> Arguments::ints(std::string_view name, std::vector<int64_t> otherwise) const {
  const Value* const v = find(name);
  return v ? v->toIntVector() : std::move(otherwise);
}

std::optional<DimVector> Arguments::maybe_ints(std::string_view name) const {
  const Value* const v = find(name);
  return v ? std::optional<DimVector>(IntArrayRef(v->toIntVector())) : std::nullopt;
}

std::vector<double> Arguments::numbers(std::string_view name) const {
  const Value* const v = find(name);
  return v ? v->toDoubleVector() : std::vector<double>();
}

std::optional<DType> Arguments::maybe_dtype(std::string_view name) const {
  const Value* const v = find(name);
  return v ? std::optional(v->toScalarType()) : std::nullopt;
}

TensorOptions Arguments::options() const {
  TensorOptions options = TensorOptions().device(device_);
  const DType dtype = maybe_dtype().value_or(node_.dtype);
  return dtype == DType::Undefined ? options : options.dtype(dtype);
}

Values Arguments::rest(size_t i) const {
  Values out;
  for (; i < values_.size(); ++i) {
    const Value& v = at(i);
    if (v.isList())
      strata::detail::append(out, v.toListRef());
    else
      out.push_back(v);
  }
  return out;
}

Values Arguments::run_graph(size_t i, Values inputs) const {
  at(i);
  const auto& graph = node_.inputs[i].graph;
  STRATA_CHECK(graph != nullptr, "load_pt2: argument {} is no graph", i);
  return run(*graph, std::move(inputs), device_);
}

}  // namespace strata::pt2
