// The rules of the house as functions: which folder may include which, and what each file has to look like.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace architecture {

/// The part of the tree that a file belongs to, for example "ops", "kernels/cpu", "test/nn" or "strata.h".
std::string room_of(std::string_view path);

/// Whether a header under `path` is one that gets installed.
bool is_installed(std::string_view path);

/// What is wrong with the file `path` (relative to `root`) of the given text, a line per problem.
std::vector<std::string> check_file(const std::filesystem::path& root, const std::string& path,
                                    const std::string& text);

/// Every C++ and CUDA source of the tree, relative to `root`.
std::vector<std::string> source_files(const std::filesystem::path& root);

/// The text of a file.
std::string read_text(const std::filesystem::path& path);

}  // namespace architecture
