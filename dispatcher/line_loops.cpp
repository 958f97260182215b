// Where the loops of kernels that work line by line are looked up.
#include "dispatcher/line_loops.h"

#include <unordered_map>

namespace strata::dispatch {
namespace {

std::unordered_map<const Op*, LineLoopFn>& line_loops() {
  static std::unordered_map<const Op*, LineLoopFn> loops;
  return loops;
}

}  // namespace

LineLoop line_loop_of(const Op& op, Args in, const void* params) {
  const auto found = line_loops().find(&op);
  return found == line_loops().end() ? LineLoop() : found->second(in, params);
}

LineLoopRegistrar::LineLoopRegistrar(const Op& op, LineLoopFn find) { line_loops()[&op] = find; }

}  // namespace strata::dispatch
