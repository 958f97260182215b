// Saving and loading: archives of named tensors in the safetensors format, which holds data and no code.
#pragma once
#include <concepts>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../core/function.h"
#include "../core/generator.h"
#include "../core/ordered_dict.h"
#include "../core/tensor.h"
#include "../core/value.h"

namespace strata::serialize {

struct Contents;

/// Collects tensors, numbers and text under names, then writes them all to a file or a stream.
/// Nested archives join names with a dot: a module's file is the flat state dict that other safetensors readers know.
class OutputArchive {
 public:
  OutputArchive();
  OutputArchive(OutputArchive&&) noexcept;
  OutputArchive& operator=(OutputArchive&&) noexcept;
  ~OutputArchive();

  /// The data is copied when the archive is written, not before. An undefined tensor cannot be written.
  void write(const std::string& key, const Tensor& tensor, bool is_buffer = false);
  void write(const std::string& key, const OutputArchive& nested);
  template <class T>
  requires std::is_arithmetic_v<T>
  void write(const std::string& key, T value) { write_number(key, value); }
  void write(const std::string& key, const std::string& value);
  /// What a Value is made from: a tensor, a number or text as these; lists, tuples and dicts as one value.
  template <class T>
  requires(!std::is_arithmetic_v<T> && !std::convertible_to<const T&, Tensor> &&
           !std::convertible_to<const T&, std::string> &&
           std::convertible_to<const T&, Value>) void write(const std::string& key, const T& value) {
    write_value(key, value);
  }
  template <class... T>
  void operator()(T&&... args) {
    write(std::forward<T>(args)...);
  }

  /// Writes a temporary file beside `path`, syncs it and renames it, so that `path` is either the old file or the whole
  /// new one.
  void save_to(const std::string& path) const;
  void save_to(std::ostream& stream) const;
  /// Gives all bytes to a function, in pieces; it returns how many it took, and fewer are an error.
  void save_to(const strata::detail::Function<size_t(const void* data, size_t bytes)>& write) const;
  /// The tensors and numbers so far, by full name; text is not among them.
  const OrderedDict<std::string, Tensor>& tensors() const;

 private:
  void write_number(const std::string& key, const Scalar& value);
  void write_value(const std::string& key, const Value& value);

  std::unique_ptr<Contents> contents_;
};

/// Reads what an OutputArchive, any writer of safetensors (also in several files, by their `.index.json`), torch.save
/// or libtorch's torch::save wrote: dicts and lists in such a file are nested archives. Everything is checked before it
/// is believed: a truncated or damaged file is one Error that says what is wrong with it.
class InputArchive {
 public:
  InputArchive();
  /// Reads these in place of a file.
  explicit InputArchive(const OrderedDict<std::string, Tensor>& tensors);
  InputArchive(InputArchive&&) noexcept;
  InputArchive& operator=(InputArchive&&) noexcept;
  ~InputArchive();

  void load_from(const std::string& path, std::optional<Device> device = std::nullopt);
  void load_from(std::istream& stream, std::optional<Device> device = std::nullopt);
  void load_from(const char* data, size_t size, std::optional<Device> device = std::nullopt);
  /// Reads `bytes` at a place by a function, which returns how many it gave; `size` says how many there are.
  void load_from(const strata::detail::Function<size_t(uint64_t place, void* to, size_t bytes)>& read,
                 const strata::detail::Function<size_t()>& size, std::optional<Device> device = std::nullopt);

  /// A defined tensor keeps its identity, gradient setting, dtype and device and takes shape and values;
  /// an undefined one becomes the tensor read. Throws when there is no such key.
  void read(const std::string& key, Tensor& tensor, bool is_buffer = false);
  void read(const std::string& key, InputArchive& archive);
  template <class T>
  requires std::is_arithmetic_v<T>
  void read(const std::string& key, T& value) { value = read_number(key).template to<T>(); }
  void read(const std::string& key, std::string& value);
  /// What was written as a value; tensors, numbers (as tensors of one element) and text are values too.
  void read(const std::string& key, Value& value);
  /// The same, false when there is no such key.
  bool try_read(const std::string& key, Tensor& tensor, bool is_buffer = false);
  bool try_read(const std::string& key, InputArchive& archive);
  template <class T>
  requires std::is_arithmetic_v<T>
  bool try_read(const std::string& key, T& value) {
    if (!find(key).defined()) return false;
    read(key, value);
    return true;
  }
  bool try_read(const std::string& key, std::string& value);
  bool try_read(const std::string& key, Value& value);
  template <class... T>
  void operator()(T&&... args) {
    read(std::forward<T>(args)...);
  }
  /// The part whose names start with `key.`, which may be empty.
  InputArchive nested(const std::string& key) const;
  /// The names at this level: of tensors, of values and of nested archives.
  std::vector<std::string> keys() const;
  /// The full name of a key, for messages.
  std::string full_name(const std::string& key) const { return prefix_ + key; }
  /// Where it was loaded from, for messages.
  const std::string& source() const;
  /// The names of all tensors here and in nested archives, without the name of this one.
  std::vector<std::string> tensor_names() const;
  /// The tensor of that name as it stands in the archive, or undefined. Throws where it has a dtype that is not known
  /// here.
  Tensor find(const std::string& key) const;

 private:
  Scalar read_number(const std::string& key) const;

  std::shared_ptr<Contents> contents_;
  std::string prefix_;
};

OutputArchive& operator<<(OutputArchive& archive, const Tensor& tensor);
InputArchive& operator>>(InputArchive& archive, Tensor& tensor);
/// The state of a random number generator, so that a resumed run draws the same numbers.
OutputArchive& operator<<(OutputArchive& archive, const Generator& generator);
InputArchive& operator>>(InputArchive& archive, Generator& generator);

}  // namespace strata::serialize

namespace strata {

/// Saves a module, an optimizer or a tensor to a path or a stream.
template <class Value, class... To>
void save(const Value& value, To&&... to) {
  serialize::OutputArchive archive;
  archive << value;
  archive.save_to(std::forward<To>(to)...);
}

/// Loads into `value`: a module or an optimizer of the same structure, or a tensor.
template <class Value, class... From>
void load(Value& value, From&&... from) {
  serialize::InputArchive archive;
  archive.load_from(std::forward<From>(from)...);
  archive >> value;
}

namespace serialize {
OutputArchive& operator<<(OutputArchive& archive, const std::vector<Tensor>& tensors);
/// Appends the tensors of the archive.
InputArchive& operator>>(InputArchive& archive, std::vector<Tensor>& tensors);
}  // namespace serialize

}  // namespace strata
