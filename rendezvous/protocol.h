// The wire format of torch's TCPStore (libuv backend), which client and server speak, and what ours adds to it.
//
// A query is one byte and its fields; numbers are in the machine's byte order, keys and values a uint64 length and
// their bytes. Behind a handshake each answer begins with a Status, and queries without an answer get one: torch's
// format has no way to say that a query failed other than to close the connection.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

namespace strata::rendezvous {

enum class Query : uint8_t {
  kValidate,
  kSet,
  kCompareSet,
  kGet,
  kAdd,
  kCheck,
  kWait,
  kNumKeys,
  kDeleteKey,
  kAppend,
  kMultiGet,
  kMultiSet,
  kCancelWait,
  kPing,
};

enum class CheckAnswer : uint8_t { kReady, kNotReady };
enum class WaitAnswer : uint8_t { kStopWaiting, kWaitCanceled };

/// How an answer behind a handshake begins; a line of text follows all but kOk.
enum class Status : uint8_t { kOk, kFailed, kGenerationOver };

/// What torch's clients send with kValidate.
inline constexpr uint32_t kMagic = 0x3C85F7CE;

/// As torch's clients do it, ours put this before each key, so that both see the same ones.
inline constexpr char kKeyPrefix = '/';

inline constexpr uint64_t kMostKeysInQuery = 128 * 1024;

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline void put_bytes(std::string& out, std::string_view bytes) {
  put<uint64_t>(out, bytes.size());
  out += bytes;
}

/// Bytes that no honest client sends.
class ProtocolError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// There is no whole query yet.
struct Incomplete {};

/// Takes fields off the front of what has come in; throws Incomplete where they have not all come.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  template <class T>
  T take() {
    T value;
    std::memcpy(&value, take_raw(sizeof value).data(), sizeof value);
    return value;
  }

  /// A key or value; a length of more than `most` throws ProtocolError before any of it is there.
  std::string_view take_bytes(uint64_t most) { return take_raw(take_length(most)); }

  uint64_t take_length(uint64_t most) {
    const auto length = take<uint64_t>();
    if (length > most)
      throw ProtocolError("a length of " + std::to_string(length) + ", and " + std::to_string(most) + " is the most");
    return length;
  }

  std::string_view take_raw(size_t size) {
    if (text_.size() - at_ < size) throw Incomplete{};
    at_ += size;
    return text_.substr(at_ - size, size);
  }

  size_t taken() const { return at_; }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace strata::rendezvous
