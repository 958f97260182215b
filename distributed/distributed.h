// Everything for programs that run on several ranks.
#pragma once
#include "../ops/collective.h"
#include "checkpoint.h"
#include "data_parallel.h"
#include "dtensor.h"
#include "elastic.h"
#include "fully_sharded.h"
#include "mesh.h"
#include "process_group.h"
#include "split.h"
#include "tensor_parallel.h"
#include "threads.h"
#include "zero_redundancy_optimizer.h"
