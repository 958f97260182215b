// The fields of a call's params as a list of values: to compare them, and to make params of them again.
#pragma once
#include <string>
#include <vector>

#include "params.h"

namespace strata::dispatch {

/// One field, with the kind under which a FieldVisitor was shown it.
struct Field {
  enum class Kind : uint8_t { kInteger, kReal, kBoolean, kIntegers, kText, kNumber };
  Kind kind;
  std::vector<int64_t> integers = {};
  std::vector<double> reals = {};
  std::string text = {};
  /// The same kind and the same bits, so that NaN is NaN.
  friend bool operator==(const Field& a, const Field& b);
};

/// The fields in the order in which they are shown.
std::vector<Field> fields_of(Params params);
/// Params of a type (an op's `params`) made of such fields. Throws where one is of another kind, missing or left over,
/// and for params that hold code.
OwnedParams params_of(const ParamsType& type, const std::vector<Field>& fields);

}  // namespace strata::dispatch
