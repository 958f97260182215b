// The rules of scan: each is a scan, or two, of programs made of the body.
#include <algorithm>

#include "dispatcher/names.h"
#include "ops/creation.h"
#include "ops/view.h"
#include "transforms/control_rule.h"

namespace strata::func::control {
namespace {

/// The operands of a call, or a mask of them, by what they are for.
template <class T>
struct ScanParts {
  std::vector<T> consts, carry, xs;
  ScanParts(const ScanParams& p, const std::vector<T>& all)
      : consts(slice(all, 0, static_cast<size_t>(p.consts))),
        carry(slice(all, consts.size(), static_cast<size_t>(p.carry))),
        xs(slice(all, consts.size() + carry.size(), all.size() - consts.size() - carry.size())) {}
};

/// The mask of the body's inputs once some operands differ, and that of its outputs.
struct Masks {
  Mask inputs, outputs;
  Masks(const ScanParams& p, const Mask& operands, Paths paths)
      : inputs(
            with_dependent_carry(p.body, operands, static_cast<size_t>(p.consts), static_cast<size_t>(p.carry), paths)),
        outputs(dependent_outputs(p.body, inputs, paths)) {
    for (size_t i = 0; i < static_cast<size_t>(p.carry); ++i) outputs[i] = inputs[static_cast<size_t>(p.consts) + i];
  }
};

std::vector<size_t> where_of(const Mask& mask, size_t first) {
  std::vector<size_t> places;
  for (bool is : mask)
    if (is) places.push_back(first++);
  return places;
}
std::vector<size_t> range(size_t first, size_t size) {
  std::vector<size_t> all(size);
  for (size_t i = 0; i < size; ++i) all[i] = first + i;
  return all;
}

}  // namespace

Duals jvp(const ScanParams& p, const List& primals, const List& tangents) {
  Mask given;
  for (const Tensor& t : tangents) given.push_back(t.defined());
  const Masks masks(p, given, Paths::differentiable);
  const ScanParts<bool> in(p, masks.inputs);
  const ScanParts<Tensor> x(p, primals), t(p, tangents);
  const size_t carry = in.carry.size(), ys = masks.outputs.size() - carry;
  const Mask carry_out = slice(masks.outputs, 0, carry), ys_out = slice(masks.outputs, carry, ys);

  // Of [consts, their tangents, carry, its tangents, xs, their tangents], and the same of outputs.
  const size_t n = masks.inputs.size(), m = masks.outputs.size();
  const size_t at_carry = in.consts.size(), at_xs = at_carry + carry;
  const size_t t_carry = n + count(in.consts), t_xs = t_carry + count(in.carry);
  ScanParams dual = p;
  dual.body = reordered(
      jvp_of(p.body, masks.inputs, masks.outputs),
      joined(range(0, at_carry), where_of(in.consts, n), range(at_carry, carry), where_of(in.carry, t_carry),
             range(at_xs, in.xs.size()), where_of(in.xs, t_xs)),
      joined(range(0, carry), where_of(carry_out, m), range(carry, ys), where_of(ys_out, m + count(carry_out))));
  dual.consts += static_cast<int64_t>(count(in.consts));
  dual.carry += static_cast<int64_t>(count(in.carry));
  const List out =
      run(dual, joined(x.consts, masked(t.consts, in.consts), x.carry,
                       masked(with_zeros(t.carry, x.carry, in.carry), in.carry), x.xs, masked(t.xs, in.xs)));
  const size_t at_ys = carry + count(carry_out);
  return {joined(slice(out, 0, carry), slice(out, at_ys, ys)),
          joined(spread_over(slice(out, carry, count(carry_out)), carry_out),
                 spread_over(slice(out, at_ys + ys, count(ys_out)), ys_out))};
}

List batch(const ScanParams& p, const dispatch::Batch& c) {
  const Mask given(c.is_batched, c.is_batched + c.arity());
  const Masks masks(p, given, Paths::all);
  const ScanParts<bool> before(p, given), in(p, masks.inputs);
  ScanParts<Tensor> x(p, to_list(c.inputs));
  for (size_t i = 0; i < x.carry.size(); ++i)
    if (in.carry[i] && !before.carry[i]) x.carry[i] = repeated(x.carry[i], c.size);
  for (size_t i = 0; i < x.xs.size(); ++i)
    if (in.xs[i]) x.xs[i] = movedim(x.xs[i], 0, 1);
  ScanParams mapped = p;
  mapped.body = vmap_of(p.body, masks.inputs, masks.outputs, {c.size, c.axis});
  List out = run(mapped, joined(x.consts, x.carry, x.xs));
  for (size_t i = 0; i < out.size(); ++i) {
    if (!masks.outputs[i])
      out[i] = repeated(out[i], c.size);
    else if (i >= x.carry.size())
      out[i] = movedim(out[i], 1, 0);
  }
  return out;
}

namespace {

/// Two scans: forward stacks what each step makes for its backward, which runs the other way. What no step changes is
/// made once, before them. With recomputation, what is stacked are the carries alone.
class ScanRule final : public ReverseRule {
 public:
  ScanRule(const ScanParams& p, const Masks& masks)
      : p_(p),
        wanted_(p, masks.inputs),
        cotangents_(masks.outputs),
        parts_(pullback_of(p.body, masks.inputs, masks.outputs, of_consts(masks.inputs), p.recompute)),
        constant_(slice(constant_outputs(parts_.forward, wanted_.consts.size()), cotangents_.size(), parts_.made)) {
    Mask kept(masks.inputs.size());
    for (size_t i : parts_.kept) kept[i] = true;
    kept_ = ScanParts<bool>(p, kept);
    make_forward();
    make_backward();
  }

  std::string name() const override { return "scan"; }

  Forward forward_with_residuals(const List& inputs) const override {
    const ScanParts<Tensor> x(p_, inputs);
    const List out = run(forward_, inputs);
    const size_t n = cotangents_.size();
    const List made_once = once_(x.consts);
    return {slice(out, 0, n),
            joined(masked(x.consts, kept_.consts), made_once, masked(x.xs, kept_.xs), slice(out, n, out.size() - n)),
            nullptr};
  }

  List backward(const Forward& kept, const List& grads) const override {
    const size_t carry = wanted_.carry.size(), consts = count(kept_.consts) + count(constant_);
    const Mask carry_out = slice(cotangents_, 0, carry), ys_out = slice(cotangents_, carry, cotangents_.size() - carry);
    List sums;
    for (const Program::Type& t : masked(slice(input_types(p_.body), 0, wanted_.consts.size()), wanted_.consts))
      sums.push_back(zeros(t.sizes, TensorOptions(t.dtype).device(t.device)));
    const List out = run(backward_, joined(slice(kept.residuals, 0, consts), masked(slice(grads, 0, carry), carry_out),
                                           sums, slice(kept.residuals, consts, kept.residuals.size() - consts),
                                           masked(slice(grads, carry, grads.size() - carry), ys_out)));
    const size_t carried = count(wanted_.carry);
    return joined(spread_over(slice(out, carried, sums.size()), wanted_.consts),
                  spread_over(slice(out, 0, carried), wanted_.carry),
                  spread_over(slice(out, carried + sums.size(), count(wanted_.xs)), wanted_.xs));
  }

 private:
  /// Behind the body's outputs come what it made in each step, and the carry that backward needs.
  void make_forward() {
    const Program& f = parts_.forward;
    Program::Body once = f.body(), body = f.body();
    const size_t n = cotangents_.size();
    once.outputs.clear();
    body.outputs.resize(n);
    once.inputs.resize(wanted_.consts.size());
    for (size_t i = 0; i < parts_.made; ++i) (constant_[i] ? once : body).outputs.push_back(f.outputs()[n + i]);
    append(body.outputs, masked(slice(f.inputs(), wanted_.consts.size(), wanted_.carry.size()), kept_.carry));
    std::erase_if(once.equations, has_side_effects);
    once_ = Program(std::move(once));
    forward_ = p_;
    forward_.body = Program(std::move(body));
  }

  /// Takes [kept consts, what was made once] and carries [cotangents of the carry, sums for consts] over [kept xs, what
  /// each step made, kept carry, cotangents of ys]; ys are the cotangents of xs.
  void make_backward() {
    const Types in = input_types(p_.body), out = output_types(p_.body);
    const ScanParts<Program::Type> x(p_, in);
    const size_t n = cotangents_.size(), carry = wanted_.carry.size();
    const Types made = slice(output_types(parts_.forward), n, parts_.made);
    Mask each = constant_;
    each.flip();
    const std::vector<Types> groups = {
        masked(x.consts, kept_.consts), masked(made, constant_),
        masked(x.carry, wanted_.carry), masked(x.consts, wanted_.consts),
        masked(x.xs, kept_.xs),         masked(made, each),
        masked(x.carry, kept_.carry),   masked(slice(out, carry, n - carry), slice(cotangents_, carry, n - carry))};
    Types all;
    for (const Types& group : groups) append(all, group);
    backward_.body = program_of(all, [&](const List& given) {
      std::vector<List> g;
      size_t at = 0;
      for (const Types& group : groups) {
        g.push_back(slice(given, at, group.size()));
        at += group.size();
      }
      List made_all;
      for (size_t i = 0, a = 0, b = 0; i < made.size(); ++i) made_all.push_back(constant_[i] ? g[1][a++] : g[5][b++]);
      return in_order(parts_.backward(joined(g[0], g[6], g[4], made_all, g[2], g[7], g[3])));
    });
    backward_.consts = static_cast<int64_t>(groups[0].size() + groups[1].size());
    backward_.carry = static_cast<int64_t>(groups[2].size() + groups[3].size());
    backward_.length = p_.length;
    backward_.reverse = !p_.reverse;
  }

  /// The wanted operands that all steps share. What later steps gave is the first term of a step's gradient, as it is
  /// in eager code, so the sums have eager's bits.
  Mask of_consts(Mask wanted) const {
    std::fill(wanted.begin() + p_.consts, wanted.end(), false);
    return wanted;
  }
  /// Gradients of one step in the order of the loop: of [carry, consts, xs].
  List in_order(const List& grads) const {
    const size_t consts = count(wanted_.consts), carry = count(wanted_.carry);
    return joined(slice(grads, consts, carry), slice(grads, 0, consts),
                  slice(grads, consts + carry, grads.size() - consts - carry));
  }

  const ScanParams p_;
  const ScanParts<bool> wanted_;
  const Mask cotangents_;
  const Pullback parts_;
  const Mask constant_;  // of what forward makes: is it the same in all steps?
  ScanParts<bool> kept_ = wanted_;
  Program once_;
  ScanParams forward_, backward_;
};

}  // namespace

Rule reverse_rule(const ScanParams& p, Mask wanted) {
  const Masks masks(p, wanted, Paths::differentiable);
  if (count(masks.outputs) == 0) return nullptr;
  // A carry that starts as a constant has a cotangent, which nobody asks for.
  return std::make_shared<ScanRule>(p, masks);
}

}  // namespace strata::func::control
