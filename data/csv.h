// Tables of comma-separated values (RFC 4180).
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "../core/arg.h"
#include "../core/tensor.h"
#include "tensor_dataset.h"

namespace strata::data {

/// How a file of separated values is read.
struct CSVOptions {
  STRATA_ARG(char, delimiter) = ',';
  /// Whether the first line names the columns.
  STRATA_ARG(bool, header) = true;
};

/// The cells of a table as text.
struct CSVTable {
  std::vector<std::string> columns;  ///< names, empty without a header
  std::vector<std::vector<std::string>> rows;

  /// The place of a column. Throws where there is none of that name.
  size_t column(const std::string& name) const;
  /// `(rows, columns)` float64, of all columns or of those named; an empty cell is NaN. Throws for a cell that is no
  /// number.
  Tensor numbers(const std::vector<std::string>& names = {}) const;
};

/// Cells may be quoted, with quotes doubled inside, and hold delimiters and line breaks then; lines end with or without
/// a carriage return. Throws where a row has another number of cells than the first, or a quote is not closed.
CSVTable read_csv(const std::string& path, const CSVOptions& options = {});
CSVTable read_csv(std::istream& stream, const CSVOptions& options = {}, const std::string& name = "the stream");

namespace datasets {

/// A table of numbers as float32 rows `(columns - 1,)`, with the column `target` as targets, 0-dim float32.
TensorPairDataset csv_dataset(const std::string& path, const std::string& target, const CSVOptions& options = {});

}  // namespace datasets

}  // namespace strata::data
