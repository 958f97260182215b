// Many tensors at once: the bits of one after the other, by one call for each dtype.
#include <strata/distributed/distributed.h>
#include <strata/strata.h>

#include "test/catch.h"
#include "test/distributed/cases.h"

namespace strata {
namespace {

using namespace distributed;

/// A group that counts what it is asked for.
class Counting final : public Communicator {
 public:
  explicit Counting(ProcessGroup inner) : inner_(std::move(inner)) {}
  const std::string& name() const override { return inner_->name(); }
  int64_t rank() const override { return inner_->rank(); }
  int64_t size() const override { return inner_->size(); }
  void run(const Collective& c) override {
    ++calls;
    inner_->run(c);
  }
  int calls = 0;

 private:
  const ProcessGroup inner_;
};

/// Shapes and dtypes as the parameters of a model may have them, other values on each rank.
std::vector<Tensor> mixed(int64_t rank, int64_t world) {
  const Tensor x = arange(6 * world, kDouble).view({2 * world, 3}) + static_cast<double>(rank);
  return {x,          x.to(kFloat), x.view({3, 2 * world}).t(), x.to(kFloat)[0].expand({world, 3}), x.narrow(1, 0, 0),
          x.to(kLong)};
}

void expect_same(const std::vector<Tensor>& got, const std::vector<Tensor>& from, const Function& one_by_one) {
  expect(got.size() == from.size(), "as many results");
  for (size_t i = 0; i < from.size(); ++i) {
    const Tensor wanted = one_by_one(from[i]);
    expect(got[i].sizes() == wanted.sizes() && got[i].dtype() == wanted.dtype(), "shape and dtype");
    expect(same_bits(got[i], wanted), "bits");
  }
}

}  // namespace

TEST_CASE("collectives of many tensors have the bits of one after the other, by one call for each dtype") {
  const int64_t world = GENERATE(1, 2, 3);
  run_threads(world, [&](const ProcessGroup& group) {
    const auto counting = std::make_shared<Counting>(group);
    const ProcessGroup g = counting;
    std::vector<Tensor> from = mixed(group->rank(), world);
    for (const ReduceOp op : {ReduceOp::SUM, ReduceOp::MAX}) {
      expect_same(reduce_scatter_tensor_coalesced(from, op, g), from,
                  [&](const Tensor& x) { return reduce_scatter_tensor(x, op, group); });
    }
    from.push_back(from[0].sum());
    expect_same(all_reduce_coalesced(from, ReduceOp::SUM, g), from,
                [&](const Tensor& x) { return all_reduce(x, ReduceOp::SUM, group); });
    expect_same(all_gather_into_tensor_coalesced(from, g), from,
                [&](const Tensor& x) { return all_gather_into_tensor(x, group); });
    const int calls = world == 1 ? 0 : 4 * 3;  // one rank asks nobody
    expect(counting->calls == calls, "a call for each of three dtypes");
    expect(all_reduce_coalesced({}, ReduceOp::SUM, g).empty(), "no results of no tensors");
    expect(counting->calls == calls, "nor a call");
  });
}

TEST_CASE("collectives of many tensors say which one they cannot take") {
  run_threads(1, [](const ProcessGroup& g) {
    try {
      all_reduce_coalesced({ones({1}), Tensor()}, ReduceOp::SUM, g);
      expect(false, "an error");
    } catch (const Error& e) {
      expect(std::string(e.what()) == "all_reduce_coalesced: tensor 1 is undefined", e.what());
    }
  });
  CHECK_THROWS_WITH(
      run_threads(2, [](const ProcessGroup& g) { reduce_scatter_tensor_coalesced({ones({3})}, ReduceOp::SUM, g); }),
      Catch::Matchers::ContainsSubstring(
          "reduce_scatter_tensor_coalesced: dim 0 of tensor 0 has 3 elements, for 2 ranks"));
}

}  // namespace strata
