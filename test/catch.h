// Includes Catch2, version 2 or 3, with the few names that moved between them under version 3's spelling.
#pragma once

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <catch2/matchers/catch_matchers_all.hpp>
using Catch::Approx;  // version 2 does this itself
#else
#include <catch2/catch.hpp>

namespace Catch::Matchers {

/// Matches a string that contains `part` (the name that Catch2 v3 gives to `Contains`).
inline auto ContainsSubstring(const std::string& part) { return Contains(part); }

}  // namespace Catch::Matchers
#endif
