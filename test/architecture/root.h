// Where the tree is that the rules are for.
#pragma once
#include <filesystem>

#include "test/source_dir.h"

namespace architecture {

inline const std::filesystem::path kRoot = source_dir();

}  // namespace architecture
