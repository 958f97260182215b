// All of strata::nn.
#pragma once
#include "container.h"
#include "functional.h"
#include "init.h"
#include "rnn.h"
#include "state_dict.h"
#include "transformer.h"
#include "utils.h"
