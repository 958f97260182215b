// libstrata.so shows the names that its public headers declare, and nothing of its kernels or of what it is built on.
#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "test/catch.h"
#include "test/source_dir.h"

namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

/// What a command prints, line by line.
Strings lines_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), pclose);
  REQUIRE(output);
  Strings lines;
  std::array<char, 1 << 16> line;
  while (std::fgets(line.data(), line.size(), output.get())) lines.emplace_back(line.data());
  return lines;
}

/// The mangled names in the library's table of dynamic symbols.
Strings exported_symbols() {
  Strings names = lines_of("nm -D --defined-only --format=posix " STRATA_LIBRARY);
  for (auto& name : names) name.resize(name.find(' '));
  return names;
}

/// Namespaces, classes and the function or variable that a mangled name names, in order: _ZN6strata3addE is strata,
/// add.
Strings parts_of(const std::string& mangled) {
  Strings parts;
  size_t i = mangled.find("6strata");
  while (i < mangled.size() && std::isdigit(static_cast<unsigned char>(mangled[i]))) {
    size_t digits = 0;
    const size_t length = std::stoul(mangled.substr(i), &digits);
    parts.push_back(mangled.substr(i + digits, length));
    i += digits + length;
  }
  return parts;
}

/// Every identifier in the headers that are installed.
std::set<std::string> words_of_headers() {
  const fs::path root = source_dir();
  std::set<std::string> words;
  std::istringstream folders(STRATA_PUBLIC_FOLDERS);
  for (std::string folder; folders >> folder;) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".inc") continue;
      std::ifstream file(entry.path());
      std::string word;
      for (char c; file.get(c);) {
        const bool in_word = std::isalnum(static_cast<unsigned char>(c)) || c == '_';
        if (in_word) word += c;
        if (in_word || word.empty()) continue;
        words.insert(std::move(word));
        word.clear();
      }
    }
  }
  return words;
}

/// Some headers' macros declare a module and its NameImpl by the name alone.
bool is_declared(const std::string& name, const std::set<std::string>& words) {
  return words.contains(name) || name == "strata" ||
         (name.ends_with("Impl") && words.contains(name.substr(0, name.size() - 4)));
}

}  // namespace

TEST_CASE("the library shows what public headers declare") {
  const auto symbols = exported_symbols();
  const auto words = words_of_headers();
  CHECK(symbols.size() > 1000);
  CHECK(symbols.size() < 9000);
  for (const auto& symbol : symbols) {
    const auto parts = parts_of(symbol);
    INFO(symbol);
    CHECK(!parts.empty());
    for (const auto& part : parts) CHECK(is_declared(part, words));
  }
}

TEST_CASE("the library shows nothing of what it is built on") {
  for (const auto& symbol : exported_symbols()) {
    INFO(symbol);
    const size_t name = symbol.find_first_of("0123456789");
    CHECK(symbol.find("6strata") <= name);  // the outermost namespace
    CHECK(symbol.find("6strata3cpu") == symbol.npos);
  }
}

#if defined(NDEBUG) && defined(__x86_64__)
TEST_CASE("the library does not load Highway's, which takes milliseconds") {
  const Strings dynamic = lines_of("readelf -d " STRATA_LIBRARY);
  CHECK(dynamic.size() > 10);
  for (const auto& line : dynamic) {
    INFO(line);
    CHECK(line.find("libhwy") == line.npos);
  }
}
#endif
