// The vmap layer: unwraps the batched arguments, runs the op's batch rule below, wraps the results.
#include "transforms/vmap.h"

#include "dispatcher/names.h"
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

[[noreturn, gnu::cold]] void fail_random(const Op& op) {
  STRATA_THROW(
      "{}: random inside vmap: say .randomness = Randomness::different (each example draws) or same, or use "
      "strata::random with keys",
      op.name());
}

}  // namespace

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
    out = op.batch({op, values, batched, size_}, params.data());
  }
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
