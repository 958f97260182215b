// IDX files, good and bad: every bad one gives one line that names the file and what is wrong with it.
#include "data/idx.h"

#include <unistd.h>
#include <zlib.h>
#include "core/error.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "test/catch.h"

using strata::data::idx::parse;
using strata::data::idx::read;

namespace {

std::string big_endian(uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
          static_cast<char>(value)};
}

std::string header(const std::vector<uint32_t>& dims, char type = 0x08) {
  std::string text{'\0', '\0', type, static_cast<char>(dims.size())};
  for (const uint32_t dim : dims) text += big_endian(dim);
  return text;
}

std::string gzip(std::string contents) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(deflateBound(&stream, contents.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(contents.data());
  stream.avail_in = static_cast<uInt>(contents.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// The error's text, required to be one line about the file.
std::string error_of(const std::string& contents, int64_t rank, const std::string& name = "digits",
                     uint64_t max_bytes = strata::data::idx::kMaxBytes) {
  try {
    parse(contents, name, rank, max_bytes);
  } catch (const strata::Error& error) {
    const std::string what = error.what();
    CHECK(what.find('\n') == std::string::npos);
    CHECK(what.find(name) != std::string::npos);
    return what;
  }
  return "no error";
}

}  // namespace

TEST_CASE("idx reads plain and gzip contents alike") {
  const std::string contents = header({2, 3, 1}) + "abcdef";
  for (const std::string& file : {contents, gzip(contents)}) {
    const auto array = parse(file, "digits", 3);
    CHECK(array.dims == std::vector<int64_t>{2, 3, 1});
    CHECK(std::string(array.bytes.begin(), array.bytes.end()) == "abcdef");
  }
}

TEST_CASE("idx accepts arrays without elements") {
  CHECK(parse(header({0}), "digits", 1).bytes.empty());
  CHECK(parse(header({0xffffffff, 0xffffffff, 0}), "digits", 3).bytes.empty());
}

TEST_CASE("idx reads large arrays over several steps") {
  const std::string contents = header({300000}) + std::string(300000, 'x');
  CHECK(parse(gzip(contents), "digits", 1).bytes.size() == 300000);
  CHECK(parse(contents, "digits", 1).bytes.size() == 300000);
}

TEST_CASE("idx refuses truncated contents at every length") {
  const std::string contents = header({2, 2}) + "abcd";
  const std::string packed = gzip(contents);
  for (size_t size = 0; size < contents.size(); ++size) {
    CHECK_THAT(error_of(contents.substr(0, size), 2), Catch::Matchers::ContainsSubstring("truncated"));
  }
  for (size_t size = 2; size < packed.size(); ++size) {
    CHECK_THAT(error_of(packed.substr(0, size), 2), Catch::Matchers::ContainsSubstring("truncated"));
  }
}

TEST_CASE("idx refuses what is not an IDX file of bytes") {
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(error_of("<html>404</html>", 1), ContainsSubstring("not an IDX file"));
  CHECK_THAT(error_of("<html>404</html>", 1, "labels.gz"), ContainsSubstring("not gzip"));
  CHECK_THAT(error_of(header({1}, 0x0d) + "abcd", 1), ContainsSubstring("0x0d (float32)"));
  CHECK_THAT(error_of(header({1}, 0x33) + "a", 1), ContainsSubstring("0x33 (unknown)"));
  CHECK_THAT(error_of(header({}), 1), ContainsSubstring("0 dimensions"));
  CHECK_THAT(error_of(header(std::vector<uint32_t>(200, 1)), 1), ContainsSubstring("200 dimensions"));
}

TEST_CASE("idx refuses labels where images are expected") {
  CHECK_THAT(error_of(header({2}) + "ab", 3), Catch::Matchers::ContainsSubstring("1 dimensions where 3"));
  CHECK_THAT(error_of(header({1, 1, 2}) + "ab", 1), Catch::Matchers::ContainsSubstring("3 dimensions where 1"));
}

TEST_CASE("idx refuses trailing data") {
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(error_of(header({2}) + "abc", 1), ContainsSubstring("trailing"));
  CHECK_THAT(error_of(gzip(header({2}) + "abc"), 1), ContainsSubstring("trailing"));
  CHECK_THAT(error_of(gzip(header({2}) + "ab") + "c", 1), ContainsSubstring("trailing"));
}

TEST_CASE("idx refuses sizes beyond the file, the limit or 64 bits before it allocates") {
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(error_of(header({1000, 1000, 1000}) + "a", 3), ContainsSubstring("truncated"));
  CHECK_THAT(error_of(gzip(header({1000, 1000, 1000}) + "a"), 3), ContainsSubstring("truncated"));
  CHECK_THAT(error_of(header({0xffffffff, 0xffffffff, 0xffffffff}) + "a", 3), ContainsSubstring("allowed"));
  CHECK_THAT(error_of(header(std::vector<uint32_t>(8, 0x10000)) + "a", 8), ContainsSubstring("allowed"));
}

TEST_CASE("idx caps what a gzip stream may unpack to") {
  const std::string bomb = gzip(header({1 << 20}) + std::string(1 << 20, '\0'));
  CHECK(bomb.size() < 2000);
  CHECK_THAT(error_of(bomb, 1, "digits", 1 << 19), Catch::Matchers::ContainsSubstring("524288 bytes allowed"));
}

TEST_CASE("idx refuses damaged gzip streams") {
  const std::string packed = gzip(header({300}) + std::string(300, 'q'));
  for (size_t at = 2; at < packed.size(); ++at) {
    std::string damaged = packed;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    size_t size = 300;  // a flipped bit in the header's time stamp does no harm
    try {
      size = parse(damaged, "digits", 1).bytes.size();
    } catch (const strata::Error&) {
    }
    CHECK(size == 300);
  }
  std::string wrong_sum = packed;
  wrong_sum[packed.size() - 6] ^= 1;
  CHECK(error_of(wrong_sum, 1) != "no error");
}

TEST_CASE("idx reads files and names those it cannot open") {
  const auto folder = std::filesystem::temp_directory_path() / ("strata_idx_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "labels.gz").string();
  std::ofstream(path, std::ios::binary) << gzip(header({3}) + "abc");
  CHECK(read(path, 1).bytes.size() == 3);
  std::filesystem::resize_file(path, 10);
  CHECK_THROWS_WITH(read(path, 1), Catch::Matchers::ContainsSubstring("truncated gzip"));
  CHECK_THROWS_WITH(read(folder.string(), 1), Catch::Matchers::ContainsSubstring("not a regular file"));
  CHECK_THROWS_WITH(read(path + "x", 1), Catch::Matchers::ContainsSubstring("No such file"));
  std::filesystem::remove_all(folder);
}
