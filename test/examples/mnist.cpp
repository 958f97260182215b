// The demo itself, on the digits that are part of it: it learns, repeats itself bit for bit, stops and goes on.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "test/catch.h"
#include "test/examples/process.h"

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A folder of its own for each test, removed at its end, in which the demo runs.
struct Demo {
  Demo() { fs::create_directories(path / "here"); }
  ~Demo() { fs::remove_all(path); }

  Process start(const std::string& options) const {
    return {words(STRATA_MNIST " " + options), (path / "here").string()};
  }
  /// What it prints, after it ended with `status`.
  std::string run(const std::string& options, int status = 0) const {
    Process process = start(options);
    const int ended = process.wait();
    INFO(process.output());
    CHECK(ended == status);
    return process.output();
  }
  fs::path file(const char* name) const { return path / "here" / name; }
  size_t file_count() const { return static_cast<size_t>(std::distance(fs::directory_iterator(path / "here"), {})); }

  fs::path path = fs::temp_directory_path() / ("strata_demo_" + std::to_string(::getpid()));
};

/// The lines of the epochs up to their seconds.
std::vector<std::string> epoch_lines(const std::string& output) {
  std::vector<std::string> lines;
  std::istringstream text(output);
  for (std::string line; std::getline(text, line);) {
    if (line.find("  test loss ") == line.npos || line.find('/') == line.npos) continue;
    lines.push_back(line.substr(0, line.rfind("accuracy") + 15));
  }
  return lines;
}

}  // namespace

TEST_CASE("demo learns to read the digits it carries, and reports") {
  const Demo demo;
  const std::string output = demo.run("--epochs 6 --lr 0.003 --plot loss.svg");
  CHECK_THAT(output, ContainsSubstring("There is no MNIST"));
  CHECK_THAT(output, ContainsSubstring("669,706 parameters"));
  CHECK_THAT(output, ContainsSubstring("epoch  train loss  train accuracy"));
  const auto lines = epoch_lines(output);
  REQUIRE(lines.size() == 6);
  CHECK(number_after(lines[5], "train loss ") < 0.5 * number_after(lines[0], "train loss "));
  CHECK(number_after(lines[5], "accuracy ") > 0.85);
  std::ostringstream svg;
  svg << std::ifstream(demo.file("loss.svg")).rdbuf();
  CHECK_THAT(svg.str(), ContainsSubstring("</svg>"));
}

TEST_CASE("demo prints the same losses with any number of threads") {
  const Demo demo;
  for (const std::string what :
       {"--epochs 2 --plot none", "--epochs 2 --plot none --model cnn", "--epochs 1 --plot none --recipe reference"}) {
    const auto once = epoch_lines(demo.run(what + " --threads 1"));
    CHECK(once.size() >= 1);
    CHECK(once == epoch_lines(demo.run(what + " --threads 2")));
    CHECK(once == epoch_lines(demo.run(what + " --threads 2")));
    CHECK(once != epoch_lines(demo.run(what + " --seed 2")));
  }
}

TEST_CASE("demo stops on Ctrl-C with a checkpoint from which it goes on bit for bit") {
  const Demo demo;
  const std::string what = GENERATE("--epochs 30 --plot none", "--epochs 8 --plot none --model cnn --batch-size 32");
  const auto whole = epoch_lines(demo.run(what));
  Process process = demo.start(what + " --save run.ckpt");
  REQUIRE(process.read_until("epoch  2/"));
  process.interrupt();
  CHECK(process.wait() == 130);
  CHECK_THAT(process.output(), ContainsSubstring("Interrupted"));
  CHECK(demo.file_count() == 1);

  const auto before = epoch_lines(process.output());
  const auto after = epoch_lines(demo.run(what + " --resume run.ckpt"));
  CHECK(before.size() >= 2);
  CHECK(before.size() + after.size() == whole.size());
  CHECK(std::vector(whole.begin() + static_cast<std::ptrdiff_t>(before.size()), whole.end()) == after);
}

TEST_CASE("demo goes on after its last epoch") {
  const Demo demo;
  const std::string what = "--recipe reference --plot none --batch-size 500 --lr 0.05 --momentum 0.5";
  const auto whole = epoch_lines(demo.run(what + " --epochs 4"));
  demo.run(what + " --epochs 2 --save run.ckpt");
  const auto rest = epoch_lines(demo.run("--plot none --resume run.ckpt --save run.ckpt --epochs 4"));
  REQUIRE(whole.size() == 4);
  CHECK(rest == std::vector(whole.begin() + 2, whole.end()));
  const std::string done = demo.run("--plot none --resume run.ckpt --epochs 4");
  CHECK(epoch_lines(done).empty());
  CHECK_THAT(done, ContainsSubstring("Test accuracy"));
}

TEST_CASE("demo refuses what it cannot use in one line") {
  const Demo demo;
  demo.run("--epochs 1 --plot none --save run.ckpt");
  const auto refusal = [&](const std::string& options) {
    const std::string output = demo.run(options + " --plot none", 1);
    CHECK(std::count(output.begin(), output.end(), '\n') == 1);
    return output;
  };
  CHECK_THAT(refusal("--data nowhere"), ContainsSubstring("nowhere"));
  CHECK_THAT(refusal("--resume none.ckpt"), ContainsSubstring("none.ckpt"));
  CHECK_THAT(refusal("--resume run.ckpt --model cnn"), ContainsSubstring("--model: the checkpoint was made with mlp"));
  CHECK_THAT(refusal("--resume run.ckpt --lr 0.5"), ContainsSubstring("--lr"));
  CHECK_THAT(refusal("--batch-size 0"), ContainsSubstring("--batch-size"));
  CHECK_THAT(refusal("--momentum 1"), ContainsSubstring("--momentum"));
  fs::resize_file(demo.file("run.ckpt"), fs::file_size(demo.file("run.ckpt")) / 2);
  CHECK_THAT(refusal("--resume run.ckpt"), ContainsSubstring("run.ckpt"));
}

TEST_CASE("demo explains its options") {
  const Demo demo;
  const std::string help = demo.run("--help");
  for (const char* option : {"--data", "--model", "--recipe", "--epochs", "--batch-size", "--lr", "--momentum",
                             "--threads", "--seed", "--device", "--save", "--resume", "--plot"}) {
    CHECK_THAT(help, ContainsSubstring(option));
  }
  demo.run("--model transformer", 105);
}
