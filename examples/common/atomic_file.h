// Files that appear under their name only when they are complete and on the disk.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace strata::examples {

/// Lets `write` fill a temporary file beside `path` (its argument is that file's name), then flushes it to the disk and
/// renames it to `path`. On any error `path` is as it was, the temporary file is gone, and strata::Error is thrown.
void write_atomically(const std::string& path, const std::function<void(const std::string& temporary)>& write);

/// The same for contents that are in memory.
void write_atomically(const std::string& path, std::string_view contents);

}  // namespace strata::examples
