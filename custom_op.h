// What a program includes to define ops of its own: docs/custom_ops.md. Its names are in strata::dispatch.
#pragma once

#if __cplusplus < 202002L
#error "Strata needs C++20: compile with -std=c++20 (with CMake, link the target strata::strata)"
#else
#include "core/device_backend.h"
#include "core/visit_types.h"
#include "dispatcher/kernel_registrar.h"
#include "ops/op_builder.h"
#include "transforms/opcheck.h"
#endif
