// What works with uint16, uint64 and the 8-bit floating point types, as in PyTorch 2.15 on the CPU, and what is
// refused.
#include <strata/strata.h>

#include <sstream>

#include "test/catch.h"
#include "test/ops/tools.h"

using namespace strata;
using namespace strata::test;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr DType kFloat8[] = {kFloat8_e5m2, kFloat8_e4m3fn, kFloat8_e5m2fnuz, kFloat8_e4m3fnuz};
constexpr DType kStored[] = {kUInt16, kUInt64, kFloat8_e5m2, kFloat8_e4m3fn, kFloat8_e5m2fnuz, kFloat8_e4m3fnuz};
constexpr uint64_t kTop = uint64_t{1} << 63;

}  // namespace

TEST_CASE("tensors of dtypes for storage are made") {
  for (const DType t : kStored) {
    INFO(name(t));
    CHECK(values(zeros({2}, t)) == Values{0, 0});
    CHECK(values(ones({2}, t)) == Values{1, 1});
    CHECK(values(full({2}, 3, t)) == Values{3, 3});
    CHECK(values(tensor({1.0, 2.5}, kFloat).to(t)) == Values{1, is_float8(t) ? 2.5 : 2});
    CHECK(tensor({{1, 2}, {3, 4}}, t).dtype() == t);
    CHECK(values(tensor({1, 2, 3}, t).fill_(4)) == Values{4, 4, 4});
    CHECK(tensor({1, 2, 3}, t)[1].item<int>() == 2);
    CHECK(tensor({1, 2, 3}, t)[1].item().type() == (is_float8(t) ? kDouble : kLong));
    CHECK(empty({2, 3}, t).nbytes() == 6 * item_size(t));
  }
  uint16_t memory[] = {1, 65535};
  CHECK(values(from_blob(memory, {2}, kUInt16)) == Values{1, 65535});
  Float8_e4m3fn bytes[] = {Float8_e4m3fn(448.0f), Float8_e4m3fn(-0.5f)};
  const Tensor x = from_blob(bytes, {2}, kFloat8_e4m3fn);
  CHECK(values(x) == Values{448, -0.5});
  CHECK(static_cast<float>(x.data_ptr<Float8_e4m3fn>()[1]) == -0.5f);
  CHECK(static_cast<float>(x.accessor<Float8_e4m3fn, 1>()[0]) == 448.0f);
  CHECK_THROWS_WITH(x.data_ptr<Float8_e5m2>(), ContainsSubstring("the tensor is float8_e4m3fn"));
  CHECK(tensor(std::vector<uint64_t>{kTop + 5}).dtype() == kUInt64);
  CHECK(tensor(size_t{3}).dtype() == kLong);  // a count
}

TEST_CASE("uint64 holds what int64 does not") {
  const Tensor x = full({2}, Scalar(kTop + 5), kUInt64);
  CHECK(x.data_ptr<uint64_t>()[1] == kTop + 5);
  CHECK(x[0].item<uint64_t>() == kTop + 5);
  CHECK(x[0].item().toDouble() == 9223372036854775813.0);
  CHECK(x.to(kDouble)[0].item<double>() == 9223372036854775808.0);
  CHECK(x.eq(Scalar(kTop + 5)).all().item<bool>());
  const Tensor y = longs({1, -1}).to(kUInt64);  // 1 and 2^64 - 1
  CHECK(maximum(x, y).data_ptr<uint64_t>()[0] == kTop + 5);
  CHECK(maximum(x, y).data_ptr<uint64_t>()[1] == UINT64_MAX);
  CHECK(minimum(x, y).data_ptr<uint64_t>()[1] == kTop + 5);
}

TEST_CASE("elements of dtypes for storage are moved by every function that moves elements") {
  for (const DType t : kStored) {
    INFO(name(t));
    const Tensor x = longs({1, 2, 3, 4, 5, 6}).to(t).view({2, 3}), index = longs({1, 0});
    const auto gives = [&](const Tensor& y, Values v) {
      CHECK(y.dtype() == t);
      CHECK(values(y) == v);
    };
    gives(x.t(), {1, 4, 2, 5, 3, 6});
    gives(x.t().contiguous(), {1, 4, 2, 5, 3, 6});
    gives(x.t().clone(), {1, 4, 2, 5, 3, 6});
    gives(x.t().reshape({6}), {1, 4, 2, 5, 3, 6});
    gives(cat({x, x}), {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6});
    gives(stack({x[0], x[1]}, 1), {1, 4, 2, 5, 3, 6});
    gives(x.index({index}), {4, 5, 6, 1, 2, 3});
    gives(x.index_select(0, index), {4, 5, 6, 1, 2, 3});
    gives(x.gather(0, longs({1, 0, 1}).view({1, 3})), {4, 2, 6});
    gives(x.masked_select(x.ne(2)), {1, 3, 4, 5, 6});
    gives(x.masked_fill(x.eq(2), 0), {1, 0, 3, 4, 5, 6});
    gives(where(x.eq(2), x, x.new_zeros({})), {0, 2, 0, 0, 0, 0});
    gives(x.flip({1}), {3, 2, 1, 6, 5, 4});
    gives(x.roll(1, 1), {3, 1, 2, 6, 4, 5});
    gives(x.repeat({1, 2}), {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6});
    gives(constant_pad_nd(x, {1, 0}, 7), {7, 1, 2, 3, 7, 4, 5, 6});
    gives(x.tril(), {1, 0, 0, 4, 5, 0});
    gives(x.clone().index_put_({index}, x), {4, 5, 6, 1, 2, 3});
    gives(x.scatter(1, longs({0, 0}).view({2, 1}), x.slice(1, 2)), {3, 2, 3, 6, 5, 6});
    gives(zeros({2, 3}, t).copy_(x.to(kDouble)), {1, 2, 3, 4, 5, 6});
    gives(embedding(x, index), {4, 5, 6, 1, 2, 3});
    CHECK(x.equal(x.clone()));
    CHECK(!x.equal(x.flip({0})));
    CHECK(x.any().item<bool>());
    CHECK(x.all().item<bool>());
    CHECK(!x.isnan().any().item<bool>());
    CHECK(x.isfinite().all().item<bool>());
  }
}

TEST_CASE("memory is seen as dtypes for storage") {
  const Tensor bits = arange(256, kInt).to(kByte);
  for (const DType t : kFloat8) {
    CHECK(bits.view(t).view(kByte).equal(bits));
    CHECK(bits.view(t).dtype() == t);
  }
  CHECK(values(longs({-1, 2}).to(kShort).view(kUInt16)) == Values{65535, 2});
  CHECK(longs({-1}).view(kUInt64).item<uint64_t>() == UINT64_MAX);
  // The codes that PyTorch says are NaN and infinite.
  CHECK(values(bits.view(kFloat8_e4m3fn).isnan().nonzero()) == Values{127, 255});
  CHECK(values(bits.view(kFloat8_e5m2).isnan().nonzero()) == Values{125, 126, 127, 253, 254, 255});
  CHECK(values(bits.view(kFloat8_e5m2).isinf().nonzero()) == Values{124, 252});
  CHECK(values(bits.view(kFloat8_e4m3fnuz).isnan().nonzero()) == Values{128});
  CHECK(values(bits.view(kFloat8_e5m2fnuz).isnan().nonzero()) == Values{128});
}

TEST_CASE("the few functions that compute with dtypes for storage") {
  const Tensor a = longs({3, 60000}).to(kUInt16), b = longs({40, 7}).to(kUInt64);
  CHECK(values(a * 2) == Values{6, 54464});
  CHECK((a * 2).dtype() == kUInt16);
  CHECK((a * 2.5).dtype() == kFloat);
  CHECK((a / a).dtype() == kFloat);
  CHECK(a.sum().dtype() == kLong);
  CHECK(a.sum().item<int64_t>() == 60003);
  CHECK(a.prod().item<int64_t>() == 180000);
  CHECK(values(b.cumsum(0)) == Values{40, 47});
  CHECK(b.cumsum(0).dtype() == kLong);
  CHECK(values(maximum(a, a.flip({0}))) == Values{60000, 60000});
  CHECK(values(b.bitwise_and(full_like(b, 5))) == Values{0, 5});
  CHECK(values(b.sqrt()) == values(b.to(kFloat).sqrt()));
  for (const DType t : kFloat8) {
    const Tensor x = tensor({0.5, -2.0}, kDouble).to(t);
    CHECK(values(x.abs()) == Values{0.5, 2});
    CHECK(values(x * x) == Values{0.25, 4});
    CHECK(values(x.eq(0.5)) == Values{1, 0});
    CHECK((x * x).dtype() == t);
  }
  // Gradients go through casts.
  Tensor w = tensor({1.5, 3.0}, kFloat).requires_grad_();
  (w.to(kFloat8_e4m3fn).to(kFloat) * 2).sum().backward();
  CHECK(values(w.grad()) == Values{2, 2});
}

TEST_CASE("other arithmetic with dtypes for storage is refused by name") {
  const Tensor u = ones({2}, kUInt16), f = ones({2}, kFloat8_e4m3fn);
  CHECK_THROWS_WITH(u + u, ContainsSubstring("add: not implemented for uint16"));
  CHECK_THROWS_WITH(f + f, ContainsSubstring("add: not implemented for float8_e4m3fn"));
  CHECK_THROWS_WITH(-f, ContainsSubstring("not implemented for float8_e4m3fn"));
  CHECK_THROWS_WITH(f.lt(f), ContainsSubstring("not implemented for float8_e4m3fn"));
  CHECK_THROWS_WITH(f.sum(), ContainsSubstring("not implemented for float8_e4m3fn"));
  CHECK_THROWS_WITH(f.exp(), ContainsSubstring("not implemented for float8_e4m3fn"));
  CHECK_THROWS_WITH(u * ones({2}, kInt), ContainsSubstring("is not supported"));
  CHECK_THROWS_WITH(f * ones({2}), ContainsSubstring("is not supported"));
  CHECK_THROWS_WITH(cat({u, f}), ContainsSubstring("is not supported"));
  CHECK((u * ones({2})).dtype() == kFloat);
  CHECK(cat({u, ones({2})}).dtype() == kFloat);
}

TEST_CASE("tensors of dtypes for storage are printed") {
  const auto text = [](const Tensor& t) {
    std::ostringstream out;
    out << t;
    return out.str();
  };
  CHECK(text(tensor({1, 2}, kUInt16)) == " 1\n 2\n[ CPUUInt16Type{2} ]");
  CHECK(text(tensor({1.5, 0.25}, kFloat).to(kFloat8_e5m2)) == " 1.5000\n 0.2500\n[ CPUFloat8_e5m2Type{2} ]");
  CHECK(std::string(name(kFloat8_e4m3fnuz)) == "float8_e4m3fnuz");
  std::ostringstream number;
  number << Scalar(kTop + 5);
  CHECK(number.str() == "9223372036854775813");
}

TEST_CASE("uint16 and uint64 are sorted and told apart") {
  for (const DType dtype : {kUInt16, kUInt64}) {
    INFO(name(dtype));
    const Tensor x = tensor({3, 1, 65535, 1}, kLong).to(dtype);
    const auto [sorted, order] = sort(x, 0);
    CHECK(sorted.dtype() == dtype);
    CHECK(sorted.to(kLong).equal(longs({1, 1, 3, 65535})));
    CHECK(order.equal(longs({1, 3, 0, 2})));
    CHECK(argsort(x, 0, true)[0].item<int64_t>() == 2);
    const auto [distinct, inverse, counts] = _unique2(x, true, true, true);
    CHECK(distinct.dtype() == dtype);
    CHECK(distinct.to(kLong).equal(longs({1, 3, 65535})));
    CHECK(inverse.equal(longs({1, 0, 2, 0})));
    CHECK(counts.equal(longs({2, 1, 1})));
    CHECK(std::get<0>(unique_consecutive(x)).to(kLong).equal(longs({3, 1, 65535, 1})));
    CHECK(std::get<0>(unique_dim(x, 0)).to(kLong).equal(longs({1, 3, 65535})));
    CHECK_THROWS_WITH(topk(x, 2), ContainsSubstring("topk"));
  }
  const Tensor high = tensor(std::vector<uint64_t>{kTop + 5, 7, UINT64_MAX});
  CHECK(std::get<1>(sort(high, 0)).equal(longs({1, 0, 2})));
  CHECK(std::get<0>(sort(high, 0)).data_ptr<uint64_t>()[2] == UINT64_MAX);
}

TEST_CASE("hash_tensor is the exclusive or of the bits") {
  const auto hash = [](const Tensor& x) { return hash_tensor(x).item<uint64_t>(); };
  CHECK(hash(tensor({1.5, -2.0, 3.0}, kFloat)) == 13830554455654793216u);
  CHECK(hash(longs({1, 2, 7})) == 4);
  CHECK(hash(tensor({true, false})) == 1);
  CHECK(hash(tensor({1.5}, kHalf)) == 4609434218613702656u);
  CHECK(hash(tensor({-1}, kChar)) == UINT64_MAX);
  CHECK(hash(tensor({200}, kByte)) == 200);
  const Tensor x = tensor({{1.0, 2.0}, {3.0, 4.0}}, kFloat);
  CHECK(hash(x) == 9216616637413720064u);
  CHECK(hash(x.t()) == 9216616637413720064u);
  const Tensor columns = hash_tensor(x, {0}, true);
  CHECK(columns.sizes() == IntArrayRef({1, 2}));
  CHECK(columns.dtype() == kUInt64);
  CHECK(columns.data_ptr<uint64_t>()[0] == 9221120237041090560u);
  CHECK(columns.data_ptr<uint64_t>()[1] == 4503599627370496u);
  CHECK(hash_tensor(longs({5})[0]).item<uint64_t>() == 5);
  CHECK_THROWS_WITH(hash_tensor(ones({0})), ContainsSubstring("no elements"));
  CHECK_THROWS_WITH(hash_tensor(ones({2}, kUInt32)), ContainsSubstring("not implemented for uint32"));
  CHECK_THROWS_WITH(hash_tensor(ones({2}), {}, false, 1), ContainsSubstring("unknown mode"));
}
