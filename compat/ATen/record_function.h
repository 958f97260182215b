// For programs that include this header of libtorch by name: the profiler under its names.
#pragma once

#include "../torch/csrc/autograd/profiler.h"
