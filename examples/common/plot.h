// Line plots as SVG.
#pragma once

#include <strata/core/tensor.h>

#include <string>
#include <vector>

namespace strata::examples {

/// The elements of a tensor in row-major order.
std::vector<double> to_vector(const Tensor& t);

/// One line of a plot; points that are not finite are left out.
struct Series {
  std::string name;
  std::vector<double> y;
};

/// One pair of axes; all series share `x`.
struct Panel {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<double> x;
  std::vector<Series> series;
};

/// An SVG document with the panels side by side under `title`, each with axes, ticks, grid and legend.
std::string svg_plot(const std::string& title, const std::vector<Panel>& panels);

}  // namespace strata::examples
