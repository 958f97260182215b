// A deep convolutional GAN that draws digits (Radford, Metz and Chintala 2016). `dcgan --help` says how.
#include <fmt/format.h>
#include <strata/train/interrupt.h>

#include "common/program.h"
#include "mnist/digits.h"

using namespace strata;
using namespace strata::examples;

namespace {

struct Options {
  int64_t steps = 2000, batch = 64, noise = 64, width = 32, seed = 0;
  double lr = 2e-4;
  std::string data, plot = "dcgan.svg";
};

nn::ConvTranspose2d grow(int64_t in, int64_t out, int64_t kernel, int64_t stride, int64_t padding) {
  return nn::ConvTranspose2d(nn::ConvTranspose2dOptions(in, out, kernel).stride(stride).padding(padding).bias(false));
}

nn::Conv2d shrink(int64_t in, int64_t out, int64_t kernel, int64_t stride, int64_t padding) {
  return nn::Conv2d(nn::Conv2dOptions(in, out, kernel).stride(stride).padding(padding).bias(false));
}

/// Noise `(N, noise, 1, 1)` to pictures `(N, 1, 28, 28)` from -1 to 1.
nn::Sequential make_generator(const Options& o) {
  return nn::Sequential(grow(o.noise, 4 * o.width, 7, 1, 0), nn::BatchNorm2d(4 * o.width), nn::ReLU(),
                        grow(4 * o.width, 2 * o.width, 4, 2, 1), nn::BatchNorm2d(2 * o.width), nn::ReLU(),
                        grow(2 * o.width, 1, 4, 2, 1), nn::Tanh());
}

/// Pictures `(N, 1, 28, 28)` to the logit of their being real, `(N,)`.
nn::Sequential make_critic(const Options& o) {
  const auto leaky = [] { return nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.2)); };
  return nn::Sequential(shrink(1, o.width, 4, 2, 1), leaky(),                                          //
                        shrink(o.width, 2 * o.width, 4, 2, 1), nn::BatchNorm2d(2 * o.width), leaky(),  //
                        shrink(2 * o.width, 1, 7, 1, 0), nn::Flatten(nn::FlattenOptions().start_dim(0)));
}

/// The paper's start of weights: normal numbers of deviation 0.02.
void initialize(nn::Sequential& net) {
  const NoGradGuard no_grad;
  for (auto& parameter : net->named_parameters()) {
    if (parameter.value().dim() == 4) nn::init::normal_(parameter.value(), 0, 0.02);
  }
}

/// The loss of logits that should all say `real`.
Tensor loss_of(const Tensor& logits, double real) {
  return nn::functional::binary_cross_entropy_with_logits(logits, full_like(logits, real));
}

void run(const Options& o) {
  const mnist::Digits digits = mnist::load_digits(o.data);
  const Tensor images = digits.train.data;
  fmt::print("Data    {}: {} digits\n", digits.source, train::format_count(images.size(0)));
  manual_seed(static_cast<uint64_t>(o.seed));
  nn::Sequential generator = make_generator(o), critic = make_critic(o);
  initialize(generator);
  initialize(critic);
  const auto options = optim::AdamOptions(o.lr).betas({0.5, 0.999});
  optim::Adam generator_optimizer(generator->parameters(), options), critic_optimizer(critic->parameters(), options);
  const auto noise = [&](int64_t count) { return randn({count, o.noise, 1, 1}); };
  const Tensor shown = noise(64);

  const train::InterruptGuard guard;
  train::Progress progress(o.steps, "steps");
  std::vector<double> steps, generator_losses, critic_losses;
  for (int64_t step = 1; step <= o.steps && !train::InterruptGuard::interrupted(); ++step) {
    const Tensor real = images.index_select(0, randint(images.size(0), {o.batch}, kLong)) * 2 - 1;
    const Tensor fake = generator->forward(noise(o.batch));
    critic_optimizer.zero_grad();
    const Tensor critic_loss =
        loss_of(critic->forward(real), 0.9) + loss_of(critic->forward(fake.detach()), 0);  // 0.9: one-sided smoothing
    critic_loss.backward();
    critic_optimizer.step();

    generator_optimizer.zero_grad();
    const Tensor generator_loss = loss_of(critic->forward(fake), 1);
    generator_loss.backward();
    generator_optimizer.step();

    const std::string note =
        fmt::format("generator {:.3f}  critic {:.3f}", generator_loss.item<double>(), critic_loss.item<double>());
    progress.update(step, "training",
                    {{"generator", generator_loss.item<double>()}, {"critic", critic_loss.item<double>()}});
    steps.push_back(static_cast<double>(step));
    generator_losses.push_back(generator_loss.item<double>());
    critic_losses.push_back(critic_loss.item<double>());
    if (step % std::max<int64_t>(1, o.steps / 10) == 0) progress.print_line(fmt::format("step {:5}  {}", step, note));
  }
  const NoGradGuard no_grad;
  generator->eval();
  save_plot(
      o.plot, "A GAN of digits",
      {train::Curves{"Losses", "step", "loss", steps, {{"generator", generator_losses}, {"critic", critic_losses}}},
       train::Images{"Digits it draws", generator->forward(shown) * 0.5 + 0.5, {}, 8}});
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  Program program("Two networks learn from each other: one draws digits, the other tells them from real ones.");
  program.option("--data", o.data, "folder with MNIST's files; without one the usual places are tried");
  program.option("--steps", o.steps, "steps of both optimizers");
  program.option("--batch", o.batch, "real and drawn pictures in a step, each");
  program.option("--noise", o.noise, "random numbers that a picture is made of");
  program.option("--width", o.width, "channels of the narrowest layer");
  program.option("--lr", o.lr, "learning rate of Adam");
  program.option("--seed", o.seed, "what weights, batches and noise are drawn from");
  program.plot_option(o.plot);
  return program.run(argc, argv, [&] { run(o); });
}
