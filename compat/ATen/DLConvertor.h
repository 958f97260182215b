// Tensors to and from DLPack: the functions, and the structs by their own names.
#pragma once
#include "dlpack.h"
