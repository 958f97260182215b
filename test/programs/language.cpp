// Programs of language and of taste: a tagger with transitions, and recommendations.
#include <algorithm>

#include "test/programs/filling.h"
#include "test/programs/programs.h"

namespace programs {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;

class TaggerImpl : public nn::Module {
 public:
  TaggerImpl(int64_t words, int64_t tags, int64_t width)
      : embedding(register_module("embedding",
                                  nn::Embedding::from_pretrained(fine_waves({words, width}),
                                                                 nn::EmbeddingFromPretrainedOptions().freeze(false)))),
        lstm(register_module("lstm", nn::LSTM(nn::LSTMOptions(width, width / 2).bidirectional(true).num_layers(1)))),
        emit(register_module("emit", nn::Linear(width, tags))),
        transitions(register_parameter("transitions", torch::zeros({tags, tags}))) {}
  torch::Tensor features(const torch::Tensor& sentence) {
    auto states = std::make_tuple(torch::zeros({2, 1, 2}, torch::kDouble), torch::zeros({2, 1, 2}, torch::kDouble));
    const auto result = lstm->forward(embedding->forward(sentence).unsqueeze(1), states);
    return emit(std::get<0>(result).view({sentence.size(0), -1}));
  }
  torch::Tensor negative_log_likelihood(const torch::Tensor& sentence, const torch::Tensor& tags) {
    const auto scores = features(sentence);
    auto alpha = scores[0];
    for (int64_t t = 1; t < scores.size(0); ++t)
      alpha = torch::logsumexp(alpha.unsqueeze(1) + transitions, 0) + scores[t];
    const auto path =
        scores.gather(1, tags.unsqueeze(1)).sum() + transitions.index({tags.slice(0, 0, -1), tags.slice(0, 1)}).sum();
    return alpha.logsumexp({0}) - path;
  }
  std::pair<double, std::vector<int64_t>> viterbi(const torch::Tensor& sentence) {
    torch::NoGradGuard guard;
    const auto scores = features(sentence);
    auto best = scores[0];
    std::vector<torch::Tensor> back;
    for (int64_t t = 1; t < scores.size(0); ++t) {
      auto [value, index] = torch::max(best.unsqueeze(-1) + transitions, /*dim=*/0);
      best = value + scores[t];
      back.push_back(std::move(index));
    }
    std::vector<int64_t> path{best.argmax().item<int64_t>()};
    for (auto step = back.rbegin(); step != back.rend(); ++step) path.push_back((*step)[path.back()].item<int64_t>());
    std::reverse(path.begin(), path.end());
    return {best.max().item<double>(), path};
  }

  nn::Embedding embedding;
  nn::LSTM lstm;
  nn::Linear emit;
  torch::Tensor transitions;
};
TORCH_MODULE(Tagger);

const Program tagging("a tagger with an LSTM and transitions of tags", [](std::ostream& out) {
  const std::vector<std::pair<std::vector<int64_t>, std::vector<int64_t>>> corpus{
      {{0, 1, 2, 3}, {0, 1, 2, 2}}, {{3, 2, 4}, {2, 2, 0}}, {{5, 1}, {0, 1}}};
  Tagger tagger(6, 3, 4);
  filled(tagger->lstm);
  filled(tagger->emit);
  tagger->to(torch::kDouble);
  std::vector<torch::Tensor> decayed, plain;
  for (const auto& item : tagger->named_parameters())
    (item.key().find("bias") == std::string::npos && item.value().dim() > 1 ? decayed : plain).push_back(item.value());
  torch::optim::SGD optimizer(
      {torch::optim::OptimizerParamGroup(
           decayed, std::make_unique<torch::optim::SGDOptions>(torch::optim::SGDOptions(0.1).weight_decay(1e-2))),
       torch::optim::OptimizerParamGroup(plain)},
      torch::optim::SGDOptions(0.1));
  for (int epoch = 1; epoch <= 4; ++epoch) {
    double total = 0;
    for (const auto& [words, tags] : corpus) {
      tagger->zero_grad();
      auto loss = tagger->negative_log_likelihood(torch::tensor(words), torch::tensor(tags));
      loss.backward();
      optimizer.step();
      total += loss.item().toDouble();
    }
    out << c10::str("epoch ", epoch, ": loss ", total) << '\n';
  }
  for (const auto& [words, tags] : corpus) {
    const auto [score, path] = tagger->viterbi(torch::tensor(words, torch::kInt64));
    out << score << " [" << c10::Join(", ", path) << "] " << (at::ArrayRef<int64_t>(path) == at::IntArrayRef(tags))
        << '\n';
  }
  show(out, "transitions", tagger->transitions);
  out << tagger << '\n';
});

struct RecommenderImpl : nn::Module {
  RecommenderImpl(int64_t users, int64_t items, int64_t genres, int64_t width)
      : users(register_module("users", nn::Embedding(users, width))),
        items(register_module("items", nn::Embedding(nn::EmbeddingOptions(items, width).max_norm(1.5)))),
        history(register_module("history", nn::EmbeddingBag(nn::EmbeddingBagOptions(items, width).mode(torch::kMean)))),
        genres(register_module("genres", nn::EmbeddingBag(nn::EmbeddingBagOptions(genres, width).mode(torch::kSum)))),
        deep(register_module("deep",
                             nn::Sequential({{"first", nn::AnyModule(nn::Linear(4 * width, 4))},
                                             {"act", nn::AnyModule(nn::PReLU(nn::PReLUOptions().num_parameters(4)))},
                                             {"last", nn::AnyModule(nn::Linear(4, 1))}}))),
        bias(register_parameter("bias", torch::zeros(1))) {}
  torch::Tensor forward(torch::Tensor user, torch::Tensor item, torch::Tensor seen, torch::Tensor seen_offsets,
                        torch::Tensor genre, torch::Tensor genre_offsets, torch::Tensor weights) {
    const auto u = users(user), i = items(item);
    const auto h = history(seen, seen_offsets), g = genres(genre, genre_offsets, weights);
    return (u * i).sum(-1) + deep->forward(torch::hstack({u, i, h, g})).squeeze(-1) + bias;
  }
  nn::Embedding users, items;
  nn::EmbeddingBag history, genres;
  nn::Sequential deep;
  torch::Tensor bias;
};
TORCH_MODULE(Recommender);

const Program recommender("recommendations from bags of embeddings", [](std::ostream& out) {
  Recommender model(4, 6, 3, 2);
  filled(model, 0.8);
  const auto user = torch::tensor({0, 1, 3}), item = torch::tensor({5, 0, 2});
  const auto seen = torch::tensor({1, 2, 3, 4, 4}), seen_offsets = torch::tensor({0, 3, 3}, torch::kLong);
  const auto genre = torch::tensor({0, 2, 1, 1}), genre_offsets = torch::tensor({0, 1, 2});
  const auto weights = torch::tensor({1.f, 0.5f, 2.f, -1.f}), rating = torch::tensor({1.f, 0.f, 1.f});
  torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(0.05).eps(1e-4).weight_decay(1e-4));
  nn::BCEWithLogitsLoss criterion(nn::BCEWithLogitsLossOptions().pos_weight(torch::tensor({2.f})));
  for (int step = 0; step < 4; ++step) {
    optimizer.zero_grad();
    const auto logits = model(user, item, seen, seen_offsets, genre, genre_offsets, weights);
    const auto loss = criterion(logits, rating);
    loss.backward();
    if (step == 0) {
      show(out, "history", model->history->weight.grad());
      show(out, "genres", model->genres->weight.grad());
    }
    optimizer.step();
    show(out, "loss", loss);
  }
  model->eval();
  torch::NoGradGuard guard;
  const auto scores = torch::mm(model->users->weight, model->items->weight.t());
  const auto seen_by = torch::zeros_like(scores, torch::kBool).index_put({user, item}, torch::tensor(true));
  const auto [values, top] = scores.masked_fill(seen_by, -1e9).topk(2, /*dim=*/1, /*largest=*/true, /*sorted=*/true);
  show(out, "top", top);
  const auto hits = (top == torch::tensor({0, 1, 2, 3}).view({-1, 1})).any(1);
  const auto gains = hits.to(torch::kFloat) / torch::log2(torch::arange(hits.size(0)) + 2.0);
  out << "hit rate " << hits.to(torch::kFloat32).mean().item<float>() << " gain " << gains.sum().item<float>() << '\n';
  const auto a = F::normalize(model->items->weight, F::NormalizeFuncOptions().p(2).dim(1));
  show(out, "alike", F::cosine_similarity(a.unsqueeze(1), a.unsqueeze(0), F::CosineSimilarityFuncOptions().dim(-1)));
  const auto max = F::embedding_bag(seen, model->history->weight,
                                    F::EmbeddingBagFuncOptions().mode(torch::kMax).offsets(seen_offsets));
  show(out, "max", max);
  out << model << '\n';
});

}  // namespace
}  // namespace programs
