// The files of TensorBoard's projector. Internal to train/.
#pragma once

#include <cstdint>
#include <string>

#include "summary_writer.h"

namespace strata::train::board {

/// The embeddings of a folder, which one file there lists.
class Embeddings {
 public:
  explicit Embeddings(std::string folder) : folder_(std::move(folder)) {}
  /// Writes the files of one, then lists it. Throws where its parts are not of one length, or contain what would end a
  /// line or a column.
  void add(const Tensor& points, const EmbeddingOptions& options, int64_t step, const std::string& tag);

 private:
  std::string folder_, config_;
};

}  // namespace strata::train::board
