// The op of runs of equal rows, which distinct slices are made of.
#pragma once
#include "../dispatcher/names.h"
#include "../dispatcher/op.h"

namespace strata {

/// What of a run is wanted besides its start; the others come out empty.
struct RunsParams {
  bool inverse = false;
  bool counts = false;
};
/// rows (n, m) -> (the first row of each run of equal ones, each row's run, each run's length), int64.
extern Op runs_op;

}  // namespace strata
