// Sequences of tokens from a file that is mapped into memory: of text as bytes, or of a tokenizer's numbers.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "dataset.h"

namespace strata::data::datasets {

/// How a file stores tokens: unsigned numbers of so many bits, in the machine's byte order.
enum class TokenType { kUInt8, kUInt16, kUInt32 };

/// Windows of a long sequence with the same shifted by one token, to train models of language. The file is mapped, not
/// read: copies share it, and only the pages that examples touch take memory.
class TokenDataset : public Dataset<TokenDataset> {
 public:
  /// Example i begins at token `i * stride`; a stride of 0 is `length`. Throws where the file cannot be mapped, or is
  /// no whole number of tokens or shorter than one example.
  TokenDataset(const std::string& path, size_t length, TokenType type = TokenType::kUInt8, size_t stride = 0);

  /// `(length,)` int64 of tokens and of those that follow each.
  Example<> get(size_t index) override;
  std::optional<size_t> size() const override { return (tokens_ - 1 - length_) / stride_ + 1; }
  /// Tokens in the file.
  size_t tokens() const { return tokens_; }

 private:
  uint32_t token(size_t at) const;

  std::shared_ptr<const void> memory_;
  size_t tokens_ = 0, length_, stride_;
  TokenType type_;
};

}  // namespace strata::data::datasets
