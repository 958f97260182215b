// Which files the reader of safetensors takes: those that the reference implementation (0.8.0) takes, but for names
// that come twice, a header that does not begin with a brace, and more dims than a tensor has here.
#include <strata/strata.h>

#include <chrono>
#include <string>

#include "test/catch.h"
#include "test/nn/loading.h"

using namespace strata;

namespace {

constexpr const char* kTwice = "twice";
constexpr const char* kNoJson = "not a JSON object";

struct Row {
  const char* what;
  std::string bytes;
  const char* error = "";  ///< a part of its text; empty where the file is taken
};

std::string length_of(uint64_t header) {
  std::string out;
  for (int i = 0; i < 8; ++i) out += static_cast<char>(header >> (8 * i));
  return out;
}
std::string file(const std::string& header, size_t data = 0) {
  return length_of(header.size()) + header + std::string(data, '\1');
}
/// "NAME": an entry of bytes `begin` to `end`.
std::string entry(const std::string& name, const std::string& shape, const std::string& begin, const std::string& end,
                  const std::string& dtype = "U8") {
  return "\"" + name + R"(":{"dtype":")" + dtype + R"(","shape":[)" + shape + R"(],"data_offsets":[)" + begin + "," +
         end + "]}";
}
/// One entry of 4 bytes with other members before it.
std::string one(const std::string& more) { return file("{" + more + entry("a", "4", "0", "4") + "}", 4); }
/// One entry that has a further member.
std::string with_field(const std::string& member) {
  return file(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4],)" + member + "}}", 4);
}
std::string repeated(size_t times, const std::string& text) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}
/// Two entries.
std::string two(const std::string& first, const std::string& second, size_t data) {
  return file("{" + first + "," + second + "}", data);
}

std::vector<Row> refused() {
  const std::string a = entry("a", "4", "0", "4"), huge = "4611686018427387904";
  return {
      {"no byte", "", "truncated"},
      {"seven bytes", std::string(7, '\0'), "truncated"},
      {"no header", length_of(0), kNoJson},
      {"a header behind the end", length_of(3) + "{}", "truncated"},
      {"a header of more than 1e8 bytes", length_of(100'000'001) + "{}", "not a Strata or safetensors file"},
      {"all bits of the length", length_of(UINT64_MAX) + "{}", "not a Strata or safetensors file"},
      {"bytes that are missing", file("{" + a + "}", 3), "truncated"},
      {"bytes behind the last tensor", file("{" + a + "}", 5), "belong to no tensor"},
      {"a hole", two(a, entry("b", "1", "5", "6"), 6), "expected 4"},
      {"a hole at the start", file("{" + entry("a", "4", "1", "5") + "}", 5), "expected 0"},
      {"an overlap", two(a, entry("b", "2", "3", "5"), 5), "expected 4"},
      {"one range twice", two(a, entry("b", "4", "0", "4"), 4), "expected 4"},
      {"nothing in the middle of a tensor", two(a, entry("b", "0", "2", "2"), 4), "expected 4"},
      {"reversed offsets", file("{" + entry("a", "4", "4", "0") + "}", 4), "needs 4 bytes"},
      {"a negative offset", file("{" + entry("a", "4", "-4", "0") + "}", 4), "bad data offset"},
      {"minus nought", file("{" + entry("a", "4", "-0", "4") + "}", 4), "bad data offset"},
      {"three offsets", file(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4,4]}})", 4), "lacks"},
      {"another shape", file("{" + entry("a", "3", "0", "4") + "}", 4), "needs 3 bytes"},
      {"a shape whose product overflows", file("{" + entry("a", huge + ",4", "0", "0") + "}"), "too large"},
      {"a size that overflows", file("{" + entry("a", huge, "0", "0", "F32") + "}"), "too large"},
      {"a negative dim", file("{" + entry("a", "-4", "0", "4") + "}", 4), "bad shape"},
      {"a dim of 4.0", file("{" + entry("a", "4.0", "0", "4") + "}", 4), "bad shape"},
      {"a dim of 4e0", file("{" + entry("a", "4e0", "0", "4") + "}", 4), "bad shape"},
      {"a dim of 04", file("{" + entry("a", "04", "0", "4") + "}", 4), kNoJson},
      {"an offset of 2^64", file("{" + entry("a", "4", "0", "18446744073709551616") + "}", 4), "bad data offset"},
      {"an unknown dtype", file("{" + entry("a", "4", "0", "4", "U7") + "}", 4), "unknown dtype"},
      {"half a byte", file("{" + entry("a", "1", "0", "1", "F4") + "}", 1), "unknown dtype"},
      {"a field twice", with_field(R"("dtype":"U8")"), kTwice},
      {"metadata twice", one(R"("__metadata__":{},"__metadata__":{},)"), kTwice},
      {"a name twice, with other bytes", two(a, entry("a", "4", "4", "8"), 8), kTwice},
      {"a name twice, with the same bytes", two(a, a, 4), kTwice},
      {"a name twice, once escaped", two(a, entry("\\u0061", "0", "4", "4"), 4), kTwice},
      {"a text twice", one(R"("__metadata__":{"x":"1","x":"1"},)"), kTwice},
      {"a number as text", one(R"("__metadata__":{"x":1},)"), "not text"},
      {"a list of metadata", one(R"("__metadata__":[],)"), "not an object"},
      {"a byte-order mark", file("\xef\xbb\xbf{}"), kNoJson},
      {"a space before the brace", file(" {}"), kNoJson},
      {"a zero byte at the end", file(std::string("{}\0", 3)), kNoJson},
      {"a zero byte and more", file(std::string("{}\0{}", 5)), kNoJson},
      {"text at the end", file("{}x"), kNoJson},
      {"a comment", file("{}//"), kNoJson},
      {"a comma too many", file("{" + a + ",}", 4), kNoJson},
      {"a list", file("[]"), kNoJson},
      {"text that is not UTF-8", one("\"__metadata__\":{\"x\":\"\xff\"},"), kNoJson},
      {"UTF-8 that is too long", one("\"__metadata__\":{\"x\":\"\xc0\x80\"},"), kNoJson},
      {"half a surrogate pair", one(R"("__metadata__":{"x":"\ud800"},)"), kNoJson},
      {"lists 100000 deep", with_field("\"x\":" + repeated(100'000, "[") + repeated(100'000, "]")), "deep"},
      {"objects 100000 deep", with_field("\"x\":" + repeated(100'000, R"({"x":)") + "1" + repeated(100'000, "}")),
       "deep"},
      {"65 dims", file("{" + entry("a", "4" + repeated(64, ",1"), "0", "4") + "}", 4), "bad shape"},
  };
}

std::vector<Row> taken() {
  const std::string a = entry("a", "4", "0", "4");
  return {
      {"no tensor", file("{}")},
      {"a single number", file("{" + entry("a", "", "0", "1") + "}", 1)},
      {"nothing at the start", two(a, entry("b", "0", "0", "0"), 4)},
      {"nothing at the end, twice",
       file("{" + a + "," + entry("b", "0", "4", "4") + "," + entry("c", "3,0", "4", "4") + "}", 4)},
      {"tensors in another order", two(entry("b", "2", "4", "6"), a, 6)},
      {"a further field", with_field(R"("x":[1,{"y":null}])")},
      {"no metadata", one(R"("__metadata__":null,)")},
      {"text", one(R"("__metadata__":{"x":"\ud83d\ude00 \n"},)")},
      {"spaces at the end", file("{" + a + "}  \n\t", 4)},
      {"numbers of four bytes at an odd place", two(entry("b", "1", "0", "1"), entry("a", "1", "1", "5", "F32"), 5)},
      {"an empty name", file("{" + entry("", "4", "0", "4") + "}", 4)},
      {"64 dims", file("{" + entry("a", "4" + repeated(63, ",1"), "0", "4") + "}", 4)},
      {"a bool of 1s", file("{" + entry("a", "4", "0", "4", "BOOL") + "}", 4)},
  };
}

}  // namespace

TEST_CASE("files in safetensors' format that are refused, and why") {
  for (const Row& row : refused()) {
    INFO(row.what);
    CHECK_THAT(test::loading_error(row.bytes),
               Catch::Matchers::ContainsSubstring(row.error) && Catch::Matchers::StartsWith("load: "));
  }
}

TEST_CASE("files in safetensors' format that are taken") {
  for (const Row& row : taken()) {
    INFO(row.what);
    CHECK(test::loading_error(row.bytes) == "");
  }
}

TEST_CASE("the time to read a header grows as its size") {
  constexpr int kTensors = 100'000;
  std::string header = "{" + entry("first", "1", "0", "1");
  for (int i = 1; i < kTensors; ++i)
    header += "," + entry("t" + std::to_string(i), "1", std::to_string(i), std::to_string(i + 1));
  const std::string bytes = file(header + "}", kTensors);
  const auto begin = std::chrono::steady_clock::now();
  CHECK(test::loading_error(bytes) == "");
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));  // the square would take a minute
}
