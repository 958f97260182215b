// Groups of some ranks, and meshes, over threads and over Gloo.
#include <strata/strata.h>

#include "test/catch.h"
#include "test/distributed/cases.h"
#include "test/distributed/ranks.h"

namespace strata {
namespace {

using distributed::init_device_mesh;
using distributed::new_group;
using distributed::split;

/// What all ranks of a group have, in their order.
std::vector<int64_t> told(int64_t number, const ProcessGroup& group) {
  const Tensor all = distributed::all_gather_into_tensor(full({}, static_cast<double>(number), kDouble), group);
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < all.size(0); ++i) numbers.push_back(static_cast<int64_t>(all[i].item<double>()));
  return numbers;
}
using Numbers = std::vector<int64_t>;

void check_split(const ProcessGroup& g) {
  const int64_t r = g->rank();
  const ProcessGroup parity = split(g, r % 2, -r, "parity");  // from the highest to the lowest
  expect(parity->name() == "parity" && parity->size() == (r % 2 ? 2 : 3), "two parts of five");
  expect(told(r, parity) == (r % 2 ? Numbers{3, 1} : Numbers{4, 2, 0}), "the order of keys");
  const ProcessGroup again = split(g, 0, 0, "all");
  expect(told(r, again) == Numbers{0, 1, 2, 3, 4}, "the order of ranks where keys are equal");
  const ProcessGroup inner = split(parity, parity->rank(), 0, "inner");
  expect(told(r, inner) == Numbers{r}, "parts of parts");

  const ProcessGroup some = new_group({4, 1, 2}, g, "some");
  expect((some != nullptr) == (r == 1 || r == 2 || r == 4), "null where a rank is not in the list");
  if (!some) return distributed::barrier(g);
  expect(told(r, some) == Numbers{4, 1, 2}, "the order of the list");
  const Tensor large = arange(100000, kDouble) + r;
  const Tensor sum = distributed::all_reduce(large, ReduceOp::SUM, some);
  expect(same_bits(sum, arange(100000, kDouble) * 3 + 7), "a sum in pieces");
  distributed::barrier(g);
}

void check_mesh(const ProcessGroup& g) {
  const DeviceMesh mesh = init_device_mesh({2, 3}, {"data", "tensor"});
  const int64_t r = g->rank(), row = r / 3, column = r % 3;
  expect(mesh.ndim() == 2 && mesh.size() == 6 && mesh.size("tensor") == 3 && mesh.shape() == Numbers{2, 3}, "sizes");
  expect(mesh.get_coordinate() == Numbers{row, column} && mesh.get_local_rank("data") == row, "the own place");
  expect(mesh.mesh_dim_names() == std::vector<std::string>{"data", "tensor"}, "names");
  expect(told(r, mesh.get_group("data")) == Numbers{column, column + 3}, "the own column");
  expect(told(r, mesh.get_group("tensor")) == Numbers{3 * row, 3 * row + 1, 3 * row + 2}, "the own row");
}

}  // namespace

TEST_CASE("a group of threads is divided by colors, and into the ranks of a list") {
  distributed::run_threads(5, check_split);
}

TEST_CASE("a mesh of threads has a group along each axis") { distributed::run_threads(6, check_mesh); }

TEST_CASE("a rank that fails ends what the parts it is in wait for") {
  const std::string error = error_of([] {
    distributed::run_threads(4, [](const ProcessGroup& g) {
      const ProcessGroup pair = split(g, g->rank() / 2, 0, "pair");
      STRATA_CHECK(g->rank() != 1, "rank 1 has had enough");
      for (int i = 0; i < 3; ++i) distributed::barrier(pair);  // ranks 2 and 3 have each other
    });
  });
  CHECK_THAT(error, Catch::Matchers::ContainsSubstring("rank 1 has had enough"));
}

TEST_CASE("shapes, names and lists that do not fit are told of") {
  distributed::run_threads(2, [](const ProcessGroup& g) {
    const auto says = [](const std::function<void()>& f, const std::string& what) {
      const std::string said = error_of(f);
      expect(said.find(what) != said.npos, what + " in: " + said);
    };
    says([] { init_device_mesh({3}, {"i"}); }, "a shape of 3 places for 2 ranks");
    says([] { init_device_mesh({2, 1}, {"i"}); }, "1 names for 2 axes");
    says([] { init_device_mesh({2, 1}, {"i", "i"}); }, "two axes are called i");
    says([] { init_device_mesh({2}, {"i"}).get_group("j"); }, "no axis is called j; there are i");
    says([&] { new_group({0, 2}, g); }, "there is no rank 2 among 2");
    says([&] { new_group({0, 0}, g); }, "a rank comes twice");
  });
  CHECK_THROWS_WITH(vmap([](Tensor x) { return split("i", 0), x; }, {.axis_name = "i"})(ones({2})),
                    "split: group i cannot be divided");
}

#if STRATA_HAS_GLOO
TEST_CASE("a group of Gloo is divided, and makes a mesh") {
  run_well(5, check_split);
  run_well(6, check_mesh);
}

TEST_CASE("a group of Gloo whose thread is at work is divided after that") {
  run_well(3, [](const ProcessGroup& g) {
    const Tensor x = ones({50000}, kDouble), y = zeros({50000}, kDouble);
    Collective sum{.kind = CollectiveKind::kAllReduce, .dtype = kDouble};
    sum.in = x.data_ptr(), sum.in_count = 50000, sum.out = y.data_ptr(), sum.out_count = 50000;
    const auto work = g->start(sum);
    const ProcessGroup pair = new_group({0, 2}, g);
    work->wait();
    expect(same_bits(y, x * 3), "what was started before");
    if (pair) expect(told(g->rank(), pair) == Numbers{0, 2}, "the pair");
  });
}

TEST_CASE("a rank that does not come to a split is waited for as long as was said") {
  const std::vector<std::string> errors = run_gloo(
      2,
      [](const ProcessGroup& g) {
        if (g->rank() == 1) return g->close();
        split(g, 0);
      },
      std::chrono::seconds(5));
  CHECK_THAT(errors[0], Catch::Matchers::ContainsSubstring("rank 0 of 2"));
}
#endif

}  // namespace strata
