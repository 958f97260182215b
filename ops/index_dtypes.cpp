// The check of index dtypes that all functions share.
#include "ops/index_dtypes.h"

#include <string>

namespace strata {
namespace {

std::string alternatives(DTypes taken) {
  std::string list;
  for (int i = 0; i < kNumDTypes; ++i)
    if (const DType t = static_cast<DType>(i); taken.has(t)) list += std::string(list.empty() ? "" : " or ") + name(t);
  return list;
}

Tensor as_long(const Tensor& t) { return t.dtype() == kLong ? t : t.to(kLong); }

}  // namespace

Tensor as_index(const Tensor& index, const char* op, DTypes taken, const char* argument) {
  STRATA_CHECK(index.defined() && taken.has(index.dtype()),
               "{}: expected {} of {}, got {}; convert with to(kLong) (Expected dtype int32/int64 for index)", op,
               argument, alternatives(taken), name(index.defined() ? index.scalar_type() : DType::Undefined));
  return as_long(index);
}

Tensor as_index_if_read(const Tensor& index, const char* op, DTypes taken, const char* argument) {
  return index.numel() == 0 ? as_long(index) : as_index(index, op, taken, argument);
}

}  // namespace strata
