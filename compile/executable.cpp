// Choosing between a plan and the dispatcher, and keeping plans by the layout of the inputs.
#include "compile/executable.h"

#include <algorithm>

#include "compile/donate.h"
#include "compile/passes.h"
#include "compile/plan.h"
#include "dispatcher/fallback.h"
#include "dispatcher/names.h"

namespace strata::func::compiling {
namespace {

/// Layouts for which a plan is kept; inputs that come in more run through the dispatcher.
constexpr int kMostPlans = 8;

/// A view carries the key of autograd whether or not it records.
KeySet keys_seen(const Tensor& t) { return t.requires_grad() ? t.keys() : t.keys() - KeySet(Key::Autograd); }

/// Calls `f` with the tensors whose layout a plan depends on: inputs that are defined, and captured ones.
template <class F>
void for_each_laid_out(const Program& program, TensorList inputs, F f) {
  for (const Tensor& t : inputs)
    if (t.defined()) f(t);
  for (const Program::Constant& c : program.constants())
    if (c.captured) f(c.value);
}

/// Where arguments are donated, some tensor is defined.
bool are_on_cpu(TensorList inputs) {
  return std::all_of(inputs.begin(), inputs.end(), [](const Tensor& t) { return !t.defined() || t.is_cpu(); });
}

void check_captured(const Program& program) {
  for (const Program::Constant& c : program.constants()) {
    const Program::Type& then = program.type(c.variable);
    if (!c.captured || (c.value.dtype() == then.dtype && c.value.sizes() == then.sizes)) continue;
    const Program::Type now{c.value.dtype(), c.value.device(), c.value.sizes()};
    STRATA_THROW(
        "compile: a tensor that the function captured was {} when it was traced and is {} now; pass it as an "
        "argument",
        then.str(), now.str());
  }
}

/// Effects are written at the end of a run, so nothing else may show what they write to.
void check_apart(const Program& program, TensorList inputs) {
  const auto value_of = [&](Variable v) -> const Tensor& {
    for (size_t i = 0; i < inputs.size(); ++i)
      if (program.inputs()[i] == v) return inputs[i];
    return std::find_if(program.constants().begin(), program.constants().end(),
                        [&](const Program::Constant& c) { return c.variable == v; })
        ->value;
  };
  for (const Program::Effect& e : program.effects()) {
    const Tensor& written = value_of(e.target);
    int shown = 0;
    for_each_laid_out(program, inputs, [&](const Tensor& t) { shown += dispatch::overlaps(written, t); });
    STRATA_CHECK(shown <= 1,
                 "compile: the function writes to a tensor of shape {} whose memory another argument or "
                 "captured tensor shows as well; clone() one of them",
                 written.sizes());
  }
}

}  // namespace

Executable::Executable(Program program, std::vector<bool> donated)
    : program_(std::move(program)), simplified_(passes::simplify(program_)), donated_(std::move(donated)) {
  check_not_written(program_, donated_);
}

Executable::~Executable() {
  for (const Planned* p = planned_.load(); p;) delete std::exchange(p, p->next);
}

bool Executable::is_plain(TensorList inputs) const {
  KeySet keys = thread_state.included;
  bool have_data = true;
  const auto look = [&](const Tensor& t) {
    keys = keys | keys_seen(t);
    have_data = have_data && t.impl()->has_data();
  };
  for (const Tensor& t : inputs)
    if (t.defined()) look(t);
  for (const Program::Constant& c : program_.constants()) look(c.value);
  // Inside of a rule of a transform results are laid out otherwise: Note [Order of dims].
  return have_data && thread_state.level == 0 && !(keys - thread_state.excluded).has_layer();
}

/// Null where the program cannot be planned, or not for this layout.
std::unique_ptr<const Plan> Executable::make_plan(TensorList inputs) const {
  try {
    return Plan::make(simplified_, inputs, donated_);
  } catch (const Error&) {  // the dispatcher says what is wrong
    return nullptr;
  }
}

const Executable::Planned* Executable::find(TensorList inputs) const {
  const Planned* p = planned_.load(std::memory_order_acquire);
  for (; p; p = p->next) {
    size_t next = 0;
    bool fits = true;
    for_each_laid_out(simplified_, inputs, [&](const Tensor& t) { fits = fits && t.strides() == p->strides[next++]; });
    if (fits) break;
  }
  return p;
}

const Executable::Planned* Executable::add(TensorList inputs) const {
  const std::lock_guard lock(adding_);
  if (const Planned* const p = find(inputs)) return p;
  const Planned* const others = planned_.load();
  int count = 0;
  for (const Planned* p = others; p; p = p->next) ++count;
  if (count == kMostPlans) return nullptr;
  auto added = std::make_unique<Planned>();
  for_each_laid_out(simplified_, inputs, [&](const Tensor& t) { added->strides.push_back(t.strides()); });
  added->plan = make_plan(inputs);
  added->next = others;
  planned_.store(added.get(), std::memory_order_release);
  return added.release();
}

std::vector<Tensor> Executable::operator()(std::vector<Tensor> inputs) const {
  check_captured(program_);
  if (!program_.effects().empty()) check_apart(program_, inputs);
  if (is_plain(inputs)) {
    if (!donated_.empty() && are_on_cpu(inputs)) take_donated(program_, inputs, donated_);
    const Planned* planned = find(inputs);
    if (!planned) planned = add(inputs);
    if (planned && planned->plan) return planned->plan->run(std::move(inputs));
  }
  return program_(std::move(inputs));
}

}  // namespace strata::func::compiling
