// The wire format of stores, which is that of torch's TCPStore (PyTorch 2, torch/csrc/distributed/c10d/TCPStore), and
// the handshake that ours have before it.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace strata::rendezvous {

/// The first byte of a query. Strings and values are 8 bytes of length (of the sender's byte order) and so many bytes.
enum class Query : uint8_t {
  kValidate,    // uint32 magic number; no answer
  kSet,         // key, value; no answer
  kCompareSet,  // key, expected, desired; answer: the value that is there now
  kGet,         // key; answer: value
  kAdd,         // key, int64; answer: int64, the sum
  kCheck,       // uint64 count, keys; answer: one byte, 0 if all are there
  kWait,        // uint64 count, keys; answer, once all are there: one byte, 0
  kGetNumKeys,  // answer: int64
  kDeleteKey,   // key; answer: int64, how many were deleted
  kAppend,      // key, value; no answer
  kMultiGet,    // uint64 count, keys; answer: values
  kMultiSet,    // uint64 count, (key, value) each; no answer
  kCancelWait,  // answer: one byte, 1
  kPing         // uint32; answer: the same
};
inline constexpr uint32_t kMagic = 0x3C85F7CE;
/// A number, and a string or value, as they are sent.
template <class T>
std::string bytes_of(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}
inline std::string text(const std::string& s) { return bytes_of(uint64_t{s.size()}) + s; }
inline constexpr uint64_t kLongestKey = 4096, kLongestValue = uint64_t{64} << 20, kMostKeys = 65536;

/// Handshake: the server sends kNonce bytes, the client a nonce of its own and proof(token, server's nonce, "client"),
/// the server proof(token, client's nonce, "server"). Nothing else is read from a client before its proof was right.
inline constexpr size_t kNonce = 32, kProof = 32;
/// HMAC-SHA256 of the nonce and the role.
std::string proof(std::string_view token, std::string_view nonce, std::string_view role);
bool equal_in_constant_time(std::string_view a, std::string_view b);
std::string random_bytes(size_t count);
/// A token for a new job: 32 random bytes in hexadecimal digits.
std::string make_token();

}  // namespace strata::rendezvous
