// Losses of sequences and label sets, and bags of rows, against PyTorch's outputs and gradients
// (structured.safetensors, made by make_structured.py).
#include <functional>
#include <limits>
#include <sstream>

#include "test/nn/reference.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;
namespace F = strata::nn::functional;

namespace {

const test::Reference structured_cases("structured.safetensors");
using List = std::vector<Tensor>;

/// Values that may be NaN or infinite.
void check_same(const std::string& what, const Tensor& actual, const Tensor& expected) {
  INFO(what);
  REQUIRE(actual.defined());
  REQUIRE(actual.sizes().vec() == expected.sizes().vec());
  CHECK(allclose(actual.detach(), expected, 1e-7, 1e-9, /*equal_nan=*/true));
}

void check_structured(const std::string& name, const std::function<Tensor(const List&)>& f) {
  INFO(name);
  const serialize::InputArchive r = structured_cases(name);
  List x;
  for (int i = 0; r.find("x" + std::to_string(i)).defined(); ++i) {
    x.push_back(r.find("x" + std::to_string(i)).clone());
    if (r.find("g" + std::to_string(i)).defined()) x.back().requires_grad_();
  }
  const Tensor y = f(x);
  check_same("y", y, r.find("y"));
  y.backward(r.find("gy"));
  for (size_t i = 0; i < x.size(); ++i) {
    const std::string number = std::to_string(i);
    if (x[i].requires_grad()) check_same("g" + number, x[i].grad(), r.find("g" + number));
  }
}

struct How {
  const char* name;
  Choice reduction;
};
constexpr How kHows[] = {{"none", kNone}, {"mean", kMean}, {"sum", kSum}};

const Tensor padded = tensor({{1, 2, 3}, {2, 2, 1}, {1, 1, 1}}), joined = tensor({1, 2, 3, 2, 2}),
             steps = tensor({7, 5, 6}), lengths = tensor({3, 2, 0});

std::string text(const nn::Module& module) {
  std::ostringstream out;
  out << module;
  return out.str();
}

}  // namespace

TEST_CASE("the CTC loss matches PyTorch's") {
  using Options = F::CTCLossFuncOptions;
  for (const auto& [how, reduction] : kHows)
    check_structured(std::string("ctc_") + how, [r = reduction](const List& x) {
      return F::ctc_loss(x[0], padded, steps, lengths, Options().reduction(r));
    });
  const auto none = Options().reduction(kNone);
  check_structured("ctc_joined",
                   [&](const List& x) { return F::ctc_loss(x[0], joined.to(kInt), steps, lengths, none); });
  check_structured("ctc_blank", [&](const List& x) {
    return nn::CTCLoss(Options().reduction(kNone).blank(3))(x[0], padded - 1, steps, lengths.to(kInt));
  });
  check_structured("ctc_logits",
                   [](const List& x) { return nn::CTCLoss()(x[0].log_softmax(2), padded, steps, lengths); });
  check_structured("ctc_unnormalised", [&](const List& x) { return F::ctc_loss(x[0], padded, steps, lengths, none); });
  check_structured("ctc_one", [](const List& x) {
    return ctc_loss(x[0], tensor({1, 2}), IntArrayRef{7}, IntArrayRef{2});
  });
}

TEST_CASE("a CTC target too long for its input costs infinity, or nothing") {
  const Tensor short_steps = tensor({7, 2, 6});
  check_structured("ctc_too_long", [&](const List& x) {
    return F::ctc_loss(x[0], padded, short_steps, lengths, F::CTCLossFuncOptions().reduction(kNone));
  });
  check_structured("ctc_zero", [&](const List& x) {
    return F::ctc_loss(x[0], padded, short_steps, lengths,
                       F::CTCLossFuncOptions().reduction(kNone).zero_infinity(true));
  });
}

TEST_CASE("wrong arguments of the CTC loss are errors") {
  const Tensor x = zeros({7, 3, 4});
  CHECK_THROWS_WITH(ctc_loss(x, padded, tensor({8, 5, 6}), lengths),
                    ContainsSubstring("Expected input_lengths to have value at most 7, but got value 8"));
  CHECK_THROWS_WITH(ctc_loss(x, padded, steps, tensor({4, 2, 0})),
                    ContainsSubstring("Expected tensor to have size at least 4 at dimension 1, but got size 3"));
  CHECK_THROWS_WITH(ctc_loss(x, padded, steps.to(kFloat), lengths),
                    ContainsSubstring("input_lengths must be integral"));
  CHECK(ctc_loss(x, padded, steps.to(kShort), lengths.to(kUInt8)).item<float>() ==
        ctc_loss(x, padded, steps, lengths).item<float>());
  CHECK_THROWS_WITH(ctc_loss(x, joined, steps, full({3}, Scalar(int64_t{1} << 62))), ContainsSubstring("ctc_loss"));
  CHECK_THROWS_WITH(ctc_loss(x, padded, steps, tensor({3, 2})),
                    ContainsSubstring("target_lengths must be of size batch_size, 2 are given for 3 samples"));
  CHECK_THROWS_WITH(ctc_loss(x, joined, steps, tensor({3, 1, 0})),
                    ContainsSubstring("size 4 at dimension 0, the sum of the target_lengths, but got size 5"));
  CHECK_THROWS_WITH(ctc_loss(x, padded, steps, lengths, 4), ContainsSubstring("blank"));
  CHECK_THROWS_AS(ctc_loss(x, padded + 2, steps, lengths), IndexError);
  CHECK_THROWS_WITH(ctc_loss(x, padded.to(kFloat), steps, lengths), ContainsSubstring("targets"));
  CHECK_THROWS_AS(ctc_loss(x.to(kHalf), padded, steps, lengths), Error);
}

TEST_CASE("the CTC loss of batches under vmap is that of each") {
  const Tensor x = randn({2, 7, 3, 4}, kDouble).log_softmax(-1);
  const Tensor both = vmap([](const Tensor& t) { return ctc_loss(t, padded, steps, lengths); })(x);
  for (int64_t i = 0; i < 2; ++i) CHECK(both[i].allclose(ctc_loss(x[i], padded, steps, lengths)));
}

TEST_CASE("the multi-label margin loss matches PyTorch's") {
  const Tensor labels = tensor({{3, 0, -1, 1, 2}, {-1, 0, 1, 2, 3}, {0, 1, 2, 3, 4}, {2, 2, -1, -1, -1}});
  for (const auto& [how, reduction] : kHows)
    check_structured(std::string("multilabel_margin_") + how,
                     [&, r = reduction](const List& x) { return nn::MultiLabelMarginLoss(r)(x[0], labels); });
  check_structured("multilabel_margin_row",
                   [&](const List& x) { return F::multilabel_margin_loss(x[0], labels[0], kNone); });
  const Tensor x = ones({1, 3});
  CHECK_THROWS_AS(F::multilabel_margin_loss(x, tensor({{3, 0, 0}})), Error);
  CHECK_THROWS_WITH(F::multilabel_margin_loss(x, tensor({0, 1, 2})),
                    ContainsSubstring("(1, 3)") && ContainsSubstring("(3,)"));
  const auto loss = [&](const Tensor& t) { return multilabel_margin_loss(t, labels); };
  const Tensor many = randn({3, 4, 5}, kDouble);
  CHECK(vmap(loss)(many)[2].allclose(loss(many[2])));
}

TEST_CASE("triplets by any distance match PyTorch's") {
  using Options = nn::TripletMarginWithDistanceLossOptions;
  check_structured("triplet_default", [](const List& x) {
    return nn::TripletMarginWithDistanceLoss(Options().swap(true))(x[0], x[1], x[2]);
  });
  check_structured("triplet_cosine", [](const List& x) {
    const auto distance = [](const Tensor& a, const Tensor& b) { return 1 - cosine_similarity(a, b); };
    return F::triplet_margin_with_distance_loss(
        x[0], x[1], x[2],
        Options().distance_function(Options::distance_function_t(distance)).margin(0.5).reduction(kNone));
  });
}

TEST_CASE("the Gaussian loss matches PyTorch's") {
  check_structured("gaussian", [](const List& x) {
    return nn::GaussianNLLLoss(nn::GaussianNLLLossOptions().full(true))(x[0], x[1], x[2]);
  });
  check_structured("gaussian_row", [](const List& x) {
    return F::gaussian_nll_loss(x[0], x[1], x[2], F::GaussianNLLLossFuncOptions().reduction(kNone));
  });
}

TEST_CASE("cross entropy with weights, smoothing, ignored targets and probabilities matches PyTorch's") {
  const Tensor target = tensor({2, 0, -100, 4});
  const serialize::InputArchive r = structured_cases("class_weights");
  for (const auto& [how, reduction] : kHows) {
    const auto options = F::CrossEntropyFuncOptions().weight(r.find("w")).label_smoothing(0.2).reduction(reduction);
    check_structured(std::string("cross_entropy_") + how,
                     [&](const List& x) { return F::cross_entropy(x[0], target, options); });
    check_structured(std::string("cross_entropy_probabilities_") + how,
                     [&](const List& x) { return F::cross_entropy(x[0], x[1], options); });
  }
}

TEST_CASE("bags of rows match PyTorch's") {
  const Tensor index = tensor({1, 4, 4, 0, 5, 2, 2, 3}), offsets = tensor({0, 3, 3, 7}), grid = index.view({2, 4});
  using Options = F::EmbeddingBagFuncOptions;
  for (const auto& [mode, how] : {std::pair{Choice::Sum, "sum"}, {Choice::Mean, "mean"}, {Choice::Max, "max"}}) {
    const std::string name = std::string("bag_") + how;
    const auto by = [&, mode = mode] { return Options().mode(mode); };
    check_structured(name, [&](const List& x) { return F::embedding_bag(index, x[0], by().offsets(offsets)); });
    check_structured(name + "_padding", [&](const List& x) {
      return F::embedding_bag(index.to(kInt), x[0], by().offsets(offsets.to(kInt)).padding_idx(-4));
    });
    check_structured(name + "_grid", [&](const List& x) { return F::embedding_bag(grid, x[0], by().padding_idx(2)); });
    check_structured(name + "_last", [&](const List& x) {
      return F::embedding_bag(index, x[0], by().offsets(tensor({0, 3, 3, 8})).include_last_offset(true));
    });
  }
  check_structured("bag_weighted", [&](const List& x) {
    const auto sum = Options().mode(kSum).offsets(offsets).padding_idx(4);
    return F::embedding_bag(index, x[0], Options(sum).per_sample_weights(x[1]));
  });
  check_structured("bag_weighted_grid", [&](const List& x) {
    return F::embedding_bag(grid, x[0], Options().mode(kSum).per_sample_weights(x[1]));
  });
  check_structured("bag_frequency", [&](const List& x) {
    return F::embedding_bag(index, x[0], Options().offsets(offsets).scale_grad_by_freq(true));
  });
  check_structured("embedding_frequency", [&](const List& x) {
    return F::embedding(grid, x[0], F::EmbeddingFuncOptions().padding_idx(4).scale_grad_by_freq(true));
  });
}

TEST_CASE("rows longer than max_norm are scaled down where they are used") {
  const Tensor index = tensor({1, 4, 4, 0, 5, 2, 2, 3}), offsets = tensor({0, 3, 3, 7});
  const Tensor table = structured_cases("bag_max_norm").find("x0");
  Tensor w = table.clone();
  const Tensor bags =
      F::embedding_bag(index, w, F::EmbeddingBagFuncOptions().offsets(offsets).max_norm(1.1).norm_type(3));
  check_same("bags", cat({bags, w}), structured_cases("bag_max_norm").find("y"));
  w = table.clone();
  const Tensor rows = F::embedding(index, w, F::EmbeddingFuncOptions().max_norm(1.1));
  check_same("rows", cat({rows, w}), structured_cases("embedding_max_norm").find("y"));
}

TEST_CASE("the largest of a bag says which row it is from, and the bags of indices") {
  const Tensor w = tensor({{1.0, 5.0}, {3.0, 4.0}, {2.0, 9.0}});
  const auto [bags, number, sizes, rows] = embedding_bag(w, tensor({0, 1, 2}), tensor({0, 2, 2}), false, 2);
  CHECK(bags.equal(tensor({{3.0, 5.0}, {0.0, 0.0}, {2.0, 9.0}})));
  CHECK(number.equal(tensor({0, 0, 2})));
  CHECK(sizes.equal(tensor({2, 0, 1})));
  CHECK(rows.equal(tensor({{1, 0}, {-1, -1}, {2, 2}})));
}

TEST_CASE("wrong arguments of bags are errors") {
  const Tensor w = ones({3, 2}), index = tensor({0, 1, 2});
  CHECK_THROWS_WITH(embedding_bag(w, index, tensor({1, 2})), ContainsSubstring("first offset must be 0, got 1"));
  CHECK_THROWS_WITH(embedding_bag(w, index, tensor({0, 4})), ContainsSubstring("last offset is 4, but there are 3"));
  CHECK_THROWS_WITH(embedding_bag(w, index, tensor({0, 2, 1})), ContainsSubstring("must not fall"));
  CHECK_THROWS_WITH(embedding_bag(w, index, Tensor()), ContainsSubstring("offsets"));
  CHECK_THROWS_WITH(embedding_bag(w, index.view({1, 3}), tensor({0})), ContainsSubstring("no offsets"));
  CHECK_THROWS_WITH(embedding_bag(w, index, tensor({0}), false, 1, false, ones({3})),
                    ContainsSubstring("per_sample_weights"));
  CHECK_THROWS_WITH(embedding_bag(w, index, tensor({0}), true, 2), ContainsSubstring("maximum"));
  CHECK_THROWS_AS(embedding_bag(w, index + 1, tensor({0})), Error);
  CHECK_THROWS_WITH(nn::EmbeddingBag(nn::EmbeddingBagOptions(3, 2).padding_idx(3)), ContainsSubstring("padding_idx"));
}

TEST_CASE("an EmbeddingBag learns its rows, its padding row being zero") {
  nn::EmbeddingBag bag(nn::EmbeddingBagOptions(4, 3).padding_idx(1).mode(kSum));
  CHECK(bag->weight[1].equal(zeros({3})));
  bag(tensor({{0, 1}, {2, 2}})).sum().backward();
  CHECK(bag->weight.grad().select(1, 0).equal(tensor({1.0f, 0.0f, 2.0f, 0.0f})));
  const auto copy = std::dynamic_pointer_cast<nn::EmbeddingBagImpl>(bag->clone());
  CHECK(copy->weight.equal(bag->weight));
  const Tensor rows = randn({4, 3});
  const nn::EmbeddingBag given = nn::EmbeddingBag::from_pretrained(rows);
  CHECK(given->weight.equal(rows));
  CHECK_FALSE(given->weight.requires_grad());
  CHECK(nn::EmbeddingBag::from_pretrained(rows, nn::EmbeddingBagFromPretrainedOptions().freeze(false))
            ->weight.requires_grad());
}

TEST_CASE("sparse gradients are asked for in vain: they are dense") {
  nn::Embedding sparse(nn::EmbeddingOptions(3, 2).sparse(true));
  sparse(tensor({0, 0})).sum().backward();
  CHECK(sparse->weight.grad().equal(tensor({{2.0f, 2.0f}, {0.0f, 0.0f}, {0.0f, 0.0f}})));
}

TEST_CASE("structured losses and bags print their options as libtorch's do") {
  CHECK(text(*nn::CTCLoss()) == "strata::nn::CTCLoss()");
  CHECK(text(*nn::MultiLabelMarginLoss()) == "strata::nn::MultiLabelMarginLoss()");
  CHECK(text(*nn::TripletMarginWithDistanceLoss()) ==
        "strata::nn::TripletMarginWithDistanceLoss(margin=1, swap=false)");
  CHECK(text(*nn::EmbeddingBag(4, 3)) == "strata::nn::EmbeddingBag(num_embeddings=4, embedding_dim=3)");
  const auto all = nn::EmbeddingBagOptions(4, 3).max_norm(2).norm_type(3.5).scale_grad_by_freq(true).mode(kSum);
  CHECK(text(*nn::EmbeddingBag(nn::EmbeddingBagOptions(all).sparse(true).padding_idx(1).include_last_offset(true))) ==
        "strata::nn::EmbeddingBag(num_embeddings=4, embedding_dim=3, max_norm=2, norm_type=3.5, "
        "scale_grad_by_freq=true, sparse=true, mode=kSum, include_last_offset=true, padding_idx=1)");
  CHECK(text(*nn::Embedding(nn::EmbeddingOptions(4, 3).padding_idx(1).max_norm(2).norm_type(3.5).sparse(true))) ==
        "strata::nn::Embedding(num_embeddings=4, embedding_dim=3, padding_idx=1, max_norm=2, norm_type=3.5, "
        "sparse=true)");
}
