// Compiled kernels on the disk, so that the next program need not compile them.
#pragma once
#include <optional>
#include <string>

namespace strata::cuda::fused {

/// A folder of files that hold a checksum and a kernel's machine code each, named by a hash of all that the code
/// depends on. Only a folder that nobody else may look into is used; its files are whole or not there. Where something
/// is wrong, nothing is found or kept, and the kernel is compiled.
class KernelCache {
 public:
  /// The folder is made, with those above it, when something is kept. None, and no cache, where the name is empty.
  explicit KernelCache(std::string folder) : folder_(std::move(folder)) {}
  /// strata/kernels in $XDG_CACHE_HOME or ~/.cache; empty where neither is known.
  static std::string default_folder();
  /// Names the file of a kernel that depends on `text`.
  static std::string hash(const std::string& text);

  std::optional<std::string> find(const std::string& hash) const;
  void keep(const std::string& hash, const std::string& code) const;

 private:
  std::string path_of(const std::string& hash) const { return folder_ + "/" + hash; }
  const std::string folder_;
};

}  // namespace strata::cuda::fused
