// Aligned tables in plain text.
#pragma once

#include <string>
#include <vector>

namespace strata::examples {

using Row = std::vector<std::string>;

/// Lays out `rows` (each as long as `header`) in right-aligned columns under a rule.
std::string format_table(const Row& header, const std::vector<Row>& rows);

}  // namespace strata::examples
