// What other people's programs for libtorch were found to use: the log, templates of modules, devices that are changed.
#include <c10/util/Logging.h>
#include <torch/torch.h>
#include <unistd.h>

#include <cstdio>
#include <regex>
#include <sstream>
#include <string>

#include "test/catch.h"

namespace {

using Catch::Matchers::ContainsSubstring;

/// What a call writes to stderr.
template <class Call>
std::string written_by(Call call) {
  std::fflush(stderr);
  const int shown = dup(STDERR_FILENO);
  std::FILE* const file = std::tmpfile();
  dup2(fileno(file), STDERR_FILENO);
  call();
  dup2(shown, STDERR_FILENO);
  close(shown);
  std::rewind(file);
  char text[200] = {};
  const size_t n = std::fread(text, 1, sizeof text, file);
  std::fclose(file);
  return std::string(text, n);
}

template <class T>
struct StretchImpl : torch::nn::Module {
  explicit StretchImpl(T by) : by(by) {}
  torch::Tensor forward(const torch::Tensor& x) { return x * by; }
  T by;
};
/// What TORCH_MODULE cannot write, since it takes no templates.
template <class T>
class Stretch : public torch::nn::ModuleHolder<StretchImpl<T>> {
 public:
  using torch::nn::ModuleHolder<StretchImpl<T>>::ModuleHolder;
  using Impl TORCH_UNUSED_EXCEPT_CUDA = StretchImpl<T>;
};

/// A function of a program's own that takes what `torch::tensor` does.
torch::Tensor halves(const torch::detail::TensorDataContainer&& numbers) { return torch::tensor(numbers) / 2; }

}  // namespace

TEST_CASE("braces pass through a program's own function") {
  CHECK(halves({{1, 2}, {3, 4}}).equal(torch::tensor({{0.5, 1.}, {1.5, 2.}})));
  CHECK(halves(3).dim() == 0);
  CHECK(halves(std::vector<double>{3, 5}).sizes() == torch::IntArrayRef{2});
  const torch::detail::TensorDataContainer whole({1, 2});
  CHECK(torch::tensor(whole, torch::dtype(torch::kShort).requires_grad(false)).dtype() == torch::kShort);
}

TEST_CASE("the log writes warnings and what is worse, and all when told so") {
  const std::string line = written_by([] {
    LOG(INFO) << "nothing";
    VLOG(1) << "nothing";
    LOG_IF(ERROR, 1 > 2) << "nothing";
    LOG(WARNING) << "slow " << 3;
  });
  CHECK(std::regex_match(line, std::regex("\\[W[0-9]{4} [0-9:.]+ others.cpp:[0-9]+\\] slow 3\n")));
  c10::ShowLogInfoToStderr();
  CHECK_THAT(written_by([] { LOG(INFO) << "begun"; }), ContainsSubstring("] begun\n"));
}

TEST_CASE("a holder of a template's modules is written by hand") {
  Stretch<double> twice(2.0);
  CHECK(twice(torch::ones({1})).item<double>() == 2);
}

TEST_CASE("a momentum that is none is printed so") {
  std::ostringstream out;
  out << torch::nn::BatchNorm2d(torch::nn::BatchNormOptions(3).momentum(torch::nullopt));
  CHECK(out.str() == "torch::nn::BatchNorm2d(3, eps=1e-05, momentum=None, affine=true, track_running_stats=true)");
}

TEST_CASE("a device gets another index") {
  torch::Device device(torch::kCUDA);
  device.set_index(1);
  CHECK(device == torch::Device("cuda:1"));
  CHECK(device.supports_as_strided());
  CHECK_FALSE(torch::Device(torch::kXLA).supports_as_strided());
}

namespace {
struct Shape {
  explicit Shape(int sides) : sides(sides) {}
  virtual ~Shape() = default;
  virtual int corners() const = 0;
  int sides;
};
struct Polygon : Shape {
  using Shape::Shape;
  int corners() const override { return sides; }
};
struct Fan : Shape {
  using Shape::Shape;
  int corners() const override { return sides + 1; }
};
C10_DECLARE_REGISTRY(ShapeRegistry, Shape, int);
C10_DEFINE_REGISTRY(ShapeRegistry, Shape, int);
C10_REGISTER_CLASS(ShapeRegistry, Polygon, Polygon);
C10_REGISTER_CREATOR(ShapeRegistry, Half,
                     [](int sides) -> std::unique_ptr<Shape> { return std::make_unique<Polygon>(sides / 2); });
C10_DECLARE_TYPED_REGISTRY(NumberedShapes, int, Shape, std::shared_ptr, int);
C10_DEFINE_TYPED_REGISTRY(NumberedShapes, int, Shape, std::shared_ptr, int);
C10_REGISTER_TYPED_CLASS(NumberedShapes, 7, Polygon);
C10_REGISTER_TYPED_CLASS_WITH_PRIORITY(NumberedShapes, 7, c10::REGISTRY_PREFERRED, Fan);
}  // namespace

TEST_CASE("registries make what programs have registered") {
  CHECK(ShapeRegistry()->Create("Polygon", 5)->corners() == 5);
  CHECK(ShapeRegistry()->Create("Half", 8)->corners() == 4);
  CHECK(ShapeRegistry()->Create("Circle", 1) == nullptr);
  CHECK(ShapeRegistry()->Has("Polygon"));
  CHECK(ShapeRegistry()->Keys().size() == 2);
  CHECK_THAT(ShapeRegistry()->HelpMessage("Polygon"), ContainsSubstring("Polygon"));
  CHECK(NumberedShapes()->Create(7, 3)->corners() == 4);  // the preferred one
  CHECK_THROWS_AS(NumberedShapes()->Register(7, nullptr, c10::REGISTRY_PREFERRED), c10::Error);
}

TEST_CASE("types have their names in C++") {
  CHECK(c10::demangle(typeid(std::pair<int, char>).name()) == "std::pair<int, char>");
  CHECK(std::string(c10::demangle_type<float>()) == "float");
}
