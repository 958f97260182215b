// Where the inner loops of ops are looked up: of element-wise ops, of reductions, and of kernels that go line by line.
#include "dispatcher/loops.h"

#include <unordered_map>

#include "dispatcher/line_loops.h"
#include "dispatcher/reduce_loops.h"

namespace strata::dispatch {
namespace {

/// What gives the loops of each op, by the type of the functions that do.
template <class Find>
std::unordered_map<const Op*, Find>& finders() {
  static std::unordered_map<const Op*, Find> by_op;
  return by_op;
}

/// The loop that `find` gives for these arguments, or one without a function for ops that have none.
template <class Loop, class... A>
Loop find_loop(const Op& op, A... args) {
  const auto& by_op = finders<Loop (*)(A...)>();
  const auto found = by_op.find(&op);
  return found == by_op.end() ? Loop() : found->second(args...);
}

}  // namespace

OpLoop loop_of(const Op& op, DType dtype, const void* params) { return find_loop<OpLoop>(op, dtype, params); }
ReduceLoop reduce_loop_of(const Op& op, DType dtype) { return find_loop<ReduceLoop>(op, dtype); }
LineLoop line_loop_of(const Op& op, Args in, const void* params) { return find_loop<LineLoop>(op, in, params); }

LoopRegistrar::LoopRegistrar(const Op& op, OpLoopFn find) { finders<OpLoopFn>()[&op] = find; }
ReduceLoopRegistrar::ReduceLoopRegistrar(const Op& op, ReduceLoopFn find) { finders<ReduceLoopFn>()[&op] = find; }
LineLoopRegistrar::LineLoopRegistrar(const Op& op, LineLoopFn find) { finders<LineLoopFn>()[&op] = find; }

}  // namespace strata::dispatch
