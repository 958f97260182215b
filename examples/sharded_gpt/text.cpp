// Reads a text and numbers its characters.
#include "sharded_gpt/text.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <vector>

namespace gpt {
namespace {

namespace fs = std::filesystem;
using strata::Tensor;

constexpr const char* kSonnet =
    "Shall I compare thee to a summer's day?\n"
    "Thou art more lovely and more temperate:\n"
    "Rough winds do shake the darling buds of May,\n"
    "And summer's lease hath all too short a date:\n"
    "Sometime too hot the eye of heaven shines,\n"
    "And often is his gold complexion dimm'd;\n"
    "And every fair from fair sometime declines,\n"
    "By chance or nature's changing course untrimm'd;\n"
    "But thy eternal summer shall not fade\n"
    "Nor lose possession of that fair thou owest;\n"
    "Nor shall Death brag thou wander'st in his shade,\n"
    "When in eternal lines to time thou growest:\n"
    "So long as men can breathe or eyes can see,\n"
    "So long lives this and this gives life to thee.\n";

std::string found_file() {
  std::vector<fs::path> places;
  if (const char* folder = std::getenv("STRATA_DATA"); folder != nullptr && *folder != '\0')
    places.emplace_back(folder);
  places.insert(places.end(), {"data", "../shared/data"});
  for (const fs::path& place : places)
    if (fs::exists(place / "tinyshakespeare/input.txt")) return place / "tinyshakespeare/input.txt";
  return "";
}

std::string read(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  STRATA_CHECK(stream, "there is no text {}", file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

Text load_text(const std::string& file, int64_t shortest) {
  const std::string path = file.empty() ? found_file() : file;
  const std::string all = path.empty() ? kSonnet : read(path);
  const std::set<char> seen(all.begin(), all.end());
  Text text{path.empty() ? "the sonnet that is part of the program" : path, {seen.begin(), seen.end()}, {}, {}};

  std::array<int64_t, 256> number_of{};
  for (size_t i = 0; i < text.characters.size(); ++i)
    number_of[static_cast<unsigned char>(text.characters[i])] = static_cast<int64_t>(i);
  std::vector<int64_t> numbers;
  for (const char c : all) numbers.push_back(number_of[static_cast<unsigned char>(c)]);

  const auto total = static_cast<int64_t>(numbers.size());
  const int64_t test = std::max(total / 10, shortest);
  STRATA_CHECK(total > 2 * test, "{} has {} characters, too few for tests of {}", text.source, total, shortest);
  const Tensor coded = strata::tensor(numbers, strata::kLong);
  text.train = coded.narrow(0, 0, total - test);
  text.test = coded.narrow(0, total - test, test);
  return text;
}

std::string spell(const Text& text, const Tensor& numbers) {
  std::string spelled;
  for (int64_t i = 0; i < numbers.numel(); ++i)
    spelled += text.characters[static_cast<size_t>(numbers[i].item<int64_t>())];
  return spelled;
}

}  // namespace gpt
