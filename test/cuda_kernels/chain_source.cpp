// The sources of generated kernels, NVRTC, which compiles them without a GPU, and the folder that keeps what it made.
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "dispatcher/chain.h"
#include "kernels/cuda/fused/cache.h"
#include "kernels/cuda/fused/nvrtc.h"
#include "kernels/cuda/fused/source.h"
#include "ops/activation_def.h"
#include "ops/cast_def.h"
#include "ops/unary_def.h"
#include "test/catch.h"
#include "test/cuda_kernels/device.h"
#include "test/files.h"
#include "test/recorder.h"

namespace strata::test {
namespace {

namespace fs = std::filesystem;
using cuda::fused::KernelCache, cuda::fused::Layout, cuda::fused::source_of;
using dispatch::Chain;

template <class P = NoParams>
Chain::Step step(const char* op, std::vector<int32_t> in, const P& params = P()) {
  return {&op_named(op), OwnedParams(Params::of(params)), std::move(in)};
}

/// gelu(x * 2 + bias), as a program has it.
Chain documented() {
  return {
      std::vector<DType>(6, kFloat), {step("mul", {0, 1}), step("add", {3, 2}), step("gelu", {4}, GeluParams{})}, {5}};
}

/// Are these the bytes of machine code, with the kernel's name in them?
void check_compiles(const Chain& chain, const Layout& layout) {
  const auto source = source_of(chain, layout);
  INFO(source.text);
  const std::string code = cuda::fused::compile_source(source.text, "sm_90");
  CHECK(
      code.starts_with("\x7f"
                       "ELF"));
  CHECK(code.find(source.name) != std::string::npos);
}

/// A folder that is the cache's, in one for the test.
struct CacheFolder {
  fs::path root = fs::temp_directory_path() / "strata_cache_XXXXXX";
  CacheFolder() {
    std::string name = root.string();
    REQUIRE(mkdtemp(name.data()));
    root = name;
  }
  ~CacheFolder() { fs::remove_all(root); }
  CacheFolder(const CacheFolder&) = delete;
  CacheFolder& operator=(const CacheFolder&) = delete;
  std::string path() const { return root / "strata/kernels"; }
};

const std::string kHash = KernelCache::hash("a source"), kCode("machine\0code", 12);

void write(const fs::path& path, const std::string& content) { std::ofstream(path, std::ios::binary) << content; }
std::string read(const fs::path& path) {
  const std::vector<char> bytes = bytes_of(path);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("the kernel of docs/cuda.md is the one that is generated") {
  const auto source = source_of(documented(), {4, true, 0b0100});
  CHECK(source.name == "chain_mul_add_gelu");
  std::string shown;
  std::istringstream lines(source.text);
  for (std::string line; std::getline(lines, line);) shown += line.empty() ? "\n" : "    " + line + "\n";
  INFO(source.text);
  CHECK(read(source_dir() + "/docs/cuda.md").find("\n" + shown) != std::string::npos);
}

TEST_CASE("NVRTC compiles generated kernels") {
  if (const std::string& problem = cuda::fused::nvrtc_problem(); !problem.empty()) {
    WARN("not tested: " << problem);
    return;
  }
  check_compiles(documented(), {4, true, 0b0100});
  check_compiles(documented(), {4, false, 0b0100});
  Chain halves{{kHalf, kBFloat16, kFloat, kBFloat16, kBFloat16, kBool, kBFloat16},
               {step("cast", {0}, CastParams{kFloat}), step("cast", {2}, CastParams{kBFloat16}), step("add", {3, 1}),
                step("gt", {4, 3}), step("where", {5, 4, 3})},
               {6, 2}};
  check_compiles(halves, {4, false, 0});
  Chain special{std::vector<DType>(3, kDouble), {step("polygamma", {0}, PolygammaParams{2}), step("erfinv", {1})}, {2}};
  check_compiles(special, {1, false, 0});
  Chain whole{
      std::vector<DType>(5, kLong), {step("remainder", {0, 1}), step("bitwise_xor", {2, 1}), step("pow", {3, 1})}, {4}};
  check_compiles(whole, {2, false, 0});
  CHECK_THROWS_WITH(cuda::fused::compile_source("no kernel", "sm_90"),
                    Catch::Matchers::ContainsSubstring("chain.cu(1)"));
}

TEST_CASE("compiled kernels are kept in a folder of the user's") {
  const CacheFolder folder;
  const KernelCache cache(folder.path());
  CHECK(!cache.find(kHash));
  cache.keep(kHash, kCode);
  CHECK(cache.find(kHash) == kCode);
  CHECK(!cache.find(KernelCache::hash("another source")));
  struct stat info = {};
  REQUIRE(::stat(folder.path().c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0700);
  const fs::directory_iterator files(folder.path());
  CHECK(std::distance(begin(files), end(files)) == 1);  // nothing temporary is left
}

TEST_CASE("a damaged file of a kernel is not believed") {
  const CacheFolder folder;
  const KernelCache cache(folder.path());
  cache.keep(kHash, kCode);
  const fs::path path = fs::path(folder.path()) / kHash;
  const std::string whole = read(path);
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] ^= 1;
    write(path, damaged);
    CHECK(!cache.find(kHash));
    write(path, whole.substr(0, i));
    CHECK(!cache.find(kHash));
  }
  write(path, whole + "x");
  CHECK(!cache.find(kHash));
  const std::string other = KernelCache::hash("another source");
  write(fs::path(folder.path()) / other, whole);
  CHECK(!cache.find(other));  // the code of one source under another's name
  cache.keep(kHash, kCode);
  CHECK(cache.find(kHash) == kCode);
  fs::remove(path);
  fs::create_symlink(fs::path(folder.path()) / other, path);
  CHECK(!cache.find(kHash));
  fs::remove(path);
  fs::create_directory(path);
  CHECK(!cache.find(kHash));
  cache.keep(kHash, kCode);  // no error, though it cannot be written
  CHECK(!cache.find(kHash));
}

TEST_CASE("a folder that others may look into keeps no kernels") {
  const CacheFolder folder;
  const KernelCache cache(folder.path());
  cache.keep(kHash, kCode);
  fs::permissions(folder.path(), fs::perms::owner_all | fs::perms::group_write);
  CHECK(!cache.find(kHash));
  fs::permissions(folder.path(), fs::perms::owner_all);
  CHECK(cache.find(kHash) == kCode);
  const fs::path elsewhere = folder.root / "link";
  fs::create_directory_symlink(folder.path(), elsewhere);
  CHECK(!KernelCache(elsewhere).find(kHash));
  KernelCache("").keep(kHash, kCode);
  CHECK(!KernelCache("").find(kHash));
}

TEST_CASE("the folder of compiled kernels is where the user's caches are") {
  const auto folder_for = [](const char* cache, const char* home) {
    const std::string before[] = {std::getenv("XDG_CACHE_HOME") ? std::getenv("XDG_CACHE_HOME") : "",
                                  std::getenv("HOME") ? std::getenv("HOME") : ""};
    setenv("XDG_CACHE_HOME", cache, 1), setenv("HOME", home, 1);
    const std::string found = KernelCache::default_folder();
    setenv("XDG_CACHE_HOME", before[0].c_str(), 1), setenv("HOME", before[1].c_str(), 1);
    return found;
  };
  CHECK(folder_for("/caches", "/home/me") == "/caches/strata/kernels");
  CHECK(folder_for("", "/home/me") == "/home/me/.cache/strata/kernels");
  CHECK(folder_for("relative", "/home/me") == "/home/me/.cache/strata/kernels");
  CHECK(folder_for("", "") == "");
}

TEST_CASE("names of kernels' files are FNV-1a of 128 bits") {
  CHECK(KernelCache::hash("") == "6c62272e07bb014262b821756295c58d");
  CHECK(KernelCache::hash("a") == "d228cb696f1a8caf78912b704e4a8964");
}

}  // namespace strata::test
