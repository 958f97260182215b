// Registering kernels, and the dispatcher's names in strata, for our own sources.
#pragma once
#include "kernel_registrar.h"
#include "names.h"
