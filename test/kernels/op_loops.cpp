// The inner loops of element-wise ops, run tile by tile by a caller of its own, against the ops.
#include "dispatcher/loops.h"

#include <algorithm>
#include <random>

#include "dispatcher/call.h"
#include "dispatcher/names.h"
#include "ops/activation_def.h"
#include "ops/binary_def.h"
#include "ops/creation.h"
#include "ops/ternary_def.h"
#include "ops/unary_def.h"
#include "test/catch.h"
#include "test/same_bits.h"

using namespace strata;
using dispatch::loop_of, dispatch::LoopArgs, dispatch::OpLoop;

namespace {

constexpr int64_t kLoopCount = 1003, kTile = 77;

Tensor random(DType dtype, uint64_t seed) {
  std::mt19937_64 engine(seed);
  Tensor x = empty({kLoopCount}, kDouble);
  for (int64_t i = 0; i < kLoopCount; ++i)
    x.data_ptr<double>()[i] = std::uniform_real_distribution<double>(-3, 3)(engine);
  return x.to(dtype);
}

/// Runs a loop on n elements; inputs are in a row.
void run(const OpLoop& l, void* out, std::initializer_list<const void*> in, int64_t n) {
  REQUIRE(l.loop);
  LoopArgs a{out, {}, {1, 1, 1}, n, l.numbers.data(), false};
  std::copy(in.begin(), in.end(), a.in);
  l.loop(a);
}

/// relu(pow(gelu(a b + a), 1.7)) where a > b, else clamp(a, b, a b), through two tiles that stay in cache.
template <class T>
void run_chain(const T* a, const T* b, T* out, DType dtype) {
  const GeluParams by_erf{false};
  const PowParams exponent{1.7};
  const OpLoop mul = loop_of(mul_op, dtype), add = loop_of(add_op, dtype), gelu = loop_of(gelu_op, dtype, &by_erf),
               pow = loop_of(pow_scalar_op, dtype, &exponent), relu = loop_of(relu_op, dtype),
               gt = loop_of(gt_op, dtype), clamp = loop_of(clamp_op, dtype), where = loop_of(where_op, dtype);
  T x[kTile], y[kTile];
  bool chosen[kTile];
  for (int64_t i = 0; i < kLoopCount; i += kTile) {
    const int64_t n = std::min(kTile, kLoopCount - i);
    const T *p = a + i, *q = b + i;
    run(mul, x, {p, q}, n);
    run(clamp, y, {p, q, x}, n);
    run(add, x, {x, p}, n);
    run(gelu, x, {x}, n);
    run(pow, x, {x}, n);
    run(relu, x, {x}, n);
    run(gt, chosen, {p, q}, n);
    run(where, out + i, {chosen, x, y}, n);
  }
}

template <class T>
void check_chain() {
  const DType dtype = dtype_of<T>;
  const Tensor a = random(dtype, 1), b = random(dtype, 2), out = empty({kLoopCount}, dtype);
  run_chain<T>(a.data_ptr<T>(), b.data_ptr<T>(), out.data_ptr<T>(), dtype);

  const Tensor ab = call1(mul_op, {&a, &b}), sum = call1(add_op, {&ab, &a}),
               gelu = call1(gelu_op, {&sum}, GeluParams{false}), power = call1(pow_scalar_op, {&gelu}, PowParams{1.7}),
               relu = call1(relu_op, {&power}), chosen = call1(gt_op, {&a, &b}),
               clamped = call1(clamp_op, {&a, &b, &ab});
  CHECK(same_bits(out, call1(where_op, {&chosen, &relu, &clamped})));
}

int64_t count_of_tensors(const Op& op) {
  const std::string_view schema(op.schema);
  const std::string_view inputs = schema.substr(0, schema.find("->"));
  int64_t count = 0;
  for (size_t at = 0; (at = inputs.find("Tensor ", at)) != inputs.npos; ++at) ++count;
  return count;
}

bool has_params(const Op& op) {
  const std::string_view schema(op.schema);
  return std::ranges::count(schema, ',') != count_of_tensors(op) - 1;
}

Tensor call_op(const Op& op, const std::vector<Tensor>& in) {
  if (in.size() == 1) return call1(op, {&in[0]});
  if (in.size() == 2) return call1(op, {&in[0], &in[1]});
  return call1(op, {&in[0], &in[1], &in[2]});
}

/// The op's loop over tiles gives the op's bits, wherever an element stands in a tile.
void check_tiles(const Op& op, DType dtype) {
  std::vector<Tensor> in;
  for (int64_t k = 0; k < count_of_tensors(op); ++k) in.push_back(random(dtype, static_cast<uint64_t>(k)));
  const Tensor u = random(kDouble, 5), v = random(kDouble, 6);
  if (&op == &where_op) in[0] = call1(gt_op, {&u, &v});
  const Tensor expected = call_op(op, in), out = empty({kLoopCount}, expected.dtype());
  const OpLoop l = loop_of(op, dtype);
  for (int64_t i = 0; i < kLoopCount; i += kTile) {
    LoopArgs a{out.bytes() + i * static_cast<int64_t>(out.element_size()),
               {},
               {1, 1, 1},
               std::min(kTile, kLoopCount - i),
               l.numbers.data(),
               false};
    for (size_t k = 0; k < in.size(); ++k) a.in[k] = in[k].bytes() + i * static_cast<int64_t>(in[k].element_size());
    l.loop(a);
  }
  INFO(op.name() << " of " << name(dtype));
  CHECK(same_bits(out, expected));
}

}  // namespace

TEST_CASE("a chain of ops run tile by tile through their loops gives the bits of the ops") {
  check_chain<float>();
  check_chain<double>();
}

TEST_CASE("every op that has loops gives the same bits through them") {
  int checked = 0;
  for (const Op& op : all_ops()) {
    const bool divides = op.name() == "fmod" || op.name() == "remainder" || op.name().starts_with("div_trunc") ||
                         op.name() == "floor_divide";
    for (DType dtype : {kBool, kByte, kInt, kLong, kFloat, kDouble, kComplexFloat, kComplexDouble}) {
      if (has_params(op) || (divides && is_integral(dtype)) || op.name() == "binary_cross_entropy") continue;
      if (loop_of(op, dtype).loop && op.dtypes_for(0).has(dtype)) check_tiles(op, dtype), ++checked;
    }
  }
  CHECK(checked > 300);
}

TEST_CASE("ops without loops have none") {
  CHECK(loop_of(lerp_op, kLong).loop == nullptr);
  CHECK(loop_of(dispatch::Op{}, kFloat).loop == nullptr);
}
