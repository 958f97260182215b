// A layer at which a module's own tensors are names of others.
#include "transforms/functional_call.h"
#include "dispatcher/names.h"

namespace strata::func {
namespace {

struct Name final : ValueWrapper {
  using ValueWrapper::ValueWrapper;
};

}  // namespace

void Substitution::replace(const Tensor& original, Tensor value, const std::string& name) {
  STRATA_CHECK(value.defined() && value.sizes() == original.sizes(),
               "functional_call: '{}' has shape {}, the given tensor {}", name, original.sizes(),
               value.defined() ? value.sizes() : IntArrayRef());
  // The module keeps its handles, so their body gets other contents until the end of the call.
  Tensor stash = make_wrapper(new Name(level(), value), value);
  original.impl()->swap_contents(*stash.impl());
  replaced_.push_back({original, std::move(stash)});
}

Substitution::~Substitution() {
  for (auto r = replaced_.rbegin(); r != replaced_.rend(); ++r) r->original.impl()->swap_contents(*r->stash.impl());
}

Tensor Substitution::resolve(const Tensor& t) const {
  const Tensor* const value = target(t);
  return value ? *value : t;
}

Tensor* Substitution::target(const Tensor& t) const {
  const Name* const name = wrapper_at<Name>(t, level());
  return name ? &const_cast<Name*>(name)->value : nullptr;
}

Tensors Substitution::process(const Op& op, Args args, Params params) {
  const ArgList values = values_at<Name>(level(), args, [](size_t, const Name&) {});
  const Below below(*this);
  return call(op, values, params);
}

namespace detail {

void fail_no_such_name(const std::string& name) {
  STRATA_THROW("functional_call: the module has no parameter or buffer '{}'", name);
}

}  // namespace detail
}  // namespace strata::func
