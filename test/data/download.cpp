// Downloads of files by name, and checksums against published ones (FIPS 180-4's examples).
#include "data/download.h"

#include <strata/strata.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "test/catch.h"
#include "test/data/folder.h"

using namespace strata;
using namespace strata::data;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

const std::string kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

}  // namespace

TEST_CASE("SHA-256 of files") {
  const Folder folder("download");
  CHECK(sha256_of_file(folder.write("a", "abc")) == kAbc);
  CHECK(sha256_of_file(folder.write("b", "")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_of_file(folder.write("c", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")) ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256_of_file(folder.write("d", std::string(1000000, 'a'))) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  CHECK_THROWS_WITH(sha256_of_file((folder.path / "none").string()), ContainsSubstring("cannot open"));
}

TEST_CASE("a download gets its name when it is checked") {
  if (std::system("command -v curl >/dev/null 2>&1") != 0) {
    WARN("there is no program curl, so downloads are not tested");
    return;
  }
  const Folder folder("download");
  const std::string url = "file://" + folder.write("source", "abc"), to = (folder.path / "deep" / "copy").string();
  CHECK_THROWS_WITH(download(url, to, DownloadOptions().sha256(std::string(64, '0'))), ContainsSubstring(kAbc));
  CHECK(fs::is_empty(folder.path / "deep"));
  download(url, to, DownloadOptions().sha256(kAbc));
  CHECK(sha256_of_file(to) == kAbc);
  folder.write("source", "changed");
  download(url, to, DownloadOptions().sha256(kAbc));  // is there already
  std::string large = kAbc;
  for (char& c : large) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  download(url, to, DownloadOptions().sha256(large));  // the same sum
  CHECK(sha256_of_file(to) == kAbc);
  folder.write("deep/copy", "damaged");
  CHECK_THROWS_WITH(download(url, to, DownloadOptions().sha256(kAbc)), ContainsSubstring("not " + kAbc));
  CHECK_THROWS_WITH(download(url + "2", to + "2"), ContainsSubstring("curl ended with 37"));
  CHECK_THROWS_WITH(download(url, to, DownloadOptions().sha256("12")), ContainsSubstring("64 hexadecimal digits"));
  CHECK_THROWS_WITH(download(url, to, DownloadOptions().sha256(std::string(64, 'g'))),
                    ContainsSubstring("64 hexadecimal digits"));
}
