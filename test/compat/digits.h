// Drawn digits in MNIST's files, so that programs for the real data set have something to learn from anywhere.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace digits {

/// Ten glyphs of 5x7, a row per number, the highest bit on the left.
inline constexpr int kGlyphs[10][7] = {
    {14, 17, 19, 21, 25, 17, 14}, {4, 12, 4, 4, 4, 4, 14},    {14, 17, 1, 2, 4, 8, 31},   {31, 2, 4, 2, 1, 17, 14},
    {2, 6, 10, 18, 31, 2, 2},     {31, 16, 30, 1, 1, 17, 14}, {6, 8, 16, 30, 17, 17, 14}, {31, 1, 2, 4, 8, 8, 8},
    {14, 17, 17, 14, 17, 17, 14}, {14, 17, 17, 15, 1, 2, 12}};

inline void put32(std::ofstream& out, uint32_t v) {
  for (int shift = 24; shift >= 0; shift -= 8) out.put(static_cast<char>(v >> shift));
}

/// Writes `count` images of 28x28 (glyphs three times their size, moved and speckled) and their labels.
inline void write(const std::string& folder, const std::string& prefix, uint32_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::ofstream images(folder + "/" + prefix + "-images-idx3-ubyte", std::ios::binary);
  std::ofstream labels(folder + "/" + prefix + "-labels-idx1-ubyte", std::ios::binary);
  for (uint32_t v : {2051u, count, 28u, 28u}) put32(images, v);
  for (uint32_t v : {2049u, count}) put32(labels, v);
  for (uint32_t n = 0; n < count; ++n) {
    const int digit = static_cast<int>(random() % 10), top = 2 + static_cast<int>(random() % 4),
              left = 4 + static_cast<int>(random() % 6);
    std::vector<uint8_t> image(28 * 28);
    for (int y = 0; y < 21; ++y)
      for (int x = 0; x < 15; ++x)
        if (kGlyphs[digit][y / 3] >> (4 - x / 3) & 1)
          image[static_cast<size_t>((top + y) * 28 + left + x)] = static_cast<uint8_t>(160 + random() % 96);
    for (int i = 0; i < 40; ++i) image[random() % image.size()] = static_cast<uint8_t>(random() % 256);
    images.write(reinterpret_cast<const char*>(image.data()), static_cast<std::streamsize>(image.size()));
    labels.put(static_cast<char>(digit));
  }
}

/// A folder of its own under the system's temporary one with both halves of the data set; removed at the end.
class Folder {
 public:
  Folder(uint32_t train, uint32_t test) {
    std::string name = (std::filesystem::temp_directory_path() / "digits-XXXXXX").string();
    if (!mkdtemp(name.data())) std::abort();
    path_ = name;
    write(path_, "train", train, 1);
    write(path_, "t10k", test, 2);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace digits
