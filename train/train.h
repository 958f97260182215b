// All of the kit for training loops; each header is usable alone. strata.h leaves it out, since a program that brings
// in all names of strata may well have a function `train`.
#pragma once

#include "../optim/swa.h"  // AveragedModel: averages of weights, exponential ones (EMA) among them
#include "accumulate.h"
#include "checkpoints.h"
#include "early_stopping.h"
#include "file.h"
#include "interrupt.h"
#include "metrics.h"
#include "plot.h"
#include "progress.h"
#include "seed.h"
#include "state.h"
#include "summary.h"
#include "summary_writer.h"
#include "table.h"
