// Messages as collectives of two ranks, and what keeps their memory until they are done.
#include "ops/messages.h"

#include <limits>
#include <utility>

#include "core/error.h"
#include "core/shape.h"
#include "ops/creation.h"

namespace strata::distributed {
namespace {

/// Messages under way. Their memory stays until they are done, and one that comes to another place than its tensor goes
/// there then.
class Messages final : public Work {
 public:
  Messages(ProcessGroup group, const std::vector<P2POp>& ops) : group_(std::move(group)) {
    std::vector<Collective> messages;
    for (const P2POp& op : ops) messages.push_back(op.op == isend ? sent(op) : received(op));
    work_ = group_->start_messages(messages);
  }
  void wait() override {
    if (!work_) return;
    std::exchange(work_, nullptr)->wait();
    for (auto& [to, from] : copies_) to.copy_(from);
  }

 private:
  Collective message(CollectiveKind kind, const P2POp& op) const {
    const char* const who = strata::name(kind);
    STRATA_CHECK(op.peer >= 0 && op.peer < group_->size(), "{}: there is no rank {} among {}", who, op.peer,
                 group_->size());
    STRATA_CHECK(op.peer != group_->rank(), "{}: rank {} is this one", who, op.peer);
    STRATA_CHECK(op.tag >= 0 && op.tag <= std::numeric_limits<int32_t>::max(), "{}: a tag of {}", who, op.tag);
    return {.kind = kind,
            .dtype = op.tensor.dtype(),
            .root = op.peer,
            .device = op.tensor.device(),
            .tag = static_cast<uint32_t>(op.tag)};
  }
  Collective sent(const P2POp& op) {
    Collective c = message(CollectiveKind::kSend, op);
    memory_.push_back(op.tensor.detach().contiguous());
    c.in = memory_.back().data_ptr(), c.in_count = memory_.back().numel();
    return c;
  }
  Collective received(const P2POp& op) {
    Collective c = message(CollectiveKind::kReceive, op);
    const Tensor to = op.tensor.detach();
    memory_.push_back(to.is_contiguous() ? to : empty(to.sizes(), to.options()));
    if (!memory_.back().is_same(to)) copies_.emplace_back(to, memory_.back());
    c.out = memory_.back().data_ptr(), c.out_count = memory_.back().numel();
    return c;
  }

  const ProcessGroup group_;
  std::vector<Tensor> memory_;
  std::vector<std::pair<Tensor, Tensor>> copies_;  ///< where to, where from
  std::shared_ptr<Work> work_;
};

}  // namespace

void send(const Tensor& x, int64_t dst, const Group& group, int64_t tag) { isend(x, dst, group, tag)->wait(); }
Tensor& recv(Tensor& x, int64_t src, const Group& group, int64_t tag) {
  irecv(x, src, group, tag)->wait();
  return x;
}
std::shared_ptr<Work> isend(const Tensor& x, int64_t dst, const Group& group, int64_t tag) {
  return batch_isend_irecv({{isend, x, dst, group, tag}})[0];
}
std::shared_ptr<Work> irecv(const Tensor& x, int64_t src, const Group& group, int64_t tag) {
  return batch_isend_irecv({{irecv, x, src, group, tag}})[0];
}

P2POp::P2POp(Start op, Tensor tensor, int64_t peer, Group group, int64_t tag)
    : op(op), tensor(std::move(tensor)), peer(peer), group(std::move(group)), tag(tag) {
  STRATA_CHECK(op == isend || op == irecv, "P2POp: takes isend or irecv");
  STRATA_CHECK(this->tensor.defined(), "{}: an undefined tensor", op == isend ? "send" : "recv");
}

std::vector<std::shared_ptr<Work>> batch_isend_irecv(const std::vector<P2POp>& ops) {
  if (ops.empty()) return {};
  const ProcessGroup group = ops[0].group.get();
  for (const P2POp& op : ops) {
    STRATA_CHECK(op.group.get() == group, "batch_isend_irecv: messages of {} and of {}", group->name(),
                 op.group.get()->name());
    STRATA_CHECK(op.tensor.device() == ops[0].tensor.device(), "batch_isend_irecv: tensors on {} and on {}",
                 ops[0].tensor.device().str(), op.tensor.device().str());
  }
  return {std::make_shared<Messages>(group, ops)};
}

}  // namespace strata::distributed
