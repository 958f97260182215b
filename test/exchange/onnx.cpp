// ONNX files: node tests of the onnx package, and what loaded models do under transforms.
#include <strata/strata.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "test/catch.h"
#include "test/exchange/onnx_cases.h"
#include "test/source_dir.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

/// A few cases of each kind; onnx_nodes.py runs all.
const onnx_cases::Cases& cases() {
  static const onnx_cases::Cases packed(std::string(source_dir()) + "/test/exchange/data/onnx_nodes.safetensors");
  return packed;
}

std::string model_bytes(const std::string& name) {
  const Tensor bytes = cases().model(name);
  return {static_cast<const char*>(bytes.data_ptr()), static_cast<size_t>(bytes.numel())};
}

std::string file_of(const std::string& bytes) {
  const std::string path = (fs::temp_directory_path() / "strata_onnx_test.onnx").string();
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

OnnxModel model_of(const std::string& name) { return load_onnx(file_of(model_bytes(name))); }

}  // namespace

TEST_CASE("node tests of the onnx package", "[onnx]") {
  CHECK(cases().names().size() >= 50);
  for (const std::string& name : cases().names()) {
    INFO(name);
    CHECK(cases().run(name).wrong == "");
  }
}

TEST_CASE("ONNX files that are damaged or not known are one error", "[onnx]") {
  std::string bytes = model_bytes("test_relu");
  CHECK_THROWS_WITH(load_onnx("/no/such/file"), Catch::Matchers::ContainsSubstring("'/no/such/file' cannot be read"));
  CHECK_THROWS_WITH(load_onnx(file_of("no model")),
                    Catch::Matchers::ContainsSubstring("is no ONNX model, or is damaged"));
  for (size_t size = 0; size < bytes.size(); ++size) {  // the last bytes are the opset
    INFO(size);
    CHECK_THROWS_AS(load_onnx(file_of(bytes.substr(0, size))), Error);
  }
  const size_t op = bytes.find("Relu");
  REQUIRE(op != bytes.npos);
  CHECK_THROWS_WITH(load_onnx(file_of(bytes.replace(op, 4, "Rexu"))),
                    Catch::Matchers::ContainsSubstring("ops that are not known here: ai.onnx.Rexu"));
}

TEST_CASE("ONNX models refuse what they do not take", "[onnx]") {
  OnnxModel model = model_of("test_relu");
  CHECK(model->input_names() == std::vector<std::string>{"x"});
  CHECK(model->output_names() == std::vector<std::string>{"y"});
  CHECK_THROWS_WITH(model(ones({3, 4})),
                    Catch::Matchers::ContainsSubstring("the input 'x' must be float32[3,4,5], it is float32(3, 4)"));
  CHECK_THROWS_WITH(model(ones({3, 4, 5}, kDouble)),
                    Catch::Matchers::ContainsSubstring("the input 'x' must be float32"));
  CHECK_THROWS_WITH(model(ones({3}), ones({3})),
                    Catch::Matchers::ContainsSubstring("takes 1 inputs (x), 2 were given"));
}

TEST_CASE("ONNX models run under transforms, in programs and compiled", "[onnx]") {
  manual_seed(1);
  OnnxModel model = model_of("test_gelu_default_2");  // of shape (3, 4, 5)
  const Tensor x = randn({3, 4, 5});
  const Tensor slope = func::grad([](Tensor t) { return gelu(t).sum(); })(x);
  CHECK(equal(func::grad([&](Tensor t) { return model(t).sum(); })(x), slope));
  CHECK(equal(compile([&](Tensor t) { return model(t); })(x), gelu(x)));
  CHECK(equal(model->program()({x})[0], gelu(x)));
  const Tensor batch = randn({2, 3, 4, 5});
  CHECK(equal(func::vmap([&](Tensor t) { return model(t); })(batch), gelu(batch)));
}

TEST_CASE("control flow of ONNX models is one equation of a program", "[onnx]") {
  for (const auto& [name, op] :
       {std::pair("own_scan", " = scan["), std::pair("own_while", " = while["), std::pair("own_if", " = cond[")}) {
    INFO(name);
    OnnxModel model = model_of(name);
    const func::Program program = model->program();
    CHECK_THAT(program.str(), Catch::Matchers::ContainsSubstring(op));
    for (const Tensor& x : {tensor({1.5, 1.25}), tensor({-1.5, 0.5})}) {
      INFO(x);
      const std::vector<Tensor> eager = model->forward(std::vector<Tensor>{x}), traced = program({x});
      REQUIRE(eager.size() == traced.size());
      for (size_t i = 0; i < eager.size(); ++i) CHECK(allclose(eager[i], traced[i], 1e-6));
    }
  }
  const auto last = [](Tensor x) {
    return model_of("own_scan")->forward(std::vector<Tensor>{x})[0].sum();
  };  // x to the 4th
  const Tensor x = tensor({1.5, -2.0});
  CHECK(allclose(func::grad(last)(x), 4 * x.pow(3)));
  CHECK(allclose(compile(func::grad(last))(x), 4 * x.pow(3)));
}

TEST_CASE("ONNX models train, and their state is saved", "[onnx]") {
  manual_seed(2);
  OnnxModel model = model_of("own_mlp");
  CHECK(model->named_parameters().keys() == std::vector<std::string>{"first.weight", "first.bias", "second.weight"});
  const Tensor x = randn({32, 2}), y = x.sum(1, true).sin();
  const auto loss = [&] { return mse_loss(model(x), y); };
  const double before = loss().item<double>();
  optim::Adam optimizer(model->parameters(), 0.05);
  for (int i = 0; i < 50; ++i) {
    optimizer.zero_grad();
    loss().backward();
    optimizer.step();
  }
  CHECK(loss().item<double>() < 0.2 * before);
  std::stringstream file;
  save(model, file);
  OnnxModel other = model_of("own_mlp");
  load(other, file);
  CHECK(equal(other(x), model(x)));
}

// As they stand there; test_architecture compares.
TEST_CASE("the examples of docs/onnx.md run", "[onnx]") {
  const fs::path before = fs::current_path();
  fs::current_path(fs::temp_directory_path());
  std::ofstream("model.onnx", std::ios::binary) << model_bytes("own_mlp");
  const Tensor images = ones({4, 2}), labels = zeros({4}, kLong), x = images;
  std::ostringstream out;
  std::streambuf* const terminal = std::cout.rdbuf(out.rdbuf());
  {
    OnnxModel model = load_onnx("model.onnx");
    optim::SGD optimizer(model->parameters(), 0.1);
    optimizer.zero_grad();
    cross_entropy_loss(model(images), labels).backward();
    optimizer.step();
    std::cout << model->program({images}) << "\n";  // its equations, for inputs like these
  }
  std::cout.rdbuf(terminal);
  CHECK_THAT(out.str(), Catch::Matchers::ContainsSubstring("= tanh"));
  {
    OnnxModel model = load_onnx("model.onnx");
    Tensor y = model(x);
    CHECK(y.size(0) == 4);
  }
  fs::remove("model.onnx");
  fs::current_path(before);
}

TEST_CASE("programs saved as ONNX files give what they gave", "[onnx]") {
  manual_seed(3);
  for (const char* name : {"mlp", "cnn", "resnet", "lstm", "encoder", "gpt", "vit"}) {
    INFO(name);
    const std::string data = std::string(source_dir()) + "/test/exchange/data/" + name;
    func::Program::Body body = load_pt2(data + ".pt2")->program().body();
    body.effects.clear();
    const func::Program program(std::move(body));
    std::vector<Tensor> inputs;
    const TensorMap tensors = load_file(data + ".safetensors");
    for (size_t i = 0; i < program.inputs().size(); ++i) inputs.push_back(tensors["in." + std::to_string(i)]);
    const std::string path = file_of("");
    save_onnx(program, path);
    const std::vector<Tensor> before = program(inputs), after = load_onnx(path)->forward(inputs);
    REQUIRE(before.size() == after.size());
    for (size_t i = 0; i < before.size(); ++i) CHECK(allclose(before[i], after[i], 1e-4, 1e-5));
  }
}

TEST_CASE("both extremes of an op are saved as two ops", "[onnx]") {
  const Tensor x = randn({3, 4});
  const std::string path = file_of("");
  save_onnx(trace([](Tensor x) {
              const auto [low, high] = aminmax(x, 1, true);
              return std::vector<Tensor>{low, high, std::get<1>(aminmax(x))};
            })(x),
            path);
  const std::vector<Tensor> y = load_onnx(path)->forward({x});
  CHECK(y[0].equal(x.amin(1, true)));
  CHECK(y[1].equal(x.amax(1, true)));
  CHECK(y[2].equal(x.amax()));
}

TEST_CASE("what ONNX files cannot say is not saved", "[onnx]") {
  const auto sorted = trace([](Tensor x) { return std::get<0>(x.sort()); })(ones({3}));
  CHECK_THROWS_WITH(save_onnx(sorted, file_of("")),
                    Catch::Matchers::ContainsSubstring("ops that have no counterpart here: sort"));
  const func::Program with_effects = load_pt2(std::string(source_dir()) + "/test/exchange/data/cnn.pt2")->program();
  CHECK_THROWS_WITH(save_onnx(with_effects, file_of("")),
                    Catch::Matchers::ContainsSubstring("the program writes to tensors"));
}

TEST_CASE("a net is saved as an ONNX file", "[onnx]") {
  manual_seed(4);
  const fs::path before = fs::current_path();
  fs::current_path(fs::temp_directory_path());
  nn::Sequential net(nn::Conv2d(nn::Conv2dOptions(3, 4, 3)), nn::BatchNorm2d(4), nn::ReLU(), nn::Flatten(),
                     nn::Linear(3600, 2));
  net->forward(randn({2, 3, 32, 32}));  // statistics
  net->eval();
  save_onnx(trace([&](Tensor x) { return net->forward(x); })(ones({1, 3, 32, 32})), "net.onnx");
  const NoGradGuard no_grad;
  const Tensor x = randn({1, 3, 32, 32});
  CHECK(allclose(load_onnx("net.onnx")(x), net->forward(x), 1e-4, 1e-5));
  fs::remove("net.onnx");
  fs::current_path(before);
}

}  // namespace strata
