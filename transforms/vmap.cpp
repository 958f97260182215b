// The vmap layer: unwraps the batched arguments, runs the op's batch rule below, wraps the results.
#include "transforms/vmap.h"

#include <algorithm>

#include "dispatcher/names.h"
#include "ops/collective_def.h"
#include "ops/creation.h"
#include "ops/shaping.h"
#include "ops/view.h"

namespace strata::func {
namespace {

struct Batched final : ValueWrapper {
  using ValueWrapper::ValueWrapper;
  TensorImpl* concrete(const char* who) const override {
    STRATA_THROW(
        "{}: inside vmap a tensor stands for a whole batch, so its value cannot be read: use where() instead of if",
        who);
  }
};

/// The examples of a vmap as ranks: a name, which the batch rules of collectives look for.
class MappedAxis final : public Communicator {
 public:
  MappedAxis(std::string name, int64_t size) : name_(std::move(name)), size_(size) {}
  const std::string& name() const override { return name_; }
  int64_t rank() const override {
    STRATA_THROW("vmap: axis {} has all ranks at once, so there is no number of this one; use axis_index", name_);
  }
  int64_t size() const override { return size_; }
  void run(const Collective& c) override {
    STRATA_THROW("{}: axis {} is not mapped here: its vmap is over, or the call is no op", strata::name(c.kind), name_);
  }

 private:
  const std::string name_;
  const int64_t size_;
};

[[noreturn, gnu::cold]] void fail_random(const Op& op) {
  STRATA_THROW(
      "{}: random inside vmap: say .randomness = Randomness::different (each example draws) or same, or use "
      "strata::random with keys",
      op.name());
}

/// The example `i` of a call: batched inputs without their batch dimension.
Tensors example_of(const Batch& c, int64_t i) {
  Tensors example = Tensors::undefined(c.arity());
  for (size_t k = 0; k < c.arity(); ++k) {
    if (!c.in(k).defined() || !c.batched(k))
      example[k] = c.in(k);
    else  // without examples, zeros of their shape tell what the results look like
      example[k] = c.size > 0 ? c.in(k).select(0, i) : zeros(c.in(k).sizes().slice(1), c.in(k).options());
  }
  return example;
}

void warn_of_loop(const Op& op) {
  warn_once(strata::detail::format_message(
      "vmap: {} has no batch rule, so it runs once for each example; give it one with .batch(...)", {op.name()}));
}

/// What an op without a batch rule does: a call for each example, the results stacked.
Tensors call_each(const Batch& c, Params params) {
  STRATA_CHECK(!c.op.is(kView), "vmap: {} is a view and has no batch rule; give it one with .batch(...)", c.op.name());
  warn_of_loop(c.op);
  std::vector<std::vector<Tensor>> each;  // by output
  for (int64_t i = 0; i < std::max<int64_t>(c.size, 1); ++i) {
    const Tensors example = example_of(c, i);
    const Tensors out = call(c.op, ArgList(example), params);
    each.resize(out.size());
    for (size_t k = 0; k < out.size(); ++k) each[k].push_back(out[k]);
  }
  Tensors stacked = Tensors::undefined(each.size());
  for (size_t k = 0; k < each.size(); ++k) {
    if (!each[k][0].defined()) continue;
    stacked[k] = stack(each[k]);
    if (c.size == 0) stacked[k] = stacked[k].narrow(0, 0, 0);
  }
  return stacked;
}

}  // namespace

ProcessGroup mapped_axis(const std::string& name, int64_t size) {
  return name.empty() ? nullptr : std::make_shared<MappedAxis>(name, size);
}

/// Is it a collective over the mapped dimension? Then it mixes examples, and numbers that all of them share too.
bool VmapLayer::reduces(const Op& op, Params params) const {
  return op.is(kCollective) && axis_ && group_of_collective(params) == axis_;
}

bool VmapLayer::takes(const Op& op, Args, Params params) const { return op.is(kRandom) || reduces(op, params); }

Tensor VmapLayer::wrap(const Tensor& value) const { return make_wrapper(new Batched(level(), value), value, 1); }

Tensors VmapLayer::process(const Op& op, Args args, Params params) {
  bool few[8] = {};
  const auto many = args.size() > 8 ? std::make_unique<bool[]>(args.size()) : nullptr;
  bool* const batched = many ? many.get() : few;
  bool any = false;
  const ArgList values = values_at<Batched>(level(), args, [&](size_t i, const Batched&) { any = batched[i] = true; });
  if (op.is(kRandom)) {
    if (randomness_ == Randomness::error) fail_random(op);
    if (randomness_ == Randomness::same) {
      STRATA_CHECK(!any,
                   "{}: the same random numbers for all examples, but its arguments differ between them: use "
                   "Randomness::different",
                   op.name());
      const Below below(*this);
      return call(op, values, params);
    }
  }
  if (op.is(kCustom)) return call_custom(values, batched, params.as<CustomParams>());
  STRATA_CHECK(!op.is(kDataDependent),
               "{}: inside vmap the shape of its result would differ between examples; use "
               "where() with a mask instead",
               op.name());
  Tensors out;
  {
    const Below below(*this);
    const Batch batch{op, values, batched, size_, axis_.get()};
    out = op.batch ? op.batch(batch, params.data()) : call_each(batch, params);
  }
  if (op.is(kSameOnAllRanks) && reduces(op, params)) return out;
  for (Tensor& t : out)
    if (t.defined()) t = wrap(t);
  return out;
}

Tensor VmapLayer::unwrap(const Tensor& t, std::optional<int64_t> out_dim) const {
  if (!t.defined()) return t;
  const Batched* const w = wrapper_at<Batched>(t, level());
  if (!out_dim) {
    STRATA_CHECK(!w, "vmap: out_dims is nullopt for a result that differs between examples");
    return t;
  }
  const int64_t to = wrap_dim(*out_dim, t.dim() + 1, "vmap: out_dims");
  if (w) return to == 0 ? w->value : movedim(w->value, 0, to);
  DimVector sizes = t.sizes();
  sizes.insert(to, size_);
  return expand(unsqueeze(t, to), sizes);
}

namespace detail {

void Mapped::add(const Tensor& t, const std::optional<int64_t>& dim, size_t argument) {
  arguments.push_back(argument);
  tensors.emplace_back();
  if (!dim || !t.defined()) return;
  STRATA_CHECK(*dim >= -t.dim() && *dim < t.dim(), "vmap: in_dims has dim {} for argument {}, which has shape {}", *dim,
               argument, t.sizes());
  const int64_t from = *dim < 0 ? *dim + t.dim() : *dim;
  refresh(t);
  tensors.back() = from == 0 ? t : movedim(t, from, 0);
}

int64_t Mapped::size() const {
  size_t first = 0;
  while (first < tensors.size() && !tensors[first].defined()) ++first;
  STRATA_CHECK(first < tensors.size(), "vmap: no argument is mapped; in_dims has to name a dim of at least one tensor");
  const int64_t size = tensors[first].size(0);
  for (size_t i = first; i < tensors.size(); ++i) {
    STRATA_CHECK(!tensors[i].defined() || tensors[i].size(0) == size,
                 "vmap: mapped sizes differ: {} in argument {}, {} in argument {}", size, arguments[first],
                 tensors[i].size(0), arguments[i]);
  }
  return size;
}

Mapped Mapped::chunk(int64_t start, int64_t length) const {
  Mapped part = *this;
  for (Tensor& t : part.tensors)
    if (t.defined()) t = t.narrow(0, start, length);
  return part;
}

void append_chunk(Tensor& all, const Tensor& chunk, std::optional<int64_t> dim) {
  if (dim && all.defined()) all = cat({all, chunk}, *dim);
}

}  // namespace detail
}  // namespace strata::func
