// SHA-256 of files, while they are written and after.
#pragma once
#include <memory>
#include <string>

#include "../ops/safetensors.h"

namespace strata::distributed::checkpoint {

/// SHA-256 by OpenSSL's libcrypto, which is loaded on first use, so that the library does not depend on it. Throws
/// where there is none.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  void update(const char* data, uint64_t bytes);
  /// The 64 hexadecimal digits of all so far; the last call.
  std::string hex();

 private:
  void* context_;
};

std::string sha256_of(const std::string& text);
/// Of all that a source has.
std::string sha256_of(serialize::Source& source);

/// Passes on what is written, and hashes it.
class HashingSink : public serialize::Sink {
 public:
  explicit HashingSink(serialize::Sink& to) : to_(to) {}
  void write(const char* data, uint64_t bytes) override {
    to_.write(data, bytes);
    hash_.update(data, bytes);
    bytes_ += bytes;
  }
  uint64_t bytes() const { return bytes_; }
  std::string hex() { return hash_.hex(); }

 private:
  serialize::Sink& to_;
  Sha256 hash_;
  uint64_t bytes_ = 0;
};

}  // namespace strata::distributed::checkpoint
