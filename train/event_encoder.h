// What libstrata_tensorboard.so does for libstrata, which does not know protobuf. Internal to train/.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "../core/dtype.h"
#include "../core/value.h"

namespace strata::train::board {

/// Where an event stands: seconds since 1970, and the step of the run.
struct Moment {
  double wall_time = 0;
  int64_t step = 0;
};

/// Numbers counted in buckets, each with its right edge; the first one is empty and gives the left edge of the second.
struct Histogram {
  double min = 0, max = 0, count = 0, sum = 0, sum_squares = 0;
  std::vector<double> limits, counts;
};

/// A PNG file and what it says of itself.
struct Picture {
  int64_t height = 0, width = 0, channels = 0;
  std::string png;
};

/// A WAV file and what it says of itself.
struct Sound {
  int64_t sample_rate = 0, channels = 0, frames = 0;
  std::string wav;
};

/// The values of a tensor in rows.
struct Numbers {
  std::vector<int64_t> sizes;
  std::vector<float> values;
};

/// What a mesh consists of, by the plugin's own numbers.
enum class MeshPart { kVertex = 1, kFace = 2, kColor = 3 };

/// A chart of several scalars by their tags: a curve of each, or, with a margin, one of the first between the others.
struct Chart {
  std::string title;
  bool has_margin = false;
  std::vector<std::string> tags;
};

/// A node of a graph. Names of scopes and of nodes in them are parted by slashes; an input is a node's name, or
/// `name:i` for its output i > 0.
struct GraphNode {
  std::string name = {}, op = {}, device = {};
  std::vector<std::string> inputs = {};
  DType dtype = DType::Undefined;                 ///< of the first output
  std::vector<std::vector<int64_t>> shapes = {};  ///< of each output
  std::map<std::string, std::string> params = {};
};

/// Each function gives the bytes of one event.
class Encoder {
 public:
  virtual std::string version(const Moment& at) const = 0;
  /// Says that what came before of this step and later ones is void.
  virtual std::string restart(const Moment& at) const = 0;
  virtual std::string scalar(const Moment& at, const std::string& tag, double value) const = 0;
  virtual std::string histogram(const Moment& at, const std::string& tag, const Histogram& histogram) const = 0;
  virtual std::string image(const Moment& at, const std::string& tag, const Picture& picture) const = 0;
  virtual std::string audio(const Moment& at, const std::string& tag, const Sound& sound) const = 0;
  /// Parts of one mesh, and settings of the page that shows it as JSON.
  virtual std::string mesh(const Moment& at, const std::string& tag, const std::map<MeshPart, Numbers>& parts,
                           const std::string& config) const = 0;
  /// `(6, thresholds)`: true and false positives, true and false negatives, precision, recall.
  virtual std::string pr_curve(const Moment& at, const std::string& tag, const Numbers& curve) const = 0;
  /// Charts by the title of what they stand under.
  virtual std::string charts(const Moment& at,
                             const std::vector<std::pair<std::string, std::vector<Chart>>>& categories) const = 0;
  virtual std::string text(const Moment& at, const std::string& tag, const std::string& text) const = 0;
  virtual std::string graph(const Moment& at, const std::vector<GraphNode>& nodes) const = 0;
  /// A session with these hyperparameters (numbers, booleans, text), which ended well and has scalars of these tags.
  virtual std::string hparams(const Moment& at, const std::map<std::string, Value>& hparams,
                              const std::vector<std::string>& metric_tags) const = 0;

 protected:
  ~Encoder() = default;
};

/// What the library exports as `strata_tensorboard_entry`.
using EncoderEntry = const Encoder* (*)();

}  // namespace strata::train::board
