// Everything of Strata's and what libtorch has beside it, whose names compat/parts/names.h brings into `torch`.
#pragma once
#include <strata/strata.h>

#include "apart_functions.h"
#include "aten.h"
#include "backward.h"
#include "check.h"
#include "choices.h"
#include "complex.h"
#include "containers.h"
#include "context.h"
#include "cuda_streams.h"
#include "custom_class.h"
#include "data_container.h"
#include "data_parallel.h"
#include "dispatch.h"
#include "files.h"
#include "functional_detail.h"
#include "graph.h"
#include "half_arithmetic.h"
#include "ivalue.h"
#include "jit.h"
#include "library.h"
#include "logging.h"
#include "macros.h"
#include "naming.h"
#include "native.h"
#include "optimizer_files.h"
#include "out_functions.h"
#include "outf_functions.h"
#include "overloads.h"
#include "queues.h"
#include "registry.h"
#include "runtime.h"
#include "saved_variable.h"
#include "scalar_types.h"
#include "schedulers.h"
#include "symbols.h"
#include "tensor_checks.h"
#include "tracing.h"
#include "underscore.h"

namespace strata {

// c10::optional and friends are the standard ones.
using std::make_optional;
using std::make_unique;
using std::nullopt;
using std::nullopt_t;
using std::optional;
using std::string_view;
using std::to_string;

}  // namespace strata
