// Events by the library that knows protobuf, and the files that they go to.
#include "train/summary_writer.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <mutex>

#include "core/component.h"
#include "core/error.h"
#include "profiler/profiler.h"
#include "train/embeddings.h"
#include "train/event_encoder.h"
#include "train/event_file.h"
#include "train/graph_nodes.h"
#include "train/summary_values.h"

namespace strata::train {
namespace {

const board::Encoder& encoder() {
  static const auto entry = [] {
    try {
      return reinterpret_cast<board::EncoderEntry>(
          strata::detail::load_component("SummaryWriter", "libstrata_tensorboard.so", "strata_tensorboard_entry"));
    } catch (const Error& e) {
      STRATA_THROW("{}; it is built where protobuf is found (Debian: libprotobuf-dev, protobuf-compiler)", e.what());
    }
  }();
  return *entry();
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// As PyTorch names it: runs/Aug05_14-03-59_host.
std::string default_folder(const std::string& comment) {
  return fmt::format("runs/{:%b%d_%H-%M-%S}_{}{}", fmt::localtime(std::time(nullptr)), board::host_name(), comment);
}

}  // namespace

struct SummaryWriter::State {
  State(std::string folder_, SummaryWriterOptions options_)
      : folder(std::move(folder_)), options(std::move(options_)) {}

  board::EventFile& file_of(const std::string& run) {
    STRATA_CHECK(!closed, "SummaryWriter: the writer of {} is closed", folder);
    auto& file = files[run];
    if (file) return *file;
    const double now = seconds_now();
    const std::string version = encoder().version({now, 0});  // where there is no encoder, there shall be no file
    file = std::make_unique<board::EventFile>(run, options.filename_suffix(), options.flush_secs());
    file->write(version);
    if (options.purge_step()) file->write(encoder().restart({now, *options.purge_step()}));
    return *file;
  }
  void write(const std::string& run, const std::string& event) {
    const std::lock_guard lock(mutex);
    file_of(run).write(event);
  }
  static board::Moment moment(int64_t step, std::optional<double> walltime) {
    return {walltime.value_or(seconds_now()), step};
  }

  const std::string folder;
  const SummaryWriterOptions options;
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<board::EventFile>> files;  // by run
  board::Embeddings embeddings{folder};
  bool closed = false;
};

SummaryWriter::SummaryWriter(const std::string& log_dir, SummaryWriterOptions options)
    : state_(std::make_unique<State>(log_dir.empty() ? default_folder(options.comment()) : log_dir, options)) {
  state_->file_of(state_->folder);
}

SummaryWriter::~SummaryWriter() = default;
SummaryWriter::SummaryWriter(SummaryWriter&&) noexcept = default;
SummaryWriter& SummaryWriter::operator=(SummaryWriter&&) noexcept = default;

void SummaryWriter::add_scalar(const std::string& tag, double value, int64_t global_step,
                               std::optional<double> walltime) {
  state_->write(state_->folder, encoder().scalar(State::moment(global_step, walltime), tag, value));
}

void SummaryWriter::add_scalar(const std::string& tag, const Tensor& value, int64_t global_step,
                               std::optional<double> walltime) {
  add_scalar(tag, value.item<double>(), global_step, walltime);
}

void SummaryWriter::add_scalars(const std::string& main_tag, const std::map<std::string, double>& values,
                                int64_t global_step, std::optional<double> walltime) {
  std::string run = main_tag;
  std::replace(run.begin(), run.end(), '/', '_');
  const board::Moment at = State::moment(global_step, walltime);
  for (const auto& [name, value] : values)
    state_->write(fmt::format("{}/{}_{}", state_->folder, run, name), encoder().scalar(at, main_tag, value));
}

void SummaryWriter::add_custom_scalars(const Titled<Titled<ScalarChart>>& layout) {
  Titled<std::vector<board::Chart>> categories;
  for (const auto& [category, charts] : layout) {
    auto& list = categories.emplace_back(category, std::vector<board::Chart>()).second;
    for (const auto& [title, chart] : charts) {
      const auto& [kind, tags] = chart;
      STRATA_CHECK(kind == "Multiline" || kind == "Margin", "add_custom_scalars: '{}' is '{}', not Multiline or Margin",
                   title, kind);
      STRATA_CHECK(kind == "Multiline" || tags.size() == 3,
                   "add_custom_scalars: '{}' has {} tags, a Margin has those of a value and of its bounds", title,
                   tags.size());
      list.push_back({title, kind == "Margin", tags});
    }
  }
  state_->write(state_->folder, encoder().charts(State::moment(0, {}), categories));
}

void SummaryWriter::add_histogram(const std::string& tag, const Tensor& values, int64_t global_step,
                                  std::optional<double> walltime) {
  if (const auto histogram = board::histogram_of(values))
    state_->write(state_->folder, encoder().histogram(State::moment(global_step, walltime), tag, *histogram));
}

void SummaryWriter::add_image(const std::string& tag, const Tensor& image, int64_t global_step,
                              std::optional<double> walltime, const std::string& dataformats) {
  const board::Picture picture = board::picture_of(image, dataformats, "add_image");
  state_->write(state_->folder, encoder().image(State::moment(global_step, walltime), tag, picture));
}

void SummaryWriter::add_images(const std::string& tag, const Tensor& images, int64_t global_step,
                               std::optional<double> walltime, const std::string& dataformats) {
  const board::Picture picture = board::picture_of(images, dataformats, "add_images");
  state_->write(state_->folder, encoder().image(State::moment(global_step, walltime), tag, picture));
}

void SummaryWriter::add_video(const std::string& tag, const Tensor& videos, int64_t global_step, double fps,
                              std::optional<double> walltime) {
  state_->write(state_->folder,
                encoder().image(State::moment(global_step, walltime), tag, board::video_of(videos, fps)));
}

void SummaryWriter::add_audio(const std::string& tag, const Tensor& sound, int64_t global_step, int64_t sample_rate,
                              std::optional<double> walltime) {
  state_->write(state_->folder,
                encoder().audio(State::moment(global_step, walltime), tag, board::sound_of(sound, sample_rate)));
}

void SummaryWriter::add_mesh(const std::string& tag, const Tensor& vertices, const MeshOptions& options,
                             int64_t global_step, std::optional<double> walltime) {
  const auto parts = board::mesh_of(vertices, options.colors(), options.faces());
  state_->write(state_->folder, encoder().mesh(State::moment(global_step, walltime), tag, parts, options.config()));
}

void SummaryWriter::add_pr_curve(const std::string& tag, const Tensor& labels, const Tensor& predictions,
                                 int64_t global_step, int64_t num_thresholds, const Tensor& weights,
                                 std::optional<double> walltime) {
  const board::Numbers curve = board::pr_curve_of(labels, predictions, num_thresholds, weights);
  state_->write(state_->folder, encoder().pr_curve(State::moment(global_step, walltime), tag, curve));
}

void SummaryWriter::add_text(const std::string& tag, const std::string& text, int64_t global_step,
                             std::optional<double> walltime) {
  // The suffix is PyTorch's.
  state_->write(state_->folder, encoder().text(State::moment(global_step, walltime), tag + "/text_summary", text));
}

void SummaryWriter::add_graph(const func::Program& program) {
  state_->write(state_->folder, encoder().graph(State::moment(0, {}), board::graph_of(program)));
}

void SummaryWriter::trace_graph(const std::shared_ptr<nn::Module>& module, const std::vector<Tensor>& inputs,
                                const Call& call) {
  state_->write(state_->folder, encoder().graph(State::moment(0, {}), board::graph_of(module, inputs, call)));
}

void SummaryWriter::add_hparams(const std::map<std::string, Value>& hparams,
                                const std::map<std::string, double>& metrics, const std::string& run_name,
                                int64_t global_step) {
  std::vector<std::string> tags;
  for (const auto& [tag, value] : metrics) tags.push_back(tag);
  for (const auto& [name, value] : hparams)
    STRATA_CHECK(value.isBool() || value.isInt() || value.isDouble() || value.isString(),
                 "add_hparams: '{}' is {}, not a number, a boolean or text", name, value.kind_name());
  const board::Moment at = State::moment(global_step, {});
  const std::string run =
      fmt::format("{}/{}", state_->folder, run_name.empty() ? fmt::format("{:.6f}", at.wall_time) : run_name);
  state_->write(run, encoder().hparams(at, hparams, tags));
  for (const auto& [tag, value] : metrics) state_->write(run, encoder().scalar(at, tag, value));
}

void SummaryWriter::add_embedding(const Tensor& points, const EmbeddingOptions& options, int64_t global_step,
                                  const std::string& tag) {
  const std::lock_guard lock(state_->mutex);
  STRATA_CHECK(!state_->closed, "SummaryWriter: the writer of {} is closed", state_->folder);
  state_->embeddings.add(points, options, global_step, tag);
}

void SummaryWriter::add_profile(const std::string& tag, const profiler::Profiler& profiler, int64_t global_step) {
  const double now = seconds_now();
  profiler.export_chrome_trace(fmt::format("{}/{}_{}.{:.0f}.pt.trace.json", state_->folder, board::host_name(),
                                           ::getpid(), std::floor(now * 1000)));
  std::string text;  // four spaces in front of a line keep Markdown from laying it out
  for (const char c : "\n" + profiler.table()) text += c == '\n' ? std::string("\n    ") : std::string(1, c);
  add_text(tag, text, global_step, now);
}

void SummaryWriter::flush() {
  const std::lock_guard lock(state_->mutex);
  for (const auto& [run, file] : state_->files) file->flush();
}

void SummaryWriter::close() {
  flush();
  const std::lock_guard lock(state_->mutex);
  state_->files.clear();
  state_->closed = true;
}

const std::string& SummaryWriter::get_logdir() const { return state_->folder; }

}  // namespace strata::train
