// Programs as files: that they come back as they were, whatever they hold, and that files are not believed.
#include <sstream>

#include "test/exchange/programs.h"
#include "test/files.h"

using namespace strata;
using namespace strata::test;
using Catch::Matchers::ContainsSubstring;
using func::Program;

namespace {

/// Two layers with captured weights.
struct Net {
  Tensor w1, b1, w2;
  Net() {
    manual_seed(1);
    w1 = randn({8, 3}).requires_grad_();
    b1 = randn({8}).requires_grad_();
    w2 = randn({1, 8}).requires_grad_();
  }
  Program program() const {
    return trace([this](Tensor x, Tensor y) {
             const Tensor hidden = nn::functional::linear(x, w1, b1).relu();
             return (nn::functional::linear(hidden, w2) - y).square().mean();
           })(ones({4, 3}), ones({4, 1}))
        .program();
  }
};

}  // namespace

TEST_CASE("a program is saved to and loaded from a path, a stream, memory and functions") {
  const Net net;
  const Program program = net.program();
  const TemporaryFile file(".safetensors");
  save(program, file.path);
  CHECK(Program::load(file.path) == again(program));
  std::stringstream stream;
  save(program, static_cast<std::ostream&>(stream));
  const std::string bytes = stream.str();
  CHECK(bytes_of(file.path) == std::vector<char>(bytes.begin(), bytes.end()));
  CHECK(Program::load(static_cast<std::istream&>(stream)) == again(program));
  std::string given;
  save(program, [&](const void* data, size_t n) { return given.append(static_cast<const char*>(data), n), n; });
  CHECK(given == bytes);
  const auto read = [&](uint64_t at, void* to, size_t n) { return std::memcpy(to, bytes.data() + at, n), n; };
  CHECK(Program::load(read, [&] { return bytes.size(); }) == again(program));
  Program other = again(program);
  load(other, bytes.data(), bytes.size());
  CHECK(other == again(program));
}

TEST_CASE("a loaded program is the one that was saved, and saves the same bytes") {
  const Net net;
  const Program program = net.program(), back = again(program);
  CHECK(back == program);
  CHECK(back.str() == program.str());
  CHECK(saved(back) == saved(program));
  CHECK(saved(net.program()) == saved(program));
  const auto traced = trace([](Tensor x) { return std::pair(x.sin(), x + 1); })(ones({3}));
  std::ostringstream out;
  save(traced, static_cast<std::ostream&>(out));
  CHECK(same_bits(loaded(out.str())({ones({3})}), {ones({3}).sin(), ones({3}) + 1}));
}

TEST_CASE("a loaded program runs, differentiates, batches and compiles") {
  const Net net;
  const Program program = net.program(), back = again(program);
  const Tensor x = randn({4, 3}), y = randn({4, 1});
  CHECK(same_bits(back({x, y}), program({x, y})));
  const auto first = [](const Program& p) { return [p](Tensor a, Tensor b) { return p({a, b})[0]; }; };
  CHECK(grad(first(back))(x, y).equal(grad(first(program))(x, y)));
  CHECK(vmap(first(back))(randn({5, 4, 3}), randn({5, 4, 1})).sizes() == IntArrayRef({5}));
  CHECK(jvp(first(back), std::tuple(x, y), std::tuple(x, y))
            .second.equal(jvp(first(program), std::tuple(x, y), std::tuple(x, y)).second));
  const auto compiled = compile(back);
  for (int i = 0; i < 2; ++i) CHECK(same_bits(compiled(std::vector{x, y}), program({x, y})));
  CHECK(trace(first(back))(x, y).program() == back);
}

TEST_CASE("the captured parameters of a loaded program train") {
  const Net net;
  const Program back = again(net.program());
  std::vector<Tensor> parameters;
  for (const Program::Constant& c : back.constants())
    if (c.captured && c.value.requires_grad()) parameters.push_back(c.value);
  REQUIRE(parameters.size() == 3);
  CHECK(parameters[0].equal(net.w1));
  const Tensor x = randn({4, 3}), y = randn({4, 1});
  optim::SGD optimizer(parameters, optim::SGDOptions(0.05));
  const double before = back({x, y})[0].item<double>();
  for (int i = 0; i < 20; ++i) {
    optimizer.zero_grad();
    back({x, y})[0].backward();
    optimizer.step();
  }
  CHECK(back({x, y})[0].item<double>() < before / 2);
  CHECK(!parameters[0].equal(net.w1));  // by value: the net that was saved is another one
  CHECK(again(back) == back);
}

TEST_CASE("constants of every dtype, empty, scalar and repeated ones come back") {
  for (int i = 0; i < kNumDTypes; ++i) {
    const auto dtype = static_cast<DType>(i);
    INFO(name(dtype));
    const Tensor many = ones({2, 3}).to(dtype), none = empty({0, 2}, TensorOptions(dtype)), one = ones({}).to(dtype),
                 repeated = one.expand({40, 50});
    Program::Body body;
    for (const Tensor& t : {many, none, one, repeated}) {
      const auto v = static_cast<Program::Variable>(body.types.size());
      body.types.push_back({dtype, kCPU, t.sizes()});
      body.constants.push_back({v, t, true});
      body.outputs.push_back(v);
    }
    const std::string bytes = saved(Program(body));
    CHECK(bytes.size() < 2000);  // the repeated value is there once
    const std::vector<Tensor> got = loaded(bytes)({});
    for (size_t k = 0; k < got.size(); ++k) {
      CHECK(got[k].dtype() == dtype);
      CHECK(got[k].sizes() == body.types[k].sizes);
      CHECK(got[k].to(kComplexDouble).equal(body.constants[k].value.to(kComplexDouble)));
    }
    CHECK(saved(loaded(bytes)) == bytes);
  }
}

TEST_CASE("numbers among params come back to the bit") {
  const std::vector<Scalar> numbers = {
      0.1, -0.0, 1e-310, INFINITY, -INFINITY, NAN, 3, true, INT64_MIN, UINT64_MAX, Complex<double>(NAN, -0.0)};
  for (const Scalar& v : numbers) {
    const Program program = trace([&](Tensor x) { return x.fill_(v); })(ones({2}, kComplexDouble)).program();
    CHECK(again(program).str() == program.str());
    const Tensor got = again(program)({ones({2}, kComplexDouble)})[0], wanted = full({2}, v, kComplexDouble);
    CHECK(got.view(kLong).equal(wanted.view(kLong)));
  }
}

TEST_CASE("random programs draw anew, and files do not tell where their generator stood") {
  const auto make = [] { return trace([](Tensor x) { return x + rand({3}) + randn({3}); })(ones({3})).program(); };
  manual_seed(1);
  const Program program = make(), back = again(program);
  manual_seed(7);
  const std::vector<Tensor> first = program({ones({3})});
  manual_seed(7);
  CHECK(same_bits(back({ones({3})}), first));
  CHECK_FALSE(same_bits(back({ones({3})}), first));
  CHECK(saved(make()) == saved(program));
}

TEST_CASE("what a program writes to its constants is saved") {
  const Tensor counter = zeros({2});
  const Program::Type type{kFloat, kCPU, {2}};
  const Program adds = trace([](Tensor x, Tensor y) { return x + y; })(counter, counter).program();
  Program::Body body{{type, type, type}, {0}, {{1, counter, true}}, {}, {2}};
  body.equations.push_back({adds.equations()[0].op, adds.equations()[0].params, true, {1, 0}, {2}});
  body.effects.push_back({1, 2});
  const Program back = again(Program(body));
  back({ones({2})});
  back({ones({2})});
  CHECK(back.constants()[0].value.equal(full({2}, 2.0)));
  CHECK(counter.equal(zeros({2})));
  body.types.push_back(type);
  body.constants.push_back({3, counter.view({2}), true});
  body.outputs.push_back(3);
  CHECK_THROWS_WITH(saved(Program(body)), ContainsSubstring("memory constant 2 shows too"));
}

TEST_CASE("programs that hold code cannot be saved") {
  const auto checkpointed = func::checkpoint([](Tensor x) { return x.sin(); });
  const Program program = trace([&](Tensor x) { return checkpointed(x); })(ones({2})).program();
  CHECK_THROWS_WITH(saved(program), ContainsSubstring("code"));
  CHECK_THROWS_WITH(vmap([](Tensor c) {
                      const Program inside = trace([&](Tensor x) { return x + c; })(ones({2})).program();
                      saved(inside);
                      return c;
                    })(ones({3, 2})),
                    ContainsSubstring("a transform that is running"));
}

TEST_CASE("truncated and damaged files are errors of one line") {
  const std::string bytes = saved(trace([](Tensor x) { return (x * 2).sum({0}); })(ones({2, 3})).program());
  const auto attempt = [](const std::string& damaged) {
    try {
      loaded(damaged)({ones({2, 3})});
    } catch (const Error& e) {
      CHECK(std::string(e.what()).find('\n') == std::string::npos);
      return false;
    }
    return true;
  };
  for (size_t n = 0; n < bytes.size(); ++n) CHECK_FALSE(attempt(bytes.substr(0, n)));
  size_t accepted = 0;
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    accepted += attempt(flipped);
  }
  CHECK(accepted < bytes.size());  // those in values of constants, for example
}

TEST_CASE("a file is not believed") {
  const Program program = trace([](Tensor x) { return (x * x).sum({0}).exp(); })(ones({2, 3})).program();
  const auto error = [&](const char* old, const char* fresh) {
    return error_of([&] { loaded(with_text(program, old, fresh)); });
  };
  CHECK(loaded(with_text(program, "mul", "sub")).str().find("sub a a") != std::string::npos);
  CHECK_THAT(error("[1,0]", "[2,0]"), ContainsSubstring("version 2.0 of the format, this library reads version 1"));
  CHECK_THAT(error("\"version\":1,", "\"version\":2,"), ContainsSubstring("op mul is of version 2"));
  CHECK_THAT(error("mul", "system"), ContainsSubstring("names the op 'system', which is not there"));
  CHECK_THAT(error("mul", "nonzero"), ContainsSubstring("nonzero"));
  CHECK_THAT(error("mul", "all_reduce"), ContainsSubstring("all_reduce"));
  CHECK_THAT(error("keepdim\":false", "keepdim\":0"), ContainsSubstring("params.keepdim is neither true nor false"));
  CHECK_THAT(error("\"keepdim\":false", "\"more\":1,\"keepdim\":false"), ContainsSubstring("has 'more'"));
  CHECK_THAT(error(",\"keepdim\":false", ""), ContainsSubstring("lacks 'keepdim'"));
  CHECK_THAT(error("\"dims\":[0]", "\"dims\":[7]"), ContainsSubstring("dim is 7"));
  CHECK_THAT(error("\"dims\":[0]", "\"dims\":[1]"), ContainsSubstring("is recorded as f32[3], the op gives f32[2]"));
  CHECK_THAT(error("\"dims\":[0]", "\"dims\":[1e30]"), ContainsSubstring("is no integer"));
  CHECK_THAT(error("\"inputs\":[0,0]", "\"inputs\":[0,9]"), ContainsSubstring("it has to be from 0 to 3"));
  CHECK_THAT(error("\"inputs\":[0,0]", "\"inputs\":[0,2]"), ContainsSubstring("used before anything defines it"));
  CHECK_THAT(error("\"inputs\":[0,0]", "\"inputs\":[0,null]"), ContainsSubstring("input 1 is undefined"));
  CHECK_THAT(error("\"inputs\":[0,0]", "\"inputs\":[0]"), ContainsSubstring("takes 2 inputs, 1 are given"));
  CHECK_THAT(error("\"outputs\":[1]", "\"outputs\":[0]"), ContainsSubstring("is defined twice"));
  CHECK_THAT(error("\"sizes\":[2,3]", "\"sizes\":[2,-3]"), ContainsSubstring("sizes[1] is -3"));
  CHECK_THAT(error("\"sizes\":[2,3]", "\"sizes\":[4611686018427387904,3]"), ContainsSubstring("is too large"));
  CHECK_THAT(error("float32", "float33"), ContainsSubstring("is no dtype"));
  CHECK_THAT(error("\"effects\":[]", "\"effects\":[{\"target\":1,\"value\":1,\"recording\":true}]"),
             ContainsSubstring("neither an input nor a constant"));
  CHECK_THAT(error("\"effects\"", "\"affects\""), ContainsSubstring("affects"));
  std::string deep(100000, '[');
  CHECK_THAT(error("[1,0]", deep.c_str()), ContainsSubstring("nested"));
}

TEST_CASE("what draws the numbers of an earlier equation again does so after it was loaded") {
  const auto noisy = [](Tensor t) {
    return nn::functional::dropout(t * 2, nn::functional::DropoutFuncOptions().p(0.5)) * t;
  };
  const Tensor x = rand({6});
  // The program of a checkpointed function's gradient without the rule, which is code.
  const auto gradient = trace(func::grad([&](Tensor t) { return func::checkpoint(noisy)(t).sum(); }))(x);
  const Program back = again(gradient.program());
  CHECK(back == gradient.program());
  manual_seed(3);
  const std::vector<Tensor> expected = gradient.program()({x});
  manual_seed(3);
  CHECK(same_bits(back({x}), expected));
}

TEST_CASE("a program that version 1.0 saved is read") {
  std::ifstream file(source_dir() + "/test/exchange/data/program_1_0.json");
  std::stringstream text;
  text << file.rdbuf();
  serialize::OutputArchive archive;
  archive.write("program", text.str());
  archive.write("constants.0", arange(12, kFloat).view({4, 3}) / 10);
  archive.write("constants.1", scalar_tensor(0.5));
  std::ostringstream bytes;
  archive.save_to(bytes);
  const Program program = loaded(bytes.str());
  CHECK(program.constants()[0].value.requires_grad());
  CHECK(program.str() ==
        "{ lambda a:f32[4,3]; b:f32[2,3]. let\n"
        "    c:f32[2,4] = linear b a\n"
        "    d:f32[2,4] = uniform[sizes=(2, 4) dtype=float32 device=cpu low=0.0 high=1.0]\n"
        "    e:f32[2,4] = add c d\n"
        "    f:f32[2,4] = mul e 0.5:f32[2,4]\n"
        "    g:f32[2] = amax[dims=(1,) keepdim=False no_grad=True] f\n"
        "  in (g, f) }");
  manual_seed(3);
  const Tensor drawn = rand({2, 4});
  manual_seed(3);
  const Tensor x = ones({2, 3});
  CHECK(program({x})[1].equal((matmul(x, program.constants()[0].value.t()) + drawn) * 0.5));
}
