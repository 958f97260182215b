// Programs with branches and loops as files: they come back as they were, and the programs in them are not believed.
#include "exchange/program_json.h"
#include "test/exchange/programs.h"
#include "test/files.h"
#include "transforms/control_ops.h"

using namespace strata;
using namespace strata::test;
using Catch::Matchers::ContainsSubstring;
using func::Program;

namespace {

Tensor root(Tensor x) {
  return cond(
      x.sum() > 0, [](Tensor v) { return v.abs().sqrt(); }, [](Tensor v) { return v * 0.1; }, x);
}
/// Doubles until the sum is large, in a number of steps that differs between examples.
Tensor doubled(Tensor x) {
  return while_loop([x](Tensor c) { return c.sum() < x.sum() + 20; }, [x](Tensor c) { return c * 2 + x.exp(); }, x);
}
Tensor recurrent(Tensor w) {
  const auto step = [w](Tensor h, Tensor x) { return std::pair((w * h + x).sin(), h.sum()); };
  const auto [last, sums] = scan(step, zeros({3}), arange(12, kFloat).view({4, 3}) / 7);
  return last + sums.sum();
}
/// A loop with a branch and a loop of unknown length in it.
Tensor nested(Tensor x) {
  const auto step = [x](Tensor, Tensor h) {
    const Tensor chosen = cond(
        h.sum() > 1, [x](Tensor v) { return recurrent(v * 0.1) + x; }, [](Tensor v) { return doubled(v.cos()); }, h);
    return chosen * 0.25;
  };
  return fori_loop(0, 3, step, x);
}

template <class F>
Program program_of(const F& f, const Tensor& x) {
  return trace(f)(x).program();
}
auto called(const Program& p) {
  return [p](Tensor x) { return p({x})[0]; };
}
auto total(const Program& p) {
  return [p](Tensor x) { return p({x})[0].sum(); };
}

void check_round_trip(const Program& program, const Tensor& x) {
  const std::string bytes = saved(program);
  const Program back = loaded(bytes);
  CHECK(back == program);
  CHECK(back.str() == program.str());
  CHECK(saved(back) == bytes);
  CHECK(same_bits(back({x}), program({x})));
}

/// Bits of the loaded program are those of the function, by itself and under each transform.
template <class F>
void check_as_function(const F& f) {
  const Tensor x = tensor({0.3f, 0.5f, 0.9f}), xs = stack({x, -x, 2 * x});
  const Program program = program_of(f, x), back = again(program);
  check_round_trip(program, x);
  check_round_trip(program_of([&](Tensor t) { return jvp(f, t, ones_like(t)).second; }, x), x);
  check_round_trip(program_of(vmap(f), xs), xs);
  const auto sum = [&](Tensor t) { return f(t).sum(); };
  for (const Tensor& t : {x, -x}) {
    CHECK(called(back)(t).equal(f(t)));
    CHECK(grad(total(back))(t).equal(grad(total(program))(t)));
    CHECK(grad(total(back))(t).allclose(grad(sum)(t)));
    CHECK(jvp(called(back), t, t).second.equal(jvp(called(program), t, t).second));
    const auto compiled = compile(back);
    for (int i = 0; i < 2; ++i) CHECK(same_bits(compiled(std::vector{t}), program({t})));
  }
  CHECK(vmap(called(back))(xs).equal(vmap(called(program))(xs)));
  CHECK(vmap(called(back))(xs).allclose(stack({f(x), f(-x), f(2 * x)})));
  CHECK(trace(called(back))(x).program() == program);
}

/// `cond` in `cond` in ..., with one of complex128 inside.
Tensor deep(int64_t depth, Tensor x) {
  if (depth == 0) return x.clone().fill_(Complex<double>(1.5, -0.0)) * x;
  return cond(
      x.abs().sum() > 1, [depth](Tensor v) { return deep(depth - 1, v); }, [](Tensor v) { return -v; }, x);
}
Program deep_program(int64_t depth) {
  return program_of([depth](Tensor x) { return deep(depth, x); }, ones({2}, kComplexDouble));
}

/// A branch that was made by hand, as it keeps constants; those that trace makes are operands.
Program with_constants() {
  const Tensor c = tensor({1.0f, 2.0f}), d = tensor({3.0f, 5.0f});
  const auto times = [](const Tensor& t) { return program_of([t](Tensor x) { return x * t; }, ones({2})); };
  const Program::Type type{kFloat, kCPU, {2}};
  Program::Body body{{{kLong, kCPU, {}}, type, type, type}, {0, 1}, {{2, c * 7, true}}, {}, {3, 2}};
  const func::control::CondParams params{{times(c), times(d)}};
  body.equations.push_back(
      {&func::control::cond_op, func::OwnedParams(dispatch::Params::of(params)), true, {0, 1}, {3}});
  return Program(body);
}

std::string error(const Program& program, const char* old, const std::string& fresh) {
  const std::string message = error_of([&] { loaded(with_text(program, old, fresh)); });
  CHECK(message.find('\n') == message.npos);
  return message;
}

}  // namespace

TEST_CASE("a loaded program with a branch is the function") { check_as_function(root); }
TEST_CASE("a loaded program with a scan is the function") {
  check_as_function(recurrent);
  const Tensor x = tensor({0.3f, 0.5f, 0.9f});
  check_round_trip(program_of(grad([](Tensor t) { return recurrent(t).sum(); }), x), x);
  const auto kept = [](Tensor w) {
    const auto step = [w](Tensor h, Tensor t) { return std::pair((w * h + t).sin(), std::tuple<>()); };
    return scan(step, w, ones({5, 3}), {.reverse = true, .checkpoint_every = 2}).first.sum();
  };
  check_round_trip(program_of(kept, x), x);
  check_round_trip(program_of(grad(kept), x), x);
}

TEST_CASE("a loaded program with a loop of unknown length is the function") {
  const Tensor x = tensor({0.3f, 0.5f, 0.9f}), xs = stack({x, -x, 2 * x});
  const Program program = program_of(doubled, x), back = again(program);
  check_round_trip(program, x);
  check_round_trip(program_of(vmap(doubled), xs), xs);
  check_round_trip(program_of([](Tensor t) { return jvp(doubled, t, ones_like(t)).second; }, x), x);
  CHECK(called(back)(x).equal(doubled(x)));
  CHECK(grad(total(back))(x).equal(grad(total(program))(x)));
  CHECK(jvp(called(back), x, x).second.allclose(jvp(doubled, x, x).second));
  CHECK(vmap(called(back))(xs).allclose(stack({doubled(x), doubled(-x), doubled(2 * x)})));
  CHECK(compile(back)(std::vector{x})[0].equal(doubled(x)));
}

TEST_CASE("a loaded program with loops in branches in a loop is the function") { check_as_function(nested); }

TEST_CASE("what bodies of loops draw, loaded ones draw") {
  const auto noisy = [](Tensor x) {
    return fori_loop(
        0, 3, [](Tensor, Tensor c) { return c + rand({3}); }, x);
  };
  const Program program = program_of(noisy, zeros({3})), back = again(program);
  CHECK(back == program);
  manual_seed(5);
  const std::vector<Tensor> expected = program({zeros({3})});
  manual_seed(5);
  CHECK(same_bits(back({zeros({3})}), expected));
  CHECK_FALSE(same_bits(back({zeros({3})}), expected));
}

TEST_CASE("constants of programs in programs have keys that say where they are") {
  const Program program = with_constants();
  const std::string bytes = saved(program);
  for (const char* key : {"\"constants.0\"", "\"constants.0.branches.0.0\"", "\"constants.0.branches.1.0\""})
    CHECK(bytes.find(key) != bytes.npos);
  const Program back = loaded(bytes);
  CHECK(saved(back) == bytes);
  for (int64_t i : {0, 1})
    CHECK(same_bits(back({scalar_tensor(i, kLong), ones({2})}), program({scalar_tensor(i, kLong), ones({2})})));
  CHECK(same_bits(back({scalar_tensor(1, kLong), ones({2})}), {tensor({3.0f, 5.0f}), tensor({7.0f, 14.0f})}));
}

TEST_CASE("programs are saved as deep as they are loaded") {
  const int64_t most = func::exchange::kMostNested;
  const Program program = deep_program(most);
  check_round_trip(program, full({2}, Complex<double>(1, 2), kComplexDouble));
  CHECK_THROWS_WITH(saved(deep_program(most + 1)), ContainsSubstring("nested more than 11 deep"));
  CHECK_THAT(error(program, "\"params\":{\"branches\":[", "\"params\":{\"branches\":[" + std::string(90, '[')),
             ContainsSubstring("JSON is nested more than 64 deep"));
}

TEST_CASE("programs with code in a body, or one that writes, cannot be saved") {
  const auto code = func::checkpoint([](Tensor x) { return x.sin(); });
  const auto loop = [&](Tensor x) {
    return fori_loop(
        0, 3, [&](Tensor, Tensor c) { return code(c); }, x);
  };
  CHECK_THROWS_WITH(saved(program_of(loop, ones({2}))), ContainsSubstring("code"));
  CHECK_THAT(
      error(program_of(root, ones({2})), "\"effects\":[]", R"("effects":[{"target":0,"value":0,"recording":true}])"),
      ContainsSubstring("equation 3 (cond): a program among its params writes to its inputs"));
}

TEST_CASE("branches of a file are not believed") {
  const Program program = program_of(root, ones({2}));
  const auto fails = [&](const char* old, const char* fresh) { return error(program, old, fresh); };
  CHECK_THAT(fails("[{\"variables\"", "[7,{\"variables\""), ContainsSubstring("params.branches[0] is no object"));
  CHECK_THAT(fails("\"op\":\"cond\"", "\"op\":\"scan\""), ContainsSubstring("lacks 'body'"));
  CHECK_THAT(fails("cast_to_integer\",\"version\":1,\"params\":{\"dtype\":\"int64",
                   "cast_to_integer\",\"version\":1,\"params\":{\"dtype\":\"int32"),
             ContainsSubstring("recorded"));
  CHECK_THAT(fails("\"inputs\":[4,0]", "\"inputs\":[4]"), ContainsSubstring("takes (f32[2]), it is given ()"));
  CHECK_THAT(fails("\"inputs\":[4,0]", "\"inputs\":[4,0,0]"),
             ContainsSubstring("takes (f32[2]), it is given (f32[2], f32[2])"));
  CHECK_THAT(fails("\"inputs\":[4,0]", "\"inputs\":[]"), ContainsSubstring("takes 2 inputs, 0 are given"));
  CHECK_THAT(fails("\"inputs\":[4,0]", "\"inputs\":[0,0]"), ContainsSubstring("does not fit []"));
  CHECK_THAT(fails("\"inputs\":[4,0]", "\"inputs\":[1,0]"), ContainsSubstring("is not of int64"));
  CHECK_THAT(fails("\"inputs\":[4,0]", "\"inputs\":[null,0]"), ContainsSubstring("input 0 is undefined"));
  CHECK_THAT(fails("\"outputs\":[2],\"effects\":[]},", "\"outputs\":[2,2],\"effects\":[]},"),
             ContainsSubstring("branch 1 returns (f32[2]), branch 0 (f32[2], f32[2])"));
  CHECK_THAT(fails("\"outputs\":[2],\"effects\":[]},", "\"outputs\":[null],\"effects\":[]},"),
             ContainsSubstring("has an undefined tensor"));
  CHECK_THAT(fails("\"effects\":[]", "\"effects\":[],\"version\":[1,0]"), ContainsSubstring("has 'version'"));
  CHECK_THAT(fails("{\"op\":\"mul\"", "{\"op\":\"nonzero\""),
             ContainsSubstring("equation 3 (cond): equation 0 (nonzero)"));
  CHECK_THAT(fails("\"constants\":[{\"variable\":1", "\"constants\":[{\"variable\":0"),
             ContainsSubstring("constants[0].variable is defined twice"));
  const Program constants = with_constants();
  const std::string bytes = saved(constants);
  std::string renamed = bytes;
  renamed.replace(renamed.find("constants.0.branches.1.0"), 24, "constants.0.branches.2.0");
  CHECK_THROWS_WITH(loaded(renamed), ContainsSubstring("constant 'constants.0.branches.1.0': there is no such tensor"));
}

TEST_CASE("an equation without branches is refused") {
  Program::Body body{{{kLong, kCPU, {}}, {kFloat, kCPU, {}}}, {0}, {}, {}, {1}};
  body.equations.push_back(
      {&func::control::cond_op, func::OwnedParams(dispatch::Params::of(func::control::CondParams{})), true, {0}, {1}});
  CHECK_THROWS_WITH(saved(Program(body)), ContainsSubstring("there is no branch"));
}

TEST_CASE("loops of a file are not believed") {
  const Program loop = program_of(doubled, ones({2}));
  const auto fails = [&](const char* old, const char* fresh) { return error(loop, old, fresh); };
  for (const char* count : {"-1", "9", "9223372036854775807", "-9223372036854775808", "3"}) {
    CHECK_THAT(fails("\"cond_consts\":1", (std::string("\"cond_consts\":") + count).c_str()),
               ContainsSubstring("(while)"));
    CHECK_THAT(fails("\"body_consts\":1", (std::string("\"body_consts\":") + count).c_str()),
               ContainsSubstring("(while)"));
  }
  CHECK_THAT(fails("\"cond_consts\":1", "\"cond_consts\":4"),
             ContainsSubstring("constants is 4, it has to be from 0 to 3"));
  CHECK_THAT(fails("\"op\":\"lt\"", "\"op\":\"add\""), ContainsSubstring("equation"));
  CHECK_THAT(fails("\"cond_consts\":1", "\"cond_consts\":true"), ContainsSubstring("is no integer"));

  const Program steps = program_of(recurrent, ones({3}));
  const auto refused = [&](const char* old, const char* fresh) { return error(steps, old, fresh); };
  CHECK_THAT(refused("\"length\":4", "\"length\":5"), ContainsSubstring("is not the number of steps"));
  CHECK_THAT(refused("\"length\":4", "\"length\":-4"), ContainsSubstring("length is -4"));
  CHECK_THAT(refused("\"length\":4", "\"length\":9223372036854775808"), ContainsSubstring("is no integer"));
  CHECK_THAT(refused("\"consts\":1", "\"consts\":4"), ContainsSubstring("constants is 4, it has to be from 0 to 3"));
  CHECK_THAT(refused("\"consts\":1", "\"consts\":-1"), ContainsSubstring("constants is -1"));
  CHECK_THAT(refused("\"consts\":1", "\"consts\":3"), ContainsSubstring("carried tensors is 1"));
  CHECK_THAT(refused("\"consts\":1", "\"consts\":0"), ContainsSubstring("(scan)"));
  CHECK_THAT(refused("\"carry\":1", "\"carry\":3"), ContainsSubstring("carried tensors is 3"));
  CHECK_THAT(refused("\"carry\":1", "\"carry\":2"), ContainsSubstring("(scan)"));
  CHECK_THAT(refused("\"carry\":1", "\"carry\":0"), ContainsSubstring("is not the number of steps"));

  const auto noisy = [](Tensor x) {
    return scan([](Tensor c, std::tuple<>) { return std::pair(c, rand({3})); }, x, std::tuple<>(), {.length = 3})
        .second;
  };
  const Program draws = program_of(noisy, ones({2}));
  CHECK_THAT(error(draws, "\"recompute\":false", "\"recompute\":true"), ContainsSubstring("draws from the default"));
  CHECK_THAT(error(draws, "\"length\":3", "\"length\":4611686018427387904"), ContainsSubstring("is too large"));
  CHECK_THAT(error(draws, "\"length\":3", "\"length\":4"),
             ContainsSubstring("recorded as f32[3,3], the op gives f32[4,3]"));
}

TEST_CASE("truncated and damaged files of loops and branches are errors of one line") {
  const auto loop = [](Tensor x) {
    return scan(
               [](Tensor c, Tensor t) {
                 return std::pair(cond(
                                      t > 1, [t](Tensor v) { return v * t; }, [](Tensor v) { return -v; }, c),
                                  c.sum());
               },
               x, arange(3, kFloat))
        .second;
  };
  const std::string bytes = saved(program_of(loop, ones({2})));
  const auto attempt = [](const std::string& damaged) {
    try {
      const Program program = loaded(damaged);
      program.str();
      saved(program);
      program({ones({2})});
    } catch (const Error& e) {
      CHECK(std::string(e.what()).find('\n') == std::string::npos);
      return false;
    }
    return true;
  };
  REQUIRE(attempt(bytes));
  for (size_t n = 0; n < bytes.size(); n += 3) CHECK_FALSE(attempt(bytes.substr(0, n)));
  size_t accepted = 0;
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at * 5 % 7)));
    accepted += attempt(flipped);
  }
  CHECK(accepted < bytes.size() / 4);
}
