// Writing a file that appears under its name only when it is complete.
#pragma once
#include <string>
#include <string_view>

namespace strata::profiler {

/// Throws, leaving what was at `path`, if it cannot be written.
void write_file(const std::string& path, std::string_view contents);

}  // namespace strata::profiler
