// Looks ops up by name, and reads what a node is given.
#include "exchange/onnx/ops.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "dispatcher/layer.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/view.h"

namespace strata::onnx {
namespace {

struct Domain {
  std::string_view name;
  int64_t first, last;  ///< opsets
};

/// Those of onnx 1.20. Before 7, broadcasting had its own attributes.
constexpr Domain kDomains[] = {{"", 7, 25}, {"ai.onnx.preview.training", 1, 1}};

constexpr uint64_t bit(size_t i) { return i < 64 ? uint64_t{1} << i : 0; }

using Table = std::unordered_map<std::string, Values (*)(const Arguments&)>;

void add_entries(Table& table, const std::string& domain, std::span<const OpEntry> entries) {
  for (const OpEntry& e : entries) table.emplace(domain + ":" + std::string(e.name), e.run);
}

const Table& all_ops() {
  static const Table table = [] {
    Table t;
    for (const auto& entries :
         {pointwise_ops(), reducing_ops(), shaping_ops(), indexing_ops(), layer_ops(), pooling_ops(), attention_ops(),
          recurrent_ops(), resampling_ops(), quantized_ops(), loss_ops(), control_ops(), signal_ops()})
      add_entries(t, "", entries);
    add_entries(t, "ai.onnx.preview.training", training_ops());
    return t;
  }();
  return table;
}

std::vector<int64_t> host_ints(const Tensor& t) {
  const Tensor flat = contiguous(cast(t, kLong)).reshape({-1});
  std::vector<int64_t> out;
  for (int64_t i = 0; i < flat.numel(); ++i) out.push_back(flat.select(0, i).item<int64_t>());
  return out;
}

}  // namespace

Values (*find_op(const std::string& domain, const std::string& op))(const Arguments&) {
  const auto found = all_ops().find(domain + ":" + op);
  return found == all_ops().end() ? nullptr : found->second;
}

std::pair<int64_t, int64_t> known_opsets(const std::string& domain) {
  for (const Domain& d : kDomains)
    if (d.name == domain) return {d.first, d.last};
  return {0, 0};
}

const Value& Arguments::value(size_t i) const {
  static const Value none;
  if (i >= values_.size()) return none;
  read_ |= bit(i);
  return values_[i];
}

const Tensor& Arguments::tensor(size_t i) const {
  const Value& v = value(i);
  STRATA_CHECK(v.isTensor(), "load_onnx: input {} of {} must be a tensor, it is {}", i, op(), v.kind_name());
  return v.toTensor();
}

OptionalTensorRef Arguments::maybe_tensor(size_t i) const {
  return has(i) ? OptionalTensorRef(tensor(i)) : OptionalTensorRef();
}

std::vector<Tensor> Arguments::tensors() const {
  std::vector<Tensor> out;
  for (size_t i = 0; i < values_.size(); ++i) out.push_back(tensor(i));
  return out;
}

Ints Arguments::ints_in(size_t i) const {
  const Tensor& t = tensor(i);
  STRATA_CHECK(
      is_known(t),
      "load_onnx: input {} of {} says how large something is, so inside of trace, compile and vmap it must not "
      "depend on the arguments",
      i, op());
  return host_ints(t);
}

int64_t Arguments::int_in(size_t i) const {
  const Ints values = ints_in(i);
  STRATA_CHECK(values.size() == 1, "load_onnx: input {} of {} must be one number, it has {} values", i, op(),
               values.size());
  return values[0];
}

Scalar Arguments::number_in(size_t i) const {
  const Tensor& t = tensor(i);
  STRATA_CHECK(t.numel() == 1 && is_known(t), "load_onnx: input {} of {} must be one number that is known", i, op());
  return t.reshape({}).item();
}

const Attribute* Arguments::find(std::string_view name) const {
  for (size_t i = 0; i < node_.attributes.size(); ++i) {
    if (node_.attributes[i].name != name) continue;
    read_attributes_ |= bit(i);
    return &node_.attributes[i];
  }
  return nullptr;
}

const Attribute& Arguments::required(std::string_view name) const {
  const Attribute* const a = find(name);
  STRATA_CHECK(a, "load_onnx: {} has no attribute '{}'", op(), name);
  return *a;
}

const Graph& Arguments::graph(std::string_view name) const {
  const Attribute& a = required(name);
  STRATA_CHECK(a.graph, "load_onnx: the attribute '{}' of {} is no graph", name, op());
  return *a.graph;
}

bool Arguments::goes_on(std::string_view name) const {
  const Graph& body = graph(name);
  Slot slot = body.outputs.at(0);
  for (auto node = body.nodes.rbegin(); node != body.nodes.rend(); ++node)
    if (node->op == "Identity" && node->outputs.at(0) == slot) slot = node->inputs.at(0);
  return slot == body.inputs.at(1);
}

std::optional<int64_t> Arguments::maybe_integer(std::string_view name) const {
  const Attribute* const a = find(name);
  return a ? std::optional(a->value.toInt()) : std::nullopt;
}

double Arguments::number(std::string_view name, double otherwise) const {
  const Attribute* const a = find(name);
  return a ? a->value.toDouble() : otherwise;
}

std::string Arguments::text(std::string_view name, const char* otherwise) const {
  const Attribute* const a = find(name);
  return a ? a->value.toStringRef() : otherwise;
}

std::optional<Ints> Arguments::maybe_ints(std::string_view name) const {
  const Attribute* const a = find(name);
  return a ? std::optional(a->value.toIntVector()) : std::nullopt;
}

Ints Arguments::ints(std::string_view name, Ints otherwise) const {
  return maybe_ints(name).value_or(std::move(otherwise));
}

std::vector<double> Arguments::numbers(std::string_view name) const {
  const Attribute* const a = find(name);
  return a ? a->value.toDoubleVector() : std::vector<double>();
}

std::vector<std::string> Arguments::texts(std::string_view name) const {
  std::vector<std::string> out;
  if (const Attribute* const a = find(name))
    for (const Value& v : a->value.toListRef()) out.push_back(v.toStringRef());
  return out;
}

std::optional<DType> Arguments::dtype(std::string_view name) const {
  const std::optional<int64_t> number = maybe_integer(name);
  return number ? std::optional(dtype_of_number(*number)) : std::nullopt;
}

std::optional<Ints> Arguments::axes(size_t i) const { return has(i) ? std::optional(ints_in(i)) : maybe_ints("axes"); }

void Arguments::check_all_read() const {
  for (size_t i = 0; i < values_.size() && i < 64; ++i)
    STRATA_CHECK((read_ & bit(i)) || values_[i].isNone(), "load_onnx: input {} of {} is not known here", i, op());
  for (size_t i = 0; i < node_.attributes.size(); ++i)
    STRATA_CHECK(read_attributes_ & bit(i), "load_onnx: the attribute '{}' of {} is not known here",
                 node_.attributes[i].name, op());
}

Tensor int64s(const Ints& values) { return strata::tensor(values, kLong); }

int64_t wrapped(int64_t axis, int64_t dims) {
  STRATA_CHECK(-dims <= axis && axis < std::max<int64_t>(dims, 1), "load_onnx: axis {} of a tensor of {} dims", axis,
               dims);
  return axis < 0 ? axis + dims : axis;
}

Ints wrapped(Ints axes, int64_t dims) {
  for (int64_t& axis : axes) axis = wrapped(axis, dims);
  return axes;
}

Tensor known_here(const Tensor& t) {
  if (!dispatch::is_recorded() || t.impl()->wrapper() || !t.device().is_cpu() || !t.is_contiguous()) return t;
  const Tensor copy = empty(t.sizes(), t.dtype());
  if (t.numel() > 0) std::memcpy(copy.data_ptr(), t.data_ptr(), static_cast<size_t>(t.numel()) * item_size(t.dtype()));
  return copy;
}

bool is_known(const Tensor& t) {
  if (!t.impl()->wrapper() || t.numel() == 0) return true;
  try {
    t.reshape({-1}).select(0, 0).item();
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace strata::onnx
