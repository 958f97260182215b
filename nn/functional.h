// All of strata::nn::functional; each function stands beside the module of its family.
#pragma once
#include "activation.h"
#include "conv.h"
#include "distance.h"
#include "dropout.h"
#include "embedding.h"
#include "linear.h"
#include "loss.h"
#include "norm.h"
#include "padding.h"
#include "pool.h"
#include "unpool.h"
#include "upsampling.h"
