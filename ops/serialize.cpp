// Archives over files, streams and memory.
#include "ops/serialize.h"

#include <charconv>
#include <istream>
#include <ostream>

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

/// Names a nested archive that holds nothing, so that it can still be read back.
std::string empty_group(const std::string& key) { return key + "."; }

std::shared_ptr<Contents> load_contents(Source& source, std::optional<Device> device) {
  auto contents = std::make_shared<Contents>(read_safetensors(source));
  if (device && !device->is_cpu())
    for (auto& item : contents->tensors) item.value() = item.value().to(*device);
  return contents;
}

}  // namespace

OutputArchive::OutputArchive() : contents_(std::make_unique<Contents>()) {}
OutputArchive::OutputArchive(OutputArchive&&) noexcept = default;
OutputArchive& OutputArchive::operator=(OutputArchive&&) noexcept = default;
OutputArchive::~OutputArchive() = default;

void OutputArchive::write(const std::string& key, const Tensor& tensor, bool) {
  STRATA_CHECK(tensor.defined(), "save: tensor '{}' is undefined", key);
  STRATA_CHECK(key != "__metadata__", "save: the name '{}' is taken by the file format", key);
  contents_->tensors.insert(key, tensor.detach());
}

void OutputArchive::write(const std::string& key, const OutputArchive& nested) {
  const Contents& inner = *nested.contents_;
  if (inner.tensors.empty() && inner.text.empty()) contents_->text.insert(empty_group(key), "");
  for (const auto& item : inner.tensors) contents_->tensors.insert(key + "." + item.key(), item.value());
  for (const auto& item : inner.text) contents_->text.insert(key + "." + item.key(), item.value());
}

void OutputArchive::write_number(const std::string& key, const Scalar& value) {
  Tensor t = empty_cpu({}, value.type());
  visit_any_dtype(value.type(), [&]<class T>() { *t.data_ptr<T>() = value.to<T>(); });
  write(key, t);
}

void OutputArchive::write(const std::string& key, const std::string& value) { contents_->text.insert(key, value); }

const OrderedDict<std::string, Tensor>& OutputArchive::tensors() const { return contents_->tensors; }

void OutputArchive::save_to(const std::string& path) const {
  write_whole_file(path, [&](Sink& sink) { write_safetensors(*contents_, sink); });
}

void OutputArchive::save_to(std::ostream& stream) const {
  StreamSink sink(stream);
  write_safetensors(*contents_, sink);
  stream.flush();
}

InputArchive::InputArchive() : contents_(std::make_shared<Contents>()) {}
InputArchive::InputArchive(const OrderedDict<std::string, Tensor>& tensors) : InputArchive() {
  for (const auto& item : tensors) contents_->tensors.insert(item.key(), item.value());
}
InputArchive::InputArchive(InputArchive&&) noexcept = default;
InputArchive& InputArchive::operator=(InputArchive&&) noexcept = default;
InputArchive::~InputArchive() = default;

void InputArchive::load_from(const std::string& path, std::optional<Device> device) {
  FileSource source(path);
  contents_ = load_contents(source, device);
  prefix_.clear();
}

void InputArchive::load_from(const char* data, size_t size, std::optional<Device> device) {
  MemorySource source(data, size, "the buffer");
  contents_ = load_contents(source, device);
  prefix_.clear();
}

void InputArchive::load_from(std::istream& stream, std::optional<Device> device) {
  std::string bytes;
  char block[1 << 16];
  while (stream.read(block, sizeof block) || stream.gcount() > 0)
    bytes.append(block, static_cast<size_t>(stream.gcount()));
  MemorySource source(bytes.data(), bytes.size(), "the stream");
  contents_ = load_contents(source, device);
  prefix_.clear();
}

Tensor InputArchive::find(const std::string& key) const {
  const Tensor* t = contents_->tensors.find(prefix_ + key);
  return t ? *t : Tensor();
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
  STRATA_CHECK(try_read(key, tensor, is_buffer), "load: there is no tensor '{}'", full_name(key));
}

bool InputArchive::try_read(const std::string& key, InputArchive& archive) {
  const std::string prefix = empty_group(prefix_ + key);
  bool found = false;
  for (const auto& item : contents_->tensors) found = found || starts_with(item.key(), prefix);
  for (const auto& item : contents_->text) found = found || starts_with(item.key(), prefix);
  if (found) archive = nested(key);
  return found;
}

void InputArchive::read(const std::string& key, InputArchive& archive) {
  STRATA_CHECK(try_read(key, archive), "load: there is no archive '{}'", full_name(key));
}

bool InputArchive::try_read(const std::string& key, std::string& value) {
  const std::string* text = contents_->text.find(prefix_ + key);
  if (text) value = *text;
  return text != nullptr;
}

void InputArchive::read(const std::string& key, std::string& value) {
  STRATA_CHECK(try_read(key, value), "load: there is no text '{}'", full_name(key));
}

Scalar InputArchive::read_number(const std::string& key) const {
  const Tensor t = find(key);
  STRATA_CHECK(t.defined() && t.numel() == 1, "load: there is no number '{}'", full_name(key));
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
  for (const auto& item : contents_->text) add(item.key());
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
        "load: the archive is no list of tensors, whose names count from 0: it has '{}'; load it into a module, "
        "or read() single names with an InputArchive",
        archive.full_name(key));
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
