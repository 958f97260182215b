// For programs that include this header of earlier versions of libtorch by name: all of Strata under its names.
#pragma once

#include "torch.h"
