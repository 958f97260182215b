// Orthogonal weights against PyTorch's, and modules that start without values.
#include <strata/nn/parametrize.h>

#include "test/nn/reference.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;
namespace parametrizations = nn::utils::parametrizations;

namespace {

void check_orthogonal(const std::string& map, int64_t rows, int64_t columns, bool trivial) {
  static const test::Reference reference("orthogonal.safetensors");
  const std::string name = map + "_" + std::to_string(rows) + "_" + std::to_string(columns) + (trivial ? "" : "_plain");
  INFO(name);
  const serialize::InputArchive r = reference(name);
  nn::Linear linear(nn::LinearOptions(columns, rows).bias(false));
  linear->to(kDouble);
  linear->weight.detach().copy_(r.find("w"));
  parametrizations::orthogonal(linear, "weight", map, trivial);
  const Tensor x = linear->named_parameters()["parametrizations.weight.original"];
  test::check_close("x", x, r.find("x"));
  const Tensor first = linear->weight.detach(), across = rows < columns ? first.t() : first;
  CHECK(matmul(across.t(), across).allclose(eye(across.size(1), kDouble), 1e-9, 1e-12));
  if (trivial) {
    const Tensor base = linear->named_buffers()["parametrizations.weight.0.base"];
    // Columns that complete a tall matrix are drawn at random; the others are PyTorch's.
    const int64_t given = std::min(rows, columns);
    test::check_close("base", base.narrow(1, 0, given), r.find("base").narrow(1, 0, given));
    base.copy_(r.find("base"));
  }
  test::check_close("y", first, r.find("y"));
  x.detach().copy_(r.find("x1"));
  linear(zeros({1, columns}, kDouble));
  test::check_close("y1", linear->weight, r.find("y1"));
  linear->weight.backward(r.find("gy"));
  test::check_close("g1", x.grad(), r.find("g1"));
}

}  // namespace

TEST_CASE("orthogonal weights and their gradients are PyTorch's, by each map", "[lapack]") {
  for (const char* map : {"matrix_exp", "cayley", "householder"}) {
    check_orthogonal(map, 3, 3, true);
    check_orthogonal(map, 5, 3, true);
    check_orthogonal(map, 2, 4, true);
  }
  check_orthogonal("householder", 4, 4, false);
  check_orthogonal("householder", 5, 2, false);
  check_orthogonal("householder", 3, 5, false);
}

TEST_CASE("an orthogonal weight stays so while it learns, and refuses what it cannot be", "[lapack]") {
  nn::Linear linear(4, 4);
  const Tensor before = linear->weight.detach().clone();
  parametrizations::orthogonal(linear);
  optim::SGD optimizer(linear->parameters(), 0.5);
  for (int step = 0; step < 3; ++step) {
    optimizer.zero_grad();
    linear(ones({2, 4})).square().sum().backward();
    optimizer.step();
  }
  linear(ones({1, 4}));
  CHECK(matmul(linear->weight.t(), linear->weight).allclose(eye(4), 1e-4, 1e-5));
  CHECK_FALSE(linear->weight.allclose(before));
  nn::Linear other(3, 2);
  CHECK_THROWS_WITH(parametrizations::orthogonal(other, "bias"), ContainsSubstring("matrix or a batch of matrices"));
  CHECK_THROWS_WITH(parametrizations::orthogonal(other, "weight", "qr"), ContainsSubstring("got \"qr\""));
  CHECK_THROWS_WITH(parametrizations::orthogonal(other, "weight", "cayley", false),
                    ContainsSubstring("without use_trivialization"));
  other->to(kComplexFloat);
  CHECK_THROWS_WITH(parametrizations::orthogonal(other, "weight", "householder"), ContainsSubstring("complex"));
  parametrizations::orthogonal(other);  // rows of two complex numbers' length
  const Tensor w = other->weight.detach();
  CHECK(matmul(w, w.mH()).allclose(eye(2, kComplexFloat), 1e-4, 1e-5));
}

TEST_CASE("skip_init draws nothing, and leaves constants", "[lapack]") {
  manual_seed(3);
  const Tensor next = rand({4});
  manual_seed(3);
  const nn::Linear linear = nn::utils::skip_init<nn::Linear>(8, 3);
  const auto norm = nn::utils::skip_init<nn::BatchNorm2d>(nn::BatchNormOptions(2));
  CHECK(rand({4}).equal(next));
  CHECK(linear->weight.sizes() == IntArrayRef({3, 8}));
  CHECK(norm->weight.equal(ones({2})));
  CHECK(linear->parameters().size() == 2);
  manual_seed(3);
  CHECK_FALSE(nn::Linear(8, 3)->weight.flatten().narrow(0, 0, 4).equal(next));
  CHECK_FALSE(rand({4}).equal(next));  // without it, numbers are used up
}
