// Tables of text, a sheet of pictures, and a list of them as protobuf's text.
#include "train/embeddings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "ops/cast.h"
#include "ops/view.h"
#include "train/file.h"
#include "train/summary_values.h"

namespace strata::train::board {
namespace {

/// A tag as the name of a folder, as PyTorch makes it: what is no letter or digit is its code.
std::string folder_name(const std::string& tag) {
  std::string out;
  for (const char c : tag)
    out += std::isalnum(static_cast<unsigned char>(c)) ? std::string(1, c)
                                                       : fmt::format("%{:02x}", static_cast<unsigned char>(c));
  return out;
}

std::string table_of(const Tensor& points) {
  const Tensor rows = points.detach().cpu().to(kDouble).contiguous();
  const double* value = rows.data_ptr<double>();
  std::string text;
  for (int64_t i = 0; i < rows.size(0); ++i)
    for (int64_t k = 0; k < rows.size(1); ++k)
      text += fmt::format("{}{}", static_cast<float>(*value++), k + 1 < rows.size(1) ? '\t' : '\n');
  return text;
}

std::string metadata_of(const EmbeddingOptions& options) {
  const auto tabs = [](const std::string& line) { return std::count(line.begin(), line.end(), '\t'); };
  std::string text = fmt::format("{}", fmt::join(options.metadata_header(), "\t"));
  const auto columns = tabs(text);
  if (!text.empty()) text += '\n';
  for (const std::string& line : options.metadata()) {
    STRATA_CHECK(line.find_first_of("\r\n") == line.npos, "add_embedding: '{}' is not one line", line);
    STRATA_CHECK(tabs(line) == columns, "add_embedding: '{}' has {} columns, not {}", line, tabs(line) + 1,
                 columns + 1);
    text += line + '\n';
  }
  return text;
}

/// Text in quotes, as protobuf's text format has it; JSON's escapes are among its own.
std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

void check_length(const char* what, int64_t length, int64_t points) {
  STRATA_CHECK(length == points, "add_embedding: {} {} for {} points", length, what, points);
}

}  // namespace

void Embeddings::add(const Tensor& points, const EmbeddingOptions& options, int64_t step, const std::string& tag) {
  STRATA_CHECK(points.dim() == 2 && points.numel() > 0, "add_embedding: points are (N, D), got {}", points.sizes());
  const std::string name = fmt::format("{:05}/{}", step, folder_name(tag)), folder = folder_ + "/" + name;
  std::filesystem::create_directories(folder);
  std::string entry = "embeddings {\n  tensor_name: " + quoted(fmt::format("{}:{:05}", tag, step)) +
                      "\n  tensor_path: " + quoted(name + "/tensors.tsv") + "\n";
  write_file(folder + "/tensors.tsv", table_of(points));
  if (!options.metadata().empty()) {
    check_length("lines of metadata", static_cast<int64_t>(options.metadata().size()), points.size(0));
    write_file(folder + "/metadata.tsv", metadata_of(options));
    entry += "  metadata_path: " + quoted(name + "/metadata.tsv") + "\n";
  }
  if (const Tensor& images = options.label_img(); images.defined()) {
    STRATA_CHECK(images.dim() == 4, "add_embedding: pictures are (N, C, H, W), got {}", images.sizes());
    check_length("pictures", images.size(0), points.size(0));
    const auto side = static_cast<int64_t>(std::ceil(std::sqrt(static_cast<double>(images.size(0)))));
    write_file(folder + "/sprite.png", picture_of(images, "NCHW", "add_embedding", side).png);
    entry += fmt::format("  sprite {{\n    image_path: {}\n    single_image_dim: {}\n    single_image_dim: {}\n  }}\n",
                         quoted(name + "/sprite.png"), images.size(3), images.size(2));
  }
  config_ += entry + "}\n";
  write_file(folder_ + "/projector_config.pbtxt", config_);
}

}  // namespace strata::train::board
