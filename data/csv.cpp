// Reading separated values.
#include "data/csv.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

#include "core/error.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/view.h"

namespace strata::data {
namespace {

/// Cuts text into rows of cells.
class Parser {
 public:
  Parser(const std::string& text, char delimiter, const std::string& name)
      : text_(text), delimiter_(delimiter), name_(name) {}

  std::vector<std::vector<std::string>> rows() {
    std::vector<std::vector<std::string>> out;
    while (at_ < text_.size()) {
      out.push_back(row());
      STRATA_CHECK(out.back().size() == out[0].size(), "read_csv: row {} of {} has {} cells, the first one {}",
                   out.size(), name_, out.back().size(), out[0].size());
    }
    return out;
  }

 private:
  std::vector<std::string> row() {
    std::vector<std::string> cells{cell()};
    while (at_ < text_.size() && text_[at_] == delimiter_) {
      ++at_;
      cells.push_back(cell());
    }
    if (at_ < text_.size() && text_[at_] == '\r') ++at_;
    STRATA_CHECK(at_ == text_.size() || text_[at_] == '\n', "read_csv: text follows a quote in {}, at byte {}", name_,
                 at_);
    ++at_;
    return cells;
  }
  std::string cell() {
    if (at_ < text_.size() && text_[at_] == '"') return quoted();
    const size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != delimiter_ && text_[at_] != '\n' && text_[at_] != '\r') ++at_;
    return text_.substr(begin, at_ - begin);
  }
  std::string quoted() {
    const size_t begin = at_++;
    std::string out;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"' && !(at_ + 1 < text_.size() && text_[at_ + 1] == '"')) {
        ++at_;
        return out;
      }
      if (text_[at_] == '"') ++at_;
      out += text_[at_];
    }
    STRATA_THROW("read_csv: the quote at byte {} of {} is not closed", begin, name_);
  }

  const std::string& text_;
  char delimiter_;
  const std::string& name_;
  size_t at_ = 0;
};

double to_number(const std::string& cell, size_t row) {
  const size_t first = cell.find_first_not_of(" \t"), last = cell.find_last_not_of(" \t");
  if (first == std::string::npos) return std::nan("");
  const char* const begin = cell.data() + first + (cell[first] == '+');
  const char* const end = cell.data() + last + 1;
  double value = 0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  STRATA_CHECK(error == std::errc() && stop == end, "read_csv: row {} has \"{}\", which is no number", row + 1, cell);
  return value;
}

}  // namespace

size_t CSVTable::column(const std::string& name) const {
  const auto it = std::find(columns.begin(), columns.end(), name);
  STRATA_CHECK(it != columns.end(), "read_csv: there is no column \"{}\"", name);
  return static_cast<size_t>(it - columns.begin());
}

Tensor CSVTable::numbers(const std::vector<std::string>& names) const {
  std::vector<size_t> wanted;
  for (const std::string& name : names) wanted.push_back(column(name));
  const size_t width = rows.empty() ? columns.size() : rows[0].size();
  if (names.empty())
    for (size_t i = 0; i < width; ++i) wanted.push_back(i);
  Tensor out = empty({static_cast<int64_t>(rows.size()), static_cast<int64_t>(wanted.size())}, kDouble);
  double* to = out.data_ptr<double>();
  for (size_t i = 0; i < rows.size(); ++i)
    for (const size_t j : wanted) *to++ = to_number(rows[i][j], i);
  return out;
}

CSVTable read_csv(std::istream& stream, const CSVOptions& options, const std::string& name) {
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  STRATA_CHECK(!stream.bad(), "read_csv: {} could not be read", name);
  CSVTable table;
  table.rows = Parser(text, options.delimiter(), name).rows();
  if (options.header() && !table.rows.empty()) {
    table.columns = std::move(table.rows.front());
    table.rows.erase(table.rows.begin());
  }
  return table;
}

CSVTable read_csv(const std::string& path, const CSVOptions& options) {
  std::ifstream file(path, std::ios::binary);
  STRATA_CHECK(file.good(), "read_csv: cannot open '{}': {}", path, std::strerror(errno));
  return read_csv(file, options, path);
}

datasets::TensorPairDataset datasets::csv_dataset(const std::string& path, const std::string& target,
                                                  const CSVOptions& options) {
  const CSVTable table = read_csv(path, options);
  std::vector<std::string> others = table.columns;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(table.column(target)));
  const Tensor data =
      others.empty() ? empty({static_cast<int64_t>(table.rows.size()), 0}, kDouble) : table.numbers(others);
  return {data.to(kFloat), table.numbers({target}).squeeze(1).to(kFloat)};
}

}  // namespace strata::data
