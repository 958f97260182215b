// Rows of the collective ops, among one rank: what they do between several is the matter of test/distributed.
#include "distributed/threads.h"
#include "ops/collective.h"
#include "test/op_samples.h"

namespace strata::test {
namespace {

using T = const Tensor&;

/// A group that calls find again by its name when their params are read back.
const distributed::Group& alone() {
  static const ProcessGroup group = distributed::single_rank("alone");
  static const GroupScope scope(group, GroupScope::Reach::kProcess);
  static const distributed::Group arg(group);
  return arg;
}

Row among_one(const char* op, std::function<Tensor(T)> f) {
  Row row{op, {}, Takes::kAll};
  const auto same = [](const List& in) { return List{in[0]}; };
  for (const DimVector& sizes : {DimVector{3, 4}, DimVector{5}, DimVector{0, 2}, DimVector{2, 1, 3}})
    row.samples.push_back({{distinct(sizes)}, [f](const List& in) { return List{f(in[0])}; }, same});
  return row;
}

}  // namespace

void add_collective(Table& t) {
  using namespace distributed;
  for (ReduceOp op : {ReduceOp::SUM, ReduceOp::AVG, ReduceOp::PRODUCT, ReduceOp::MIN, ReduceOp::MAX})
    t.push_back(among_one("all_reduce", [op](T x) { return all_reduce(x, op, alone()); }));
  t.push_back(among_one("broadcast", [](T x) { return broadcast(x, 0, alone()); }));
  t.push_back(among_one("reduce", [](T x) { return reduce(x, 0, ReduceOp::SUM, alone()); }));
  t.push_back(among_one("all_gather", [](T x) { return all_gather_into_tensor(x, alone()); }));
  t.push_back(among_one("reduce_scatter", [](T x) { return reduce_scatter_tensor(x, ReduceOp::SUM, alone()); }));
  t.push_back(among_one("all_to_all", [](T x) { return all_to_all_single(x, {}, {}, alone()); }));
  t.push_back(among_one("permute_ranks", [](T x) { return distributed::permute(x, {{0, 0}}, alone()); }));
  t.push_back(among_one("gather_ranks", [](T x) { return distributed::gather(x, 0, alone()); }));
  t.push_back(among_one("scatter_ranks", [](T x) { return distributed::scatter(x, 0, alone()); }));
  t.push_back(among_one("pvary", [](T x) { return pvary(x, alone()); }));
  t.push_back(among_one("psum_invariant", [](T x) { return psum_invariant(x, alone()); }));
  t.push_back(among_one("own_shard", [](T x) { return own_shard(x, 0, alone()); }));
  t.push_back(among_one("all_gather_invariant", [](T x) { return all_gather_invariant(x, 0, alone()); }));
  t.push_back(among_one("as_invariant", [](T x) { return as_invariant(x, alone()); }));
  Row index{"axis_index", {}};
  index.samples.push_back({{},
                           [](const List&) { return List{axis_index(alone())}; },
                           [](const List&) { return List{from_values({0}, {}, kLong)}; }});
  t.push_back(index);
}

}  // namespace strata::test
