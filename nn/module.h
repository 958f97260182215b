// The base of all modules: a tree of named parameters, buffers and children, with the holders that pass modules around
// by reference.
#pragma once
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "../core/arg.h"
#include "../core/function.h"
#include "../core/ordered_dict.h"
#include "../core/tensor.h"
#include "../ops/serialize.h"
#include "../profiler/ranges.h"
#include "hooks.h"

namespace strata::nn {

class Module;
template <class Contained>
class ModuleHolder;
namespace detail {
class ConstructionScope;
class ForwardScope;
struct BackwardCall;
}  // namespace detail

using ModuleDictionary = OrderedDict<std::string, std::shared_ptr<Module>>;

/// A part of a model. Derive from it, register parameters, buffers and children under names in the constructor, and
/// write `forward`. Modules are held by shared_ptr (or by a ModuleHolder around one); the names are the keys in files.
class Module : public std::enable_shared_from_this<Module> {
 public:
  /// Without a name, `name()` is the class's name.
  explicit Module(std::string name);
  Module();
  Module(const Module&);
  Module& operator=(const Module&);
  Module(Module&&) noexcept;
  Module& operator=(Module&&) noexcept;
  virtual ~Module();

  const std::string& name() const;
  /// Where the module stands in the tree that it was first registered in, as `named_modules` of the root calls it:
  /// `encoder.layers.2.linear1`; empty for a root. Errors thrown in a call of it, and the profiler's rows, carry it.
  std::string path() const;

  /// A deep copy; only modules derived from Cloneable can.
  virtual std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const;

  /// Calls `f` with this module and then with every module below it, parents first. `f` takes one of `(Module&)`,
  /// `(const std::string& name, Module&)`, `(const std::shared_ptr<Module>&)`, `(const std::string& name, const
  /// std::shared_ptr<Module>&)`.
  template <class F>
  void apply(F&& f, const std::string& name_prefix = {}) const;
  template <class F>
  void apply(F&& f, const std::string& name_prefix = {});

  /// A tensor shared by several modules appears once, under its first name.
  std::vector<Tensor> parameters(bool recurse = true) const;
  OrderedDict<std::string, Tensor> named_parameters(bool recurse = true) const;
  std::vector<Tensor> buffers(bool recurse = true) const;
  OrderedDict<std::string, Tensor> named_buffers(bool recurse = true) const;
  std::vector<std::shared_ptr<Module>> modules(bool include_self = true) const;
  ModuleDictionary named_modules(const std::string& name_prefix = {}, bool include_self = true) const;
  std::vector<std::shared_ptr<Module>> children() const;
  ModuleDictionary named_children() const;

  virtual void train(bool on = true);
  void eval() { train(false); }
  virtual bool is_training() const noexcept { return is_training_; }

  /// Moves parameters, buffers and gradients. A dtype applies to the floating point ones only, so counters stay
  /// integers.
  virtual void to(Device device, DType dtype, bool non_blocking = false);
  virtual void to(DType dtype, bool non_blocking = false);
  virtual void to(Device device, bool non_blocking = false);

  virtual void zero_grad(bool set_to_none = true);

  virtual void save(serialize::OutputArchive& archive) const;
  /// Throws when a name is missing or a shape differs.
  virtual void load(serialize::InputArchive& archive);
  virtual bool is_serializable() const { return true; }

  /// The one-line description without the children.
  virtual void pretty_print(std::ostream& stream) const;

  /// This module as a `T`, or null when it is none; T is a module class or a holder.
  template <class T>
  auto* as() noexcept {
    if constexpr (requires { typename T::ContainedType; })
      return dynamic_cast<typename T::ContainedType*>(this);
    else
      return dynamic_cast<T*>(this);
  }
  template <class T>
  const auto* as() const noexcept {
    return const_cast<Module*>(this)->as<T>();
  }

  Tensor& register_parameter(std::string name, Tensor tensor, bool requires_grad = true);
  Tensor& register_buffer(std::string name, Tensor tensor);
  template <class T>
  std::shared_ptr<T> register_module(std::string name, std::shared_ptr<T> module) {
    add_child(std::move(name), module);
    return module;
  }
  template <class T>
  std::shared_ptr<T> register_module(std::string name, ModuleHolder<T> holder) {
    return register_module(std::move(name), holder.ptr());
  }
  template <class T>
  std::shared_ptr<T> replace_module(const std::string& name, std::shared_ptr<T> module) {
    replace_child(name, module);
    return module;
  }
  template <class T>
  std::shared_ptr<T> replace_module(const std::string& name, ModuleHolder<T> holder) {
    return replace_module(name, holder.ptr());
  }
  void unregister_module(const std::string& name);
  /// Forgets a parameter; the tensor lives on where else it is held.
  void unregister_parameter(const std::string& name) { parameters_.erase(name); }

  /// Puts `tensor` in the place of a parameter that exists, so that two modules may share one:
  /// `decoder->weight = decoder->replace_parameter("weight", embedding->weight)`. It keeps whether it requires grad.
  Tensor& replace_parameter(const std::string& name, Tensor tensor);
  /// Does nothing: threads of a process share all tensors as they are.
  Module& share_memory() { return *this; }

  using ForwardHook = strata::detail::Function<void(Module&)>;
  /// Runs `hook` before each `forward` of this module that is called through a holder, a Sequential or an AnyModule;
  /// `module->forward(x)` runs none. Copies and clones have no hooks. It takes `(Module&)` or `(Module&, const
  /// std::vector<Tensor>& inputs)`; the latter may return as many tensors (or one) to call with in their place.
  template <class F>
  RemovableHandle register_forward_pre_hook(F hook) {
    if constexpr (std::is_invocable_v<F&, Module&>)
      return add_before(std::move(hook));
    else
      return add_inputs_hook(detail::make_module_hook<const Tensors&>(std::move(hook)));
  }
  /// Runs `hook` when such a call is over. As `(Module&)` it must not throw, and runs too where an exception left the
  /// call; as `(Module&, const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs)` it runs before those
  /// where there is a result, and may return other outputs.
  template <class F>
  RemovableHandle register_forward_hook(F hook) {
    if constexpr (std::is_invocable_v<F&, Module&>)
      return add_after(std::move(hook));
    else
      return add_outputs_hook(detail::make_module_hook<const Tensors&, const Tensors&>(std::move(hook)));
  }
  /// Runs `hook(Module&, const std::vector<Tensor>& grad_inputs, const std::vector<Tensor>& grad_outputs)` in backward
  /// when the gradients of such a call's inputs are known; it may return others in place of grad_inputs. Inputs without
  /// a gradient have an undefined one; where none has one it runs when those of the outputs are known.
  template <class F>
  RemovableHandle register_full_backward_hook(F hook) {
    return add_backward_hook(detail::make_module_hook<const Tensors&, const Tensors&>(std::move(hook)),
                             &detail::attach_hook<GradientHook<F>>);
  }
  /// Runs `hook(Module&, const std::vector<Tensor>& grad_outputs)` before that; it may return other ones.
  template <class F>
  RemovableHandle register_full_backward_pre_hook(F hook) {
    return add_backward_pre_hook(detail::make_module_hook<const Tensors&>(std::move(hook)),
                                 &detail::attach_hook<GradientHook<F>>);
  }
  /// Removes any of these hooks, as `handle.remove()` does.
  void remove_forward_hook(HookHandle handle);

 protected:
  OrderedDict<std::string, Tensor> parameters_;

 private:
  template <class Derived>
  friend class Cloneable;
  friend class detail::ForwardScope;
  friend class detail::ConstructionScope;
  friend std::ostream& operator<<(std::ostream& stream, const Module& module);

  using Tensors = std::vector<Tensor>;
  using InputsHook = strata::detail::Function<detail::HookResult(Module&, const Tensors&)>;
  using OutputsHook = strata::detail::Function<detail::HookResult(Module&, const Tensors&, const Tensors&)>;
  using AttachHook = HookHandle (*)(const Tensor&, detail::OnGradient);
  /// detail::OnGradient, by a name that waits for F: autograd's headers need not stand before this one.
  template <class F>
  using GradientHook = std::conditional_t<std::is_void_v<F>, F, detail::OnGradient>;

  /// Hooks belong to one object: a copy begins without, and assignment leaves those that are there.
  struct ForwardHooks {
    ForwardHooks() = default;
    ForwardHooks(const ForwardHooks&) noexcept {}
    ForwardHooks& operator=(const ForwardHooks&) noexcept { return *this; }
    ~ForwardHooks() = default;
    std::shared_ptr<detail::HookLists> lists;
  };
  detail::HookLists& hook_lists();
  RemovableHandle handle_of(HookHandle number) const;
  RemovableHandle add_before(ForwardHook hook);
  RemovableHandle add_after(ForwardHook hook);
  RemovableHandle add_inputs_hook(InputsHook hook);
  RemovableHandle add_outputs_hook(OutputsHook hook);
  RemovableHandle add_backward_hook(OutputsHook hook, AttachHook attach);
  RemovableHandle add_backward_pre_hook(InputsHook hook, AttachHook attach);
  struct Named {
    std::string name;
    Module* module;
  };
  void mark_as_pattern() const noexcept { const_cast<Module*>(this)->place_.is_pattern = true; }
  virtual void clone_(Module& other, const std::optional<Device>& device);
  /// Where the object is registered. As hooks it belongs to one object: copies stand nowhere yet.
  struct Place {
    Place() = default;
    Place(const Place&) noexcept {}
    Place& operator=(const Place&) noexcept { return *this; }
    ~Place() = default;
    Module* parent = nullptr;
    bool is_pattern = false;  ///< it was cloned: its copies are what is registered
  };
  void add_child(std::string name, std::shared_ptr<Module> module);
  void replace_child(const std::string& name, std::shared_ptr<Module> module);
  void take_children() noexcept;
  void leave_children() noexcept;
  void collect(std::vector<Named>& out, const std::string& name) const;
  std::vector<Named> tree(const std::string& name_prefix) const;
  std::shared_ptr<Module> shared_from_this_checked() const;
  OrderedDict<std::string, Tensor> collect_tensors(bool recurse, OrderedDict<std::string, Tensor> Module::*which) const;
  void convert(std::optional<Device> device, std::optional<DType> dtype);
  void print_tree(std::ostream& stream, const std::string& indentation) const;
  void forget_state();
  void copy_state_to(Module& copy, const std::optional<Device>& device) const;

  OrderedDict<std::string, Tensor> buffers_;
  ModuleDictionary children_;
  mutable std::string name_;
  ForwardHooks forward_hooks_;
  Place place_;
  bool is_training_ = true;
};

namespace detail {
/// One call of a module, between its hooks, and its row where a profiler looks.
class ForwardScope {
 public:
  /// Whether a call needs one: a look at a pointer and at the thread's keys.
  static bool wanted(const Module& module) {
    return module.forward_hooks_.lists != nullptr || profiler::OpenRange::wanted();
  }
  explicit ForwardScope(Module& module) : module_(&module), lists_(module.forward_hooks_.lists) {
    if (profiler::OpenRange::wanted()) open_row();
    if (lists_) run_before();
  }
  ~ForwardScope() {
    if (lists_) run_after();
  }
  ForwardScope(const ForwardScope&) = delete;
  ForwardScope& operator=(const ForwardScope&) = delete;

  bool has_hooks() const noexcept { return lists_ != nullptr; }
  /// What hooks that see tensors do to the inputs and, after the call, to its outputs.
  void before(HookTensors& inputs);
  void after(HookTensors& outputs);
  /// The same for outputs that are not the call's own, which hooks may see but not replace.
  void after_references(const HookTensors& outputs);

 private:
  void open_row();
  void run_before() const;
  void run_after() const noexcept;
  Module* module_;
  std::shared_ptr<HookLists> lists_;
  HookTensors shown_;
  std::shared_ptr<BackwardCall> backward_;
  profiler::OpenRange row_;
};

/// Puts the path of the module that an error left first before its message, unless that is a root.
[[gnu::cold]] void name_module(Error& error, const Module& module);

/// While a holder makes a module: afterwards, those made inside that have parameters, and were neither registered nor
/// used as patterns, are warned of, since `parameters()` of the module does not see them.
class ConstructionScope {
 public:
  ConstructionScope();
  ~ConstructionScope();
  ConstructionScope(const ConstructionScope&) = delete;
  ConstructionScope& operator=(const ConstructionScope&) = delete;
  void made(const Module& module);

 private:
  friend class nn::Module;
  static void add(Module& module);
  static void forget(const Module& module) noexcept;
  ConstructionScope* const outer_;
  std::vector<const Module*> inside_;
};

/// The argument itself, or the next of the tensors where it is one.
template <class Arg>
decltype(auto) hooked_argument(std::remove_reference_t<Arg>& arg, HookTensors& tensors, size_t& next) {
  if constexpr (std::is_same_v<std::remove_cvref_t<Arg>, Tensor>)
    return static_cast<std::conditional_t<std::is_lvalue_reference_v<Arg>, Tensor&, Tensor&&>>(tensors[next++]);
  else
    return static_cast<Arg&&>(arg);
}

/// `module.forward(args...)` with hooks that see the tensors among arguments and results.
template <class M, class... Args>
decltype(auto) forward_between_hooks(ForwardScope& scope, M& module, Args&&... args) {
  using Result = decltype(module.forward(std::forward<Args>(args)...));
  HookTensors inputs;
  const auto add = [](HookTensors& list) { return [&list](const Tensor& t) { list.push_back(t); }; };
  auto add_input = add(inputs);
  (
      [&] {
        if constexpr (std::is_same_v<std::remove_cvref_t<Args>, Tensor>) add_input(args);
      }(),
      ...);
  scope.before(inputs);
  size_t next = 0;
  // Braces: arguments are taken in their order.
  std::tuple<decltype(hooked_argument<Args&&>(args, inputs, next))...> given{
      hooked_argument<Args&&>(args, inputs, next)...};
  const auto call = [&]() -> Result {
    return std::apply([&](auto&&... each) -> Result { return module.forward(static_cast<decltype(each)>(each)...); },
                      std::move(given));
  };
  HookTensors outputs;
  if constexpr (std::is_void_v<Result>) {
    call();
    scope.after(outputs);
  } else if constexpr (std::is_reference_v<Result>) {
    Result result = call();
    auto add_output = add(outputs);
    visit_tensors(result, add_output);
    scope.after_references(outputs);
    return static_cast<Result>(result);
  } else {
    Result result = call();
    auto add_output = add(outputs);
    visit_tensors(result, add_output);
    scope.after(outputs);
    size_t i = 0;
    auto take = [&](Tensor& t) { t = outputs[i++]; };
    visit_tensors(result, take);
    return result;
  }
}

template <class M, class... Args>
decltype(auto) watched_forward(M& module, Args&&... args) {
  ForwardScope scope(module);
  if (scope.has_hooks()) return forward_between_hooks(scope, module, std::forward<Args>(args)...);
  return module.forward(std::forward<Args>(args)...);
}
}  // namespace detail

/// The module's line and, indented below it, those of its children.
std::ostream& operator<<(std::ostream& stream, const Module& module);

serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const Module& module);
serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const std::shared_ptr<Module>& module);
/// Loads all or, when something does not fit, nothing.
serialize::InputArchive& operator>>(serialize::InputArchive& archive, Module& module);
serialize::InputArchive& operator>>(serialize::InputArchive& archive, const std::shared_ptr<Module>& module);

template <class F>
void Module::apply(F&& f, const std::string& name_prefix) const {
  for (const Named& m : tree(name_prefix)) {
    const Module& module = *m.module;
    if constexpr (std::is_invocable_v<F&, const Module&>)
      f(module);
    else if constexpr (std::is_invocable_v<F&, const std::string&, const Module&>)
      f(m.name, module);
    else if constexpr (std::is_invocable_v<F&, const std::shared_ptr<Module>&>)
      f(m.module->shared_from_this_checked());
    else
      f(m.name, m.module->shared_from_this_checked());
  }
}

template <class F>
void Module::apply(F&& f, const std::string& name_prefix) {
  for (const Named& m : tree(name_prefix)) {
    Module& module = *m.module;
    if constexpr (std::is_invocable_v<F&, Module&>)
      f(module);
    else if constexpr (std::is_invocable_v<F&, const std::string&, Module&>)
      f(m.name, module);
    else if constexpr (std::is_invocable_v<F&, const std::shared_ptr<Module>&>)
      f(m.module->shared_from_this_checked());
    else
      f(m.name, m.module->shared_from_this_checked());
  }
}

/// A module that can be cloned: it makes all its parameters, buffers and children in `reset()`, which its constructor
/// calls.
template <class Derived>
class Cloneable : public Module {
 public:
  using Module::Module;
  virtual void reset() = 0;
  std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const override {
    // Owned as a Module: make_shared would compile a type of its own for each class.
    auto* copy = new Derived(static_cast<const Derived&>(*this));
    const std::shared_ptr<Module> owner(static_cast<Module*>(copy));
    this->mark_as_pattern();
    copy->forget_state();
    copy->reset();
    copy_state_to(*copy, device);
    return owner;
  }

 private:
  void clone_(Module& other, const std::optional<Device>& device) final {
    const std::shared_ptr<Module> copy = other.clone(device);
    const auto* derived = dynamic_cast<const Derived*>(copy.get());
    STRATA_CHECK(derived != nullptr, "clone: {} is no {} any more", other.name(), name());
    static_cast<Derived&>(*this) = *derived;
  }
};

namespace detail {
struct HolderBase {};
[[noreturn]] void fail_empty_holder();
template <class T>
inline constexpr bool is_holder = std::is_base_of_v<HolderBase, std::remove_cvref_t<T>>;
template <class T>
inline constexpr bool is_module = std::is_base_of_v<Module, std::remove_cvref_t<T>>;
}  // namespace detail

/// A shared_ptr that makes its module itself: `Linear fc(4, 5)`; `Linear fc = nullptr` or `{nullptr}` stays empty.
/// Copies of a holder are the same module.
template <class Contained>
class ModuleHolder : detail::HolderBase {
 public:
  using ContainedType = Contained;
  ModuleHolder() : impl_(default_construct()) {}
  ModuleHolder(std::nullptr_t) {}
  template <class Head, class... Tail>
  requires(sizeof...(Tail) > 0 ||
           !std::is_base_of_v<ModuleHolder, std::remove_cvref_t<Head>>) explicit ModuleHolder(Head&& head,
                                                                                              Tail&&... tail)
      : impl_(make(std::forward<Head>(head), std::forward<Tail>(tail)...)) {}
  ModuleHolder(std::shared_ptr<Contained> module) : impl_(std::move(module)) {}

  explicit operator bool() const noexcept { return impl_ != nullptr; }
  bool is_empty() const noexcept { return impl_ == nullptr; }
  Contained* operator->() { return get(); }
  const Contained* operator->() const { return get(); }
  Contained& operator*() { return *get(); }
  const Contained& operator*() const { return *get(); }
  const std::shared_ptr<Contained>& ptr() const {
    check();
    return impl_;
  }
  Contained* get() {
    check();
    return impl_.get();
  }
  const Contained* get() const {
    check();
    return impl_.get();
  }
  template <class... Args>
  decltype(auto) operator()(Args&&... args) {
    Contained& module = *get();
    try {
      if (detail::ForwardScope::wanted(module)) [[unlikely]]
        return detail::watched_forward(module, std::forward<Args>(args)...);
      return module.forward(std::forward<Args>(args)...);
    } catch (Error& error) {
      detail::name_module(error, module);
      throw;
    }
  }
  template <class Index>
  decltype(auto) operator[](Index&& index) {
    return (*get())[std::forward<Index>(index)];
  }

 protected:
  std::shared_ptr<Contained> impl_;

 private:
  void check() const {
    if (!impl_) [[unlikely]]
      detail::fail_empty_holder();
  }
  template <class... Args>
  static std::shared_ptr<Contained> make(Args&&... args) {
    detail::ConstructionScope scope;
    std::shared_ptr<Contained> module(new Contained(std::forward<Args>(args)...));
    if constexpr (detail::is_module<Contained>) scope.made(*module);
    return module;
  }
  static std::shared_ptr<Contained> default_construct() {
    if constexpr (std::is_default_constructible_v<Contained>)
      return make();
    else
      static_assert(!sizeof(Contained),
                    "this module has no default constructor; write `= nullptr` to leave the holder empty");
  }
};

template <class T>
std::ostream& operator<<(std::ostream& stream, const ModuleHolder<T>& module) {
  return stream << static_cast<const Module&>(*module);
}
template <class T>
serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const ModuleHolder<T>& module) {
  return archive << static_cast<const Module&>(*module);
}
template <class T>
serialize::InputArchive& operator>>(serialize::InputArchive& archive, ModuleHolder<T>& module) {
  return archive >> static_cast<Module&>(*module);
}

/// What most built-in modules are: an options struct and no parameters of their own.
template <class Derived, class Options>
class ModuleWithOptions : public Cloneable<Derived> {
 public:
  ModuleWithOptions() requires std::is_default_constructible_v<Options>
  = default;
  explicit ModuleWithOptions(const Options& options_) : options(options_) {}
  void reset() override {}
  Options options;
};

}  // namespace strata::nn

/// `STRATA_MODULE(Net)` after `struct NetImpl : nn::Module` declares the holder `Net`.
#define STRATA_MODULE_IMPL(Name, ImplType)                                \
  class Name : public ::strata::nn::ModuleHolder<ImplType> { /* NOLINT */ \
   public:                                                                \
    using ::strata::nn::ModuleHolder<ImplType>::ModuleHolder;             \
    using Impl [[maybe_unused]] = ImplType;                               \
  }
#define STRATA_MODULE(Name) STRATA_MODULE_IMPL(Name, Name##Impl)
