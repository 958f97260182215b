// Words by PCRE2 (whose \p classes are Unicode's), and merges in the order in which they were learned.
#include "hf/bpe.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <strata/core/error.h>

#include <array>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

namespace hf {
namespace {

/// A code point below 2^11 as UTF-8.
std::string utf8(int code) {
  if (code < 0x80) return {static_cast<char>(code)};
  return {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
}

/// How the vocabulary writes each byte: those that print as themselves, the others as the letters from U+0100 on.
std::array<std::string, 256> letters() {
  std::array<std::string, 256> out;
  int next = 0x100;
  for (int byte = 0; byte < 256; ++byte) {
    const bool prints = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
    out[static_cast<size_t>(byte)] = utf8(prints ? byte : next++);
  }
  return out;
}

const std::array<std::string, 256> kLetters = letters();

/// The length of the UTF-8 character that begins with this byte.
size_t length_of(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

std::vector<std::string> characters(const std::string& text) {
  std::vector<std::string> out;
  for (size_t at = 0; at < text.size(); at += out.back().size()) out.push_back(text.substr(at, length_of(text[at])));
  return out;
}

/// The bytes that a piece of the vocabulary stands for; a character that stands for none, as special tokens may have,
/// stays.
std::string bytes_of(const std::string& piece) {
  static const auto bytes = [] {
    std::unordered_map<std::string, char> out;
    for (size_t byte = 0; byte < kLetters.size(); ++byte) out[kLetters[byte]] = static_cast<char>(byte);
    return out;
  }();
  std::string out;
  for (const std::string& character : characters(piece)) {
    const auto found = bytes.find(character);
    found == bytes.end() ? out += character : out += found->second;
  }
  return out;
}

std::ifstream opened(const std::string& path) {
  std::ifstream file(path);
  STRATA_CHECK(file.good(), "there is no {}: a tokenizer is made of vocab.json and merges.txt", path);
  return file;
}

}  // namespace

/// Cuts text into words as GPT-2 does before it merges.
class BytePairs::Splitter {
 public:
  Splitter() {
    constexpr std::string_view kWords = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
    int error = 0;
    size_t place = 0;
    code_ = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(kWords.data()), kWords.size(), PCRE2_UTF | PCRE2_UCP, &error,
                          &place, nullptr);
    STRATA_CHECK(code_ != nullptr, "PCRE2 does not compile GPT-2's words: error {} at {}", error, place);
  }
  ~Splitter() { pcre2_code_free(code_); }
  Splitter(const Splitter&) = delete;
  Splitter& operator=(const Splitter&) = delete;

  /// Calls `visit(word)` for each word.
  template <class Visit>
  void split(std::string_view text, Visit visit) const {
    const std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> match(
        pcre2_match_data_create_from_pattern(code_, nullptr), pcre2_match_data_free);
    for (size_t at = 0; at < text.size();) {
      const int found =
          pcre2_match(code_, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), at, 0, match.get(), nullptr);
      STRATA_CHECK(found > 0, "the text is no UTF-8 at byte {} or behind it", at);
      const size_t* range = pcre2_get_ovector_pointer(match.get());
      visit(text.substr(range[0], range[1] - range[0]));
      at = range[1];
    }
  }

 private:
  pcre2_code* code_;
};

BytePairs::BytePairs(const std::string& folder) : splitter_(std::make_unique<Splitter>()) {
  const std::string path = folder + "/vocab.json";
  const auto vocabulary = nlohmann::json::parse(opened(path), nullptr, /*allow_exceptions=*/false);
  STRATA_CHECK(vocabulary.is_object(), "{} is no JSON object", path);
  pieces_.resize(vocabulary.size());
  for (const auto& [piece, number] : vocabulary.items()) {
    const bool fits = number.is_number_unsigned() && number.get<size_t>() < pieces_.size();
    STRATA_CHECK(fits, "{}: the number of '{}' is not below {}", path, piece, pieces_.size());
    numbers_[piece] = number.get<int64_t>();
    pieces_[number.get<size_t>()] = bytes_of(piece);
  }
  std::ifstream merges = opened(folder + "/merges.txt");
  for (std::string line; std::getline(merges, line);)
    if (!line.empty() && !line.starts_with("#version")) ranks_.emplace(line, ranks_.size());
}

BytePairs::~BytePairs() = default;
BytePairs::BytePairs(BytePairs&&) noexcept = default;

void BytePairs::add_word(std::string_view word, std::vector<int64_t>& tokens) const {
  constexpr size_t kNone = std::numeric_limits<size_t>::max();
  std::vector<std::string> parts;
  for (const char byte : word) parts.push_back(kLetters[static_cast<unsigned char>(byte)]);
  const auto rank_at = [&](size_t i) {
    const auto found = ranks_.find(parts[i] + " " + parts[i + 1]);
    return found == ranks_.end() ? kNone : found->second;
  };
  for (;;) {
    size_t best = kNone, place = 0;
    for (size_t i = 0; i + 1 < parts.size(); ++i)
      if (const size_t rank = rank_at(i); rank < best) best = rank, place = i;
    if (best == kNone) break;
    parts[place] += parts[place + 1];
    parts.erase(parts.begin() + static_cast<ptrdiff_t>(place) + 1);
  }
  for (const std::string& part : parts) {
    const auto found = numbers_.find(part);
    STRATA_CHECK(found != numbers_.end(), "the vocabulary has no token for '{}' in '{}'", part, word);
    tokens.push_back(found->second);
  }
}

std::vector<int64_t> BytePairs::encode(std::string_view text) const {
  std::vector<int64_t> tokens;
  splitter_->split(text, [&](std::string_view word) { add_word(word, tokens); });
  return tokens;
}

std::string BytePairs::decode(const std::vector<int64_t>& tokens) const {
  std::string text;
  for (const int64_t token : tokens) {
    STRATA_CHECK(token >= 0 && static_cast<size_t>(token) < pieces_.size(), "{} is no token, they are below {}", token,
                 pieces_.size());
    text += pieces_[static_cast<size_t>(token)];
  }
  return text;
}

}  // namespace hf
