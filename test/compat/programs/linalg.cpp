// Ridge regression, a whitened sample and a small Gaussian process by linear algebra. Builds against libtorch and
// Strata.
#include <torch/torch.h>

#include <cstdio>
#include <cstdlib>

namespace {

void require(bool ok, const char* what) {
  if (ok) return;
  std::printf("%s: wrong\n", what);
  std::exit(1);
}
bool near(const torch::Tensor& a, const torch::Tensor& b) { return torch::allclose(a, b, 1e-8, 1e-8); }

}  // namespace

int main() {
  torch::manual_seed(0);
  const auto options = torch::TensorOptions().dtype(torch::kFloat64);
  const torch::Tensor x = torch::randn({20, 4}, options), y = torch::randn({20, 2}, options);

  const torch::Tensor gram = torch::matmul(x.t(), x) + 0.1 * torch::eye(4, options);
  const torch::Tensor beta = torch::linalg_solve(gram, torch::matmul(x.t(), y), /*left=*/true);
  require(near(torch::cholesky_solve(torch::matmul(x.t(), y), torch::linalg_cholesky(gram)), beta), "cholesky_solve");
  require(near(torch::matmul(gram.inverse(), torch::matmul(x.t(), y)), beta), "inverse");

  const auto [w, v] = torch::linalg_eigh(gram, "L");
  require(near(torch::matmul(v * w, v.t()), gram), "eigh");
  const auto [u, s, vh] = torch::linalg_svd(x, /*full_matrices=*/false);
  require(near(torch::matmul(u * s, vh), x), "svd");
  require(near(s.pow(2) + 0.1, w.flip({0})), "singular values");
  const auto [q, r] = torch::linalg_qr(x);
  require(near(torch::matmul(q, r), x), "qr");
  const auto [lu, pivots] = torch::linalg_lu_factor(gram);
  require(near(torch::linalg_lu_solve(lu, pivots, torch::eye(4, options)), torch::linalg_inv(gram)), "lu_solve");
  require(near(torch::linalg_pinv(x, 1e-12), torch::matmul(torch::linalg_inv(torch::matmul(x.t(), x)), x.t())), "pinv");
  require(near(torch::linalg_matrix_norm(x, "fro", {-2, -1}, false, torch::nullopt), s.pow(2).sum().sqrt()), "norm");
  require(near(torch::linalg_norm(x, 2, torch::nullopt, false, torch::nullopt), s[0]), "norm 2");
  require(near(torch::linalg_vector_norm(x, 2, torch::nullopt, false, torch::nullopt), x.norm()), "vector norm");
  require(near(torch::matrix_exp(torch::log(w).diag()), w.diag()), "matrix_exp");
  const auto [sign, logdet] = torch::linalg_slogdet(gram);
  require(near(logdet, torch::logdet(gram)) && near(sign * logdet.exp(), torch::det(gram)), "slogdet");

  torch::Tensor a = gram.clone().requires_grad_();
  torch::logdet(a).backward();
  require(near(a.grad(), gram.inverse().t()), "gradient of logdet");
  try {
    torch::linalg_inv(torch::zeros({2, 2}));
    require(false, "an error for a singular matrix");
  } catch (const c10::Error&) {
  }
  std::printf("ok\n");
}
