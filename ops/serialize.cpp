// Archives over files, streams and memory.
#include "ops/serialize.h"

#include <charconv>
#include <istream>
#include <ostream>

#include "core/naming.h"
#include "ops/contents.h"
#include "ops/file.h"

namespace strata::serialize {

namespace {

class StreamSink : public Sink {
 public:
  explicit StreamSink(std::ostream& stream) : stream_(stream) {}
  void write(const char* data, uint64_t bytes) override {
    stream_.write(data, static_cast<std::streamsize>(bytes));
    STRATA_CHECK(stream_.good(), "save: cannot write to the stream");
  }

 private:
  std::ostream& stream_;
};

bool starts_with(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

/// What every file says of itself for other readers, and no archive wrote.
bool is_format(const std::string& key, const std::string& text) { return key == "format" && text == "pt"; }

/// Names a nested archive that holds nothing, so that it can still be read back.
std::string empty_group(const std::string& key) { return key + "."; }

/// Bytes that a function gives.
class FunctionSource : public Source {
 public:
  using Read = strata::detail::Function<size_t(uint64_t, void*, size_t)>;
  FunctionSource(const Read& read, uint64_t size) : read_(read), size_(size) {}
  uint64_t size() const override { return size_; }
  const std::string& name() const override { return name_; }
  void read(uint64_t offset, char* to, uint64_t bytes) override {
    while (bytes > 0) {
      const uint64_t n = read_(offset, to, bytes);
      STRATA_CHECK(n > 0 && n <= bytes, "load: {} gave {} bytes in place of {}", name_, n, bytes);
      offset += n;
      to += n;
      bytes -= n;
    }
  }

 private:
  const Read& read_;
  uint64_t size_;
  std::string name_ = "the reading function";
};

class FunctionSink : public Sink {
 public:
  using Write = strata::detail::Function<size_t(const void*, size_t)>;
  explicit FunctionSink(const Write& write) : write_(write) {}
  void write(const char* data, uint64_t bytes) override {
    const size_t n = write_(data, bytes);
    STRATA_CHECK(n == bytes, "save: the writing function took {} of {} bytes", n, bytes);
  }

 private:
  const Write& write_;
};

void write_all(const Contents& contents, Sink& sink) {
  if (contents.values.empty())
    write_safetensors(contents, sink);
  else
    write_safetensors(with_packed_values(contents), sink);
}

}  // namespace

OutputArchive::OutputArchive() : contents_(std::make_unique<Contents>()) {}
OutputArchive::OutputArchive(OutputArchive&&) noexcept = default;
OutputArchive& OutputArchive::operator=(OutputArchive&&) noexcept = default;
OutputArchive::~OutputArchive() = default;

void OutputArchive::write(const std::string& key, const Tensor& tensor, bool) {
  STRATA_CHECK(tensor.defined(), "save: tensor '{}' is undefined", key);
  Tensor* const held = libtorch_names() ? contents_->tensors.find(key) : nullptr;  // there the last one stands
  if (held)
    *held = tensor.detach();
  else
    contents_->tensors.insert(key, tensor.detach());
}

void OutputArchive::write(const std::string& key, const OutputArchive& nested) {
  const Contents& inner = *nested.contents_;
  if (inner.tensors.empty() && inner.text.empty() && inner.values.empty()) contents_->text.insert(empty_group(key), "");
  for (const auto& item : inner.tensors) contents_->tensors.insert(key + "." + item.key(), item.value());
  for (const auto& item : inner.text) contents_->text.insert(key + "." + item.key(), item.value());
  for (const auto& item : inner.values) contents_->values.insert(key + "." + item.key(), item.value());
}

void OutputArchive::write_number(const std::string& key, const Scalar& value) { write(key, number_tensor(value)); }

void OutputArchive::write(const std::string& key, const std::string& value) { contents_->text.insert(key, value); }

void OutputArchive::write_value(const std::string& key, const Value& value) {
  if (value.isTensor())
    write(key, value.toTensor());
  else if (value.isScalar())
    write_number(key, value.toScalar());
  else if (value.isString())
    write(key, value.toStringRef());
  else
    contents_->values.insert(key, value);
}

const OrderedDict<std::string, Tensor>& OutputArchive::tensors() const { return contents_->tensors; }

void OutputArchive::save_to(const std::string& path) const {
  write_whole_file(path, [&](Sink& sink) { write_all(*contents_, sink); });
}

void OutputArchive::save_to(std::ostream& stream) const {
  StreamSink sink(stream);
  write_all(*contents_, sink);
  stream.flush();
}

void OutputArchive::save_to(const FunctionSink::Write& write) const {
  FunctionSink sink(write);
  write_all(*contents_, sink);
}

InputArchive::InputArchive() : contents_(std::make_shared<Contents>()) {}
InputArchive::InputArchive(const OrderedDict<std::string, Tensor>& tensors) : InputArchive() {
  for (const auto& item : tensors) contents_->tensors.insert(item.key(), item.value());
}
InputArchive::InputArchive(InputArchive&&) noexcept = default;
InputArchive& InputArchive::operator=(InputArchive&&) noexcept = default;
InputArchive::~InputArchive() = default;

void InputArchive::load_from(const std::string& path, std::optional<Device> device) {
  contents_ = std::make_shared<Contents>(read_contents(path, device));
  prefix_.clear();
}

void InputArchive::load_from(const char* data, size_t size, std::optional<Device> device) {
  MemorySource source(data, size, "the buffer");
  contents_ = std::make_shared<Contents>(read_contents(source, device));
  prefix_.clear();
}

void InputArchive::load_from(std::istream& stream, std::optional<Device> device) {
  std::string bytes;
  char block[1 << 16];
  while (stream.read(block, sizeof block) || stream.gcount() > 0)
    bytes.append(block, static_cast<size_t>(stream.gcount()));
  MemorySource source(bytes.data(), bytes.size(), "the stream");
  contents_ = std::make_shared<Contents>(read_contents(source, device));
  prefix_.clear();
}

void InputArchive::load_from(const FunctionSource::Read& read, const strata::detail::Function<size_t()>& size,
                             std::optional<Device> device) {
  FunctionSource source(read, size());
  contents_ = std::make_shared<Contents>(read_contents(source, device));
  prefix_.clear();
}

const std::string& InputArchive::source() const { return contents_->source; }

std::vector<std::string> InputArchive::tensor_names() const {
  std::vector<std::string> names;
  const auto add = [&](const std::string& full) {
    if (starts_with(full, prefix_)) names.push_back(full.substr(prefix_.size()));
  };
  for (const auto& item : contents_->tensors) add(item.key());
  for (const auto& item : contents_->refused) add(item.key());
  return names;
}

Tensor InputArchive::find(const std::string& key) const {
  if (const Tensor* t = contents_->tensors.find(prefix_ + key)) return *t;
  const std::string* type = contents_->refused.find(prefix_ + key);
  STRATA_CHECK(!type, "load: {}: tensor '{}' has the unknown dtype '{}'", contents_->source, full_name(key), *type);
  return Tensor();
}

bool InputArchive::try_read(const std::string& key, Tensor& tensor, bool) {
  const Tensor found = find(key);
  if (!found.defined()) return false;
  const NoGradGuard no_grad;
  if (!tensor.defined())
    tensor = found.clone();
  else if (tensor.sizes() == found.sizes())
    tensor.copy_(found);
  else
    tensor.set_data(found.to(tensor.device(), tensor.dtype(), false, /*copy=*/true));
  return true;
}

void InputArchive::read(const std::string& key, Tensor& tensor, bool is_buffer) {
  STRATA_CHECK(try_read(key, tensor, is_buffer), "load: {}: No such serialized tensor '{}'", contents_->source,
               full_name(key));
}

bool InputArchive::try_read(const std::string& key, InputArchive& archive) {
  const std::string prefix = empty_group(prefix_ + key);
  bool found = false;
  for (const auto& item : contents_->tensors) found = found || starts_with(item.key(), prefix);
  for (const auto& item : contents_->text) found = found || starts_with(item.key(), prefix);
  for (const auto& item : contents_->values) found = found || starts_with(item.key(), prefix);
  if (found) archive = nested(key);
  return found;
}

void InputArchive::read(const std::string& key, InputArchive& archive) {
  STRATA_CHECK(try_read(key, archive), "load: {}: No such serialized submodule: '{}'", contents_->source,
               full_name(key));
}

bool InputArchive::try_read(const std::string& key, std::string& value) {
  const std::string* text = contents_->text.find(prefix_ + key);
  if (text) value = *text;
  return text != nullptr;
}

bool InputArchive::try_read(const std::string& key, Value& value) {
  const Tensor found = find(key);
  const Value* whole = contents_->values.find(prefix_ + key);
  std::string text;
  if (whole)
    value = *whole;
  else if (found.defined())
    value = found.clone();
  else if (try_read(key, text))
    value = text;
  else
    return false;
  return true;
}

void InputArchive::read(const std::string& key, Value& value) {
  STRATA_CHECK(try_read(key, value), "load: {}: there is no value '{}'", contents_->source, full_name(key));
}

void InputArchive::read(const std::string& key, std::string& value) {
  STRATA_CHECK(try_read(key, value), "load: {}: there is no text '{}'", contents_->source, full_name(key));
}

Scalar InputArchive::read_number(const std::string& key) const {
  const Tensor t = find(key);
  STRATA_CHECK(t.defined() && t.numel() == 1, "load: {}: there is no number '{}'", contents_->source, full_name(key));
  return t.item();
}

InputArchive InputArchive::nested(const std::string& key) const {
  InputArchive archive;
  archive.contents_ = contents_;
  archive.prefix_ = empty_group(prefix_ + key);
  return archive;
}

std::vector<std::string> InputArchive::keys() const {
  OrderedDict<std::string, bool> names;
  const auto add = [&](const std::string& full) {
    if (!starts_with(full, prefix_) || full.size() == prefix_.size()) return;
    const std::string rest = full.substr(prefix_.size());
    const std::string name = rest.substr(0, rest.find('.'));
    if (!names.contains(name)) names.insert(name, true);
  };
  for (const auto& item : contents_->tensors) add(item.key());
  for (const auto& item : contents_->text)
    if (!is_format(item.key(), item.value())) add(item.key());
  for (const auto& item : contents_->values) add(item.key());
  return names.keys();
}

OutputArchive& operator<<(OutputArchive& archive, const Tensor& tensor) {
  archive.write("0", tensor);
  return archive;
}

InputArchive& operator>>(InputArchive& archive, Tensor& tensor) {
  archive.read("0", tensor);
  return archive;
}

OutputArchive& operator<<(OutputArchive& archive, const std::vector<Tensor>& tensors) {
  for (size_t i = 0; i < tensors.size(); ++i) archive.write(std::to_string(i), tensors[i]);
  return archive;
}

namespace {
/// Is it the name of one of the first `n` tensors of a list?
bool is_place(const std::string& key, size_t n) {
  size_t at = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), at);
  return error == std::errc() && at < n && key == std::to_string(at);
}
}  // namespace

InputArchive& operator>>(InputArchive& archive, std::vector<Tensor>& tensors) {
  std::vector<Tensor> read;
  for (Tensor t; archive.try_read(std::to_string(read.size()), t); t = Tensor()) read.push_back(t);
  for (const std::string& key : archive.keys())
    STRATA_CHECK(
        archive.find(key).defined() && is_place(key, read.size()),
        "load: {}: the archive is no list of tensors, whose names count from 0: it has '{}'; load it into a module, "
        "or read() single names with an InputArchive",
        archive.source(), archive.full_name(key));
  tensors.insert(tensors.end(), read.begin(), read.end());
  return archive;
}

OutputArchive& operator<<(OutputArchive& archive, const Generator& generator) {
  const Generator::Position p = generator.state();
  archive.write("seed", static_cast<int64_t>(p.seed));
  archive.write("offset", static_cast<int64_t>(p.offset));
  return archive;
}

InputArchive& operator>>(InputArchive& archive, Generator& generator) {
  int64_t seed = 0, offset = 0;
  archive.read("seed", seed);
  archive.read("offset", offset);
  generator.set_state({static_cast<uint64_t>(seed), static_cast<uint64_t>(offset)});
  return archive;
}

}  // namespace strata::serialize
