// A model behind HTTP: a pool of threads answers what digit a picture shows. `serve --help` says how.
#include <fmt/format.h>
#include <httplib.h>
#include <strata/train/interrupt.h>
#include <strata/train/metrics.h>
#include <strata/train/state.h>

#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "common/program.h"
#include "mnist/digits.h"
#include "serve/page.h"

using namespace strata;
using namespace strata::examples;

namespace {

struct Options {
  int64_t port = 8080, threads = 2, epochs = 2, seed = 0;
  std::string host = "127.0.0.1", data, model;
};

/// Pictures `(N, 1, 28, 28)` from 0 to 1 to logits `(N, 10)`.
nn::Sequential make_net() {
  return nn::Sequential(nn::Flatten(), nn::Linear(784, 256), nn::ReLU(), nn::Linear(256, 10));
}

void train_net(nn::Sequential& net, const Options& o) {
  const mnist::Digits digits = mnist::load_digits(o.data);
  fmt::print("There is no model yet, so one learns from {}\n", digits.source);
  optim::AdamW optimizer(net->parameters(), optim::AdamWOptions(2e-3));
  const int64_t count = digits.train.data.size(0);
  train::Progress progress(o.epochs * count, "images");
  for (int64_t epoch = 0; epoch < o.epochs; ++epoch)
    for (const Tensor& places : randperm(count).split(64)) {
      optimizer.zero_grad();
      const Tensor loss = nn::functional::cross_entropy(net->forward(digits.train.data.index_select(0, places)),
                                                        digits.train.targets.index_select(0, places));
      loss.backward();
      optimizer.step();
      progress.advance(places.size(0), "training", {{"loss", loss}});
    }
  const NoGradGuard no_grad;
  train::Accuracy accuracy;
  accuracy.update(net->forward(digits.test.data), digits.test.targets);
  fmt::print("Test accuracy {:.4f}\n", accuracy.compute());
}

/// The picture of a request: JSON `{"pixels": [784 numbers from 0 to 1]}`, or the bytes of a PNG or JPEG file.
Tensor picture_of(const httplib::Request& request) {
  if (request.get_header_value("Content-Type").starts_with("image/")) {
    const Tensor picture = data::decode_image(request.body, data::ImageMode::kGray).to(kFloat).unsqueeze(0) / 255;
    return nn::functional::interpolate(picture, nn::functional::InterpolateFuncOptions()
                                                    .size(std::vector<int64_t>{28, 28})
                                                    .mode(kBilinear)
                                                    .align_corners(false)
                                                    .antialias(true));
  }
  const auto pixels = nlohmann::json::parse(request.body).at("pixels").get<std::vector<float>>();
  STRATA_CHECK(pixels.size() == 784, "expected 784 pixels, got {}", pixels.size());
  return tensor(pixels).reshape({1, 1, 28, 28});
}

/// `{"digit": 7, "chances": [...]}`
std::string answer(nn::Sequential& net, const Tensor& picture) {
  const InferenceMode inference;
  const Tensor chances = net->forward(picture).softmax(1)[0];
  return nlohmann::json{{"digit", chances.argmax().item<int64_t>()}, {"chances", train::to_vector(chances)}}.dump();
}

void run(const Options& o) {
  STRATA_CHECK(o.threads >= 1, "--threads is {}, it has to be 1 or more", o.threads);
  STRATA_CHECK(o.port >= 0 && o.port < 65536, "--port is {}, it has to be from 0 to 65535", o.port);
  manual_seed(static_cast<uint64_t>(o.seed));
  nn::Sequential net = make_net();
  train::State state;
  state.add("model", net);
  if (!o.model.empty() && std::filesystem::exists(o.model)) {
    state.load(o.model);
  } else {
    train_net(net, o);
    if (!o.model.empty()) state.save(o.model);
  }
  net->eval();

  httplib::Server server;
  server.new_task_queue = [&] { return new httplib::ThreadPool(static_cast<size_t>(o.threads)); };
  std::atomic<int64_t> answered = 0;
  server.Get("/", [](const auto&, auto& response) { response.set_content(serve::kPage, "text/html"); });
  server.Get("/health", [&](const auto&, auto& response) {
    response.set_content(nlohmann::json{{"status", "ok"}, {"answered", answered.load()}}.dump(), "application/json");
  });
  server.Post("/predict", [&](const httplib::Request& request, httplib::Response& response) {
    try {
      response.set_content(answer(net, picture_of(request)), "application/json");
      ++answered;
    } catch (const std::exception& error) {  // whatever is wrong with a request is the client's to know
      response.status = 400;
      response.set_content(nlohmann::json{{"error", error.what()}}.dump(), "application/json");
    }
  });
  const int port = o.port == 0 ? server.bind_to_any_port(o.host.c_str()) : static_cast<int>(o.port);
  const bool bound = o.port == 0 ? port > 0 : server.bind_to_port(o.host.c_str(), port);
  STRATA_CHECK(bound, "cannot listen on {}:{}", o.host, o.port);

  // A thread of its own waits for Ctrl-C: the server's loop has no place to ask. stop() does nothing to a server that
  // does not run yet.
  const train::InterruptGuard guard;
  std::atomic<bool> done = false;
  std::thread watch([&] {
    while (!done) {
      if (train::InterruptGuard::interrupted() && server.is_running()) server.stop();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  });
  fmt::print("Open http://{}:{} and draw a digit; Ctrl-C ends\n", o.host, port);
  std::fflush(stdout);
  server.listen_after_bind();
  done = true;
  watch.join();
  fmt::print("{} answers\n", answered.load());
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  Program program(
      "Serves a digit classifier over HTTP: GET / is a page to draw on, POST /predict takes a picture, GET /health "
      "says "
      "that it lives.");
  program.option("--port", o.port, "port to listen on; 0 takes a free one");
  program.option("--host", o.host, "address to listen on; 0.0.0.0 for all", "ADDRESS");
  program.option("--threads", o.threads, "requests that are answered at the same time");
  program.option("--model", o.model, "file of the model; it is made where it does not exist");
  program.option("--data", o.data, "folder with MNIST's files to learn from; without one the usual places are tried");
  program.option("--epochs", o.epochs, "passes over the digits where a model has to learn");
  program.option("--seed", o.seed, "what a new model is drawn from");
  return program.run(argc, argv, [&] { run(o); });
}
