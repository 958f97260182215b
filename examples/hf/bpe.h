// GPT-2's tokenizer: byte pairs that were merged most often (Sennrich et al. 2016) over bytes (Radford et al. 2019).
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hf {

/// Text to tokens and back, with the numbers that Hugging Face's GPT2Tokenizer gives.
class BytePairs {
 public:
  /// Reads `folder`/vocab.json and `folder`/merges.txt. Throws for what is missing or damaged.
  explicit BytePairs(const std::string& folder);
  ~BytePairs();
  BytePairs(BytePairs&&) noexcept;

  /// Throws for text that is no UTF-8, and for a piece that the vocabulary lacks.
  std::vector<int64_t> encode(std::string_view text) const;
  /// The bytes of tokens; those of one token need not be UTF-8. Throws for a number that is no token.
  std::string decode(const std::vector<int64_t>& tokens) const;
  size_t size() const { return pieces_.size(); }

 private:
  class Splitter;

  void add_word(std::string_view word, std::vector<int64_t>& tokens) const;

  std::unordered_map<std::string, int64_t> numbers_;  // of pieces, written as the vocabulary writes bytes
  std::vector<std::string> pieces_;                   // the bytes of each token
  std::unordered_map<std::string, size_t> ranks_;     // of "left right": which merge comes first
  std::unique_ptr<Splitter> splitter_;
};

}  // namespace hf
