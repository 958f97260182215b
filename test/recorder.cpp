// The recorder is the profiler key's handler: it sees every call first and passes it on.
#include "test/recorder.h"

namespace strata::test {
namespace {

thread_local Recording* current = nullptr;

void note(const Op& op, Args args, Params params, const Tensor* self) {
  if (!current) return;
  List inputs;
  for (const Tensor* t : args) {
    const bool overwritten = self && t->defined() && t->has_storage() && t->storage() == self->storage();
    inputs.push_back(overwritten ? contiguous_copy(*t) : *t);
  }
  current->calls.push_back({&op, std::move(inputs), OwnedParams(params), true, {}});
}

Tensors record(const Op& op, Args args, Params params) {
  note(op, args, params, nullptr);
  return call_with(op, args, params, keys_of(args) - KeySet(Key::Profiler));
}

void record_inplace(const Op& op, Tensor& self, Args args, Params params) {
  note(op, args, params, &self);
  const KeySet keys = (keys_of(args) | self.keys()) - thread_state.excluded - KeySet(Key::Profiler);
  call_inplace_with(op, self, args, params, keys);
}

}  // namespace

Tensors Call::run(const List& in) const { return call_backend(*op, ArgList(in), params); }

std::string Call::text() const {
  std::string s(op->name());
  s += '(';
  for (const Tensor& t : inputs)
    s += (s.back() == '(' ? "" : ", ") +
         (t.defined() ? detail::format_message("{}{}", {name(t.dtype()), t.sizes()}) : "none");
  return s + ") in " + origin;
}

Recording::Recording() : saved_(thread_state), outer_(current) {
  set_key_handler(Key::Profiler, {record, record_inplace});
  thread_state.included = thread_state.included | KeySet(Key::Profiler);
  current = this;
}

Recording::~Recording() {
  current = outer_;
  thread_state = saved_;
}

}  // namespace strata::test
