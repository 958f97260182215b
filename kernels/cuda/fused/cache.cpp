// Files of compiled kernels: written aside and renamed, believed only with their checksum.
#include "kernels/cuda/fused/cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>

#include "core/error.h"
#include "ops/file.h"

namespace strata::cuda::fused {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHead = "strata kernel 1\n";
constexpr size_t kHashDigits = 32;

/// Is it a folder of this user's that nobody else can enter?
bool is_private(const std::string& folder) {
  struct stat info = {};
  return ::lstat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid() &&
         (info.st_mode & 077) == 0;
}

std::string absolute_folder(const char* variable, const char* below) {
  const char* const folder = std::getenv(variable);
  return folder && folder[0] == '/' ? std::string(folder) + below : std::string();
}

}  // namespace

std::string KernelCache::default_folder() {
  const std::string folder = absolute_folder("XDG_CACHE_HOME", "/strata/kernels");
  return folder.empty() ? absolute_folder("HOME", "/.cache/strata/kernels") : folder;
}

/// FNV-1a of 128 bits.
std::string KernelCache::hash(const std::string& text) {
  using Word = unsigned __int128;
  constexpr Word kPrime = (Word{1} << 88) + 0x13b;
  Word h = (Word{0x6c62272e07bb0142} << 64) + 0x62b821756295c58d;
  for (char c : text) h = (h ^ static_cast<unsigned char>(c)) * kPrime;
  std::string digits(kHashDigits, '0');
  for (size_t i = kHashDigits; i-- > 0; h >>= 4) digits[i] = "0123456789abcdef"[static_cast<unsigned>(h & 15)];
  return digits;
}

std::optional<std::string> KernelCache::find(const std::string& hash) const {
  if (folder_.empty() || !is_private(folder_)) return std::nullopt;
  std::error_code none;
  if (!fs::is_regular_file(fs::symlink_status(path_of(hash), none))) return std::nullopt;
  std::string content;
  try {
    serialize::FileSource file(path_of(hash));
    content.resize(file.size());
    file.read(0, content.data(), content.size());
  } catch (const Error&) {
    return std::nullopt;
  }
  const size_t begin = kHead.size() + kHashDigits;
  if (content.size() <= begin || !content.starts_with(kHead)) return std::nullopt;
  std::string code = content.substr(begin);
  if (content.compare(kHead.size(), kHashDigits, KernelCache::hash(hash + code)) != 0) return std::nullopt;
  return code;
}

void KernelCache::keep(const std::string& hash, const std::string& code) const {
  if (folder_.empty()) return;
  std::error_code none;
  fs::create_directories(fs::path(folder_).parent_path(), none);
  ::mkdir(folder_.c_str(), 0700);
  if (!is_private(folder_)) return;
  try {
    serialize::write_whole_file(path_of(hash), [&](serialize::Sink& sink) {
      const std::string content = std::string(kHead) + KernelCache::hash(hash + code) + code;
      sink.write(content.data(), content.size());
    });
  } catch (const Error&) {  // the disk is full, say: the next program compiles it again
  }
}

}  // namespace strata::cuda::fused
