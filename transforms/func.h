// All functional transforms; their names are reachable as strata::func::… and strata::….
#pragma once
#include "jacobian.h"

namespace strata {

using func::grad;
using func::hessian;
using func::hvp;
using func::jacfwd;
using func::jacrev;
using func::jvp;
using func::Randomness;
using func::value_and_grad;
using func::vjp;
using func::vmap;

}  // namespace strata
