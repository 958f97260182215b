// How keys come and go, and who is woken by it.
#include "rendezvous/key_table.h"

#include <charconv>
#include <utility>

namespace strata::rendezvous {

std::optional<int64_t> generation_of(std::string_view key) {
  if (key.starts_with('/')) key.remove_prefix(1);
  if (!key.starts_with("gen/")) return std::nullopt;
  key.remove_prefix(4);
  int64_t number = 0;
  const char* const last = key.data() + key.size();
  const auto [end, error] = std::from_chars(key.data(), last, number);
  if (error != std::errc() || end == last || *end != '/') return std::nullopt;
  return number;
}

const std::string* KeyTable::find(const std::string& key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? nullptr : &found->second;
}

bool KeyTable::set(const std::string& key, std::string value) {
  const std::string* old = find(key);
  const size_t bytes = bytes_ + value.size() + (old ? 0 : key.size()) - (old ? old->size() : 0);
  if ((!old && values_.size() >= max_keys_) || bytes > max_bytes_) return false;
  bytes_ = bytes;
  values_[key] = std::move(value);
  wake(key);
  return true;
}

bool KeyTable::remove(const std::string& key) {
  const auto found = values_.find(key);
  if (found == values_.end()) return false;
  bytes_ -= found->first.size() + found->second.size();
  values_.erase(found);
  return true;
}

bool KeyTable::wait(Waiter& waiter, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    if (has(key)) continue;
    waiter.missing_.insert(key);
    waiting_[key].insert(&waiter);
  }
  return waiter.missing_.empty();
}

void KeyTable::leave(Waiter& waiter) {
  for (const std::string& key : waiter.missing_) {
    const auto found = waiting_.find(key);
    found->second.erase(&waiter);
    if (found->second.empty()) waiting_.erase(found);
  }
  waiter.missing_.clear();
}

std::vector<Waiter*> KeyTable::fence(int64_t generation) {
  const auto is_over = [&](const auto& entry) {
    const auto of = generation_of(entry.first);
    return of && *of < generation;
  };
  for (auto i = values_.begin(); i != values_.end();) {
    if (is_over(*i)) bytes_ -= i->first.size() + i->second.size();
    i = is_over(*i) ? values_.erase(i) : std::next(i);
  }
  std::unordered_set<Waiter*> woken;
  for (const auto& entry : waiting_) {
    if (is_over(entry)) woken.insert(entry.second.begin(), entry.second.end());
  }
  for (Waiter* waiter : woken) leave(*waiter);
  return {woken.begin(), woken.end()};
}

/// A waiter's call may make others leave, so those who wait no more for anything are told after the table is in order.
void KeyTable::wake(const std::string& key) {
  const auto node = waiting_.extract(key);
  if (node.empty()) return;
  std::vector<Waiter*> ready;
  for (Waiter* waiter : node.mapped()) {
    waiter->missing_.erase(key);
    if (waiter->missing_.empty()) ready.push_back(waiter);
  }
  for (Waiter* waiter : ready) waiter->on_keys();
}

}  // namespace strata::rendezvous
