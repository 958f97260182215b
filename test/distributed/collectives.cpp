// A collective over ranks gives the bits that it gives over an axis of vmap, and so do its derivatives.
#include <strata/strata.h>

#include <set>

#include "ops/collective_def.h"
#include "test/catch.h"
#include "test/distributed/cases.h"
#include "test/distributed/ranks.h"

namespace strata {
namespace {

using distributed::run_threads;

/// What each of W ranks gets from its row of `x`, stacked.
Tensor on_ranks(const Function& f, const Tensor& x) {
  std::vector<Tensor> results(static_cast<size_t>(x.size(0)));
  run_threads(
      x.size(0), [&](const ProcessGroup& g) { results[static_cast<size_t>(g->rank())] = f(x[g->rank()]).clone(); },
      "i");
  return stack(results);
}

/// Ranks of a kind, each of which has a group "i".
struct Engine {
  const char* name;
  std::function<void(int64_t world, const std::function<void(const ProcessGroup&)>&)> run;
};
std::vector<Engine> engines() {
  return {
    {"threads", [](int64_t world, const auto& body) { run_threads(world, body, "i"); }},
#if STRATA_HAS_GLOO
    {
      "Gloo", [](int64_t world, const auto& body) { run_well(world, body); }
    }
#endif
  };
}

Tensor nonlinear(const Function& f, const Tensor& row) {
  const Tensor y = f(row);
  return (y * y.cos()).sum();
}
Function gradient(const Function& f) {
  return [f](const Tensor& row) { return grad([&](Tensor t) { return nonlinear(f, t); })(row); };
}
Function tangent(const Function& f) {
  return [f](const Tensor& row) { return jvp([&](Tensor t) { return f(t); }, row, row.cos()).second; };
}
Function examples(const Function& f) {
  return [f](const Tensor& row) {
    return vmap([&](Tensor factor) { return f(row * factor); })(tensor({1.0, -0.5}, kDouble));
  };
}

/// Every function, and each use of it that it allows.
std::vector<Case> all_uses(int64_t world) {
  std::vector<Case> all, smooth = cases(world);
  for (const Case& c : invariant_cases()) smooth.push_back(c);
  all.push_back(case_of_values());
  for (const Case& c : smooth)
    for (const Function& f : {c.f, gradient(c.f), tangent(c.f), examples(c.f), examples(gradient(c.f))})
      all.push_back({c.name, f});
  return all;
}

}  // namespace

TEST_CASE("collectives of ranks have the bits of those over an axis of vmap: values, derivatives and nested vmap") {
  for (const Engine& engine : engines())
    for (int64_t world : {1, 2, 3, 4}) {
      const Tensor x = input(world);
      const std::vector<Case> all = all_uses(world);
      std::vector<std::vector<Tensor>> got(all.size(), std::vector<Tensor>(static_cast<size_t>(world)));
      engine.run(world, [&](const ProcessGroup& g) {
        const auto rank = static_cast<size_t>(g->rank());
        for (size_t i = 0; i < all.size(); ++i) got[i][rank] = all[i].f(x[g->rank()]).clone();
      });
      for (size_t i = 0; i < all.size(); ++i) {
        INFO(all[i].name << ", place " << i << ", on " << world << " by " << engine.name);
        CHECK(same_bits(stack(got[i]), on_axis(all[i].f, x)));
      }
    }
}

TEST_CASE("every op of a group's ranks has a case") {
  std::set<std::string_view> seen;
  const Tensor x = input(2);
  std::vector<Case> all = cases(2);
  for (const Case& c : invariant_cases()) all.push_back(c);
  all.push_back(case_of_values());
  run_threads(
      2,
      [&](const ProcessGroup& g) {
        for (const Case& c : all) {
          const auto program = trace([&](Tensor t) { return c.f(t); })(x[g->rank()]);
          for (const auto& equation : program.program().equations())
            if (g->rank() == 0) seen.insert(equation.op->name());
        }
      },
      "i");
  for (const dispatch::Op& op : dispatch::all_ops()) {
    if (!op.is(dispatch::kCollective)) continue;
    INFO(op.name());
    CHECK(seen.contains(op.name()));
  }
}

TEST_CASE("each reduction has the values and derivatives of all_reduce, of which one rank keeps the whole or a piece") {
  const int64_t world = 4, root = 2;
  Tensor x = input(world);
  x[3].copy_(x[0]);  // equal values
  for (const ReduceOp op : {ReduceOp::SUM, ReduceOp::AVG, ReduceOp::PRODUCT, ReduceOp::MIN, ReduceOp::MAX}) {
    INFO(name(op));
    const Function kept = [=](const Tensor& row) {
      const Tensor y = distributed::all_reduce(row, op, "i");
      return where(distributed::axis_index("i") == root, y, zeros_like(y));
    };
    const Function piece = [=](const Tensor& row) {
      return distributed::scatter(distributed::all_reduce(row, op, "i"), 1, "i");
    };
    const std::pair<Function, Function> pairs[] = {
        {kept, [=](const Tensor& row) { return distributed::reduce(row, root, op, "i"); }},
        {piece, [=](const Tensor& row) { return distributed::reduce_scatter_tensor(row, op, "i"); }}};
    for (const auto& [want, f] : pairs) {
      CHECK(same_bits(on_ranks(f, x), on_ranks(want, x)));
      CHECK(allclose(on_ranks(gradient(f), x), on_ranks(gradient(want), x), 1e-12, 1e-14));
      CHECK(allclose(on_ranks(tangent(f), x), on_ranks(tangent(want), x), 1e-12, 1e-14));
    }
  }
}

TEST_CASE("a backward pass on each rank gives what the grad transform gives") {
  const Tensor x = input(3);
  for (const Case& c : cases(3)) {
    INFO(c.name);
    const Tensor eager = on_ranks(
        [&](const Tensor& row) {
          Tensor leaf = row.clone().requires_grad_();
          (c.f(leaf) * c.f(leaf).cos()).sum().backward();
          return leaf.grad();
        },
        x);
    const Tensor functional = on_axis(
        [&](const Tensor& row) { return grad([&](Tensor t) { return (c.f(t) * c.f(t).cos()).sum(); })(row); }, x);
    CHECK(allclose(eager, functional, 1e-13, 1e-13));
  }
}

TEST_CASE("the derivatives over an axis are those of the function of all ranks together") {
  for (int64_t world : {1, 2, 3}) {
    const Tensor x = input(world);
    for (const Case& c : cases(world)) {
      INFO(c.name << " on " << world);
      const auto together = [&](Tensor all) { return on_axis(c.f, all); };
      const Tensor columns = jacfwd(together)(x), rows = jacrev(together)(x);
      CHECK(allclose(columns, rows, 1e-10, 1e-12));
      const Tensor step = randn_like(x) * 1e-6;
      const Tensor difference = (together(x + step) - together(x - step)) / 2;
      const Tensor linear = jvp(together, x, step).second;
      CHECK((difference - linear).abs().max().item<double>() < 1e-12);
    }
  }
}

TEST_CASE("collectives of ranks run under vmap over examples, which travel together") {
  const Tensor x = input(3).unsqueeze(0) + arange(4, kDouble).reshape({4, 1, 1, 1});
  for (const Case& c : cases(3)) {
    INFO(c.name);
    const auto examples = [&](const Tensor& mine) { return vmap([&](Tensor row) { return c.f(row); })(mine); };
    const Tensor ranks = on_ranks(examples, x.transpose(0, 1).contiguous());
    const Tensor one_by_one = on_ranks(
        [&](const Tensor& mine) {
          std::vector<Tensor> each;
          for (int64_t i = 0; i < 4; ++i) each.push_back(c.f(mine[i]));
          return stack(each);
        },
        x.transpose(0, 1).contiguous());
    CHECK(allclose(ranks, one_by_one, 1e-14, 0));  // a sum of many rows adds in another order than that of one
  }
}

TEST_CASE("nested axes: a collective goes over the one that it names") {
  const Tensor x = arange(12, kDouble).reshape({3, 4});
  const auto both = vmap(
      [](Tensor row) {
        return vmap([](Tensor v) { return func::psum(v, "outer") * 100 + func::psum(v, "inner"); },
                    {.axis_name = "inner"})(row);
      },
      {.axis_name = "outer"})(x);
  CHECK(same_bits(both, (x.sum(0, true) * 100 + x.sum(1, true))));
}

TEST_CASE("what all examples share counts for each rank; the sum is the same for all examples") {
  const Tensor sum = vmap([](Tensor x) { return func::psum(x * 0 + 1, "i"); },
                          {.out_dims = nullopt, .axis_name = "i"})(arange(5, kDouble));
  CHECK(sum.item<double>() == 5);
  const Tensor shared = ones({}, kDouble) * 2;
  const Tensor counted =
      vmap([&](Tensor x) { return x + func::psum(shared, "i"); }, {.axis_name = "i"})(ones({3}, kDouble));
  CHECK(same_bits(counted, ones({3}, kDouble) * 7));
}

TEST_CASE("integers, bools, complex numbers and 16-bit floats are collected as well") {
  for (DType t : {kByte, kInt, kLong, kBool, kHalf, kBFloat16, kComplexFloat}) {
    INFO(name(t));
    const Tensor x = (arange(24, kFloat).reshape({4, 6}) / 4).to(t);
    for (const Function& f : std::initializer_list<Function>{
             [](const Tensor& row) { return distributed::all_reduce(row, ReduceOp::SUM, "i"); },
             [](const Tensor& row) { return distributed::all_gather_into_tensor(row, "i"); },
             [](const Tensor& row) { return distributed::broadcast(row, 2, "i"); }})
      CHECK(same_bits(on_ranks(f, x), on_axis(f, x)));
  }
}

TEST_CASE("pieces of different sizes go around") {
  std::vector<Tensor> got(3);
  run_threads(3, [&](const ProcessGroup& g) {
    const int64_t r = g->rank();
    Tensor x = (arange(6, kDouble) + 10 * r).requires_grad_();  // 1, 2, 3 rows go to ranks 0, 1, 2
    const Tensor y = distributed::all_to_all_single(x, {r + 1, r + 1, r + 1}, {1, 2, 3});
    (y * (r + 1)).sum().backward();
    expect(same_bits(x.grad(), tensor({1, 2, 2, 3, 3, 3}, kDouble)), "each row's factor");
    const auto f = [&](Tensor t) { return distributed::all_to_all_single(t, {r + 1, r + 1, r + 1}, {1, 2, 3}); };
    expect(same_bits(jvp(f, x.detach(), x.detach() * 3).second, y.detach() * 3), "tangents go the same way");
    const Tensor both = vmap([&](Tensor factor) { return f(x.detach() * factor); })(tensor({1.0, 2.0}, kDouble));
    expect(same_bits(both, stack({y.detach(), y.detach() * 2})), "examples go together");
    got[static_cast<size_t>(r)] = y.detach();
  });
  CHECK(same_bits(got[0], tensor({0, 10, 20}, kDouble)));
  CHECK(same_bits(got[2], tensor({3, 4, 5, 13, 14, 15, 23, 24, 25}, kDouble)));
}

TEST_CASE("send and recv, both ways at once") {
  run_threads(2, [](const ProcessGroup& g) {
    Tensor mine = full({3}, static_cast<double>(g->rank()), kDouble), other = zeros({3, 2}, kDouble).select(1, 0);
    if (g->rank() == 0) distributed::send(mine, 1), distributed::recv(other, 1);
    if (g->rank() == 1) distributed::recv(other, 0), distributed::send(mine, 0);
    expect(same_bits(other, ones({3}, kDouble) * (1 - g->rank())), "the other's numbers");
  });
}

TEST_CASE("a trace keeps collectives, and a program runs them again") {
  const Tensor x = input(2);
  const Tensor doubled = on_ranks(
      [](const Tensor& row) {
        const auto program = trace([](Tensor t) {
          func::psum(t, "i");  // nobody needs it here, but the other ranks may wait for it
          return func::psum(t * 2, "i") + 1;
        })(row);
        expect(program.program().str().find("all_reduce") != std::string::npos, "a collective in the text");
        expect(program.program().equations().size() == 4, "the sum that nobody needs");
        return program(row);
      },
      x);
  CHECK(same_bits(doubled, on_axis([](const Tensor& row) { return func::psum(row * 2, "i") + 1; }, x)));
}

TEST_CASE("ranks that wait for each other in different calls are told so when their time is over") {
  const auto run = [](const std::function<void(int64_t)>& body) {
    run_threads(
        2, [&](const ProcessGroup& g) { body(g->rank()); }, "i", std::chrono::milliseconds(200));
  };
  Tensor x = ones({2});
  CHECK_THROWS_WITH(
      run([&](int64_t r) { r == 0 ? distributed::barrier() : void(distributed::recv(x, 0)); }),
      Catch::Matchers::ContainsSubstring("has waited in") && Catch::Matchers::ContainsSubstring("for 200 ms"));
  CHECK_THROWS_WITH(run([](int64_t r) {
                      const ProcessGroup part = distributed::split(distributed::Group("i").get(), 0, r, "part");
                      if (r == 0) distributed::barrier(part);
                      if (r == 1) distributed::barrier("i");
                    }),
                    Catch::Matchers::ContainsSubstring("has waited in barrier for 200 ms"));
}

TEST_CASE("wrong calls are told of on every rank, and nobody waits for a rank that has gone") {
  const auto error_of = [](int64_t world, const std::function<void(int64_t)>& body) {
    try {
      run_threads(world, [&](const ProcessGroup& g) { body(g->rank()); });
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const auto contains = [](const std::string& text, const char* part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  };
  const Tensor x = ones({4, 2});
  contains(error_of(2, [&](int64_t) { distributed::broadcast(x, 2); }), "there is no rank 2 among 2");
  contains(error_of(3, [&](int64_t) { distributed::reduce_scatter_tensor(x); }), "4, which 3 ranks cannot share");
  contains(error_of(2, [&](int64_t r) { distributed::all_reduce(r == 0 ? x : x.to(kDouble)); }),
           "rank 0 all_reduce (SUM) of 8 float32, rank 1 all_reduce (SUM) of 8 float64");
  contains(error_of(2, [&](int64_t r) { distributed::all_reduce(r == 0 ? x : x[0]); }),
           "rank 0 all_reduce (SUM) of 8 float32, rank 1 all_reduce (SUM) of 2 float32");
  contains(error_of(2, [&](int64_t r) { r == 0 ? distributed::all_reduce(x) : distributed::broadcast(x, 0); }),
           "rank 0 all_reduce (SUM) of 8 float32, rank 1 broadcast of 8 float32, root 0");
  contains(error_of(3,
                    [&](int64_t r) {
                      STRATA_CHECK(r != 1, "rank one broke");
                      distributed::barrier();
                    }),
           "rank one broke");
  contains(error_of(2,
                    [&](int64_t r) {
                      if (r == 0) distributed::barrier();
                    }),
           "rank 1 has ended already");
  contains(error_of(1, [&](int64_t) { distributed::all_reduce(x, ReduceOp::SUM, "nowhere"); }), "called nowhere");
  CHECK_THROWS_WITH(distributed::all_reduce(x),
                    "distributed: there is no process group; call init_process_group() first");
  CHECK_THROWS_WITH(vmap([](Tensor t) { return t * distributed::get_rank("i"); }, {.axis_name = "i"})(x),
                    "vmap: axis i has all ranks at once, so there is no number of this one; use axis_index");
}

}  // namespace strata
