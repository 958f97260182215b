// Messages between two ranks: out of order, by tags, in batches, beside collectives, and those that do not fit.
#include <strata/strata.h>

#include "test/catch.h"
#include "test/distributed/cases.h"
#include "test/distributed/ranks.h"

namespace strata {

using namespace distributed;
using namespace std::chrono_literals;

namespace {

using Body = std::function<void(const ProcessGroup&)>;

/// Ranks that are threads of one group of threads, and of one of Gloo where it is there.
void on_both(int64_t world, const Body& body) {
  run_threads(world, [&](const ProcessGroup& g) { body(g); });
#if STRATA_HAS_GLOO
  run_well(world, body);
#endif
}

Tensor number(int64_t n) { return full({3}, static_cast<double>(n), kDouble); }

}  // namespace

TEST_CASE("messages need not be waited for in their order, nor asked for before they are sent") {
  on_both(2, [](const ProcessGroup& g) {
    const int64_t other = 1 - g->rank();
    Tensor first = zeros({3}, kDouble), second = zeros({3, 2}, kDouble).select(1, 0);  // one of them with gaps
    const auto a = isend(number(1), other), b = isend(number(2), other);
    const auto c = irecv(first, other), d = irecv(second, other);
    d->wait(), b->wait(), c->wait(), a->wait();
    d->wait();  // once more is nothing
    expect(same_bits(first, number(1)) && same_bits(second, number(2)), "the order in which they were sent");
  });
}

TEST_CASE("a tag finds its message") {
  on_both(2, [](const ProcessGroup& g) {
    if (g->rank() == 0) {
      const auto late = isend(number(7), 1, {}, 7), early = isend(number(8), 1, {}, 8);
      return late->wait(), early->wait();
    }
    Tensor seven = zeros({3}, kDouble), eight = zeros({3}, kDouble);
    recv(eight, 0, {}, 8), recv(seven, 0, {}, 7);
    expect(same_bits(seven, number(7)) && same_bits(eight, number(8)), "its own");
  });
}

TEST_CASE("a batch goes round a ring, whatever is named first") {
  for (int64_t world : {2, 3, 4})
    on_both(world, [world](const ProcessGroup& g) {
      const int64_t next = (g->rank() + 1) % world, before = (g->rank() + world - 1) % world;
      const Tensor mine = randn({50'000}) + static_cast<double>(g->rank()), whole = arange(4) + g->rank();
      const Tensor got = zeros({50'000}), got_whole = zeros({4}, kLong);
      std::vector<P2POp> ops = {{isend, mine, next}, {irecv, got, before}};
      if (g->rank() % 2 == 1) std::swap(ops[0], ops[1]);
      ops.push_back({irecv, got_whole, before, {}, 3});
      ops.push_back({isend, whole, next, {}, 3});
      for (const auto& work : batch_isend_irecv(ops)) work->wait();
      const std::vector<Tensor> all = all_gather(mine);
      expect(same_bits(got, all[static_cast<size_t>(before)]), "what the one before has");
      expect(same_bits(got_whole, arange(4) + before), "of another dtype");
    });
  run_threads(1, [](const ProcessGroup&) { expect(batch_isend_irecv({}).empty(), "nothing"); });
}

TEST_CASE("messages travel beside what the group was given before") {
  on_both(2, [](const ProcessGroup& g) {
    const int64_t other = 1 - g->rank();
    for (int i = 0; i < 20; ++i) {
      Tensor sum = ones({200'000}), got = zeros({3}, kDouble);
      const Tensor mine = number(g->rank());
      const auto asked = irecv(got, other);
      Collective c{.kind = CollectiveKind::kAllReduce};
      c.dtype = sum.dtype(), c.in = c.out = sum.data_ptr(), c.in_count = c.out_count = sum.numel();
      const auto started = g->start(c);
      send(mine, other);
      asked->wait();
      started->wait();
      expect(same_bits(got, number(other)) && same_bits(sum, full({200'000}, 2.0)), "both");
    }
  });
}

TEST_CASE("messages that cannot be are errors") {
  on_both(2, [](const ProcessGroup& g) {
    Tensor x = ones({2});
    const auto tells = [](const std::function<void()>& f, const char* part) {
      const std::string text = error_of(f);
      expect(text.find(part) != std::string::npos, std::string(part) + " in: " + text);
    };
    tells([&] { send(x, g->rank()); }, "is this one");
    tells([&] { recv(x, 2); }, "recv: there is no rank 2 among 2");
    tells([&] { send(x, 1 - g->rank(), {}, -1); }, "send: a tag of -1");
    tells([&] { send(Tensor(), 1 - g->rank()); }, "send: an undefined tensor");
    tells([&] { vmap([&](Tensor t) { return send(t, 1 - g->rank()), t; })(ones({3, 2})); }, "inside a transform");
    tells([&] { vmap([&](Tensor t) { return send(x, 0, "axis"), t; }, {.axis_name = "axis"})(ones({3, 2})); }, "axis");
  });
}

TEST_CASE("a message of another shape or dtype is an error of both ranks that are threads") {
  run_threads(2, [](const ProcessGroup& g) {
    Tensor x = ones({2 + g->rank()}, g->rank() == 0 ? kFloat : kDouble);
    const std::string text = error_of([&] { g->rank() == 0 ? send(x, 1) : void(recv(x, 0)); });
    expect(text == "recv: rank 0 sends 2 elements of float32, rank 1 takes 3 of float64", text);
    barrier();
  });
}

#if STRATA_HAS_GLOO
TEST_CASE("what nobody sends is given up by its deadline") {
  const std::vector<std::string> errors = run_gloo(
      2,
      [](const ProcessGroup& g) {
        Tensor x = ones({2});
        (void)std::shared_ptr<Work>(irecv(x, 1 - g->rank(), {}, 5));
        if (g->rank() == 0) recv(x, 1, {}, 6);
        barrier();
      },
      500ms);
  CHECK(errors[0].starts_with("recv (call 1 of group i, rank 0 of 2): "));
  CHECK(errors[1].starts_with("barrier (call 1 of group i, rank 1 of 2): "));
}
#endif

TEST_CASE("what nobody waits for leaves nothing behind") {
  run_threads(2, [](const ProcessGroup& g) {
    if (g->rank() == 0) (void)std::shared_ptr<Work>(isend(ones({5}), 1));  // its memory is gone
    barrier();
    Tensor x = zeros({3}, kDouble);
    if (g->rank() == 0) send(number(1), 1);
    if (g->rank() == 1) recv(x, 0), expect(same_bits(x, number(1)), "the next one");
  });
}

}  // namespace strata
