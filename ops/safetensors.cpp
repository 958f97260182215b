// Reads and writes the safetensors format (https://github.com/huggingface/safetensors), checking every size before it
// is used.
#include "ops/safetensors.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "ops/file_layout.h"

namespace strata::serialize {

namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;   // looks names up one by one: for what is written, not what others wrote
constexpr uint64_t kMaxHeader = 100'000'000;  // the format's own limit
constexpr size_t kMaxNesting = 128;           // of extra fields; as the reference implementation
constexpr const char* kMetadata = "__metadata__";

struct TypeName {
  DType dtype;
  const char* name;
};
constexpr TypeName kTypeNames[] = {{kBool, "BOOL"},          {kByte, "U8"},    {kChar, "I8"},
                                   {kShort, "I16"},          {kInt, "I32"},    {kUInt32, "U32"},
                                   {kLong, "I64"},           {kHalf, "F16"},   {kBFloat16, "BF16"},
                                   {kFloat, "F32"},          {kDouble, "F64"}, {kComplexFloat, "C64"},
                                   {kUInt16, "U16"},         {kUInt64, "U64"}, {kFloat8_e4m3fn, "F8_E4M3"},
                                   {kFloat8_e5m2, "F8_E5M2"}};

const char* type_name(DType dtype, const std::string& key) {
  for (const TypeName& t : kTypeNames)
    if (t.dtype == dtype) return t.name;
  STRATA_THROW("save: cannot save {} tensors, and '{}' is one", name(dtype), key);
}

DType dtype_from(const std::string& text) {
  for (const TypeName& t : kTypeNames)
    if (text == t.name) return t.dtype;
  return DType::Undefined;
}

uint64_t unsigned_of(const Json& value, const char* what, const std::string& key, const Source& source) {
  STRATA_CHECK(value.is_number_unsigned(), "load: {}: tensor '{}' has a bad {}", source.name(), key, what);
  return value.get<uint64_t>();
}

std::vector<int64_t> shape_of(const Json& list, const std::string& key, const Source& source) {
  STRATA_CHECK(list.is_array() && list.size() <= kMaxDims, "load: {}: tensor '{}' has a bad shape", source.name(), key);
  std::vector<int64_t> shape;
  for (const Json& value : list) {
    const uint64_t size = unsigned_of(value, "shape", key, source);
    STRATA_CHECK(size <= INT64_MAX, "load: {}: tensor '{}' has a bad shape", source.name(), key);
    shape.push_back(static_cast<int64_t>(size));
  }
  return shape;
}

/// Throws unless the offsets leave as many bytes as the shape needs; of an unknown dtype nothing says how many.
void check_size(const Entry& e, const Source& source) {
  const bool known = e.dtype != DType::Undefined;
  const std::optional<uint64_t> needed = known ? bytes_of(e.dtype, e.shape) : e.end - e.begin;
  STRATA_CHECK(needed.has_value(), "load: {}: tensor '{}' is too large, its shape is {}", source.name(), e.key,
               IntArrayRef(e.shape));
  STRATA_CHECK(e.begin <= e.end && e.end - e.begin == *needed,
               "load: {}: tensor '{}' of shape {} needs {} bytes, its offsets are {} to {}", source.name(), e.key,
               IntArrayRef(e.shape), *needed, e.begin, e.end);
}

Entry entry_of(const std::string& key, const Json& json, const Source& source) {
  const bool complete = json.is_object() && json.contains("dtype") && json.contains("shape") &&
                        json.contains("data_offsets") && json["dtype"].is_string() && json["data_offsets"].is_array() &&
                        json["data_offsets"].size() == 2;
  STRATA_CHECK(complete, "load: {}: tensor '{}' lacks dtype, shape or data_offsets", source.name(), key);
  Entry e;
  e.key = key;
  e.type_name = json["dtype"].get<std::string>();
  e.dtype = dtype_from(e.type_name);
  e.shape = shape_of(json["shape"], key, source);
  e.begin = unsigned_of(json["data_offsets"][0], "data offset", key, source);
  e.end = unsigned_of(json["data_offsets"][1], "data offset", key, source);
  check_size(e, source);
  return e;
}

/// The data must be covered without holes and without overlaps, and be there in full.
void check_layout(std::vector<Entry>& entries, uint64_t data_size, const Source& source) {
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  uint64_t position = 0;
  for (const Entry& e : entries) {
    STRATA_CHECK(e.end <= data_size, "load: {} is truncated: tensor '{}' ends at byte {} of the data, there are {}",
                 source.name(), e.key, e.end, data_size);
    STRATA_CHECK(e.begin == position, "load: {}: tensor '{}' starts at byte {} of the data, expected {}", source.name(),
                 e.key, e.begin, position);
    position = e.end;
  }
  STRATA_CHECK(position == data_size, "load: {}: {} bytes of data belong to no tensor", source.name(),
               data_size - position);
}

/// Looks through a header for what is no error of JSON: a name that comes twice in an object, of which readers differ
/// in the one that counts, and deep nesting.
class Strictness final : public nlohmann::json_sax<Json> {
 public:
  explicit Strictness(const Source& source) : source_(source) {}
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_array() override { return leave(); }
  bool key(string_t& name) override {
    STRATA_CHECK(names_.back().insert(name).second, "load: {} is corrupt: its header has the name '{}' twice",
                 source_.name(), name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  bool enter() {
    STRATA_CHECK(names_.size() < kMaxNesting, "load: {} is corrupt: its header is nested more than {} deep",
                 source_.name(), kMaxNesting);
    names_.emplace_back();
    return true;
  }
  bool leave() {
    names_.pop_back();
    return true;
  }
  const Source& source_;
  std::vector<std::set<std::string>> names_;  ///< of the objects that are open; none in a list
};

Json parse_strictly(const std::string& text, const Source& source) {
  Strictness strictness(source);
  // The parser skips a byte-order mark, and takes a zero byte for the end.
  const bool is_json = text.starts_with('{') && text.find('\0') == text.npos && Json::sax_parse(text, &strictness);
  STRATA_CHECK(is_json, "load: {} is corrupt: its header is not a JSON object", source.name());
  return Json::parse(text);
}

Json read_json(Source& source, uint64_t& data_start) {
  STRATA_CHECK(source.size() >= 8, "load: {} is truncated: it has {} bytes, a file has at least 8", source.name(),
               source.size());
  char length_bytes[8];
  source.read(0, length_bytes, sizeof length_bytes);
  const uint64_t length = little_endian(length_bytes, sizeof length_bytes);
  STRATA_CHECK(length <= kMaxHeader, "load: {} is not a Strata or safetensors file: its header would have {} bytes",
               source.name(), length);
  STRATA_CHECK(length <= source.size() - 8, "load: {} is truncated: its header has {} bytes, {} are there",
               source.name(), length, source.size() - 8);
  std::string text(length, '\0');
  source.read(8, text.data(), length);
  data_start = 8 + length;
  return parse_strictly(text, source);
}

Tensor read_tensor(Source& source, const Entry& e, uint64_t data_start) {
  Tensor t = empty_cpu(e.shape, e.dtype);
  if (e.end == e.begin) return t;
  source.read(data_start + e.begin, t.bytes(), e.end - e.begin);
  if (e.dtype == kBool) make_bools(t.bytes(), e.end - e.begin);
  return t;
}

uint64_t data_bytes(const Tensor& t) { return static_cast<uint64_t>(t.numel()) * item_size(t.dtype()); }

OrderedJson header_of(const Contents& contents) {
  OrderedJson header = OrderedJson::object();
  // Hugging Face's libraries ask whose layout a model has.
  header[kMetadata]["format"] = "pt";
  for (const auto& item : contents.text) header[kMetadata][item.key()] = item.value();
  uint64_t position = 0;
  for (const auto& item : contents.tensors) {
    STRATA_CHECK(item.key() != kMetadata,
                 "save: a tensor has the name '{}', which the format takes for the file's "
                 "own text: rename the tensor",
                 kMetadata);
    const uint64_t end = position + data_bytes(item.value());
    header[item.key()] = {{"dtype", type_name(item.value().dtype(), item.key())},
                          {"shape", item.value().sizes().vec()},
                          {"data_offsets", {position, end}}};
    position = end;
  }
  return header;
}

std::string header_text(const Contents& contents) {
  try {
    return header_of(contents).dump();
  } catch (const OrderedJson::exception& e) {
    STRATA_THROW("save: a name or a text is not UTF-8: {}", e.what());
  }
}

}  // namespace

Header read_header(Source& source, bool any_dtype) {
  Header header;
  const Json json = read_json(source, header.data_start);
  for (const auto& [key, value] : json.items()) {
    if (key != kMetadata) {
      header.entries.push_back(entry_of(key, value, source));
      continue;
    }
    if (value.is_null()) continue;
    STRATA_CHECK(value.is_object(), "load: {} is corrupt: {} is not an object", source.name(), kMetadata);
    for (const auto& [name, text] : value.items()) {
      STRATA_CHECK(text.is_string(), "load: {} is corrupt: {} '{}' is not text", source.name(), kMetadata, name);
      header.text.insert(name, text.get<std::string>());
    }
  }
  for (const Entry& e : header.entries)
    STRATA_CHECK(any_dtype || e.dtype != DType::Undefined, "load: {}: tensor '{}' has the unknown dtype '{}'",
                 source.name(), e.key, e.type_name);
  check_layout(header.entries, source.size() - header.data_start, source);
  return header;
}

Contents read_safetensors(Source& source) {
  Header header = read_header(source, /*any_dtype=*/true);
  Contents contents;
  contents.text = std::move(header.text);
  for (const Entry& e : header.entries)
    if (e.dtype == DType::Undefined)
      contents.refused.insert(e.key, e.type_name);
    else
      contents.tensors.insert(e.key, read_tensor(source, e, header.data_start));
  return contents;
}

void write_safetensors(const Contents& contents, Sink& sink) {
  std::string header = header_text(contents);
  header.resize((header.size() + 7) / 8 * 8, ' ');  // the data starts aligned
  std::string length;
  put_number(length, header.size(), 8);
  sink.write(length.data(), length.size());
  sink.write(header.data(), header.size());
  for (const auto& item : contents.tensors) {
    const Tensor t = item.value().cpu().contiguous();
    if (t.numel() > 0) sink.write(t.bytes(), data_bytes(t));
  }
}

}  // namespace strata::serialize
