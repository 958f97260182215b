// A variational autoencoder of handwritten digits (Kingma and Welling 2014). `vae --help` says how.
#include <fmt/format.h>
#include <strata/train/interrupt.h>
#include <strata/train/summary_writer.h>

#include <optional>

#include "common/program.h"
#include "mnist/digits.h"

using namespace strata;
using namespace strata::examples;

namespace {

struct Options {
  int64_t epochs = 10, batch = 128, latent = 16, hidden = 400, images = 60000, seed = 0;
  double lr = 1e-3;
  std::string data, plot = "vae.svg", tensorboard;
};

/// An encoder to the mean and the logarithm of the variance of a code, and a decoder to the logits of pixels.
struct VaeImpl : nn::Module {
  VaeImpl(int64_t pixels, int64_t hidden, int64_t latent)
      : encoder(register_module(
            "encoder", nn::Sequential(nn::Linear(pixels, hidden), nn::ReLU(), nn::Linear(hidden, 2 * latent)))),
        decoder(register_module("decoder",
                                nn::Sequential(nn::Linear(latent, hidden), nn::ReLU(), nn::Linear(hidden, pixels)))) {}

  std::pair<Tensor, Tensor> encode(const Tensor& images) {
    const auto halves = encoder->forward(images.flatten(1)).chunk(2, 1);
    return {halves[0], halves[1]};
  }

  nn::Sequential encoder, decoder;
};
STRATA_MODULE(Vae);

/// The mean negative bound of the evidence, in nats an image: what decoding costs, and what the code costs.
std::pair<Tensor, Tensor> costs(Vae& vae, const Tensor& images) {
  const auto [mean, log_variance] = vae->encode(images);
  const Tensor code = mean + randn_like(mean) * (0.5 * log_variance).exp();
  const Tensor decoding = nn::functional::binary_cross_entropy_with_logits(
      vae->decoder->forward(code), images.flatten(1),
      nn::functional::BinaryCrossEntropyWithLogitsFuncOptions().reduction(kSum));
  const Tensor divergence = -0.5 * (1 + log_variance - mean.square() - log_variance.exp()).sum();
  const auto count = static_cast<double>(images.size(0));
  return {decoding / count, divergence / count};
}

/// Costs of an epoch, how the encoder's weights spread, and digits that the decoder draws of these codes.
void show(train::SummaryWriter& board, Vae& vae, const Tensor& codes, double trained, double tested, int64_t epoch) {
  board.add_scalar("cost/train", trained, epoch);
  board.add_scalar("cost/test", tested, epoch);
  board.add_histogram("encoder/weight", vae->encoder->parameters()[0], epoch);
  board.add_images("made up", vae->decoder->forward(codes).sigmoid().reshape({-1, 1, 28, 28}), epoch);
}

void run(const Options& o) {
  const mnist::Digits digits = mnist::load_digits(o.data);
  const int64_t count = std::min(o.images, digits.train.data.size(0));
  fmt::print("Data    {}: {} digits\n", digits.source, train::format_count(count));
  manual_seed(static_cast<uint64_t>(o.seed));
  Vae vae(digits.train.data[0].numel(), o.hidden, o.latent);
  optim::Adam optimizer(vae->parameters(), optim::AdamOptions(o.lr));
  std::optional<train::SummaryWriter> board;
  if (!o.tensorboard.empty())
    board.emplace(o.tensorboard).add_graph(vae->encoder, digits.train.data[0].reshape({1, -1}));
  Generator own(static_cast<uint64_t>(o.seed));  // training draws the same numbers with and without a board
  const Tensor codes = randn({32, o.latent}, own);

  const train::InterruptGuard guard;
  train::Progress progress(o.epochs * count, "images");
  std::vector<double> epochs, trained, tested;
  for (int64_t epoch = 0; epoch < o.epochs && !train::InterruptGuard::interrupted(); ++epoch) {
    double sum = 0;
    int64_t seen = 0;
    for (const Tensor& places : randperm(count).split(o.batch)) {
      if (train::InterruptGuard::interrupted()) break;
      const auto [decoding, divergence] = costs(vae, digits.train.data.index_select(0, places));
      const Tensor loss = decoding + divergence;
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      sum += loss.item<double>() * static_cast<double>(places.size(0));
      seen += places.size(0);
      if (board) board->add_scalar("cost/batch", loss, progress.done());
      progress.advance(places.size(0), "training", {{"loss", sum / static_cast<double>(seen)}});
    }
    const NoGradGuard no_grad;
    const auto [decoding, divergence] = costs(vae, digits.test.data);
    epochs.push_back(static_cast<double>(epoch + 1));
    trained.push_back(sum / static_cast<double>(seen));
    tested.push_back((decoding + divergence).item<double>());
    progress.print_line(fmt::format("epoch {:3}  loss {:.2f}  test loss {:.2f} (pixels {:.2f}, code {:.2f})", epoch + 1,
                                    trained.back(), tested.back(), decoding.item<double>(), divergence.item<double>()));
    if (board) show(*board, vae, codes, trained.back(), tested.back(), epoch + 1);
  }
  const NoGradGuard no_grad;
  constexpr int64_t kRow = 16;
  const Tensor shown = digits.test.data.slice(0, 0, 2 * kRow);
  const Tensor again = vae->decoder->forward(vae->encode(shown).first).sigmoid().reshape(shown.sizes());
  const Tensor drawn = vae->decoder->forward(randn({4 * kRow, o.latent})).sigmoid().reshape({-1, 1, 28, 28});
  save_plot(o.plot, "A variational autoencoder",
            {train::Curves{"Cost of a digit", "epoch", "nats", epochs, {{"train", trained}, {"test", tested}}},
             train::Images{"Digits, decoded again below", cat({shown, again}), {}, kRow},
             train::Images{"Digits it made up", drawn, {}, kRow}});
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  Program program(
      "Learns to write digits as a few numbers and to draw digits from such numbers. The plot shows "
      "digits, what is left of them after coding and decoding, and digits that it made up.");
  program.option("--data", o.data, "folder with MNIST's files; without one the usual places are tried");
  program.option("--epochs", o.epochs, "passes over the digits");
  program.option("--batch", o.batch, "digits in a step");
  program.option("--latent", o.latent, "numbers in a code");
  program.option("--hidden", o.hidden, "features of the layer between");
  program.option("--images", o.images, "use this many digits at most");
  program.option("--lr", o.lr, "learning rate of Adam");
  program.option("--seed", o.seed, "what weights, batches and codes are drawn from");
  program.plot_option(o.plot);
  program.option("--tensorboard", o.tensorboard, "folder for what `tensorboard --logdir` shows");
  return program.run(argc, argv, [&] { run(o); });
}
