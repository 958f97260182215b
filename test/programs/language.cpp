// Programs of language and of taste: translation with attention, a tagger with transitions, and recommendations.
#include <algorithm>
#include <unordered_map>

#include "test/programs/filling.h"
#include "test/programs/programs.h"

namespace programs {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;
namespace rnn_utils = torch::nn::utils::rnn;

constexpr int64_t kPad = 0, kStart = 1, kEnd = 2;

class Vocabulary {
 public:
  Vocabulary() : words_{"<pad>", "<s>", "</s>"} {
    for (size_t i = 0; i < words_.size(); ++i) ids_[words_[i]] = static_cast<int64_t>(i);
  }
  int64_t add(const std::string& word) {
    const auto [place, is_new] = ids_.try_emplace(word, static_cast<int64_t>(words_.size()));
    if (is_new) words_.push_back(word);
    return place->second;
  }
  torch::Tensor encode(const std::string& sentence) {
    std::istringstream in(sentence);
    std::vector<int64_t> found;
    for (std::string word; in >> word;) found.push_back(add(word));
    found.push_back(kEnd);
    return torch::tensor(found, torch::kLong);
  }
  const std::string& operator[](int64_t id) const { return words_.at(static_cast<size_t>(id)); }
  int64_t size() const { return static_cast<int64_t>(words_.size()); }

 private:
  std::vector<std::string> words_;
  std::unordered_map<std::string, int64_t> ids_;
};

struct EncoderImpl : nn::Module {
  EncoderImpl(int64_t words, int64_t width)
      : embedding(nn::EmbeddingOptions(words, width).padding_idx(kPad)),
        gru(nn::GRUOptions(width, width).num_layers(1).bidirectional(true).batch_first(true)),
        bridge(2 * width, width) {
    register_module("embedding", embedding);
    register_module("gru", gru);
    register_module("bridge", bridge);
  }
  std::tuple<torch::Tensor, torch::Tensor> forward(const torch::Tensor& source, const torch::Tensor& lengths) {
    const auto packed = rnn_utils::pack_padded_sequence(embedding(source), lengths.cpu(), /*batch_first=*/true,
                                                        /*enforce_sorted=*/false);
    auto [packed_output, hidden] = gru->forward_with_packed_input(packed);
    auto [output, output_lengths] =
        rnn_utils::pad_packed_sequence(packed_output, /*batch_first=*/true, 0.0, source.size(1));
    TORCH_INTERNAL_ASSERT(torch::equal(output_lengths, lengths));
    hidden = torch::tanh(bridge(torch::cat({hidden[0], hidden[1]}, -1)));
    return {output, hidden};
  }
  nn::Embedding embedding;
  nn::GRU gru;
  nn::Linear bridge;
};
TORCH_MODULE(Encoder);

struct AttentionImpl : nn::Module {
  explicit AttentionImpl(int64_t width)
      : query(register_module("query", nn::Linear(nn::LinearOptions(width, width).bias(false)))),
        key(register_module("key", nn::Linear(nn::LinearOptions(2 * width, width).bias(false)))),
        v(register_parameter("v", torch::empty({width}))) {
    nn::init::normal_(v, 0, 0.1);
  }
  std::pair<torch::Tensor, torch::Tensor> forward(torch::Tensor hidden, torch::Tensor memory, torch::Tensor mask) {
    const auto energy = torch::tanh(query(hidden).unsqueeze(1) + key(memory)).matmul(v);
    const auto weights = energy.masked_fill(~mask, -std::numeric_limits<float>::infinity()).softmax(1);
    return std::make_pair(torch::bmm(weights.unsqueeze(1), memory).squeeze(1), weights);
  }
  nn::Linear query, key;
  torch::Tensor v;
};
TORCH_MODULE(Attention);

struct DecoderImpl : nn::Module {
  DecoderImpl(int64_t words, int64_t width)
      : embedding(words, width), attention(width), cell(3 * width, width), drop(0.5), head(width, words) {
    register_module("embedding", embedding);
    register_module("attention", attention);
    register_module("cell", cell);
    register_module("drop", drop);
    register_module("head", head);
    head->weight = embedding->weight;
    head->register_parameter("tied", head->weight, false);
  }
  std::tuple<torch::Tensor, torch::Tensor, torch::Tensor> forward(torch::Tensor token, torch::Tensor hidden,
                                                                  torch::Tensor memory, torch::Tensor mask) {
    const auto [context, weights] = attention(hidden, memory, mask);
    hidden = cell(torch::cat({embedding(token), context}, 1), hidden);
    return std::make_tuple(head(drop(hidden)), hidden, weights);
  }
  nn::Embedding embedding;
  Attention attention;
  nn::GRUCell cell;
  nn::Dropout drop;
  nn::Linear head;
};
TORCH_MODULE(Decoder);

const Program translation("translation with attention over packed sequences", [](std::ostream& out) {
  Vocabulary from, to;
  const std::vector<std::pair<std::string, std::string>> pairs{
      {"the cat sits", "le chat est assis"}, {"the dog", "le chien"}, {"a dog sits here", "un chien est assis ici"}};
  std::vector<torch::Tensor> sources, targets;
  for (const auto& [source, target] : pairs) {
    sources.push_back(from.encode(source));
    targets.push_back(to.encode(target));
  }
  std::vector<int64_t> counts;
  std::transform(sources.begin(), sources.end(), std::back_inserter(counts), [](const auto& s) { return s.size(0); });
  const auto lengths = torch::tensor(counts);
  const auto source = rnn_utils::pad_sequence(sources, /*batch_first=*/true, kPad);
  const auto target = rnn_utils::pad_sequence(targets, true, static_cast<double>(kPad));
  const auto mask = source.ne(kPad);
  Encoder encoder(from.size(), 4);
  Decoder decoder(to.size(), 4);
  filled(encoder, 0.5);
  filled(decoder, 0.5);
  decoder->drop->eval();
  decoder->drop->options.p(0);
  encoder->to(torch::kFloat64);
  decoder->to(torch::kFloat64);
  std::vector<torch::Tensor> parameters = encoder->parameters();
  for (const auto& p : decoder->parameters()) parameters.push_back(p);
  torch::optim::Adagrad optimizer(parameters,
                                  torch::optim::AdagradOptions(0.1).lr_decay(0.01).initial_accumulator_value(0.1));
  out << source << '\n' << parameters.size() << '\n';
  for (int epoch = 0; epoch < 3; ++epoch) {
    optimizer.zero_grad();
    auto [memory, hidden] = encoder(source, lengths);
    auto token = torch::full({source.size(0)}, kStart, torch::kLong);
    auto loss = torch::zeros({1}, memory.options());
    for (int64_t t = 0; t < target.size(1); ++t) {
      torch::Tensor logits, weights;
      std::tie(logits, hidden, weights) = decoder->forward(token, hidden, memory, mask);
      loss = loss + F::nll_loss(F::log_softmax(logits, /*dim=*/1), target.select(1, t),
                                F::NLLLossFuncOptions().ignore_index(kPad).reduction(torch::kSum));
      token = target.index({torch::indexing::Slice(), t});
    }
    loss = loss / target.ne(kPad).sum();
    loss.backward();
    const double norm = nn::utils::clip_grad_norm_(parameters, 5.0);
    optimizer.step();
    out << "loss " << loss.item<double>() << " norm " << norm << '\n';
  }
  torch::NoGradGuard guard;
  auto [memory, hidden] = encoder->forward(source, lengths);
  auto token = torch::ones({3}, torch::kLong);
  auto alive = torch::ones({3}, torch::kBool);
  std::vector<torch::Tensor> words;
  for (int t = 0; t < 4 && alive.any().item<bool>(); ++t) {
    auto [logits, next, weights] = decoder(token, hidden, memory, mask);
    hidden = next;
    token = torch::where(alive, logits.argmax(-1), torch::full_like(token, kPad));
    alive.logical_and_(token != kEnd);
    words.push_back(token);
    if (t == 0) show(out, "weights", weights);
  }
  const auto sentences = torch::stack(words, 1);
  for (int64_t b = 0; b < sentences.size(0); ++b) {
    const auto ids = sentences[b].contiguous();
    for (const int64_t* id = ids.data_ptr<int64_t>(); id != ids.data_ptr<int64_t>() + ids.numel(); ++id)
      out << to[*id] << ' ';
    out << '\n';
  }
});

class TaggerImpl : public nn::Module {
 public:
  TaggerImpl(int64_t words, int64_t tags, int64_t width)
      : tags_(tags),
        embedding(register_module("embedding",
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

 private:
  int64_t tags_;

 public:
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
