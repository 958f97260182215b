// Matching calls with what the tables say of their ops.
#include "exchange/argument_checks.h"

#include <algorithm>
#include <map>
#include <string>

#include "dispatcher/fallback.h"
#include "dispatcher/names.h"
#include "exchange/check_rows.h"
#include "ops/file_layout.h"
#include "transforms/control_ops.h"

namespace strata::func::exchange {

void Arguments::require(bool ok, const char* what) const { STRATA_CHECK(ok, "{}", what); }

void Arguments::require_between(int64_t value, int64_t low, int64_t high, const char* what) const {
  STRATA_CHECK(value >= low && value <= high, "{} is {}, it has to be from {} to {}", what, value, low, high);
}

void Arguments::require_dims(IntArrayRef given, int64_t dims, bool sorted) const {
  for (size_t i = 0; i < given.size(); ++i) {
    require_any_dim(given[i], dims);
    const auto before = given.slice(0, i);
    require(std::find(before.begin(), before.end(), given[i]) == before.end(), "a dim is given twice");
    require(!sorted || i == 0 || given[i] > given[i - 1], "the dims are not in rising order");
  }
}

void Arguments::require_sizes(IntArrayRef sizes) const {
  STRATA_CHECK(sizes.size() <= static_cast<size_t>(kMaxDims), "a tensor of {} dims is wanted, there can be {}",
               sizes.size(), kMaxDims);
  for (const int64_t size : sizes) require(size >= 0, "a size is negative");
  require(serialize::bytes_of(kComplexDouble, sizes).has_value(), "sizes are too large");
}

void Arguments::require_shape(size_t i, IntArrayRef sizes) const {
  STRATA_CHECK(inputs_[i].sizes() == sizes, "input {} has the shape {}, it has to be {}", i, inputs_[i].sizes(), sizes);
}

void Arguments::require_dtype(DType dtype, DTypes taken) const {
  STRATA_CHECK(dtype != DType::Undefined && taken.has(dtype), "not implemented for {}", name(dtype));
}

namespace {

/// What a schema says of the inputs: their number and which may be undefined.
struct Schema {
  std::vector<bool> optional;
  bool list_at_end = false;  ///< the last one is for any number of them
};

Schema schema_of(const Op& op) {
  Schema schema;
  std::string_view s(op.schema);
  s = s.substr(s.find('(') + 1);
  s = s.substr(0, s.find(')'));
  while (s.starts_with("Tensor")) {
    s.remove_prefix(std::string_view("Tensor").size());
    schema.optional.push_back(s.starts_with("?"));
    schema.list_at_end = schema.list_at_end || s.starts_with("[]");
    s.remove_prefix(std::min(s.size(), s.find(", ") == s.npos ? s.size() : s.find(", ") + 2));
  }
  return schema;
}

void check_inputs(const Op& op, const CheckRow* row, Args inputs) {
  const Schema schema = schema_of(op);
  const bool may_lack_last = row && (row->pattern.ends_with('?') || row->pattern.ends_with('*'));
  const size_t named = schema.optional.size(), least = named - (may_lack_last ? 1 : 0);
  STRATA_CHECK(inputs.size() >= least && (inputs.size() <= named || schema.list_at_end),
               "it takes {} inputs, {} are given", named, inputs.size());
  const Tensor* first = nullptr;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& t = inputs[i];
    if (!t.defined()) {
      STRATA_CHECK(i < named && schema.optional[i], "input {} is undefined", i);
      continue;
    }
    STRATA_CHECK(op.dtypes_for(i).has(t.dtype()), "not implemented for {} as input {}", name(t.dtype()), i);
    if (!first) first = &t;
    STRATA_CHECK(t.device() == first->device() || func::detail::is_control_flow(op),
                 "its inputs are on different devices, {} and {}", t.device().str(), first->device().str());
  }
}

/// Reads the words of a pattern against the inputs.
class Matcher {
 public:
  Matcher(std::string_view pattern, Args inputs, Arguments& arguments)
      : rest_(pattern), inputs_(inputs), arguments_(arguments) {}

  void match() {
    std::string_view word;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (!word.ends_with('+') && !word.ends_with('*')) word = next_word();
      if (inputs_[i].defined()) match(i, word);
    }
  }

 private:
  std::string_view next_word() {
    const std::string_view word = rest_.substr(0, rest_.find(' '));
    rest_.remove_prefix(std::min(rest_.size(), word.size() + 1));
    return word;
  }

  void match(size_t i, std::string_view word) {
    const Tensor& t = inputs_[i];
    if (word[0] != '.') {
      const auto [known, is_new] = dtypes_.emplace(word[0], t.dtype());
      STRATA_CHECK(is_new || known->second == t.dtype(), "input {} is of {}, it has to be of {}", i, name(t.dtype()),
                   name(known->second));
    }
    std::string_view sizes = word.substr(word.find('[') + 1);
    sizes = sizes.substr(0, sizes.find(']'));
    if (!fits(t.sizes(), sizes))
      STRATA_THROW("the shape {} of input {} does not fit [{}] with those before it", t.sizes(), i, sizes);
  }

  bool fits(IntArrayRef shape, std::string_view sizes) {
    if (sizes == ".") return true;
    const bool has_lead = sizes.starts_with('*');
    const size_t commas = static_cast<size_t>(std::count(sizes.begin(), sizes.end(), ','));
    const size_t single = sizes.empty() ? 0 : commas + (has_lead ? 0 : 1);
    if (has_lead ? shape.size() < single : shape.size() != single) return false;
    const size_t lead = shape.size() - single;
    if (has_lead) {
      if (!has_lead_) lead_ = shape.slice(0, lead), has_lead_ = true;
      if (IntArrayRef(lead_) != shape.slice(0, lead)) return false;
      sizes.remove_prefix(std::min<size_t>(sizes.size(), 2));
    }
    for (size_t d = lead; d < shape.size(); ++d) {
      if (!fits(shape[d], sizes[0])) return false;
      sizes.remove_prefix(std::min<size_t>(sizes.size(), 2));
    }
    return true;
  }

  bool fits(int64_t size, char c) {
    if (c == '_') return true;
    if (c >= '0' && c <= '9') return size == c - '0';
    if (known_.find(c) == known_.npos) {
      known_ += c;
      arguments_.set_size(c, size);
    }
    return arguments_.size(c) == size;
  }

  std::string_view rest_;
  const Args inputs_;
  Arguments& arguments_;
  std::map<char, DType> dtypes_;
  std::string known_;
  DimVector lead_;
  bool has_lead_ = false;
};

const CheckRow* row_of(const Op& op) {
  for (const CheckRows rows : {rows_of_placement(), rows_of_sums(), rows_of_matrices(), rows_of_layers(),
                               rows_of_sources(), rows_of_control()})
    for (const CheckRow& row : rows)
      if (row.op == op.name() && row.params == op.params) return &row;
  return nullptr;
}

/// Element-wise ops ask for tensors of one shape, and of one dtype but where a row says otherwise.
bool is_elementwise(const Op& op) { return op.is(dispatch::kPointwise); }

void check_elementwise(Args inputs, bool one_dtype) {
  for (const Tensor* t : inputs) {
    if (!t->defined()) continue;
    STRATA_CHECK(t->sizes() == inputs[0].sizes(), "its inputs have different shapes, {} and {}", inputs[0].sizes(),
                 t->sizes());
    STRATA_CHECK(!one_dtype || t->dtype() == inputs[0].dtype(), "its inputs are of different dtypes, {} and {}",
                 name(inputs[0].dtype()), name(t->dtype()));
  }
}

/// A tensor of a type without values; undefined of none.
Tensor described(const Program::Type* type) {
  if (!type) return {};
  auto* const impl = new TensorImpl(type->dtype, type->device, Storage());
  impl->set_contiguous(type->sizes, numel_of(type->sizes));
  return Tensor::adopt(impl);
}

Program::Type type_of(const dispatch::Meta& meta) {
  STRATA_CHECK(meta.dtype != DType::Undefined, "its result has no dtype");
  for (const int64_t size : meta.sizes)
    STRATA_CHECK(size >= 0, "its result has a negative size in {}", IntArrayRef(meta.sizes));
  STRATA_CHECK(meta.sizes.size() <= static_cast<size_t>(kMaxDims), "its result has {} dims", meta.sizes.size());
  STRATA_CHECK(serialize::bytes_of(meta.dtype, meta.sizes).has_value(), "its result {} is too large",
               IntArrayRef(meta.sizes));
  return {meta.dtype, meta.device, meta.sizes};
}

}  // namespace

bool has_checks(const Op& op) {
  const uint32_t refused = dispatch::kCustom | dispatch::kDataDependent | dispatch::kCollective |
                           dispatch::kShowsMemory | dispatch::kUpdatesInputs;
  return !(op.flags & refused) && op.infer && op.params && op.params->read && (is_elementwise(op) || row_of(op));
}

std::vector<Program::Type> checked_outputs(const Op& op, const std::vector<const Program::Type*>& types,
                                           dispatch::Params params) {
  STRATA_CHECK(has_checks(op), "a file cannot call it, for nothing checks its arguments");
  std::vector<Tensor> tensors;
  for (const Program::Type* type : types) tensors.push_back(described(type));
  const dispatch::ArgList list(tensors);
  const Args inputs = list;
  const CheckRow* const row = row_of(op);
  check_inputs(op, row, inputs);
  if (is_elementwise(op)) check_elementwise(inputs, !row || row->pattern.empty());
  if (row) {
    Arguments arguments(op, inputs);
    if (!row->pattern.empty()) Matcher(row->pattern, inputs, arguments).match();
    if (row->check) row->check(arguments, params.data());
  }
  const dispatch::Metas metas = dispatch::infer_outputs(op, inputs, params);
  std::vector<Program::Type> results;
  for (size_t i = 0; i < metas.size(); ++i) results.push_back(type_of(metas[i]));
  return results;
}

}  // namespace strata::func::exchange
