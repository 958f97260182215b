// For programs that include this header of libtorch by name: all of Strata under its names.
#pragma once

#include "torch.h"
