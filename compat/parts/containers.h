// libtorch's small containers and ranges: irange, List, Dict, SmallVector, hashes.
#pragma once
#include <strata/strata.h>

#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace strata {

/// Dims under the name that libtorch gave them first.
using IntList = IntArrayRef;

/// Consecutive integers, for loops. (std::views::iota does not compile with clang 14 and GCC's library.)
template <class T>
class IntegerRange {
 public:
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T*;
    using reference = T;
    explicit iterator(T at) : at_(at) {}
    T operator*() const { return at_; }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    iterator operator++(int) { return iterator(at_++); }
    friend bool operator==(iterator, iterator) = default;

   private:
    T at_;
  };
  IntegerRange(T begin, T end) : begin_(begin), end_(end > begin ? end : begin) {}
  iterator begin() const { return iterator(begin_); }
  iterator end() const { return iterator(end_); }

 private:
  T begin_, end_;
};
/// The integers from `begin` to before `end`; none where `end` is not above.
template <class A, class B>
requires(std::is_integral_v<A>&& std::is_integral_v<B>) IntegerRange<B> irange(A begin, B end) {
  return {static_cast<B>(begin), end};
}
template <class T>
requires(std::is_integral_v<T>) IntegerRange<T> irange(T end) { return {T{0}, end}; }

namespace compat {

/// Elements that copies of the list share, as those of c10::List.
template <class T>
class List {
 public:
  using value_type = T;
  using iterator = typename std::vector<T>::iterator;

  List() : elements_(std::make_shared<std::vector<T>>()) {}
  List(std::initializer_list<T> elements) : elements_(std::make_shared<std::vector<T>>(elements)) {}
  explicit List(ArrayRef<T> elements) : elements_(std::make_shared<std::vector<T>>(elements.begin(), elements.end())) {}
  /// Not explicit, since what a function kept for its gradient gives vectors where libtorch gives lists.
  List(std::vector<T> elements) : elements_(std::make_shared<std::vector<T>>(std::move(elements))) {}

  T get(size_t i) const { return elements_->at(i); }
  void set(size_t i, T value) const { elements_->at(i) = std::move(value); }
  T extract(size_t i) const { return std::move(elements_->at(i)); }
  T& operator[](size_t i) const { return elements_->at(i); }
  size_t size() const { return elements_->size(); }
  bool empty() const { return elements_->empty(); }
  iterator begin() const { return elements_->begin(); }
  iterator end() const { return elements_->end(); }
  void push_back(T value) const { elements_->push_back(std::move(value)); }
  template <class... A>
  void emplace_back(A&&... arguments) const {
    elements_->emplace_back(std::forward<A>(arguments)...);
  }
  void append(List other) const { elements_->insert(end(), other.begin(), other.end()); }
  iterator insert(iterator at, T value) const { return elements_->insert(at, std::move(value)); }
  iterator erase(iterator at) const { return elements_->erase(at); }
  void pop_back() const { elements_->pop_back(); }
  void reserve(size_t n) const { elements_->reserve(n); }
  void resize(size_t n) const { elements_->resize(n); }
  void clear() const { elements_->clear(); }
  /// A list with elements of its own.
  List copy() const { return List(*elements_); }
  std::vector<T> vec() const { return *elements_; }
  bool is(const List& other) const { return elements_ == other.elements_; }
  /// What a function keeps for its gradient.
  operator Value() const requires(std::constructible_from<Value, const T&>) { return Value(*elements_); }
  friend bool operator==(const List& a, const List& b) { return *a.elements_ == *b.elements_; }

 private:
  std::shared_ptr<std::vector<T>> elements_;
};

}  // namespace compat

using compat::List;

/// A dictionary in the order of insertion, whose entries copies share, as those of c10::Dict.
template <class K, class V>
class Dict {
 public:
  /// An entry as iterators show it.
  class Entry {
   public:
    Entry(K key, V value) : key_(std::move(key)), value_(std::move(value)) {}
    const K& key() const { return key_; }
    const V& value() const { return value_; }
    void setValue(V value) const { value_ = std::move(value); }

   private:
    K key_;
    mutable V value_;
  };
  using iterator = typename std::vector<Entry>::const_iterator;

  Dict() : state_(std::make_shared<State>()) {}

  bool empty() const { return state_->entries.empty(); }
  size_t size() const { return state_->entries.size(); }
  iterator begin() const { return state_->entries.begin(); }
  iterator end() const { return state_->entries.end(); }
  iterator find(const K& key) const {
    const auto found = state_->places.find(key);
    return found == state_->places.end() ? end() : begin() + static_cast<std::ptrdiff_t>(found->second);
  }
  bool contains(const K& key) const { return state_->places.count(key) != 0; }
  V at(const K& key) const {
    const auto found = find(key);
    if (found == end()) throw std::out_of_range("Argument passed to at() was not in the map.");
    return found->value();
  }
  /// Adds an entry unless the key is there.
  std::pair<iterator, bool> insert(K key, V value) const {
    const auto found = find(key);
    if (found != end()) return {found, false};
    state_->places.emplace(key, size());
    state_->entries.emplace_back(std::move(key), std::move(value));
    return {end() - 1, true};
  }
  std::pair<iterator, bool> insert_or_assign(K key, V value) const {
    const auto found = find(key);
    if (found == end()) return insert(std::move(key), std::move(value));
    found->setValue(std::move(value));
    return {found, false};
  }
  size_t erase(const K& key) const {
    const auto found = find(key);
    if (found == end()) return 0;
    state_->entries.erase(found);
    state_->places.clear();
    for (size_t i = 0; i < size(); ++i) state_->places.emplace(state_->entries[i].key(), i);
    return 1;
  }
  void clear() const { *state_ = {}; }
  void reserve(size_t n) const { state_->entries.reserve(n); }
  /// A dictionary with entries of its own.
  Dict copy() const {
    Dict other;
    *other.state_ = *state_;
    return other;
  }
  bool is(const Dict& other) const { return state_ == other.state_; }
  /// What a function keeps for its gradient.
  operator Value() const {
    Value::Dict out;
    for (const Entry& entry : *this) out.items.emplace_back(Value(entry.key()), Value(entry.value()));
    return Value(std::move(out));
  }

 private:
  struct State {
    std::vector<Entry> entries;
    std::unordered_map<K, size_t> places;
  };
  std::shared_ptr<State> state_;
};

/// A vector; how many elements libtorch's keeps inline is of no concern here.
template <class T, unsigned N = 8>
class SmallVector : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  SmallVector(ArrayRef<T> elements) : std::vector<T>(elements.begin(), elements.end()) {}
  void append(const T* first, const T* last) { this->insert(this->end(), first, last); }
  void append(std::initializer_list<T> elements) { this->insert(this->end(), elements); }
  template <class Range>
  void append(const Range& range) {
    this->insert(this->end(), range.begin(), range.end());
  }
  T pop_back_val() {
    T last = std::move(this->back());
    this->pop_back();
    return last;
  }
};

/// The hash of several values together.
inline size_t hash_combine(size_t seed, size_t value) {
  return seed ^ (value + 0x9e3779b9 + (seed << 6) + (seed >> 2));
}
template <class... T>
size_t get_hash(const T&... values) {
  size_t seed = 0;
  ((seed = hash_combine(seed, std::hash<T>()(values))), ...);
  return seed;
}
}  // namespace strata

/// Devices as keys.
template <>
struct std::hash<strata::Device> {
  size_t operator()(strata::Device device) const noexcept {
    return (static_cast<size_t>(static_cast<uint8_t>(device.type())) << 8) |
           (device.is_cpu() ? 0xff : static_cast<uint8_t>(device.index()));
  }
};

namespace strata {

/// libtorch's function object for hashes: of what std::hash takes, and of tuples and vectors of it.
template <class T>
struct hash {
  size_t operator()(const T& value) const { return std::hash<T>()(value); }
};
template <class... T>
struct hash<std::tuple<T...>> {
  size_t operator()(const std::tuple<T...>& value) const {
    return std::apply([](const T&... each) { return get_hash(each...); }, value);
  }
};
template <class T>
struct hash<std::vector<T>> {
  size_t operator()(const std::vector<T>& value) const {
    size_t seed = 0;
    for (const T& each : value) seed = hash_combine(seed, hash<T>()(each));
    return seed;
  }
};

namespace compat {
template <class T>
std::vector<indexing::TensorIndex> indices_of(const List<T>& list) {
  return {list.begin(), list.end()};
}
}  // namespace compat

template <class E>
Tensor Tensor::index(const List<E>& indices) const {
  return index(compat::indices_of(indices));
}
template <class E>
Tensor Tensor::index_put(const List<E>& indices, const Tensor& value, bool accumulate) const {
  return index_put(compat::indices_of(indices), value, accumulate);
}
template <class E>
Tensor& Tensor::index_put_(const List<E>& indices, const Tensor& value, bool accumulate) const {
  return index_put_(compat::indices_of(indices), value, accumulate);
}

// Templates, which braced lists do not choose.
template <class T>
Tensor index(const Tensor& x, const List<T>& indices) {
  return index(x, compat::indices_of(indices));
}
template <class T>
Tensor index_put(const Tensor& x, const List<T>& indices, const Tensor& values, bool accumulate = false) {
  return index_put(x, compat::indices_of(indices), values, accumulate);
}
template <class T>
Tensor& index_put_(Tensor& x, const List<T>& indices, const Tensor& values, bool accumulate = false) {
  return index_put_(x, compat::indices_of(indices), values, accumulate);
}

namespace detail {
/// libtorch's questions about modules in templates.
template <class M, class T = void>
using enable_if_module_t = std::enable_if_t<std::is_base_of_v<nn::Module, std::decay_t<M>>, T>;
template <class... T>
constexpr bool check_not_lvalue_references() {
  return ((!std::is_lvalue_reference_v<T> || std::is_same_v<std::decay_t<T>, Tensor>)&&...);
}
}  // namespace detail

/// The elements as text with `delimiter` between.
template <class Range>
std::string Join(const std::string& delimiter, const Range& range) {
  std::ostringstream out;
  const char* between = "";
  for (const auto& each : range) {
    out << between << each;
    between = delimiter.c_str();
  }
  return out.str();
}

}  // namespace strata
