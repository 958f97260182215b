// The module tree: names, traversal, conversion, cloning, printing, containers.
#include <strata/strata.h>

#include <sstream>

#include "test/catch.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;

namespace {

struct ScaledBlockImpl : nn::Cloneable<ScaledBlockImpl> {
  explicit ScaledBlockImpl(int64_t width) : width(width) { reset(); }
  void reset() override {
    fc = register_module("fc", nn::Linear(width, width));
    norm = register_module("norm", nn::BatchNorm1d(width));
    scale = register_parameter("scale", ones({width}));
  }
  Tensor forward(const Tensor& x) { return norm(fc(x)) * scale; }

  int64_t width;
  nn::Linear fc = nullptr;
  nn::BatchNorm1d norm = nullptr;
  Tensor scale;
};
STRATA_MODULE(ScaledBlock);

struct NetImpl : nn::Module {
  NetImpl() : first(3), second(3) {
    register_module("first", first);
    register_module("second", second);
  }
  Tensor forward(const Tensor& x) { return second(first(x)); }
  ScaledBlock first, second;
};
STRATA_MODULE(Net);

struct TwoImpl : nn::Module {
  std::tuple<Tensor, Tensor> forward(const Tensor& x) { return {x, x + 1}; }
};
STRATA_MODULE(Two);

struct JoinImpl : nn::Module {
  Tensor forward(const Tensor& a, const Tensor& b) { return a - b; }
};
STRATA_MODULE(Join);

}  // namespace

TEST_CASE("names follow the tree in order of registration") {
  Net net;
  const std::vector<std::string> expected = {
      "first.scale",  "first.fc.weight",  "first.fc.bias",  "first.norm.weight",  "first.norm.bias",
      "second.scale", "second.fc.weight", "second.fc.bias", "second.norm.weight", "second.norm.bias"};
  CHECK(net->named_parameters().keys() == expected);
  CHECK(net->named_parameters(/*recurse=*/false).is_empty());
  CHECK(net->parameters().size() == 10);
  CHECK(net->named_buffers().keys()[0] == "first.norm.running_mean");
  CHECK(net->buffers().size() == 6);
  CHECK(net->children().size() == 2);
  CHECK(net->named_children().keys() == std::vector<std::string>{"first", "second"});
  CHECK(net->modules().size() == 7);
  CHECK(net->modules(/*include_self=*/false).size() == 6);
  CHECK(net->named_modules("net").keys()[2] == "net.first.fc");
  for (const auto& item : net->named_parameters()) CHECK(item.value().requires_grad());
}

TEST_CASE("a shared parameter appears once") {
  Net net;
  nn::Sequential tied(net, net);
  CHECK(tied->parameters().size() == 10);
}

TEST_CASE("wrong registrations are errors") {
  ScaledBlock block(2);
  CHECK_THROWS_WITH(block->register_parameter("a.b", ones({1})), ContainsSubstring("must not contain a dot"));
  CHECK_THROWS_WITH(block->register_buffer("", ones({1})), ContainsSubstring("must not be empty"));
  CHECK_THROWS_WITH(block->register_module("fc", nn::Linear(1, 1)), ContainsSubstring("'fc' already defined"));
  CHECK_THROWS_WITH(block->named_parameters()["nope"], ContainsSubstring("'nope' is not defined"));
  nn::Linear empty = nullptr;
  CHECK(empty.is_empty());
  CHECK_THROWS_WITH(empty->weight, ContainsSubstring("empty"));
}

TEST_CASE("modules can be replaced and removed") {
  ScaledBlock block(2);
  block->replace_module("fc", nn::Linear(2, 5));
  CHECK(block->named_parameters()["fc.weight"].size(0) == 5);
  block->unregister_module("norm");
  CHECK(block->children().size() == 1);
}

TEST_CASE("an AnyModule gives its module by reference and as a holder") {
  const nn::AnyModule any(nn::Linear(2, 3));
  nn::Linear linear = any.get<nn::Linear>();
  CHECK(linear.get() == &any.get<nn::LinearImpl>());
  CHECK(linear->options.in_features() == 2);
  CHECK_THROWS_AS(any.get<nn::ReLU>(), Error);
  CHECK_THROWS_AS(nn::AnyModule().get<nn::Linear>(), Error);
}

TEST_CASE("apply visits parents before children") {
  Net net;
  std::vector<std::string> names;
  net->apply([&](const std::string& name, nn::Module&) { names.push_back(name); }, "root");
  CHECK(names == std::vector<std::string>{"root", "root.first", "root.first.fc", "root.first.norm", "root.second",
                                          "root.second.fc", "root.second.norm"});
  int linears = 0;
  net->apply([&](nn::Module& m) { linears += m.as<nn::Linear>() != nullptr; });
  CHECK(linears == 2);
  int pointers = 0;
  net->apply([&](const std::shared_ptr<nn::Module>& m) { pointers += m != nullptr; });
  CHECK(pointers == 7);
}

TEST_CASE("training mode reaches every module") {
  Net net;
  CHECK(net->is_training());
  net->eval();
  CHECK_FALSE(net->first->norm->is_training());
  net->train();
  CHECK(net->second->norm->is_training());
}

TEST_CASE("conversion keeps identity, counters and gradients") {
  Net net;
  const Tensor weight = net->first->fc->weight;
  net->forward(randn({4, 3})).sum().backward();
  net->to(kDouble);
  CHECK(weight.dtype() == kDouble);
  CHECK(weight.is_same(net->first->fc->weight));
  CHECK(weight.grad().dtype() == kDouble);
  CHECK(net->first->norm->num_batches_tracked.dtype() == kLong);
  CHECK(net->forward(randn({4, 3}, kDouble)).dtype() == kDouble);
  CHECK_THROWS_AS(net->to(kLong), Error);
}

TEST_CASE("zero_grad removes or clears gradients") {
  Net net;
  net->forward(randn({4, 3})).sum().backward();
  net->zero_grad(/*set_to_none=*/false);
  CHECK(net->first->scale.grad().equal(zeros({3})));
  net->zero_grad();
  CHECK_FALSE(net->first->scale.grad().defined());
}

TEST_CASE("a clone is equal and independent") {
  ScaledBlock block(3);
  block->scale.requires_grad_(false);
  block->eval();
  auto copy = std::dynamic_pointer_cast<ScaledBlockImpl>(block->clone());
  REQUIRE(copy);
  CHECK(copy->fc->weight.equal(block->fc->weight));
  CHECK(copy->fc.get() == copy->named_children()["fc"].get());
  CHECK_FALSE(copy->scale.requires_grad());
  CHECK_FALSE(copy->is_training());
  CHECK_FALSE(copy->norm->is_training());
  NoGradGuard no_grad;
  copy->fc->weight.fill_(0);
  CHECK_FALSE(block->fc->weight.equal(copy->fc->weight));
  CHECK_THROWS_WITH(Net()->clone(), ContainsSubstring("Cloneable"));
}

TEST_CASE("modules print as a tree") {
  std::ostringstream text;
  text << nn::Sequential(
      {{"fc", nn::Linear(2, 3)}, {"act", nn::ReLU()}, {"deep", nn::Sequential(nn::Conv2d(1, 2, 3))}});
  CHECK(text.str() ==
        "strata::nn::Sequential(\n"
        "  (fc): strata::nn::Linear(in_features=2, out_features=3, bias=true)\n"
        "  (act): strata::nn::ReLU()\n"
        "  (deep): strata::nn::Sequential(\n"
        "    (0): strata::nn::Conv2d(1, 2, kernel_size=[3, 3], stride=[1, 1])\n"
        "  )\n"
        ")");
  CHECK_THAT(Net()->name(), ContainsSubstring("Net"));
  CHECK_THAT(Net()->name(), !ContainsSubstring("Impl"));
}

TEST_CASE("Sequential chains modules, tuples included") {
  nn::Sequential net(nn::Linear(4, 3), nn::Functional(relu), nn::Functional([](const Tensor& x) { return x * 2; }));
  const Tensor x = randn({2, 4});
  CHECK(net->forward(x).equal(net->at<nn::LinearImpl>(0).forward(x).relu() * 2));
  net->push_back("last", nn::Linear(3, 1));
  CHECK(net->size() == 4);
  CHECK(net->named_parameters().keys().back() == "last.bias");
  CHECK(nn::Sequential(Two(), Join())->forward(x).allclose(full_like(x, -1)));
  const auto [a, b] = nn::Sequential(Two())->forward<std::tuple<Tensor, Tensor>>(x);
  CHECK((b - a).allclose(ones_like(x)));
  CHECK(nn::Sequential(Join(), nn::ReLU())->forward(x, x).equal(zeros_like(x)));
  CHECK_THROWS_WITH(nn::Sequential(Two(), nn::ReLU())->forward(x),
                    ContainsSubstring("expects 1 argument(s), but received 2"));
  CHECK_THROWS_WITH(nn::Sequential()->forward(x), ContainsSubstring("empty"));
  CHECK_THROWS_AS(net->at<nn::Conv2dImpl>(0), Error);
  CHECK_THROWS_AS(net[9], Error);
}

TEST_CASE("a cloned Sequential computes the same") {
  nn::Sequential net(nn::Linear(4, 3), nn::Tanh(), nn::Sequential(nn::Linear(3, 2)));
  nn::Sequential copy(std::dynamic_pointer_cast<nn::SequentialImpl>(net->clone()));
  const Tensor x = randn({2, 4});
  CHECK(copy->forward(x).equal(net->forward(x)));
  CHECK_FALSE(copy->parameters()[0].is_same(net->parameters()[0]));
}

TEST_CASE("lists and dictionaries register what they hold") {
  nn::ModuleList list(nn::Linear(1, 2), nn::ReLU());
  list->insert(1, nn::Linear(2, 3));
  CHECK(list->size() == 3);
  CHECK(list->named_parameters().keys() == std::vector<std::string>{"0.weight", "0.bias", "1.weight", "1.bias"});
  CHECK(list->at<nn::LinearImpl>(1).weight.size(0) == 3);

  nn::ModuleDict dict(std::vector<std::pair<std::string, std::shared_ptr<nn::Module>>>{{"a", nn::Linear(1, 1).ptr()},
                                                                                       {"b", nn::ReLU().ptr()}});
  CHECK(dict->keys() == std::vector<std::string>{"a", "b"});
  CHECK(dict->pop("a")->as<nn::Linear>() != nullptr);
  CHECK(dict->parameters().empty());

  nn::ParameterList parameters(ones({2}), zeros({3}));
  parameters->append(ones({1}).requires_grad_());
  CHECK(parameters->named_parameters().keys() == std::vector<std::string>{"0", "1", "2"});
  nn::ParameterDict named;
  named->insert("w", ones({2}));
  CHECK(named->contains("w"));
  CHECK(named["w"].equal(ones({2})));
}
