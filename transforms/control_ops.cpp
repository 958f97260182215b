// The ops of control flow, and how they run where nothing is traced.
#include "transforms/control_rule.h"

#include <algorithm>
#include <cstring>

#include "dispatcher/names.h"
#include "ops/creation.h"
#include "ops/reduce.h"
#include "ops/rules.h"
#include "ops/shaping.h"
#include "ops/ternary.h"
#include "ops/view.h"
#include "transforms/vmap.h"

namespace strata::func::control {
namespace {

List list_of(Tensors tensors) {
  return {std::make_move_iterator(tensors.begin()), std::make_move_iterator(tensors.end())};
}

Metas metas_of(const Types& types) {
  std::vector<Meta> metas;
  for (const Program::Type& t : types) metas.push_back(meta(t.sizes, t.dtype, t.device));
  return Metas(std::move(metas));
}

template <class P>
Tensors run_args(Args args, const void* params) {
  return to_tensors(run(*static_cast<const P*>(params), to_list(args)));
}

/// Reverse mode for callers that have kept nothing but the inputs.
template <class P>
Tensors run_vjp(const Vjp& c, const P& p) {
  const Rule rule = reverse_rule(p, Mask(c.wanted, c.wanted + c.arity()));
  const autograd::CustomRule::Forward kept = rule->forward_with_residuals(to_list(c.inputs));
  List grads = to_list(c.grads);
  for (size_t i = 0; i < grads.size(); ++i)
    if (!grads[i].defined()) grads[i] = zeros_like(kept.outputs[i]);
  List cotangents = rule->backward(kept, grads);
  for (size_t i = 0; i < cotangents.size(); ++i)
    if (!c.needs(i)) cotangents[i].reset();
  return to_tensors(std::move(cotangents));
}

template <class P>
constexpr Op make_op(const char* schema) {
  Op op;
  op.schema = schema;
  op.params = &params_type<P>;
  for (DTypes& types : op.dtypes) types = kAllTypes;
  for (Saves& saves : op.saves) saves.inputs = 0xff;
  op.decompose = &run_args<P>;
  op.replay = [](const Replay& c, const void* params) { return run_args<P>(c.inputs, params); };
  op.vjp = [](const Vjp& c, const void* params) { return run_vjp(c, *static_cast<const P*>(params)); };
  op.jvp = [](const Jvp& c, const void* params) {
    return to_tensors(jvp(*static_cast<const P*>(params), to_list(c.inputs), to_list(c.tangents)).tangents);
  };
  op.batch = [](const Batch& c, const void* params) { return to_tensors(batch(*static_cast<const P*>(params), c)); };
  return op;
}

constexpr Op make_cond() {
  Op op = make_op<CondParams>("cond(Tensor index, Tensor[] operands, Program[] branches) -> Tensor[]");
  op.infer = [](Args, const void* p) { return metas_of(output_types(static_cast<const CondParams*>(p)->branches[0])); };
  return op;
}
constexpr Op make_while() {
  Op op = make_op<WhileParams>(
      "while(Tensor[] operands, Program cond, Program body, int cond_consts, int body_consts) -> Tensor[]");
  op.infer = [](Args, const void* p) { return metas_of(output_types(static_cast<const WhileParams*>(p)->body)); };
  return op;
}
constexpr Op make_scan() {
  Op op = make_op<ScanParams>(
      "scan(Tensor[] operands, Program body, int consts, int carry, int length, bool reverse, bool recompute) -> "
      "Tensor[]");
  op.infer = [](Args, const void* params) {
    const auto& p = *static_cast<const ScanParams*>(params);
    Types types = output_types(p.body);
    for (size_t i = static_cast<size_t>(p.carry); i < types.size(); ++i) types[i].sizes.insert(0, p.length);
    return metas_of(types);
  };
  return op;
}

}  // namespace

STRATA_OP(cond_op) = make_cond();
STRATA_OP(while_op) = make_while();
STRATA_OP(scan_op) = make_scan();

namespace {

bool draws(const Program::Equation& e) {
  const std::vector<Program> inner = programs_in(e.params);
  return e.op->is(kRandom) || std::any_of(inner.begin(), inner.end(), [](const Program& p) {
           return std::any_of(p.equations().begin(), p.equations().end(), draws);
         });
}

/// A vmap inside of the trace sees one call, of which it cannot tell whether each example is to draw.
void check_draws(const Op& op, Params params) {
  const Layer* layer = thread_state.top_layer;
  while (layer && !layer->records() && !dynamic_cast<const VmapLayer*>(layer)) layer = layer->below();
  if (!layer || layer->records()) return;
  for (const Program& p : programs_in(params))
    STRATA_CHECK(std::none_of(p.equations().begin(), p.equations().end(), draws),
                 "{}: its body draws from the default generator inside vmap inside trace: use strata::random with keys",
                 op.name());
}

}  // namespace

List call_op(const Op& op, const List& args, Params params) {
  check_draws(op, params);
  return list_of(call(op, ArgList(args), params));
}

namespace {

void check_index(const char* who, const Tensor& index) {
  STRATA_CHECK(index.dim() == 0, "{}: what decides has shape {}; it must be a scalar (vmap maps over more)", who,
               index.sizes());
}

int64_t clamped(int64_t i, size_t branches) { return std::clamp<int64_t>(i, 0, static_cast<int64_t>(branches) - 1); }

/// The operand for those who take a branch or a step, and for the others a constant of the same value: their part of
/// the derivative is zero, though it be a zero times infinity.
Tensor guarded(const Tensor& taken, const Tensor& x) {
  return is_differentiated(x) ? where(taken, x, stop_gradient(x)) : x;
}
List guarded(const Tensor& taken, List list) {
  for (Tensor& t : list) t = guarded(taken, t);
  return list;
}

/// What the steps of a scan give, one after the other. Plain numbers are written to where they belong at once, since
/// thousands of small tensors would cost more than most bodies.
class Stack {
 public:
  Stack(const ScanParams& p, const Program::Type& type) : length_(p.length), reverse_(p.reverse), type_(type) {}
  void add(Tensor y) {
    if (elements_.empty() && is_plain(y)) return write(y);
    if (written_ > 0) read_back();
    elements_.push_back(std::move(y));
  }
  Tensor take() {
    if (elements_.empty()) return written_ > 0 ? std::move(buffer_) : fresh();
    if (reverse_) std::reverse(elements_.begin(), elements_.end());
    return stack(elements_);
  }

 private:
  static bool is_plain(const Tensor& y) {
    return !y.impl()->wrapper() && !y.requires_grad() && y.is_cpu() && y.is_contiguous() && y.has_storage() &&
           !thread_state.top_layer;
  }
  Tensor fresh() const {
    DimVector sizes = type_.sizes;
    sizes.insert(0, length_);
    return empty(sizes, TensorOptions(type_.dtype).device(type_.device));
  }
  int64_t place(int64_t step) const { return reverse_ ? length_ - 1 - step : step; }
  void write(const Tensor& y) {
    if (written_ == 0) buffer_ = fresh();
    const size_t bytes = static_cast<size_t>(y.numel()) * y.element_size();
    if (bytes > 0)
      std::memcpy(static_cast<char*>(buffer_.data_ptr()) + static_cast<size_t>(place(written_)) * bytes, y.data_ptr(),
                  bytes);
    ++written_;
  }
  /// A later step gave what a derivative or a transform follows.
  void read_back() {
    for (int64_t step = 0; step < written_; ++step) elements_.push_back(buffer_.select(0, place(step)));
    written_ = 0;
  }

  const int64_t length_;
  const bool reverse_;
  const Program::Type type_;
  Tensor buffer_;
  int64_t written_ = 0;
  List elements_;
};

}  // namespace

/// Runs all branches and gives each example those of its own.
List select(const char* who, const Tensor& index, ArrayRef<ListRef> branches, const List& operands) {
  std::vector<Types> types;
  List chosen;
  for (size_t b = 0; b < branches.size(); ++b) {
    const auto last = static_cast<int64_t>(branches.size()) - 1, at = static_cast<int64_t>(b);
    const Tensor taken = at == last ? index.ge(at) : at == 0 ? index.le(0) : index.eq(at);
    List out = branches[b](guarded(taken, operands));
    types.push_back(types_of(out));
    check_branches(who, types);
    for (size_t i = 0; i < out.size(); ++i) out[i] = b == 0 ? out[i] : where(taken, out[i], chosen[i]);
    chosen = std::move(out);
  }
  return chosen;
}

List choose(const char* who, const Tensor& index, ArrayRef<ListRef> branches, const List& operands) {
  check_index(who, index);
  if (standing(index) == Standing::mapped) return select(who, index, branches, operands);
  return branches[static_cast<size_t>(clamped(index.item<int64_t>(), branches.size()))](operands);
}

void check_branches(const char* who, const std::vector<Types>& outputs) {
  for (size_t b = 1; b < outputs.size(); ++b)
    STRATA_CHECK(outputs[b] == outputs[0], "{}: branch {} returns {}, branch 0 {}; all must return the same", who, b,
                 text(outputs[b]), text(outputs[0]));
}

void check_carry(const char* who, const Types& before, const Types& after) {
  STRATA_CHECK(before == after, "{}: the carry is {}, the body returns {}; both must be the same", who, text(before),
               text(after));
}

List loop(const char* who, ListRef condition, ListRef body, List carry) {
  for (;;) {
    const Tensor go_on = condition(carry)[0];
    check_index(who, go_on);
    STRATA_CHECK(go_on.dtype() == kBool, "{}: the condition is {}; it must be bool", who, name(go_on.dtype()));
    const bool differs = standing(go_on) == Standing::mapped;
    if (!(differs ? innermost(go_on).any() : go_on).item<bool>()) return carry;
    if (!differs) {
      carry = body(carry);
      continue;
    }
    List next = body(guarded(go_on, carry));
    check_carry(who, types_of(carry), types_of(next));
    for (size_t i = 0; i < next.size(); ++i) carry[i] = where(go_on, next[i], carry[i]);
  }
}

List run(const CondParams& p, const List& args) {
  if (is_traced(args[0])) return call_op(cond_op, args, Params::of(p));
  std::vector<ListRef> branches;
  for (const Program& b : p.branches) branches.emplace_back(b);
  return choose("cond", args[0], branches, List(args.begin() + 1, args.end()));
}

List run(const WhileParams& p, const List& args) {
  if (any_traced(args)) return call_op(while_op, args, Params::of(p));
  const auto first = args.begin() + p.condition_consts, carry = first + p.body_consts;
  const auto called = [](const Program& program, List consts, const List& carried) {
    consts.insert(consts.end(), carried.begin(), carried.end());
    return program(std::move(consts));
  };
  return loop(
      "while_loop", [&](const List& c) { return called(p.condition, List(args.begin(), first), c); },
      [&](const List& c) { return called(p.body, List(first, carry), c); }, List(carry, args.end()));
}

List run(const ScanParams& p, const List& args) {
  if (any_traced(args)) return call_op(scan_op, args, Params::of(p));
  const auto consts = static_cast<size_t>(p.consts), carried = static_cast<size_t>(p.carry);
  List inputs = args;
  std::vector<Stack> ys;
  for (size_t y = carried; y < p.body.outputs().size(); ++y) ys.emplace_back(p, p.body.type(p.body.outputs()[y]));
  for (int64_t step = 0; step < p.length; ++step) {
    const int64_t i = p.reverse ? p.length - 1 - step : step;
    for (size_t x = consts + carried; x < args.size(); ++x) inputs[x] = args[x].select(0, i);
    List out = p.body(inputs);
    for (size_t c = 0; c < carried; ++c) inputs[consts + c] = std::move(out[c]);
    for (size_t y = 0; y < ys.size(); ++y) ys[y].add(std::move(out[carried + y]));
  }
  List result(inputs.begin() + p.consts, inputs.begin() + p.consts + p.carry);
  for (Stack& y : ys) result.push_back(y.take());
  return result;
}

}  // namespace strata::func::control
