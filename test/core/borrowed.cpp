// Views that borrow their base's storage: what stays in memory whoever goes first, and whichever storage comes later.
#include <strata/strata.h>

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "test/catch.h"

namespace strata {
namespace {

/// Memory of a test's own, which says when it is freed.
Tensor watched(std::vector<float>& memory, bool& freed) {
  return from_blob(memory.data(), {static_cast<int64_t>(memory.size())}, [&freed](void*) { freed = true; });
}

}  // namespace

TEST_CASE("a view borrows its base's storage, a detached tensor has it") {
  const Tensor x = arange(6);
  const Tensor v = x.view({2, 3}), of_view = v.select(0, 1), detached = x.detach();
  CHECK(v.impl()->borrows_storage());
  CHECK(of_view.impl()->borrows_storage());
  CHECK_FALSE(detached.impl()->borrows_storage());
  CHECK(x.use_count() == 3);
  CHECK(x.storage()->use_count() == 2);
  CHECK(of_view._base().is_same(x));
}

TEST_CASE("whoever goes last frees the storage") {
  for (const bool view_first : {false, true}) {
    std::vector<float> memory = {1, 2, 3, 4};
    bool freed = false;
    Tensor x = watched(memory, freed), v = x.view({2, 2}), of_view = v.select(0, 1);
    v.reset();
    (view_first ? of_view : x).reset();
    CHECK_FALSE(freed);
    if (!view_first) CHECK(of_view.sum().item<float>() == 7);
    (view_first ? x : of_view).reset();
    CHECK(freed);
  }
}

TEST_CASE("a base that gets another storage keeps the one that views show") {
  std::vector<float> memory = {1, 2, 3, 4}, other = {5, 6, 7, 8};
  bool freed = false, other_freed = false;
  Tensor x = watched(memory, freed), v = x.view({2, 2});
  x.set_data(watched(other, other_freed));
  CHECK_FALSE(freed);
  CHECK(v.sum().item<float>() == 10);
  const Tensor of_view = v.select(0, 0), later = x.view({2, 2});
  CHECK(of_view.sum().item<float>() == 3);
  CHECK(later.sum().item<float>() == 26);
  CHECK_FALSE(of_view.impl()->borrows_storage());
  CHECK_FALSE(later.impl()->borrows_storage());
  SECTION("until the base goes") {
    x.reset();
    CHECK(of_view._base().storage().nbytes() == 16);
    CHECK(v.sum().item<float>() == 10);
  }
  SECTION("and lets go of it with the next storage once the views are gone") {
    v.reset();
    x.set_data(ones({2}));
    CHECK_FALSE(freed);  // of_view has it
    CHECK_FALSE(other_freed);
  }
}

TEST_CASE("what nobody borrows is freed with the next storage") {
  std::vector<float> memory = {1, 2, 3, 4};
  bool freed = false;
  const Tensor x = watched(memory, freed);
  CHECK(x.view({2, 2}).sum().item<float>() == 10);
  x.set_data(ones({2}));
  CHECK(freed);
  CHECK(x.view({2, 1}).impl()->borrows_storage());
}

TEST_CASE("a kept storage is freed with the first storage after its last view") {
  std::vector<float> memory = {1, 2, 3, 4};
  bool freed = false;
  const Tensor x = watched(memory, freed);
  Tensor v = x.view({2, 2});
  x.set_data(ones({2}));
  x.set_data(ones({3}));
  CHECK(v.sum().item<float>() == 10);
  v.reset();
  CHECK_FALSE(freed);
  x.set_data(ones({2}));
  CHECK(freed);
  CHECK(x.view({2, 1}).impl()->borrows_storage());
}

TEST_CASE("a view that gets a storage of its own has it") {
  std::vector<float> memory = {1, 2, 3, 4};
  bool freed = false;
  Tensor x = watched(memory, freed);
  const Tensor v = x.view({2, 2});
  v.set_data(ones({3}));
  CHECK_FALSE(v.impl()->borrows_storage());
  CHECK(v.sum().item<float>() == 3);
  CHECK(x.sum().item<float>() == 10);
  CHECK(x.storage()->use_count() == 1);
  x.reset();
  CHECK_FALSE(freed);  // the view's base still
}

TEST_CASE("views of a tensor that a functional call replaces stay what they were") {
  nn::Linear layer(2, 1);
  const Tensor v = layer->weight.view({2});
  const std::vector<float> before(v.data_ptr<float>(), v.data_ptr<float>() + 2);
  const std::map<std::string, Tensor> other = {{"weight", ones({1, 2})}};
  const Tensor y = func::functional_call(layer, other, ones({3, 2}));
  CHECK(y.sizes() == IntArrayRef({3, 1}));
  CHECK(std::vector<float>(v.data_ptr<float>(), v.data_ptr<float>() + 2) == before);
  layer->weight.detach().add_(1);
  CHECK(v.data_ptr<float>()[0] == before[0] + 1);
}

TEST_CASE("threads make, hand over and drop views of one base") {
  for (int round = 0; round < 50; ++round) {
    std::vector<Tensor> made(4);
    {
      // The thread that made the base ends first.
      Tensor base;
      std::thread([&base] { base = arange(64).view({8, 8}); }).join();
      std::vector<std::thread> threads;
      for (int t = 0; t < 4; ++t) {
        threads.emplace_back([t, base, &made] {
          for (int i = 0; i < 100; ++i) made[t] = base.select(0, i % 8).view({2, 4});
        });
      }
      base.reset();
      for (std::thread& t : threads) t.join();
    }
    std::atomic<int> right{0};
    std::vector<std::thread> threads;
    for (Tensor& t : made) {
      threads.emplace_back([&right, last = std::move(t)]() mutable {
        right += last.sum().item<float>() == 220;
        last.reset();
      });
    }
    for (std::thread& t : threads) t.join();
    CHECK(right == 4);
  }
}

}  // namespace strata
