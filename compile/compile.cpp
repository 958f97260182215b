// The cache of compiled functions.
#include "compile/compile.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "core/host_state.h"
#include "core/warning.h"
#include "dispatcher/layout.h"
#include "dispatcher/names.h"

namespace strata::func::detail {
namespace {

/// Programs of one function that are usual: more say that something changes in every call.
constexpr int64_t kManyPrograms = 64;

bool is_logged() {
  static const bool logged = [] {
    const char* const list = std::getenv("STRATA_LOG");
    return list && std::string_view(list).find("compile") != std::string_view::npos;
  }();
  return logged;
}

void append(std::string& kind, const void* data, size_t size) { kind.append(static_cast<const char*>(data), size); }

/// Casts are part of a program.
void append_autocast(std::string& kind) {
  const bool is_active = compiling::is_autocast_active();
  append(kind, &is_active, sizeof(is_active));
  if (!is_active) return;
  const autocast::Settings settings = autocast::settings();
  append(kind, settings.enabled.data(), sizeof(settings.enabled));
  append(kind, settings.dtypes.data(), sizeof(settings.dtypes));
  const bool are_kept = autocast::is_autocast_cache_enabled();
  append(kind, &are_kept, sizeof(are_kept));
}

bool holds_wrappers(const Program& program) {
  return std::any_of(program.constants().begin(), program.constants().end(),
                     [](const Program::Constant& c) { return c.value.impl()->wrapper() != nullptr; });
}

autocast::Settings no_autocast() {
  autocast::Settings settings = autocast::settings();
  settings.enabled.fill(false);
  return settings;
}

void log(const Program& program, int64_t programs) {
  std::fprintf(stderr, "compile: program %lld of the function, %zu equations\n%s\n", static_cast<long long>(programs),
               program.equations().size(), program.str().c_str());
}

}  // namespace

std::string& kind_of_call(const void* type) {
  thread_local std::string kind;
  kind.clear();
  append(kind, &type, sizeof(type));
  const char modes[] = {GradMode::is_enabled(), static_cast<char>(get_default_dtype())};
  append(kind, modes, sizeof(modes));
  const uint64_t host_state = strata::detail::host_state.load(std::memory_order_relaxed);
  append(kind, &host_state, sizeof(host_state));
  append_autocast(kind);
  return kind;
}

void describe_tensor(std::string& kind, const Tensor& t) {
  if (!t.defined()) {
    kind += '0';
    return;
  }
  const Device device = t.device();
  const bool requires_grad = t.requires_grad();
  const bool is_row_major = dispatch::lies_row_major(t);
  const char head[] = {static_cast<char>(requires_grad + (requires_grad && t.is_leaf())),
                       static_cast<char>(t.dtype()),
                       static_cast<char>(device.type()),
                       static_cast<char>(device.index()),
                       static_cast<char>(t.dim()),
                       is_row_major};
  append(kind, head, sizeof(head));
  append(kind, t.sizes().data(), t.sizes().size() * sizeof(int64_t));
  if (!is_row_major) append(kind, t.strides().data(), t.strides().size() * sizeof(int64_t));
}

compiling::TracedCall finish_trace(TraceLayer& layer, std::vector<Tensor> outputs) {
  compiling::Aftermath aftermath(layer, outputs);
  const bool passes_gradients = layer.passes_gradients(outputs);
  outputs = aftermath.left_to_program(std::move(outputs));
  std::vector<GradientEffect> gradients = layer.take_gradients();
  for (const GradientEffect& g : gradients)
    if (g.after == GradientEffect::After::computed) outputs.push_back(g.value);
  return {layer.finish(outputs), std::move(gradients), passes_gradients, std::move(aftermath)};
}

std::unique_ptr<CompileCache::Entry> Compile::entry_of(std::string kind, Recorded recorded,
                                                       const compiling::Refreshes& refreshes,
                                                       std::vector<bool> donated) {
  std::shared_ptr<const void> pattern = std::move(recorded.pattern);
  return std::unique_ptr<CompileCache::Entry>(new CompileCache::Entry{
      std::move(kind), compiling::CompiledCall(std::move(recorded), refreshes.list(), std::move(donated)),
      std::move(pattern), nullptr});
}

CompileCache::~CompileCache() {
  for (const Entry* e = entries_.load(); e;) delete std::exchange(e, e->next);
}

const CompileCache::Entry* CompileCache::find(std::string_view kind, TensorList inputs) const {
  calls_.fetch_add(1, std::memory_order_relaxed);
  return known(kind, inputs);
}

const CompileCache::Entry* CompileCache::known(std::string_view kind, TensorList inputs) const {
  const Entry* e = entries_.load(std::memory_order_acquire);
  while (e && (e->kind != kind || !e->run.fits(inputs) || !e->run.refresh())) e = e->next;
  return e;
}

std::vector<Tensor> CompileCache::leaves() const {
  const std::lock_guard lock(adding_);
  return leaves_;
}

void CompileCache::note_leaves(const TraceLayer& layer) {
  const std::lock_guard lock(adding_);
  for (const Tensor& leaf : layer.captured_leaves())
    if (std::none_of(leaves_.begin(), leaves_.end(), [&](const Tensor& t) { return t.is_same(leaf); }))
      leaves_.push_back(leaf);
}

std::pair<const CompileCache::Entry*, std::unique_ptr<const CompileCache::Entry>> CompileCache::add(
    std::unique_ptr<Entry> entry, TensorList inputs) {
  const std::lock_guard lock(adding_);
  if (const Entry* const others = known(entry->kind, inputs)) return {others, nullptr};  // another thread was faster
  entry->run.refresh();
  const int64_t programs = ++traced_;
  if (is_logged()) log(entry->run.program(), programs);
  if (programs == kManyPrograms)
    warn(
        "compile: a function was traced {} times, for ever other shapes, dtypes or numbers in its arguments: pass "
        "numbers that change as tensors, or pad sizes; STRATA_LOG=compile shows each",
        programs);
  if (holds_wrappers(entry->run.program())) {
    const Entry* const once = entry.get();
    return {once, std::move(entry)};
  }
  entry->next = entries_.load();
  entries_.store(entry.get(), std::memory_order_release);
  return {entry.release(), nullptr};
}

TraceGuard::TraceGuard(bool casts) : draws_(default_generator().state()) {
  if (!casts) autocast_.emplace(no_autocast());
}
TraceGuard::~TraceGuard() { default_generator().set_state(draws_); }

CompileStats CompileCache::stats() const {
  return {traced_.load(std::memory_order_relaxed), calls_.load(std::memory_order_relaxed)};
}

}  // namespace strata::func::detail
