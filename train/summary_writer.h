// Event files that TensorBoard shows, by the names of torch.utils.tensorboard.
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../core/arg.h"
#include "../core/function.h"
#include "../core/tensor.h"
#include "../core/tree.h"
#include "../core/value.h"
#include "../nn/module.h"
#include "../transforms/trace.h"

namespace strata::profiler {
class Profiler;
}

namespace strata::train {

struct SummaryWriterOptions {
  /// Appended to the name of a folder that the writer chooses.
  STRATA_ARG(std::string, comment);
  /// A run that goes on from a checkpoint says its step here: TensorBoard drops what an earlier file of the folder has
  /// of it and of later ones.
  STRATA_ARG(std::optional<int64_t>, purge_step);
  /// At most so many seconds pass between an event and one after it that brings both to the disk. Events are the
  /// system's at once: only a crash of the machine loses them.
  STRATA_ARG(double, flush_secs) = 120;
  /// Appended to the files' names.
  STRATA_ARG(std::string, filename_suffix);
};

/// What stands beside the points of an embedding.
struct EmbeddingOptions {
  /// A line for each point; columns are parted by tabs.
  STRATA_ARG(std::vector<std::string>, metadata);
  /// The columns' names, where there are several.
  STRATA_ARG(std::vector<std::string>, metadata_header);
  /// A picture of each point, `(N, C, H, W)`.
  STRATA_ARG(Tensor, label_img);
};

/// What stands beside the vertices of a mesh.
struct MeshOptions {
  /// Of each vertex, from 0 to 255, `(B, N, 3)`.
  STRATA_ARG(Tensor, colors);
  /// Triangles by the numbers of their vertices, `(B, F, 3)`; without them the vertices are a cloud of points.
  STRATA_ARG(Tensor, faces);
  /// Settings of the page's camera, lights and material as JSON, by the names of three.js.
  STRATA_ARG(std::string, config) = "{}";
};

/// Parts of a layout by their titles, in their order.
template <class Part>
using Titled = std::vector<std::pair<std::string, Part>>;
/// What a chart shows: "Multiline" and tags, or "Margin" and the tags of a value, of its lower and its upper bound.
using ScalarChart = std::pair<std::string, std::vector<std::string>>;

/// Writes event files into a folder, of which `tensorboard --logdir` shows curves, histograms, pictures, videos, sound,
/// meshes, text, graphs, hyperparameters and embeddings. It is torch.utils.tensorboard's class, with its methods and
/// files: steps are counted by the caller, tags with a slash stand together, and `walltime` is in seconds since 1970,
/// by default now.
///
/// An event is appended to its file by the call that adds it, so that nothing is lost where the program is interrupted
/// or killed. Several threads may use one writer; of several processes each makes files of its own.
///
///     train::SummaryWriter writer("runs/first");
///     for (int64_t step = 0; step < 100; ++step) writer.add_scalar("loss/train", 1.0 / (step + 1), step);
class SummaryWriter {
 public:
  /// Makes the folder where there is none, and a new file in it. Without a name it is `runs/<time>_<host>`. Throws
  /// where files cannot be written and where Strata was built without protobuf.
  explicit SummaryWriter(const std::string& log_dir = "", SummaryWriterOptions options = {});
  ~SummaryWriter();
  SummaryWriter(SummaryWriter&&) noexcept;
  SummaryWriter& operator=(SummaryWriter&&) noexcept;

  /// A point of a curve; float32, as TensorBoard's scalars are.
  void add_scalar(const std::string& tag, double value, int64_t global_step = 0, std::optional<double> walltime = {});
  /// The same of a tensor with one element.
  void add_scalar(const std::string& tag, const Tensor& value, int64_t global_step = 0,
                  std::optional<double> walltime = {});
  /// Points of several curves in one chart: each has a run of its own, `<folder>/<main_tag>_<name>`.
  void add_scalars(const std::string& main_tag, const std::map<std::string, double>& values, int64_t global_step = 0,
                   std::optional<double> walltime = {});
  /// Charts of several scalars each, under headings, for the page "Custom Scalars"; the curves are those that
  /// add_scalar draws, before or after. Tags of a "Multiline" chart are regular expressions. A later layout replaces an
  /// earlier one.
  ///
  ///     writer.add_custom_scalars({{"Losses", {{"both", {"Multiline", {"loss/train", "loss/test"}}}}}});
  void add_custom_scalars(const Titled<Titled<ScalarChart>>& layout);
  /// How the values of a tensor spread, over buckets each 1.1 times as wide as the one before. Values that are not
  /// finite are left out, with a warning.
  void add_histogram(const std::string& tag, const Tensor& values, int64_t global_step = 0,
                     std::optional<double> walltime = {});
  /// A picture of uint8 or of floating point from 0 to 1, with one to four channels. `dataformats` says what the dims
  /// are: CHW, HWC, HW, or with an N as add_images.
  void add_image(const std::string& tag, const Tensor& image, int64_t global_step = 0,
                 std::optional<double> walltime = {}, const std::string& dataformats = "CHW");
  /// Several in one picture, eight in a row.
  void add_images(const std::string& tag, const Tensor& images, int64_t global_step = 0,
                  std::optional<double> walltime = {}, const std::string& dataformats = "NCHW");
  /// Videos `(N, T, C, H, W)` of the same pictures' values, played in a loop side by side: an animated PNG file, where
  /// PyTorch writes a GIF.
  void add_video(const std::string& tag, const Tensor& videos, int64_t global_step = 0, double fps = 4,
                 std::optional<double> walltime = {});
  /// Sound `(L)` or, with one or two channels, `(C, L)`: floating point from -1 to 1, kept in 16 bits.
  void add_audio(const std::string& tag, const Tensor& sound, int64_t global_step = 0, int64_t sample_rate = 44100,
                 std::optional<double> walltime = {});
  /// Points or triangles in space: vertices `(B, N, 3)` of B meshes, of which the page shows one.
  void add_mesh(const std::string& tag, const Tensor& vertices, const MeshOptions& options = {},
                int64_t global_step = 0, std::optional<double> walltime = {});
  /// Precision and recall of predictions from 0 to 1 for labels 0 and 1, at thresholds that are as far from one
  /// another; `weights` says how much each example counts.
  void add_pr_curve(const std::string& tag, const Tensor& labels, const Tensor& predictions, int64_t global_step = 0,
                    int64_t num_thresholds = 127, const Tensor& weights = {}, std::optional<double> walltime = {});
  /// Markdown.
  void add_text(const std::string& tag, const std::string& text, int64_t global_step = 0,
                std::optional<double> walltime = {});

  /// The equations of a program as a graph.
  void add_graph(const func::Program& program);
  template <class Out, class... A>
  void add_graph(const func::Traced<Out, A...>& traced) {
    add_graph(traced.program());
  }
  /// Traces a call of a module on tensors like these, which changes neither it nor random numbers, and writes its
  /// graph, with a box for each module that is called through a holder.
  template <class Module, std::same_as<Tensor>... Inputs>
  requires(sizeof...(Inputs) > 0 && requires(const Module& m) { m.ptr(); }) void add_graph(const Module& module,
                                                                                           const Inputs&... inputs) {
    trace_graph(module.ptr(), {inputs...}, [holder = module](const std::vector<Tensor>& traced) mutable {
      return called(holder, traced, std::index_sequence_for<Inputs...>());
    });
  }
  template <class Contained, std::same_as<Tensor>... Inputs>
  void add_graph(const std::shared_ptr<Contained>& module, const Inputs&... inputs) {
    add_graph(nn::ModuleHolder<Contained>(module), inputs...);
  }

  /// What a run was set to (numbers, booleans, text) and what came of it, for the table of runs: in a run of its own,
  /// `FOLDER/run_name`, by default the time.
  void add_hparams(const std::map<std::string, Value>& hparams, const std::map<std::string, double>& metrics,
                   const std::string& run_name = "", int64_t global_step = 0);
  /// Points `(N, D)` for the projector, as text files in `FOLDER/STEP/TAG`.
  void add_embedding(const Tensor& points, const EmbeddingOptions& options = {}, int64_t global_step = 0,
                     const std::string& tag = "default");
  /// What a profiler recorded: its table as text, and its trace as `HOST_PROCESS.MILLISECONDS.pt.trace.json` in
  /// the folder, the name by which PyTorch's profiler plugin finds it; ui.perfetto.dev reads it too.
  void add_profile(const std::string& tag, const profiler::Profiler& profiler, int64_t global_step = 0);

  /// Has the disk hold all events.
  void flush();
  /// The same, and closes the files; calls that add something throw from here on. The destructor closes too.
  void close();
  const std::string& get_logdir() const;

 private:
  struct State;
  using Call = strata::detail::Function<std::vector<Tensor>(const std::vector<Tensor>&)>;
  template <class Module, size_t... I>
  static std::vector<Tensor> called(Module& module, const std::vector<Tensor>& inputs, std::index_sequence<I...>) {
    return tree::leaves(module(inputs[I]...));
  }
  void trace_graph(const std::shared_ptr<nn::Module>& module, const std::vector<Tensor>& inputs, const Call& call);

  std::unique_ptr<State> state_;
};

}  // namespace strata::train
