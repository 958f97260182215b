// A link that takes its time.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>

namespace test {

/// Makes a device in each of two network namespaces, and hands each packet that one of them sends to the other one, a
/// while later.
class Relay {
 public:
  Relay(const std::array<std::string, 2>& networks, const std::string& device, std::chrono::milliseconds delay);
  ~Relay();
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

 private:
  void hand_on();

  const std::chrono::milliseconds delay_;
  std::array<int, 2> ends_{-1, -1};
  std::atomic<bool> ends_now_{false};
  std::thread thread_;
};

}  // namespace test
