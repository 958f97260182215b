// Padding functions and modules: zeros, a constant, reflection, replication.
#pragma once
#include "enums.h"
#include "expanding_array.h"
#include "module.h"

namespace strata::nn {

/// Numbers of elements (before, after) from the last dim backwards; one number for all.
template <size_t D>
struct PadOptions {
  PadOptions(ExpandingArray<2 * D> padding) : padding_(padding) {}
  STRATA_ARG(ExpandingArray<2 * D>, padding);
};
template <size_t D>
using ReflectionPadOptions = PadOptions<D>;
template <size_t D>
using ReplicationPadOptions = PadOptions<D>;
template <size_t D>
using ZeroPadOptions = PadOptions<D>;
using ReflectionPad1dOptions = ReflectionPadOptions<1>;
using ReflectionPad2dOptions = ReflectionPadOptions<2>;
using ReflectionPad3dOptions = ReflectionPadOptions<3>;
using ReplicationPad1dOptions = ReplicationPadOptions<1>;
using ReplicationPad2dOptions = ReplicationPadOptions<2>;
using ReplicationPad3dOptions = ReplicationPadOptions<3>;
using ZeroPad1dOptions = ZeroPadOptions<1>;
using ZeroPad2dOptions = ZeroPadOptions<2>;
using ZeroPad3dOptions = ZeroPadOptions<3>;

template <size_t D>
struct ConstantPadOptions {
  ConstantPadOptions(ExpandingArray<2 * D> padding, double value) : padding_(padding), value_(value) {}
  STRATA_ARG(ExpandingArray<2 * D>, padding);
  STRATA_ARG(double, value);
};
using ConstantPad1dOptions = ConstantPadOptions<1>;
using ConstantPad2dOptions = ConstantPadOptions<2>;
using ConstantPad3dOptions = ConstantPadOptions<3>;

namespace functional {

struct PadFuncOptions {
  PadFuncOptions(std::vector<int64_t> pad) : pad_(std::move(pad)) {}
  using mode_t = OneOf<Choice::Constant, Choice::Reflect, Choice::Replicate, Choice::Circular>;
  STRATA_ARG(std::vector<int64_t>, pad);
  STRATA_ARG(mode_t, mode) = kConstant;
  STRATA_ARG(double, value) = 0;
};

/// Modes: kConstant, kReflect, kReplicate, kCircular.
Tensor pad(const Tensor& input, const PadFuncOptions& options);

}  // namespace functional

/// Pads the last D dims in one mode; the derived classes only name it.
template <size_t D, class Derived, Choice Mode>
class PadImplBase : public ModuleWithOptions<Derived, PadOptions<D>> {
 public:
  using ModuleWithOptions<Derived, PadOptions<D>>::ModuleWithOptions;
  PadImplBase(ExpandingArray<2 * D> padding) : ModuleWithOptions<Derived, PadOptions<D>>(PadOptions<D>(padding)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};

#define STRATA_PAD_MODULE(Name, D, Mode)                       \
  class Name##Impl : public PadImplBase<D, Name##Impl, Mode> { \
   public:                                                     \
    using PadImplBase<D, Name##Impl, Mode>::PadImplBase;       \
  };                                                           \
  extern template class PadImplBase<D, Name##Impl, Mode>;      \
  STRATA_MODULE(Name)

STRATA_PAD_MODULE(ReflectionPad1d, 1, kReflect);
STRATA_PAD_MODULE(ReflectionPad2d, 2, kReflect);
STRATA_PAD_MODULE(ReflectionPad3d, 3, kReflect);
STRATA_PAD_MODULE(ReplicationPad1d, 1, kReplicate);
STRATA_PAD_MODULE(ReplicationPad2d, 2, kReplicate);
STRATA_PAD_MODULE(ReplicationPad3d, 3, kReplicate);
STRATA_PAD_MODULE(ZeroPad1d, 1, kConstant);
STRATA_PAD_MODULE(ZeroPad2d, 2, kConstant);
STRATA_PAD_MODULE(ZeroPad3d, 3, kConstant);
#undef STRATA_PAD_MODULE

/// Pads the last D dims with a value.
template <size_t D, class Derived>
class ConstantPadImplBase : public ModuleWithOptions<Derived, ConstantPadOptions<D>> {
 public:
  using ModuleWithOptions<Derived, ConstantPadOptions<D>>::ModuleWithOptions;
  ConstantPadImplBase(ExpandingArray<2 * D> padding, double value)
      : ModuleWithOptions<Derived, ConstantPadOptions<D>>(ConstantPadOptions<D>(padding, value)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};

/// Over `(..., L)`.
class ConstantPad1dImpl : public ConstantPadImplBase<1, ConstantPad1dImpl> {
 public:
  using ConstantPadImplBase::ConstantPadImplBase;
};
STRATA_MODULE(ConstantPad1d);

/// Over `(..., H, W)`.
class ConstantPad2dImpl : public ConstantPadImplBase<2, ConstantPad2dImpl> {
 public:
  using ConstantPadImplBase::ConstantPadImplBase;
};
STRATA_MODULE(ConstantPad2d);

/// Over `(..., D, H, W)`.
class ConstantPad3dImpl : public ConstantPadImplBase<3, ConstantPad3dImpl> {
 public:
  using ConstantPadImplBase::ConstantPadImplBase;
};
STRATA_MODULE(ConstantPad3d);

extern template class ConstantPadImplBase<1, ConstantPad1dImpl>;
extern template class ConstantPadImplBase<2, ConstantPad2dImpl>;
extern template class ConstantPadImplBase<3, ConstantPad3dImpl>;

}  // namespace strata::nn
