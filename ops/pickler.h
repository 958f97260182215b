// Writes values as pickles of protocol 2, with the memory of tensors kept aside. Internal to what saves and loads.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "../core/value.h"

namespace strata::serialize {

class Pickler {
 public:
  /// The whole pickle of a value.
  std::string pickle(const Value& value);
  /// The tensors whose storages the pickle refers to by their places in this list; each shows all of its storage.
  const std::vector<Tensor>& storages() const { return storages_; }

 private:
  void put(int code) { out_ += static_cast<char>(code); }
  void put_value(const Value& value, int depth);
  void put_items(const Value::List& items, int depth);
  void put_integer(int64_t value);
  void put_double(double value);
  void put_text(const std::string& text);
  void put_bytes(const std::string& bytes);
  void put_global(const std::string& module, const std::string& name);
  void put_integers(IntArrayRef values);
  void put_tensor(const Tensor& tensor);
  void put_storage(const Tensor& tensor, std::string_view type);
  size_t place_of(const Tensor& tensor);

  std::string out_;
  std::vector<Tensor> storages_;
  std::unordered_map<const StorageImpl*, size_t> places_;
};

}  // namespace strata::serialize
