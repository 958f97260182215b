// Complex numbers through libtorch's names: making, taking apart, arithmetic, gradients.
#include <c10/util/complex.h>
#include <torch/torch.h>

#include <complex>
#include <vector>

using C = c10::complex<float>;
using D = c10::complex<double>;

void parts() {
  const auto z = torch::tensor({C(1, 2), C(-3, 0.5)});
  TORCH_CHECK(z.scalar_type() == torch::kComplexFloat && z.is_complex() && at::is_complex(z));
  TORCH_CHECK(c10::toRealValueType(z.scalar_type()) == torch::kFloat32);
  TORCH_CHECK(c10::toComplexType(torch::kDouble) == torch::kComplexDouble);
  TORCH_CHECK(c10::isComplexType(at::kComplexDouble));
  TORCH_CHECK(torch::equal(torch::complex(at::real(z), at::imag(z)), z));
  TORCH_CHECK(torch::allclose(torch::polar(z.abs(), at::angle(z)), z));
  TORCH_CHECK(torch::equal(torch::view_as_complex(torch::view_as_real(z)), z));
  TORCH_CHECK(z[0].item<C>() == C(1, 2));
  TORCH_CHECK(torch::conj(z)[0].item().toComplexDouble() == D(1, -2));
  const auto first = static_cast<std::complex<float>>(z[0].item<C>());
  TORCH_CHECK(first == std::complex<float>(1, 2));
  TORCH_CHECK(z.mul(C(0, 1))[0].item<C>() == C(-2, 1));
}

void numbers() {
  const c10::Scalar s = D(1, 2);
  TORCH_CHECK(s.isComplex() && s.toComplexDouble() == D(1, 2));
  const auto x = torch::ones({2}, torch::kDouble);
  TORCH_CHECK((x * s).dtype() == torch::kComplexDouble);
  TORCH_CHECK(torch::full({2}, C(1, 2), torch::kComplexDouble).sum().item<D>() == D(2, 4));
}

void gradients() {
  const auto a = torch::randn({3, 4}, torch::kComplexDouble).requires_grad_();
  const auto b = torch::randn({4, 2}, torch::kComplexDouble);
  const auto y = torch::matmul(a, b);
  const auto loss = at::real(y * y.conj()).sum();
  loss.backward();
  TORCH_CHECK(torch::allclose(a.grad(), 2 * torch::matmul(y.detach(), b.mH())));
  TORCH_CHECK(torch::allclose(torch::vdot(y.flatten(), y.flatten()).abs(), loss));
}

int main() {
  parts();
  numbers();
  gradients();
}
