// All of strata::optim.
#pragma once
#include "adagrad.h"
#include "adam.h"
#include "grad_scaler.h"
#include "lbfgs.h"
#include "lr_scheduler.h"
#include "rmsprop.h"
#include "sgd.h"
