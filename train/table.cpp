// Columns as wide as their widest cell.
#include "train/table.h"

#include <algorithm>

#include "core/error.h"
#include "train/text.h"

namespace strata::train {

std::string format_table(const Row& header, const std::vector<Row>& rows, size_t left) {
  std::vector<int64_t> widths;
  for (const std::string& cell : header) widths.push_back(columns_of(cell));
  for (const Row& row : rows) {
    STRATA_CHECK(row.size() == header.size(), "format_table: a row of {} cells under a header of {}", row.size(),
                 header.size());
    for (size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], columns_of(row[i]));
  }
  std::string text;
  const auto add_line = [&](const Row& row) {
    std::string line;
    for (size_t i = 0; i < widths.size(); ++i) {
      if (i > 0) line += "  ";
      line += i < left ? padded_right(row[i], widths[i]) : padded_left(row[i], widths[i]);
    }
    text += line + '\n';
  };
  add_line(header);
  Row rule;
  for (const int64_t width : widths) rule.emplace_back(static_cast<size_t>(width), '-');
  add_line(rule);
  for (const Row& row : rows) add_line(row);
  return text;
}

}  // namespace strata::train
