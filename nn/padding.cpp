// Padding functions and modules.
#include "nn/padding.h"

#include <ostream>

#include "nn/detail.h"
#include "ops/shaping.h"

namespace strata::nn {

Tensor functional::pad(const Tensor& input, const PadFuncOptions& options) {
  return strata::pad(input, options.pad(), name(options.mode()), options.value());
}

template <size_t D, class Derived, Choice Mode>
void PadImplBase<D, Derived, Mode>::pretty_print(std::ostream& stream) const {
  constexpr const char* kType = Mode == kReflect ? "ReflectionPad" : Mode == kReplicate ? "ReplicationPad" : "ZeroPad";
  print_module(stream, type_of_dims(kType, D), {{"padding", this->options.padding()}});
}

template <size_t D, class Derived, Choice Mode>
Tensor PadImplBase<D, Derived, Mode>::forward(const Tensor& input) {
  return strata::pad(input, this->options.padding(), name(Mode));
}

template class PadImplBase<1, ReflectionPad1dImpl, kReflect>;
template class PadImplBase<2, ReflectionPad2dImpl, kReflect>;
template class PadImplBase<3, ReflectionPad3dImpl, kReflect>;
template class PadImplBase<1, ReplicationPad1dImpl, kReplicate>;
template class PadImplBase<2, ReplicationPad2dImpl, kReplicate>;
template class PadImplBase<3, ReplicationPad3dImpl, kReplicate>;
template class PadImplBase<1, ZeroPad1dImpl, kConstant>;
template class PadImplBase<2, ZeroPad2dImpl, kConstant>;
template class PadImplBase<3, ZeroPad3dImpl, kConstant>;

template <size_t D, class Derived>
void ConstantPadImplBase<D, Derived>::pretty_print(std::ostream& stream) const {
  const ConstantPadOptions<D>& o = this->options;
  print_module(stream, type_of_dims("ConstantPad", D), {{"padding", o.padding()}, {"value", o.value()}});
}

template <size_t D, class Derived>
Tensor ConstantPadImplBase<D, Derived>::forward(const Tensor& input) {
  return strata::constant_pad_nd(input, this->options.padding(), this->options.value());
}

template class ConstantPadImplBase<1, ConstantPad1dImpl>;
template class ConstantPadImplBase<2, ConstantPad2dImpl>;
template class ConstantPadImplBase<3, ConstantPad3dImpl>;

}  // namespace strata::nn
