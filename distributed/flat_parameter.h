// Parameters that lie one behind the other in one piece of memory, of which each rank owns an equal part.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../core/communicator.h"
#include "../core/tensor.h"
#include "mixed_precision.h"

namespace strata::distributed {

/// The parameters of a unit that have one dtype, as one vector that is padded to a multiple of the number of ranks. A
/// rank keeps its part of it, the shard. The whole has memory from `start_gather` to `free`; meanwhile the parameters
/// are views of it, and else any use of them throws. Every rank makes the same calls in the same order.
class FlatParameter {
 public:
  struct Member {
    std::string name;
    Tensor parameter;
    int64_t offset = 0;
    bool ready = false;  ///< has its gradient of this pass been taken?
  };

  /// Takes the values that the parameters have, and then their memory. Unless `is_sharded`, each rank's shard is all of
  /// it: nothing has to be gathered.
  FlatParameter(std::string name, const std::vector<std::pair<std::string, Tensor>>& parameters, ProcessGroup group,
                const MixedPrecision& precision, bool is_sharded = true);
  ~FlatParameter();  ///< waits for what was started
  FlatParameter(const FlatParameter&) = delete;
  FlatParameter& operator=(const FlatParameter&) = delete;

  const std::string& name() const { return name_; }
  std::vector<Member>& members() { return members_; }
  const std::vector<Member>& members() const { return members_; }
  /// Where in the whole vector this rank's shard begins.
  int64_t shard_offset() const { return group_->rank() * shard_.numel(); }
  /// What the optimizer gets: a leaf of the parameters' dtype, with the averaged gradient as `grad()`.
  const Tensor& shard() const { return shard_; }
  /// How many numbers the shards of all ranks have, those that fill up the last one included.
  int64_t padded_numel() const { return whole_.numel(); }
  bool requires_grad() const { return shard_.requires_grad(); }
  const StorageImpl* storage() const { return whole_.storage().get(); }

  bool is_gathered() const { return whole_.storage().nbytes() > 0; }
  /// What it holds beside the shard.
  size_t gathered_bytes() const { return is_whole_shard() ? 0 : whole_.storage().nbytes(); }
  /// Collective, unless it is gathered: asks for the shards of the other ranks.
  void start_gather();
  /// The same, and returns when they are there.
  void gather();
  void free() noexcept;

  void begin_pass();
  /// Takes the gradient that a parameter has, if any, into the whole gradient.
  void take_gradient(Member& member);
  /// Were those of all parameters taken in this pass?
  bool is_complete() const { return missing_ == 0; }
  bool has_gradient() const { return gradient_.defined(); }
  /// Collective: averages the gradient; its memory stays until `finish_reduce`, which adds this rank's part to the
  /// gradient of the shard.
  void start_reduce();
  void finish_reduce();

  /// Collective: the whole vector in the parameters' dtype, in memory of its own.
  Tensor whole() const;
  /// The same of any vector that is divided like the parameters, such as a part of the optimizer's state.
  Tensor gathered(const Tensor& shard) const;
  /// A member's part of such a vector, in its shape.
  static Tensor part_of(const Tensor& whole, const Member& member);
  /// The shard from a whole vector that rank 0 has; collective.
  void scatter_from_first(const Tensor& whole);
  /// This rank's part of such a vector that rank 0 has; collective.
  Tensor scattered(const Tensor& whole) const;

 private:
  void wait();
  /// Do the parameters lie in the shard itself? Then they are always there.
  bool is_whole_shard() const { return !is_sharded_ && whole_.dtype() == shard_.dtype(); }

  std::string name_;
  std::vector<Member> members_;
  ProcessGroup group_;
  MixedPrecision precision_;
  bool is_sharded_;
  Tensor shard_, whole_;
  Tensor sent_;  ///< what a started gather reads
  std::shared_ptr<Work> gathering_, reducing_;
  Tensor gradient_;       ///< of the whole, in its dtype
  Tensor addends_, sum_;  ///< what a started reduction reads and writes
  size_t missing_ = 0;
};

}  // namespace strata::distributed
