// Programs that print tensors and other values, whose text agrees to the letter: spaces are shown as underscores.
#include <torch/torch.h>

#include <iomanip>
#include <limits>
#include <sstream>

#include "test/programs/programs.h"

namespace programs::printing {
namespace {

template <class T>
void letters(std::ostream& out, const T& value) {
  std::ostringstream text;
  text << value;
  for (const char c : text.str()) out << (c == ' ' ? '_' : c);
  out << '\n';
}

const Program integers("integers", [](std::ostream& out) {
  letters(out, torch::arange(6).view({2, 3}));
  letters(out, torch::tensor({-5, 100, 7}));
  letters(out, torch::tensor({1, 2}, torch::kInt32));
  letters(out, torch::tensor({1, -2}, torch::kInt8));
  letters(out, torch::tensor({250, 3}, torch::kUInt8));
  letters(out, torch::tensor({1000000000000}));
  letters(out, torch::tensor(5));
});

const Program floats("floats", [](std::ostream& out) {
  letters(out, torch::linspace(0, 1, 5));
  letters(out, torch::tensor({1., 2., 3.}));
  letters(out, torch::tensor({0.001, 1., 123.456}));
  letters(out, torch::tensor({1e-5, 1.}));
  letters(out, torch::tensor({1e10, 1.}));
  letters(out, torch::tensor({1e-10, 1e10}));
  letters(out, torch::tensor({12345.678, -2.5}));
  letters(out, torch::full({2, 2}, 0.1, torch::kFloat64));
  letters(out, torch::tensor(3.14159));
  letters(out, torch::zeros(3));
});

const Program odd("infinities and not-a-numbers", [](std::ostream& out) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  letters(out, torch::tensor({inf, -inf, 1.f}));
  letters(out, torch::tensor({nan, 2.5f}));
  letters(out, torch::tensor({inf, inf}));
  letters(out, torch::tensor({{1.5f, nan}, {-inf, 1e6f}}));
});

const Program halves("halves, bools and complex numbers", [](std::ostream& out) {
  letters(out, torch::ones({2}, torch::kHalf));
  letters(out, torch::ones({2}, torch::kBFloat16) / 3);
  letters(out, torch::tensor({true, false}));
  letters(out, torch::zeros({2, 2}, torch::kBool));
  letters(out, torch::tensor({c10::complex<float>(1, 2), c10::complex<float>(0, -1)}));
  letters(out, torch::tensor({c10::complex<double>(1.5, 0.25)}));
});

const Program ranks("ranks", [](std::ostream& out) {
  letters(out, torch::arange(8).view({2, 2, 2}));
  letters(out, torch::arange(4.f).view({1, 2, 1, 2}));
  letters(out, torch::zeros({0}));
  letters(out, torch::zeros({2, 0}));
  letters(out, torch::zeros({0, 3, 2}));
  letters(out, torch::zeros({}));
  letters(out, torch::Tensor());
  letters(out, torch::full({1, 1}, 3.5));
});

const Program wide("wide matrices", [](std::ostream& out) {
  letters(out, torch::arange(60).view({2, 30}));
  letters(out, torch::linspace(0, 1, 40).view({1, 40}));
  letters(out, torch::arange(30.f) * 1000.5);
  std::ostringstream narrow;
  torch::print(narrow, torch::arange(20).view({1, 20}), 40);
  letters(out, narrow.str());
});

const Program in_sentences("tensors in a stream's format", [](std::ostream& out) {
  std::ostringstream text;
  text << std::setprecision(2) << std::fixed << 1.23456 << ' ' << torch::tensor({1.23456}) << ' ' << 1.23456;
  letters(out, text.str());
  letters(out, c10::str("x = ", torch::tensor({1, 2}), ", n = ", 3, " and ", 2.5));
  letters(out, torch::ones({2, 2}).toString());
  letters(out, torch::ones(1, torch::kInt64).toString());
});

#ifndef AWAITS_STREAMED_LISTS
const Program lists("lists of numbers and tensors", [](std::ostream& out) {
  letters(out, torch::zeros({2, 3}).sizes());
  letters(out, torch::zeros({2, 3}).strides());
  letters(out, torch::zeros({}).sizes());
  letters(out, std::vector<int64_t>{1, 2, 3});
  letters(out, at::IntArrayRef{4, 5});
  letters(out, std::vector<torch::Tensor>{torch::ones(2), torch::zeros({1, 1})});
});
#endif

#ifndef AWAITS_TYPE_META
const Program scalars("scalars, dtypes, devices, layouts", [](std::ostream& out) {
  letters(out, at::Scalar(2));
  letters(out, at::Scalar(2.5));
  letters(out, at::Scalar(true));
  letters(out, at::Scalar(c10::complex<double>(1, -2)));
  letters(out, torch::kFloat32);
  letters(out, torch::ones(1).dtype());
  letters(out, torch::ones(1).dtype().name());
  letters(out, torch::Device(torch::kCUDA, 1));
  letters(out, torch::kStrided);
  letters(out, torch::ones(1).scalar_type());
  letters(out, torch::MemoryFormat::Contiguous);
  letters(out, c10::complex<double>(1, 2));
});
#endif

#ifndef AWAITS_STREAMED_OPTIONS
const Program options_text("options and types", [](std::ostream& out) {
  letters(out, torch::TensorOptions());
  letters(out, torch::TensorOptions().dtype(torch::kFloat64).requires_grad(true));
  letters(out, torch::ones(1).options());
  letters(out, torch::ones(1).options().memory_format(torch::MemoryFormat::Preserve));
});
#endif

const Program required("tensors with gradients", [](std::ostream& out) {
  const torch::Tensor x = torch::ones({2}, torch::requires_grad());
  letters(out, x);
  letters(out, x * 2);
  letters(out, (x * 2).grad_fn()->name());
  letters(out, x.grad());
});

}  // namespace
}  // namespace programs::printing
