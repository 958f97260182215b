// Files of data: CIFAR-10's records, tokens in mapped memory, separated values.
#include <strata/strata.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "test/catch.h"
#include "test/data/folder.h"

using namespace strata;
using namespace strata::data;
using namespace strata::data::datasets;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string record(char label, char first_pixel) {
  std::string bytes(3073, '\0');
  bytes[0] = label;
  bytes[1] = first_pixel;
  bytes[3072] = '\xff';
  return bytes;
}

}  // namespace

TEST_CASE("CIFAR-10 reads records of a label and planes of colours") {
  const Folder folder("data_files");
  folder.write("test_batch.bin", record(3, 51) + record(9, 0));
  CIFAR10 set(folder.path.string(), CIFAR10::Mode::kTest);
  CHECK(set.size() == 2u);
  CHECK_FALSE(set.is_train());
  CHECK(set.images().sizes() == IntArrayRef({2, 3, 32, 32}));
  CHECK(set.targets().equal(tensor({3, 9})));
  const Example<> first = set.get(0);
  CHECK(first.data[0][0][0].item<float>() == 0.2f);
  CHECK(first.data[2][31][31].item<float>() == 1.0f);
  const Example<> both = set.stacked({1, 0});
  CHECK(both.data[1].equal(first.data));
  CHECK(both.target.equal(tensor({9, 3})));
  CHECK_THROWS_WITH(CIFAR10(folder.path.string()), ContainsSubstring("data_batch_1.bin"));
  folder.write("test_batch.bin", record(3, 1) + "x");
  CHECK_THROWS_WITH(CIFAR10(folder.path.string(), CIFAR10::Mode::kTest), ContainsSubstring("multiple of 3073"));
  folder.write("test_batch.bin", record(10, 1));
  CHECK_THROWS_WITH(CIFAR10(folder.path.string(), CIFAR10::Mode::kTest), ContainsSubstring("label 10"));
}

TEST_CASE("tokens are windows of a mapped file and what follows") {
  const Folder folder("data_files");
  TokenDataset bytes(folder.write("text", "abcdefgh"), 3);
  CHECK(bytes.tokens() == 8);
  CHECK(bytes.size() == 2u);
  CHECK(bytes.get(1).data.equal(tensor({'d', 'e', 'f'}, kLong)));
  CHECK(bytes.get(1).target.equal(tensor({'e', 'f', 'g'}, kLong)));
  TokenDataset dense(folder.file("text"), 3, TokenType::kUInt8, 1);
  CHECK(dense.size() == 5u);
  CHECK(dense.get(4).target.equal(tensor({'f', 'g', 'h'}, kLong)));
  const uint16_t words[] = {1, 65535, 3, 4};
  const std::string path = folder.write("words", std::string(reinterpret_cast<const char*>(words), sizeof words));
  CHECK(TokenDataset(path, 2, TokenType::kUInt16).get(0).target.equal(tensor({65535, 3}, kLong)));
  CHECK(TokenDataset(path, 1, TokenType::kUInt32).get(0).data.equal(tensor({int64_t{65535} << 16 | 1}, kLong)));
  CHECK_THROWS_WITH(bytes.get(2), ContainsSubstring("no example 2"));
  CHECK_THROWS_WITH(TokenDataset(folder.file("text"), 8), ContainsSubstring("too few"));
  CHECK_THROWS_WITH(TokenDataset(folder.write("odd", "abc"), 1, TokenType::kUInt16), ContainsSubstring("3 bytes"));
  CHECK_THROWS_WITH(TokenDataset(folder.file("none"), 1), ContainsSubstring("cannot open"));
  CHECK_THROWS_WITH(TokenDataset(folder.write("empty", ""), 1), ContainsSubstring("empty"));
}

TEST_CASE("separated values are read with quotes, headers and gaps") {
  std::istringstream text("name,x,\"a \"\"b\"\"\"\r\n\"one, two\",1.5,-2\r\n\"line\nbreak\", +3e2 ,\r\n");
  const CSVTable table = read_csv(text);
  CHECK(table.columns == std::vector<std::string>{"name", "x", "a \"b\""});
  CHECK(table.rows[0][0] == "one, two");
  CHECK(table.rows[1][0] == "line\nbreak");
  const Tensor x = table.numbers({"a \"b\"", "x"});
  CHECK(x[0].equal(tensor({-2.0, 1.5}, kDouble)));
  CHECK(std::isnan(x[1][0].item<double>()));
  CHECK(x[1][1].item<double>() == 300);
  CHECK_THROWS_WITH(table.numbers({"name"}), ContainsSubstring("which is no number"));
  CHECK_THROWS_WITH(table.numbers({"y"}), ContainsSubstring("no column"));
  std::istringstream plain("1;2\n3;4");
  CHECK(read_csv(plain, CSVOptions().delimiter(';').header(false))
            .numbers()
            .equal(tensor({1.0, 2.0, 3.0, 4.0}, kDouble).reshape({2, 2})));
  std::istringstream ragged("a,b\n1\n"), open("a\n\"1\n"), after("a\n\"1\"2\n");
  CHECK_THROWS_WITH(read_csv(ragged), ContainsSubstring("row 2 of the stream has 1 cells, the first one 2"));
  CHECK_THROWS_WITH(read_csv(open), ContainsSubstring("not closed"));
  CHECK_THROWS_WITH(read_csv(after), ContainsSubstring("follows a quote"));
}

TEST_CASE("a table of numbers is a dataset with one column as targets") {
  const Folder folder("data_files");
  const std::string path = folder.write("table.csv", "x,label,y\n1,0,2\n3,1,4\n");
  TensorPairDataset set = csv_dataset(path, "label");
  CHECK(set.data.equal(tensor({1.0f, 2.0f, 3.0f, 4.0f}).reshape({2, 2})));
  CHECK(set.targets.equal(tensor({0.0f, 1.0f})));
  CHECK_THROWS_WITH(csv_dataset(folder.file("none.csv"), "x"), ContainsSubstring("cannot open"));
}
