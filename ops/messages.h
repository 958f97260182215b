// Messages between two ranks of a group, which the others take no part in.
#pragma once
#include <memory>
#include <vector>

#include "collective.h"

namespace strata::distributed {

using strata::Work;

/// Names and rules are those of torch.distributed. Messages have no gradients and are not for transforms (see `permute`
/// for one that is). Those of one `tag` from one rank to another arrive in the order in which they were sent; NCCL
/// knows no tags but 0. A rank's own number is an error, and so are other shapes or dtypes than the other rank's, where
/// the group can see that: on NCCL it cannot.

/// Sends `x` to rank `dst`; returns when that has it.
void send(const Tensor& x, int64_t dst, const Group& group = {}, int64_t tag = 0);
/// Fills `x` from rank `src`; returns when it is there.
Tensor& recv(Tensor& x, int64_t src, const Group& group = {}, int64_t tag = 0);

/// The same without waiting: `wait()` of what comes back does, for this and for what the group was given before.
/// Until then `x` must not be written, or read where it is filled. What is dropped without waiting may never arrive.
[[nodiscard]] std::shared_ptr<Work> isend(const Tensor& x, int64_t dst, const Group& group = {}, int64_t tag = 0);
[[nodiscard]] std::shared_ptr<Work> irecv(const Tensor& x, int64_t src, const Group& group = {}, int64_t tag = 0);

/// One message of a batch: `{isend, x, dst}` or `{irecv, x, src}`, of the default group or another one.
struct P2POp {
  using Start = std::shared_ptr<Work> (*)(const Tensor&, int64_t, const Group&, int64_t);
  P2POp(Start op, Tensor tensor, int64_t peer, Group group = {}, int64_t tag = 0);

  Start op;
  Tensor tensor;
  int64_t peer;
  Group group;
  int64_t tag;
};

/// Starts messages that travel at once, so that it does not matter in which order the ranks name them: each rank of a
/// ring sends to the next and receives from the one before. All are of one group and one device. One work for all of
/// them; none for no messages.
[[nodiscard]] std::vector<std::shared_ptr<Work>> batch_isend_irecv(const std::vector<P2POp>& ops);

}  // namespace strata::distributed
