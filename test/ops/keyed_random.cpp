// Tests of random tensors under explicit keys: JAX's answers (keyed_random_jax.txt, written by keyed_random_jax.py),
// keys in batches, threads, and errors.
#include "ops/keyed_random.h"

#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "autograd/autograd.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/reduce.h"
#include "ops/shaping.h"
#include "ops/sort.h"
#include "ops/view.h"
#include "test/catch.h"
#include "test/ops/tools.h"
#include "test/source_dir.h"
#include "transforms/func.h"

using namespace strata;
using namespace strata::test;
namespace rnd = strata::random;
using Catch::Matchers::ContainsSubstring;

namespace {

/// One line of the file of answers.
struct JaxAnswer {
  std::string call, function, dtype;
  int64_t seed = 0;
  DimVector shape;
  double a = 0, b = 0;
  std::vector<std::string> values;

  int64_t n() const { return static_cast<int64_t>(a); }
  bool many() const { return !values.empty() && values[0][0] == '#'; }
};

JaxAnswer parsed(const std::string& line) {
  JaxAnswer r;
  r.call = line.substr(0, line.find(" :"));
  std::istringstream text(line);
  std::string shape, word;
  text >> r.function >> r.seed >> shape >> r.dtype >> r.a >> r.b >> word;
  for (std::istringstream sizes(shape == "-" ? "" : shape); std::getline(sizes, word, 'x');)
    r.shape.push_back(std::stoll(word));
  while (text >> word) r.values.push_back(word);
  return r;
}

std::vector<JaxAnswer> jax_answers() {
  std::ifstream file(source_dir() + "/test/ops/keyed_random_jax.txt");
  std::vector<JaxAnswer> all;
  for (std::string line; std::getline(file, line);)
    if (line[0] != '#') all.push_back(parsed(line));
  return all;
}

Tensor weights(int64_t n) { return arange(1, n + 1, kFloat) / (n * (n + 1) / 2); }
Tensor logits() { return arange(12, kFloat).view({3, 4}) / 4; }
Tensor counts() { return arange(35, kInt).view({5, 7}); }

using Call = Tensor (*)(const Tensor& key, const JaxAnswer& r, DType dtype);
const std::map<std::string, Call> kCalls = {
    {"key", [](const Tensor& k, const JaxAnswer&, DType) { return k; }},
    {"split", [](const Tensor& k, const JaxAnswer& r, DType) { return rnd::split(k, r.shape); }},
    {"fold_in", [](const Tensor& k, const JaxAnswer& r, DType) { return rnd::fold_in(k, r.n()); }},
    {"bits", [](const Tensor& k, const JaxAnswer& r, DType t) { return rnd::bits(k, r.shape, t); }},
    {"uniform", [](const Tensor& k, const JaxAnswer& r, DType t) { return rnd::uniform(k, r.shape, t, r.a, r.b); }},
    {"normal", [](const Tensor& k, const JaxAnswer& r, DType t) { return rnd::normal(k, r.shape, t); }},
    {"truncated_normal",
     [](const Tensor& k, const JaxAnswer& r, DType t) { return rnd::truncated_normal(k, r.a, r.b, r.shape, t); }},
    {"exponential", [](const Tensor& k, const JaxAnswer& r, DType t) { return rnd::exponential(k, r.shape, t); }},
    {"gumbel", [](const Tensor& k, const JaxAnswer& r, DType t) { return rnd::gumbel(k, r.shape, t); }},
    {"randint", [](const Tensor& k, const JaxAnswer& r,
                   DType t) { return rnd::randint(k, r.shape, r.n(), static_cast<int64_t>(r.b), t); }},
    {"bernoulli", [](const Tensor& k, const JaxAnswer& r, DType) { return rnd::bernoulli(k, r.a, r.shape); }},
    {"permutation", [](const Tensor& k, const JaxAnswer& r, DType t) { return rnd::permutation(k, r.n()).to(t); }},
    {"permutation_of",
     [](const Tensor& k, const JaxAnswer& r, DType) { return rnd::permutation(k, counts(), r.n(), r.b != 0); }},
    {"choice",
     [](const Tensor& k, const JaxAnswer& r, DType t) { return rnd::choice(k, r.n(), r.shape, r.b != 0).to(t); }},
    {"choice_p", [](const Tensor& k, const JaxAnswer& r,
                    DType t) { return rnd::choice(k, r.n(), r.shape, r.b != 0, weights(r.n())).to(t); }},
    {"choice_of",
     [](const Tensor& k, const JaxAnswer& r, DType) { return rnd::choice(k, counts(), r.shape, r.b != 0, {}, r.n()); }},
    {"categorical",
     [](const Tensor& k, const JaxAnswer& r, DType t) { return rnd::categorical(k, logits(), r.n()).to(t); }},
    {"categorical_shape", [](const Tensor& k, const JaxAnswer& r,
                             DType t) { return rnd::categorical(k, logits(), r.n(), r.shape, r.b != 0).to(t); }},
};

/// The elements' bits in row-major order.
std::vector<uint64_t> words(const Tensor& t) {
  const Tensor c = t.contiguous();
  const auto item = static_cast<size_t>(c.element_size());
  std::vector<uint64_t> out(c.numel(), 0);
  for (size_t i = 0; i < out.size(); ++i) std::memcpy(&out[i], c.bytes() + i * item, item);
  return out;
}

std::string hexadecimal(uint64_t word, int64_t item) {
  std::ostringstream out;
  out << std::hex;
  out.fill('0');
  out.width(2 * item);
  out << word;
  return out.str();
}

/// As the file writes it.
std::vector<std::string> written(const Tensor& t, bool many) {
  const std::vector<uint64_t> all = words(t);
  std::vector<std::string> out;
  if (!many) {
    for (uint64_t w : all) out.push_back(hexadecimal(w, t.element_size()));
    return out;
  }
  uint64_t sum = 0;
  for (uint64_t w : all) sum = sum * 6364136223846793005u + w + 1;
  return {"#" + std::to_string(all.size()), hexadecimal(sum, 8)};
}

/// float64 values made with a logarithm: the C library's may differ in the last bit.
bool within_4_ulp(const JaxAnswer& r, const Tensor& t) {
  const std::vector<uint64_t> mine = words(t);
  if (mine.size() != r.values.size()) return false;
  for (size_t i = 0; i < mine.size(); ++i)
    if (std::abs(static_cast<int64_t>(mine[i] - std::stoull(r.values[i], nullptr, 16))) > 4) return false;
  return true;
}

}  // namespace

TEST_CASE("numbers equal JAX's") {
  const std::vector<JaxAnswer> all = jax_answers();
  CHECK(all.size() > 1000);
  for (const JaxAnswer& r : all) {
    const DType dtype = dtype_named(r.dtype);
    const Tensor t = kCalls.at(r.function)(rnd::key(r.seed), r, dtype);
    INFO(r.call);
    if (dtype == kDouble && r.function != "uniform")
      CHECK(within_4_ulp(r, t));
    else
      CHECK(written(t, r.many()) == r.values);
  }
}

TEST_CASE("the first numbers of key 0") {
  const Tensor key = rnd::key(0);
  const auto list = [](const Tensor& t) { return strata::test::values(t.flatten()); };
  using List = std::vector<double>;
  CHECK(list(rnd::split(key)) == List{1797259609, 2579123966, 928981903, 3453687069});
  CHECK(list(rnd::fold_in(key, 7)) == List{2716826189, 292468403});
  CHECK(list(rnd::bits(key, {4})) == List{4070199207, 4202968722, 1427181096, 2012915765});
  CHECK(list(rnd::uniform(key, {4})) == List{0x1.e5349cp-1, 0x1.f5086cp-1, 0x1.544438p-2, 0x1.dfeaap-2});
  CHECK(list(rnd::randint(key, {6}, 0, 10)) == List{9, 0, 2, 3, 1, 7});
  CHECK(rnd::normal(key, {4}).allclose(tensor({1.6226422, 2.0252647, -0.43359444, -0.07861735}), 1e-7));
}

TEST_CASE("a batch of keys gives what each key gives") {
  const std::vector<std::function<Tensor(const Tensor&)>> draws = {
      [](const Tensor& k) {
        return rnd::split(k, {3, 2});
      },
      [](const Tensor& k) { return rnd::fold_in(k, 9); },
      [](const Tensor& k) { return rnd::bits(k, {7}, kInt64); },
      [](const Tensor& k) { return rnd::uniform(k, {}, {.minval = -1}); },
      [](const Tensor& k) { return rnd::uniform(k, {255}); },
      [](const Tensor& k) {
        return rnd::normal(k, {3, 100});
      },
      [](const Tensor& k) { return rnd::truncated_normal(k, -1, 2, {5}, kDouble); },
      [](const Tensor& k) { return rnd::exponential(k, {2000}, kHalf); },
      [](const Tensor& k) { return rnd::gumbel(k, {1500}); },
      [](const Tensor& k) { return rnd::randint(k, {300}, -5, 5); },
      [](const Tensor& k) { return rnd::randint(k, {3}, 0, int64_t{1} << 40, kLong); },
      [](const Tensor& k) {
        return rnd::bernoulli(k, 0.3, {2, 2});
      },
      [](const Tensor& k) { return rnd::permutation(k, 2000); },
  };
  const Tensor keys = rnd::split(rnd::key(3), 11);
  for (const auto& f : draws) {
    std::vector<Tensor> parts;
    for (const Tensor& k : unbind(keys)) parts.push_back(f(k));
    CHECK(same_bits(f(keys), stack(parts)));
    const Tensor grid = f(rnd::split(rnd::key(4), {2, 3}));
    CHECK(same_bits(grid, f(rnd::split(rnd::key(4), 6)).view(grid.sizes())));
  }
}

TEST_CASE("vmap over keys equals a loop") {
  const Tensor keys = rnd::split(rnd::key(8), 4), x = rnd::normal(rnd::key(9), {4, 5, 3});
  const auto same = [&](const std::function<Tensor(Tensor, Tensor)>& f) {
    std::vector<Tensor> each, other;
    for (int64_t i = 0; i < 4; ++i) each.push_back(f(keys[i], x[i]));
    for (int64_t i = 0; i < 4; ++i) other.push_back(f(keys[0], x[i]));
    CHECK(vmap(f)(keys, x).equal(stack(each)));
    CHECK(vmap(f, {.in_dims = {std::nullopt, 0}})(keys[0], x).equal(stack(other)));
  };
  same([](Tensor k, Tensor v) { return rnd::uniform(k, v.sizes()) + v; });
  same([](Tensor k, Tensor v) { return rnd::normal(rnd::fold_in(k, 3), {2}) + v[0][0]; });
  same([](Tensor k, Tensor v) { return rnd::fold_in(k, v[0][0].mul(100).abs().to(kInt)).to(kLong); });
  same([](Tensor k, Tensor v) { return rnd::permutation(k, v); });
  same([](Tensor k, Tensor v) { return rnd::permutation(k, v, 1, true); });
  same([](Tensor k, Tensor v) { return rnd::choice(k, v, {2}, false); });
  same([](Tensor k, Tensor v) { return rnd::choice(k, 5, {7}, true, v.select(1, 0).softmax(0)) + v[0][0]; });
  same([](Tensor k, Tensor v) { return rnd::choice(k, 5, {3}, false, v.select(1, 0).softmax(0)) + v[0][0]; });
  same([](Tensor k, Tensor v) { return rnd::categorical(k, v, 0); });
  same([](Tensor k, Tensor v) { return rnd::categorical(k, v, -1, {6, 5}); });
  same([](Tensor k, Tensor v) { return rnd::bernoulli(k, v.sigmoid()); });
  const auto row = [](Tensor k) { return vmap([](Tensor own) { return rnd::gumbel(own, {2}); })(rnd::split(k, 3)); };
  CHECK(vmap(row)(keys).equal(rnd::gumbel(rnd::split(keys, 3), {2})));
  CHECK(
      vmap([](Tensor seed) { return rnd::normal(rnd::key(seed)); })(arange(4)).equal(rnd::normal(rnd::key(arange(4)))));
  const auto loss = [&](Tensor v) { return (rnd::permutation(keys[1], v) * rnd::uniform(keys[2], {5, 3})).sum(); };
  CHECK(vmap(grad(loss))(x)[2].equal(grad(loss)(x[2])));
}

TEST_CASE("the example of docs/random.md") {
  Tensor key = random::key(42);
  for (int64_t step = 0; step < 3; ++step) {
    const Tensor keys = random::split(random::fold_in(key, step), 2);  // (2, 2): one key per purpose
    const Tensor order = random::permutation(keys[0], 10);
    const Tensor noise = random::normal(keys[1], {10, 3});
    CHECK(order.sizes() == IntArrayRef({10}));
    CHECK(noise.sizes() == IntArrayRef({10, 3}));
  }
  const Tensor rows = random::uniform(random::split(key, 5), {4}, {.minval = -1});  // (5, 4): one key per row
  CHECK(rows.sizes() == IntArrayRef({5, 4}));
}

TEST_CASE("keys are split and folded alike") {
  const Tensor key = rnd::key(17), keys = rnd::split(key, 5);
  for (int64_t i = 0; i < 5; ++i) CHECK(same_bits(rnd::fold_in(key, i), keys[i].contiguous()));
  CHECK(same_bits(rnd::fold_in(key, arange(5)), keys));
  CHECK(same_bits(rnd::fold_in(keys, arange(5, kInt)), rnd::fold_in(keys, arange(5, kUInt8))));
  CHECK(same_bits(rnd::fold_in(key, tensor(-1)), rnd::fold_in(key, 0xffffffff)));
  CHECK(same_bits(rnd::split(key), rnd::split(key, IntArrayRef({2}))));
  CHECK(same_bits(rnd::normal(keys.t().contiguous().t(), {3}), rnd::normal(keys, {3})));
}

TEST_CASE("seeds become keys") {
  CHECK(written(rnd::key(-1), false) == std::vector<std::string>{"ffffffff", "ffffffff"});
  CHECK(written(rnd::key((int64_t{3} << 32) + 5), false) == std::vector<std::string>{"00000003", "00000005"});
  CHECK(same_bits(rnd::key(tensor({7, -8})), stack({rnd::key(7), rnd::key(-8)})));
  CHECK(written(rnd::key(tensor(-1, kInt)), false) == std::vector<std::string>{"00000000", "ffffffff"});
}

TEST_CASE("keyed numbers do not depend on the number of threads") {
  const Tensor key = rnd::key(5), keys = rnd::split(key, 3001);
  CHECK(thread_independent([&] { return rnd::normal(key, {100003}); }));
  CHECK(thread_independent([&] { return rnd::uniform(keys, {77}, kDouble); }));
  CHECK(thread_independent([&] { return rnd::gumbel(keys, {301}, kBFloat16); }));
  CHECK(thread_independent([&] { return rnd::randint(keys, {40}, 0, 1000003); }));
  CHECK(thread_independent([&] { return rnd::split(keys, 50); }));
  CHECK(thread_independent([&] { return rnd::permutation(key, 100003); }));
}

TEST_CASE("choices differ without replacement, and orders keep every element") {
  const Tensor key = rnd::key(6), p = rnd::uniform(rnd::key(7), {50}) / 25;
  CHECK(std::get<0>(sort(rnd::choice(key, 50, {5, 10}, false, p).flatten())).equal(arange(50)));
  CHECK(std::get<0>(sort(rnd::choice(key, 50, {50}, false))).equal(arange(50)));
  CHECK(std::get<0>(sort(rnd::permutation(key, 3000))).equal(arange(3000)));
  CHECK(std::get<0>(sort(rnd::permutation(key, counts(), -1, true), -1)).equal(counts()));
  const Tensor drawn = rnd::choice(key, 3, {100000}, true, tensor({0.5, 0.0, 0.5}));
  CHECK(drawn.eq(1).sum().item<int64_t>() == 0);
  CHECK(drawn.eq(2).to(kFloat).mean().item<double>() == Approx(0.5).margin(0.01));
  CHECK(rnd::choice(key, 5, {0, 3}).sizes() == IntArrayRef({0, 3}));
}

TEST_CASE("gradients pass through orders and choices") {
  const Tensor x = arange(6, kFloat).view({3, 2}).requires_grad_();
  const Tensor y = rnd::permutation(rnd::key(1), x) * arange(6, kFloat).view({3, 2});
  y.sum().backward();
  CHECK(x.grad().sum().item<float>() == 15);
  CHECK_FALSE(rnd::normal(rnd::key(1), {2}).requires_grad());
  CHECK(rnd::choice(rnd::key(1), x, {4}).requires_grad());
}

TEST_CASE("truncated normal values stay inside of their bounds") {
  for (DType type : {kHalf, kBFloat16, kFloat, kDouble}) {
    const Tensor x = rnd::truncated_normal(rnd::key(2), -0.5, 0.25, {20000}, type);
    CHECK(x.gt(-0.5).logical_and(x.lt(0.25)).all().item<bool>());
    const Tensor tail = rnd::truncated_normal(rnd::key(2), 3, 1e9, {1000}, type == kHalf ? kFloat : type);
    CHECK(tail.gt(3).logical_and(tail.isfinite()).all().item<bool>());
  }
}

TEST_CASE("mistakes with keys are told in one line") {
  const Tensor key = rnd::key(0);
  const auto says = [](const auto& f, const std::string& text) { CHECK_THROWS_WITH(f(), ContainsSubstring(text)); };
  says([] { rnd::normal(zeros({2}), {3}); }, "normal: the key must be uint32 of shape (..., 2)");
  says([&] { rnd::split(key.to(kLong)); }, "split: the key must be uint32");
  says([] { rnd::bits(zeros({3}, kUInt32)); }, "got uint32(3,)");
  says([] { rnd::uniform(zeros(IntArrayRef(), kUInt32)); }, "uniform: the key must be");
  says([&] { rnd::uniform(key, {3}, kInt); }, "uniform: needs a floating point dtype, got int32");
  says([&] { rnd::bits(key, {3}, kFloat); }, "bits: needs an integer dtype, got float32");
  says([&] { rnd::randint(key, {3}, 0, 5, kDouble); }, "randint: needs an integer dtype");
  says([&] { rnd::uniform(key, {2, -1}); }, "uniform: shape (2, -1) has a negative size");
  says([&] { rnd::fold_in(key, -1); }, "fold_in: data must be an unsigned 32-bit number, got -1");
  says([&] { rnd::fold_in(key, zeros({})); }, "fold_in: data must be integers, got float32");
  says([&] { rnd::bernoulli(key, 1.5); }, "bernoulli: the probability must lie in [0, 1], got 1.5");
  says([&] { rnd::bernoulli(key, zeros({3}), {4}); }, "bernoulli");
  says([&] { rnd::truncated_normal(key, 2, 1); }, "truncated_normal: needs lower < upper");
  says([&] { rnd::permutation(rnd::split(key), counts()); }, "permutation: needs one key of shape (2,), got (2, 2)");
  says([&] { rnd::choice(key, 3, {4}, false); }, "choice: cannot draw 4 of 3 without replacement");
  says([&] { rnd::choice(key, 3, {4}, true, zeros({4})); }, "choice: p must have shape (3,), got (4,)");
  says([&] { rnd::choice(key, 0, {1}); }, "nothing to choose from");
  says([&] { rnd::categorical(key, logits(), 1, {4}); }, "categorical");
  says([&] { rnd::categorical(key, logits(), 1, {5, 3}, false); }, "cannot draw 5 of 4 categories");
  says([&] { rnd::categorical(key, counts()); }, "categorical: needs a floating point dtype, got int32");
}
