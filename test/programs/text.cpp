// Reads texts of programs and compares two of them.
#include "test/programs/text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace programs {
namespace {

/// A number, a run of letters, or another mark.
struct Word {
  std::string text;
  bool is_number = false, is_integer = false;
  double value = 0;
};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

/// Whether a number starts at `at`: digits after an optional sign or point, not those at the end of a name.
bool starts_number(const std::string& line, size_t at) {
  if (at > 0 && (is_letter(line[at - 1]) || is_digit(line[at - 1]))) return false;
  for (const char mark : {'-', '.'})
    if (at < line.size() && line[at] == mark) ++at;
  return at < line.size() && is_digit(line[at]);
}

Word read_word(const std::string& line, size_t at) {
  if (starts_number(line, at)) {
    char* end = nullptr;
    const double value = std::strtod(line.c_str() + at, &end);
    const std::string text(line.c_str() + at, static_cast<const char*>(end));
    return {text, true, text.find_first_of(".eE") == text.npos, value};
  }
  size_t end = at + 1;
  if (is_letter(line[at]))
    while (end < line.size() && (is_letter(line[end]) || is_digit(line[end]))) ++end;
  return {line.substr(at, end - at)};
}

std::vector<Word> words_of(const std::string& line) {
  std::vector<Word> words;
  for (size_t i = 0; i < line.size();) {
    if (std::isspace(static_cast<unsigned char>(line[i]))) {
      ++i;
      continue;
    }
    words.push_back(read_word(line, i));
    i += words.back().text.size();
  }
  return words;
}

double largest_of(const std::vector<Word>& words) {
  double largest = 0;
  for (const Word& word : words) largest = std::max(largest, std::abs(word.value));
  return largest;
}

bool agree(const Word& a, const Word& b, double largest) {
  if (a.text == b.text) return true;
  if (!a.is_number || !b.is_number || (a.is_integer && b.is_integer)) return false;
  return std::abs(a.value - b.value) <= std::max(1e-6 * largest, 1e-7);
}

bool lines_agree(const std::string& expected, const std::string& found) {
  const auto a = words_of(expected), b = words_of(found);
  const double largest = largest_of(a);
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](const Word& x, const Word& y) { return agree(x, y, largest); });
}

}  // namespace

std::map<std::string, std::string> read_texts(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("programs: " + path + " cannot be read");
  std::map<std::string, std::string> texts;
  std::string* text = nullptr;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("== ")) {
      text = &texts[line.substr(3)];
    } else if (text) {
      *text += line + '\n';
    }
  }
  return texts;
}

std::string difference(const std::string& expected, const std::string& found) {
  std::istringstream a(expected), b(found);
  std::string wanted, got;
  for (int number = 1;; ++number) {
    const bool more = static_cast<bool>(std::getline(a, wanted)), other = static_cast<bool>(std::getline(b, got));
    if (!more && !other) return "";
    if (more && other && lines_agree(wanted, got)) continue;
    return "line " + std::to_string(number) + "\n    libtorch: " + (more ? wanted : "(the end)") +
           "\n    here:     " + (other ? got : "(the end)");
  }
}

}  // namespace programs
