// Network namespaces by iproute2.
#include "test/launcher/machines/network.h"

#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

#include "test/launcher/machines/relay.h"

namespace test {
namespace {

constexpr const char* kDevice = "link0";

bool succeeds(const std::string& command) { return std::system((command + " >/dev/null 2>&1").c_str()) == 0; }

void run(const std::string& command) {
  if (std::system(command.c_str()) != 0) throw std::runtime_error("this failed: " + command);
}

std::string new_name() {
  static int count = 0;
  return "strata-" + std::to_string(getpid()) + "-" + std::to_string(++count);
}

}  // namespace

std::string Network::why_not() {
  for (const char* const tool : {"ip", "tc", "nft"})
    if (!succeeds(std::string("command -v ") + tool)) return std::string("there is no ") + tool;
  const std::string name = new_name();
  if (!succeeds("ip netns add " + name)) return "this process may not make network namespaces";
  succeeds("ip netns delete " + name);
  return "";
}

Network::Network(Link link) : names_{new_name(), new_name()} {
  try {
    for (const std::string& name : names_) run("ip netns add " + name);
    if (link == Link::kCable)
      run("ip link add " + std::string(kDevice) + " netns " + names_[0] + " type veth peer name " + kDevice +
          " netns " + names_[1]);
    else
      relay_ = std::make_unique<Relay>(names_, kDevice, std::chrono::milliseconds(40));
    for (int machine : {0, 1})
      run("ip -netns " + name(machine) + " address add " + address(machine) + "/24 dev " + kDevice);
    on_both("ip link set lo up");
    on_both("ip link set DEVICE up");
  } catch (...) {
    for (const std::string& name : names_) succeeds("ip netns delete " + name);
    throw;
  }
}

Network::~Network() {
  for (const std::string& name : names_) succeeds("ip netns delete " + name);
}

void Network::limit(int megabits) {
  on_both("tc qdisc replace dev DEVICE root tbf rate " + std::to_string(megabits) + "mbit burst 64kb latency 100ms");
}

void Network::lose(int percent) {
  on_both(
      "nft 'add table inet loss; add chain inet loss in { type filter hook input priority 0; }; "
      "add rule inet loss in iifname DEVICE numgen random mod 100 < " +
      std::to_string(percent) + " drop'");
}

void Network::cut() { run("ip -netns " + names_[1] + " link set " + kDevice + " down"); }

void Network::on_both(const std::string& command) const {
  std::string of_device = command;
  const std::string word = "DEVICE";
  for (size_t at = of_device.find(word); at != of_device.npos; at = of_device.find(word))
    of_device.replace(at, word.size(), kDevice);
  for (const std::string& name : names_) run("ip netns exec " + name + " " + of_device);
}

}  // namespace test
