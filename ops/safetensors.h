// The safetensors file format: an 8-byte header length, a JSON header, raw little-endian data. Internal to
// what saves and loads.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "../core/ordered_dict.h"
#include "../core/tensor.h"

namespace strata::serialize {

/// What a file holds: tensors and text by full name.
struct Contents {
  OrderedDict<std::string, Tensor> tensors{"tensor"};
  OrderedDict<std::string, std::string> text{"text"};
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
  DType dtype;
  std::vector<int64_t> shape;
  uint64_t begin, end;
};

/// What stands before the data, which starts at byte `data_start` and is in the file in full.
struct Header {
  std::vector<Entry> entries;
  OrderedDict<std::string, std::string> text{"text"};
  uint64_t data_start = 0;
};

/// Throws unless every size in it fits the source.
Header read_header(Source& source);
Contents read_safetensors(Source& source);
void write_safetensors(const Contents& contents, Sink& sink);

}  // namespace strata::serialize
