// Archives over PyTorch's and libtorch's files (data/make_files.py, data/make_libtorch.cpp), values in archives, and
// loading by names that are not the same.
#include <strata/strata.h>

#include <cstring>
#include <sstream>

#include "test/catch.h"
#include "test/files.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;

namespace {

struct ResumedImpl : nn::Module {
  ResumedImpl() {
    first = register_module("first", nn::Linear(3, 2));
    parts = register_module("parts", nn::Sequential(nn::BatchNorm1d(2), nn::Linear(2, 1)));
  }
  Tensor forward(const Tensor& x) { return parts->forward(first(x)); }
  nn::Linear first = nullptr;
  nn::Sequential parts = nullptr;
};
STRATA_MODULE(Resumed);

/// The steps of data/make_files.py.
template <class Optimizer>
void train(Resumed& net, Optimizer& optimizer, std::initializer_list<int> steps) {
  net->eval();
  for (const int i : steps) {
    optimizer.zero_grad();
    net(arange(6, kFloat).reshape({2, 3}) * i).square().sum().backward();
    optimizer.step();
  }
}

/// Goes on from a checkpoint of PyTorch, and compares with where PyTorch went.
template <class Optimizer, class Options>
void check_resumes(const std::string& name, const Options& options) {
  Resumed net;
  Optimizer optimizer(net->parameters(), options);
  serialize::InputArchive archive, model, state;
  archive.load_from(data_file(name + ".pt"));
  archive.read("model", model);
  archive.read("optimizer", state);
  model >> *net;
  state >> optimizer;
  int64_t epoch = 0;
  archive.read("epoch", epoch);
  CHECK(epoch == 2);
  train(net, optimizer, {3, 4});
  Resumed expected;
  load(expected, data_file(name + "_later.pt"));
  for (const auto& item : nn::state_dict(*expected)) {
    INFO(name << " " << item.key());
    CHECK(nn::state_dict(*net)[item.key()].allclose(item.value(), 1e-5, 1e-6));
  }
}

}  // namespace

TEST_CASE("training that PyTorch began goes on from its checkpoint") {
  check_resumes<optim::AdamW>("adam", optim::AdamWOptions(0.5));
  check_resumes<optim::SGD>("sgd", optim::SGDOptions(0.5).momentum(0.9));
}

TEST_CASE("modules and optimizers that libtorch saved are loaded") {
  Resumed net;
  load(net, data_file("libtorch_module.pt"));
  CHECK(net->first->weight.detach().equal((arange(6, kFloat) * 0.125 - 0.25).reshape({2, 3})));
  CHECK(net->parts[1]->as<nn::Linear>()->bias.detach().equal(tensor({-0.25f})));
  optim::AdamW adam(net->parameters(), optim::AdamWOptions(0.5));
  load(adam, data_file("libtorch_adam.pt"));
  const auto& options = static_cast<const optim::AdamWOptions&>(adam.param_groups()[0].options());
  CHECK(options.lr() == 0.01);
  CHECK(options.betas() == std::tuple(0.8, 0.95));
  CHECK(adam.state().size() == 6);
  const auto* state =
      static_cast<optim::AdamParamState*>(adam.state().at(net->first->weight.unsafeGetTensorImpl()).get());
  CHECK(state->step() == 2);
  CHECK(state->exp_avg().sizes().vec() == std::vector<int64_t>{2, 3});
  optim::SGD sgd(net->parameters(), optim::SGDOptions(0.5));
  load(sgd, data_file("libtorch_sgd.pt"));
  CHECK(static_cast<const optim::SGDOptions&>(sgd.param_groups()[0].options()).momentum() == 0.9);
  optim::SGD fewer(net->first->parameters(), optim::SGDOptions(0.5));
  CHECK_THROWS_WITH(load(fewer, data_file("libtorch_sgd.pt")), ContainsSubstring("6 parameters in the file, 2 in the"));
}

TEST_CASE("tensors and values that libtorch saved are read") {
  Tensor t;
  load(t, data_file("libtorch_tensor.pt"));
  CHECK(t.equal(arange(6, kFloat).reshape({2, 3})));
  std::vector<Tensor> tensors;
  load(tensors, data_file("libtorch_tensors.pt"));
  REQUIRE(tensors.size() == 2);
  CHECK(tensors[0].equal(arange(3)));
  serialize::InputArchive archive, nested;
  archive.load_from(data_file("libtorch_values.pt"));
  int64_t epoch = 0;
  bool flag = false;
  std::string run;
  double pi = 0;
  Value list;
  archive.read("epoch", epoch);
  archive.read("flag", flag);
  archive.read("name", run);
  archive.read("list", list);
  archive.read("nested", nested);
  nested.read("pi", pi);
  CHECK(epoch == 7);
  CHECK(flag);
  CHECK(run == "run");
  CHECK(list.toIntVector() == std::vector<int64_t>{1, 2, 3});
  CHECK(pi == 3.5);
}

TEST_CASE("values come back from an archive") {
  serialize::OutputArchive out, inner;
  const Value list(Value::List{1, "two", Value::tuple({3.0, ones({2})}), Value()});
  inner.write("list", list);
  out.write("inner", inner);
  out.write("number", Value(3));
  out.write("text", Value("hello"));
  out.write("none", Value());
  out.write("tensor", Value(ones({2})));
  std::stringstream stream;
  out.save_to(stream);
  serialize::InputArchive in, nested;
  in.load_from(stream);
  CHECK(in.keys() == std::vector<std::string>{"number", "tensor", "text", "inner", "none"});
  Value value;
  in.read("number", value);
  CHECK(value.toInt() == 3);
  in.read("text", value);
  CHECK(value == Value("hello"));
  in.read("none", value);
  CHECK(value.isNone());
  in.read("tensor", value);
  CHECK(value.toTensor().equal(ones({2})));
  REQUIRE(in.try_read("inner", nested));
  nested.read("list", value);
  CHECK(value == list);
  CHECK_FALSE(nested.try_read("more", value));
  CHECK_THROWS_WITH(nested.read("more", value), ContainsSubstring("no value 'inner.more'"));
}

TEST_CASE("functions take and give the bytes of an archive") {
  std::string bytes;
  const Tensor x = randn({5});
  save(x, [&](const void* data, size_t n) {
    bytes.append(static_cast<const char*>(data), n);
    return n;
  });
  Tensor y, z;
  const auto size = [&] { return bytes.size(); };
  load(
      y,
      [&](uint64_t place, void* to, size_t n) {
        n = std::min<size_t>(n, 7);  // in small pieces
        std::memcpy(to, bytes.data() + place, n);
        return n;
      },
      size);
  CHECK(y.equal(x));
  load(z, bytes.data(), bytes.size(), Device(kCPU));
  CHECK(z.equal(x));
  CHECK_THROWS_WITH(load(
                        y, [](uint64_t, void*, size_t) { return size_t{0}; }, size),
                    ContainsSubstring("gave 0 bytes"));
  CHECK_THROWS_WITH(save(x, [](const void*, size_t) { return size_t{1}; }), ContainsSubstring("took 1 of 8 bytes"));
}

TEST_CASE("a file of other names is told in full, and loaded in part by choice") {
  TemporaryFile file(".safetensors");
  save(nn::Sequential(nn::Linear(2, 3), nn::Identity(), nn::Linear(3, 1)), file.path);
  nn::Sequential net(nn::Linear(2, 3), nn::Linear(3, 1));
  const Tensor before = net->parameters()[0].detach().clone();
  CHECK_THROWS_WITH(
      load(net, file.path),
      ContainsSubstring("'" + file.path + "'") &&
          ContainsSubstring("the file has no '1.weight', '1.bias'; the module has no '2.weight', '2.bias'"));
  CHECK(net->parameters()[0].equal(before));
  const nn::IncompatibleKeys keys = load(net, file.path, strict(false));
  CHECK(keys.missing_keys == std::vector<std::string>{"1.weight", "1.bias"});
  CHECK(keys.unexpected_keys == std::vector<std::string>{"2.weight", "2.bias"});
  CHECK_FALSE(net->parameters()[0].equal(before));
  nn::Sequential shorter(nn::Linear(2, 3));
  CHECK_THROWS_WITH(load(shorter, file.path), ContainsSubstring("the module has no '2.weight', '2.bias'"));
  nn::Sequential wider(nn::Linear(2, 4));
  CHECK_THROWS_WITH(load(wider, file.path, strict(false)),
                    ContainsSubstring("'0.weight' has shape (3, 2) in the file and (4, 2)"));
}

TEST_CASE("a module's tensors go through a map") {
  Resumed a, b;
  CHECK(nn::load_state_dict(*b, nn::state_dict(*a)).empty());
  CHECK(b->first->weight.equal(a->first->weight));
  CHECK(b->first->weight.requires_grad());
  OrderedDict<std::string, Tensor> part;
  part.insert("first.bias", ones({2}));
  CHECK_THROWS_WITH(nn::load_state_dict(*b, part), ContainsSubstring("'parts.1.bias'"));
  CHECK(nn::load_state_dict(*b, part, false).missing_keys.size() == nn::state_dict(*b).size() - 1);
  CHECK(b->first->bias.detach().equal(ones({2})));
}
