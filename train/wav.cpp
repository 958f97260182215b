// The one form of WAV files (Microsoft's RIFF specification 1.0) that everything plays: 16 bits a sample, as they are.
#include "train/wav.h"

namespace strata::train {
namespace {

std::string little_endian(int64_t value, int bytes) {
  std::string text;
  for (int shift = 0; shift < 8 * bytes; shift += 8) text += static_cast<char>(value >> shift & 255);
  return text;
}

std::string chunk(const std::string& kind, const std::string& data) {
  return kind + little_endian(static_cast<int64_t>(data.size()), 4) + data;
}

}  // namespace

std::string wav(const Tensor& samples, int64_t sample_rate) {
  constexpr int64_t kPcm = 1, kBytes = 2;
  const Tensor dense = samples.contiguous();
  const int64_t channels = dense.size(1), frame = channels * kBytes;
  const std::string format = little_endian(kPcm, 2) + little_endian(channels, 2) + little_endian(sample_rate, 4) +
                             little_endian(sample_rate * frame, 4) + little_endian(frame, 2) +
                             little_endian(8 * kBytes, 2);
  std::string data;
  const int16_t* values = dense.data_ptr<int16_t>();
  for (int64_t i = 0; i < dense.numel(); ++i) data += little_endian(values[i], kBytes);
  return chunk("RIFF", "WAVE" + chunk("fmt ", format) + chunk("data", data));
}

}  // namespace strata::train
