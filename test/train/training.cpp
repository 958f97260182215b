// Training loops: a killed run goes on to the same bits, small batches equal the big one, stopping, seeds, averages.
#include <strata/strata.h>
#include <strata/train/train.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "test/catch.h"
#include "test/error_of.h"

using namespace strata;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

struct TemporaryFolder {
  fs::path path = fs::temp_directory_path() / ("strata_train_" + std::to_string(::getpid()));
  TemporaryFolder() { fs::remove_all(path); }
  ~TemporaryFolder() { fs::remove_all(path); }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(path)) out.push_back(entry.path().filename().string());
    std::sort(out.begin(), out.end());
    return out;
  }
};

/// Shuffled examples of two classes.
auto make_loader(size_t workers) {
  const Tensor x = random::normal(random::key(7), {50, 3});
  return data::make_data_loader(
      data::datasets::TensorPairDataset(x, (x.sum(1) > 0).to(kLong)).map(data::transforms::Stack<>()),
      data::DataLoaderOptions(8).workers(workers));
}

/// A net with dropout and batch norm under Adam with a schedule, a shuffling loader, an average of its weights and a
/// metric: all that a resumed run may forget.
struct Run {
  static nn::Sequential make_net() {
    return nn::Sequential(nn::Linear(3, 16), nn::BatchNorm1d(16), nn::ReLU(), nn::Dropout(0.3), nn::Linear(16, 2));
  }
  explicit Run(uint64_t seed, size_t workers = 0)
      : seeded((train::seed_everything(seed), 0)), loader(make_loader(workers)) {
    state.add("net", net).add("optimizer", optimizer).add("schedule", schedule).add("loader", loader);
    state.add("random", default_generator()).add("step", step).add("ema", ema).add("mean", mean).add("losses", losses);
  }
  /// Trains for 3 epochs of 7 steps; `after_step` may end it by returning false.
  template <class AfterStep>
  void go(AfterStep after_step) {
    while (step < 21) {
      for (auto& batch : *loader) {
        optimizer.zero_grad();
        const Tensor loss = nn::functional::cross_entropy(net->forward(batch.data), batch.target);
        loss.backward();
        optimizer.step();
        schedule.step();
        ema.update_parameters(net);
        mean.update(loss, static_cast<double>(batch.target.size(0)));
        losses.push_back(loss.item<double>());
        ++step;
        if (!after_step()) return;
      }
    }
  }

  int seeded;  // comes first, so that the net draws from the seed
  nn::Sequential net = make_net();
  optim::Adam optimizer{net->parameters(), optim::AdamOptions(1e-2)};
  optim::CosineAnnealingLR schedule{optimizer, 21};
  optim::AveragedModel<nn::Sequential> ema{net, optim::AveragedModelOptions().avg_fn(optim::get_ema_avg_fn(0.9))};
  decltype(make_loader(0)) loader;
  train::Mean mean;
  std::vector<double> losses;
  int64_t step = 0;
  train::State state;
};

void check_same(const Run& a, const Run& b) {
  CHECK(a.losses == b.losses);  // to the bit
  CHECK(a.mean.compute() == b.mean.compute());
  const auto pa = a.net->named_parameters(), pb = b.net->named_parameters();
  for (const auto& p : pa) CHECK(equal(p.value(), pb[p.key()]));
  for (const auto& p : a.ema->named_parameters()) CHECK(equal(p.value(), b.ema->named_parameters()[p.key()]));
}

}  // namespace

TEST_CASE("a run that stops within an epoch goes on to the same bits, with any number of workers") {
  const TemporaryFolder folder;
  Run whole(1);
  whole.go([] { return true; });
  REQUIRE(whole.losses.size() == 21);
  const train::Checkpoints checkpoints(folder.path.string());
  for (const int64_t stop : {3, 7, 10}) {
    INFO("stopped after step " << stop);
    Run first(1, 2);
    first.go([&] { return first.step < stop; });
    for (const auto& old : checkpoints.list()) fs::remove(old.path);
    checkpoints.save(first.state, first.step);
    Run second(99);  // other weights and random numbers: all comes from the checkpoint
    const auto found = checkpoints.resume(second.state);
    REQUIRE(found);
    CHECK(found->step == stop);
    CHECK(second.step == stop);
    second.go([] { return true; });
    check_same(second, whole);
  }
}

TEST_CASE("a killed run goes on to the same bits: it forks") {
  const TemporaryFolder folder;
  const train::Checkpoints checkpoints(folder.path.string(), train::CheckpointsOptions().keep_last(2));
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    Run run(1);
    run.go([&] {
      if (run.step % 2 == 0) checkpoints.save(run.state, run.step);
      if (run.step == 11) ::raise(SIGKILL);
      return true;
    });
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  Run whole(1);
  whole.go([] { return true; });
  Run rest(5);
  const auto found = checkpoints.resume(rest.state);
  REQUIRE(found);
  CHECK(found->step == 10);
  rest.go([] { return true; });
  check_same(rest, whole);
}

TEST_CASE("the keeper keeps the last ones and the best ones, whatever was left behind") {
  const TemporaryFolder folder;
  const train::Checkpoints checkpoints(folder.path.string(),
                                       train::CheckpointsOptions().keep_last(2).keep_best(2).goal(train::Goal::kMax));
  double value = 0;
  train::State state;
  state.add("value", value);
  CHECK(!checkpoints.resume(state));
  CHECK(!checkpoints.best());
  const double scores[] = {0.5, 0.9, 0.1, 0.9, NAN, 0.7, 0.2, 1e-7};
  for (int64_t step = 0; step < 8; ++step) {
    value = static_cast<double>(step) + 0.25;
    checkpoints.save(state, step, scores[step]);
  }
  CHECK(folder.names() ==
        std::vector<std::string>{"step-000000001.score-0.9.safetensors", "step-000000003.score-0.9.safetensors",
                                 "step-000000006.score-0.2.safetensors", "step-000000007.score-1e-07.safetensors"});
  CHECK(checkpoints.best()->step == 1);
  state.load(checkpoints.best()->path);
  CHECK(value == 1.25);
  // What killed writers leave is swept, what is damaged is passed over, what is not ours stays.
  std::ofstream(folder.path / "step-000000009.safetensors.tmp123.0") << "half";
  std::ofstream(folder.path / "step-000000008.safetensors") << "damaged";
  std::ofstream(folder.path / "notes.txt") << "mine";
  struct Heard : WarningHandler {
    void process(const Warning& warning) override { message = warning.msg(); }
    std::string message;
  } heard;
  const auto found = [&] {
    const WarningUtils::WarningHandlerGuard guard(&heard);
    return checkpoints.resume(state);
  }();
  CHECK_THAT(heard.message, ContainsSubstring("step-000000008.safetensors"));
  REQUIRE(found);
  CHECK(found->step == 7);
  CHECK(value == 7.25);
  CHECK(!fs::exists(folder.path / "step-000000009.safetensors.tmp123.0"));
  CHECK(fs::exists(folder.path / "notes.txt"));
  // A step that is saved again replaces the one before.
  checkpoints.save(state, 7, 0.3);
  int64_t sevens = 0;
  for (const auto& each : checkpoints.list()) sevens += each.step == 7 ? 1 : 0;
  CHECK(sevens == 1);
}

TEST_CASE("a save that fails leaves the checkpoint that was there") {
  const TemporaryFolder folder;
  const train::Checkpoints checkpoints(folder.path.string());
  double value = 1;
  train::State state, broken;
  state.add("value", value);
  const std::string path = checkpoints.save(state, 5);
  Tensor undefined;
  broken.add("value", value).add("tensor", undefined);
  CHECK_THROWS_AS(checkpoints.save(broken, 5), Error);
  value = 2;
  CHECK(checkpoints.resume(state)->path == path);
  CHECK(value == 1);
  CHECK(folder.names().size() == 1);
}

TEST_CASE("a state says which part is missing or named wrongly") {
  const TemporaryFolder folder;
  fs::create_directories(folder.path);
  const std::string path = (folder.path / "state.safetensors").string();
  int64_t step = 3;
  std::vector<double> list;
  std::string text = "text";
  nn::Linear net(2, 2);
  train::State state, more;
  state.add("step", step).add("list", list).add("text", text);
  state.save(path);
  step = 0;
  text = "";
  list = {1, 2};
  state.load(path);
  CHECK(step == 3);
  CHECK(text == "text");
  CHECK(list.empty());
  more.add("net", net);
  CHECK_THAT(error_of([&] { more.load(path); }), ContainsSubstring("has no 'net'"));
  CHECK_THAT(error_of([&] { state.add("step", step); }), ContainsSubstring("'step' already"));
  CHECK_THAT(error_of([&] { state.add("a.b", step); }), ContainsSubstring("without dots"));
}

TEST_CASE("gradients of small batches are those of the big one") {
  manual_seed(0);
  const Tensor x = randn({22, 3}, kDouble), y = randint(0, 2, {22}, kLong);
  nn::Linear net(3, 2), other(3, 2);
  net->to(kDouble);
  other->to(kDouble);
  const auto loss = [&](nn::Linear& m, int64_t begin, int64_t end) {
    return nn::functional::cross_entropy(m(x.slice(0, begin, end)), y.slice(0, begin, end));
  };
  // Parts of 5, 5 and 2, then of 5 and 5 that the end of the epoch leaves over.
  train::GradientAccumulator accumulate(net->parameters(), 3);
  CHECK(!accumulate.backward(loss(net, 0, 5), 5));
  CHECK(!accumulate.completes_next());
  CHECK(!accumulate.backward(loss(net, 5, 10), 5));
  CHECK(accumulate.completes_next());
  CHECK(accumulate.backward(loss(net, 10, 12), 2));
  const Tensor expected = autograd::grad({loss(net, 0, 12)}, {net->weight})[0];
  CHECK(net->weight.grad().allclose(expected, 1e-12, 1e-14));
  net->zero_grad();
  CHECK(!accumulate.backward(loss(net, 12, 17), 5));
  CHECK(!accumulate.backward(loss(net, 17, 22), 5));
  CHECK(accumulate.pending() == 2);
  CHECK(accumulate.finish());
  CHECK(!accumulate.finish());
  CHECK(net->weight.grad().allclose(autograd::grad({loss(net, 12, 22)}, {net->weight})[0], 1e-12, 1e-14));
  CHECK_THAT(error_of([] { train::GradientAccumulator({}, 0); }), ContainsSubstring("expected 1 or more"));
}

TEST_CASE("early stopping counts values that do not improve") {
  train::EarlyStopping stopping(train::EarlyStoppingOptions().patience(2).min_delta(0.1));
  const double values[] = {1.0, 0.95, 0.8, 0.75};
  for (const double value : values) CHECK(!stopping.step(value));
  CHECK(stopping.best() == 0.8);
  CHECK(stopping.best_step() == 2);
  serialize::OutputArchive out;
  stopping.save(out);
  serialize::InputArchive in(out.tensors());
  train::EarlyStopping other(train::EarlyStoppingOptions().patience(2).min_delta(0.1));
  other.load(in);
  CHECK(other.step(0.71));
  CHECK(other.stopped());
  CHECK(!other.improved());
  train::EarlyStopping rising(train::EarlyStoppingOptions().patience(0).goal(train::Goal::kMax));
  CHECK(!rising.step(0.1));
  CHECK(!rising.step(0.2));
  CHECK(rising.improved());
  CHECK(rising.step(0.2));
  CHECK(train::EarlyStopping().step(NAN));
  CHECK(!train::EarlyStopping(train::EarlyStoppingOptions().check_finite(false)).step(NAN));
  CHECK_THAT(error_of([] { train::EarlyStopping(train::EarlyStoppingOptions().patience(-1)); }),
             ContainsSubstring("patience -1"));
}

TEST_CASE("one number seeds all that draws") {
  const auto draw = [] {
    train::seed_everything(11);
    return std::pair(randn({4}), std::rand());
  };
  const auto first = draw(), second = draw();
  CHECK(equal(first.first, second.first));
  CHECK(first.second == second.second);
}

TEST_CASE("the first Ctrl-C is a question, and the guard gives the signal back") {
  const auto before = std::signal(SIGTERM, SIG_IGN);
  {
    const train::InterruptGuard guard;
    CHECK(!train::InterruptGuard::interrupted());
    ::raise(SIGTERM);
    CHECK(train::InterruptGuard::interrupted());
  }
  ::raise(SIGTERM);  // ignored again
  std::signal(SIGTERM, before);
}
