// Custom rules under vmap: the rule of a batch runs the rule of one example inside a vmap level of its own.
#include "dispatcher/names.h"
#include "ops/reduce.h"
#include "transforms/vmap.h"

namespace strata::func {
namespace {

template <class F>
auto inside(VmapLayer& layer, const F& f) {
  const LayerScope scope(layer);
  return f();
}

class BatchedRule final : public CustomRule {
 public:
  BatchedRule(CustomParams example, int64_t size, Randomness randomness, ProcessGroup axis, std::vector<bool> batched)
      : example_(std::move(example)),
        size_(size),
        randomness_(randomness),
        axis_(std::move(axis)),
        batched_(std::move(batched)) {}

  std::string name() const override { return example_.rule->name(); }

  List forward(const List& inputs) const override {
    return run([&](const VmapLayer& layer) { return rule().forward(wrapped(layer, inputs)); });
  }
  Forward forward_with_residuals(const List& inputs) const override {
    VmapLayer layer(size_, randomness_, axis_);
    Forward kept = inside(layer, [&] { return rule().forward_with_residuals(wrapped(layer, inputs)); });
    for (Tensor& t : kept.outputs) t = layer.unwrap(t, 0);
    for (Tensor& t : kept.residuals) t = layer.unwrap(t, 0);
    return kept;
  }
  List backward(const Forward& kept, const List& grads) const override {
    List out = run([&](const VmapLayer& layer) {
      Forward example = kept;
      for (Tensor& t : example.residuals) t = wrapped(layer, t);
      List each = grads;
      for (Tensor& t : each) t = wrapped(layer, t);
      return rule().backward(example, each);
    });
    for (size_t i = 0; i < out.size(); ++i)
      if (out[i].defined() && !batched_[i]) out[i] = out[i].sum(0);
    return out;
  }
  List jvp(const List& inputs, const List& tangents) const override {
    return run([&](const VmapLayer& layer) { return rule().jvp(wrapped(layer, inputs), wrapped(layer, tangents)); });
  }

 private:
  const CustomRule& rule() const { return *example_.rule; }
  template <class F>
  List run(const F& f) const {
    VmapLayer layer(size_, randomness_, axis_);
    List out = inside(layer, [&] { return f(layer); });
    for (Tensor& t : out) t = layer.unwrap(t, 0);
    return out;
  }
  static Tensor wrapped(const VmapLayer& layer, const Tensor& t) { return t.defined() ? layer.wrap(t) : t; }
  List wrapped(const VmapLayer& layer, List list) const {
    for (size_t i = 0; i < list.size(); ++i)
      if (batched_[i]) list[i] = wrapped(layer, list[i]);
    return list;
  }

  const CustomParams example_;
  const int64_t size_;
  const Randomness randomness_;
  const ProcessGroup axis_;
  const std::vector<bool> batched_;
};

}  // namespace

Tensors VmapLayer::call_custom(Args values, const bool* batched, const CustomParams& custom) const {
  const std::vector<bool> mask(batched, batched + values.size());
  const CustomParams batch{std::make_shared<BatchedRule>(custom, size_, randomness_, axis_, mask)};
  Tensors out;
  {
    const Below below(*this);
    out = call(custom_op, values, batch);
  }
  for (Tensor& t : out)
    if (t.defined()) t = wrap(t);
  return out;
}

}  // namespace strata::func
