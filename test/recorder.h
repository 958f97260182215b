// Watching which primitive ops a piece of code calls, so that each call's rules can be checked one by one.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "dispatcher/call.h"
#include "test/op_samples.h"

namespace strata::test {

/// A copy of a call's params that lives as long as somebody holds it.
class OwnedParams {
 public:
  explicit OwnedParams(Params p) : type_(&p.type()) {
    void* copy = ::operator new(type_->size + 1);
    type_->copy(copy, p.data());
    data_ = std::shared_ptr<void>(copy, [type = type_](void* q) {
      type->destroy(q);
      ::operator delete(q);
    });
  }
  operator Params() const { return {data_.get(), type_}; }
  const void* data() const { return data_.get(); }

 private:
  const ParamsType* type_;
  std::shared_ptr<void> data_;
};

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
