// The op of chains, and what devices take into them.
#include "dispatcher/chain.h"

namespace strata::dispatch {
namespace {

TakesStepFn takes[kNumBackends] = {};

Metas infer(Args in, const void* params) {
  const Chain& chain = *static_cast<const ChainParams*>(params)->chain;
  std::vector<Meta> metas;
  for (int32_t v : chain.outputs)
    metas.push_back(meta(in[0].sizes(), chain.dtypes[static_cast<size_t>(v)], in[0].device()));
  return Metas(std::move(metas));
}

constexpr Op make_chain_op() {
  Op op;
  op.schema = "chain(Tensor[] inputs, str[] steps) -> Tensor[]";
  op.flags = kNotDifferentiable;
  op.params = &params_type<ChainParams>;
  op.infer = &infer;
  return op;
}

}  // namespace

constinit Op chain_op = make_chain_op();

void visit(const ChainParams& p, FieldVisitor& visitor) {
  for (const Chain::Step& step : p.chain->steps) {
    visitor.text(step.op->name());
    Params(step.params).visit_fields(visitor);
  }
}

TakesStepFn takes_step(DeviceType device) { return takes[static_cast<int>(device)]; }
void set_takes_step(DeviceType device, TakesStepFn takes_op) { takes[static_cast<int>(device)] = takes_op; }

}  // namespace strata::dispatch
