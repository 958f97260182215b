// Matrix factors and solvers: one matrix of side 512, 64 of side 32, and what a call costs on one of side 4.
#include "rows.h"

using torch::Tensor;

namespace {

struct Case {
  const char* name;
  Tensor (*f)(const Tensor&);
};

// Each takes a symmetric positive-definite matrix.
constexpr Case kCases[] = {
    {"cholesky", [](const Tensor& a) { return torch::linalg_cholesky(a); }},
    {"inv", [](const Tensor& a) { return torch::linalg_inv(a); }},
    {"solve", [](const Tensor& a) { return torch::linalg_solve(a, a); }},
    {"det", [](const Tensor& a) { return torch::linalg_det(a); }},
    {"solve_triangular", [](const Tensor& a) { return torch::linalg_solve_triangular(a, a, true); }},
    {"qr", [](const Tensor& a) { return std::get<0>(torch::linalg_qr(a)); }},
    {"eigh", [](const Tensor& a) { return std::get<1>(torch::linalg_eigh(a)); }},
    {"svd", [](const Tensor& a) { return std::get<1>(torch::linalg_svd(a)); }},
    {"svdvals", [](const Tensor& a) { return torch::linalg_svdvals(a); }},
    {"matrix_exp", [](const Tensor& a) { return torch::matrix_exp(a / a.size(-1)); }},
};

void rows(const std::string& shape, torch::IntArrayRef sizes) {
  const Tensor x = torch::randn(sizes), a = torch::matmul(x, x.mT()) + torch::eye(x.size(-1));
  for (const Case& c : kCases) {
    const Tensor r = a.clone().requires_grad_();
    row(std::string(c.name) + " " + shape, 1, [=] {
      torch::NoGradGuard no_grad;
      benchmark::DoNotOptimize(c.f(a));
    });
    if (std::string(c.name) == "cholesky" || std::string(c.name) == "solve")
      row(std::string(c.name) + " " + shape + ", forward + backward", 1, [=] {
        r.mutable_grad() = Tensor();
        c.f(r).sum().backward();
      });
  }
}

}  // namespace

int main(int argc, char** argv) {
  torch::manual_seed(0);
  rows("of 512x512", {512, 512});
  rows("of 64x32x32", {64, 32, 32});
  rows("of 4x4", {4, 4});
  return run_rows(argc, argv);
}
