// Programs that compute: element-wise functions, reductions, linear algebra, transforms, special functions.
#include <torch/torch.h>

#include <cmath>

#include "test/programs/programs.h"

namespace programs::computing {
namespace {

torch::Tensor waves(at::IntArrayRef shape, double step = 0.7) {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  return torch::cos(torch::arange(count, torch::kFloat64) * step).view(shape);
}

const Program arithmetic("arithmetic", [](std::ostream& out) {
  const auto a = torch::tensor({7., -7., 2.5}), b = torch::tensor({2., 2., -0.5});
  show(out, "+", a + b);
  show(out, "-", 1 - a);
  show(out, "*", a * 2);
  show(out, "/", a / b);
  show(out, "remainder", a.remainder(b));
  show(out, "%", torch::tensor({7, -7}) % 3);
  show(out, "fmod", a.fmod(b));
  show(out, "floor", torch::div(a, b, "floor"));
  show(out, "trunc", torch::div(a, b, "trunc"));
  show(out, "floor_divide", torch::floor_divide(torch::tensor({7, -7}), 2));
  show(out, "pow", a.pow(3));
  show(out, "pow of a number", torch::pow(2, b));
  show(out, "addcmul", torch::addcmul(a, a, b, 0.5));
  show(out, "addcdiv", torch::addcdiv(a, a, b, 0.5));
  show(out, "lerp", torch::lerp(a, b, 0.25));
  show(out, "rsub", torch::rsub(a, b, 2));
  show(out, "-a", -a);
});

const Program in_place("arithmetic in place", [](std::ostream& out) {
  torch::Tensor x = torch::arange(4.);
  x += 1;
  x *= torch::tensor({1., 2., 3., 4.});
  x -= 0.5;
  x /= 2;
  show(out, "x", x);
  x.add_(torch::ones(4), 3).sub_(1).pow_(2).sqrt_().neg_().abs_().clamp_(1, 5);
  show(out, "chain", x);
  x.fill_(2).exp_().log_().sigmoid_().zero_().copy_(torch::arange(4.)).masked_fill_(x > 2, -1);
  show(out, "more", x);
  torch::Tensor i = torch::tensor({1, 2});
  fails<c10::Error>(out, "to integers", "can't be cast to", [&] { i += 0.5; });
  i += torch::tensor({1, 1});
  show(out, "i", i);
});

const Program bits("integers and bits", [](std::ostream& out) {
  const auto a = torch::tensor({12, 10, -1}), b = torch::tensor({10, 6, 7});
  show(out, "and", a & b);
  show(out, "or", a | b);
  show(out, "xor", a ^ b);
  show(out, "not", ~a);
  show(out, "shift", torch::bitwise_left_shift(a, b.remainder(3)));
  show(out, "bools", (a > 0) & (b < 8));
  show(out, "logical", torch::logical_xor(a > 11, b > 6));
});

const Program shifts("shifts as methods", [](std::ostream& out) {
  const auto a = torch::tensor({12, 10, -1});
  show(out, "left", a.__lshift__(2));
  show(out, "right", a.__rshift__(1));
  show(out, "by tensors", a.__lshift__(torch::tensor({1, 2, 3})));
  const torch::Tensor b = a.clone();
  b.__ilshift__(1);
  b.__irshift__(torch::tensor({1, 2, 3}));
  show(out, "in place", b);
  show(out, "and", a.__and__(6).__or__(1).__xor__(a));
});

const Program comparisons("comparisons", [](std::ostream& out) {
  const auto a = torch::tensor({1., 2., 3.}), b = torch::tensor({3., 2., 1.});
  show(out, "<", a < b);
  show(out, ">=", a >= b);
  show(out, "==", a == b);
  show(out, "!=", a != 2);
  show(out, "maximum", torch::maximum(a, b));
  show(out, "min", torch::min(a, b));
  show(out, "clamp", a.clamp(1.5, 2.5));
  show(out, "clamp_min", a.clamp_min(2));
  show(out, "by tensors", torch::clamp(a, b - 1, b));
  show(out, "isclose", torch::isclose(a, b + 1e-9));
  out << torch::equal(a, b) << torch::allclose(a, a + 1e-9) << a.eq(b).any().item<bool>() << '\n';
  const auto odd = torch::tensor({double(NAN), double(INFINITY), -double(INFINITY), 0.});
  show(out, "isnan", odd.isnan());
  show(out, "isinf", odd.isinf());
  show(out, "isfinite", torch::isfinite(odd));
  show(out, "nan_to_num", torch::nan_to_num(odd, 0.5, 9., -9.));
});

const Program unary("functions of one number", [](std::ostream& out) {
  const auto x = torch::tensor({-0.9, -0.2, 0.4, 0.8}, torch::kFloat64);
  for (const auto f : {torch::sin, torch::cos, torch::tan, torch::asin, torch::acos, torch::atan, torch::sinh,
                       torch::cosh, torch::tanh})
    show(out, f(x));
  for (const auto f :
       {torch::exp, torch::expm1, torch::exp2, torch::log1p, torch::erf, torch::erfc, torch::erfinv, torch::sigmoid})
    show(out, f(x));
  for (const auto f : {torch::floor, torch::ceil, torch::trunc, torch::frac, torch::sign, torch::abs, torch::square,
                       torch::reciprocal})
    show(out, f(x));
  const auto y = x.abs() + 1;
  for (const auto f :
       {torch::log, torch::log2, torch::log10, torch::sqrt, torch::rsqrt, torch::lgamma, torch::digamma, torch::acosh})
    show(out, f(y));
  show(out, "round", torch::tensor({0.5, 1.5, 2.5, -0.5}).round());
  show(out, "atan2", torch::atan2(x, y));
  show(out, "hypot", torch::hypot(x, y));
  show(out, "logaddexp", torch::logaddexp(x, y));
});

const Program reductions("reductions", [](std::ostream& out) {
  const auto x = waves({3, 4});
  show(out, "sum", x.sum());
  show(out, "columns", x.sum(0));
  show(out, "kept", x.sum({0, 1}, /*keepdim=*/true));
  show(out, "mean", x.mean(1));
  show(out, "std", x.std(1));
  show(out, "biased", x.std(1, /*unbiased=*/false));
  show(out, "var", x.var());
  show(out, "prod", x.prod(1));
  show(out, "max", x.max());
  show(out, "amax", x.amax({0}));
  show(out, "norm", x.norm());
  show(out, "1-norm", x.norm(1, 1));
  show(out, "logsumexp", x.logsumexp(1));
  show(out, "median", std::get<0>(x.median(1)));
  show(out, "cumsum", x.cumsum(1));
  show(out, "cumprod", x.cumprod(0));
  show(out, "any", (x > 0.9).any(1));
  show(out, "to double", x.to(torch::kFloat32).sum(0, false, torch::kFloat64));
  const auto [variance, mean] = torch::var_mean(x, 1);
  show(out, "var_mean", torch::stack({variance, mean}));
  const auto [low, high] = torch::aminmax(x);
  show(out, "aminmax", torch::stack({low, high}));
});

#ifndef AWAITS_STATISTICS
const Program statistics("statistics", [](std::ostream& out) {
  const auto x = waves({3, 5});
  show(out, "quantile", torch::quantile(x, 0.4, 1));
  show(out, "several", torch::quantile(x, torch::tensor({0.1, 0.9}, torch::kFloat64)));
  show(out, "nanmedian", torch::nanmedian(torch::tensor({double(NAN), 1., 3., 2.})));
  show(out, "mode", std::get<0>(torch::mode(torch::tensor({{1, 2, 2}, {3, 3, 1}}))));
  show(out, "kthvalue", std::get<0>(torch::kthvalue(x, 2, 1)));
  show(out, "cov", torch::cov(x));
  show(out, "corrcoef", torch::corrcoef(x));
  show(out, "histc", torch::histc(x, 4, -1, 1));
  show(out, "bincount", torch::bincount(torch::tensor({0, 2, 2, 5})));
  show(out, "nansum", torch::nansum(torch::tensor({double(NAN), 1.})));
  show(out, "cummax", std::get<0>(torch::cummax(x, 1)));
  show(out, "logcumsumexp", torch::logcumsumexp(x, 1));
});
#endif

#ifndef AWAITS_FUNCTIONS
const Program more("functions of everyday use", [](std::ostream& out) {
  const auto x = waves({2, 4});
  show(out, "diff", torch::diff(x));
  show(out, "cdist", torch::cdist(x, x + 1));
  show(out, "tensor_split", torch::tensor_split(torch::arange(7), 3)[1]);
  show(out, "column_stack", torch::column_stack({torch::arange(2), torch::arange(2)}));
  show(out, "dstack", torch::dstack({torch::arange(2), torch::arange(2)}));
  show(out, "atleast_2d", torch::atleast_2d(torch::arange(3)));
  show(out, "block_diag", torch::block_diag({torch::ones({1, 2}), torch::full({2, 1}, 3.)}));
  show(out, "isin", torch::isin(torch::arange(4), torch::tensor({1, 3})));
  show(out, "trapezoid", torch::trapezoid(x));
  show(out, "rot90", torch::rot90(torch::arange(4).view({2, 2})));
  show(out, "cartesian_prod", torch::cartesian_prod({torch::arange(2), torch::arange(2)}));
  show(out, "combinations", torch::combinations(torch::arange(3)));
  show(out, "unique_consecutive", std::get<0>(torch::unique_consecutive(torch::tensor({1, 1, 2, 1}))));
  show(out, "heaviside", torch::heaviside(torch::tensor({-1., 0., 2.}), torch::tensor(0.5)));
  show(out, "copysign", torch::copysign(torch::tensor({1., -2.}), -1));
  show(out, "sinc", torch::sinc(torch::tensor({0., 0.5})));
  show(out, "renorm", torch::renorm(x, 2, 0, 1));
  show(out, "scatter_reduce",
       torch::zeros(3).scatter_reduce(0, torch::tensor({0, 0, 2}), torch::tensor({1., 5., 2.}), "amax"));
  show(out, "gcd", torch::gcd(torch::tensor({12, 10}), torch::tensor({10, 6})));
  show(out, "lcm", torch::lcm(torch::tensor({4}), torch::tensor({6})));
  show(out, "float_power", torch::float_power(torch::tensor({2}), 3));
});
#endif

const Program products("products", [](std::ostream& out) {
  const auto a = waves({2, 3}), b = waves({3, 2}, 1.1), v = waves({3}, 1.3);
  show(out, "mm", a.mm(b));
  show(out, "matmul", torch::matmul(a, v));
  show(out, "mv", a.mv(v));
  show(out, "dot", v.dot(v));
  show(out, "outer", torch::outer(v, v));
  show(out, "bmm", torch::bmm(waves({2, 2, 3}), waves({2, 3, 1})));
  show(out, "addmm", torch::addmm(torch::ones({2, 2}, torch::kFloat64), a, b, 2, 0.5));
  show(out, "baddbmm", torch::baddbmm(torch::zeros({1, 2, 2}, torch::kFloat64), a.unsqueeze(0), b.unsqueeze(0)));
  show(out, "einsum", torch::einsum("ij,jk->ki", {a, b}));
  show(out, "tensordot", torch::tensordot(a, b, {1, 0}, {0, 1}));
  show(out, "kron", torch::kron(torch::eye(2), torch::tensor({{1., 2.}})));
  show(out, "cross", torch::cross(v, v.flip(0), 0));
  show(out, "chain", torch::linalg_multi_dot({a, b, a}));
  show(out, "matrix_power", torch::matrix_power(a.mm(b), 3));
  fails<c10::Error>(out, "shapes", "mat1 and mat2 shapes cannot be multiplied", [&] { a.mm(a); });
});

const Program linalg("linear algebra", [](std::ostream& out) {
  const auto a = waves({3, 3}) + 3 * torch::eye(3, torch::kFloat64), b = waves({3, 2}, 1.1), s = a.mm(a.t());
  show(out, "det", torch::linalg_det(a));
  show(out, "inv", torch::linalg_inv(a));
  show(out, "solve", torch::linalg_solve(a, b));
  show(out, "cholesky", torch::linalg_cholesky(s));
  show(out, "eigvalsh", torch::linalg_eigvalsh(s));
  const auto [sign, logabs] = torch::linalg_slogdet(a);
  show(out, "slogdet", torch::stack({sign, logabs}));
  const auto [q, r] = torch::linalg_qr(a);
  show(out, "qr", q.mm(r) - a + 1);
  const auto [u, sv, vh] = torch::linalg_svd(a, false);
  show(out, "singular", sv);
  show(out, "svd", u.mm(torch::diag(sv)).mm(vh));
  show(out, "pinv", torch::linalg_pinv(b));
  show(out, "norm", torch::linalg_norm(a));
  show(out, "vector_norm", torch::linalg_vector_norm(a, 3));
  show(out, "matrix_norm", torch::linalg_matrix_norm(a, "nuc"));
  show(out, "triangular", torch::linalg_solve_triangular(a.triu(), b, /*upper=*/true));
});

#ifndef AWAITS_LINALG
const Program more_linalg("eigenvalues and least squares", [](std::ostream& out) {
  const auto a = waves({3, 3}), b = waves({4, 2}, 1.1);
  const auto values = torch::linalg_eigvals(a);
  show(out, "sum of eigenvalues", torch::real(values.sum()));
  const auto [l, v] = torch::linalg_eig(a);
  show(out, "back", torch::real(v.matmul(torch::diag(l)).matmul(torch::linalg_inv(v))));
  show(out, "lstsq", std::get<0>(torch::linalg_lstsq(b, waves({4, 1}, 0.3))));
  show(out, "rank", torch::linalg_matrix_rank(torch::ones({3, 3})));
  const auto [p, lower, upper] = torch::linalg_lu(a);
  show(out, "lu", p.mm(lower).mm(upper));
  show(out, "expm", torch::matrix_exp(a));
});
#endif

const Program fourier("Fourier transforms", [](std::ostream& out) {
  const auto x = waves({8});
  show(out, "fft", torch::fft::fft(x));
  show(out, "rfft", torch::fft::rfft(x, 6));
  show(out, "back", torch::fft::irfft(torch::fft::rfft(x), 8));
  show(out, "ifft", torch::real(torch::fft::ifft(torch::fft::fft(x))));
  show(out, "ortho", torch::fft::fft(x, c10::nullopt, -1, "ortho"));
  show(out, "fft2", torch::fft::fft2(waves({2, 3})));
  show(out, "fftfreq", torch::fft::fftfreq(5, 0.1));
  show(out, "fftshift", torch::fft::fftshift(torch::arange(5)));
});

const Program windows("windows and short-time transforms", [](std::ostream& out) {
  show(out, "hann", torch::hann_window(6));
  show(out, "hamming", torch::hamming_window(5, /*periodic=*/false));
  show(out, "blackman", torch::blackman_window(5));
  const auto x = waves({32});
  const auto s =
      torch::stft(x, 8, 4, 8, torch::hann_window(8, torch::kFloat64), /*center=*/true, "reflect", false, true, true);
  out << s.sizes() << '\n';
  show(out, "stft", s.select(-1, 2));
  const auto back = torch::istft(s, 8, 4, 8, torch::hann_window(8, torch::kFloat64), true, false, true, 32);
  out << torch::allclose(back, x, 1e-6, 1e-8) << '\n';
});

#ifndef AWAITS_WINDOWS
const Program more_windows("windows of other shapes", [](std::ostream& out) {
  show(out, "bartlett", torch::bartlett_window(5));
  show(out, "kaiser", torch::kaiser_window(5, true, 6.0));
  show(out, "fft_rfft", torch::fft_rfft(waves({8})).abs());
});
#endif

#ifndef AWAITS_SPECIAL
const Program special("torch::special", [](std::ostream& out) {
  const auto x = torch::tensor({0.1, 0.5, 2.5}, torch::kFloat64);
  show(out, "expit", torch::special::expit(x));
  show(out, "logit", torch::special::logit(x / 3));
  show(out, "gammaln", torch::special::gammaln(x));
  show(out, "digamma", torch::special::digamma(x));
  show(out, "polygamma", torch::special::polygamma(1, x));
  show(out, "entr", torch::special::entr(x));
  show(out, "erf", torch::special::erf(x));
  show(out, "erfcx", torch::special::erfcx(x));
  show(out, "ndtr", torch::special::ndtr(x));
  show(out, "ndtri", torch::special::ndtri(x / 3));
  show(out, "i0", torch::special::i0(x));
  show(out, "i0e", torch::special::i0e(x));
  show(out, "i1", torch::special::i1(x));
  show(out, "xlogy", torch::special::xlogy(x, x));
  show(out, "xlog1py", torch::special::xlog1py(x, x));
  show(out, "zeta", torch::special::zeta(x + 1, x));
  show(out, "gammainc", torch::special::gammainc(x, x));
  show(out, "multigammaln", torch::special::multigammaln(x + 1, 2));
  show(out, "logsumexp", torch::special::logsumexp(x, {0}, false));
  show(out, "log_softmax", torch::special::log_softmax(x, 0, c10::nullopt));
});
#endif

const Program complex_numbers("complex numbers", [](std::ostream& out) {
  const auto z = torch::complex(torch::tensor({1., -2.}), torch::tensor({3., 0.5}));
  show(out, "real", torch::real(z));
  show(out, "imag", torch::imag(z));
  show(out, "conj", z.conj());
  show(out, "abs", z.abs());
  show(out, "angle", z.angle());
  show(out, "product", z * z);
  show(out, "with a number", z * c10::complex<float>(0, 1));
  show(out, "exp", z.exp());
  show(out, "as real", torch::view_as_real(z));
  show(out, "as complex", torch::view_as_complex(torch::ones({2, 2})));
  show(out, "mm", z.unsqueeze(0).mm(z.unsqueeze(1)));
});

#ifndef AWAITS_STD_COMPLEX
const Program numbers("complex numbers without tensors", [](std::ostream& out) {
  const c10::complex<double> i(0, 1), z(3, 4);
  out << i * i << ' ' << std::abs(z) << ' ' << (i + 1.0).real() << ' ' << std::conj(i).imag() << ' ' << std::norm(z)
      << '\n';
  out << z / i << ' ' << std::arg(i) << ' ' << c10::polar(2.0, 0.0) << ' ' << (z == z) << '\n';
});
#endif

}  // namespace
}  // namespace programs::computing
