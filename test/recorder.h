// Watching which primitive ops a piece of code calls, so that each call's rules can be checked one by one.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "dispatcher/call.h"
#include "dispatcher/names.h"
#include "test/op_samples.h"

namespace strata::test {

/// One call of a primitive op.
struct Call {
  const Op* op;
  List inputs;
  OwnedParams params;
  bool smooth = true;
  std::string origin;  ///< which row or rule it was seen in
  /// The op on other inputs, with the same params.
  Tensors run(const List& in) const;
  Tensors run() const { return run(inputs); }
  /// Name and input shapes.
  std::string text() const;
};

/// An op of the library. A program that names the variable itself would get a copy of its own, which no rule knows.
inline const Op& op_named(std::string_view name) {
  for (const Op& op : all_ops())
    if (op.name() == name) return op;
  STRATA_THROW("there is no op {}", name);
}

/// Is it an op of control flow, which is nothing without the programs in its params?
inline bool holds_programs(const Op& op) { return op.name() == "cond" || op.name() == "while" || op.name() == "scan"; }

/// While alive, all calls of this thread are noted.
class Recording {
 public:
  Recording();
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  std::vector<Call> calls;

 private:
  ThreadState saved_;
  Recording* outer_;
};

}  // namespace strata::test
