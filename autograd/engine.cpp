// One Task per backward call: a heap of nodes by sequence number and a slot of gradients for each.
#include "autograd/engine.h"

#include <algorithm>
#include <exception>
#include <thread>
#include <unordered_map>
#include <utility>

#include "autograd/accumulate.h"
#include "autograd/anomaly.h"
#include "autograd/autograd.h"
#include "core/autocast.h"
#include "core/device_backend.h"
#include "core/grad_mode.h"
#include "core/warning.h"
#include "ops/binary_def.h"
#include "ops/rules.h"
#include "profiler/ranges.h"

namespace strata::autograd {
namespace {

std::atomic<uint64_t> next_task{1};

using EndCallback = strata::detail::Function<void()>;
class Task;
constinit thread_local Task* current_task = nullptr;

/// Sets a variable of this thread until the end of the scope.
template <class T>
class Temporarily {
 public:
  Temporarily(T& variable, T value) : variable_(variable), previous_(std::exchange(variable, value)) {}
  ~Temporarily() { variable_ = previous_; }
  Temporarily(const Temporarily&) = delete;
  Temporarily& operator=(const Temporarily&) = delete;

 private:
  T& variable_;
  const T previous_;
};

class Task {
 public:
  explicit Task(BackwardOptions options)
      : id_(next_task.fetch_add(1, std::memory_order_relaxed)), options_(options), outer_(current_task) {}
  ~Task() {
    for (const Slot& s : slots_)
      if (s.node) release_claim(*s.node);
  }
  /// Limits the run to what leads to `inputs`, whose gradients are kept.
  void restrict_to(const std::vector<Edge>& roots, const std::vector<Edge>& inputs);
  void add(const Edge& edge, Tensor grad);
  /// Runs the pass, and then what was queued for its end.
  void run();
  Task& outermost() { return outer_ ? outer_->outermost() : *this; }
  bool accumulates() const { return !restricted_ && !options_.create_graph; }
  bool keeps_graph() const { return options_.keep_graph; }
  void queue(EndCallback callback) { callbacks_.push_back(std::move(callback)); }
  /// The pass that runs on this thread, the innermost one; null outside of backward.
  static Task* current();
  std::vector<Tensor> captured;

 private:
  struct Slot {
    Node* node = nullptr;
    Tensors grads;
    bool needed = true;  ///< false: no input lies behind the node, so it is not run
  };
  struct Entry {
    uint64_t sequence_nr;
    uint32_t slot;
    bool operator<(const Entry& o) const { return sequence_nr < o.sequence_nr; }
  };
  struct Capture {
    Edge edge;
    size_t index;
  };
  static constexpr uint32_t kNoSlot = UINT32_MAX;

  uint32_t find_slot(const Node& n) const;
  uint32_t make_slot(Node& n);
  void release_claim(Node& n);
  void enqueue(uint32_t slot);
  void accumulate(Tensor& into, Tensor grad);
  void run_hooks(Node& n, Tensors& grads);
  Tensors apply_between_hooks(Node& n, Tensors grads, const NodeHooks& hooks);
  void capture(const Node& n, const Tensors& grads);
  Tensors apply(Node& n, Tensors grads);
  void evaluate(Node& n, Tensors grads, bool needed);

  const uint64_t id_;
  const BackwardOptions options_;
  Task* const outer_;  ///< the pass that runs on this thread while this one is made
  bool restricted_ = false;
  std::vector<Slot> slots_;
  std::vector<uint32_t> free_slots_;
  std::vector<Entry> heap_;
  std::vector<Capture> captures_;
  std::vector<EndCallback> callbacks_;
  // Nodes that another backward call is working with at the same time: their scratch is taken.
  std::unordered_map<const Node*, uint32_t> contested_;
};

uint32_t Task::find_slot(const Node& n) const {
  if (n.scratch.task.load(std::memory_order_relaxed) == id_) return n.scratch.slot;
  if (contested_.empty()) return kNoSlot;
  const auto it = contested_.find(&n);
  return it == contested_.end() ? kNoSlot : it->second;
}

uint32_t Task::make_slot(Node& n) {
  uint32_t slot = static_cast<uint32_t>(slots_.size());
  if (free_slots_.empty()) {
    slots_.emplace_back();
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  slots_[slot].node = &n;
  slots_[slot].grads = Tensors::undefined(n.num_inputs());
  uint64_t nobody = 0;
  if (n.scratch.task.compare_exchange_strong(nobody, id_, std::memory_order_acq_rel))
    n.scratch.slot = slot;
  else
    contested_.emplace(&n, slot);
  return slot;
}

void Task::release_claim(Node& n) {
  if (n.scratch.task.load(std::memory_order_relaxed) == id_)
    n.scratch.task.store(0, std::memory_order_release);
  else
    contested_.erase(&n);
}

void Task::enqueue(uint32_t slot) {
  heap_.push_back({slots_[slot].node->sequence_nr(), slot});
  std::push_heap(heap_.begin(), heap_.end());
}

void Task::accumulate(Tensor& into, Tensor grad) {
  if (!into.defined()) {
    into = std::move(grad);
    return;
  }
  const bool recorded = GradMode::is_enabled() && (into.requires_grad() || grad.requires_grad());
  const bool ours = !recorded && into.use_count() == 1 && !into.is_view() && into.has_storage() && grad.has_storage() &&
                    into.storage()->use_count() == 1 && into.is_contiguous() && into.dtype() == grad.dtype();
  if (ours)
    call_inplace(add_op, into, {&into, &grad});
  else
    into = rules::add(into, grad);
}

void Task::add(const Edge& edge, Tensor grad) {
  Node& n = *edge.function;
  uint32_t slot = find_slot(n);
  if (slot == kNoSlot) {
    if (restricted_) return;
    slot = make_slot(n);
  }
  Slot& s = slots_[slot];
  const bool waiting = std::any_of(s.grads.begin(), s.grads.end(), [](const Tensor& t) { return t.defined(); });
  STRATA_CHECK(edge.input_nr < s.grads.size(), "backward: an edge leads to gradient {} of {}, which takes {}",
               edge.input_nr, n.name(), s.grads.size());
  accumulate(s.grads[edge.input_nr], std::move(grad));
  if (!waiting) enqueue(slot);
}

void Task::restrict_to(const std::vector<Edge>& roots, const std::vector<Edge>& inputs) {
  restricted_ = true;
  captured.resize(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) captures_.push_back({inputs[i], i});
  std::vector<Node*> reachable, stack;
  const auto visit = [&](const Edge& e) {
    if (!e || find_slot(*e.function) != kNoSlot) return;
    make_slot(*e.function);
    reachable.push_back(e.function.get());
    stack.push_back(e.function.get());
  };
  for (const Edge& e : roots) visit(e);
  while (!stack.empty()) {
    Node* const n = stack.back();
    stack.pop_back();
    for (uint32_t i = 0; i < n->num_outputs(); ++i) visit(n->edge(i));
  }
  // Producers first: a node is needed if an input of the task lies behind one of its edges.
  std::sort(reachable.begin(), reachable.end(), [](Node* a, Node* b) { return a->sequence_nr() < b->sequence_nr(); });
  const auto captured_here = [&](const Node* n) {
    return std::any_of(captures_.begin(), captures_.end(),
                       [n](const Capture& c) { return c.edge.function.get() == n; });
  };
  std::vector<bool> leads(slots_.size(), false);
  for (Node* n : reachable) {
    const uint32_t slot = find_slot(*n);
    bool behind = false;
    for (uint32_t i = 0; i < n->num_outputs(); ++i) behind |= n->edge(i) && leads[find_slot(*n->edge(i).function)];
    slots_[slot].needed = behind;
    leads[slot] = behind || captured_here(n);
  }
  // A tensor that alone is differentiated shows its gradient to its hooks in any case, as in PyTorch.
  if (roots.size() == 1) leads[find_slot(*roots[0].function)] = true;
  // What leads nowhere gives its slot back, so that gradients towards it are dropped.
  for (Node* n : reachable) {
    const uint32_t slot = find_slot(*n);
    if (leads[slot]) continue;
    release_claim(*n);
    slots_[slot].node = nullptr;
  }
}

/// A hook may change the numbers of a gradient, not what kind of tensor it is.
void check_replacement(const Tensor& grad, const Tensor& replaced, const Node& n) {
  STRATA_CHECK(replaced.sizes() == grad.sizes(), "hook on {}: the gradient has shape {}, the hook returned {}",
               n.name(), grad.sizes(), replaced.sizes());
  STRATA_CHECK(replaced.dtype() == grad.dtype(), "hook on {}: the gradient is {}, the hook returned {}", n.name(),
               name(grad.dtype()), name(replaced.dtype()));
  STRATA_CHECK(replaced.device() == grad.device(), "hook on {}: the gradient is on {}, the hook returned one on {}",
               n.name(), grad.device().str(), replaced.device().str());
}

/// Of a program's hooks on a whole node, which may give fewer or more gradients than there are.
Tensors replaced_by(variable_list given, size_t count, const Node& n) {
  STRATA_CHECK(given.size() == count, "hook on {}: expected {} gradients, the hook returned {}", n.name(), count,
               given.size());
  Tensors out = Tensors::undefined(count);
  std::move(given.begin(), given.end(), out.begin());
  return out;
}

using PreHooks = std::vector<std::unique_ptr<FunctionPreHook>>;
void run_pre_hooks(const PreHooks& hooks, const Node& n, Tensors& grads) {
  for (const auto& hook : hooks) grads = replaced_by((*hook)({grads.begin(), grads.end()}), grads.size(), n);
}

void Task::run_hooks(Node& n, Tensors& grads) {
  if (const NodeHooks* const whole = n.active_node_hooks()) [[unlikely]]
    run_pre_hooks(whole->of_tensors, n, grads);
  const std::vector<HookEntry>* const hooks = n.active_hooks();
  if (!hooks) return;
  for (const HookEntry& h : std::vector(*hooks)) {  // a copy, because a hook may remove itself
    if (!grads[h.nr].defined()) continue;
    Tensor replaced = h.hook->run(grads[h.nr]);
    if (!replaced.defined()) continue;
    check_replacement(grads[h.nr], replaced, n);
    grads[h.nr] = std::move(replaced);
  }
}

void Task::capture(const Node& n, const Tensors& grads) {
  for (const Capture& c : captures_)
    if (c.edge.function.get() == &n) captured[c.index] = grads[c.edge.input_nr];
}

/// libtorch's words of an error in anomaly mode, which say more than the error where that is caught and dropped.
void warn_of_error(const Node& n) {
  if (n.origin().empty())
    return warn(
        "Error detected in {}. No forward pass information available. Enable detect anomaly during forward "
        "pass for more information.",
        n.name());
  warn("Error detected in {}. Traceback of forward call that caused the error: {}", n.name(), n.origin());
}

Tensors Task::apply(Node& n, Tensors grads) {
  const profiler::BackwardRange row([&] { return n.name(); });
  try {
    Tensors out = n.run(std::move(grads));
    if (AnomalyMode::is_enabled() && AnomalyMode::should_check_nan()) [[unlikely]] {
      for (size_t i = 0; i < out.size(); ++i)
        STRATA_CHECK(!out[i].defined() || !out[i].isnan().any().item<bool>(),
                     "backward gave NaN: Function '{}' returned nan values in its {}th output", n.name(), i);
    }
    return out;
  } catch (const IndexError&) {
    throw;
  } catch (Error& e) {
    if (AnomalyMode::is_enabled()) warn_of_error(n);
    const std::string recorded = n.origin().empty() ? std::string() : ", recorded by " + n.origin();
    e.replace_what(std::string(e.what()) + " (in " + n.name() + recorded + ")");
    throw;
  }
}

Tensors Task::apply_between_hooks(Node& n, Tensors grads, const NodeHooks& hooks) {
  run_pre_hooks(hooks.before, n, grads);
  const variable_list given(grads.begin(), grads.end());
  Tensors out = apply(n, std::move(grads));
  for (const auto& hook : hooks.after) out = replaced_by((*hook)({out.begin(), out.end()}, given), out.size(), n);
  return out;
}

void Task::evaluate(Node& n, Tensors grads, bool needed) {
  run_hooks(n, grads);
  capture(n, grads);
  if (restricted_ && !needed) return;
  const NodeHooks* const hooks = n.active_node_hooks();
  Tensors out = hooks ? apply_between_hooks(n, std::move(grads), *hooks) : apply(n, std::move(grads));
  if (!options_.keep_graph) n.release_saved();
  for (uint32_t i = 0; i < out.size(); ++i)
    if (n.edge(i) && out[i].defined()) add(n.edge(i), std::move(out[i]));
}

Task* Task::current() { return current_task; }

void Task::run() {
  const AutoGradMode mode(options_.create_graph);
  const Temporarily<Task*> innermost(current_task, this);
  const KeyOff autocast_off(Key::Autocast);  // rules compute in the types of what they are given
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end());
    const uint32_t slot = heap_.back().slot;
    heap_.pop_back();
    Slot& s = slots_[slot];
    Node& n = *s.node;
    Tensors grads = std::move(s.grads);
    const bool needed = s.needed;
    release_claim(n);
    s.node = nullptr;
    s.grads = Tensors();
    free_slots_.push_back(slot);
    evaluate(n, std::move(grads), needed);
  }
  for (size_t i = 0; i < callbacks_.size(); ++i) {  // one may queue another
    const EndCallback callback = std::move(callbacks_[i]);
    callback();
  }
}

// Note [Backward inside backward]
// A hook or a custom function may call backward, whose nodes may call it again, as deep as the user's data says. Every
// level takes stack, so every kLevelsPerStack-th goes on in a thread with a stack of its own, which the caller waits
// for. What belongs to the thread goes along.
constexpr int kLevelsPerStack = 48;
constinit thread_local int levels = 0;

/// Runs `f` in another thread as this one would.
template <class F>
void on_new_stack(F f, Device device) {
  const ThreadState state = thread_state;
  const autocast::Settings precision = autocast::settings();
  void* const stream = device.is_cpu() ? nullptr : device_backend(device.type()).current_stream(device.index());
  std::exception_ptr error;
  std::thread thread([&] {
    try {
      const autocast::Restored same_precision(precision);
      const ThreadStateGuard same_state(state);
      const DeviceGuard same_device(device);
      if (stream) device_backend(device.type()).set_current_stream(device.index(), stream);
      f();
    } catch (...) {
      error = std::current_exception();
    }
  });
  thread.join();
  if (error) std::rethrow_exception(error);
}

/// Runs `f` one level deeper: see Note [Backward inside backward].
template <class F>
void one_level_deeper(F f, TensorList grads) {
  if (levels < kLevelsPerStack) {
    const Temporarily<int> deeper(levels, levels + 1);
    return f();
  }
  on_new_stack(f, grads.empty() ? kCPU : grads[0].device());
}

}  // namespace

void run_backward(const std::vector<Edge>& roots, TensorList grads, BackwardOptions options) {
  one_level_deeper(
      [&] {
        Task task(options);
        for (size_t i = 0; i < roots.size(); ++i) task.add(roots[i], grads[i]);
        task.run();
      },
      grads);
}

std::vector<Tensor> run_grad(const std::vector<Edge>& roots, TensorList grads, const std::vector<Edge>& inputs,
                             BackwardOptions options) {
  std::vector<Tensor> captured;
  one_level_deeper(
      [&] {
        Task task(options);
        task.restrict_to(roots, inputs);
        for (size_t i = 0; i < roots.size(); ++i) task.add(roots[i], grads[i]);
        task.run();
        captured = std::move(task.captured);
      },
      grads);
  return captured;
}

bool keeps_graph() { return !Task::current() || Task::current()->keeps_graph(); }
bool accumulates_into_leaves() { return Task::current() && Task::current()->accumulates(); }

void queue_callback(EndCallback callback) {
  Task* const task = Task::current();
  STRATA_CHECK(task, "queue_callback: no backward pass runs on this thread");
  task->queue(std::move(callback));
}

void queue_callback_of_outermost(EndCallback callback) {
  Task* const task = Task::current();
  STRATA_CHECK(task, "queue_callback_of_outermost: no backward pass runs on this thread");
  task->outermost().queue(std::move(callback));
}

variable_list Engine::run(const std::vector<Edge>& roots, const variable_list& grads, bool keep_graph,
                          bool create_graph, bool accumulate_grad, const std::vector<Edge>& outputs) {
  STRATA_CHECK(roots.size() == grads.size(), "Engine::execute: {} roots and {} gradients", roots.size(), grads.size());
  STRATA_CHECK(outputs.empty() || !accumulate_grad,
               "Engine::execute: gradients of given outputs are returned and accumulated nowhere");
  const BackwardOptions options{keep_graph, create_graph};
  if (!outputs.empty()) return run_grad(roots, grads, outputs, options);
  run_backward(roots, grads, options);
  return {};
}

Engine& Engine::get_default_engine() {
  static Engine engine;
  return engine;
}

}  // namespace strata::autograd
