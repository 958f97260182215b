// Regression of one column of a table on the others. `tabular --help` says how.
#include <fmt/ranges.h>
#include <strata/strata.h>
#include <strata/train/early_stopping.h>
#include <strata/train/interrupt.h>
#include <strata/train/metrics.h>

#include <algorithm>
#include <numbers>

#include "common/program.h"

using namespace strata;
using namespace strata::examples;

namespace {

struct Options {
  int64_t epochs = 200, batch = 64, hidden = 64, patience = 20, seed = 0;
  double lr = 3e-3, dropout = 0.1, test = 0.2;
  std::string csv, target, plot = "tabular.svg";
};

/// Features `(N, D)` and what is to be told from them `(N,)`.
struct Table {
  std::vector<std::string> names;
  Tensor x, y;
};

/// Friedman's first function (1991) of five uniform numbers out of ten, with noise of deviation 1.
Table friedman(int64_t rows) {
  const Tensor x = rand({rows, 10});
  const auto c = x.unbind(1);
  const Tensor y = 10 * (std::numbers::pi * c[0] * c[1]).sin() + 20 * (c[2] - 0.5).square() + 10 * c[3] + 5 * c[4];
  Table table = {{}, x, y + randn({rows})};
  for (int i = 0; i < 10; ++i) table.names.push_back(fmt::format("x{}", i));
  return table;
}

Table read_table(const Options& o) {
  if (o.csv.empty()) return friedman(2000);
  const data::CSVTable csv = data::read_csv(o.csv);
  STRATA_CHECK(!o.target.empty(), "which column is to be predicted? give its name with --target, one of {}",
               fmt::format("{}", fmt::join(csv.columns, ", ")));
  Table table;
  for (const std::string& name : csv.columns)
    if (name != o.target) table.names.push_back(name);
  table.x = csv.numbers(table.names).to(kFloat);
  table.y = csv.numbers({o.target}).to(kFloat).squeeze(1);
  return table;
}

/// Columns to mean 0 and deviation 1, as the rows to learn from have it; an empty cell becomes its column's mean.
struct Scaler {
  explicit Scaler(const Tensor& x)
      : mean(x.nanmean(0)), deviation((x - mean).square().nanmean(0).sqrt().clamp_min(1e-6)) {}
  Tensor operator()(const Tensor& x) const { return ((x - mean) / deviation).nan_to_num(0); }
  Tensor mean, deviation;
};

double r2(const Tensor& guess, const Tensor& y) {
  train::R2 metric;
  metric.update(guess, y);
  return metric.compute();
}

/// How much worse the guesses get when one column is shuffled among the rows.
void print_importance(nn::Sequential& net, const Table& table, const Tensor& x, const Tensor& y, double whole) {
  std::vector<std::pair<double, std::string>> columns;
  for (int64_t i = 0; i < x.size(1); ++i) {
    Tensor shuffled = x.clone();
    shuffled.select(1, i).copy_(x.select(1, i).index_select(0, randperm(x.size(0))));
    columns.emplace_back(whole - r2(net->forward(shuffled).squeeze(1), y), table.names[static_cast<size_t>(i)]);
  }
  std::sort(columns.rbegin(), columns.rend());
  fmt::print("What each column adds to R2:\n");
  for (const auto& [gain, name] : columns) fmt::print("  {:12} {:7.4f}\n", name, gain);
}

void run(const Options& o) {
  manual_seed(static_cast<uint64_t>(o.seed));
  const Table table = read_table(o);
  const int64_t rows = table.x.size(0), tests = static_cast<int64_t>(o.test * static_cast<double>(rows));
  STRATA_CHECK(tests >= 1 && tests < rows, "{} rows are too few to keep {} of them to test with", rows, o.test);
  const Tensor order = randperm(rows), test_rows = order.slice(0, 0, tests), train_rows = order.slice(0, tests);
  const auto pick = [](const Tensor& all, const Tensor& places) { return all.index_select(0, places); };
  const Scaler scale(pick(table.x, train_rows)), scale_y(pick(table.y, train_rows));
  const Tensor x = scale(pick(table.x, train_rows)), y = scale_y(pick(table.y, train_rows));
  const Tensor test_x = scale(pick(table.x, test_rows)), test_y = scale_y(pick(table.y, test_rows));
  fmt::print("{} rows to learn from, {} to test with, {} columns\n", x.size(0), tests, x.size(1));

  nn::Sequential net(nn::Linear(x.size(1), o.hidden), nn::SiLU(), nn::Dropout(o.dropout),
                     nn::Linear(o.hidden, o.hidden), nn::SiLU(), nn::Dropout(o.dropout), nn::Linear(o.hidden, 1));
  optim::AdamW optimizer(net->parameters(), optim::AdamWOptions(o.lr).weight_decay(1e-2));
  const train::InterruptGuard guard;
  train::Progress progress(o.epochs, "epochs");
  train::EarlyStopping stopping(train::EarlyStoppingOptions().patience(o.patience).goal(train::Goal::kMax));
  std::vector<double> trained, tested;
  for (int64_t epoch = 1; epoch <= o.epochs && !stopping.stopped() && !train::InterruptGuard::interrupted(); ++epoch) {
    net->train();
    for (const Tensor& places : randperm(x.size(0)).split(o.batch)) {
      optimizer.zero_grad();
      nn::functional::mse_loss(net->forward(pick(x, places)).squeeze(1), pick(y, places)).backward();
      optimizer.step();
    }
    net->eval();
    const NoGradGuard no_grad;
    trained.push_back(r2(net->forward(x).squeeze(1), y));
    tested.push_back(r2(net->forward(test_x).squeeze(1), test_y));
    progress.update(epoch, "training", {{"R2", tested.back()}});
    stopping.step(tested.back());
  }
  const NoGradGuard no_grad;
  const auto epochs = static_cast<int64_t>(tested.size());
  fmt::print("R2 {:.4f} after {} epochs, the best {:.4f} after {}\n", tested.back(), epochs, stopping.best(),
             stopping.best_step() + 1);
  print_importance(net, table, test_x, test_y, tested.back());
  save_plot(o.plot, "Regression of a table",
            {train::Curves{"R2", "epoch", "R2", train::counted(1, epochs), {{"train", trained}, {"test", tested}}}});
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  Program program(
      "Predicts a column of numbers from the others. Without a table it makes one of ten columns, of which the first "
      "five "
      "matter (Friedman 1991).");
  program.option("--csv", o.csv, "a table of numbers with names in its first line; empty cells are fine");
  program.option("--target", o.target, "the column to predict", "NAME");
  program.option("--epochs", o.epochs, "passes over the table at most");
  program.option("--patience", o.patience, "epochs without a better one before it stops");
  program.option("--batch", o.batch, "rows in a step");
  program.option("--hidden", o.hidden, "features of the layers between");
  program.option("--lr", o.lr, "learning rate of AdamW");
  program.option("--dropout", o.dropout, "share of features that are dropped while learning");
  program.option("--test", o.test, "share of rows to test with");
  program.option("--seed", o.seed, "what weights, order and batches are drawn from");
  program.plot_option(o.plot);
  return program.run(argc, argv, [&] { run(o); });
}
