// What a build with STRATA_SLIM lacks: the ops with the flag kNeedsLapack and the functions made of them (pinv, lstsq,
// the norm of 2 of a matrix). Tests that need those are tagged [lapack], which CTest leaves out there.
#pragma once

/// Is this such a build? It is compiled into one object, as source_dir() is.
bool is_slim();
