// Packets of tunnel devices, in the order in which they came.
#include "test/launcher/machines/relay.h"

#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <deque>
#include <stdexcept>
#include <vector>

namespace test {
namespace {

using Clock = std::chrono::steady_clock;

/// A device lies in the namespace of the thread that opens it.
int open_device(const std::string& network, const std::string& name) {
  int fd = -1;
  std::thread([&] {
    const int there = open(("/run/netns/" + network).c_str(), O_RDONLY | O_CLOEXEC);
    if (there < 0 || setns(there, CLONE_NEWNET) != 0) return;
    close(there);
    fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    ifreq request = {};
    request.ifr_flags = IFF_TUN | IFF_NO_PI;
    name.copy(request.ifr_name, IFNAMSIZ - 1);
    if (fd >= 0 && ioctl(fd, TUNSETIFF, &request) != 0) fd = close(fd) == 0 ? -1 : -2;
  }).join();
  if (fd < 0) throw std::runtime_error("no tunnel device in " + network);
  return fd;
}

struct Packet {
  Clock::time_point due;
  int to;
  std::vector<char> bytes;
};

}  // namespace

Relay::Relay(const std::array<std::string, 2>& networks, const std::string& device, std::chrono::milliseconds delay)
    : delay_(delay), ends_{open_device(networks[0], device), open_device(networks[1], device)} {
  thread_ = std::thread([this] { hand_on(); });
}

Relay::~Relay() {
  ends_now_ = true;
  thread_.join();
  for (const int end : ends_) close(end);
}

void Relay::hand_on() {
  std::deque<Packet> under_way;
  std::vector<char> buffer(1 << 16);
  while (!ends_now_) {
    std::array<pollfd, 2> waits = {pollfd{ends_[0], POLLIN, 0}, pollfd{ends_[1], POLLIN, 0}};
    poll(waits.data(), waits.size(), 1);
    for (size_t from : {size_t{0}, size_t{1}})
      for (ssize_t bytes; (bytes = read(ends_.at(from), buffer.data(), buffer.size())) > 0;)
        under_way.push_back({Clock::now() + delay_, ends_.at(1 - from), {buffer.begin(), buffer.begin() + bytes}});
    for (; !under_way.empty() && under_way.front().due <= Clock::now(); under_way.pop_front()) {
      const Packet& packet = under_way.front();
      // What does not fit is lost, as on any link.
      [[maybe_unused]] const ssize_t written = write(packet.to, packet.bytes.data(), packet.bytes.size());
    }
  }
}

}  // namespace test
