// A GPT over the characters of a text: training with AdamW, warm-up and a cosine, checkpoints that a run goes on from
// to the same bits, and sampling. `char_gpt --help` says how.
#include <fmt/format.h>
#include <strata/train/interrupt.h>
#include <strata/train/state.h>

#include <cmath>
#include <numbers>

#include "char_gpt/model.h"
#include "common/program.h"
#include "sharded_gpt/text.h"

using namespace strata;
using namespace strata::examples;
using namespace strata::train;

namespace {

struct Options : gpt::ModelOptions {
  std::string text, save, resume, plot = "char_gpt.svg";
  int64_t steps = 2000, batch = 16, warmup = 100, test = 250, seed = 0, sample = 300;
  double lr = 2e-3, weight_decay = 0.1;
};

/// The loss over pieces of a text that begin at these places.
Tensor loss_at(gpt::Model& model, const Tensor& text, const Tensor& starts, int64_t block) {
  const Tensor places = starts.unsqueeze(1) + arange(block, kLong);
  const auto at = [&](const Tensor& where) { return text.index_select(0, where.flatten()).reshape(where.sizes()); };
  return nn::functional::cross_entropy(model(at(places)).flatten(0, 1), at(places + 1).flatten());
}

/// The mean over the whole test text.
double test_loss(gpt::Model& model, const Tensor& text, int64_t block) {
  const NoGradGuard no_grad;
  const Tensor starts = arange((text.size(0) - 1) / block, kLong) * block;
  double sum = 0;
  for (const Tensor& some : starts.split(64))
    sum += loss_at(model, text, some, block).item<double>() * static_cast<double>(some.size(0));
  return sum / static_cast<double>(starts.size(0));
}

std::string written(gpt::Model& model, const gpt::Text& text, const Options& o) {
  const NoGradGuard no_grad;
  Tensor all = zeros({1, 1}, kLong);
  for (int64_t i = 0; i < o.sample; ++i) {
    const Tensor scores = model(all.slice(1, std::max<int64_t>(all.size(1) - o.block, 0)))[0][-1];
    const Tensor next = random::categorical(random::fold_in(random::key(o.seed + 1), i), scores);
    all = cat({all, next.to(kLong).reshape({1, 1})}, 1);
  }
  return gpt::spell(text, all[0].slice(0, 1));
}

void check(const Options& o) {
  const std::pair<const char*, int64_t> counts[] = {
      {"--batch", o.batch}, {"--block", o.block}, {"--heads", o.heads}, {"--width", o.width}, {"--test", o.test}};
  for (const auto& [name, count] : counts) STRATA_CHECK(count >= 1, "{} is {}, it has to be 1 or more", name, count);
  STRATA_CHECK(o.width % o.heads == 0, "--width {} is no multiple of --heads {}", o.width, o.heads);
}

void run(const Options& o) {
  check(o);
  const gpt::Text text = gpt::load_text(o.text, o.block + 1);
  manual_seed(static_cast<uint64_t>(o.seed));
  gpt::Model model(o, static_cast<int64_t>(text.characters.size()));
  optim::AdamW optimizer(model->parameters(),
                         optim::AdamWOptions(o.lr).betas({0.9, 0.99}).weight_decay(o.weight_decay));
  optim::LambdaLR schedule(optimizer, [&](unsigned step) {
    if (step < o.warmup) return (step + 1.0) / static_cast<double>(o.warmup);
    const double done =
        (step - static_cast<double>(o.warmup)) / static_cast<double>(std::max(o.steps - o.warmup, int64_t{1}));
    return 0.55 + 0.45 * std::cos(std::numbers::pi * std::min(done, 1.0));  // down to a tenth
  });
  int64_t step = 0;
  std::vector<double> steps, trained, tested;
  State state;
  state.add("model", model).add("optimizer", optimizer).add("schedule", schedule).add("step", step);
  state.add("steps", steps).add("trained", trained).add("tested", tested);
  if (!o.resume.empty()) state.load(o.resume);
  const auto save = [&] {
    if (!o.save.empty()) state.save(o.save);
  };
  const InterruptGuard guard;
  Progress progress(o.steps, ProgressOptions("steps").initial(step));
  while (step < o.steps && !InterruptGuard::interrupted()) {
    const auto key = random::fold_in(random::key(o.seed), step++);
    optimizer.zero_grad();
    const Tensor loss =
        loss_at(model, text.train, random::randint(key, {o.batch}, 0, text.train.size(0) - o.block), o.block);
    loss.backward();
    nn::utils::clip_grad_norm_(model->parameters(), 1.0);
    optimizer.step();
    schedule.step();
    progress.update(step, "training", {{"loss", loss}});
    if (step % o.test != 0 && step != o.steps) continue;
    steps.push_back(static_cast<double>(step));
    trained.push_back(loss.item<double>());
    tested.push_back(test_loss(model, text.test, o.block));
    progress.print_line(fmt::format("step {:5}  loss {:.6f}  test loss {:.6f}", step, trained.back(), tested.back()));
    save();
  }
  if (InterruptGuard::interrupted()) save();
  if (!steps.empty())
    save_plot(o.plot, "A GPT over characters",
              {Curves{"Loss", "step", "nats a character", steps, {{"train", trained}, {"test", tested}}}});
  if (o.sample > 0) fmt::print("\n{}\n", written(model, text, o));
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  Program program("Trains a GPT over the characters of a text, and writes some of its own.");
  program.option("--text", o.text, "a text file; without one tinyshakespeare, or else a sonnet");
  program.option("--save", o.save, "write a checkpoint here at each test and on Ctrl-C");
  program.option("--resume", o.resume, "go on from a checkpoint that was made with the same options");
  program.option("--steps", o.steps, "steps of the optimizer, from the first one on");
  program.option("--batch", o.batch, "pieces of text in a step");
  program.option("--block", o.block, "characters of a piece");
  program.option("--layers", o.layers, "blocks of attention and perceptron");
  program.option("--heads", o.heads, "heads of attention");
  program.option("--width", o.width, "features of a character");
  program.option("--lr", o.lr, "highest learning rate");
  program.option("--warmup", o.warmup, "steps until it is reached");
  program.option("--weight-decay", o.weight_decay, "AdamW's");
  program.option("--test", o.test, "steps between tests");
  program.option("--seed", o.seed, "what weights, batches and the sample are drawn from");
  program.plot_option(o.plot);
  program.option("--sample", o.sample, "characters to write in the end");
  return program.run(argc, argv, [&] { run(o); });
}
