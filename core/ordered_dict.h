// A dictionary that remembers the order of insertion: named parameters, buffers and children.
#pragma once
#include <initializer_list>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "error.h"

namespace strata {

/// Keys in order of insertion; lookup by key takes constant time (libtorch's OrderedDict).
template <class Key, class Value>
class OrderedDict {
 public:
  /// One entry; reads as a key and a value, as a pointer to the value, or as a structured binding `[key, value]`.
  class Item {
   public:
    Item(Key key, Value value) : first(std::move(key)), second(std::move(value)) {}
    Value& operator*() { return second; }
    const Value& operator*() const { return second; }
    Value* operator->() { return &second; }
    const Value* operator->() const { return &second; }
    const Key& key() const noexcept { return first; }
    Value& value() noexcept { return second; }
    const Value& value() const noexcept { return second; }
    std::pair<Key, Value> pair() const { return {first, second}; }

    Key first;
    Value second;
  };
  using Iterator = typename std::vector<Item>::iterator;
  using ConstIterator = typename std::vector<Item>::const_iterator;

  explicit OrderedDict(std::string key_description = "Key") : key_description_(std::move(key_description)) {}
  OrderedDict(std::initializer_list<Item> items) {
    for (const Item& item : items) insert(item.key(), item.value());
  }

  /// What a key is called in error messages.
  const std::string& key_description() const noexcept { return key_description_; }
  size_t size() const noexcept { return items_.size(); }
  bool is_empty() const noexcept { return items_.empty(); }
  bool empty() const noexcept { return items_.empty(); }
  void reserve(size_t n) {
    items_.reserve(n);
    index_.reserve(n);
  }
  Iterator begin() { return items_.begin(); }
  Iterator end() { return items_.end(); }
  ConstIterator begin() const { return items_.begin(); }
  ConstIterator end() const { return items_.end(); }
  /// The first and the last entry; throw where there are none.
  Item& front() { return items_[at_end("front", 0)]; }
  const Item& front() const { return items_[at_end("front", 0)]; }
  Item& back() { return items_[at_end("back", size() - 1)]; }
  const Item& back() const { return items_[at_end("back", size() - 1)]; }

  Item& operator[](size_t i) { return items_[checked(i)]; }
  const Item& operator[](size_t i) const { return items_[checked(i)]; }
  /// The value of a key that must exist.
  Value& operator[](const Key& key) { return items_[index_of(key)].second; }
  const Value& operator[](const Key& key) const { return items_[index_of(key)].second; }
  /// The value, or null when there is no such key.
  Value* find(const Key& key) noexcept {
    const auto it = index_.find(key);
    return it == index_.end() ? nullptr : &items_[it->second].second;
  }
  const Value* find(const Key& key) const noexcept { return const_cast<OrderedDict*>(this)->find(key); }
  bool contains(const Key& key) const noexcept { return index_.count(key) != 0; }

  /// Adds a new key; throws when it exists already.
  Value& insert(Key key, Value value) {
    STRATA_CHECK((index_.emplace(key, items_.size()).second), "{} '{}' already defined", key_description_, key);
    items_.emplace_back(std::move(key), std::move(value));
    return items_.back().second;
  }
  void update(const OrderedDict& other) {
    for (const Item& item : other) insert(item.key(), item.value());
  }
  void erase(const Key& key) {
    const size_t at = index_of(key);
    index_.erase(key);
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(at));
    for (auto& entry : index_)
      if (entry.second > at) --entry.second;
  }
  void clear() {
    index_.clear();
    items_.clear();
  }

  const std::vector<Item>& items() const noexcept { return items_; }
  std::vector<Key> keys() const {
    return collect<Key>([](const Item& item) { return item.key(); });
  }
  std::vector<Value> values() const {
    return collect<Value>([](const Item& item) { return item.value(); });
  }
  std::vector<std::pair<Key, Value>> pairs() const {
    return collect<std::pair<Key, Value>>([](const Item& item) { return item.pair(); });
  }

 private:
  size_t checked(size_t i) const {
    STRATA_CHECK(i < items_.size(), "Index {} is out of bounds for {} entries", i, items_.size());
    return i;
  }
  size_t at_end(const char* who, size_t i) const {
    STRATA_CHECK(!items_.empty(), "Called {}() on an empty OrderedDict", who);
    return i;
  }
  size_t index_of(const Key& key) const {
    const auto it = index_.find(key);
    STRATA_CHECK(it != index_.end(), "{} '{}' is not defined", key_description_, key);
    return it->second;
  }
  template <class T, class F>
  std::vector<T> collect(F part) const {
    std::vector<T> out;
    out.reserve(items_.size());
    for (const Item& item : items_) out.push_back(part(item));
    return out;
  }

  std::unordered_map<Key, size_t> index_;
  std::vector<Item> items_;
  std::string key_description_ = "Key";
};

}  // namespace strata
