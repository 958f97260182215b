// Dividing and shrinking groups of NCCL, by the library in NCCL's place. A test of its own runs these cases with one
// that cannot divide communicators.
#include <strata/distributed/split.h>
#include <strata/strata.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "test/distributed/nccl_ranks.h"

namespace strata {
namespace {

using namespace std::chrono_literals;
using namespace nccl_ranks;

/// The sum of the ranks' numbers in the group which `g` is a part of.
double sum_over(const ProcessGroup& g, int64_t old_rank) {
  const Tensor own = full({}, static_cast<double>(old_rank), TensorOptions(kDouble).device(kCUDA));
  return distributed::all_reduce(own, ReduceOp::SUM, g).item<double>();
}

}  // namespace

TEST_CASE("parts of groups of NCCL: by color and in the order of keys") {
  if (!has_devices()) return;
  run_nccl_well(4, [](const ProcessGroup& g) {
    const int64_t r = g->rank();
    sum_over(g, r);
    const ProcessGroup part = distributed::split(g, r == 3 ? -1 : r % 2, -r, "half");
    expect((part == nullptr) == (r == 3), "no part of a negative color");
    if (part) {
      expect(part->name() == "half" && part->size() == (r == 1 ? 1 : 2), "the part's name and size");
      expect(part->rank() == (r == 0 ? 1 : 0), "ranks in the order of keys");
      distributed::barrier(part);  // on the whole group's device
      expect(sum_over(part, r) == (r == 1 ? 1 : 2), "a sum over the part");
      const ProcessGroup alone = distributed::split(part, part->rank());
      expect(alone->size() == 1 && sum_over(alone, r) == static_cast<double>(r), "a part of a part");
    }
    expect(sum_over(g, r) == 6, "the whole group goes on");
  });
}

TEST_CASE("parts of groups of NCCL: before the first collective, by ranks and as axes of a mesh") {
  if (!has_devices()) return;
  run_nccl_well(4, [](const ProcessGroup& g) {
    const int64_t r = g->rank();
    const ProcessGroup some = distributed::new_group({2, 0}, g);
    expect((some != nullptr) == (r % 2 == 0), "a group on its ranks");
    if (some) expect(some->rank() == (r == 2 ? 0 : 1) && sum_over(some, r) == 2, "its order and sum");
    const auto mesh = distributed::init_device_mesh({2, 2}, {"rows", "columns"}, g);
    expect(sum_over(mesh.get_group("rows"), r) == static_cast<double>(r % 2 * 2 + 2), "a sum along the rows");
    expect(sum_over(mesh.get_group("columns"), r) == static_cast<double>(r / 2 * 4 + 1), "a sum along the columns");
  });
}

TEST_CASE("parts of groups of NCCL: a part waits for what the whole group's stream still does") {
  if (!has_devices()) return;
  run_nccl_well(2, [](const ProcessGroup& g) {
    distributed::barrier();
    for (int i = 0; i < 20; ++i) g->run(sum_of(ones({1000}, TensorOptions(kCUDA))));
    const ProcessGroup part = distributed::split(g, 0);
    expect(sum_over(part, 1) == 2, "a sum over the part");
  });
}

TEST_CASE("parts of groups of NCCL: a part outlives its group, and rank 0 its store") {
  if (!has_devices()) return;
  fake();
  const std::string store = "tcp://127.0.0.1:" + std::to_string(free_port());
  std::atomic<int> have_left{0};
  std::vector<std::string> errors(4);
  std::vector<std::thread> ranks;
  for (int64_t rank = 0; rank < 4; ++rank)
    ranks.emplace_back([&, rank] {
      try {
        cuda::set_device(static_cast<DeviceIndex>(rank));
        ProcessGroup whole = distributed::nccl_engine(options_of(rank, 4, store));
        const ProcessGroup part = distributed::split(whole, rank / 2);
        whole.reset();
        if (rank < 2) ++have_left;
        if (rank < 2) return;
        meet(have_left, 4);
        std::this_thread::sleep_for(300ms);                      // rank 0 may leave in this time, and must not
        const ProcessGroup later = distributed::split(part, 0);  // needs the store
        expect(sum_over(later, rank) == 5, "a sum over the part");
      } catch (const std::exception& e) {
        errors[static_cast<size_t>(rank)] = e.what();
      }
    });
  for (std::thread& t : ranks) t.join();
  for (const std::string& e : errors) CHECK(e == "");
  CHECK(fake().broken_rules() == "");
  CHECK(fake().live_communicators() == 0);
}

TEST_CASE("parts of groups of NCCL: a part's failure ends the part alone") {
  if (!has_devices()) return;
  run_nccl_well(2, [](const ProcessGroup& g) {
    const ProcessGroup part = distributed::split(g, 0);
    sum_over(part, 1);
    distributed::barrier(g);
    if (g->rank() == 0) part->close();
    if (g->rank() == 1) {
      try {
        distributed::barrier(part);
        expect(false, "an error of the part");
      } catch (const Error& e) {
        expect(std::string(e.what()) == "barrier (call 2 of group part, rank 1 of 2): rank 0 has closed group part",
               e.what());
      }
    }
    expect(sum_over(g, g->rank()) == 1, "the whole group goes on");
  });
}

TEST_CASE("parts of groups of NCCL: a rank that does not come to a split is waited for as long as was said") {
  if (!has_devices()) return;
  std::atomic<int> are_over{0};
  const std::vector<std::string> errors = run_nccl(
      2,
      [&](const ProcessGroup& g) {
        distributed::barrier();
        if (g->rank() == 1) return meet(are_over, 2);
        try {
          distributed::split(g, 0);
        } catch (const Error&) {
          ++are_over;
          throw;
        }
      },
      300ms);
  CHECK(errors[0] == "all_gather (call 2 of group i, rank 0 of 2): not done after 300 ms");
  CHECK(errors[1] == "");
}

TEST_CASE("parts of groups of NCCL: a group shrinks, and the whole one goes on as well") {
  if (!has_devices()) return;
  const int before = fake().ids();
  run_nccl_well(3, [](const ProcessGroup& g) {
    const int64_t r = g->rank();
    sum_over(g, r);
    if (r != 1) {
      const ProcessGroup rest = distributed::shrink_group({1}, g);
      expect(rest->name() == "i" && rest->size() == 2 && rest->rank() == r / 2, "the rest");
      expect(sum_over(rest, r) == 2, "a sum over the rest");
    }
    expect(sum_over(g, r) == 3, "the whole group goes on");
  });
  const char* const library = std::getenv("STRATA_FAKE_NCCL");
  const bool is_old = library && std::strstr(library, "2_14");
  CHECK(fake().ids() - before == (is_old ? 2 : 1));  // ncclCommShrink wants none
}

TEST_CASE("parts of groups of NCCL: the others go on without a rank that has failed, while it is pending or later") {
  if (!has_devices()) return;
  for (const int64_t lost : {0, 1}) {
    INFO("without rank " << lost);
    std::atomic<int> are_over{0}, have_summed{0};
    const std::vector<std::string> errors = run_nccl(3, [&](const ProcessGroup& g) {
      const int64_t r = g->rank();
      distributed::barrier();
      if (r == lost) {
        meet(are_over, 3);  // silent
        return g->close();
      }
      const Tensor x = ones({2}, TensorOptions(kCUDA));
      g->run(sum_of(x));  // never done
      const ProcessGroup rest = distributed::shrink_group({lost}, g, distributed::SHRINK_ABORT);
      expect(sum_over(rest, r) == static_cast<double>(3 - lost), "a sum over the rest");
      ++are_over;
      meet(have_summed, 2);  // closing is an error of whoever still waits for the sum
      if (rest->rank() == 0) return rest->close();
      const ProcessGroup again = distributed::shrink_group({0}, rest, distributed::SHRINK_ABORT);
      expect(again->size() == 1 && sum_over(again, r) == 2, "the rest of the rest");
    });
    CHECK(errors == std::vector<std::string>(3));
  }
}

TEST_CASE("parts of groups of NCCL: wrong calls of shrink_group") {
  if (!has_devices()) return;
  run_nccl_well(2, [](const ProcessGroup& g) {
    const auto fails = [&](const std::vector<int64_t>& ranks, const std::string& why) {
      try {
        distributed::shrink_group(ranks, g);
        expect(false, "an error of shrink_group");
      } catch (const Error& e) {
        expect(e.what() == "shrink_group: " + why, e.what());
      }
    };
    const std::string own = std::to_string(g->rank());
    fails({}, "there are no ranks to exclude");
    fails({1 - g->rank(), 1 - g->rank()}, "a rank comes twice");
    fails({2}, "ranks 2 to 2 among 2");
    fails({g->rank()}, "rank " + own + " excludes itself; only those that stay call it");
  });
}

}  // namespace strata
