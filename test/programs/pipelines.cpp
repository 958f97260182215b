// Programs that feed data of several kinds: batches of unequal lines, graphs, measurements, sound and characters.
#include <algorithm>
#include <numeric>
#include <random>

#include "test/programs/filling.h"
#include "test/programs/programs.h"

namespace programs {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;
namespace data = torch::data;

struct Utterance {
  torch::Tensor frames;
  int64_t label;
  std::string speaker;
};
struct UtteranceBatch {
  torch::Tensor frames, lengths, labels;
  std::vector<std::string> speakers;
};

class Utterances : public data::Dataset<Utterances, Utterance> {
 public:
  explicit Utterances(size_t count) {
    for (size_t i = 0; i < count; ++i) lengths_.push_back(1 + (i * 7) % 5);
  }
  Utterance get(size_t index) override {
    const auto length = static_cast<int64_t>(lengths_.at(index));
    return {waves({length, 2}, 0.1 + 0.05 * static_cast<double>(index)), static_cast<int64_t>(index % 3),
            "speaker" + std::to_string(index % 2)};
  }
  torch::optional<size_t> size() const override { return lengths_.size(); }
  const std::vector<size_t>& lengths() const { return lengths_; }

 private:
  std::vector<size_t> lengths_;
};

/// Frames scaled to a mean of zero, one utterance after another.
struct Centered : data::transforms::Transform<Utterance, Utterance> {
  Utterance apply(Utterance u) override {
    u.frames = u.frames - u.frames.mean(0, true);
    return u;
  }
};
struct PadCollate : data::transforms::BatchTransform<std::vector<Utterance>, UtteranceBatch> {
  UtteranceBatch apply_batch(std::vector<Utterance> batch) override {
    std::stable_sort(batch.begin(), batch.end(),
                     [](const Utterance& a, const Utterance& b) { return a.frames.size(0) > b.frames.size(0); });
    UtteranceBatch out;
    std::vector<torch::Tensor> frames;
    std::vector<int64_t> lengths, labels;
    for (auto& u : batch) {
      lengths.push_back(u.frames.size(0));
      labels.push_back(u.label);
      out.speakers.push_back(std::move(u.speaker));
      frames.push_back(std::move(u.frames));
    }
    out.frames = nn::utils::rnn::pad_sequence(frames, true);
    out.lengths = torch::tensor(lengths);
    out.labels = torch::tensor(labels);
    return out;
  }
};

/// Indices of alike lengths together, whose batches come in an order of a generator's.
class BucketSampler : public data::samplers::Sampler<> {
 public:
  BucketSampler(std::vector<size_t> lengths, unsigned seed) : lengths_(std::move(lengths)), rng_(seed) {
    reset(torch::nullopt);
  }
  void reset(torch::optional<size_t>) override {
    order_.resize(lengths_.size());
    std::iota(order_.begin(), order_.end(), size_t{0});
    std::stable_sort(order_.begin(), order_.end(), [this](size_t a, size_t b) { return lengths_[a] < lengths_[b]; });
    std::rotate(order_.begin(), order_.begin() + static_cast<int64_t>(rng_() % order_.size()), order_.end());
    at_ = 0;
  }
  torch::optional<std::vector<size_t>> next(size_t batch_size) override {
    if (at_ >= order_.size()) return torch::nullopt;
    const size_t end = std::min(at_ + batch_size, order_.size());
    std::vector<size_t> batch(order_.begin() + static_cast<int64_t>(at_), order_.begin() + static_cast<int64_t>(end));
    at_ = end;
    return batch;
  }
  void save(torch::serialize::OutputArchive& archive) const override {
    archive.write("at", torch::tensor(static_cast<int64_t>(at_)), /*is_buffer=*/true);
  }
  void load(torch::serialize::InputArchive& archive) override {
    auto tensor = torch::empty(1, torch::kInt64);
    archive.read("at", tensor, /*is_buffer=*/true);
    at_ = static_cast<size_t>(tensor.item<int64_t>());
  }

 private:
  std::vector<size_t> lengths_, order_;
  std::mt19937 rng_;
  size_t at_ = 0;
};

const Program collate("batches of unequal lines with a collate and a sampler of one's own", [](std::ostream& out) {
  Utterances utterances(9);
  BucketSampler sampler(utterances.lengths(), 4);
  auto dataset = utterances.map(Centered()).map(PadCollate());
  auto loader = data::make_data_loader(std::move(dataset), sampler, data::DataLoaderOptions().batch_size(4).workers(0));
  nn::GRU gru(nn::GRUOptions(2, 3).batch_first(true));
  nn::Linear head(3, 3);
  filled(gru);
  filled(head);
  torch::optim::Adam optimizer({{gru->parameters()}, {head->parameters()}}, torch::optim::AdamOptions(0.1).eps(1e-3));
  for (int epoch = 0; epoch < 2; ++epoch) {
    size_t seen = 0;
    for (auto& batch : *loader) {
      const auto packed = nn::utils::rnn::pack_padded_sequence(batch.frames, batch.lengths, true);
      const auto [output, hidden] = gru->forward_with_packed_input(packed);
      const auto loss =
          F::cross_entropy(head(hidden.squeeze(0)), batch.labels, F::CrossEntropyFuncOptions().label_smoothing(0.1));
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      seen += batch.speakers.size();
      out << batch.lengths.sum().item<int64_t>() << batch.frames.sizes() << batch.speakers.front() << ' '
          << loss.item<float>() << '\n';
    }
    out << seen << '\n';
  }
  sampler.next(3);
  std::stringstream stream;
  torch::serialize::OutputArchive written;
  sampler.save(written);
  written.save_to(stream);
  torch::serialize::InputArchive read;
  read.load_from(stream);
  BucketSampler again(utterances.lengths(), 4);
  again.load(read);
  out << *again.next(2) << again.next(100)->size() << again.next(1).has_value() << '\n';
  auto parallel = data::make_data_loader<data::samplers::SequentialSampler>(
      Utterances(7).map(PadCollate()),
      data::DataLoaderOptions(3).workers(2).enforce_ordering(true).drop_last(true).max_jobs(4));
  int64_t labels = 0;
  for (auto it = parallel->begin(); it != parallel->end(); ++it)
    labels = labels * 10 + it->labels.sum().item<int64_t>();
  out << labels << ' ' << parallel->options().batch_size << parallel->options().workers << '\n';
});

struct GraphConvImpl : nn::Module {
  GraphConvImpl(int64_t in, int64_t out) : linear(register_module("linear", nn::Linear(in, out))) {}
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& edges) {
    const auto from = edges[0], to = edges[1];
    const auto degree =
        torch::zeros({x.size(0)}, x.options()).scatter_add_(0, to, torch::ones({to.size(0)}, x.options()));
    const auto root = degree.clamp(1).rsqrt();
    const auto messages = linear(x).index_select(0, from) * (root.index({from}) * root.index({to})).unsqueeze(-1);
    return torch::zeros({x.size(0), messages.size(1)}, x.options()).index_add(0, to, messages);
  }
  nn::Linear linear;
};
TORCH_MODULE(GraphConv);
struct GraphAttentionImpl : nn::Module {
  explicit GraphAttentionImpl(int64_t width)
      : scores(register_parameter("scores", torch::ones({2 * width}, torch::kDouble))) {}
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& edges) {
    const auto pairs = torch::cat({x.index({edges[0]}), x.index({edges[1]})}, -1);
    const auto energy = torch::leaky_relu(pairs.matmul(scores), 0.2);
    const auto most = torch::full({x.size(0)}, -1e30, x.options()).scatter_reduce(0, edges[1], energy.detach(), "amax");
    const auto raised = (energy - most.gather(0, edges[1])).exp();
    const auto total = torch::zeros({x.size(0)}, x.options()).index_put_({edges[1]}, raised, /*accumulate=*/true);
    return torch::zeros_like(x).index_add_(0, edges[1],
                                           x.index({edges[0]}) * (raised / total.index({edges[1]})).unsqueeze(1));
  }
  torch::Tensor scores;
};
TORCH_MODULE(GraphAttention);

const Program graph("a network on a graph", [](std::ostream& out) {
  const int64_t nodes = 6;
  auto edges = torch::tensor({{0, 1, 2, 3, 4, 5, 0}, {1, 2, 0, 4, 5, 3, 3}}, torch::kLong);
  edges = torch::cat({edges, edges.flip(0), torch::arange(nodes).expand({2, -1})}, 1);
  const auto [sorted, inverse, counts] = torch::unique_dim(edges, /*dim=*/1, true, true, true);
  out << sorted.sizes() << counts.max().item<int64_t>() << inverse.numel() << '\n';
  GraphConv first(4, 4), second(4, 2);
  GraphAttention attention(4);
  for (auto m : {first.ptr(), second.ptr()}) filled(m)->to(torch::kFloat64);
  auto parameters = first->parameters();
  for (const auto& m : std::vector<std::shared_ptr<nn::Module>>{second.ptr(), attention.ptr()})
    for (const auto& p : m->parameters()) parameters.push_back(p);
  torch::optim::AdamW optimizer(parameters, torch::optim::AdamWOptions(0.02));
  const auto x = fine_waves({nodes, 4}), labels = torch::tensor({0, 0, 0, 1, 1, 1});
  const auto train = torch::tensor({true, false, true, true, false, true});
  for (int epoch = 0; epoch < 4; ++epoch) {
    optimizer.zero_grad();
    const auto h = attention(torch::tanh(first(x, sorted)), sorted);
    const auto scores = torch::log_softmax(second(h, sorted), 1);
    const auto loss = torch::nll_loss(scores.index({train}), labels.masked_select(train));
    loss.backward();
    optimizer.step();
    const auto right = scores.argmax(1).eq(labels).masked_select(torch::logical_not(train));
    out << "loss " << loss.item<double>() << " right " << right.sum().item<int>() << '/' << right.numel() << '\n';
  }
  auto dense = torch::zeros({nodes, nodes}, torch::kDouble)
                   .index_put({sorted[1], sorted[0]}, torch::ones({sorted.size(1)}, torch::kDouble));
  const auto laplace = torch::diag(dense.sum(1)) - dense;
  const auto [values, vectors] = torch::linalg_eigh(laplace, "L");
  show(out, "values", values.add(1));
  show(out, "side", vectors.select(1, 1).sign() * vectors[0][1].sign());
  show(out, "reach", torch::linalg_matrix_power(dense.gt(0).to(torch::kFloat64), 3).triu().sum(1));
});

const Program filter("a filter of measurements and a regression on a kernel", [](std::ostream& out) {
  const auto options = torch::TensorOptions(torch::kFloat64);
  const auto motion = torch::tensor({{1.0, 0.1}, {0.0, 1.0}}, options), seen = torch::tensor({{1.0, 0.0}}, options);
  const auto drift = torch::diag(torch::tensor({1e-3, 1e-2}, options)), error = torch::eye(1, options) * 0.05;
  auto mean = torch::zeros({2, 1}, options), cov = torch::eye(2, options);
  auto likelihood = torch::zeros({}, options);
  for (int t = 0; t < 6; ++t) {
    mean = motion.mm(mean);
    cov = torch::addmm(drift, motion.mm(cov), motion.t());
    const auto z = torch::full({1, 1}, std::sin(0.3 * t), options), residual = z - seen.mm(mean);
    const auto spread = torch::linalg_multi_dot({seen, cov, seen.t()}) + error;
    const auto gain = torch::linalg_solve(spread, seen.mm(cov)).transpose(0, 1);
    mean += gain.mm(residual);
    cov = (torch::eye(2, options) - gain.matmul(seen)).mm(cov);
    likelihood -= 0.5 * (residual.t().mm(spread.inverse()).mm(residual).squeeze() + torch::logdet(2 * M_PI * spread));
  }
  show(out, "mean", mean.flatten());
  show(out, "cov", cov);
  show(out, "likelihood", likelihood);

  const auto x = torch::linspace(0, 3, 7, options).unsqueeze(1), y = x.sin() + 0.1 * x;
  auto log_scale = torch::zeros({1}, options.requires_grad(true)),
       log_noise = torch::full({1}, -3.0, options.requires_grad(true));
  const auto kernel = [&](const torch::Tensor& a, const torch::Tensor& b) {
    return torch::exp(-0.5 * torch::cdist(a, b).pow(2) / torch::exp(2 * log_scale));
  };
  torch::optim::Adam optimizer({log_scale, log_noise}, 0.1);
  torch::Tensor alpha, factor;
  for (int step = 0; step < 5; ++step) {
    optimizer.zero_grad();
    const auto gram = kernel(x, x) + torch::exp(log_noise) * torch::eye(7, options);
    factor = torch::linalg_cholesky(gram);
    alpha = torch::cholesky_solve(y, factor);
    const auto loss = 0.5 * y.t().mm(alpha).squeeze() + factor.diagonal().log().sum();
    loss.backward();
    optimizer.step();
    show(out, "loss", loss);
  }
  torch::NoGradGuard guard;
  const auto at = torch::tensor({{0.5}, {4.0}}, options), cross = kernel(at, x);
  const auto half = torch::linalg_solve_triangular(factor, cross.mT(), /*upper=*/false);
  show(out, "predicted", cross.mm(alpha).view(-1));
  show(out, "variance", 1 - half.square().sum(0));
  const auto [q, r] = torch::linalg_qr(torch::cat({torch::ones_like(x), x, x.pow(2)}, 1));
  show(out, "coefficients", torch::linalg_solve_triangular(r, q.mT().mm(y), true).squeeze(-1));
  const auto [u, s, vh] = torch::linalg_svd(x.mm(y.t()) + torch::diag(x.squeeze()), /*full_matrices=*/false);
  show(out, "singular", s);
  out << torch::allclose(u.mm(torch::diag(s)).mm(vh), x.mm(y.t()) + torch::diag(x.squeeze())) << '\n';
});

const Program sound("features of sound", [](std::ostream& out) {
  const auto options = torch::dtype(torch::kFloat64);
  const int64_t rate = 800, n = 64, hop = 16, mels = 6;
  const auto t = torch::arange(400, options) / static_cast<double>(rate);
  const auto signal = torch::sin(2 * M_PI * 60 * t) + 0.3 * torch::cos(2 * M_PI * 150 * t + 0.4);
  const auto emphasized = torch::cat({signal.slice(0, 0, 1), signal.slice(0, 1) - 0.97 * signal.slice(0, 0, -1)});
  const auto window = torch::hann_window(n, /*periodic=*/true, options);
  const auto spectrum =
      torch::stft(emphasized, n, hop, n, window, /*normalized=*/false, /*onesided=*/true, /*return_complex=*/true);
  const auto power = torch::view_as_real(spectrum).pow(2).sum(-1);
  out << spectrum.sizes() << spectrum.dtype() << torch::is_complex(spectrum) << '\n';
  show(out, "loudest", power.argmax(0));
  const auto to_mel = [](const torch::Tensor& hz) { return 2595.0 * torch::log10(1.0 + hz / 700.0); };
  const auto points =
      700.0 *
      (torch::pow(10.0,
                  torch::linspace(0.0, to_mel(torch::tensor(rate / 2.0)).item<double>(), mels + 2, options) / 2595.0) -
       1.0);
  const auto bins = torch::fft::rfftfreq(n, 1.0 / rate, options).unsqueeze(1);
  const auto rise = (bins - points.slice(0, 0, mels)) / (points.slice(0, 1, mels + 1) - points.slice(0, 0, mels));
  const auto fall = (points.slice(0, 2) - bins) / (points.slice(0, 2) - points.slice(0, 1, mels + 1));
  const auto bank = torch::minimum(rise, fall).clamp_min(0);
  const auto logs = torch::matmul(power.t(), bank).clamp(1e-10).log10_().mul_(10);
  const auto k = torch::arange(mels, options);
  const auto dct = torch::cos(M_PI / mels * (k + 0.5).unsqueeze(1) * k) * std::sqrt(2.0 / mels);
  const auto mfcc = logs.mm(dct);
  show(out, "mfcc", mfcc.mean(0));
  show(out, "deltas",
       F::conv1d(mfcc.t().unsqueeze(1), torch::tensor({-1.0, 0.0, 1.0}, options).view({1, 1, 3})).std(-1).flatten());
  const auto back = torch::istft(spectrum, n, hop, n, window, true, false, c10::nullopt, 400);
  out << torch::allclose(back, emphasized, 1e-6, 1e-8) << '\n';
  const auto convolved =
      torch::fft::irfft(torch::fft::rfft(signal, 512) * torch::fft::rfft(window, 512), 512).slice(0, 0, 400);
  const auto direct =
      torch::conv1d(F::pad(signal.view({1, 1, -1}), F::PadFuncOptions({n - 1, 0})), window.flip({0}).view({1, 1, -1}));
  out << torch::allclose(convolved, direct.flatten(), 1e-6, 1e-9) << '\n';
  show(out, "peaks",
       std::get<0>(F::max_pool1d_with_indices(signal.abs().view({1, 1, -1}), F::MaxPool1dFuncOptions(100).stride(100)))
           .flatten());
});

struct Cache {
  torch::Tensor keys, values;
};
struct BlockImpl : nn::Module {
  BlockImpl(int64_t width, int64_t heads)
      : heads(heads),
        norm1(register_module("norm1", nn::LayerNorm(nn::LayerNormOptions({width})))),
        norm2(register_module("norm2", nn::LayerNorm(nn::LayerNormOptions({width}).elementwise_affine(true)))),
        qkv(register_module("qkv", nn::Linear(width, 3 * width))),
        project(register_module("project", nn::Linear(width, width))),
        mlp(register_module("mlp",
                            nn::Sequential(nn::Linear(width, 2 * width), nn::GELU(), nn::Linear(2 * width, width)))) {}
  torch::Tensor forward(torch::Tensor x, Cache* cache = nullptr) {
    const auto b = x.size(0), t = x.size(1), c = x.size(2);
    auto parts = qkv(norm1(x)).view({b, t, 3, heads, c / heads}).permute({2, 0, 3, 1, 4}).unbind(0);
    if (cache) {
      if (cache->keys.defined()) {
        parts[1] = torch::cat({cache->keys, parts[1]}, 2);
        parts[2] = torch::cat({cache->values, parts[2]}, 2);
      }
      cache->keys = parts[1];
      cache->values = parts[2];
    }
    const auto all = parts[1].size(2);
    auto scores = parts[0].matmul(parts[1].transpose(-2, -1)) * (1.0 / std::sqrt(static_cast<double>(c / heads)));
    const auto mask = torch::ones({all, all}, torch::TensorOptions().dtype(torch::kBool)).tril().slice(0, all - t, all);
    scores = scores.masked_fill(mask.logical_not().unsqueeze(0).unsqueeze(0), -INFINITY);
    const auto y = torch::softmax(scores, -1, torch::kFloat64).matmul(parts[2]).transpose(1, 2).reshape({b, t, c});
    x = x + project(y);
    return x + mlp->forward(norm2(x));
  }
  int64_t heads;
  nn::LayerNorm norm1, norm2;
  nn::Linear qkv, project;
  nn::Sequential mlp;
};
TORCH_MODULE(Block);
struct CharModelImpl : nn::Module {
  CharModelImpl(int64_t words, int64_t length, int64_t width)
      : tokens(words, width), places(length, width), head(nn::LinearOptions(width, words).bias(false)) {
    register_module("tokens", tokens);
    register_module("places", places);
    for (int i = 0; i < 2; ++i) blocks.push_back(register_module("block" + std::to_string(i), Block(width, 2)));
    register_module("head", head);
    apply([](nn::Module& m) {
      if (auto* linear = m.as<nn::Linear>()) nn::init::xavier_normal_(linear->weight);
    });
  }
  torch::Tensor forward(torch::Tensor ids, std::vector<Cache>* caches = nullptr, int64_t start = 0) {
    auto x = tokens(ids) + places(torch::arange(start, start + ids.size(1), ids.options()));
    for (size_t i = 0; i < blocks.size(); ++i) x = blocks[i](x, caches ? &caches->at(i) : nullptr);
    return head(x);
  }
  nn::Embedding tokens, places;
  nn::Linear head;
  std::vector<Block> blocks;
};
TORCH_MODULE(CharModel);

const Program characters("characters from a transformer with a cache", [](std::ostream& out) {
  const std::string text = "hello world, hello there";
  std::set<char> letters(text.begin(), text.end());
  const std::string table(letters.begin(), letters.end());
  std::vector<int64_t> ids;
  for (const char c : text) ids.push_back(static_cast<int64_t>(table.find(c)));
  const auto all = torch::from_blob(ids.data(), {static_cast<int64_t>(ids.size())}, torch::kInt64).clone();
  CharModel model(static_cast<int64_t>(table.size()), 16, 8);
  filled(model, 0.4)->to(torch::kFloat64);
  std::vector<torch::Tensor> decay, no_decay;
  for (const auto& p : model->named_parameters()) (p->dim() >= 2 ? decay : no_decay).push_back(*p);
  std::vector<torch::optim::OptimizerParamGroup> groups;
  groups.push_back(torch::optim::OptimizerParamGroup(
      decay, std::make_unique<torch::optim::AdamWOptions>(torch::optim::AdamWOptions(0.02).weight_decay(0.1))));
  groups.push_back(torch::optim::OptimizerParamGroup(
      no_decay, std::make_unique<torch::optim::AdamWOptions>(torch::optim::AdamWOptions(0.02).weight_decay(0))));
  torch::optim::AdamW optimizer(std::move(groups));
  const auto windows = all.unfold(0, 9, 5);
  for (int step = 0; step < 5; ++step) {
    optimizer.zero_grad();
    torch::Tensor loss;
    for (const auto& part : windows.split(2)) {
      const auto logits = model(part.narrow(1, 0, 8));
      const auto piece = F::cross_entropy(logits.flatten(0, 1), part.narrow(1, 1, 8).reshape(-1));
      piece.div(2).backward();
      loss = loss.defined() ? loss + piece.detach() : piece.detach();
    }
    out << "norm " << nn::utils::clip_grad_norm_(model->parameters(), 1.0) << " loss " << loss.item<double>() << '\n';
    optimizer.step();
  }
  torch::NoGradGuard guard;
  model->eval();
  auto prompt = all.slice(0, 0, 4).unsqueeze(0);
  std::vector<Cache> caches(2);
  auto next = model(prompt, &caches, 0).index({0, -1});
  const auto whole = model(all.slice(0, 0, 6).unsqueeze(0));
  auto step = model(all.slice(0, 4, 6).unsqueeze(0), &caches, 4);
  out << torch::allclose(whole.slice(1, 4), step, 1e-9, 1e-12) << caches[1].keys.sizes() << '\n';
  std::string written;
  auto sequence = prompt.clone();
  for (int i = 0; i < 6; ++i) {
    const auto logits = model(sequence).select(1, -1) / 0.8;
    const auto [values, places] = logits.topk(3);
    const auto allowed = logits < values.index({torch::indexing::Slice(), torch::indexing::Slice(-1)});
    const auto token = torch::softmax(logits.masked_fill(allowed, -INFINITY), -1).argmax(-1, true);
    sequence = torch::cat({sequence, token}, 1);
    written += table[static_cast<size_t>(token.item<int64_t>())];
  }
  out << written << ' '
      << static_cast<double>(torch::exp(F::cross_entropy(whole[0].slice(0, 0, 5), all.slice(0, 1, 6))).item<float>())
      << '\n';
});

}  // namespace
}  // namespace programs
