// Running curl, and SHA-256 of what it brings.
#include "data/download.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "core/error.h"

extern char** environ;

namespace strata::data {
namespace {

namespace fs = std::filesystem;

/// The first 32 bits of the fractional parts of roots of the first primes.
constexpr std::array<uint32_t, 64> kRounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

class Sha256 {
 public:
  void add(const uint8_t* data, size_t size) {
    total_ += size;
    while (size > 0) {
      const size_t taken = std::min(size, block_.size() - filled_);
      std::memcpy(block_.data() + filled_, data, taken);
      filled_ += taken;
      data += taken;
      size -= taken;
      if (filled_ < block_.size()) return;
      mix();
      filled_ = 0;
    }
  }
  std::string digest() {
    const uint64_t bits = total_ * 8;
    const uint8_t one = 0x80, zero = 0;
    add(&one, 1);
    while (filled_ != 56) add(&zero, 1);
    for (int shift = 56; shift >= 0; shift -= 8) {
      const auto byte = static_cast<uint8_t>(bits >> shift);
      add(&byte, 1);
    }
    std::string text;
    for (const uint32_t word : state_)
      for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> shift & 15];
    return text;
  }

 private:
  void mix() {
    std::array<uint32_t, 64> w{};
    for (size_t i = 0; i < 16; ++i)
      for (size_t j = 0; j < 4; ++j) w[i] = w[i] << 8 | block_[4 * i + j];
    for (size_t i = 16; i < 64; ++i) {
      const uint32_t a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
             (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
    }
    auto [a, b, c, d, e, f, g, h] = state_;
    for (size_t i = 0; i < 64; ++i) {
      const uint32_t t1 =
          h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + kRounds[i] + w[i];
      const uint32_t t2 = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    const std::array<uint32_t, 8> mixed = {a, b, c, d, e, f, g, h};
    for (size_t i = 0; i < 8; ++i) state_[i] += mixed[i];
  }

  std::array<uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, 64> block_{};
  size_t filled_ = 0;
  uint64_t total_ = 0;
};

/// Runs a program and waits for its end; its exit status, or -1 where it cannot be started.
int run(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (::posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0) return -1;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Removes a file that did not get its name.
struct Part {
  ~Part() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
  std::string path;
};

}  // namespace

std::string sha256_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  STRATA_CHECK(file.good(), "sha256_of_file: cannot open {}", path);
  Sha256 sum;
  std::vector<char> buffer(1 << 16);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || file.gcount() > 0)
    sum.add(reinterpret_cast<const uint8_t*>(buffer.data()), static_cast<size_t>(file.gcount()));
  STRATA_CHECK(file.eof(), "sha256_of_file: cannot read {}", path);
  return sum.digest();
}

void download(const std::string& url, const std::string& path, const DownloadOptions& options) {
  const std::string& wanted = options.sha256();
  STRATA_CHECK(wanted.empty() || wanted.size() == 64, "download: a SHA-256 has 64 digits, got \"{}\"", wanted);
  if (fs::exists(path) && (wanted.empty() || sha256_of_file(path) == wanted)) return;
  if (fs::path(path).has_parent_path()) fs::create_directories(fs::path(path).parent_path());
  const Part part{path + ".part" + std::to_string(::getpid())};
  const int status =
      run({"curl", "--fail", "--location", "--show-error", options.progress() ? "--progress-bar" : "--silent",
           "--proto", "=https,http,file", "--connect-timeout", "30", "--output", part.path, "--url", url});
  STRATA_CHECK(status >= 0 && status != 127, "download: the program curl could not be run");
  STRATA_CHECK(status == 0, "download: curl ended with {} for {}", status, url);
  const std::string found = wanted.empty() ? wanted : sha256_of_file(part.path);
  STRATA_CHECK(found == wanted, "download: the SHA-256 of {} is {}, not {}", url, found, wanted);
  fs::rename(part.path, path);
}

}  // namespace strata::data
