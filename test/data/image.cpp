// Pictures written and read back, and folders of them.
#include "data/image.h"

#include <strata/strata.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "test/catch.h"

using namespace strata;
using namespace strata::data;
using namespace strata::data::datasets;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

/// A folder that is gone with the test.
struct Folder {
  Folder() : path(fs::temp_directory_path() / ("strata_images_" + std::to_string(::getpid()))) {
    fs::create_directories(path / "cat");
    fs::create_directories(path / "ant");
  }
  ~Folder() { fs::remove_all(path); }
  std::string file(const std::string& name) const { return (path / name).string(); }
  fs::path path;
};

}  // namespace

TEST_CASE("pictures are channels first, whatever their format") {
  const Folder folder;
  const std::string path = folder.file("p.ppm");
  if (!has_images()) {
    CHECK_THROWS_WITH(read_image(path), ContainsSubstring("libstb-dev"));
    CHECK_THROWS_WITH(decode_image("bytes"), ContainsSubstring("libstb-dev"));
    return;
  }
  std::ofstream(path, std::ios::binary) << "P6 2 1 255\n" << std::string("\x01\x02\x03\x04\x05\x06", 6);
  CHECK(read_image(path).equal(tensor({1, 4, 2, 5, 3, 6}).to(kUInt8).reshape({3, 1, 2})));
  CHECK(read_image(path, ImageMode::kRGBA).size(0) == 4);
  CHECK(read_image(path, ImageMode::kGray).sizes() == IntArrayRef({1, 1, 2}));
  for (const int64_t channels : {1, 2, 3, 4}) {
    const Tensor image = arange(channels * 5 * 7).to(kUInt8).reshape({channels, 5, 7});
    write_png(folder.file("p.png"), image);
    CHECK(read_image(folder.file("p.png"), ImageMode::kUnchanged).equal(image));
    std::ifstream file(folder.file("p.png"), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    CHECK(decode_image(bytes, ImageMode::kUnchanged).equal(image));
  }
  CHECK_THROWS_WITH(decode_image("no picture"), ContainsSubstring("decode_image"));
  const Tensor plain = full({3, 16, 16}, 120).to(kUInt8);
  write_jpeg(folder.file("p.jpg"), plain, 95);
  CHECK(read_image(folder.file("p.jpg")).to(kFloat).allclose(plain.to(kFloat), 0, 2));
  std::ofstream(path, std::ios::binary) << "P6 2 1 255\n\x01";
  CHECK_THROWS_WITH(read_image(folder.file("none.png")), ContainsSubstring("none.png"));
  std::ofstream(folder.file("bad.png"), std::ios::binary) << "\x89PNG\r\n\x1a\nnothing";
  CHECK_THROWS_WITH(read_image(folder.file("bad.png")), ContainsSubstring("bad.png"));
  // A header that claims 1 GiB of pixels, for which no memory is to be taken.
  CHECK_THROWS_WITH(decode_image("P6 16384 16384 255\n\x01\x02"),
                    ContainsSubstring("cannot hold a picture of 16384x16384"));
  CHECK_THROWS_WITH(write_png(path, ones({3, 2, 2})), ContainsSubstring("uint8"));
  CHECK_THROWS_WITH(write_png(folder.file("no/folder.png"), plain), ContainsSubstring("cannot write"));
  CHECK_THROWS_WITH(write_jpeg(path, plain, 0), ContainsSubstring("quality"));
}

TEST_CASE("a folder of pictures numbers its classes by name") {
  const Folder folder;
  CHECK_THROWS_WITH(ImageFolder(folder.path.string()), ContainsSubstring("no folder with pictures"));
  CHECK_THROWS_WITH(ImageFolder(folder.file("none")), ContainsSubstring("is no folder"));
  if (!has_images()) return;
  write_png(folder.file("cat/b.png"), full({3, 2, 2}, 51).to(kUInt8));
  write_png(folder.file("cat/a.PNG"), full({3, 2, 2}, 255).to(kUInt8));
  write_png(folder.file("ant/z.png"), full({3, 2, 2}, 0).to(kUInt8));
  std::ofstream(folder.file("cat/notes.txt")) << "no picture";
  ImageFolder set(folder.path.string());
  CHECK(set.classes() == std::vector<std::string>{"ant", "cat"});
  CHECK(set.class_to_idx().at("cat") == 1);
  CHECK(set.size() == 3u);
  CHECK(set.get(0).target.item<int64_t>() == 0);
  CHECK(set.get(1).data.equal(ones({3, 2, 2})));
  CHECK(set.get(2).data.allclose(full({3, 2, 2}, 0.2f)));
  CHECK(set.get(2).target.item<int64_t>() == 1);
  CHECK_THROWS_WITH(set.get(3), ContainsSubstring("no picture 3"));
}
