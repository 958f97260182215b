// All of strata::nn.
#pragma once
#include "adaptive.h"
#include "container.h"
#include "functional.h"
#include "fusion.h"
#include "init.h"
#include "parametrize.h"
#include "rnn.h"
#include "rnn_functions.h"
#include "state_dict.h"
#include "transformer.h"
#include "utils.h"
