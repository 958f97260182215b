// Where the inner loops of reductions are looked up.
#include "dispatcher/reduce_loops.h"

#include <unordered_map>

namespace strata::dispatch {
namespace {

std::unordered_map<const Op*, ReduceLoopFn>& reduce_loops() {
  static std::unordered_map<const Op*, ReduceLoopFn> loops;
  return loops;
}

}  // namespace

ReduceLoop reduce_loop_of(const Op& op, DType dtype) {
  const auto found = reduce_loops().find(&op);
  return found == reduce_loops().end() ? ReduceLoop() : found->second(dtype);
}

ReduceLoopRegistrar::ReduceLoopRegistrar(const Op& op, ReduceLoopFn find) { reduce_loops()[&op] = find; }

}  // namespace strata::dispatch
