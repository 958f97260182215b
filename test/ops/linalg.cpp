// Tests of the matrix products: values against naive loops in every layout and dtype, thread independence,
// broadcasting, errors.
#include "ops/linalg.h"

#include "ops/activation.h"
#include "ops/factor.h"
#include "ops/reduce.h"
#include "ops/unary.h"
#include "test/ops/matrices.h"

using namespace strata;
using namespace strata::test;

namespace {

constexpr int64_t kSizes[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 129};

int64_t any_size(std::mt19937& engine) { return kSizes[engine() % std::size(kSizes)]; }

void check_mixed_products(DType dtype, int cases) {
  std::mt19937 engine(static_cast<unsigned>(dtype) + 1);
  for (int i = 0; i < cases; ++i) {
    const int64_t m = any_size(engine), k = any_size(engine), n = any_size(engine);
    const int first = static_cast<int>(engine() % kLayouts), second = static_cast<int>(engine() % kLayouts);
    const Tensor a = matrix(m, k, first, dtype, engine()), b = matrix(k, n, second, dtype, engine());
    const auto product = [&] { return mm(a, b); };
    const Tensor one = with_threads(1, product), two = with_threads(2, product);
    CAPTURE(name(dtype), m, k, n, a.strides().vec(), b.strides().vec());
    CHECK(is_product(one, a, b));
    CHECK(same_bits(one, two));
  }
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("mm equals three loops for sizes around the vector widths in every layout") {
  check_mixed_products(kFloat, 300);
  check_mixed_products(kDouble, 300);
}

TEST_CASE("mm of 16-bit floats is accumulated in float") {
  check_mixed_products(kHalf, 40);
  check_mixed_products(kBFloat16, 40);
}

TEST_CASE("mm of integers is exact") {
  check_mixed_products(kInt, 40);
  check_mixed_products(kLong, 40);
  check_mixed_products(kShort, 3);
  const Tensor a = full({1, 3}, 100, kChar), b = full({3, 1}, 100, kChar);
  CHECK(values_of(mm(a, b)) == std::vector<double>{static_cast<double>(static_cast<int8_t>(30000))});
}

TEST_CASE("big products have the same bits on any number of threads") {
  const std::vector<DimVector> shapes = {{300, 700, 260}, {1, 3000, 700},  {700, 3000, 1},  {2000, 64, 10},
                                         {10, 5000, 20},  {128, 784, 512}, {1, 70000, 1},   {2, 100001, 1},
                                         {3, 65537, 5},   {97, 44000, 24}, {1100, 300, 130}};
  for (const DType dtype : {kFloat, kDouble}) {
    for (size_t number = 0; number < shapes.size(); ++number) {
      const DimVector& s = shapes[number];
      const bool is_large = s[0] * s[1] * s[2] > 10'000'000;  // builds that are not optimised take seconds for each
      for (int layout = 0; layout < kLayouts; ++layout) {
        if (is_large && layout != static_cast<int>(number) % kLayouts) continue;
        const Tensor a = matrix(s[0], s[1], layout, dtype, 1),
                     b = matrix(s[1], s[2], (layout + 1) % kLayouts, dtype, 2);
        const auto product = [&] { return mm(a, b); };
        const Tensor one = with_threads(1, product);
        CAPTURE(name(dtype), s[0], s[1], s[2], layout);
        CHECK(is_product(one, a, b));
        CHECK(same_bits(one, with_threads(2, product)));
        CHECK(same_bits(one, with_threads(3, product)));
      }
    }
  }
}

TEST_CASE("products of more rows than are packed or computed at a time are those of double") {
  // The second is stored by columns: then few columns of b pay for packing so many elements of a, which takes builds
  // that are not optimised seconds in place of minutes.
  for (const Tensor& a : {random_matrix({1100, 300}, kFloat, 1), random_matrix({44000, 97}, kFloat, 1).t()}) {
    const int64_t depth = a.size(1);
    const Tensor b = random_matrix({130, depth}, kFloat, 2).t(), wanted = mm(a.to(kDouble), b.to(kDouble));
    for (const Tensor& right : {b, b.contiguous()}) {
      const Tensor got = mm(a, right);
      CHECK(allclose(got.to(kDouble), wanted, 1e-5, 2e-6 * std::sqrt(static_cast<double>(depth))));
      CHECK(same_bits(got, with_threads(3, [&] { return mm(a, right); })));
    }
  }
}

TEST_CASE("addmm scales both parts and broadcasts what it adds") {
  for (const DType dtype : {kFloat, kDouble, kBFloat16}) {
    const Tensor a = matrix(33, 65, kRowByRow, dtype, 1), b = matrix(65, 70, kTransposed, dtype, 2);
    for (const Tensor& init : {matrix(33, 70, kTransposed, dtype, 3), random_matrix({70}, dtype, 4),
                               random_matrix({33, 1}, dtype, 5), random_matrix({}, dtype, 6)}) {
      CHECK(is_product(addmm(init, a, b), a, b, init));
      CHECK(is_product(addmm(init, a, b, 0.5, -2), a, b, init, 0.5, -2));
    }
  }
  const Tensor a = matrix(2, 3, kRowByRow, kFloat, 1), b = matrix(3, 4, kRowByRow, kFloat, 2);
  CHECK(is_product(addmm(full({2, 4}, NAN), a, b, 0), a, b));
}

TEST_CASE("addmm_ accumulates in place, also into transposed and strided tensors") {
  for (int layout : {kRowByRow, kTransposed, kEverySecond, kPadded}) {
    for (const int64_t size : {9, 200}) {
      const Tensor a = matrix(size, size, kRowByRow, kFloat, 1), b = matrix(size, size, kTransposed, kFloat, 2);
      Tensor self = matrix(size, size, layout, kFloat, 3);
      const Tensor before = self.clone();
      self.addmm_(a, b, 2, -1);
      CHECK(is_product(self, a, b, before, 2, -1));
      self.copy_(before).addmm_(a, b);
      CHECK(is_product(self, a, b, before));
    }
  }
  Tensor self = random_matrix({5, 5}, kDouble, 1);
  const Tensor before = self.clone();
  self.addmm_(self, self);
  CHECK(is_product(self, before, before, before));
}

TEST_CASE("products go into memory that is there, operands included") {
  const Tensor a = matrix(20, 20, kRowByRow, kDouble, 1), b = matrix(20, 20, kTransposed, kDouble, 2);
  for (int layout : {kRowByRow, kTransposed, kEverySecond, kPadded}) {
    Tensor out = matrix(20, 20, layout, kDouble, 3);
    const void* memory = out.bytes();
    CHECK(is_product(mm_out(out, a, b), a, b));
    CHECK(is_product(addmm_out(out, select(a, 0, 0), a, b, 2, 3), a, b, select(a, 0, 0), 2, 3));
    CHECK(out.bytes() == memory);
  }
  Tensor self = a.clone();
  CHECK(is_product(mm_out(self, self, self), a, a));
  const Tensor batch = random_matrix({3, 20, 20}, kDouble, 4);
  Tensor many = empty({3, 20, 20}, kDouble);
  CHECK(same_bits(bmm_out(many, batch, batch), bmm(batch, batch)));
  CHECK(same_bits(matmul_out(many, batch, b), matmul(batch, b)));
  Tensor resized = empty({0}, kDouble), vector = empty({0}, kDouble), integers = empty({20, 20}, kLong);
  CHECK(is_product(mm_out(resized, a, b), a, b));
  CHECK(same_bits(matmul_out(vector, a, select(b, 0, 0)), matmul(a, select(b, 0, 0))));
  CHECK_THROWS_AS(mm_out(integers, a, b), Error);
}

TEST_CASE("an empty sum is zero") {
  CHECK(values_of(mm(zeros({2, 0}), zeros({0, 2}))) == std::vector<double>(4, 0));
  CHECK(values_of(addmm(ones({2, 2}), zeros({2, 0}), zeros({0, 2}), 3)) == std::vector<double>(4, 3));
  CHECK(values_of(linear(zeros({2, 0}), zeros({3, 0}), ones({3}))) == std::vector<double>(6, 1));
  CHECK(dot(zeros({0}), zeros({0})).item<float>() == 0);
  CHECK(matmul(zeros({0, 3, 2}), zeros({2, 5})).sizes() == IntArrayRef({0, 3, 5}));
  CHECK(matmul(zeros({4, 0, 2}), zeros({4, 2, 5})).sizes() == IntArrayRef({4, 0, 5}));
}

TEST_CASE("a matrix times its transpose has the bits of the product with a copy of it") {
  const auto check = [](const Tensor& a, std::initializer_list<int> numbers_of_threads) {
    CAPTURE(a.sizes(), a.strides());
    const Tensor b = a.clone();
    REQUIRE(b.strides() == a.strides());
    const Tensor expected = mm(b, a.t());
    for (const int threads : numbers_of_threads)
      CHECK(same_bits(with_threads(threads, [&] { return mm(a, a.t()); }), expected));
  };
  struct Shape {
    int64_t rows, cols;
  };
  for (const auto [rows, cols] : {Shape{256, 600}, {257, 300}, {530, 530}, {1031, 129}}) {
    check(random_matrix({rows, cols}, kFloat, 1), {1, 2});
    check(random_matrix({cols, rows}, kFloat, 2).t(), {1, 2});
  }
  check(random_matrix({270, 16'400}, kFloat, 1), {2});  // its rows are packed in two parts
}

TEST_CASE("matmul broadcasts batches") {
  struct Case {
    DimVector a, b, result;
  };
  const std::vector<Case> cases = {{{2, 3, 4}, {2, 4, 5}, {2, 3, 5}},
                                   {{2, 3, 4}, {4, 5}, {2, 3, 5}},
                                   {{3, 4}, {2, 4, 5}, {2, 3, 5}},
                                   {{2, 1, 3, 4}, {6, 4, 5}, {2, 6, 3, 5}},
                                   {{1, 3, 4}, {7, 4, 5}, {7, 3, 5}},
                                   {{7, 3, 4}, {1, 4, 5}, {7, 3, 5}},
                                   {{2, 6, 70, 40}, {40, 50}, {2, 6, 70, 50}},
                                   {{3, 1, 2, 4}, {1, 5, 4, 2}, {3, 5, 2, 2}}};
  for (const Case& c : cases) {
    const Tensor a = random_matrix(c.a, kFloat, 1), b = random_matrix(c.b, kFloat, 2);
    const Tensor y = matmul(a, b);
    REQUIRE(y.sizes() == IntArrayRef(c.result));
    const int64_t m = c.result[c.result.size() - 2], n = c.result.back(), k = c.a.back();
    const IntArrayRef lead = IntArrayRef(c.result).slice(0, c.result.size() - 2);
    const auto flat = [&](const Tensor& x, int64_t rows, int64_t cols) {
      DimVector sizes = lead;
      sizes.push_back(rows), sizes.push_back(cols);
      return reshape(expand(x, sizes), {-1, rows, cols});
    };
    const Tensor x = flat(a, m, k), w = flat(b, k, n), got = flat(y, m, n);
    for (int64_t i = 0; i < got.size(0); ++i) CHECK(is_product(select(got, 0, i), select(x, 0, i), select(w, 0, i)));
  }
}

TEST_CASE("batched products take transposed, strided and expanded batches without a difference") {
  const Tensor a = random_matrix({6, 40, 4, 30}, kFloat, 1), b = random_matrix({6, 4, 50, 30}, kFloat, 2);
  const Tensor q = transpose(a, 1, 2), k = transpose(b, 2, 3);
  const auto product = [&] { return matmul(q, k); };
  const Tensor y = with_threads(1, product);
  CHECK(same_bits(y, with_threads(2, product)));
  CHECK(same_bits(y, matmul(q.contiguous(), b.contiguous().transpose(2, 3))));
  CHECK(is_product(select(select(y, 0, 5), 0, 3), select(select(q, 0, 5), 0, 3), select(select(k, 0, 5), 0, 3)));
  CHECK(same_bits(bmm(expand(select(select(q, 0, 0), 0, 0), {3, 40, 30}), select(k, 0, 0).narrow(0, 0, 3)).select(0, 1),
                  mm(select(select(q, 0, 0), 0, 0), select(select(k, 0, 0), 0, 1))));
}

TEST_CASE("vectors count as a row on the left and a column on the right") {
  const Tensor a = random_matrix({5, 7}, kDouble, 1), v = random_matrix({7}, kDouble, 2),
               u = random_matrix({5}, kDouble, 3);
  const Tensor column = reshape(v, {7, 1}), row = reshape(u, {1, 5});
  CHECK(is_product(reshape(mv(a, v), {5, 1}), a, column));
  CHECK(is_product(reshape(matmul(a, v), {5, 1}), a, column));
  CHECK(is_product(reshape(matmul(u, a), {1, 7}), row, a));
  CHECK(is_product(reshape(dot(v, v), {1, 1}), reshape(v, {1, 7}), column));
  CHECK(is_product(outer(u, v), reshape(u, {5, 1}), reshape(v, {1, 7})));
  CHECK(is_product(reshape(addmv(u, a, v, 2, 3), {5, 1}), a, column, reshape(u, {5, 1}), 2, 3));
  const Tensor batch = random_matrix({3, 5, 7}, kDouble, 4);
  CHECK(matmul(batch, v).sizes() == IntArrayRef({3, 5}));
  CHECK(difference(select(matmul(batch, v), 0, 2), mv(select(batch, 0, 2), v)) < 1e-14);
  CHECK(difference(select(matmul(u, batch), 0, 1), matmul(u, select(batch, 0, 1))) < 1e-14);
  const Tensor strided = slice(random_matrix({14}, kDouble, 5), 0, 0, std::nullopt, 2);
  CHECK(difference(dot(strided, v), strided.mul(v).sum()) < 1e-14);
}

TEST_CASE("linear takes inputs of any number of dims and any strides") {
  const Tensor w = random_matrix({11, 13}, kFloat, 1), bias = random_matrix({11}, kFloat, 2);
  for (const DimVector& lead : {DimVector{}, DimVector{4}, DimVector{2, 3}, DimVector{2, 0, 3}, DimVector{2, 3, 4}}) {
    DimVector sizes = lead, result = lead;
    sizes.push_back(13), result.push_back(11);
    const Tensor x = random_matrix(sizes, kFloat, 3), y = linear(x, w, bias);
    REQUIRE(y.sizes() == IntArrayRef(result));
    CHECK(is_product(reshape(y, {-1, 11}), reshape(x, {numel_of(lead), 13}), t(w), bias));
  }
  const Tensor x = random_matrix({4, 5, 13}, kFloat, 4), swapped = transpose(x, 0, 1);
  CHECK(same_bits(linear(swapped, w, bias), linear(swapped.contiguous(), w, bias)));
  CHECK(same_bits(linear(x, t(t(w).contiguous()), bias), linear(x, w, bias)));
  CHECK(linear(x, select(w, 0, 0)).sizes() == IntArrayRef({4, 5}));
}

TEST_CASE("linear with an activation has the bits of the two ops") {
  const std::vector<DimVector> inputs = {{1, 9}, {17, 33}, {2, 3, 33}, {9}, {300, 700}, {1, 70000}, {513, 40}, {0, 5}};
  for (const DType dtype : {kFloat, kDouble, kHalf, kBFloat16, kInt}) {
    for (const DimVector& sizes : inputs) {
      for (const int64_t n : {1, 7, 64, 260, 900}) {
        // Larger ones take the ways of these, and builds that are not optimised minutes.
        if (n > 64 && sizes.back() > (n == 260 && dtype == kFloat ? 700 : 40)) continue;
        if (n == 64 && sizes.back() > 700) continue;
        CAPTURE(name(dtype), sizes, n);
        const Tensor x = random_matrix(sizes, dtype, 1), w = random_matrix({n, sizes.back()}, dtype, 2),
                     b = random_matrix({n}, dtype, 3);
        const Tensor sums = linear(x, w, b);
        CHECK(same_bits(linear_relu(x, w, b), relu(sums)));
        CHECK(same_bits(linear_relu(x, w), relu(linear(x, w))));
        CHECK(same_bits(with_threads(2, [&] { return linear_relu(x, w, b); }), relu(sums)));
        if (dtype == kInt) continue;
        CHECK(same_bits(linear_gelu(x, w, b), gelu(sums, "tanh")));
        CHECK(same_bits(linear_gelu(x, w), gelu(linear(x, w), "tanh")));
      }
    }
  }
}

TEST_CASE("linear with an activation takes inputs of any strides and keeps NaN") {
  for (int layout = 0; layout < kLayouts; ++layout) {
    const Tensor x = matrix(12, 9, layout, kFloat, 1), w = matrix(5, 9, (layout + 1) % kLayouts, kFloat, 2);
    const Tensor b = expand(ones({}), {5}), x3 = transpose(reshape(x, {3, 4, 9}), 0, 1);
    CHECK(same_bits(linear_relu(x3, w, b), relu(linear(x3, w, b))));
    CHECK(same_bits(linear_gelu(x3, w, b), gelu(linear(x3, w, b), "tanh")));
  }
  const Tensor x = full({2, 3}, std::nan(""));
  CHECK(linear_relu(x, ones({4, 3})).isnan().all().item<bool>());
}

TEST_CASE("gradients of linear with an activation have the bits of the two ops'") {
  const Tensor x = random_matrix({4, 20, 30}, kFloat, 1), w = random_matrix({40, 30}, kFloat, 2),
               b = random_matrix({40}, kFloat, 3), seed = random_matrix({4, 20, 40}, kFloat, 4);
  const auto gradients = [&](auto f) {
    std::vector<Tensor> leaves;
    for (const Tensor& t : {x, w, b}) leaves.push_back(t.clone().set_requires_grad(true));
    f(leaves[0], leaves[1], leaves[2]).backward(seed);
    for (Tensor& t : leaves) t = t.grad();
    return leaves;
  };
  const auto check = [&](auto fused, auto apart) {
    const auto g = gradients(fused), h = gradients(apart);
    for (size_t i = 0; i < g.size(); ++i) CHECK(same_bits(g[i], h[i]));
  };
  using In = const Tensor&;
  check([](In x, In w, In b) { return linear_relu(x, w, b); }, [](In x, In w, In b) { return relu(linear(x, w, b)); });
  check([](In x, In w, In b) { return linear_gelu(x, w, b); },
        [](In x, In w, In b) { return gelu(linear(x, w, b), "tanh"); });
}

TEST_CASE("_addmm_activation is addmm and an activation") {
  const Tensor a = random_matrix({6, 5}, kFloat, 1), b = random_matrix({5, 7}, kFloat, 2);
  for (const DimVector& sizes : {DimVector{7}, DimVector{1, 7}, DimVector{6, 7}, DimVector{6, 1}, DimVector{}}) {
    const Tensor self = random_matrix(sizes, kFloat, 3);
    CAPTURE(self.sizes());
    CHECK(same_bits(_addmm_activation(self, a, b), relu(addmm(self, a, b))));
    CHECK(same_bits(_addmm_activation(self, a, b, 1, 1, true), gelu(addmm(self, a, b), "tanh")));
    CHECK(same_bits(_addmm_activation(self, a, b, 2, 0.5), relu(addmm(self, a, b, 2, 0.5))));
  }
  CHECK(message_of([&] {
          linear_gelu(ones({2, 3}, kInt), ones({4, 3}, kInt));
        }) == "linear_gelu: not implemented for int32; it takes float16, bfloat16, float32, float64");
}

TEST_CASE("sums over batches, chains, Kronecker products and contractions equal their definitions") {
  const Tensor a = random_matrix({3, 4, 5}, kDouble, 1), b = random_matrix({3, 5, 6}, kDouble, 2),
               init = random_matrix({4, 6}, kDouble, 3);
  CHECK(difference(addbmm(init, a, b, 2, 3), bmm(a, b).sum({0}).mul(3).add(init.mul(2))) < 1e-13);
  CHECK(difference(baddbmm(init, a, b, 2, 3), bmm(a, b).mul(3).add(init.mul(2))) < 1e-13);
  CHECK(difference(tensordot(a, b, {0, 2}, {0, 1}), bmm(a, b).sum({0})) < 1e-13);
  CHECK(difference(tensordot(select(a, 0, 0), select(b, 0, 0), 1), mm(select(a, 0, 0), select(b, 0, 0))) < 1e-13);
  CHECK(tensordot(a, b, 0).sizes() == IntArrayRef({3, 4, 5, 3, 5, 6}));
  CHECK(difference(inner(init, init), mm(init, t(init))) < 1e-13);
  const std::vector<Tensor> chain = {random_matrix({2, 30}, kDouble, 4), random_matrix({30, 3}, kDouble, 5),
                                     random_matrix({3, 20}, kDouble, 6), random_matrix({20, 1}, kDouble, 7)};
  CHECK(difference(chain_matmul(chain), mm(mm(mm(chain[0], chain[1]), chain[2]), chain[3])) < 1e-12);
  const Tensor k = kron(tensor({{1., 2.}, {3., 4.}}), tensor({1., 10.}));
  CHECK(values_of(k) == std::vector<double>{1, 10, 2, 20, 3, 30, 4, 40});
  CHECK(k.sizes() == IntArrayRef({2, 4}));
  const Tensor x1 = random_matrix({7, 4}, kDouble, 8), x2 = random_matrix({7, 5}, kDouble, 9),
               w = random_matrix({3, 4, 5}, kDouble, 10), bias = random_matrix({3}, kDouble, 11);
  const Tensor y = bilinear(x1, x2, w, bias);
  REQUIRE(y.sizes() == IntArrayRef({7, 3}));
  const Tensor by_hand = matmul(matmul(select(x1, 0, 6), select(w, 0, 2)), select(x2, 0, 6)).add(select(bias, 0, 2));
  CHECK(difference(select(select(y, 0, 6), 0, 2), by_hand) < 1e-13);
}

TEST_CASE("products of vectors of 3 equal those of their parts in every layout and dtype") {
  for (const DType dtype : {kFloat, kDouble, kInt, kChar, kLong, kBFloat16, kComplexDouble}) {
    for (const int64_t n : {1, 2, 5, 17, 300}) {
      const Tensor a = random_matrix({n, 3, 7}, dtype, 1), b = random_matrix({n, 3, 7}, dtype, 2);
      const Tensor by_rows = linalg::cross(a, b, 1);
      const auto part = [&](const Tensor& t, int64_t i) {
        return t.select(1, i % 3).to(is_complex(dtype) ? kComplexDouble : kDouble);
      };
      for (int64_t i = 0; i < 3; ++i) {
        const Tensor wanted = part(a, i + 1).mul(part(b, i + 2)).sub(part(a, i + 2).mul(part(b, i + 1)));
        CHECK(allclose(by_rows.select(1, i), wanted.to(dtype), dtype == kBFloat16 ? 8e-3 : 1e-5, 1e-6));
      }
      // The vectors' elements side by side, far apart, and in tensors that are no rows.
      const Tensor beside = linalg::cross(a.transpose(1, 2).contiguous(), b.transpose(1, 2).contiguous());
      CHECK(equal(beside, by_rows.transpose(1, 2)));
      CHECK(equal(linalg::cross(a.transpose(1, 2), b.transpose(1, 2)), beside));
      const Tensor apart = linalg::cross(a.transpose(0, 1).contiguous(), b.transpose(0, 1).contiguous(), 0);
      CHECK(equal(apart, by_rows.transpose(0, 1)));
      CHECK(equal(linalg::cross(a.slice(2, 0, 7, 2), b.slice(2, 0, 7, 2), 1), by_rows.slice(2, 0, 7, 2)));
    }
  }
  const Tensor a = random_matrix({20000, 3}, kFloat, 1), b = random_matrix({20000, 3}, kFloat, 2);
  const auto products = [&] { return linalg::cross(a, b); };
  CHECK(same_bits(with_threads(1, products), with_threads(3, products)));
  CHECK(linalg::cross(zeros({0, 3}), zeros({0, 3})).sizes() == IntArrayRef({0, 3}));
  CHECK_THROWS_WITH(linalg::cross(ones({3}).to(kBool), ones({3}).to(kBool)),
                    Catch::Matchers::ContainsSubstring("linalg.cross"));
}

TEST_CASE("a repeated infinity is added as often as it is there") {
  for (const DType type : {kFloat, kDouble}) {
    const Tensor repeated = full({1}, kInf, type);
    for (const int64_t n : {2, 7, 9, 33}) {
      const Tensor x = repeated.expand({n}), row = x.view({1, n});
      CHECK(dot(x, x).item<double>() == kInf);
      CHECK(mv(row, x).item<double>() == kInf);
      CHECK(mm(ones({1, n}, type), row.t()).item<double>() == kInf);
    }
  }
}

TEST_CASE("wrong operands of products are named") {
  CHECK(message_of([] {
          mm(zeros({2, 3}), zeros({4, 5}));
        }) == "mm: shapes (2, 3) and (4, 5): mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)");
  CHECK(message_of([] {
          mm(zeros({2, 3}), zeros({3, 5}, kDouble));
        }) == "mm: expected operands of the same dtype, but got float32 and float64; convert one with to()");
  CHECK(message_of([] {
          mm(zeros({3}), zeros({3, 5}));
        }) == "mm: expected tensors of 2 and 2 dims, got shapes (3,) and (3, 5)");
  CHECK(message_of([] {
          bmm(zeros({2, 3, 4}), zeros({3, 4, 5}));
        }) == "bmm: shapes (2, 3, 4) and (3, 4, 5) have different batch sizes (2 vs 3)");
  CHECK(message_of([] {
          mm(zeros({2, 3}, kBool), zeros({3, 2}, kBool));
        }) ==
        "mm: not implemented for bool; it takes uint8, int8, int16, int32, uint32, int64, float16, bfloat16, "
        "float32, "
        "float64, complex64, complex128");
  CHECK(message_of([] {
          linear(zeros({2, 3}), zeros({4, 5}));
        }) == "linear: x (2, 3) and weight (4, 5): mat1 and mat2 shapes cannot be multiplied (2x3 and 5x4)");
  CHECK_THROWS_AS(matmul(zeros({}), zeros({2})), Error);
  CHECK_THROWS_AS(matmul(zeros({2, 3, 4}), zeros({3, 4, 5})), Error);
  CHECK_THROWS_AS(linear(zeros({2, 3}), zeros({4, 3}), zeros({5})), Error);
  CHECK_THROWS_AS(addmm(zeros({3, 3}), zeros({2, 3}), zeros({3, 2})), Error);
  CHECK_THROWS_AS(zeros({3, 3}).addmm_(zeros({2, 3}), zeros({3, 2})), Error);
  CHECK_THROWS_AS(tensordot(zeros({2, 3}), zeros({3, 2}), {0}, {0}), Error);
  CHECK_THROWS_AS(tensordot(zeros({2, 3}), zeros({2, 2}), {0, 0}, {0, 1}), Error);
  CHECK_THROWS_AS(mm(Tensor(), zeros({2, 2})), Error);
}
