// A kernel written with libtorch's typed dispatch. Builds against libtorch and Strata.
#include <ATen/Dispatch.h>
#include <torch/torch.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>

namespace {

void require(bool ok, const char* what) {
  if (ok) return;
  std::printf("%s: wrong\n", what);
  std::exit(1);
}

torch::Tensor cubes(const torch::Tensor& x) {
  torch::Tensor y = torch::empty_like(x);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "cubes", [&] {
    const scalar_t* from = x.data_ptr<scalar_t>();
    scalar_t* to = y.data_ptr<scalar_t>();
    for (int64_t i = 0; i < x.numel(); ++i) to[i] = from[i] * from[i] * from[i];
  });
  return y;
}

template <class F>
bool is_refused(F f) {
  try {
    f();
  } catch (const c10::Error& e) {
    return std::string(e.what()).find("not implemented for") != std::string::npos;
  }
  return false;
}

}  // namespace

int main() {
  for (const auto dtype : {torch::kFloat32, torch::kFloat64}) {
    const torch::Tensor x = torch::tensor({1.0, -2.0, 0.5}, dtype);
    require(torch::equal(cubes(x), x * x * x), "floating point types");
  }
  require(is_refused([] { cubes(torch::ones({2}, torch::kInt64)); }), "integers are refused");
  const auto size_of = [](torch::ScalarType dtype) {
    return AT_DISPATCH_ALL_TYPES(dtype, "size_of", [] { return static_cast<int64_t>(sizeof(scalar_t)); });
  };
  require(size_of(torch::kUInt8) == 1 && size_of(torch::kInt16) == 2 && size_of(torch::kFloat64) == 8, "all types");
  require(is_refused([&] { size_of(torch::kBool); }), "bool is none of all types");
  const auto is_integral = [](torch::ScalarType dtype) {
    return AT_DISPATCH_INTEGRAL_TYPES(dtype, "is_integral", [] { return std::is_integral<scalar_t>::value; });
  };
  require(is_integral(torch::kInt64) && is_refused([&] { is_integral(torch::kFloat32); }), "integral types");
  const auto width_of = [](torch::ScalarType dtype) {
    return AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(dtype, "width_of", [] { return static_cast<int>(sizeof(scalar_t)); });
  };
  require(width_of(torch::kComplexDouble) == 16 && width_of(torch::kFloat32) == 4, "floating point and complex types");
  std::printf("typed dispatch works\n");
}
