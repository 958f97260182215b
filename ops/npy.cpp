// numpy's files: a header that is a Python dict of three entries, and the array behind it (numpy.lib.format); .npz is a
// zip archive of them.
#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cstring>

#include "core/called.h"
#include "core/error.h"
#include "ops/cast.h"
#include "ops/file.h"
#include "ops/file_layout.h"
#include "ops/tensor_files.h"
#include "ops/view.h"
#include "ops/zip.h"

namespace strata {

namespace {

using serialize::Sink;
using serialize::Source;

static_assert(std::endian::native == std::endian::little);

const std::string kMagic("\x93NUMPY", 6);
constexpr uint64_t kMaxHeader = 1 << 20;

struct TypeName {
  DType dtype;
  const char* name;
};
constexpr TypeName kNpyTypes[] = {{kBool, "b1"},   {kByte, "u1"},   {kChar, "i1"},         {kShort, "i2"},
                                  {kInt, "i4"},    {kUInt32, "u4"}, {kLong, "i8"},         {kHalf, "f2"},
                                  {kFloat, "f4"},  {kDouble, "f8"}, {kComplexFloat, "c8"}, {kComplexDouble, "c16"},
                                  {kUInt16, "u2"}, {kUInt64, "u8"}};

struct Header {
  DType dtype = DType::Undefined;
  bool big_endian = false, column_major = false;
  std::vector<int64_t> sizes;
  uint64_t data = 0;  ///< where the array starts
};

/// The few parts of Python that a header has.
class Literal {
 public:
  Literal(const std::string& text, const std::string& name) : text_(text), name_(name) {}

  [[noreturn]] void fail() const {
    STRATA_THROW("load: {} is corrupt: its header is no dict of numpy's: {}", name_, text_);
  }
  bool take(char c) {
    skip_space();
    const bool found = at_ < text_.size() && text_[at_] == c;
    at_ += found;
    return found;
  }
  void expect(char c) {
    if (!take(c)) fail();
  }
  bool is_next(char c) {
    skip_space();
    return at_ < text_.size() && text_[at_] == c;
  }
  std::string string() {
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    const size_t end = quote == '\'' || quote == '"' ? text_.find(quote, at_ + 1) : text_.npos;
    if (end == text_.npos) fail();
    std::string out = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return out;
  }
  bool boolean() {
    skip_space();
    for (const auto& [word, value] : {std::pair("True", true), std::pair("False", false)})
      if (text_.compare(at_, std::strlen(word), word) == 0) {
        at_ += std::strlen(word);
        return value;
      }
    fail();
  }
  int64_t integer() {
    skip_space();
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc() || value < 0) fail();
    at_ = static_cast<size_t>(end - text_.data());
    take('L');  // as Python 2 wrote it
    return value;
  }
  std::vector<int64_t> tuple() {
    std::vector<int64_t> out;
    expect('(');
    while (!take(')')) {
      out.push_back(integer());
      if (!take(',') && !is_next(')')) fail();
    }
    return out;
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  const std::string& text_;
  const std::string& name_;
  size_t at_ = 0;
};

void take_type(Header& h, const std::string& text, const std::string& name) {
  const char order = text.empty() ? '?' : text[0];
  for (const TypeName& t : kNpyTypes)
    if (text.size() > 1 && text.substr(1) == t.name) h.dtype = t.dtype;
  const bool known = h.dtype != DType::Undefined && (order == '<' || order == '>' || order == '|' || order == '=');
  STRATA_CHECK(known, "load: {}: arrays of numpy's dtype '{}' have no counterpart here", name, text);
  h.big_endian = order == '>';
}

void parse(Header& h, const std::string& text, const std::string& name) {
  Literal in(text, name);
  std::array<bool, 3> seen{};
  in.expect('{');
  while (!in.take('}')) {
    const std::string key = in.string();
    in.expect(':');
    if (key == "descr") {
      STRATA_CHECK(!in.is_next('['), "load: {}: arrays of records are not read: load one field of them in Python",
                   name);
      take_type(h, in.string(), name);
      seen[0] = true;
    } else if (key == "fortran_order") {
      h.column_major = in.boolean();
      seen[1] = true;
    } else if (key == "shape") {
      h.sizes = in.tuple();
      seen[2] = true;
    } else {
      in.fail();
    }
    if (!in.take(',') && !in.is_next('}')) in.fail();
  }
  if (!(seen[0] && seen[1] && seen[2])) in.fail();
}

uint64_t checked_bytes(const Header& h, const std::string& name) {
  STRATA_CHECK(h.sizes.size() <= kMaxDims, "load: {} has an array of {} dims", name, h.sizes.size());
  const std::optional<uint64_t> bytes = serialize::bytes_of(h.dtype, h.sizes);
  STRATA_CHECK(bytes.has_value(), "load: {}: the array is too large, its shape is {}", name, IntArrayRef(h.sizes));
  return *bytes;
}

Header header_from(Source& source) {
  const std::string& name = source.name();
  STRATA_CHECK(source.size() >= 10, "load: {} is no .npy file: it has {} bytes", name, source.size());
  std::string start(10, '\0');
  source.read(0, start.data(), start.size());
  STRATA_CHECK(start.starts_with(kMagic), "load: {} is no .npy file", name);
  const int version = start[6];
  STRATA_CHECK(version >= 1 && version <= 3, "load: {} has version {} of numpy's format, 1 to 3 are known", name,
               version);
  const size_t width = version == 1 ? 2 : 4;
  STRATA_CHECK(source.size() >= 8 + width, "load: {} is truncated", name);
  std::array<char, 4> digits{};
  source.read(8, digits.data(), width);
  const uint64_t length = serialize::little_endian(digits.data(), width);
  STRATA_CHECK(length <= kMaxHeader && length <= source.size() - 8 - width,
               "load: {} is truncated: its header has {} bytes", name, length);
  std::string text(length, '\0');
  source.read(8 + width, text.data(), length);
  Header h;
  h.data = 8 + width + length;
  parse(h, text, name);
  return h;
}

void swap_bytes(char* data, uint64_t bytes, DType dtype) {
  const uint64_t width = item_size(dtype) / (is_complex(dtype) ? 2 : 1);
  for (uint64_t at = 0; at < bytes; at += width) std::reverse(data + at, data + at + width);
}

Tensor read_npy(Source& source) {
  Header h = header_from(source);
  const uint64_t bytes = checked_bytes(h, source.name());
  STRATA_CHECK(source.size() - h.data == bytes,
               "load: {} is truncated or corrupt: an array of shape {} needs {} bytes, {} "
               "are there",
               source.name(), IntArrayRef(h.sizes), bytes, source.size() - h.data);
  if (h.column_major) std::reverse(h.sizes.begin(), h.sizes.end());
  const Tensor t = empty_cpu(h.sizes, h.dtype);
  if (bytes > 0) {
    source.read(h.data, t.bytes(), bytes);
    if (h.big_endian) swap_bytes(t.bytes(), bytes, h.dtype);
    if (h.dtype == kBool) serialize::make_bools(t.bytes(), bytes);
  }
  if (!h.column_major) return t;
  std::vector<int64_t> dims;
  for (int64_t d = t.dim(); d-- > 0;) dims.push_back(d);
  return t.permute(dims);
}

/// `file` is what messages call the file.
std::string header_of(const Tensor& t, const std::string& file) {
  const auto* type = std::ranges::find(kNpyTypes, t.dtype(), &TypeName::dtype);
  STRATA_CHECK(type != std::end(kNpyTypes), "save: '{}': numpy has no dtype for {}", file, name(t.dtype()));
  std::string shape;
  for (const int64_t size : t.sizes()) shape += std::to_string(size) + ",";
  const std::string order = item_size(t.dtype()) == 1 ? "|" : "<";
  std::string text = "{'descr': '" + order + type->name + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr size_t kBefore = 10, kAlignment = 64;
  text.append((kAlignment - (kBefore + text.size() + 1) % kAlignment) % kAlignment, ' ');
  text += '\n';
  STRATA_CHECK(text.size() <= UINT16_MAX, "save: '{}': an array of {} dims is too much for an .npy file", file,
               t.dim());
  std::string out = kMagic + std::string("\1\0", 2);
  serialize::put_number(out, text.size(), 2);
  return out + text;
}

/// Row-major and on the host.
Tensor plain(const Tensor& t, const std::string& file) {
  STRATA_CHECK(t.defined(), "save: '{}': the tensor is undefined", file);
  return t.detach().cpu().contiguous();
}

}  // namespace

Tensor load_npy(const std::string& path) {
  const Called called;
  serialize::FileSource source(path);
  return read_npy(source);
}

void save_npy(const Tensor& tensor, const std::string& path) {
  const Tensor t = plain(tensor, path);
  const std::string header = header_of(t, path);
  serialize::write_whole_file(path, [&](Sink& sink) {
    sink.write(header.data(), header.size());
    if (t.numel() > 0) sink.write(t.bytes(), t.nbytes());
  });
}

TensorMap load_npz(const std::string& path) {
  serialize::FileSource source(path);
  serialize::ZipReader zip(source);
  TensorMap out;
  for (const serialize::ZipRecord& record : zip.records()) {
    const std::string ending = ".npy", bytes = zip.read(record);
    serialize::MemorySource array(bytes.data(), bytes.size(), source.name() + ": '" + record.name + "'");
    const bool named = record.name.ends_with(ending);
    out.insert(named ? record.name.substr(0, record.name.size() - ending.size()) : record.name, read_npy(array));
  }
  return out;
}

void save_npz(const TensorMap& tensors, const std::string& path) {
  serialize::write_whole_file(path, [&](Sink& sink) {
    serialize::ZipWriter zip(sink);
    for (const auto& item : tensors) {
      const Tensor t = plain(item.value(), path);
      const std::string array = header_of(t, path) + (t.numel() > 0 ? std::string(t.bytes(), t.nbytes()) : "");
      zip.add(item.key() + ".npy", array);
    }
    zip.finish();
  });
}

}  // namespace strata
