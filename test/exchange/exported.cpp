// What PyTorch exported gives here what it gives there: results, gradients, writes, under transforms and compiled.
#include <strata/strata.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "test/catch.h"
#include "test/source_dir.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

/// Where models.py has written to, by default the small files that lie beside this one.
fs::path folder() {
  const char* const other = std::getenv("STRATA_PT2_MODELS");
  return other ? fs::path(other) : fs::path(source_dir()) / "test/exchange/data";
}

std::vector<std::string> model_files() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder()))
    if (entry.path().extension() == ".pt2") files.push_back(entry.path().stem());
  std::sort(files.begin(), files.end());
  return files;
}

/// What PyTorch made of a model; the decomposed one gives the same.
TensorMap expected_of(std::string file) {
  if (file.ends_with("_core")) file.erase(file.size() - 5);
  return load_file((folder() / (file + ".safetensors")).string());
}

ExportedProgram exported(const std::string& file) { return load_pt2((folder() / (file + ".pt2")).string()); }

std::vector<Tensor> numbered(const TensorMap& map, const std::string& prefix) {
  std::vector<Tensor> out;
  while (const Tensor* t = map.find(prefix + std::to_string(out.size()))) out.push_back(t->clone());
  return out;
}

/// The largest difference, relative to what is compared with where that is large.
double difference(const Tensor& a, const Tensor& b) {
  if (a.sizes() != b.sizes() || a.dtype() != b.dtype()) return std::numeric_limits<double>::infinity();
  if (a.numel() == 0) return 0;
  const Tensor x = a.to(kDouble), y = b.to(kDouble);
  return where(x == y, zeros_like(x), (x - y).abs() / (1 + y.abs())).max().item<double>();
}

void check_results(const std::vector<Tensor>& results, const std::vector<Tensor>& expected) {
  REQUIRE(results.size() == expected.size());
  for (size_t i = 0; i < results.size(); ++i) {
    INFO("result " << i);
    if (results[i].defined())
      CHECK(difference(results[i], expected[i]) <= 1e-5);
    else
      CHECK(expected[i].numel() == 0);  // None
  }
}

Tensor loss_of(const std::vector<Tensor>& results) {
  Tensor loss;
  for (const Tensor& r : results) {
    if (!r.defined() || !r.requires_grad()) continue;
    const Tensor part = (r * linspace(-1, 1, r.numel(), r.dtype()).view(r.sizes())).sum();
    loss = loss.defined() ? loss + part : part;
  }
  return loss;
}

/// Does a run write to buffers or arguments?
bool writes(const ExportedProgram& model) { return !model->program().effects().empty(); }

}  // namespace

TEST_CASE("exported programs give PyTorch's results and gradients", "[exported]") {
  for (const std::string& file : model_files()) {
    INFO(file);
    const TensorMap expected = expected_of(file);
    ExportedProgram model = exported(file);
    const std::vector<Tensor> inputs = numbered(expected, "in.");
    const std::vector<Tensor> results = model->forward(inputs);
    check_results(results, numbered(expected, "out."));
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Tensor* const written = expected.find("after." + std::to_string(i));
      CHECK(difference(inputs[i], written ? *written : expected["in." + std::to_string(i)]) <= 1e-5);
    }
    loss_of(results).backward();
    size_t gradients = 0;
    for (const auto& item : model->named_parameters()) {
      INFO(item.key());
      const Tensor* const grad = expected.find("grad." + item.key());
      REQUIRE(item.value().grad().defined() == (grad != nullptr));
      if (!grad) continue;
      CHECK(difference(item.value().grad(), *grad) <= 1e-4);
      ++gradients;
    }
    CHECK(gradients > 0);
    for (const auto& item : model->named_buffers())
      CHECK(difference(item.value(), expected["buffer." + item.key()]) <= 1e-5);
  }
}

TEST_CASE("exported programs take other sizes where they were exported for them", "[exported]") {
  for (const std::string& file : model_files()) {
    INFO(file);
    const TensorMap expected = expected_of(file);
    ExportedProgram model = exported(file);
    if (expected.contains("other.in.0"))
      check_results(model->forward(numbered(expected, "other.in.")), numbered(expected, "other.out."));
  }
}

TEST_CASE("exported programs are programs, and compile", "[exported]") {
  for (const std::string& file : model_files()) {
    INFO(file);
    const TensorMap expected = expected_of(file);
    const std::vector<Tensor> out = numbered(expected, "out.");
    const func::Program program = func::Program::load_pt2((folder() / (file + ".pt2")).string());
    CHECK(!program.equations().empty());
    check_results(program(numbered(expected, "in.")), out);

    ExportedProgram eager = exported(file), model = exported(file);
    const NoGradGuard no_grad;
    const auto compiled = compile([&](std::vector<Tensor> x) { return model->forward(std::move(x)); });
    for (int run = 0; run < 3; ++run) {
      const std::vector<Tensor> wanted = eager->forward(numbered(expected, "in.")),
                                got = compiled(numbered(expected, "in."));
      REQUIRE(got.size() == wanted.size());
      for (size_t i = 0; i < got.size(); ++i)
        if (wanted[i].defined()) CHECK(got[i].equal(wanted[i]));
    }
    for (const auto& item : eager->named_buffers()) CHECK(item.value().equal(model->named_buffers()[item.key()]));
    CHECK(compile_stats(compiled).programs == 1);
  }
}

TEST_CASE("exported programs run under vmap and have gradients of parameters there", "[exported]") {
  for (const std::string& file : model_files()) {
    INFO(file);
    ExportedProgram model = exported(file);
    if (writes(model)) continue;  // a buffer has no room for several values
    const TensorMap expected = expected_of(file);
    const std::vector<Tensor> inputs = numbered(expected, "in.");
    if (inputs.size() != 1) continue;
    const Tensor flipped = inputs[0].flip({0}), both = stack({inputs[0], flipped});
    const auto f = [&](Tensor x) { return model->forward(std::vector<Tensor>{x})[0]; };
    const Tensor mapped = vmap(f)(both);
    CHECK(difference(mapped, stack({f(inputs[0]), f(flipped)})) <= 1e-5);

    const auto loss = [&](func::StateDict p, Tensor x) {
      return functional_call(model, p, std::vector<Tensor>{x})[0].square().mean();
    };
    const func::StateDict state = func::module_state(model).first;
    const func::StateDict each = vmap(grad(loss), {.in_dims = {nullopt, 0}})(state, both);
    const func::StateDict first = grad(loss)(state, inputs[0]), second = grad(loss)(state, flipped);
    for (const auto& item : each) {
      INFO(item.key());
      CHECK(difference(item.value(), stack({first[item.key()], second[item.key()]})) <= 1e-4);
    }
  }
}

TEST_CASE("exported programs learn", "[exported]") {
  for (const std::string& file : model_files()) {
    INFO(file);
    const TensorMap expected = expected_of(file);
    ExportedProgram model = exported(file);
    const std::vector<Tensor> inputs = numbered(expected, "in.");
    if (inputs.size() != 1) continue;
    manual_seed(0);
    const Tensor target = randn_like(numbered(expected, "out.")[0]);
    optim::Adam optimizer(model->parameters(), optim::AdamOptions(1e-2));
    const auto step = [&] {
      optimizer.zero_grad();
      const Tensor loss = mse_loss(model->forward(inputs)[0], target);
      loss.backward();
      optimizer.step();
      return loss.item<double>();
    };
    const double before = step();
    for (int i = 0; i < 20; ++i) step();
    CHECK(step() < 0.9 * before);
  }
}

}  // namespace strata
