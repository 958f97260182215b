// The adaptive softmax and attention by weights against PyTorch (adaptive.safetensors, made by make_adaptive.py), batch
// norms of several ranks, fused layers, and functions with plain arguments beside those with options.
#include <sstream>

#include "test/nn/reference.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;
namespace F = strata::nn::functional;

namespace {

const test::Reference adaptive_cases("adaptive.safetensors");
using test::check_close;

}  // namespace

TEST_CASE("the adaptive softmax matches PyTorch's, gradients included") {
  serialize::InputArchive r = adaptive_cases("adaptive"), parameters = r.nested("p");
  nn::AdaptiveLogSoftmaxWithLoss m(nn::AdaptiveLogSoftmaxWithLossOptions(8, 20, {5, 10}).div_value(2.).head_bias(true));
  m->to(kDouble);
  m->load(parameters);
  const Tensor x = r.find("x").clone().requires_grad_(), target = tensor({0, 19, 7, 4, 5, 12});
  const nn::ASMoutput out = m(x, target);
  check_close("output", out.output, r.find("output"));
  check_close("loss", out.loss, r.find("loss"));
  const double loss = out.loss;
  CHECK(loss == Approx(r.find("loss").item<double>()));
  out.loss.backward();
  check_close("gx", x.grad(), r.find("gx"));
  for (const auto& item : m->named_parameters())
    check_close(item.key(), item.value().grad(), r.find("g." + item.key()));
  check_close("log_prob", m->log_prob(x), r.find("log_prob"));
  CHECK(m->predict(x).equal(r.find("predict")));
  const nn::ASMoutput one = m(x[1], target[1]);
  CHECK(one.output.dim() == 0);
  CHECK(one.output.item<double>() == Approx(out.output[1].item<double>()));
}

TEST_CASE("the adaptive softmax prints as libtorch's, and refuses wrong cutoffs and targets") {
  nn::AdaptiveLogSoftmaxWithLoss m(8, 20, std::vector<int64_t>{5, 10});
  std::ostringstream text;
  text << m;
  CHECK_THAT(text.str(), ContainsSubstring("strata::nn::AdaptiveLogSoftmaxWithLoss(\n"
                                           "  (head): strata::nn::Linear(in_features=8, out_features=7, bias=false)\n"
                                           "  (tail): strata::nn::ModuleList(\n"
                                           "    (0): strata::nn::Sequential("));
  CHECK_THROWS_WITH(nn::AdaptiveLogSoftmaxWithLoss(8, 20, std::vector<int64_t>{10, 5}), ContainsSubstring("must rise"));
  CHECK_THROWS_WITH(nn::AdaptiveLogSoftmaxWithLoss(8, 20, std::vector<int64_t>{20}), ContainsSubstring("must rise"));
  CHECK_THROWS_WITH(m(ones({1, 8}), tensor({20})), ContainsSubstring("targets must be in [0, 20), got 20"));
  const auto copy = std::dynamic_pointer_cast<nn::AdaptiveLogSoftmaxWithLossImpl>(m->clone());
  CHECK(copy->log_prob(ones({2, 8})).equal(m->log_prob(ones({2, 8}))));
}

TEST_CASE("attention by given weights matches PyTorch's, with static keys and values") {
  const serialize::InputArchive r = adaptive_cases("attention");
  auto options = F::MultiheadAttentionForwardFuncOptions(6, 2, r.find("in_w"), r.find("in_b"), {}, {}, true, 0.0,
                                                         r.find("out_w"), r.find("out_b"));
  options.attn_mask(r.find("mask"))
      .static_k(r.find("static_k"))
      .static_v(r.find("static_v"))
      .average_attn_weights(false);
  const auto [y, w] = F::multi_head_attention_forward(r.find("q"), r.find("k"), r.find("v"), options);
  check_close("y", y, r.find("y"));
  check_close("w", w, r.find("w"));
  options.attn_mask(Tensor()).static_k(r.find("k"));
  CHECK_THROWS_WITH(F::multi_head_attention_forward(r.find("q"), r.find("k"), r.find("v"), options),
                    ContainsSubstring("static_k"));
}

TEST_CASE("children of a decoder layer stand in libtorch's order") {
  CHECK(nn::TransformerDecoderLayer(4, 2)->named_children().keys() ==
        std::vector<std::string>{"self_attn", "multihead_attn", "linear1", "dropout", "linear2", "norm1", "norm2",
                                 "norm3", "dropout1", "dropout2", "dropout3"});
}

TEST_CASE("synchronised batch norms of ranks give what one gives for all batches") {
  const Tensor all = randn({6, 3, 4}, kDouble), cotangent = randn({6, 3, 4}, kDouble);
  nn::BatchNorm1d whole(3);
  whole->to(kDouble);
  const Tensor x = all.clone().requires_grad_(), y = whole(x);
  y.backward(cotangent);
  const Tensor mean = whole->running_mean, var = whole->running_var;
  whole->eval();
  const Tensor later = whole(all);
  // Catch's checks are for one thread: the ranks leave what they found.
  struct Found {
    Tensor y, gx, mean, var, later, of_module;
  };
  std::vector<Found> found(2);
  distributed::run_threads(2, [&](const ProcessGroup& group) {
    const int64_t start = group->rank() == 0 ? 0 : 4, count = group->rank() == 0 ? 4 : 2;  // of different size
    nn::BatchNorm1d norm(3);
    nn::Sequential net(norm);
    nn::SyncBatchNorm::Impl::convert_sync_batchnorm(net);
    net->to(kDouble);
    const Tensor own = all.narrow(0, start, count).clone().requires_grad_();
    const Tensor out = net->forward(own);
    out.backward(cotangent.narrow(0, start, count));
    nn::SyncBatchNorm module(nn::BatchNormOptions(3), group);
    module->to(kDouble);
    const Tensor of_module = module(own);
    net->eval();
    found[static_cast<size_t>(group->rank())] = {
        out, own.grad(), norm->running_mean, norm->running_var, net->forward(own), of_module};
  });
  const auto joined = [&](Tensor Found::*part) { return cat({found[0].*part, found[1].*part}).detach(); };
  check_close("y", joined(&Found::y), y);
  check_close("module", joined(&Found::of_module), y);
  check_close("gx", joined(&Found::gx), x.grad());
  check_close("later", joined(&Found::later), later);
  for (const Found& f : found) {
    check_close("mean", f.mean, mean);
    check_close("var", f.var, var);
  }
}

TEST_CASE("synchronised batch norms work alone, and with one value for each channel") {
  const Tensor x = randn({4, 3}, kDouble);
  nn::BatchNorm1d plain(3);
  nn::SyncBatchNorm alone(3), of_one(3);
  plain->to(kDouble), alone->to(kDouble), of_one->to(kDouble);
  const Tensor y = plain(x);
  CHECK(alone(x).equal(y));  // no process group
  distributed::run_threads(1, [&](const ProcessGroup&) { of_one(x); });
  CHECK(alone->running_var.equal(plain->running_var));
  CHECK(of_one->running_var.equal(plain->running_var));
  std::vector<Tensor> found(2);
  distributed::run_threads(2, [&](const ProcessGroup& group) {
    nn::SyncBatchNorm norm(nn::BatchNormOptions(2), group);
    norm(full({group->rank() == 0 ? 1 : 0, 2}, 5.0f));
    found[static_cast<size_t>(group->rank())] = norm->running_var;
  });
  for (const Tensor& var : found) CHECK(var.equal(full({2}, 0.9f)));  // the variance of one value is 0 here, not NaN
}

TEST_CASE("a convolution fused with the norm behind it gives what both give") {
  for (const bool bias : {true, false}) {
    nn::Conv2d conv(nn::Conv2dOptions(2, 3, 3).bias(bias));
    nn::BatchNorm2d norm(3);
    nn::Sequential both(conv, norm);
    both->to(kDouble);
    const Tensor x = randn({4, 2, 5, 5}, kDouble);
    both->forward(x);
    norm->weight.detach().uniform_(0.5, 2);
    norm->bias.detach().normal_();
    CHECK_THROWS_WITH(nn::utils::fuse_conv_bn_eval(conv, norm), ContainsSubstring("evaluation mode"));
    both->eval();
    nn::Conv2d fused = nn::utils::fuse_conv_bn_eval(conv, norm);
    check_close("conv", fused(x), both->forward(x).detach());
    CHECK(fused->named_parameters().keys() == std::vector<std::string>{"weight", "bias"});
  }
  nn::Linear linear(2, 3);
  nn::BatchNorm1d norm(3);
  norm(randn({5, 3}));
  linear->eval();
  norm->eval();
  const Tensor x = randn({4, 2});
  check_close("linear", nn::utils::fuse_linear_bn_eval(linear, norm)(x), norm(linear(x)).detach(), 1e-4, 1e-5);
}

TEST_CASE("functions take plain arguments as they take options") {
  const Tensor x = randn({3, 4}, kDouble), p = x.sigmoid(), target = tensor({1, 0, 3}),
               w = tensor({1.0, 2.0, 0.5, 1.5}, kDouble), y = randn({3, 4}, kDouble);
  CHECK(F::cross_entropy(x, target, w, -100, kSum, 0.1)
            .equal(F::cross_entropy(x, target,
                                    F::CrossEntropyFuncOptions().weight(w).reduction(kSum).label_smoothing(0.1))));
  CHECK(F::cross_entropy(x, target, {}).equal(F::cross_entropy(x, target)));
  CHECK(F::nll_loss(x, target, w, 0).equal(F::nll_loss(x, target, F::NLLLossFuncOptions().weight(w).ignore_index(0))));
  CHECK(F::binary_cross_entropy(p, y.sigmoid(), w)
            .equal(F::binary_cross_entropy(p, y.sigmoid(), F::BinaryCrossEntropyFuncOptions().weight(w))));
  CHECK(F::huber_loss(x, y, kSum, 0.3).equal(F::huber_loss(x, y, F::HuberLossFuncOptions(kSum).delta(0.3))));
  CHECK(F::smooth_l1_loss(x, y, kSum, 0.3).equal(F::smooth_l1_loss(x, y, F::SmoothL1LossFuncOptions(kSum).beta(0.3))));
  CHECK(F::margin_ranking_loss(x, y, y.sign(), 0.2)
            .equal(F::margin_ranking_loss(x, y, y.sign(), F::MarginRankingLossFuncOptions().margin(0.2))));
  CHECK(F::multi_margin_loss(x, target, 2, 0.5, w)
            .equal(F::multi_margin_loss(x, target, F::MultiMarginLossFuncOptions().p(2).margin(0.5).weight(w))));
  CHECK(F::layer_norm(x, {4}, w).equal(F::layer_norm(x, F::LayerNormFuncOptions({4}).weight(w))));
  CHECK(F::normalize(x, 1, 0).equal(F::normalize(x, F::NormalizeFuncOptions().p(1).dim(0))));
  CHECK(F::leaky_relu(x, 0.2).equal(F::leaky_relu(x, F::LeakyReLUFuncOptions().negative_slope(0.2))));
  CHECK(F::elu(x, {}).equal(F::elu(x)));
  CHECK(F::gelu(x, "tanh").equal(F::gelu(x, F::GELUFuncOptions().approximate("tanh"))));
  CHECK(F::dropout(x, 0.5, /*training=*/false).equal(x));
  CHECK(F::cosine_similarity(x, y, 0).equal(F::cosine_similarity(x, y, F::CosineSimilarityFuncOptions().dim(0))));
  const Tensor q = randn({1, 2, 3, 4}), k = randn({1, 1, 5, 4});
  CHECK(F::scaled_dot_product_attention(q, k, k, std::nullopt, 0, false, 0.3, /*enable_gqa=*/true)
            .allclose(F::scaled_dot_product_attention(q, k.expand({1, 2, 5, 4}), k.expand({1, 2, 5, 4}), std::nullopt,
                                                      0, false, 0.3)));
  const Tensor table = randn({4, 2}), bags = tensor({0, 1});
  CHECK(F::embedding(target, table, 1).equal(table.index_select(0, target)));
  CHECK(F::embedding_bag(target, table, bags, std::nullopt, 2.0, false, kSum)
            .equal(F::embedding_bag(target, table, F::EmbeddingBagFuncOptions().offsets(bags).mode(kSum))));
}

TEST_CASE("sequences are padded and come back without their padding") {
  namespace rnn = nn::utils::rnn;
  const std::vector<Tensor> sequences = {randn({2, 3}), randn({4, 3}), randn({1, 3})};
  for (const bool batch_first : {false, true}) {
    const std::vector<Tensor> back =
        rnn::unpad_sequence(rnn::pad_sequence(sequences, batch_first), tensor({2, 4, 1}), batch_first);
    for (size_t i = 0; i < 3; ++i) CHECK(back[i].equal(sequences[i]));
  }
  const std::vector<Tensor> unpacked = rnn::unpack_sequence(rnn::pack_sequence(sequences, /*enforce_sorted=*/false));
  for (size_t i = 0; i < 3; ++i) CHECK(unpacked[i].equal(sequences[i]));
}

TEST_CASE("distances between all rows, and the modes of bags by libtorch's names") {
  const Tensor x = tensor({{0.0, 0.0}, {3.0, 4.0}, {0.0, 4.0}}, kDouble);
  CHECK(F::pdist(x).equal(tensor({5.0, 4.0, 3.0}, kDouble)));
  CHECK(F::pdist(x, 1).equal(tensor({7.0, 4.0, 3.0}, kDouble)));
  const nn::EmbeddingBagMode mode = kSum;
  CHECK(nn::EmbeddingBagOptions(3, 2).mode(mode).mode() == mode);
}
