// Texts of programs: a file of them by name, and whether two say the same.
#pragma once
#include <map>
#include <string>

namespace programs {

/// The programs' texts in a file, by name: each stands after a line "== NAME". Throws where the file cannot be read.
std::map<std::string, std::string> read_texts(const std::string& path);

/// What differs first between two texts, or nothing where they agree: line by line and word by word. Two numbers agree
/// if they are no further apart than 1e-6 of the largest number of their line (what sums in float32 keep) or than 1e-7;
/// integers only if they are equal.
std::string difference(const std::string& expected, const std::string& found);

}  // namespace programs
