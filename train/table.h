// Aligned tables in plain text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace strata::train {

using Row = std::vector<std::string>;

/// Lays out `rows` (each as long as `header`) in columns under a rule: the first `left` columns flush left, the others
/// flush right. Throws where a row has another length.
std::string format_table(const Row& header, const std::vector<Row>& rows, size_t left = 0);

}  // namespace strata::train
