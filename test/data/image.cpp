// Pictures written and read back, and folders of them.
#include "data/image.h"

#include <strata/strata.h>

#include <filesystem>
#include <fstream>

#include "ops/tensor_files.h"
#include "test/catch.h"
#include "test/data/folder.h"
#include "test/source_dir.h"

using namespace strata;
using namespace strata::data;
using namespace strata::data::datasets;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

/// What make_pictures.py wrote: `<picture>.file` and what Pillow reads from it, `<picture>.pixels`.
const TensorMap& pictures() {
  static const TensorMap all = load_file(source_dir() + "/test/data/pictures.safetensors");
  return all;
}

std::string file_of(const std::string& picture) {
  const Tensor bytes = pictures()[picture + ".file"];
  return {reinterpret_cast<const char*>(bytes.data_ptr<uint8_t>()), static_cast<size_t>(bytes.numel())};
}

/// Says so where this build cannot.
bool can_read_pictures() {
  if (!has_images()) WARN("skipped: this build of Strata has no pictures");
  return has_images();
}

}  // namespace

TEST_CASE("pictures are channels first, whatever their format") {
  const Folder folder("images");
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
  write_jpeg(folder.file("p.jpg"), full({2, 8, 9}, 120).to(kUInt8));
  CHECK(read_image(folder.file("p.jpg"), ImageMode::kUnchanged).sizes() == IntArrayRef({1, 8, 9}));
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

TEST_CASE("pictures are read to the bit as Pillow reads them") {
  if (!can_read_pictures()) return;
  size_t count = 0;
  for (const auto& [key, pixels] : pictures()) {
    if (!key.ends_with(".pixels")) continue;
    const std::string picture = key.substr(0, key.size() - 7);
    INFO(picture);
    CHECK(decode_image(file_of(picture), ImageMode::kUnchanged).equal(pixels));
    ++count;
  }
  CHECK(count == 27);
  const Tensor colours = pictures()["png_rgb.pixels"];
  CHECK(decode_image(file_of("png_rgb"), ImageMode::kGray).equal(pictures()["png_rgb.gray"]));
  CHECK(decode_image(file_of("png_rgb"), ImageMode::kRGBA).equal(cat({colours, full({1, 9, 7}, 255).to(kUInt8)})));
  CHECK(decode_image(file_of("png_rgba")).equal(pictures()["png_rgba.pixels"].slice(0, 0, 3)));
  CHECK(decode_image(file_of("png_gray")).equal(pictures()["png_gray.pixels"].expand({3, 21, 19})));
  CHECK(decode_image(file_of("jpeg_0"), ImageMode::kGrayAlpha).size(0) == 2);
}

TEST_CASE("damaged pictures are refused by one line, whatever their format") {
  if (!can_read_pictures()) return;
  for (const auto& [key, bytes] : pictures()) {
    if (!key.ends_with(".file")) continue;
    const std::string picture = key.substr(0, key.size() - 5), file = file_of(picture);
    INFO(picture);
    if (!picture.starts_with("bmp") && !picture.starts_with("gif"))  // of which stb reads what is there
      CHECK_THROWS_WITH(decode_image(std::string_view(file).substr(0, file.size() * 3 / 4)),
                        ContainsSubstring("decode_image: the picture") && !ContainsSubstring("\n"));
    for (size_t length = 0; length < file.size(); length += 7)  // nor does any of them lead out of the bytes
      try {
        decode_image(std::string(file, 0, length));
      } catch (const Error&) {
      }
  }
  std::string jpeg = file_of("jpeg_gray"), png = file_of("png_rgb");
  const size_t frame = jpeg.find("\xff\xc0");
  jpeg.replace(frame + 5, 4, "\xff\xdc\xff\xdc");  // height and width
  CHECK_THROWS_WITH(decode_image(jpeg), ContainsSubstring("cannot hold a picture of 65500x65500"));
  png[8 + 8 + 13] ^= 1;  // behind signature, head and data of the first chunk
  CHECK_THROWS_WITH(decode_image(png), ContainsSubstring("CRC"));
  CHECK_THROWS_WITH(decode_image("P5\n2 2 70000\nabcd"), ContainsSubstring("70000"));
  CHECK_THROWS_WITH(decode_image("P5\n2 2 x\nabcd"), ContainsSubstring("no number"));
  CHECK_THROWS_WITH(decode_image("P5\n2 2 255\nabc"), ContainsSubstring("damaged"));

  // The last scan again and again, each of which goes over the whole picture.
  std::string scans = file_of("jpeg_progressive");
  const std::string scan = scans.substr(scans.rfind("\xff\xda"), scans.rfind("\xff\xd9") - scans.rfind("\xff\xda"));
  for (int i = 0; i < 100; ++i) scans.insert(scans.rfind("\xff\xd9"), scan);
  CHECK_THROWS_WITH(decode_image(scans), ContainsSubstring("more than 100 scans"));
}

TEST_CASE("a folder of pictures numbers its classes by name") {
  const Folder folder("images");
  fs::create_directories(folder.path / "cat");
  fs::create_directories(folder.path / "ant");
  CHECK_THROWS_WITH(ImageFolder(folder.path.string()), ContainsSubstring("no folder with pictures"));
  CHECK_THROWS_WITH(ImageFolder(folder.file("none")), ContainsSubstring("is no folder"));
  if (!can_read_pictures()) return;
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
