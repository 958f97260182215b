// The list of ops: those of the library, and those of programs and plugins while they are loaded.
#include <mutex>

#include "dispatcher/op.h"

namespace strata::dispatch {
namespace {
constinit std::mutex mutex;  // a library may be loaded while another thread loads one
constinit const Op* first = nullptr;
}  // namespace

OpRegistrar::OpRegistrar(Op& op) : op_(op) {
  const std::lock_guard lock(mutex);
  op.next = first;
  first = &op;
}

OpRegistrar::~OpRegistrar() {
  const std::lock_guard lock(mutex);
  const Op** at = &first;
  while (*at && *at != &op_) at = const_cast<const Op**>(&(*at)->next);
  if (*at) *at = op_.next;
}

OpList all_ops() {
  const std::lock_guard lock(mutex);
  return OpList(first);
}

}  // namespace strata::dispatch
