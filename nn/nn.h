// All of strata::nn.
#pragma once
#include "container.h"
#include "functional.h"
#include "init.h"
#include "utils.h"
