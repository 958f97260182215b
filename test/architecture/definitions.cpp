// No two files of a program define classes of the same name: the linker would take either for both, without a word.
#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "test/architecture/rules.h"
#include "test/catch.h"
#include "test/source_dir.h"

namespace architecture {
namespace {

using Strings = std::vector<std::string>;

/// Where the comment, literal or preprocessor line that starts at `i` ends; `i` where none starts.
size_t end_of_noise(const std::string& text, size_t i) {
  const auto after = [&](const std::string& mark, size_t from) {
    const size_t found = text.find(mark, from);
    return found == text.npos ? text.size() : found + mark.size();
  };
  if (text.compare(i, 2, "//") == 0) return after("\n", i) - 1;
  if (text.compare(i, 2, "/*") == 0) return after("*/", i + 2);
  if (text.compare(i, 2, "R\"") == 0) {
    const size_t open = text.find('(', i);
    return after(")" + text.substr(i + 2, open - i - 2) + "\"", open);
  }
  const bool separates_digits = text[i] == '\'' && i > 0 && std::isxdigit(static_cast<unsigned char>(text[i - 1]));
  if (text[i] == '"' || (text[i] == '\'' && !separates_digits)) {
    size_t j = i + 1;
    while (j < text.size() && text[j] != text[i]) j += text[j] == '\\' ? 2 : 1;
    return j + 1;
  }
  if (text[i] == '#') {
    size_t j = text.find('\n', i);
    while (j != text.npos && text[j - 1] == '\\') j = text.find('\n', j + 1);
    return std::min(j, text.size());
  }
  return i;
}

/// Identifiers and single marks of a text, without comments, literals and preprocessor lines.
Strings tokens_of(const std::string& text) {
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  Strings tokens;
  for (size_t i = 0; i < text.size();) {
    const size_t next = end_of_noise(text, i);
    if (next > i) {
      i = next;
    } else if (in_word(text[i])) {
      const size_t start = i;
      while (i < text.size() && in_word(text[i])) ++i;
      tokens.push_back(text.substr(start, i - start));
    } else {
      if (!std::isspace(static_cast<unsigned char>(text[i]))) tokens.emplace_back(1, text[i]);
      ++i;
    }
  }
  return tokens;
}

/// What a brace opens.
struct Scope {
  enum Kind { kOther, kNamespace, kClass } kind = kOther;
  std::string name;  // empty for unnamed ones and those of no class or namespace
};

/// Past the bracketed group that starts at `i`, for example [[nodiscard]], (64) or <int>.
size_t past_group(const Strings& head, size_t i) {
  int depth = 0;
  do {
    depth += head[i] == "[" || head[i] == "(" || head[i] == "<";
    depth -= head[i] == "]" || head[i] == ")" || head[i] == ">";
  } while (++i < head.size() && depth > 0);
  return i;
}

/// The class that a head defines whose keyword stands before `i`.
Scope class_at(const Strings& head, size_t i) {
  while (i < head.size() && (head[i] == "[" || head[i] == "alignas"))
    i = head[i] == "[" ? past_group(head, i) : past_group(head, i + 1);
  std::string name;
  while (i < head.size() && head[i] != "final" && (head[i] != ":" || (i + 1 < head.size() && head[i + 1] == ":"))) {
    if (head[i] == "(") return {};
    const size_t end = head[i] == "<" ? past_group(head, i) : head[i] == ":" ? i + 2 : i + 1;
    while (i < end) name += head[i++];
  }
  return {Scope::kClass, name};
}

/// What a brace opens that stands after the tokens of `head`.
Scope opened_by(const Strings& head) {
  for (size_t i = 0; i < head.size(); ++i) {
    if (head[i] == "namespace") {
      Scope scope{Scope::kNamespace, ""};
      while (++i < head.size()) scope.name += head[i];
      return scope;
    }
    if (head[i] == "<" || head[i] == "(") {
      i = past_group(head, i) - 1;
    } else if (head[i] == "enum" || head[i] == "=") {
      return {};
    } else if (head[i] == "class" || head[i] == "struct" || head[i] == "union") {
      return class_at(head, i + 1);
    }
  }
  return {};
}

/// The qualified names of the classes that a file defines where others can see them: outside functions and unnamed
/// namespaces.
Strings defined_classes(const std::string& text) {
  std::vector<Scope> scopes;
  Strings found, head;
  for (const auto& token : tokens_of(text)) {
    if (token == "{") {
      scopes.push_back(opened_by(head));
      std::string name;
      bool visible = scopes.back().kind == Scope::kClass;
      for (const auto& scope : scopes) {
        visible = visible && !scope.name.empty();
        name += (name.empty() ? "" : "::") + scope.name;
      }
      if (visible) found.push_back(name);
    } else if (token == "}" && !scopes.empty()) {
      scopes.pop_back();
    }
    if (token == "{" || token == "}" || token == ";")
      head.clear();
    else
      head.push_back(token);
  }
  return found;
}

/// The programs that link this file: "library" for all, a test's folder, or none that has several files.
std::string program_of(const std::string& path) {
  const std::string room = room_of(path);
  if (room == "examples" || room == "benchmarks" || room == "compat" || path.starts_with("test/compat/")) return "";
  return room.starts_with("test") ? room : "library";
}

/// Formulas that are to be written once: until then each stands twice, alike in name and not in kind.
const std::set<std::string> kKnown = {"strata::cpu::pointwise::HWY_NAMESPACE::Cheap",
                                      "strata::cpu::pointwise::HWY_NAMESPACE::Pow"};

}  // namespace

TEST_CASE("no two files of a program define classes of one name") {
  const std::filesystem::path root = source_dir();
  std::map<std::string, std::map<std::string, std::string>> seen;  // program, class: the file
  size_t count = 0;
  for (const auto& file : source_files(root)) {
    const std::string program = program_of(file);
    if (program.empty()) continue;
    for (const auto& name : defined_classes(read_text(root / file))) {
      ++count;
      if (kKnown.contains(name)) continue;
      const auto [at, is_new] = seen[program].emplace(name, file);
      const auto of_library = seen["library"].find(name);
      const std::string other = is_new && of_library != seen["library"].end() ? of_library->second : at->second;
      INFO(name << " is defined in " << other << " and in " << file);
      CHECK(other == file);
    }
  }
  CHECK(count > 500);
}

TEST_CASE("what counts as the definition of a class") {
  CHECK(defined_classes(
            "namespace a::b {\ntemplate <class T>\nclass X final : public Y<T> {\n struct In { int i; };\n};\n}") ==
        Strings{"a::b::X", "a::b::X::In"});
  CHECK(defined_classes("namespace a { struct X; enum class E { kA }; X f() { struct Own {}; return {}; } }").empty());
  CHECK(defined_classes("namespace { struct X {}; }\nnamespace a { namespace { struct Y {}; } }").empty());
  CHECK(defined_classes(
            "// struct X {\nconst char* s = \"struct Y {\";\n#define Z struct Z {\nstruct alignas(64) Op {};") ==
        Strings{"Op"});
  CHECK(defined_classes("template <> struct X<int> {}; template <> struct X<float> {}; const int a[] = {1'000};") ==
        Strings{"X<int>", "X<float>"});
}

}  // namespace architecture
