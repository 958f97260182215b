// What a program includes to define ops of its own: docs/custom_ops.md. Its names are in strata::dispatch.
#pragma once

#include "core/device_backend.h"
#include "core/visit_types.h"
#include "dispatcher/kernel_registrar.h"
#include "ops/op_builder.h"
#include "transforms/opcheck.h"
