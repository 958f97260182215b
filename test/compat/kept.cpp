// What functions keep for their gradient, and what archives take.
#include <torch/custom_class.h>
#include <torch/torch.h>

#include <sstream>

#include "test/catch.h"

namespace {

/// An object of a program's own.
struct Weights : torch::CustomClassHolder {
  explicit Weights(std::vector<int64_t> items) : items(std::move(items)) {}
  std::vector<int64_t> items;
};

/// Keeps an object of the program's, and lists and dicts as libtorch's are, for its gradient.
struct Weighed : torch::autograd::Function<Weighed> {
  static torch::Tensor forward(torch::autograd::AutogradContext* ctx, const torch::Tensor& x,
                               const c10::intrusive_ptr<Weights>& weights, torch::optional<std::vector<int64_t>> dims) {
    c10::Dict<std::string, int64_t> counts;
    counts.insert("rows", x.size(0));
    ctx->saved_data["weights"] = weights;
    ctx->saved_data["nobody"] = c10::intrusive_ptr<Weights>();
    ctx->saved_data["dims"] = dims;
    ctx->saved_data["list"] = c10::List<double>({0.5, 2});
    ctx->saved_data["counts"] = counts;
    ctx->saved_data["mode"] = "mean";
    return x.sum();
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 const torch::autograd::variable_list& grads) {
    const auto weights = ctx->saved_data["weights"].toCustomClass<Weights>();
    CHECK(ctx->saved_data["nobody"].isNone());
    const auto dims = ctx->saved_data["dims"].toOptional<std::vector<int64_t>>();
    CHECK(ctx->saved_data["list"].toDoubleVector() == std::vector<double>{0.5, 2});
    std::ostringstream shown;
    shown << ctx->saved_data["list"] << ctx->saved_data["counts"];
    CHECK(shown.str() == "[0.5, 2.]{rows: 3}");
    CHECK(ctx->saved_data["mode"].toString()->string() == "mean");
    ctx->saved_data.erase("weights");
    return {grads[0] * static_cast<double>(weights->items.back()) + (dims ? dims->at(0) : 0) + torch::zeros({3}),
            torch::Tensor(), torch::Tensor()};
  }
};

}  // namespace

TEST_CASE("functions keep objects, lists and dicts for their gradient", "[compat]") {
  const torch::Tensor x = torch::ones({3}, torch::requires_grad());
  Weighed::apply(x, c10::make_intrusive<Weights>(std::vector<int64_t>{4, 5}), std::vector<int64_t>{7}).backward();
  CHECK(x.grad().equal(torch::full({3}, 12.)));
  Weighed::apply(x, c10::make_intrusive<Weights>(std::vector<int64_t>{4, 5}), torch::nullopt).backward();
  CHECK(x.grad().equal(torch::full({3}, 17.)));
}

TEST_CASE("archives take vectors, and sizes are arrays", "[compat]") {
  torch::serialize::OutputArchive out;
  out.write("widths", std::vector<double>{1.5, 2});
  out.write("kinds", std::vector<int64_t>{3, 4});
  out.write("left", torch::optional<int64_t>());
  std::stringstream file;
  out.save_to(file);
  torch::serialize::InputArchive in;
  in.load_from(file, torch::kCPU);
  torch::IValue read;
  in.read("widths", read);
  CHECK(read.toDoubleVector() == std::vector<double>{1.5, 2});
  in.read("kinds", read);
  CHECK(read.toIntVector() == std::vector<int64_t>{3, 4});

  const int64_t sizes[2] = {2, 3};
  int64_t dims[2] = {0, 1};
  const torch::Tensor half = torch::fft::rfftn(torch::arange(6.).view(sizes));
  CHECK(torch::fft::irfftn(half, sizes, torch::nullopt, "backward").allclose(torch::arange(6.).view({2, 3})));
  CHECK(torch::real(half).sum(dims).equal(torch::real(half).sum()));
}
