// The Profiler key: sees every call first, writes its row and passes it on.
#include "core/error.h"
#include "dispatcher/names.h"
#include "profiler/log.h"
#include "profiler/nvtx.h"
#include "profiler/profiler.h"

namespace strata::profiler {
namespace {

constinit thread_local bool emits_nvtx = false;
constinit thread_local bool emits_shapes = false;

[[gnu::cold]] std::string nvtx_name(const Op& op, Args args) {
  std::string name(op.name());
  if (!emits_shapes) return name;
  name += ", sizes = [";
  const char* comma = "";
  for (const Tensor* t : args) {
    name += comma + (t->defined() ? strata::detail::format_message("{}", {t->sizes()}) : "none");
    comma = ", ";
  }
  return name + "]";
}

/// The row of one call.
class OpRow {
 public:
  OpRow(const Op& op, Args args) : log_(this_thread_log()), nvtx_(emits_nvtx) {
    if (nvtx_) [[unlikely]]
      nvtx::range_push(nvtx_name(op, args));
    if (log_)
      record_ = &log_->open(EventKind::kOp, op.schema, 0, &args);
    else if (!nvtx_)
      drop_key();  // the session that took it ended on another thread
  }
  ~OpRow() {
    if (log_) log_->close(*record_);
    if (nvtx_) [[unlikely]]
      nvtx::range_pop();
  }
  OpRow(const OpRow&) = delete;
  OpRow& operator=(const OpRow&) = delete;

 private:
  ThreadLog* const log_;
  Record* record_ = nullptr;
  const bool nvtx_;
};

Tensors profile_call(const Op& op, Args args, Params params) {
  const OpRow row(op, args);
  return call_with(op, args, params, keys_of(args) - KeySet(Key::Profiler));
}

void profile_call_inplace(const Op& op, Tensor& self, Args args, Params params) {
  const OpRow row(op, args);
  const KeySet keys = (keys_of(args) | self.keys()) - thread_state.excluded - KeySet(Key::Profiler);
  call_inplace_with(op, self, args, params, keys);
}

[[maybe_unused]] const bool installed = (set_key_handler(Key::Profiler, {&profile_call, &profile_call_inplace}), true);

}  // namespace

void OpenRange::open(EventKind kind, std::string_view name) {
  nvtx_ = emits_nvtx;
  if (nvtx_) nvtx::range_push(std::string(name));
  ThreadLog* const log = this_thread_log();
  if (!log) return;
  log_ = log;
  backward_ = kind == EventKind::kBackward;
  if (backward_) ++log->backward_depth;
  record_ = &log->open(kind, log->keep(name), name.size());
}

void OpenRange::close() {
  if (auto* const log = static_cast<ThreadLog*>(log_)) {
    log->close(*static_cast<Record*>(record_));
    if (backward_) --log->backward_depth;
  }
  if (nvtx_) nvtx::range_pop();
}

emit_nvtx::emit_nvtx(bool record_shapes) : outer_(emits_nvtx), outer_shapes_(emits_shapes) {
  attach();
  emits_nvtx = true;
  emits_shapes = record_shapes;
}
emit_nvtx::~emit_nvtx() {
  emits_nvtx = outer_;
  emits_shapes = outer_shapes_;
  detach();
}

Attach::Attach() { attach(); }
Attach::~Attach() { detach(); }

}  // namespace strata::profiler
