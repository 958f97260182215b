// Columns as wide as their widest cell.
#include "common/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace strata::examples {

std::string format_table(const Row& header, const std::vector<Row>& rows) {
  std::vector<size_t> widths;
  for (const std::string& cell : header) widths.push_back(cell.size());
  for (const Row& row : rows) {
    for (size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row.at(i).size());
  }
  std::string text;
  const auto add_line = [&](const Row& row) {
    for (size_t i = 0; i < widths.size(); ++i)
      text += fmt::format("{}{:>{}}", i == 0 ? "" : "  ", row.at(i), widths[i]);
    text += '\n';
  };
  add_line(header);
  Row rule;
  for (const size_t width : widths) rule.emplace_back(width, '-');
  add_line(rule);
  for (const Row& row : rows) add_line(row);
  return text;
}

}  // namespace strata::examples
