// Checks that the code which pages and docstrings show stands, word for word, in sources that tests compile.
#include <cctype>
#include <fstream>
#include <sstream>

#include "test/architecture/root.h"
#include "test/architecture/rules.h"
#include "test/catch.h"

namespace architecture {
namespace {

using Strings = std::vector<std::string>;

/// Without white space, so that neither line breaks nor indentation count.
std::string squeezed(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (!std::isspace(static_cast<unsigned char>(c))) out += c;
  return out;
}

/// What stands between ```cpp and ```.
Strings blocks_of_page(const std::string& text) {
  Strings blocks;
  bool inside = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool fence = line.starts_with("```");
    if (!inside && line == "```cpp") blocks.emplace_back();
    if (inside && !fence) blocks.back() += line + "\n";
    inside = fence ? line == "```cpp" : inside;
  }
  return blocks;
}

/// Lines of `///` comments that are indented by four more than their text.
Strings blocks_of_header(const std::string& text) {
  const std::string mark = "///     ";
  Strings blocks;
  bool inside = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t place = line.find(mark);
    const bool code = place != line.npos && line.find_first_not_of(' ') == place;
    if (code && !inside) blocks.emplace_back();
    if (code) blocks.back() += line.substr(place + mark.size()) + "\n";
    inside = code;
  }
  return blocks;
}

void check_shown(const std::string& where, const Strings& blocks, const Strings& sources) {
  std::string compiled;
  for (const auto& source : sources) compiled += squeezed(read_text(kRoot / source)) + "\n";
  for (const auto& block : blocks) {
    INFO(where << " shows code that " << sources[0] << " does not have:\n" << block);
    CHECK(compiled.find(squeezed(block)) != compiled.npos);
  }
}

Strings headers_of(const std::string& folder) {
  Strings headers;
  for (const auto& file : source_files(kRoot))
    if (file.starts_with(folder) && file.ends_with(".h")) headers.push_back(file);
  return headers;
}

}  // namespace

TEST_CASE("the README shows a whole program, and code that tests compile") {
  const std::string readme = read_text(kRoot / "README.md");
  CHECK(readme.find("```cpp\n" + read_text(kRoot / "examples/readme.cpp") + "```") != readme.npos);
  check_shown("README.md", blocks_of_page(readme), {"test/transforms/docs.cpp", "examples/readme.cpp"});
}

TEST_CASE("the README counts the ops") {
  size_t ops = 0;
  for (const auto& file : source_files(kRoot)) {
    std::istringstream lines(file.starts_with("ops/") ? read_text(kRoot / file) : "");
    for (std::string line; std::getline(lines, line);) ops += line.starts_with("STRATA_OP(");
  }
  CHECK_THAT(read_text(kRoot / "README.md"),
             Catch::Matchers::ContainsSubstring("| " + std::to_string(ops) + " primitive ops"));
}

TEST_CASE("tutorials and the pages for those who come from elsewhere show code that is compiled") {
  Strings examples = {"test/examples/pages.cpp", "test/transforms/docs.cpp"};
  for (const auto& file : source_files(kRoot))
    if (file.starts_with("examples/")) examples.push_back(file);
  size_t pages = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kRoot / "docs/tutorials")) {
    const Strings blocks = blocks_of_page(read_text(entry.path()));
    CHECK((!blocks.empty() || entry.path().filename() == "index.md"));
    check_shown(entry.path().filename(), blocks, examples);
    ++pages;
  }
  CHECK(pages > 8);
  for (const char* page : {"docs/from_pytorch.md", "docs/from_jax.md", "docs/start.md", "docs/index.md"})
    check_shown(page, blocks_of_page(read_text(kRoot / page)), examples);
}

TEST_CASE("docs/transforms.md shows code that a test compiles") {
  const Strings blocks = blocks_of_page(read_text(kRoot / "docs/transforms.md"));
  CHECK(blocks.size() > 4);
  check_shown("docs/transforms.md", blocks, {"test/transforms/docs.cpp"});
}

TEST_CASE("docs/control_flow.md shows code that a test compiles") {
  const Strings blocks = blocks_of_page(read_text(kRoot / "docs/control_flow.md"));
  CHECK(blocks.size() > 4);
  check_shown("docs/control_flow.md", blocks, {"test/transforms/control_flow_docs.cpp"});
}

TEST_CASE("docs/compile.md and its header show code that a test compiles") {
  const Strings blocks = blocks_of_page(read_text(kRoot / "docs/compile.md"));
  CHECK(!blocks.empty());
  check_shown("docs/compile.md", blocks, {"test/compile/docs.cpp"});
  for (const char* header : {"compile/compile.h", "compile/aot.h"})
    check_shown(header, blocks_of_header(read_text(kRoot / header)), {"test/compile/docs.cpp"});
}

TEST_CASE("docs/distributed.md shows code that a test compiles") {
  const Strings blocks = blocks_of_page(read_text(kRoot / "docs/distributed.md"));
  CHECK(blocks.size() > 1);
  check_shown("docs/distributed.md", blocks, {"test/distributed/docs.cpp"});
}

TEST_CASE("docs/checkpoints.md shows code that a test compiles") {
  check_shown("docs/checkpoints.md", blocks_of_page(read_text(kRoot / "docs/checkpoints.md")),
              {"test/distributed/docs_checkpoints.cpp"});
}

TEST_CASE("docs/elastic.md and docs/failures.md show code that a test compiles") {
  const Strings blocks = blocks_of_page(read_text(kRoot / "docs/elastic.md"));
  CHECK(blocks.size() > 1);
  check_shown("docs/elastic.md", blocks, {"test/distributed/docs_elastic.cpp"});
  const Strings failures = blocks_of_page(read_text(kRoot / "docs/failures.md"));
  CHECK(!failures.empty());
  check_shown("docs/failures.md", failures, {"test/distributed/docs_elastic.cpp"});
}

TEST_CASE("docs/profiler.md shows code that a test compiles") {
  check_shown("docs/profiler.md", blocks_of_page(read_text(kRoot / "docs/profiler.md")), {"test/profiler/docs.cpp"});
}

TEST_CASE("docs/amp.md shows code that a test compiles") {
  check_shown("docs/amp.md", blocks_of_page(read_text(kRoot / "docs/amp.md")), {"test/autograd/autocast.cpp"});
}

TEST_CASE("docs/linalg.md shows code that a test compiles") {
  check_shown("docs/linalg.md", blocks_of_page(read_text(kRoot / "docs/linalg.md")), {"test/ops/factor.cpp"});
}

TEST_CASE("docs/files.md shows code that a test compiles") {
  const Strings blocks = blocks_of_page(read_text(kRoot / "docs/files.md"));
  CHECK(blocks.size() > 5);
  check_shown("docs/files.md", blocks, {"test/serialize/docs.cpp", "test/examples/hf.cpp", "test/exchange/docs.cpp"});
  check_shown("exchange/pt2.h", blocks_of_header(read_text(kRoot / "exchange/pt2.h")), {"test/exchange/docs.cpp"});
}

TEST_CASE("docstrings of transforms, nests and keys show code that a test compiles") {
  Strings headers = headers_of("transforms/");
  headers.insert(headers.end(), {"core/tree.h", "ops/keyed_random.h"});
  std::string shown;
  for (const auto& header : headers) {
    const Strings blocks = blocks_of_header(read_text(kRoot / header));
    check_shown(header, blocks, {"test/transforms/docstrings.cpp", "test/transforms/control_flow_docs.cpp"});
    for (const auto& block : blocks) shown += block;
  }
  // Every public name has an example.
  std::istringstream lines(read_text(kRoot / "transforms/func.h"));
  for (std::string line; std::getline(lines, line);) {
    const std::string start = "using func::";
    if (!line.starts_with(start)) continue;
    const std::string name = line.substr(start.size(), line.size() - start.size() - 1);
    INFO("no docstring shows a call of " << name);
    CHECK(shown.find(name) != shown.npos);
  }
}

TEST_CASE("docs/train.md and the headers of train/ show code that a test compiles") {
  const Strings blocks = blocks_of_page(read_text(kRoot / "docs/train.md"));
  CHECK(blocks.size() > 3);
  const Strings sources = {"test/train/docs.cpp", "test/train/event_files.cpp"};
  check_shown("docs/train.md", blocks, sources);
  for (const auto& header : headers_of("train/"))
    check_shown(header, blocks_of_header(read_text(kRoot / header)), sources);
}

TEST_CASE("docs/onnx.md shows code that a test compiles") {
  const Strings blocks = blocks_of_page(read_text(kRoot / "docs/onnx.md"));
  CHECK(!blocks.empty());
  check_shown("docs/onnx.md", blocks, {"test/exchange/onnx.cpp"});
}

TEST_CASE("what counts as shown code") {
  CHECK(blocks_of_page("a\n```cpp\nf();\n\ng();\n```\n```cmake\nx\n```\n") == Strings{"f();\n\ng();\n"});
  CHECK(blocks_of_header("/// Text:\n///\n///     f();\n  ///     g();\n///\nint x;  ///     no\n///     h();\n") ==
        Strings{"f();\ng();\n", "h();\n"});
}

}  // namespace architecture
