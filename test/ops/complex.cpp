// Complex numbers as users meet them: PyTorch's values and gradients, promotion, printing, files, errors, transforms.
#include "ops/complex.h"

#include <complex>
#include <fstream>
#include <map>
#include <sstream>

#include "core/naming.h"
#include "strata.h"
#include "test/catch.h"
#include "test/source_dir.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;

namespace {

using C = Complex<float>;
using D = Complex<double>;

const D kW(1.25, -0.5);

Tensor pair_of(const Tensor& z) { return stack({z, z * z}); }
Tensor shifted(const Tensor& z) { return stack({z, z + kW}); }
Tensor triple_of(const Tensor& z) { return stack({z, z * 2, z + kW}); }
Tensor quad_of(const Tensor& z) { return stack({z, z * 2, z + kW, z * z}); }
Tensor weights_of(const Tensor& z) { return stack({z + kW, z * kW}); }

const std::map<std::string, Tensor (*)(const Tensor&)> kComplexFunctions = {
    {"neg", neg},
    {"conj_physical", conj_physical},
    {"square", square},
    {"reciprocal", reciprocal},
    {"sqrt", sqrt},
    {"rsqrt", rsqrt},
    {"exp", exp},
    {"exp2", exp2},
    {"expm1", expm1},
    {"log", log},
    {"log2", log2},
    {"log10", log10},
    {"log1p", log1p},
    {"sin", sin},
    {"cos", cos},
    {"tan", tan},
    {"asin", asin},
    {"acos", acos},
    {"atan", atan},
    {"sinh", sinh},
    {"cosh", cosh},
    {"tanh", tanh},
    {"asinh", asinh},
    {"acosh", acosh},
    {"atanh", atanh},
    {"sigmoid", sigmoid},
    {"abs", [](const Tensor& z) { return abs(z); }},
    {"angle", angle},
    {"sgn", sgn},
    {"real", real},
    {"imag", imag},
    {"mul", [](const Tensor& z) { return z * kW; }},
    {"rdiv", [](const Tensor& z) { return kW / z; }},
    {"div", [](const Tensor& z) { return z / kW; }},
    {"pow_tensor", [](const Tensor& z) { return pow(z, full_like(z, kW)); }},
    {"exponent", [](const Tensor& z) { return pow(full_like(z, kW), z); }},
    {"pow_2", [](const Tensor& z) { return pow(z, 2); }},
    {"pow_third", [](const Tensor& z) { return pow(z, 1. / 3); }},
    {"pow_complex", [](const Tensor& z) { return pow(z, kW); }},
    {"squared_length", [](const Tensor& z) { return real(z * z.conj()); }},
    {"to_real", [](const Tensor& z) { return z.to(kDouble); }},
    {"prod", [](const Tensor& z) { return prod(triple_of(z)); }},
    {"cumprod", [](const Tensor& z) { return cumprod(triple_of(z), 0).sum(); }},
    {"mean", [](const Tensor& z) { return mean(pair_of(z)); }},
    {"dot", [](const Tensor& z) { return dot(pair_of(z), shifted(z)); }},
    {"vdot", [](const Tensor& z) { return vdot(pair_of(z), shifted(z)); }},
    {"norm", [](const Tensor& z) { return norm(shifted(z)); }},
    {"polar", [](const Tensor& z) { return polar(abs(z), real(z)); }},
    {"complex", [](const Tensor& z) { return complex(imag(z), real(z)); }},
    {"logsumexp", [](const Tensor& z) { return logsumexp(triple_of(z), 0); }},
    {"var", [](const Tensor& z) { return var(triple_of(z)); }},
    {"std", [](const Tensor& z) { return strata::std(triple_of(z), 0, Scalar(0)); }},
    {"std_of_equals",
     [](const Tensor& z) {
       return strata::std(stack({z, z})) + abs(z);
     }},
    {"conv1d",
     [](const Tensor& z) {
       return conv1d(triple_of(z).view({1, 1, 3}), weights_of(z).view({1, 1, 2}), z.view({1}), 2, 1).sum();
     }},
    {"conv2d",
     [](const Tensor& z) {
       const Tensor w = weights_of(z).view({2, 1, 1, 1}).repeat({1, 2, 1, 1});
       return prod(conv2d(quad_of(z).view({1, 4, 1, 1}), w, {}, 1, 0, 1, 2));
     }},
    {"conv_transpose1d",
     [](const Tensor& z) {
       return prod(conv_transpose1d(triple_of(z).view({1, 1, 3}), weights_of(z).view({1, 1, 2}), z.view({1})));
     }},
    {"conv_transpose2d",
     [](const Tensor& z) {
       return conv_transpose2d(quad_of(z).view({1, 1, 2, 2}), weights_of(z).view({1, 1, 2, 1}), {}, 2).sum();
     }},
    {"conv3d",
     [](const Tensor& z) {
       const Tensor w = weights_of(z).view({2, 1, 1, 1, 1}).repeat({1, 1, 2, 1, 1});
       return prod(conv3d(quad_of(z).view({1, 2, 2, 1, 1}), w, z.repeat({2}), 1, {1, 0, 0}, 1, 2));
     }},
    {"conv_transpose3d",
     [](const Tensor& z) {
       const Tensor w = weights_of(z).view({2, 1, 1, 1, 1}).repeat({1, 1, 2, 1, 1});
       return prod(conv_transpose3d(quad_of(z).view({1, 2, 2, 1, 1}), w, z.repeat({2}), {2, 1, 1}, {1, 0, 0}, 0, 2));
     }},
    {"mixed", [](const Tensor& z) { return z * abs(z) + real(z); }},
};

Tensor point(D z) { return full({}, z, kComplexDouble); }
bool near(D a, D b) { return std::abs(std::complex<double>(a - b)) <= 1e-13 * (1 + std::abs(std::complex<double>(b))); }
D value_of(const Tensor& t) { return t.item().toComplexDouble(); }

}  // namespace

TEST_CASE("values and gradients of complex functions are PyTorch's") {
  std::ifstream file(source_dir() + "/test/ops/complex.txt");
  int lines = 0;
  for (std::string line; std::getline(file, line);) {
    if (line[0] == '#') continue;
    std::istringstream in(line);
    std::string name;
    double v[6];
    in >> name;
    for (double& x : v) in >> x;
    INFO(line);
    const Tensor z = point({v[0], v[1]}).requires_grad_();
    const Tensor y = kComplexFunctions.at(name)(z);
    y.backward(y.is_complex() ? point({0.5, -2}) : full({}, 0.5, kDouble));
    CHECK(near(value_of(y.detach()), {v[2], v[3]}));
    CHECK(near(value_of(z.grad()), {v[4], v[5]}));
    ++lines;
  }
  CHECK(lines == 4 * static_cast<int>(kComplexFunctions.size()));
}

TEST_CASE("Complex is std::complex's layout and arithmetic") {
  static_assert(sizeof(C) == 8 && alignof(C) == 8 && sizeof(D) == 16 && alignof(D) == 16);
  static_assert(std::is_trivially_copyable_v<D>);
  static_assert(C(1, 2) * C(3, -1) == C(5, 5) && C(1, 2) + 1.f == C(2, 2) && -C(1, 2) == C(-1, -2));
  const std::complex<double> z = D(1, 2);
  CHECK(z == std::complex<double>(1, 2));
  CHECK(D(std::complex<float>(1, 2)) == D(1, 2));
  CHECK(std::complex<double>(D(1, 2) / D(3, -4)) == std::complex<double>(1, 2) / std::complex<double>(3, -4));
  CHECK((D(1e300, 1e300) / D(1e300, 1e300)) == D(1, 0));
  CHECK(std::isinf((D(1, 1) / D(0, 0)).real()));
}

TEST_CASE("a Scalar holds a complex number") {
  const Scalar s = C(1, 2);
  CHECK(s.type() == kComplexDouble);
  CHECK((s.isComplex() && !s.isFloatingPoint() && !s.isIntegral(true)));
  CHECK(s.toComplexDouble() == D(1, 2));
  CHECK(s.to<std::complex<float>>() == std::complex<float>(1, 2));
  CHECK(s.toBool());
  CHECK_FALSE(Scalar(D(0, 0)).toBool());
  CHECK(Scalar(std::complex<double>(0, 1)).toBool());
  CHECK_THROWS_WITH(s.toFloat(), ContainsSubstring("value cannot be converted to type float without overflow"));
  CHECK_THROWS_WITH(Scalar(D(1, -2)).toLong(), ContainsSubstring("1-2j has an imaginary part"));
  CHECK(Scalar(D(3, 0)).toLong() == 3);
  CHECK(Scalar(D(2.5, 0)).toDouble() == 2.5);
  CHECK(Scalar(2.5).toComplexDouble() == D(2.5, 0));
  CHECK(Scalar(D(3, 0)) == Scalar(3));
  CHECK_FALSE(Scalar(D(3, 1)) == Scalar(3));
  std::ostringstream out;
  out << s;
  CHECK(out.str() == "(1,2)");
}

TEST_CASE("complex tensors are made of complex numbers, of parts and of polar coordinates") {
  const Tensor a = tensor({C(1, 2), C(-3, 0.5)});
  CHECK(a.dtype() == kComplexFloat);
  CHECK(tensor(std::vector<std::complex<double>>{{1, 2}}).dtype() == kComplexDouble);
  CHECK(tensor({{D(1, 2)}, {D(3, 4)}}).sizes() == IntArrayRef({2, 1}));
  CHECK(tensor(C(1, 2)).item<C>() == C(1, 2));
  CHECK(a[1].item<std::complex<float>>() == std::complex<float>(-3, 0.5f));
  CHECK_THROWS_WITH(a[1].item<float>(), ContainsSubstring("imaginary part"));
  CHECK(full({2}, C(1, 2)).dtype() == kComplexFloat);
  CHECK(equal(zeros({2}, kComplex64), complex(zeros({2}), zeros({2}))));
  CHECK(equal(ones({2}, kComplex128), tensor({D(1), D(1)})));
  CHECK(value_of(eye(2, kComplexDouble)[1][1]) == D(1));
  CHECK(equal(complex(real(a), imag(a)), a));
  CHECK(allclose(polar(abs(a), angle(a)), a));
  CHECK(equal(view_as_complex(view_as_real(a)), a));
  CHECK(view_as_real(a).sizes() == IntArrayRef({2, 2}));
  CHECK((a.is_complex() && !a.is_floating_point() && a.element_size() == 8 && is_complex(a)));
  CHECK((to_complex_dtype(kHalf) == kComplex64 && to_complex_dtype(kDouble) == kComplex128));
  CHECK((to_real_dtype(kComplex128) == kDouble && toRealValueType(kComplexFloat) == kFloat));
}

TEST_CASE("tensors of any dtype take the shortest way through the dispatcher") {
  CHECK(ones({2}).keys().is_plain_cpu());
  CHECK(zeros({2}, kComplexFloat).keys().is_plain_cpu());
  CHECK(sizeof(Scalar) == 24);
}

TEST_CASE("real tensors pass conj and real as they are") {
  const Tensor x = ones({2});
  CHECK((x.conj().is_same(x) && real(x).is_same(x) && x.resolve_conj().is_same(x)));
  CHECK(equal(isreal(x), ones({2}, kBool)));
  CHECK(equal(sgn(tensor({-2., 0., 3.})), tensor({-1., 0., 1.})));
  CHECK(equal(angle(tensor({-2., 3.})), tensor({M_PI, 0.})));
}

TEST_CASE("real and imag are views") {
  const Tensor z = zeros({3}, kComplexFloat);
  real(z).fill_(2);
  imag(z)[1].fill_(-1);
  CHECK(equal(z, tensor({C(2, 0), C(2, -1), C(2, 0)})));
  CHECK(real(z).storage_offset() == 0);
  CHECK(imag(z).storage_offset() == 1);
  CHECK(imag(z.slice(0, 1)).storage_offset() == 3);
}

TEST_CASE("conversion to real keeps the real part, and to bool asks for either") {
  CHECK(equal(tensor({C(1.5, 2), C(0, 3)}).to(kDouble), tensor({1.5, 0.}, kDouble)));
  CHECK(equal(tensor({C(0, 0), C(0, 3)}).to(kBool), tensor({false, true})));
  CHECK(equal(tensor({1, 2}).to(kComplexDouble), tensor({D(1), D(2)})));
  CHECK(equal(tensor({1., 2.}, kHalf).to(kComplexFloat), tensor({C(1), C(2)})));
  CHECK(equal(tensor({C(1.5, 2)}).to(kLong), tensor({1})));
}

TEST_CASE("randn's parts share its variance and come from randn's numbers") {
  manual_seed(3);
  const Tensor z = randn({1000}, kComplexDouble);
  manual_seed(3);
  const Tensor parts = randn({1000, 2}, kDouble);
  CHECK(allclose(view_as_real(z), parts / std::sqrt(2.0)));
  CHECK(abs(square(abs(z)).mean() - 1).item<double>() < 0.1);
  CHECK(rand({2}, kComplexFloat).dtype() == kComplexFloat);
  CHECK_THROWS_WITH(randint(3, {2}, kComplexFloat),
                    "randint: not implemented for complex64; make real numbers and convert them with to()");
  CHECK_THROWS_WITH(arange(3, kComplexFloat),
                    "arange: not implemented for complex64; make real numbers and convert them with to()");
}

TEST_CASE("complex tensors print as PyTorch's") {
  set_naming(Naming::kStrata);  // other tests of this program include libtorch's headers
  CHECK(repr(tensor({C(1, 2), C(-3.5, 4.25)})) == "tensor([ 1.0000+2.0000j, -3.5000+4.2500j])");
  CHECK(repr(tensor(C(1.5, -2))) == "tensor(1.5000-2.j)");
  CHECK(repr(tensor({{D(1, 2), D(3, -4)}})) == "tensor([[1.+2.j, 3.-4.j]], dtype=complex128)");
  CHECK(repr(tensor({C(1e10f, 1e-3f), C(2, 3)})) == "tensor([1.0000e+10+1.0000e-03j, 2.0000e+00+3.0000e+00j])");
  CHECK(repr(zeros({0}, kComplex64)) == "tensor([], dtype=complex64)");
  CHECK(repr(zeros({1001}, kComplex64) + C(1, 2)) == "tensor([1.+2.j, 1.+2.j, 1.+2.j,  ..., 1.+2.j, 1.+2.j, 1.+2.j])");
  CHECK(repr(ones({1}, kComplex64).requires_grad_()) == "tensor([1.+0.j], requires_grad=True)");
  CHECK(str(tensor({C(1, 2), C(-3.5, 4.25)})) == " 1.0000+2.0000j\n-3.5000+4.2500j\n[ CPUComplexFloatType{2} ]");
  CHECK(str(full({1, 2}, D(1, -2), kComplexDouble)) == " 1-2j  1-2j\n[ CPUComplexDoubleType{1,2} ]");
  CHECK(str(tensor(C(1.5, -2))) == "1.5-2j\n[ CPUComplexFloatType{} ]");
}

TEST_CASE("a complex loss has no gradient of its own") {
  const Tensor z = ones({2}, kComplexDouble).requires_grad_();
  CHECK_THROWS_WITH((z * z).sum().backward(),
                    "backward: grad can be implicitly created only for real scalar outputs but got complex128");
  CHECK_THROWS_WITH(func::grad([](const Tensor& x) { return (x * x).sum(); })(z.detach()),
                    ContainsSubstring("must return a real scalar, it returned complex128"));
  CHECK_THROWS_WITH(ones({2}, kLong).requires_grad_(), ContainsSubstring("floating point and complex"));
}

TEST_CASE("gradients go through casts between real and complex") {
  const Tensor x = tensor({1., 2.}, kDouble).requires_grad_();
  const Tensor z = x * tensor({D(0, 1), D(1, 1)});
  real(z * z).sum().backward();
  CHECK(allclose(x.grad(), tensor({-2., 0.}, kDouble)));
}

TEST_CASE("gradients go through writes to views of parts") {
  const Tensor z = tensor({D(1, 2), D(3, 4)}).requires_grad_();
  const Tensor w = z.clone();
  real(w).mul_(imag(w));  // (x y, y)
  real(w * w.conj()).sum().backward();
  // d/dx x^2 y^2 + y^2 = 2 x y^2, d/dy = 2 x^2 y + 2 y
  CHECK(allclose(z.grad(), tensor({D(8, 8), D(96, 80)})));
  const Tensor x = tensor({{1., 2.}, {3., 4.}}, kDouble).requires_grad_();
  const Tensor y = x.clone();
  view_as_complex(y).mul_(D(0, 1));
  (y * tensor({{1., 10.}, {100., 1000.}}, kDouble)).sum().backward();
  CHECK(allclose(x.grad(), tensor({{10., -1.}, {1000., -100.}}, kDouble)));
}

TEST_CASE("pairs that vmap finds at an odd place of memory are copied") {
  const Tensor pairs = arange(9, kDouble).slice(0, 1).view({2, 2, 2});
  CHECK_THROWS_WITH(view_as_complex(pairs), ContainsSubstring("offset 1"));
  const Tensor found = func::vmap([](const Tensor& x) { return view_as_complex(x); })(pairs);
  CHECK(equal(found, tensor({D(1, 2), D(3, 4), D(5, 6), D(7, 8)}).view({2, 2})));
}

TEST_CASE("jvp, vjp and vmap take complex numbers; Jacobians want real unit vectors") {
  const auto f = [](const Tensor& z) { return z * z; };
  const Tensor z = tensor({D(1, 2), D(3, -1)}), t = tensor({D(0, 1), D(1, 1)});
  CHECK(allclose(func::jvp(f, z, t).second, 2 * z * t));
  const auto pulled = func::vjp(f, z);
  CHECK(allclose(pulled.second(t), t * (2 * z).conj()));
  CHECK(allclose(func::vmap(func::grad([](const Tensor& x) { return real(x * x.conj()); }))(z), 2 * z));
  CHECK_THROWS_WITH(func::jacfwd(f)(z), ContainsSubstring("unit vectors of complex128 are not implemented"));
  const Tensor x = tensor({1., 2.}, kDouble);
  const Tensor columns = func::jacfwd([](const Tensor& v) { return v * D(0, 1); })(x);
  CHECK(allclose(columns, eye(2, kComplexDouble) * D(0, 1)));
}

TEST_CASE("optimizers' plain arithmetic moves complex parameters downhill") {
  Tensor z = tensor({D(1, 2), D(3, -1)}).requires_grad_();
  for (int i = 0; i < 50; ++i) {
    const Tensor loss = square(abs(z - D(0.5, 0.5))).sum();
    const Tensor g = autograd::grad({loss}, {z})[0];
    const NoGradGuard no_grad;
    z.sub_(g, 0.25);
  }
  CHECK(allclose(z.detach(), full({2}, D(0.5, 0.5), kComplexDouble)));
}

TEST_CASE("complex64 goes through safetensors files, complex128 has no name there") {
  std::stringstream file;
  const Tensor z = tensor({{C(1, 2), C(-3, 0.5)}});
  save(z, file);
  Tensor back;
  load(back, file);
  CHECK(equal(back, z));
  std::stringstream other;
  CHECK_THROWS_WITH(save(z.to(kComplexDouble), other), ContainsSubstring("cannot save complex128 tensors"));
}

TEST_CASE("comparisons, counting and truth of complex numbers") {
  const Tensor z = tensor({C(0, 0), C(0, 1), C(2, 0)});
  CHECK(count_nonzero(z).item<int64_t>() == 2);
  CHECK(equal(nonzero(z), tensor({{1}, {2}})));
  CHECK((any(z).item<bool>() && !all(z).item<bool>()));
  CHECK(allclose(z, z + C(1e-9f, 0)));
  CHECK_FALSE(allclose(z, z + C(0, 1e-2f)));
  CHECK(allclose(tensor({C(NAN, 1)}), tensor({C(NAN, 1)}), 1e-5, 1e-8, true));
  CHECK(equal(z == 2, tensor({false, false, true})));
  CHECK(z[2].is_nonzero());
}

TEST_CASE("linspace and logspace between complex ends") {
  CHECK(equal(linspace(D(0, 1), D(2, 0), 5), tensor({C(0, 1), C(0.5f, 0.75f), C(1, 0.5f), C(1.5f, 0.25f), C(2, 0)})));
  CHECK(equal(linspace(D(0, 1), 1, 3, kComplexDouble), tensor({D(0, 1), D(0.5, 0.5), D(1, 0)})));
  CHECK(equal(linspace(0, 1, 3, kComplexFloat), tensor({C(0, 0), C(0.5f, 0), C(1, 0)})));
  CHECK(linspace(D(0, 1), 1, 0).sizes() == IntArrayRef({0}));
  CHECK(linspace(D(0, 1), 1, 3, TensorOptions().requires_grad(true)).is_leaf());
  CHECK(allclose(
      logspace(D(0, 1), 1, 3, 10, kComplexDouble),
      tensor({D(-0.6682015101903132, 0.743980336957493), D(1.2880188077230994, 2.8880802535510623), D(10, 0)}), 1e-14));
  CHECK(logspace(D(0, 1), 1, 3).dtype() == kComplexFloat);
  CHECK(logspace(0, 1, 3, 10, TensorOptions().requires_grad(true)).is_leaf());
  CHECK_THROWS_WITH(linspace(D(0, 1), 1, 3, kFloat),
                    ContainsSubstring("complex ends cannot stand in a tensor of float32"));
  CHECK_THROWS_WITH(linspace(D(0, 1), 1, -1), ContainsSubstring("must not be negative"));
}
