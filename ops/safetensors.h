// The safetensors file format: an 8-byte header length, a JSON header, raw little-endian data. Internal to
// what saves and loads.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "../core/ordered_dict.h"
#include "../core/tensor.h"
#include "../core/value.h"

namespace strata::serialize {

/// What a file holds, by full name.
struct Contents {
  OrderedDict<std::string, Tensor> tensors{"tensor"};
  OrderedDict<std::string, std::string> text{"text"};
  OrderedDict<std::string, Value> values{"value"};  ///< lists and whatever is neither tensor nor text
  OrderedDict<std::string, std::string> refused{
      "tensor"};                       ///< dtypes that are not known here, of tensors that have them
  std::string source = "the archive";  ///< where it comes from, for messages
};

/// Where bytes are read from; `read` throws when they are not there.
class Source {
 public:
  virtual ~Source() = default;
  virtual uint64_t size() const = 0;
  virtual void read(uint64_t offset, char* to, uint64_t bytes) = 0;
  /// What the source is called in messages.
  virtual const std::string& name() const = 0;
};

/// Where bytes are written to; throws when that fails.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void write(const char* data, uint64_t bytes) = 0;
};

/// One tensor as a header describes it: bytes `begin` to `end` of the data.
struct Entry {
  std::string key;
  DType dtype;            ///< undefined where it is not known here
  std::string type_name;  ///< as it stands in the file
  std::vector<int64_t> shape;
  uint64_t begin, end;
};

/// What stands before the data, which starts at byte `data_start` and is in the file in full.
struct Header {
  std::vector<Entry> entries;
  OrderedDict<std::string, std::string> text{"text"};
  uint64_t data_start = 0;
};

/// Throws unless every size in it fits the source and, unless `any_dtype`, every dtype is known here.
Header read_header(Source& source, bool any_dtype = false);
Contents read_safetensors(Source& source);
void write_safetensors(const Contents& contents, Sink& sink);

}  // namespace strata::serialize
