// Reads programs and the values in them.
#include "test/differential/program.h"

#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>

namespace differential {
namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// The parts of `a,b,[c,d]` between the outer commas.
std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '[') ++depth;
    if (i < text.size() && text[i] == ']') --depth;
    if (i < text.size() && (text[i] != ',' || depth)) continue;
    if (i > begin) parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return parts;
}

std::string_view inside_brackets(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']')
    throw std::logic_error("no list: " + std::string(text));
  return text.substr(1, text.size() - 2);
}

std::vector<int64_t> parse_ints(std::string_view text) {
  std::vector<int64_t> ints;
  for (auto part : split_list(inside_brackets(text)))
    ints.push_back(std::strtoll(std::string(part).c_str(), nullptr, 10));
  return ints;
}

std::optional<int64_t> parse_bound(std::string_view text) {
  if (text.empty()) return std::nullopt;
  return std::strtoll(std::string(text).c_str(), nullptr, 10);
}

Slice parse_slice(std::string_view text) {
  const size_t first = text.find(':'), second = text.find(':', first + 1);
  const auto stop = text.substr(first + 1, second == text.npos ? text.npos : second - first - 1);
  return {parse_bound(text.substr(0, first)), parse_bound(stop),
          second == text.npos ? std::nullopt : parse_bound(text.substr(second + 1))};
}

// A number as Python prints it; a complex one ends with j: `1.5-2j`.
std::optional<Value> parse_number(std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  const int64_t integer = std::strtoll(copy.c_str(), &end, 10);
  if (!*end) return integer;
  const double real = std::strtod(copy.c_str(), &end);
  if (end == copy.c_str()) return std::nullopt;
  if (!*end) return real;
  const double imaginary = std::strtod(end, &end);
  if (end[0] == 'j' && !end[1]) return strata::Complex<double>(real, imaginary);
  return std::nullopt;
}

// Writes a number's text as an element of the dtype.
template <class Element>
void append_element(std::vector<char>& bytes, const std::string& text) {
  const auto value = text == "true" ? Value(int64_t{1}) : text == "false" ? Value(int64_t{0}) : parse_number(text);
  if (!value) throw std::logic_error("no number: " + text);
  Element element{};
  if constexpr (std::is_same_v<Element, bool>) {
    element = *value->as<int64_t>() != 0;
  } else if constexpr (std::is_integral_v<Element>) {
    element = static_cast<Element>(*value->as<int64_t>());
  } else {
    const strata::Scalar number = Argument<strata::Scalar>::get(*value);
    element = Element(number.to<std::conditional_t<strata::ComplexLike<Element>, strata::Complex<double>, double>>());
  }
  const auto* raw = reinterpret_cast<const char*>(&element);
  bytes.insert(bytes.end(), raw, raw + sizeof(Element));
}

template <class Words>
std::vector<char> parse_elements(strata::DType dtype, const Words& words) {
  std::vector<char> bytes;
  visit_elements(dtype, [&]<class Element>() {
    for (const auto& word : words) append_element<Element>(bytes, std::string(word));
  });
  return bytes;
}

// `float32 [2,3] grad [3,1] 0.5 1 …`, or `undefined`.
Expected parse_expected(const std::vector<std::string>& words) {
  Expected e;
  if (words.at(1) == "undefined") {
    e.defined = false;
    return e;
  }
  e.dtype = dtype_named(words.at(1));
  e.sizes = parse_ints(words.at(2));
  e.requires_grad = words.at(3) == "grad";
  if (words.at(4) != "?") e.strides = parse_ints(words.at(4));
  e.bytes = parse_elements(e.dtype, std::vector<std::string>(words.begin() + 5, words.end()));
  return e;
}

Statement parse_statement(const std::string& line) {
  Statement s;
  s.text = line;
  std::vector<std::string> words = words_of(line);
  size_t i = 0;
  while (words.at(i) != "=") s.outputs.push_back(words[i++]);
  ++i;
  if (words.at(i) == "@no_grad") s.no_grad = true, ++i;
  s.function = words.at(i++);
  for (; i < words.size(); ++i) {
    const size_t equals = words[i].find('=');  // parameters are named for Python's sake
    s.arguments.push_back(equals == std::string::npos ? words[i] : words[i].substr(equals + 1));
  }
  return s;
}

}  // namespace

std::optional<Program> read_program(std::istream& in) {
  std::optional<Program> program;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') {
      if (program && line.empty()) break;
    } else if (line.starts_with("program ")) {
      program.emplace();
      program->name = line.substr(8);
    } else if (line.starts_with("  : ")) {
      program->statements.back().expected.push_back(parse_expected(words_of(line)));
    } else if (line.starts_with("  ! ")) {
      program->statements.back().error = line.substr(4);
    } else if (line.starts_with("  ~ ")) {
      program->statements.back().may_throw = true;
    } else {
      program->statements.push_back(parse_statement(line));
    }
  }
  return program;
}

Value parse_value(std::string_view text, const Variables& variables) {
  if (text == "none") return std::monostate();
  if (text == "true" || text == "false") return text == "true";
  if (auto known = variables.find(std::string(text)); known != variables.end()) return known->second;
  if (text.starts_with('[')) {
    List items;
    for (auto part : split_list(inside_brackets(text))) items.push_back(parse_value(part, variables));
    return items;
  }
  if (auto number = parse_number(text)) return *number;
  if (text.starts_with('"')) return std::string(text.substr(1, text.size() - 2));
  if (text.find(':') != text.npos) return parse_slice(text);
  return std::string(text);
}

Tensor make_leaf(const std::vector<std::string>& arguments) {
  const auto dtype = dtype_named(arguments.at(0));
  const auto values = split_list(inside_brackets(arguments.at(5)));
  const Tensor memory = strata::empty({static_cast<int64_t>(values.size())}, dtype);
  const auto bytes = parse_elements(dtype, values);
  if (!bytes.empty()) std::memcpy(memory.bytes(), bytes.data(), bytes.size());
  const Tensor leaf = memory
                          .as_strided(parse_ints(arguments.at(1)), parse_ints(arguments.at(2)),
                                      std::strtoll(arguments.at(3).c_str(), nullptr, 10))
                          .detach();
  if (arguments.at(4) == "true") leaf.requires_grad_();
  return leaf;
}

}  // namespace differential
