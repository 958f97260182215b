// Control flow inside of programs: their text, what is captured, hoisted, drawn and kept, and what is refused.
#include <strata/strata.h>
#include <strata/transforms/program_field.h>

#include <sstream>

#include "test/catch.h"
#include "test/error_of.h"
#include "test/transforms/values.h"

namespace strata {
namespace {

template <class F, class... X>
std::string text(const F& f, const X&... x) {
  std::ostringstream out;
  out << trace(f)(x...);
  return out.str();
}

size_t count(const std::string& s, const std::string& part) {
  size_t n = 0;
  for (size_t at = s.find(part); at != s.npos; at = s.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("control flow: the text of loops, with captured tensors as operands") {
  const Tensor scale = ramp(2);
  const auto f = [scale](Tensor x) {
    return while_loop([](Tensor c) { return c.sum() < 100; }, [&](Tensor c) { return c * scale + x; }, x * 0);
  };
  CHECK(text(f, ones({2})) ==
        "{ lambda a:f32[2]; b:f32[2]. let\n"
        "    c:f32[2] = mul b 0.0:f32[2]\n"
        "    d:f32[2] = while[\n"
        "      cond={ lambda ; a:f32[2]. let\n"
        "          b:f32[] = sum[dims=(0,) keepdim=False] a\n"
        "          c:bool[] = lt b 100.0:f32[]\n"
        "        in (c,) }\n"
        "      body={ lambda ; a:f32[2] b:f32[2] c:f32[2]. let\n"
        "          d:f32[2] = mul c a\n"
        "          e:f32[2] = add d b\n"
        "        in (e,) }\n"
        "      cond_consts=0\n"
        "      body_consts=2\n"
        "    ] a b c\n"
        "  in (d,) }");
  const auto g = [](Tensor x) {
    return scan([x](Tensor c, Tensor t) { return std::pair(c + t * x.exp(), std::tuple<>()); }, zeros({}), ramp(3))
        .first;
  };
  CHECK(text(g, scalar_tensor(1.0)) ==
        "{ lambda a:f32[3]; b:f32[]. let\n"
        "    c:f32[] = exp b\n"  // no step changes it
        "    d:f32[] = scan[\n"
        "      body={ lambda ; a:f32[] b:f32[] c:f32[]. let\n"
        "          d:f32[] = mul c a\n"
        "          e:f32[] = add b d\n"
        "        in (e,) }\n"
        "      consts=1\n"
        "      carry=1\n"
        "      length=3\n"
        "      reverse=False\n"
        "      recompute=False\n"
        "    ] c 0.0:f32[] a\n"
        "  in (d,) }");
  CHECK(trace(f)(ones({2})).program().to_dot().find("while") != std::string::npos);
}

TEST_CASE("control flow: programs compare by what is inside") {
  const auto power = [](double factor) {
    return [factor](Tensor x) {
      return fori_loop(
          0, 3, [factor](Tensor, Tensor p) { return p * factor; }, x);
    };
  };
  const Tensor x = scalar_tensor(2.0);
  CHECK(trace(power(2))(x) == trace(power(2))(x));
  CHECK_FALSE(trace(power(2))(x) == trace(power(3))(x));
  const auto both = compile([&](Tensor x) { return std::pair(power(2)(x), power(3)(x)); });
  CHECK(both(x).first.item<double>() == 16);
  CHECK(both(x).second.item<double>() == 54);
}

TEST_CASE("control flow: the body is traced once, and a program of it is as long for any number of steps") {
  int calls = 0;
  const auto f = [&calls](int64_t n) {
    return [&calls, n](Tensor x) {
      return fori_loop(
          0, n, [&](Tensor, Tensor c) { return ++calls, c * x; }, ones_like(x));
    };
  };
  const Tensor x = scalar_tensor(1.0);
  const std::string ten = text(f(10), x), many = text(f(10000), x);
  CHECK(calls == 2);
  CHECK(std::abs(static_cast<int64_t>(ten.size()) - static_cast<int64_t>(many.size())) < 10);
  CHECK(grad(trace(f(10000))(x))(x).item<double>() == 10000);
  CHECK(trace(grad(f(10000)))(x)(x).item<double>() == 10000);
}

TEST_CASE("control flow: reverse mode of scan keeps what steps change, and makes the rest once") {
  const auto f = [](Tensor w) {
    return scan([w](Tensor h, Tensor x) { return std::pair((matmul(w, h) + x).sin(), std::tuple<>()); }, ones({3}),
                ones({5, 3}))
        .first.sum();
  };
  const std::string program = text(grad(f), eye(3));
  CHECK(count(program, "= scan[") == 2);
  CHECK(program.find("f32[5,3,3]") == std::string::npos);  // w and its transpose are not stacked
  const auto kept = [](Tensor w) {
    const auto step = [w](Tensor h, Tensor) { return std::pair((matmul(w, h)).sin().cos().exp(), std::tuple<>()); };
    return scan(step, ones({3}), ones({6, 3}), {.checkpoint_every = 3}).first.sum();
  };
  const std::string checkpointed = text(grad(kept), eye(3));
  CHECK(count(checkpointed, "recompute=True") == 1);
  CHECK(checkpointed.find(":f32[6,3] =") == std::string::npos);
  CHECK(trace(grad(kept))(eye(3))(eye(3)).allclose(grad(kept)(eye(3))));
}

TEST_CASE("control flow: what is captured from outside of a compiled function may change") {
  Tensor flag = zeros({}), scale = full({}, 3.0);
  const auto f = compile([&](Tensor x) {
    return cond(
        flag > 0, [&](Tensor v) { return v * scale; }, [](Tensor v) { return -v; }, x);
  });
  const Tensor x = ones({2});
  CHECK(f(x).equal(-x));
  flag.fill_(1);
  CHECK(f(x).equal(3 * x));
  scale.fill_(5);
  CHECK(f(x).equal(5 * x));
  CHECK(compile_stats(f).programs == 1);
}

TEST_CASE("control flow: gradients of captured tensors, eagerly and through a program that runs") {
  Tensor w = full({}, 2.0).requires_grad_();
  const auto f = [&](Tensor x) {
    const Tensor h = while_loop([](Tensor c) { return c < 10; }, [&](Tensor c) { return c * w; }, x);
    return cond(
        h > 0, [&](Tensor v) { return v * w; }, [](Tensor v) { return v.clone(); }, h);
  };
  const Tensor x = ones({});  // 1, 2, 4, 8, 16 and once more: w^5
  f(x).backward();
  CHECK(w.grad().item<double>() == 80);
  w.mutable_grad().reset();
  trace(f)(x)(x).backward();
  CHECK(w.grad().item<double>() == 80);
  w.mutable_grad().reset();
  compile(f)(x).backward();
  CHECK(w.grad().item<double>() == 80);
}

TEST_CASE("control flow: regions without gradients, integers, undefined tensors and nests") {
  const auto f = [](Tensor x) {
    const auto step = [x](std::tuple<Tensor, std::vector<Tensor>, Tensor> c, std::pair<Tensor, Tensor> xs) {
      auto [sum, list, none] = c;
      Tensor held;
      {
        const NoGradGuard no_grad;
        held = x * 2;
      }
      list[1] = list[1] + xs.second;
      return std::pair(std::tuple(sum + held * xs.first * x, list, none), std::map<std::string, Tensor>{{"y", sum}});
    };
    const auto init = std::tuple(zeros({}), std::vector<Tensor>{ones({2}), zeros({}, kLong)}, Tensor());
    const auto [carry, ys] = scan(step, init, std::pair(ramp(4), arange(4)));
    CHECK_FALSE(std::get<2>(carry).defined());
    return std::pair(std::get<0>(carry) + ys.at("y").sum(), std::get<1>(carry)[1]);
  };
  const Tensor x = scalar_tensor(3.0);
  const auto loss = [f](Tensor v) { return f(v).first; };
  CHECK(f(x).second.item<int64_t>() == 6);
  CHECK(trace(f)(x)(x).second.item<int64_t>() == 6);
  CHECK(trace(loss)(x)(x).equal(loss(x)));
  CHECK(grad(loss)(x).item<double>() == 2 * 3 * (6 + 0 + 0 + 1 + 3));  // held counts as a constant
  CHECK(trace(grad(loss))(x)(x).equal(grad(loss)(x)));
}

TEST_CASE("control flow: random numbers are drawn anew in each step, as eager code draws them") {
  const auto f = [](Tensor x) {
    return scan([](Tensor c, Tensor t) { return std::pair(c * rand({}) + t, rand({2})); }, x, ramp(3));
  };
  const Tensor x = ones({});
  const auto program = trace(f)(x);
  for (const int seed : {1, 2}) {
    manual_seed(seed);
    const auto [carry, ys] = f(x);
    manual_seed(seed);
    const auto [same, drawn] = program(x);
    CHECK(same.equal(carry));
    CHECK(drawn.equal(ys));
  }
  const auto first = [f](Tensor x) { return f(x).first; };
  manual_seed(3);
  const Tensor slope = grad(first)(x);
  const auto slopes = trace(grad(first))(x);
  manual_seed(3);
  CHECK(slopes(x).equal(slope));
  const auto twice = compile([f](Tensor x) { return f(x).second + f(x).second; });
  manual_seed(4);
  const Tensor sum = f(x).second + f(x).second;
  manual_seed(4);
  CHECK(twice(x).equal(sum));
  CHECK(error_of([&] { trace(vmap(first, {.randomness = Randomness::different}))(ones({2})); }).find("with keys") !=
        std::string::npos);
  CHECK(vmap(program, {.randomness = Randomness::different})(ones({2})).second.sizes() == IntArrayRef({2, 3, 2}));
  CHECK(error_of([&] {
          scan([](Tensor c, Tensor) { return std::pair(c * rand({}), c); }, x, ramp(3), {.checkpoint_every = 2});
        }).find("would draw again") != std::string::npos);
}

TEST_CASE("control flow: operands that are pairs, none, and results that are numbers") {
  const auto f = [](Tensor x) {
    using Pair = std::pair<Tensor, int>;
    const Tensor scaled = cond(
        x.sum() > 0, [](Pair p) { return p.first * p.second; }, [](Pair p) { return p.first; }, Pair(x, 3));
    const Tensor sign = cond(
        x.sum() > 0, [] { return 1.0; }, [] { return -1.0; });
    return scaled * sign;
  };
  for (const Tensor& x : {ones({2}), -ones({2})}) {
    CHECK(f(x).equal(x.sum().item<float>() > 0 ? 3 * x : -x));
    CHECK(trace(f)(x)(x).equal(f(x)));
    CHECK(vmap(f)(x.unsqueeze(0)).equal(f(x).unsqueeze(0)));
  }
}

namespace {

/// The fields of params and their programs.
struct Fields final : dispatch::FieldVisitor, func::ProgramVisitor {
  void integer(int64_t v) override { all.push_back(v); }
  void real(double) override { FAIL(); }
  void boolean(bool v) override { all.push_back(v); }
  void integers(IntArrayRef) override { FAIL(); }
  void text(std::string_view) override { FAIL(); }
  void program(const func::Program& p) override { lists.push_back({p}); }
  void programs(const std::vector<func::Program>& list) override { lists.push_back(list); }
  std::vector<int64_t> all;
  std::vector<std::vector<func::Program>> lists;
};

/// Gives them back in order.
class FieldsAgain final : public dispatch::FieldReader, public func::ProgramReader {
 public:
  explicit FieldsAgain(Fields fields) : fields_(std::move(fields)) {}
  int64_t integer() override { return fields_.all.at(next_integer_++); }
  bool boolean() override { return integer() != 0; }
  func::Program program() override { return programs().at(0); }
  std::vector<func::Program> programs() override { return fields_.lists.at(next_program_++); }
  double real() override { throw Error("no reals"); }
  DimVector integers() override { throw Error("no lists"); }
  std::string text() override { throw Error("no texts"); }
  Scalar number() override { throw Error("no numbers"); }

 private:
  const Fields fields_;
  size_t next_integer_ = 0, next_program_ = 0;
};

}  // namespace

TEST_CASE("control flow: params are read back from their fields, programs included") {
  const auto f = [](Tensor x) {
    const Tensor h = while_loop([](Tensor c) { return c < 10; }, [&](Tensor c) { return c * 2; }, x);
    const Tensor g = fori_loop(
        0, 3, [&](Tensor, Tensor c) { return c + h; }, x);
    return cond(
        g > 0, [&](Tensor v) { return v * h; }, [](Tensor v) { return v.clone(); }, g);
  };
  const Tensor x = ones({});
  const func::Program program = trace(f)(x).program();
  func::Program::Body body = program.body();
  int read = 0;
  for (func::Program::Equation& e : body.equations) {
    Fields fields;
    if (func::programs_in(e.params).empty()) continue;
    dispatch::Params(e.params).visit_fields(fields);
    FieldsAgain again(std::move(fields));
    e.params = dispatch::OwnedParams::read(*e.op->params, again);
    ++read;
  }
  CHECK(read == 3);
  const func::Program again(std::move(body));
  CHECK(again == program);
  CHECK(again({x})[0].equal(f(x)));
}

TEST_CASE("control flow: no steps, and empty xs") {
  const auto f = [](Tensor x) {
    return scan([](Tensor c, Tensor t) { return std::pair(c + t.sum(), c * ones({2, 3})); }, x, zeros({0, 4}));
  };
  const Tensor x = scalar_tensor(3.0);
  for (const auto& [carry, ys] : {f(x), trace(f)(x)(x), vmap(f, {.out_dims = 0})(x.unsqueeze(0))}) {
    CHECK(carry.item<double>() == 3);
    CHECK(ys.numel() == 0);
    CHECK(ys.size(-1) == 3);
  }
  const auto counted =
      scan([](Tensor c, std::tuple<>) { return std::pair(c + 1, c); }, 0, std::tuple<>(), {.length = 3});
  CHECK(counted.first.item<int64_t>() == 3);
  CHECK(counted.second.equal(arange(3)));
  CHECK(func::map([](Tensor r) { return r + 1; }, zeros({0, 2}), {.batch_size = 4}).sizes() == IntArrayRef({0, 2}));
}

TEST_CASE("control flow: wrong branches, carries and predicates say what is wrong") {
  const Tensor x = ones({3}), yes = scalar_tensor(true);
  const auto traced = [&](auto f) { return error_of([&] { trace(f)(x); }); };
  const auto is = [](const std::string& error, const std::string& part) { return error.find(part) != error.npos; };

  CHECK(is(traced([](Tensor v) {
             return cond(
                 v.sum() > 0, [](Tensor a) { return a; }, [](Tensor a) { return a.sum(); }, v);
           }),
           "cond: branch 1 returns (f32[3]), branch 0 (f32[]); all must return the same"));
  CHECK(is(traced([](Tensor v) {
             return switch_(v.sum().to(kLong), std::tuple([](Tensor a) { return a > 0; }, [](Tensor a) { return a; }),
                            v);
           }),
           "switch_: branch 1 returns (f32[3]), branch 0 (bool[3])"));
  CHECK(is(traced([](Tensor v) {
             return cond(
                 v.sum() > 0,
                 [](Tensor a) {
                   return std::vector<Tensor>{a, a};
                 },
                 [](Tensor a) { return std::vector<Tensor>{a}; }, v);
           }),
           "cond: branch 1 returns (f32[3], f32[3]), branch 0 (f32[3])"));
  CHECK(is(traced([](Tensor v) {
             return cond(
                        v.sum() > 0, [](Tensor a) { return std::pair(a, 1); }, [](Tensor a) { return std::pair(a, 2); },
                        v)
                 .first;
           }),
           "cond: what its functions return, or the carry before and after a step, differs in a number"));
  CHECK(is(traced([](Tensor v) {
             return cond(
                 v > 0, [](Tensor a) { return a; }, [](Tensor a) { return -a; }, v);
           }),
           "cond: what decides has shape (3,); it must be a scalar"));
  CHECK(is(error_of([&] {
             cond(
                 x > 0, [](Tensor a) { return a; }, [](Tensor a) { return -a; }, x);
           }),
           "cond: what decides has shape (3,); it must be a scalar"));
  CHECK(is(traced([](Tensor v) {
             return while_loop([](Tensor c) { return c.sum() < 9; }, [](Tensor c) { return c.sum(); }, v);
           }),
           "while_loop: the carry is (f32[3]), the body returns (f32[])"));
  CHECK(is(
      traced([](Tensor v) { return while_loop([](Tensor c) { return c.sum(); }, [](Tensor c) { return c + 1; }, v); }),
      "while_loop: the condition is f32[]; it must be a bool scalar"));
  CHECK(is(traced([](Tensor v) {
             return scan([](Tensor c, Tensor t) { return std::pair((c + t).to(kDouble), t); }, v, ramp(3)).first;
           }),
           "scan: the carry is (f32[3]), the body returns (f64[3])"));
  CHECK(is(traced([](Tensor v) {
             return scan([](std::pair<Tensor, int> c,
                            Tensor t) { return std::pair(std::pair(c.first + t, c.second + 1), t); },
                         std::pair(v, 0), ramp(3))
                 .first.first;
           }),
           "scan: what its functions return, or the carry"));
  CHECK(is(error_of([&] { scan([](Tensor c, std::tuple<>) { return std::pair(c, c); }, x, std::tuple<>()); }),
           "has to be given as length"));
  CHECK(is(error_of([&] {
             scan([](Tensor c, std::pair<Tensor, Tensor>) { return std::pair(c, c); }, x, std::pair(ramp(2), ramp(3)));
           }),
           "scan: the sizes of xs (or length) differ: 2 and 3"));
}

TEST_CASE("control flow: writes to tensors from outside, values that are read, and reverse mode of while_loop") {
  const auto is = [](const std::string& error, const std::string& part) { return error.find(part) != error.npos; };
  Tensor count = zeros({});
  const auto writes = [&](Tensor v) {
    return fori_loop(
        0, 3, [&](Tensor, Tensor c) { return count.add_(1), c + v; }, v);
  };
  CHECK(is(error_of([&] { trace(writes)(ones({})); }), "writes to a tensor of shape () from outside of it"));
  CHECK(is(error_of([&] { compile(writes)(ones({})); }), "return the new value, or carry it"));
  CHECK(count.item<double>() == 0);
  writes(ones({}));
  CHECK(count.item<double>() == 3);
  const auto own = [](Tensor v) {
    return fori_loop(
        0, 3,
        [&](Tensor, Tensor c) {
          Tensor y = zeros({2});
          y[0] = c.sum();
          return y + v;
        },
        v);
  };
  CHECK(trace(own)(ones({2}))(ones({2})).equal(own(ones({2}))));
  CHECK(is(error_of([&] { trace([](Tensor v) { return v.item<float>() > 0 ? v : -v; })(ones({})); }),
           "use where(), cond or while_loop"));
  const auto loop = [](Tensor v) {
    return while_loop([](Tensor c) { return c < 9; }, [](Tensor c) { return c * 2; }, v);
  };
  CHECK(is(error_of([&] { trace(grad(loop))(ones({})); }), "use scan, or fori_loop with C++ integers as its bounds"));
  CHECK(grad(loop)(ones({})).item<double>() == 16);
}

TEST_CASE("control flow: eager loops take carries that change their shape") {
  const Tensor grown = while_loop([](Tensor c) { return c.numel() < 9; },
                                  [](Tensor c) {
                                    return cat({c, c});
                                  },
                                  ones({2}));
  CHECK(grown.numel() == 16);
  const auto [counted, steps] =
      while_loop([](std::pair<Tensor, int> c) { return c.second < 3; },
                 [](std::pair<Tensor, int> c) { return std::pair(c.first * 2, c.second + 1); }, std::pair(ones({}), 0));
  CHECK(counted.item<double>() == 8);
  CHECK(steps == 3);
}

}  // namespace strata
