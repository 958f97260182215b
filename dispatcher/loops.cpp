// Where the inner loops of element-wise ops are looked up.
#include "dispatcher/loops.h"

#include <unordered_map>

namespace strata::dispatch {
namespace {

std::unordered_map<const Op*, OpLoopFn>& table() {
  static std::unordered_map<const Op*, OpLoopFn> loops;
  return loops;
}

}  // namespace

OpLoop loop_of(const Op& op, DType dtype, const void* params) {
  const auto found = table().find(&op);
  return found == table().end() ? OpLoop() : found->second(dtype, params);
}

LoopRegistrar::LoopRegistrar(const Op& op, OpLoopFn find) { table()[&op] = find; }

}  // namespace strata::dispatch
