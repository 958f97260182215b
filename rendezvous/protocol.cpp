// The cryptography of the handshake is OpenSSL's.
#include "rendezvous/protocol.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <stdexcept>

namespace strata::rendezvous {

std::string proof(std::string_view token, std::string_view nonce, std::string_view role) {
  const std::string text = std::string(nonce) + std::string(role);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (!HMAC(EVP_sha256(), token.data(), static_cast<int>(token.size()),
            reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest, &size))
    throw std::runtime_error("store: HMAC-SHA256 cannot be computed");
  return {reinterpret_cast<const char*>(digest), size};
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string random_bytes(size_t count) {
  std::string bytes(count, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(count)) != 1)
    throw std::runtime_error("store: there are no random numbers");
  return bytes;
}

std::string make_token() {
  std::string token;
  for (const unsigned char byte : random_bytes(32)) {
    token += "0123456789abcdef"[byte >> 4];
    token += "0123456789abcdef"[byte & 15];
  }
  return token;
}

}  // namespace strata::rendezvous
