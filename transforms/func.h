// All functional transforms; their names are reachable as strata::func::… and strata::….
#pragma once
#include "../ops/view.h"
#include "closure_convert.h"
#include "collectives.h"
#include "control_flow.h"
#include "custom.h"
#include "functional_call.h"
#include "jacobian.h"
#include "linearize.h"
#include "ravel.h"
#include "shard_map.h"
#include "trace.h"
#include "vectorize.h"

namespace strata {

using func::associative_scan;
using func::checkpoint;
using func::closure_convert;
using func::cond;
using func::custom_jvp;
using func::custom_vjp;
using func::eval_shape;
using func::fori_loop;
using func::functional_call;
using func::grad;
using func::hessian;
using func::hvp;
using func::jacfwd;
using func::jacrev;
using func::jvp;
using func::linear_transpose;
using func::linearize;
using func::module_state;
using func::Randomness;
using func::scan;
using func::stack_module_state;
using func::switch_;
using func::trace;
using func::value_and_grad;
using func::vectorize;
using func::vjp;
using func::vmap;
using func::while_loop;

namespace func {
using strata::detach;
using strata::stop_gradient;
}  // namespace func

}  // namespace strata
