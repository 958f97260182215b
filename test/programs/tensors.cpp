// Programs that make tensors and ask what they are.
#include <torch/torch.h>

#include "test/programs/programs.h"

namespace programs::tensors {
namespace {

const Program factories("factory functions", [](std::ostream& out) {
  show(out, "zeros", torch::zeros({2, 3}));
  show(out, "ones", torch::ones(4));
  show(out, "empty", torch::empty({0, 3}));
  show(out, "full", torch::full({2, 2}, 7));
  show(out, "full double", torch::full({2}, 1.5, torch::kFloat64));
  show(out, "eye", torch::eye(3));
  show(out, "eye of 2 x 4", torch::eye(2, 4, torch::kInt32));
  show(out, "arange", torch::arange(5));
  show(out, "arange from", torch::arange(2, 9, 3));
  show(out, "arange of floats", torch::arange(0., 1., 0.25));
  show(out, "linspace", torch::linspace(-1, 1, 5));
  show(out, "logspace", torch::logspace(0, 3, 4));
  show(out, "scalar_tensor", torch::scalar_tensor(3.5));
  show(out, "complex", torch::complex(torch::ones(2), torch::arange(2.f)));
  show(out, "polar", torch::polar(torch::ones(1), torch::zeros(1)));
});

#ifndef AWAITS_STREAMED_OPTIONS
const Program options("tensor options", [](std::ostream& out) {
  const auto options =
      torch::TensorOptions().dtype(torch::kFloat32).layout(torch::kStrided).device(torch::kCPU).requires_grad(true);
  const torch::Tensor x = torch::full({3, 4}, 2, options);
  out << x.dtype() << ' ' << x.device() << ' ' << x.requires_grad() << ' ' << x.layout() << '\n';
  out << torch::dtype(torch::kInt8).dtype() << ' ' << torch::device(torch::kCPU).device() << '\n';
  out << torch::requires_grad().requires_grad() << torch::requires_grad(false).requires_grad() << '\n';
  const auto integers = torch::arange(4, torch::dtype(torch::kInt32).requires_grad(false));
  out << integers.dtype() << ' ' << integers.options().dtype() << ' ' << integers.scalar_type() << '\n';
  out << torch::zeros({1}, x.options().dtype(torch::kFloat64).requires_grad(false)).dtype() << '\n';
});
#endif

const Program like("tensors like others", [](std::ostream& out) {
  const torch::Tensor x = torch::arange(6, torch::kFloat64).reshape({2, 3});
  show(out, "zeros_like", torch::zeros_like(x));
  show(out, "ones_like of ints", torch::ones_like(x, torch::kInt64));
  show(out, "full_like", torch::full_like(x, 2.5));
  out << torch::empty_like(x).sizes() << torch::rand_like(x).sizes() << torch::randn_like(x).dtype() << '\n';
  show(out, "new_zeros", x.new_zeros({2}));
  show(out, "new_ones", x.new_ones({1, 2}, torch::kBool));
  show(out, "new_full", x.new_full({2}, 9));
  out << x.new_empty({3, 1}).sizes() << '\n';
  const torch::Tensor y = torch::zeros_like(x.t());
  out << y.strides() << ' ' << y.is_contiguous() << '\n';
});

const Program from_values("tensors of values", [](std::ostream& out) {
  show(out, "ints", torch::tensor({1, 2, 3}));
  show(out, "floats", torch::tensor({1.5, 2.5}));
  show(out, "bools", torch::tensor({true, false}));
  show(out, "nested", torch::tensor({{1, 2}, {3, 4}}));
  show(out, "deeper", torch::tensor({{{1.f}, {2.f}}, {{3.f}, {4.f}}}));
  show(out, "scalar", torch::tensor(5));
  show(out, "as double", torch::tensor({1, 2}, torch::kDouble));
  show(out, "requires grad", torch::tensor({1.}, torch::requires_grad()));
  show(out, "vector", torch::tensor(std::vector<float>{0.5f, 0.25f}));
  show(out, "array ref", torch::tensor(at::ArrayRef<int64_t>({4, 5})));
  show(out, "nothing", torch::tensor(std::vector<int64_t>{}));
  show(out, "complex", torch::tensor({c10::complex<double>(1, 2), c10::complex<double>(3, -4)}));
});

const Program blob("from_blob", [](std::ostream& out) {
  float data[] = {1, 2, 3, 4, 5, 6};
  torch::Tensor x = torch::from_blob(data, {2, 3});
  x[0][1] = 20;
  out << data[1] << '\n';
  data[5] = 60;
  show(out, "x", x);
  show(out, "strided", torch::from_blob(data, {3, 2}, {1, 3}));
  std::vector<int64_t> numbers = {7, 8, 9};
  show(out, "of a vector", torch::from_blob(numbers.data(), {3}, torch::kInt64));
  show(out, "clone", torch::from_blob(numbers.data(), {static_cast<int64_t>(numbers.size())}, torch::kInt64).clone());
});

const Program blob_deleter("from_blob with a deleter", [](std::ostream& out) {
  static int deleted = 0;
  deleted = 0;
  auto* data = new double[4]{1, 2, 3, 4};
  {
    torch::Tensor x = torch::from_blob(
        data, {4}, [](void* p) { delete[] static_cast<double*>(p), ++deleted; }, torch::kFloat64);
    torch::Tensor y = x.view({2, 2});
    x.reset();
    out << deleted << '\n';
    show(out, "y", y);
  }
  out << deleted << '\n';
  int32_t table[] = {1, 2, 3, 4, 5, 6};
  {
    auto t = torch::from_blob(
        table, {2, 2}, {3, 2}, [](void*) { ++deleted; }, torch::dtype(torch::kInt32));
    show(out, "t", t);
  }
  out << deleted << '\n';
});

const Program properties("properties", [](std::ostream& out) {
  const torch::Tensor x = torch::zeros({2, 3, 4}, torch::kFloat64);
  out << x.dim() << ' ' << x.ndimension() << ' ' << x.numel() << ' ' << x.size(-1) << ' ' << x.sizes() << ' '
      << x.strides() << '\n';
  out << x.element_size() << ' ' << x.itemsize() << ' ' << x.nbytes() << ' ' << x.storage_offset() << ' ' << x.stride(0)
      << '\n';
  out << x.is_contiguous() << x.is_floating_point() << x.is_complex() << x.is_signed() << '\n';
});

const Program kinds("kinds of tensors", [](std::ostream& out) {
  torch::Tensor x;
  out << x.defined() << '\n';
  x = torch::zeros({3, 1, 2});
  out << x.defined() << x.is_cuda() << x.is_cpu() << x.is_sparse() << x.is_quantized() << x.is_leaf() << x.is_view()
      << '\n';
  out << x.squeeze().sizes() << x.unsqueeze(0).sizes() << x.unsqueeze(-1).sizes() << '\n';
  out << x.is_same_size(torch::ones({3, 1, 2})) << x.is_same(x) << x.is_same(x.clone()) << '\n';
  out << x[0].is_view() << x.select(0, 1).storage_offset() << '\n';
});

const Program items("items", [](std::ostream& out) {
  const torch::Tensor x = torch::tensor({1.25});
  out << x.item<float>() << ' ' << x.item<double>() << ' ' << x.item<int>() << ' ' << x.item().toDouble() << '\n';
  out << torch::tensor(7).item<int64_t>() << ' ' << torch::tensor(true).item<bool>() << ' '
      << torch::tensor(7).item().toInt() << '\n';
  out << x.item().isFloatingPoint() << torch::tensor(1).item().isIntegral(false)
      << torch::tensor(true).item().isBoolean() << '\n';
  const c10::complex<double> z = torch::tensor({c10::complex<double>(1, 2)}).item<c10::complex<double>>();
  out << z.real() << ' ' << z.imag() << '\n';
  fails<c10::Error>(out, "item of two", "", [] { torch::zeros(2).item<float>(); });
  const at::Scalar s = 3.5;
  out << s.to<int>() << ' ' << s.toFloat() << ' ' << s.isFloatingPoint() << ' ' << s << '\n';
});

const Program accessors("accessors", [](std::ostream& out) {
  torch::Tensor x = torch::arange(12, torch::kFloat32).view({3, 4});
  auto a = x.accessor<float, 2>();
  float trace = 0;
  for (int64_t i = 0; i < a.size(0); ++i) trace += a[i][i];
  out << trace << ' ' << a.size(1) << ' ' << a.stride(0) << '\n';
  a[1][2] = -1;
  auto transposed = x.t();
  auto b = transposed.accessor<float, 2>();
  out << b[2][1] << ' ' << b.stride(0) << ' ' << b.stride(1) << '\n';
  auto packed = x.packed_accessor32<float, 2>();
  auto wide = x.packed_accessor64<float, 2>();
  out << packed[2][3] << ' ' << wide[0][1] << '\n';
  fails<c10::Error>(out, "wrong type", "", [&] { x.accessor<double, 2>(); });
  fails<c10::Error>(out, "wrong dims", "", [&] { x.accessor<float, 3>(); });
});

const Program conversions("conversions", [](std::ostream& out) {
  const torch::Tensor x = torch::tensor({-1.7, 0., 2.9});
  show(out, "int", x.to(torch::kInt32));
  show(out, "long", x.toType(torch::kLong));
  show(out, "bool", x.to(torch::kBool));
  show(out, "half", x.to(torch::kHalf));
  show(out, "bfloat16", x.to(torch::kBFloat16));
  show(out, "uint8", torch::tensor({1, 300}).to(torch::kUInt8));
  show(out, "double", x.to(torch::TensorOptions().dtype(torch::kDouble)));
  show(out, "like other", x.to(torch::zeros(1, torch::kInt16)));
  show(out, "type_as", x.type_as(torch::zeros(1, torch::kComplexFloat)));
  show(out, "device and dtype", x.to(torch::kCPU, torch::kFloat64));
  show(out, "all", x.to(torch::Device(torch::kCPU), torch::kInt64, /*non_blocking=*/false, /*copy=*/true));
  out << x.to(torch::kFloat32).is_same(x) << x.to(torch::kFloat32, false, true).is_same(x) << x.cpu().is_same(x)
      << '\n';
});

const Program copies("copies", [](std::ostream& out) {
  torch::Tensor x = torch::arange(6).view({2, 3});
  torch::Tensor same = x, copy = x.clone(), view = x.view({3, 2});
  x[0][0] = 100;
  show(out, "same", same);
  show(out, "copy", copy);
  show(out, "view", view);
  torch::Tensor y = torch::zeros({2, 3});
  y.copy_(x);
  y[1].copy_(torch::tensor(5));
  show(out, "y", y);
  torch::Tensor target = torch::empty({3}, torch::kFloat64);
  torch::add_out(target, torch::ones(3, torch::kFloat64), torch::arange(3, torch::kFloat64), 2);
  show(out, "out", target);
  out << x.data_ptr<int64_t>()[5] << ' ' << (view.data_ptr() == x.data_ptr()) << (copy.data_ptr() == x.data_ptr())
      << '\n';
  out << view.is_alias_of(x) << copy.is_alias_of(x) << '\n';
});

const Program devices("devices", [](std::ostream& out) {
  const torch::Device cpu(torch::kCPU), first(torch::kCUDA, 0), named("cuda:1");
  out << cpu << ' ' << first << ' ' << named << ' ' << named.index() << ' ' << cpu.has_index() << '\n';
  out << cpu.is_cpu() << first.is_cuda() << (first == named) << (named.type() == torch::kCUDA) << ' ' << cpu.str()
      << '\n';
  const torch::Device device(torch::cuda::is_available() && false ? torch::kCUDA : torch::kCPU);
  out << torch::ones(1).to(device).device() << '\n';
  fails<c10::Error>(out, "a wrong name", "", [] { torch::Device("no such thing"); });
});

#ifndef AWAITS_SHORT_DTYPES
const Program dtypes("dtypes", [](std::ostream& out) {
  for (const auto dtype :
       {torch::kUInt8, torch::kInt8, torch::kInt16, torch::kInt32, torch::kInt64, torch::kFloat16, torch::kBFloat16,
        torch::kFloat32, torch::kFloat64, torch::kBool, torch::kComplexFloat, torch::kComplexDouble})
    out << dtype << ' ' << c10::elementSize(dtype) << ' ' << c10::isFloatingType(dtype)
        << c10::isIntegralType(dtype, false) << c10::isComplexType(dtype) << '\n';
  out << torch::promote_types(torch::kInt32, torch::kFloat16) << ' ' << c10::toString(torch::kLong) << '\n';
  out << torch::get_default_dtype() << '\n';
  out << (torch::kFloat == torch::kFloat32) << (torch::kF32 == torch::kFloat) << (torch::kU8 == torch::kByte) << '\n';
});
#endif

const Program promotion("type promotion", [](std::ostream& out) {
  const auto i = torch::arange(3), f = torch::ones(3), d = torch::ones(3, torch::kFloat64),
             b = torch::ones(3, torch::kBool);
  const auto u = torch::ones(3, torch::kUInt8), h = torch::ones(3, torch::kHalf),
             z = torch::ones(3, torch::kComplexFloat);
  out << (i + f).dtype() << ' ' << (f + d).dtype() << ' ' << (b + i).dtype() << ' ' << (u + i).dtype() << ' '
      << (h + f).dtype() << '\n';
  out << (i + 1.5).dtype() << ' ' << (f + 1).dtype() << ' ' << (i / 2).dtype() << ' ' << (i / i).dtype() << ' '
      << (b * 2).dtype() << '\n';
  out << (z + d).dtype() << ' ' << (f + torch::scalar_tensor(1., torch::kFloat64)).dtype() << ' '
      << (i + torch::scalar_tensor(1.)).dtype() << '\n';
  out << i.sum().dtype() << ' ' << b.sum().dtype() << ' ' << u.prod().dtype() << ' ' << h.sum().dtype() << ' '
      << u.to(torch::kInt16).cumsum(0).dtype() << '\n';
  out << torch::result_type(i, f) << ' ' << torch::result_type(i, 2.5) << ' '
      << torch::can_cast(torch::kFloat, torch::kInt) << '\n';
  out << i.sqrt().dtype() << ' ' << b.exp().dtype() << ' ' << z.abs().dtype() << ' ' << i.pow(2).dtype() << ' '
      << torch::where(b, i, f).dtype() << '\n';
});

}  // namespace
}  // namespace programs::tensors
