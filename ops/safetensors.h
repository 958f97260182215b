// The safetensors file format: an 8-byte header length, a JSON header, raw little-endian data. Internal to
// ops/serialize.cpp.
#pragma once
#include <iosfwd>
#include <string>

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

Contents read_safetensors(Source& source);
void write_safetensors(const Contents& contents, Sink& sink);

}  // namespace strata::serialize
