// OpenSSL's digests, found in libcrypto when the first hash is asked for.
#include "distributed/checkpoint_hash.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/error.h"

namespace strata::distributed::checkpoint {
namespace {

/// The functions of EVP that are the same in OpenSSL 1.1 and 3. Contexts, digests and engines are opaque.
struct Crypto {
  void* (*context_new)() = nullptr;
  void (*context_free)(void*) = nullptr;
  const void* (*sha256)() = nullptr;
  int (*init)(void*, const void*, void*) = nullptr;
  int (*update)(void*, const void*, size_t) = nullptr;
  int (*final)(void*, unsigned char*, unsigned*) = nullptr;
  bool is_complete = false;

  Crypto() {
    void* library = nullptr;
    for (const char* const name : {"libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.so"})
      if (!library) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    is_complete = find(library, "EVP_MD_CTX_new", context_new) && find(library, "EVP_MD_CTX_free", context_free) &&
                  find(library, "EVP_sha256", sha256) && find(library, "EVP_DigestInit_ex", init) &&
                  find(library, "EVP_DigestUpdate", update) && find(library, "EVP_DigestFinal_ex", final);
  }
  template <class F>
  static bool find(void* library, const char* name, F*& function) {
    function = reinterpret_cast<F*>(dlsym(library, name));
    return function != nullptr;
  }
};

const Crypto& crypto() {
  static const Crypto functions;
  STRATA_CHECK(functions.is_complete,
               "checkpoint: SHA-256 needs OpenSSL's libcrypto.so.3, which is not there (Debian: install libssl3)");
  return functions;
}

void check(bool ok) { STRATA_CHECK(ok, "checkpoint: OpenSSL gives no SHA-256"); }

}  // namespace

Sha256::Sha256() : context_(crypto().context_new()) {
  const bool ok = context_ && crypto().init(context_, crypto().sha256(), nullptr) == 1;
  if (!ok && context_) crypto().context_free(context_);
  check(ok);
}

Sha256::~Sha256() { crypto().context_free(context_); }

void Sha256::update(const char* data, uint64_t bytes) { check(crypto().update(context_, data, bytes) == 1); }

std::string Sha256::hex() {
  std::array<unsigned char, 64> digest = {};
  unsigned length = 0;
  check(crypto().final(context_, digest.data(), &length) == 1 && length == 32);
  std::string text;
  for (unsigned i = 0; i < length; ++i) {
    text += "0123456789abcdef"[digest.at(i) >> 4];
    text += "0123456789abcdef"[digest.at(i) & 15];
  }
  return text;
}

std::string sha256_of(const std::string& text) {
  Sha256 hash;
  hash.update(text.data(), text.size());
  return hash.hex();
}

std::string sha256_of(serialize::Source& source) {
  Sha256 hash;
  std::vector<char> block(std::min<uint64_t>(source.size(), 1 << 20));
  for (uint64_t at = 0; at < source.size();) {
    const uint64_t bytes = std::min<uint64_t>(block.size(), source.size() - at);
    source.read(at, block.data(), bytes);
    hash.update(block.data(), bytes);
    at += bytes;
  }
  return hash.hex();
}

}  // namespace strata::distributed::checkpoint
