// Modules that hold modules: Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict, and Functional for plain
// functions.
#pragma once
#include "../core/function.h"
#include "any_module.h"

namespace strata::nn {

/// Calls its modules one after the other, each with what the one before returned.
class SequentialImpl : public Cloneable<SequentialImpl> {
 public:
  using Iterator = std::vector<AnyModule>::iterator;
  using ConstIterator = std::vector<AnyModule>::const_iterator;

  SequentialImpl();
  template <class... Modules>
  requires(sizeof...(Modules) > 0 &&
           ((detail::is_module<Modules> || detail::is_holder<Modules> ||
             std::is_same_v<std::remove_cvref_t<Modules>, AnyModule> || requires(Modules m) { AnyModule(m); }) &&
            ...)) explicit SequentialImpl(Modules&&... modules) {
    (push_back(std::forward<Modules>(modules)), ...);
  }
  explicit SequentialImpl(OrderedDict<std::string, AnyModule>&& modules);
  explicit SequentialImpl(std::initializer_list<NamedAnyModule> modules);

  std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const override;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;

  template <class Result = Tensor, class... Inputs>
  Result forward(Inputs&&... inputs) {
    return detail::unpack<Result>(run(AnyModule::pack(std::forward<Inputs>(inputs)...)));
  }

  void push_back(AnyModule module);
  void push_back(std::string name, AnyModule module);
  template <class M>
  requires(!std::is_same_v<std::remove_cvref_t<M>, AnyModule>) void push_back(M&& module) {
    push_back(NamedAnyModule(std::string(), std::forward<M>(module)).module());
  }
  template <class M>
  requires(!std::is_same_v<std::remove_cvref_t<M>, AnyModule>) void push_back(std::string name, M&& module) {
    push_back(std::move(name), NamedAnyModule(std::string(), std::forward<M>(module)).module());
  }
  template <class Container>
  void extend(const Container& container) {
    for (const auto& module : container) push_back(module);
  }

  Iterator begin() { return modules_.begin(); }
  Iterator end() { return modules_.end(); }
  ConstIterator begin() const { return modules_.begin(); }
  ConstIterator end() const { return modules_.end(); }
  template <class T>
  T& at(size_t i) const {
    return any_at(i).get<T>();
  }
  std::shared_ptr<Module> ptr(size_t i) const { return any_at(i).ptr(); }
  template <class T>
  std::shared_ptr<T> ptr(size_t i) const {
    return any_at(i).ptr<T>();
  }
  std::shared_ptr<Module> operator[](size_t i) const { return ptr(i); }
  size_t size() const noexcept { return modules_.size(); }
  bool is_empty() const noexcept { return modules_.empty(); }

 private:
  detail::Pack run(detail::Pack values) const;
  const AnyModule& any_at(size_t i) const;
  std::vector<AnyModule> modules_;
};

/// Holder of SequentialImpl: `Sequential(Linear(4, 8), ReLU(), Linear(8, 1))`.
class Sequential : public ModuleHolder<SequentialImpl> {
 public:
  using ModuleHolder<SequentialImpl>::ModuleHolder;
  using Impl = SequentialImpl;
  Sequential() = default;
  Sequential(std::initializer_list<NamedAnyModule> modules) : ModuleHolder(std::make_shared<SequentialImpl>(modules)) {}
};

/// A list of modules without a `forward` of its own.
class ModuleListImpl : public Cloneable<ModuleListImpl> {
 public:
  using Iterator = std::vector<std::shared_ptr<Module>>::iterator;
  using ConstIterator = std::vector<std::shared_ptr<Module>>::const_iterator;

  ModuleListImpl();
  template <class... Modules>
  requires(sizeof...(Modules) > 0 && !(std::is_same_v<std::remove_cvref_t<Modules>, ModuleListImpl> ||
                                       ...)) explicit ModuleListImpl(Modules&&... modules) {
    (push_back(std::forward<Modules>(modules)), ...);
  }
  std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const override;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;

  void push_back(std::shared_ptr<Module> module);
  template <class M>
  requires(detail::is_module<M> || detail::is_holder<M>) void push_back(M&& module) {
    push_back(to_shared(std::forward<M>(module)));
  }
  /// Moves the modules from `index` on up by one.
  void insert(size_t index, std::shared_ptr<Module> module);
  template <class M>
  requires(detail::is_module<M> || detail::is_holder<M>) void insert(size_t index, M&& module) {
    insert(index, to_shared(std::forward<M>(module)));
  }
  template <class Container>
  void extend(const Container& container) {
    for (const auto& module : container) push_back(module);
  }

  Iterator begin() { return modules_.begin(); }
  Iterator end() { return modules_.end(); }
  ConstIterator begin() const { return modules_.begin(); }
  ConstIterator end() const { return modules_.end(); }
  template <class T>
  T& at(size_t i) const {
    T* m = ptr(i)->template as<T>();
    if (!m) detail::fail_cast(*ptr(i), typeid(T).name());
    return *m;
  }
  std::shared_ptr<Module> ptr(size_t i) const;
  template <class T>
  std::shared_ptr<T> ptr(size_t i) const {
    return std::dynamic_pointer_cast<T>(ptr(i));
  }
  std::shared_ptr<Module> operator[](size_t i) const { return ptr(i); }
  size_t size() const noexcept { return modules_.size(); }
  bool is_empty() const noexcept { return modules_.empty(); }

 private:
  template <class M>
  static std::shared_ptr<Module> to_shared(M&& module) {
    if constexpr (detail::is_holder<M>)
      return module.ptr();
    else
      return std::make_shared<std::remove_cvref_t<M>>(std::forward<M>(module));
  }
  std::vector<std::shared_ptr<Module>> modules_;
};
STRATA_MODULE(ModuleList);

/// Modules under names.
class ModuleDictImpl : public Cloneable<ModuleDictImpl> {
 public:
  using Iterator = ModuleDictionary::Iterator;
  using ConstIterator = ModuleDictionary::ConstIterator;
  using Pairs = std::vector<std::pair<std::string, std::shared_ptr<Module>>>;

  ModuleDictImpl();
  explicit ModuleDictImpl(const Pairs& modules);
  explicit ModuleDictImpl(const ModuleDictionary& modules);
  std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const override;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;

  Pairs items() const { return modules_.pairs(); }
  std::vector<std::string> keys() const { return modules_.keys(); }
  std::vector<std::shared_ptr<Module>> values() const { return modules_.values(); }
  Iterator begin() { return modules_.begin(); }
  Iterator end() { return modules_.end(); }
  ConstIterator begin() const { return modules_.begin(); }
  ConstIterator end() const { return modules_.end(); }
  size_t size() const noexcept { return modules_.size(); }
  bool empty() const noexcept { return modules_.is_empty(); }
  bool contains(const std::string& key) const noexcept { return modules_.contains(key); }
  void clear();
  std::shared_ptr<Module> pop(const std::string& key);
  std::shared_ptr<Module> operator[](const std::string& key) const { return modules_[key]; }
  template <class T>
  T& at(const std::string& key) const {
    T* m = modules_[key]->template as<T>();
    if (!m) detail::fail_cast(*modules_[key], typeid(T).name());
    return *m;
  }
  void update(const Pairs& modules);
  /// From a dictionary or another ModuleDict; as a template it leaves lists in braces to the pairs.
  template <class Container>
  void update(const Container& other) {
    Pairs modules;
    for (const auto& item : other) modules.emplace_back(item.key(), item.value());
    update(modules);
  }

 private:
  ModuleDictionary modules_;
};
STRATA_MODULE(ModuleDict);

/// A list of parameters, named by their numbers.
class ParameterListImpl : public Cloneable<ParameterListImpl> {
 public:
  ParameterListImpl();
  template <class... Tensors>
  requires(sizeof...(Tensors) > 0 &&
           (std::is_convertible_v<Tensors, Tensor> && ...)) explicit ParameterListImpl(Tensors&&... tensors) {
    (append(std::forward<Tensors>(tensors)), ...);
  }
  std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const override;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  void append(Tensor parameter);
  void append(const OrderedDict<std::string, Tensor>::Item& named) { append(named.value()); }
  template <class Container>
  void extend(const Container& container) {
    for (const auto& parameter : container) append(parameter);
  }
  ParameterListImpl& operator+=(const ParameterListImpl& other) {
    extend(other);
    return *this;
  }
  Tensor& at(size_t i);
  Tensor& operator[](size_t i) { return at(i); }
  auto begin() { return parameters_.begin(); }
  auto begin() const { return parameters_.begin(); }
  auto end() { return parameters_.end(); }
  auto end() const { return parameters_.end(); }
  size_t size() const noexcept { return parameters_.size(); }
  bool is_empty() const noexcept { return size() == 0; }
};
STRATA_MODULE(ParameterList);

/// Parameters under names.
class ParameterDictImpl : public Cloneable<ParameterDictImpl> {
 public:
  ParameterDictImpl();
  explicit ParameterDictImpl(const OrderedDict<std::string, Tensor>& parameters);
  std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const override;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  Tensor& insert(const std::string& key, Tensor parameter);
  Tensor pop(const std::string& key);
  /// Takes the values of another's parameters for those of the same names. Throws for names that are not here.
  template <class Container>
  void update(const Container& other) {
    for (const auto& item : other) get(item.key()) = item.value();
  }
  Tensor& get(const std::string& key) { return parameters_[key]; }
  Tensor& operator[](const std::string& key) { return get(key); }
  bool contains(const std::string& key) const noexcept { return parameters_.contains(key); }
  std::vector<std::string> keys() const { return parameters_.keys(); }
  std::vector<Tensor> values() const { return parameters_.values(); }
  auto begin() { return parameters_.begin(); }
  auto begin() const { return parameters_.begin(); }
  auto end() { return parameters_.end(); }
  auto end() const { return parameters_.end(); }
  size_t size() const noexcept { return parameters_.size(); }
  bool empty() const noexcept { return parameters_.is_empty(); }
  void clear() { parameters_.clear(); }
};
STRATA_MODULE(ParameterDict);

/// A function as a module: `Functional(relu)`, `Functional(leaky_relu, 0.2)` with further arguments, or a lambda.
class FunctionalImpl : public Cloneable<FunctionalImpl> {
 public:
  using Function = strata::detail::Function<Tensor(Tensor)>;
  explicit FunctionalImpl(Function function);
  template <class F, class... Args>
  requires(sizeof...(Args) > 0) explicit FunctionalImpl(F function, Args... args)
      : FunctionalImpl(Function([function, args...](Tensor input) { return function(input, args...); })) {}
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(Tensor input);
  Tensor operator()(Tensor input);
  bool is_serializable() const override { return false; }

 private:
  Function function_;
};
STRATA_MODULE(Functional);

}  // namespace strata::nn
