// Columns of UTF-8 text in a terminal. Internal to train/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strata::train {

/// Is this byte the first of a character?
inline bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

/// How many characters the text has; those of Latin, Greek, Cyrillic scripts and of our drawings take a column each.
inline int64_t columns_of(std::string_view text) {
  int64_t count = 0;
  for (const char c : text) count += starts_character(c) ? 1 : 0;
  return count;
}

/// The first `columns` characters.
inline std::string first_columns(std::string_view text, int64_t columns) {
  size_t end = 0;
  for (; end < text.size(); ++end) {
    if (starts_character(text[end]) && columns-- <= 0) break;
  }
  return std::string(text.substr(0, end));
}

/// The text with spaces in front or behind, to `columns` columns at least.
inline std::string padded_left(std::string_view text, int64_t columns) {
  const int64_t missing = columns - columns_of(text);
  return std::string(static_cast<size_t>(missing > 0 ? missing : 0), ' ') + std::string(text);
}
inline std::string padded_right(std::string_view text, int64_t columns) {
  const int64_t missing = columns - columns_of(text);
  return std::string(text) + std::string(static_cast<size_t>(missing > 0 ? missing : 0), ' ');
}

}  // namespace strata::train
