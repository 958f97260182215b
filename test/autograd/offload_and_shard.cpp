// Programs by the public API alone: activations offloaded to bytes, and a parameter in shards whose storage is freed
// between forward and backward.
#include <cstring>

#include "test/autograd/helpers.h"

namespace strata::autograd_test {
namespace {

/// A tensor as the bytes of another memory would hold it.
struct Bytes {
  std::vector<char> data;
  DimVector sizes;
  DType dtype;
};

/// What is saved leaves for bytes and comes back from them.
struct Offload final : autograd::SavedTensorHooks {
  std::any pack(const Tensor& t) override {
    const Tensor c = t.contiguous();
    const auto n = static_cast<size_t>(c.numel()) * c.element_size();
    Bytes bytes{std::vector<char>(n), c.sizes(), c.dtype()};
    if (n > 0) std::memcpy(bytes.data.data(), c.data_ptr(), n);
    ++packed;
    return bytes;
  }
  Tensor unpack(const std::any& packed_bytes) override {
    const auto& bytes = std::any_cast<const Bytes&>(packed_bytes);
    Tensor t = empty(bytes.sizes, TensorOptions(bytes.dtype));
    if (!bytes.data.empty()) std::memcpy(t.data_ptr(), bytes.data.data(), bytes.data.size());
    ++unpacked;
    return t;
  }
  int packed = 0, unpacked = 0;
};

/// Views on both sides of in-place writes, and a write to a view.
Tensor network(const Tensor& x, const Tensor& w) {
  Tensor h = (x.narrow(1, 0, 2).t() * w).tanh().clone();
  h.mul_(w + 1);
  h.select(0, 1).exp_();
  Tensor z = matmul(h, x);
  z.view({-1}).narrow(0, 1, 3).pow_(2);
  return (z.softmax(1) * z).sum();
}

/// The gradients, and those of their squares.
std::vector<Tensor> derivatives(const std::vector<Tensor>& leaves) {
  const Tensor y = network(leaves[0], leaves[1]);
  std::vector<Tensor> first = autograd::grad({y}, leaves, {}, true, true);
  const Tensor squares = first[0].square().sum() + first[1].square().sum();
  for (const Tensor& t : autograd::grad({squares}, leaves)) first.push_back(t);
  return first;
}

/// A layer whose weight two ranks share: each keeps its shard, and the whole has bytes only while it is used.
class Sharded {
 public:
  explicit Sharded(const Tensor& weight) : sizes_(weight.sizes()), flat_(empty({weight.numel()}, weight.options())) {
    shards_ = {weight.reshape({-1}).narrow(0, 0, half()).clone(),
               weight.reshape({-1}).narrow(0, half(), half()).clone()};
    flat_.requires_grad_();
    free();
    autograd::register_post_accumulate_grad_hook(flat_, [this](const Tensor&) { free(); });
  }
  Sharded(const Sharded&) = delete;
  Sharded& operator=(const Sharded&) = delete;

  Tensor forward(const Tensor& x) {
    gather();
    const Tensor y = matmul(x, flat_.view(sizes_)).tanh();
    free();
    y.register_hook([this](const Tensor&) {
      gather();
      autograd::queue_callback([this] { reduce(); });
    });
    return y;
  }
  bool has_bytes() const { return flat_.storage().nbytes() > 0; }
  const Tensor& flat() const { return flat_; }
  Tensor weight() const { return cat(shards_, 0).view(sizes_); }

 private:
  int64_t half() const { return flat_.numel() / 2; }
  size_t bytes() const { return static_cast<size_t>(flat_.numel()) * flat_.element_size(); }
  void free() { flat_.storage().resize_(0); }
  /// As a collective writes: below autograd and its versions, since the values are those that were saved.
  void gather() {
    flat_.storage().resize_(bytes());
    for (size_t rank = 0; rank < 2; ++rank)
      std::memcpy(static_cast<char*>(flat_.data_ptr()) + rank * bytes() / 2, shards_[rank].data_ptr(), bytes() / 2);
  }
  /// Each rank takes its part of the gradient, and a step.
  void reduce() {
    const NoGradGuard no_grad;
    for (size_t rank = 0; rank < 2; ++rank)
      shards_[rank].sub_(flat_.grad().narrow(0, static_cast<int64_t>(rank) * half(), half()) * 0.1);
    flat_.mutable_grad() = Tensor();
  }

  DimVector sizes_;
  Tensor flat_;
  std::vector<Tensor> shards_;
};

Tensor numbers(IntArrayRef sizes, double from) {
  return linspace(from, from + 1, numel_of(sizes), kDouble).view(sizes).clone();
}

}  // namespace

TEST_CASE("offloaded activations give the same gradients, and gradients of gradients") {
  const auto leaves = [] {
    return std::vector<Tensor>{numbers({3, 3}, -0.5).requires_grad_(), numbers({2, 3}, 0.25).requires_grad_()};
  };
  const std::vector<Tensor> expected = derivatives(leaves());
  const auto offload = std::make_shared<Offload>();
  const autograd::SavedTensorHooksGuard guard(offload);
  const std::vector<Tensor> got = derivatives(leaves());
  for (size_t i = 0; i < expected.size(); ++i) CHECK(got[i].equal(expected[i]));
  CHECK(offload->packed > 20);
  CHECK(offload->unpacked > offload->packed / 2);
}

TEST_CASE("a write after an activation was offloaded does not reach its bytes") {
  const Tensor a = numbers({3}, 1).requires_grad_();
  const auto use_and_write = [&] {
    Tensor b = a * 2;
    const Tensor y = (b * b).sum();
    b.add_(1);
    return y;
  };
  CHECK_THROWS_WITH(use_and_write().backward(), Catch::Matchers::ContainsSubstring("modified in place"));
  const autograd::SavedTensorHooksGuard guard(std::make_shared<Offload>());
  use_and_write().backward();
  CHECK(a.grad().allclose(8 * a.detach()));
}

TEST_CASE("a model in shards trains as one that is whole") {
  Sharded first(numbers({3, 4}, -0.5)), second(numbers({4, 2}, 0));
  Tensor w1 = numbers({3, 4}, -0.5).requires_grad_(), w2 = numbers({4, 2}, 0).requires_grad_();
  const Tensor x = numbers({5, 3}, -1);
  for (int step = 0; step < 3; ++step) {
    const Tensor y = second.forward(first.forward(x)).square().sum();
    CHECK(!first.has_bytes());
    CHECK(!second.has_bytes());
    y.backward();
    CHECK(!first.has_bytes());
    CHECK(!second.has_bytes());
    CHECK(!first.flat().grad().defined());
    matmul(matmul(x, w1).tanh(), w2).tanh().square().sum().backward();
    const NoGradGuard no_grad;
    for (Tensor* w : {&w1, &w2}) {
      w->sub_(w->grad() * 0.1);
      w->mutable_grad() = Tensor();
    }
    CHECK(first.weight().equal(w1));
    CHECK(second.weight().equal(w2));
  }
}

TEST_CASE("without the hook that gathers, backward names what was freed") {
  Tensor flat = ones({4}).requires_grad_();
  const Tensor y = (flat.view({2, 2}) * flat.view({2, 2})).sum();
  flat.storage().resize_(0);
  CHECK_THROWS_WITH(y.backward(), Catch::Matchers::ContainsSubstring("was freed"));
}

}  // namespace strata::autograd_test
