// The server answers many clients at once, tells them what was wrong, keeps its model and ends by Ctrl-C.
#include <httplib.h>
#include <strata/strata.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "mnist/digits.h"
#include "test/catch.h"
#include "test/examples/process.h"

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;

namespace {

int port_of(Process& server) {
  REQUIRE(server.read_until("draw a digit"));
  return static_cast<int>(number_after(server.output(), "127.0.0.1:"));
}

}  // namespace

TEST_CASE("a server of digits answers, refuses and ends") {
  const fs::path folder = fs::temp_directory_path() / ("strata_serve_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const auto command = words(STRATA_EXAMPLES "/serve --port 0 --threads 3 --epochs 8 --model digits.safetensors");
  std::string first;
  {
    Process server(command, folder.string());
    const int port = port_of(server);
    CHECK_THAT(server.output(), ContainsSubstring("There is no model yet"));
    const mnist::Digits digits = mnist::embedded_digits();  // what the server finds in its empty folder
    std::atomic<int> right = 0, asked = 0;
    std::vector<std::thread> clients;
    for (int c = 0; c < 4; ++c)
      clients.emplace_back([&, c] {
        httplib::Client client("127.0.0.1", port);
        for (int64_t i = c; i < 80; i += 4) {
          const strata::Tensor image = digits.test.data[i].contiguous();
          const std::vector<float> pixels(image.const_data_ptr<float>(), image.const_data_ptr<float>() + 784);
          const auto reply = client.Post("/predict", nlohmann::json{{"pixels", pixels}}.dump(), "application/json");
          if (!reply || reply->status != 200) continue;
          ++asked;
          right += nlohmann::json::parse(reply->body)["digit"] == digits.test.targets[i].item<int64_t>();
        }
      });
    for (std::thread& client : clients) client.join();
    CHECK(asked == 80);
    CHECK(right > 64);

    httplib::Client client("127.0.0.1", port);
    CHECK_THAT(client.Get("/")->body, ContainsSubstring("<canvas"));
    CHECK_THAT(client.Get("/health")->body, ContainsSubstring("\"answered\":80"));
    const auto few = client.Post("/predict", R"({"pixels": [1, 2]})", "application/json");
    CHECK(few->status == 400);
    CHECK_THAT(few->body, ContainsSubstring("expected 784 pixels, got 2"));
    CHECK(client.Post("/predict", "no JSON", "application/json")->status == 400);
    if (strata::data::has_images()) {
      CHECK(client.Post("/predict", "no picture", "image/png")->status == 400);
      strata::data::write_png((folder / "d.png").string(), (digits.test.data[0] * 255).to(strata::kByte));
      std::ifstream file(folder / "d.png", std::ios::binary);
      const std::string bytes(std::istreambuf_iterator<char>(file), {});
      first = client.Post("/predict", bytes, "image/png")->body;
      CHECK(nlohmann::json::parse(first)["chances"].size() == 10);
    }
    server.interrupt();
    CHECK(server.wait() == 0);
    CHECK_THAT(server.output(), ContainsSubstring(" answers"));
  }
  Process again(command, folder.string());
  port_of(again);
  CHECK(again.output().find("There is no model yet") == std::string::npos);
  again.interrupt();
  CHECK(again.wait() == 0);
  fs::remove_all(folder);
}
