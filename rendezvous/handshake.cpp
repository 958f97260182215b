// Proofs by OpenSSL's HMAC.
#include "rendezvous/handshake.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include "rendezvous/store.h"

namespace strata::rendezvous {

Nonce make_nonce() {
  Nonce nonce;
  if (RAND_bytes(reinterpret_cast<unsigned char*>(nonce.data()), kNonceSize) != 1)
    throw StoreError("OpenSSL gives no random bytes for the store's handshake");
  return nonce;
}

std::string make_token() {
  std::string token;
  for (const char byte : make_nonce()) {
    for (const int shift : {4, 0}) token += "0123456789abcdef"[static_cast<unsigned char>(byte) >> shift & 15];
  }
  return token;
}

std::string proof(std::string_view token, std::string_view nonce, std::string_view role) {
  const std::string text = std::string(nonce) + std::string(role);
  std::string result(kProofSize, '\0');
  unsigned size = 0;
  if (!HMAC(EVP_sha256(), token.data(), static_cast<int>(token.size()),
            reinterpret_cast<const unsigned char*>(text.data()), text.size(),
            reinterpret_cast<unsigned char*>(result.data()), &size) ||
      size != kProofSize)
    throw StoreError("OpenSSL has no HMAC-SHA256 for the store's handshake");
  return result;
}

bool same_proof(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace strata::rendezvous
