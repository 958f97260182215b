// Hooks say which modules are at work; what is counted meanwhile belongs to all of them.
#include "train/summary.h"

#include <fmt/format.h>

#include <array>
#include <ostream>

#include "core/generator.h"
#include "train/flops.h"
#include "train/progress.h"
#include "train/table.h"

namespace strata::train {
namespace {

int64_t bytes_of(const Tensor& t) { return t.numel() * static_cast<int64_t>(elementSize(t.dtype())); }

std::string bytes_text(int64_t bytes) {
  constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, kUnits.at(unit));
}

std::string shapes_text(const SummaryRow& row) {
  if (row.calls == 0) return "not called";
  std::string text;
  for (const auto& shape : row.outputs)
    text += (text.empty() ? "" : " ") + strata::detail::format_message("{}", {IntArrayRef(shape)});
  return row.calls > 1 ? fmt::format("{} × {}", text, row.calls) : text;
}

}  // namespace

namespace detail {

struct Watch::State {
  explicit State(const std::shared_ptr<nn::Module>& module);
  void begin(size_t row) {
    active.push_back(row);
    rows[row].calls += 1;
  }
  void take(size_t row, const std::vector<Tensor>& outputs);

  std::shared_ptr<nn::Module> root;
  std::vector<SummaryRow> rows;
  std::vector<size_t> active;
  std::vector<nn::RemovableHandle> hooks;
  std::vector<std::pair<std::shared_ptr<nn::Module>, bool>> modes;
  Generator::Position random;
  FlopLayer flops;
  dispatch::LayerScope scope;
};

Watch::State::State(const std::shared_ptr<nn::Module>& module)
    : root(module),
      random(default_generator().state()),
      flops([this](int64_t count) {
        for (const size_t row : active) rows[row].flops += count;
      }),
      scope(flops) {
  for (const auto& item : root->named_modules()) {
    const nn::Module& m = *item.value();
    SummaryRow row;
    row.path = item.key();
    row.kind = m.name();
    for (const char c : row.path) row.depth += c == '.' ? 1 : 0;
    row.depth += row.path.empty() ? 0 : 1;
    for (const Tensor& p : m.parameters()) {
      row.parameters += p.numel();
      row.trainable += p.requires_grad() ? p.numel() : 0;
    }
    rows.push_back(std::move(row));
    modes.emplace_back(item.value(), m.is_training());
  }
  for (size_t i = 0; i < modes.size(); ++i) {
    nn::Module& m = *modes[i].first;
    hooks.push_back(m.register_forward_pre_hook([this, i](nn::Module&) { begin(i); }));
    hooks.push_back(m.register_forward_hook(
        [this, i](nn::Module&, const std::vector<Tensor>&, const std::vector<Tensor>& outputs) { take(i, outputs); }));
    hooks.push_back(m.register_forward_hook([this](nn::Module&) { active.pop_back(); }));
  }
  root->eval();
}

void Watch::State::take(size_t row, const std::vector<Tensor>& outputs) {
  rows[row].outputs.clear();
  for (const Tensor& t : outputs) {
    if (!t.defined()) continue;
    rows[row].outputs.emplace_back(t.sizes().begin(), t.sizes().end());
    rows[row].output_bytes += bytes_of(t);
  }
}

Watch::Watch(const std::shared_ptr<nn::Module>& module) : state_(std::make_unique<State>(module)) {}

Watch::~Watch() {
  for (const auto& hook : state_->hooks) hook.remove();
  for (const auto& [module, mode] : state_->modes) module->train(mode);  // parents first, as they set their children's
  default_generator().set_state(state_->random);
}

Summary Watch::result() const {
  Summary out;
  out.rows = state_->rows;
  for (const Tensor& p : state_->root->parameters()) {
    out.parameters += p.numel();
    out.trainable += p.requires_grad() ? p.numel() : 0;
    out.parameter_bytes += bytes_of(p);
  }
  for (const Tensor& b : state_->root->buffers()) out.buffer_bytes += bytes_of(b);
  for (size_t i = 0; i < out.rows.size(); ++i) {
    const bool is_leaf = i + 1 == out.rows.size() || out.rows[i + 1].depth <= out.rows[i].depth;
    if (is_leaf) out.output_bytes += out.rows[i].output_bytes;
  }
  out.flops = out.rows.front().flops;
  return out;
}

}  // namespace detail

std::string Summary::str() const {
  std::vector<Row> lines;
  for (const SummaryRow& row : rows) {
    const std::string name = row.path.substr(row.path.rfind('.') + 1);
    const std::string indent(static_cast<size_t>(2 * row.depth), ' ');
    const std::string kind = row.kind.substr(row.kind.rfind(':') + 1);
    lines.push_back({indent + (name.empty() ? kind : fmt::format("{} ({})", name, kind)), shapes_text(row),
                     format_count(row.parameters), format_count(row.flops), bytes_text(row.output_bytes)});
  }
  std::string text = format_table({"module", "output", "parameters", "FLOPs", "output bytes"}, lines, 2);
  text += fmt::format(
      "\n{} parameters ({} trainable), {}; buffers {}\n{} FLOPs forward; outputs of the innermost modules {}\n",
      format_count(parameters), format_count(trainable), bytes_text(parameter_bytes), bytes_text(buffer_bytes),
      format_count(flops), bytes_text(output_bytes));
  return text;
}

std::ostream& operator<<(std::ostream& stream, const Summary& summary) { return stream << summary.str(); }

}  // namespace strata::train
