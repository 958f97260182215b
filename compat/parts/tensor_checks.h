// ATen's checks of arguments, as kernels of programs call them (ATen/TensorUtils.h), and the types that sums are kept
// in (ATen/AccumulateType.h, ATen/OpMathType.h).
#pragma once
#include <strata/strata.h>

#include <string>
#include <type_traits>

#include "check.h"

namespace strata {

/// Who checks, for the message.
using CheckedFrom = const char*;

/// An argument with the name and place that messages give it.
struct TensorArg {
  Tensor tensor;
  const char* name;
  int pos;
  TensorArg(Tensor t, const char* argument, int place) : tensor(std::move(t)), name(argument), pos(place) {}
  const Tensor* operator->() const { return &tensor; }
  const Tensor& operator*() const { return tensor; }
};

namespace compat {
inline std::string named(const TensorArg& t) { return str("argument #", t.pos, " '", t.name, "'"); }
template <class... A>
void check_argument(bool holds, CheckedFrom c, const A&... text) {
  if (!holds) throw Error(str(text..., " (while checking arguments for ", c, ")"));
}
/// Of each with the first.
template <class F>
void check_all(ArrayRef<TensorArg> all, F check) {
  for (size_t i = 1; i < all.size(); ++i)
    if (all[0]->defined() && all[i]->defined()) check(all[0], all[i]);
}
}  // namespace compat

inline void checkDefined(CheckedFrom c, const TensorArg& t) {
  compat::check_argument(t->defined(), c, "Expected tensor for ", compat::named(t),
                         " to be non-null, but it was undefined");
}
inline void checkAllDefined(CheckedFrom c, ArrayRef<TensorArg> all) {
  for (const TensorArg& t : all) checkDefined(c, t);
}
inline void checkDim(CheckedFrom c, const Tensor& t, const char* name, int pos, int64_t dim) {
  compat::check_argument(t.dim() == dim, c, "Expected ", dim, "-dimensional tensor, but got ", t.dim(),
                         "-dimensional tensor for ", compat::named({t, name, pos}));
}
inline void checkDim(CheckedFrom c, const TensorArg& t, int64_t dim) { checkDim(c, *t, t.name, t.pos, dim); }
/// `start` included, `end` not.
inline void checkDimRange(CheckedFrom c, const TensorArg& t, int64_t start, int64_t end) {
  compat::check_argument(t->dim() >= start && t->dim() < end, c, "Expected ", start, " to ", end - 1,
                         " dimensions, but got ", t->dim(), "-dimensional tensor for ", compat::named(t));
}
inline void checkSameDim(CheckedFrom c, const TensorArg& a, const TensorArg& b) {
  compat::check_argument(a->dim() == b->dim(), c, "Expected tensor for ", compat::named(a),
                         " to have the same dimension as tensor for ", compat::named(b), "; but ", a->dim(),
                         " does not equal ", b->dim());
}
inline void checkContiguous(CheckedFrom c, const TensorArg& t) {
  compat::check_argument(t->is_contiguous(), c, "Expected contiguous tensor, but got non-contiguous tensor for ",
                         compat::named(t));
}
inline void checkAllContiguous(CheckedFrom c, ArrayRef<TensorArg> all) {
  for (const TensorArg& t : all)
    if (t->defined()) checkContiguous(c, t);
}
inline void checkSize(CheckedFrom c, const TensorArg& t, IntArrayRef sizes) {
  checkDim(c, t, static_cast<int64_t>(sizes.size()));
  compat::check_argument(t->sizes() == sizes, c, "Expected tensor of size ", sizes, ", but got tensor of size ",
                         t->sizes(), " for ", compat::named(t));
}
inline void checkSize(CheckedFrom c, const TensorArg& t, int64_t dim, int64_t size) {
  compat::check_argument(t->size(dim) == size, c, "Expected tensor to have size ", size, " at dimension ", dim,
                         ", but got size ", t->size(dim), " for ", compat::named(t));
}
inline void checkNumel(CheckedFrom c, const TensorArg& t, int64_t numel) {
  compat::check_argument(t->numel() == numel, c, "Expected tensor for ", compat::named(t), " to have ", numel,
                         " elements; but it actually has ", t->numel(), " elements");
}
inline void checkSameNumel(CheckedFrom c, const TensorArg& a, const TensorArg& b) {
  compat::check_argument(a->numel() == b->numel(), c, "Expected tensor for ", compat::named(a),
                         " to have same number of elements as tensor for ", compat::named(b), "; but ", a->numel(),
                         " does not equal ", b->numel());
}
inline void checkAllSameNumel(CheckedFrom c, ArrayRef<TensorArg> all) {
  compat::check_all(all, [&](const TensorArg& a, const TensorArg& b) { checkSameNumel(c, a, b); });
}
inline void checkScalarTypes(CheckedFrom c, const TensorArg& t, ArrayRef<DType> types) {
  bool found = false;
  for (DType type : types) found = found || t->scalar_type() == type;
  compat::check_argument(found, c, "Expected tensor for ", compat::named(t),
                         " to have one of the following scalar types: ", types, "; but got ", t->scalar_type(),
                         " instead");
}
inline void checkScalarType(CheckedFrom c, const TensorArg& t, DType type) {
  compat::check_argument(t->scalar_type() == type, c, "Expected tensor for ", compat::named(t), " to have scalar type ",
                         type, "; but got ", t->scalar_type(), " instead");
}
inline void checkSameType(CheckedFrom c, const TensorArg& a, const TensorArg& b) {
  compat::check_argument(a->scalar_type() == b->scalar_type() && a->device().type() == b->device().type(), c,
                         "Expected tensor for ", compat::named(a), " to have the same type as tensor for ",
                         compat::named(b), "; but type ", a->toString(), " does not equal ", b->toString());
}
inline void checkAllSameType(CheckedFrom c, ArrayRef<TensorArg> all) {
  compat::check_all(all, [&](const TensorArg& a, const TensorArg& b) { checkSameType(c, a, b); });
}
inline void checkSameSize(CheckedFrom c, const TensorArg& a, const TensorArg& b) {
  compat::check_argument(a->sizes() == b->sizes(), c, "Expected tensor for ", compat::named(a),
                         " to have same size as tensor for ", compat::named(b), "; but ", a->sizes(),
                         " does not equal ", b->sizes());
}
inline void checkAllSameSize(CheckedFrom c, ArrayRef<TensorArg> all) {
  compat::check_all(all, [&](const TensorArg& a, const TensorArg& b) { checkSameSize(c, a, b); });
}
inline void checkSameGPU(CheckedFrom c, const TensorArg& a, const TensorArg& b) {
  compat::check_argument(a->is_cuda() && b->is_cuda(), c, "Expected tensors for ", compat::named(a), " and ",
                         compat::named(b), " to be on a GPU, but they are on ", a->device(), " and ", b->device());
  compat::check_argument(a->device() == b->device(), c, "Expected tensor for ", compat::named(a),
                         " to have the same device as tensor for ", compat::named(b), "; but device ", a->get_device(),
                         " does not equal ", b->get_device());
}
inline void checkAllSameGPU(CheckedFrom c, ArrayRef<TensorArg> all) {
  compat::check_all(all, [&](const TensorArg& a, const TensorArg& b) { checkSameGPU(c, a, b); });
}
inline void checkDeviceType(CheckedFrom c, ArrayRef<Tensor> all, DeviceType type) {
  for (const Tensor& t : all)
    compat::check_argument(!t.defined() || t.device().type() == type, c, "Expected tensor to have ", type,
                           " DeviceType, but got tensor with ", t.device().type(), " DeviceType");
}
/// Of dims from `dim` on, the strides of a row-major tensor of these sizes.
inline std::vector<int64_t> defaultStrides(IntArrayRef sizes) {
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
  return strides;
}

/// The type that arithmetic on T is done in: float for Half and BFloat16, otherwise T.
template <class T>
struct OpMathType {
  using type = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float, T>;
};
template <class T>
using opmath_type = typename OpMathType<T>::type;
/// The type that sums of T are kept in on the CPU (`on_cuda` false) and on a GPU: double for float on the CPU, float
/// for the 16-bit types, int64 for integers.
template <class T, bool on_cuda>
struct AccumulateType {
  using type = std::conditional_t<
      std::is_same_v<T, bool>, bool,
      std::conditional_t<std::is_integral_v<T>, int64_t,
                         std::conditional_t<std::is_same_v<T, double>, double,
                                            std::conditional_t<on_cuda || !std::is_same_v<T, float>, float, double>>>>;
};
template <class T, bool on_cuda>
struct AccumulateType<Complex<T>, on_cuda> {
  using type = Complex<typename AccumulateType<T, on_cuda>::type>;
};
template <class T, bool on_cuda>
using acc_type = typename AccumulateType<T, on_cuda>::type;

}  // namespace strata
