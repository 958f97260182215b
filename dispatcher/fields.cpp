// Reading the fields that have a smaller range than what stands for them.
#include "dispatcher/fields.h"

#include <limits>

#include "core/error.h"

namespace strata::dispatch {

void read(int& v, FieldReader& reader) {
  const int64_t value = reader.integer();
  STRATA_CHECK(value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max(),
               "params: {} is out of the range of an int", value);
  v = static_cast<int>(value);
}

void read(DType& v, FieldReader& reader) {
  const std::string text = reader.text();
  for (int i = 0; i <= kNumDTypes; ++i) {  // the last one is the undefined dtype
    v = static_cast<DType>(i);
    if (text == name(v)) return;
  }
  STRATA_THROW("params: there is no dtype '{}'", text);
}

DimVector fields_detail::read_integers(size_t count, FieldReader& reader) {
  DimVector values = reader.integers();
  STRATA_CHECK(values.size() == count, "params: a field has {} integers where {} are wanted", values.size(), count);
  return values;
}

}  // namespace strata::dispatch
