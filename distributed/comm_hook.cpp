// Averages of gradients in fewer bytes.
#include "distributed/comm_hook.h"

#include <map>

#include "core/error.h"
#include "core/grad_mode.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/collective.h"
#include "ops/creation.h"
#include "ops/keyed_random.h"
#include "ops/linalg.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/unary.h"
#include "ops/view.h"

namespace strata::distributed {
namespace {

/// The numbers of all ranks reduced, in place; `x` is contiguous.
Collective reduction(const Tensor& x, ReduceOp op) {
  Collective c{.kind = CollectiveKind::kAllReduce, .dtype = x.dtype(), .op = op};
  c.device = x.device();
  c.in = c.out = x.data_ptr();
  c.in_count = c.out_count = x.numel();
  return c;
}

class Compress final : public CommHook {
 public:
  explicit Compress(DType dtype) : dtype_(dtype) {}
  std::shared_ptr<Work> start(const GradBucket& bucket) override {
    const NoGradGuard no_grad;
    const Tensor small = bucket.buffer.to(dtype_);
    return std::make_shared<Expand>(bucket.buffer, small, bucket.group->start(reduction(small, bucket.op)));
  }

 private:
  class Expand final : public Work {
   public:
    Expand(Tensor to, Tensor from, std::shared_ptr<Work> work)
        : to_(std::move(to)), from_(std::move(from)), work_(std::move(work)) {}
    void wait() override {
      work_->wait();
      const NoGradGuard no_grad;
      to_.copy_(from_);
    }

   private:
    Tensor to_;
    const Tensor from_;
    const std::shared_ptr<Work> work_;
  };
  const DType dtype_;
};

class Done final : public Work {
 public:
  void wait() override {}
};

/// Gram and Schmidt's columns of length 1; a column that depends on those before becomes zeros.
void orthogonalise_(Tensor& matrix) {
  for (int64_t i = 0; i < matrix.size(1); ++i) {
    Tensor column = matrix.narrow(1, i, 1);
    if (i > 0) {
      const Tensor before = matrix.narrow(1, 0, i);
      column.sub_(matmul(before, matmul(before.t(), column)));
    }
    column.div_((column * column).sum().sqrt() + 1e-8);
  }
}

class PowerSgd final : public CommHook {
 public:
  explicit PowerSgd(const PowerSgdOptions& options) : options_(options) {
    STRATA_CHECK(options.rank > 0, "power_sgd: matrices of rank {}", options.rank);
  }

  std::shared_ptr<Work> start(const GradBucket& bucket) override {
    const NoGradGuard no_grad;
    Memory& memory = buckets_[bucket.index];
    if (bucket.index == 0) ++step_;
    if (step_ <= options_.start_step) return bucket.group->start(reduction(bucket.buffer, bucket.op));
    if (memory.numbers != bucket.buffer.numel())
      memory = {bucket.buffer.numel(), {}, {}};  // the buckets are other ones
    compress(bucket, memory);
    return std::make_shared<Done>();
  }

 private:
  struct Memory {
    int64_t numbers = 0;
    std::vector<Tensor> q;       ///< the last step's, where the next one begins
    std::vector<Tensor> errors;  ///< what the last step left out
  };

  bool shrinks(const Tensor& g) const {
    if (g.dim() < 2) return false;
    const int64_t n = g.size(0), m = g.numel() / n;
    return (n + m) * options_.rank < g.numel();
  }

  void compress(const GradBucket& bucket, Memory& memory) {
    std::vector<Tensor> matrices, plain;
    int64_t end = 0;
    for (const Tensor& g : bucket.gradients) {
      end += g.numel();
      if (shrinks(g))
        matrices.push_back(g.view({g.size(0), -1}));
      else
        plain.push_back(g.view({-1}));
    }
    plain.push_back(bucket.buffer.narrow(0, end, bucket.buffer.numel() - end));
    average_(bucket, plain);
    for (size_t i = 0; i < matrices.size(); ++i) {
      if (memory.q.size() == i) memory.q.push_back(first_q(matrices[i], bucket.index, i));
      if (memory.errors.size() == i) memory.errors.push_back(zeros_like(matrices[i]));
      matrices[i].add_(memory.errors[i]);
    }
    approximate(bucket, memory, matrices);
    Tensor all = bucket.buffer;
    if (bucket.op == ReduceOp::SUM) all.mul_(Scalar(bucket.group->size()));
  }

  /// Each matrix as P transpose(Q), where P spans what the matrix makes of the last step's Q.
  static void approximate(const GradBucket& bucket, Memory& memory, const std::vector<Tensor>& matrices) {
    std::vector<Tensor> p;
    for (size_t i = 0; i < matrices.size(); ++i) p.push_back(matmul(matrices[i], memory.q[i]));
    average_(bucket, p);
    for (size_t i = 0; i < matrices.size(); ++i) {
      orthogonalise_(p[i]);
      memory.q[i] = matmul(matrices[i].t(), p[i]);
    }
    average_(bucket, memory.q);
    for (size_t i = 0; i < matrices.size(); ++i) {
      Tensor matrix = matrices[i];
      const Tensor near = matmul(p[i], memory.q[i].t());
      memory.errors[i] = matrix - near;
      matrix.copy_(near);
    }
  }

  /// In one message.
  static void average_(const GradBucket& bucket, const std::vector<Tensor>& tensors) {
    if (tensors.empty()) return;
    std::vector<Tensor> flat;
    for (const Tensor& t : tensors) flat.push_back(t.reshape({-1}));
    const Tensor all = cat(flat);
    bucket.group->run(reduction(all, ReduceOp::AVG));
    int64_t at = 0;
    for (Tensor t : tensors) {
      t.copy_(all.narrow(0, at, t.numel()).view(t.sizes()));
      at += t.numel();
    }
  }

  /// The same on all ranks.
  Tensor first_q(const Tensor& matrix, size_t bucket, size_t index) const {
    const Tensor key =
        random::fold_in(random::fold_in(random::key(static_cast<int64_t>(options_.seed)), static_cast<int64_t>(bucket)),
                        static_cast<int64_t>(index));
    return random::normal(key, {matrix.size(1), options_.rank}, kDouble).to(matrix.options());
  }

  const PowerSgdOptions options_;
  std::map<size_t, Memory> buckets_;
  int64_t step_ = 0;
};

}  // namespace

std::shared_ptr<CommHook> bf16_compress() { return std::make_shared<Compress>(kBFloat16); }
std::shared_ptr<CommHook> fp16_compress() { return std::make_shared<Compress>(kHalf); }
std::shared_ptr<CommHook> power_sgd(const PowerSgdOptions& options) { return std::make_shared<PowerSgd>(options); }

}  // namespace strata::distributed
