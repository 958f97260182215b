// What the examples share: tables, plots, durations and files that are written whole or not at all.
#include <strata/core/error.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/atomic_file.h"
#include "common/plot.h"
#include "common/progress.h"
#include "common/table.h"
#include "test/catch.h"

using namespace strata::examples;
namespace fs = std::filesystem;

namespace {

std::string contents_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// A folder of its own for a test, removed at its end.
struct TemporaryFolder {
  fs::path path = fs::temp_directory_path() / ("strata_examples_" + std::to_string(::getpid()));
  TemporaryFolder() { fs::create_directories(path); }
  ~TemporaryFolder() { fs::remove_all(path); }
};

}  // namespace

TEST_CASE("tables align their columns to the right") {
  CHECK(format_table({"epoch", "loss"}, {{"1", "0.25"}, {"10", "0.125"}}) ==
        "epoch   loss\n"
        "-----  -----\n"
        "    1   0.25\n"
        "   10  0.125\n");
}

TEST_CASE("counts and durations read well") {
  CHECK(format_count(0) == "0");
  CHECK(format_count(999) == "999");
  CHECK(format_count(1234567) == "1,234,567");
  CHECK(format_count(-123456) == "-123,456");
  CHECK(format_duration(4.25) == "4.2 s");
  CHECK(format_duration(192) == "3 min 12 s");
  CHECK(format_duration(7500) == "2 h 5 min");
}

TEST_CASE("the progress bar says how far, how fast and how long") {
  const std::string status = format_status(250, 1000, 2, "images", "loss 0.5");
  CHECK(status == " 25 %  125 images/s  loss 0.5  ETA 6.0 s");
  CHECK(format_status(0, 1000, 0, "images", "") == "  0 %  0 images/s    ETA 0.0 s");
  const std::string line = format_bar("epoch 1/4", 250, 1000, status, 80);
  CHECK(line == "epoch 1/4 ▕" + std::string("██████▌") + std::string(19, ' ') + "▏ " + status);
}

TEST_CASE("the progress bar stays within the terminal") {
  const std::string status = format_status(999, 1000, 1, "images", "loss 0.5");
  for (int64_t width = 0; width < 150; ++width) {
    for (const int64_t done : {0, 1, 333, 999, 1000}) {
      const std::string line = format_bar("epoch", done, 1000, status, width);
      const auto is_start = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
      CHECK(std::count_if(line.begin(), line.end(), is_start) <= std::max<int64_t>(width - 1, 0));
    }
  }
}

TEST_CASE("plots hold their texts escaped and skip what is not finite") {
  const std::string svg =
      svg_plot("a < b & c", {{"Loss", "epoch", "nats", {1, 2, 3}, {{"train", {1, NAN, 0.5}}, {"test", {}}}}});
  CHECK(svg.find("a &lt; b &amp; c") != std::string::npos);
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf") == std::string::npos);
  for (const char* text : {"epoch", "nats", "train", "test", "</svg>"}) CHECK(svg.find(text) != std::string::npos);
}

TEST_CASE("plots of nothing, of one point and of equal points are finite") {
  for (const std::vector<double>& y : {std::vector<double>{}, {2}, {2, 2}}) {
    const std::string svg = svg_plot("title", {{"Loss", "epoch", "loss", {1, 2}, {{"train", y}}}});
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(svg.find("inf") == std::string::npos);
  }
}

TEST_CASE("files are replaced whole or not at all") {
  const TemporaryFolder folder;
  const std::string path = (folder.path / "checkpoint").string();
  write_atomically(path, "first");
  write_atomically(path, "second");
  CHECK(contents_of(path) == "second");
  const auto fail_halfway = [](const std::string& temporary) {
    std::ofstream(temporary) << "half";
    throw strata::Error("disk full");
  };
  CHECK_THROWS_AS(write_atomically(path, fail_halfway), strata::Error);
  CHECK(contents_of(path) == "second");
  CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 1);
  CHECK_THROWS_WITH(write_atomically((folder.path / "none/file").string(), "x"),
                    Catch::Matchers::ContainsSubstring("cannot write"));
}
