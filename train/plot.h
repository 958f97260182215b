// Plots as SVG and in the terminal: curves, histograms, confusion matrices and grids of images.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "../core/arg.h"
#include "../core/tensor.h"
#include "metrics.h"

namespace strata::train {

/// The elements of a tensor in row-major order.
std::vector<double> to_vector(const Tensor& t);
/// first, first + 1, …, last: the x of one value per epoch.
std::vector<double> counted(int64_t first, int64_t last);

/// One line of a plot; points that are not finite are left out.
struct Series {
  std::string name;
  std::vector<double> y;
};

/// Lines over a common `x`; a series may be shorter than it.
struct Curves {
  std::string title, x_label, y_label;
  std::vector<double> x;
  std::vector<Series> series;
  bool log_y = false;  ///< powers of ten on the y axis; values that are not positive are left out
};

/// How many values lie in [edges[i], edges[i + 1]).
struct Bars {
  std::string title, x_label, y_label;
  std::vector<double> edges;
  std::vector<Series> series;  ///< a count for each bin
};

/// A table of numbers, coloured by each one's share of its row.
struct Matrix {
  std::string title, x_label, y_label;
  std::vector<std::string> rows, columns;
  std::vector<double> values;  ///< row by row
};

/// Pictures in rows of `columns` (0: about as many as there are rows), with a text below each where there are any.
struct Images {
  std::string title;
  Tensor pictures;  ///< `(N, C, H, W)` with 1 or 3 channels: uint8 from 0 to 255, or floating point from 0 to 1
  std::vector<std::string> labels;
  int64_t columns = 0;
};

/// One picture of a plot.
using Panel = std::variant<Curves, Bars, Matrix, Images>;

namespace detail {
/// Throws where the parts of a panel do not fit each other.
void check(const Panel& panel);
}  // namespace detail

/// The distributions of the finite elements of some tensors, in bins of equal width over all of them.
Bars histogram(const std::string& title, const std::string& x_label,
               const std::vector<std::pair<std::string, Tensor>>& values, int64_t bins = 30);
/// The counts of a confusion matrix, with the classes' names, or numbers where none are given.
Matrix confusion(const std::string& title, const ConfusionMatrix& matrix, std::vector<std::string> names = {});

/// An SVG document with the panels under `title`, `columns` of them side by side (0: all), each with axes, ticks and,
/// where there are names, a legend. Throws for parts whose sizes do not fit each other.
std::string svg_plot(const std::string& title, const std::vector<Panel>& panels, size_t columns = 0);

struct TerminalOptions {
  STRATA_ARG(int64_t, width) = 80;   ///< in columns
  STRATA_ARG(int64_t, height) = 16;  ///< of curves, in lines without axis and legend
  STRATA_ARG(bool, color) = false;   ///< by ANSI escapes
};

/// The same panel as text, a line ends each row.
std::string terminal_plot(const Panel& panel, const TerminalOptions& options = {});

}  // namespace strata::train
