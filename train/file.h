// Text files that appear under their name only when they are complete and on the disk.
#pragma once

#include <string>
#include <string_view>

namespace strata::train {

/// Writes a temporary file beside `path`, flushes it to the disk and renames it to `path`. On any error `path` is as it
/// was and strata::Error is thrown.
void write_file(const std::string& path, std::string_view contents);

}  // namespace strata::train
