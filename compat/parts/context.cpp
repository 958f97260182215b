// libtorch's global context.
#include "compat/parts/context.h"

namespace strata {

void Context::setFloat32MatmulPrecision(std::string_view precision) {
  STRATA_CHECK(precision == "highest" || precision == "high" || precision == "medium",
               "setFloat32MatmulPrecision: '{}' is none of highest, high, medium", precision);
  setFloat32MatmulPrecision(precision == "highest" ? Float32MatmulPrecision::HIGHEST : Float32MatmulPrecision::HIGH);
}

Context& globalContext() {
  static Context context;
  return context;
}

}  // namespace strata
