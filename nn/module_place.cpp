// Where modules stand in their trees: what errors and profiles call them, and those that were forgotten.
#include <algorithm>

#include "core/hints.h"
#include "nn/module.h"

namespace strata::nn {
namespace {
constinit thread_local detail::ConstructionScope* construction = nullptr;
}

Module& Module::operator=(const Module& other) {
  if (this == &other) return *this;
  leave_children();
  parameters_ = other.parameters_;
  buffers_ = other.buffers_;
  children_ = other.children_;
  name_ = other.name_;
  is_training_ = other.is_training_;
  take_children();
  return *this;
}
Module::Module(Module&& other) noexcept : Module(std::as_const(other)) { take_children(); }
Module& Module::operator=(Module&& other) noexcept { return *this = std::as_const(other); }

/// Children belong to who took them last: of an assignment the one that stays is the one assigned to.
void Module::take_children() noexcept {
  for (const auto& child : children_)
    if (child.value()) child.value()->place_.parent = this;
}
void Module::leave_children() noexcept {
  for (const auto& child : children_)
    if (child.value() && child.value()->place_.parent == this) child.value()->place_.parent = nullptr;
}

std::string Module::path() const {
  const Module* const parent = place_.parent;
  if (!parent) return {};
  std::string path = parent->path();
  for (const auto& child : parent->children_)
    if (child.value().get() == this) return path.empty() ? child.key() : path + "." + child.key();
  return path;
}

namespace detail {

void ForwardScope::open_row() {
  const std::string path = module_->path();
  row_.open(profiler::EventKind::kModule, path.empty() ? module_->name() : path);
}

void name_module(Error& error, const Module& module) {
  static thread_local std::string named;  // the last message with a path: modules further out see it too
  if (error.msg() == named) return;
  const std::string path = module.path();
  if (path.empty()) return;
  named = path + ": " + error.msg();
  const std::vector<std::string> context = error.context();
  error = Error(named);
  for (const std::string& line : context) error.add_context(line);
}

ConstructionScope::ConstructionScope() : outer_(construction) { construction = this; }
ConstructionScope::~ConstructionScope() { construction = outer_; }

void ConstructionScope::add(Module& module) {
  if (construction) construction->inside_.push_back(&module);
}
void ConstructionScope::forget(const Module& module) noexcept {
  for (ConstructionScope* scope = construction; scope; scope = scope->outer_) std::erase(scope->inside_, &module);
}

void ConstructionScope::made(const Module& module) {
  if (outer_) outer_->inside_.push_back(&module);
  for (const Module* m : inside_) {
    if (m == &module || m->place_.parent || m->place_.is_pattern) continue;
    if (m->parameters().empty() && m->buffers().empty()) continue;
    hint(strata::detail::format_message(
        "{} holds {} that was not registered: parameters(), to() and save() do not see it; use register_module",
        {module.name(), m->name()}));
  }
}

}  // namespace detail
}  // namespace strata::nn
