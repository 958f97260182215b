// The header that users include: everything public in Strata.
#pragma once

#include "core/version.h"
#include "data/data.h"
#include "ops/attention.h"
#include "ops/einsum.h"
#include "ops/indexing.h"
#include "ops/linalg.h"
#include "ops/loss.h"
#include "ops/reduce.h"
#include "ops/scan.h"
#include "ops/softmax.h"
#include "ops/sort.h"
#include "ops/random.h"
#include "ops/shaping.h"
