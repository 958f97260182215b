// Two machines on one: network namespaces with a link between them that can be slow, lose packets, and be cut.
#pragma once

#include <array>
#include <memory>
#include <string>

namespace test {

class Relay;

/// Two namespaces and what joins them, gone with the object. Needs root, and `ip`, `tc` and `nft`.
class Network {
 public:
  /// How packets get from one machine to the other.
  enum class Link {
    kCable,   ///< a pair of virtual Ethernet devices
    kRelay40  ///< a process that hands each packet on 40 ms later: the kernel here may have no netem
  };

  /// Why there can be no such thing here; empty if there can.
  static std::string why_not();

  explicit Network(Link link = Link::kCable);
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  /// The namespace of machine 0 or 1.
  const std::string& name(int machine) const { return names_.at(static_cast<size_t>(machine)); }
  /// The address of machine 0 or 1.
  static std::string address(int machine) { return machine == 0 ? "10.77.0.1" : "10.77.0.2"; }

  /// From now on each machine sends at most so many megabits a second (a token bucket).
  void limit(int megabits);
  /// From now on each machine loses so many of 100 packets that it gets, at random.
  void lose(int percent);
  /// Takes the cable out.
  void cut();

 private:
  /// Runs a command in both namespaces; "DEVICE" stands for the end of the link there. Throws where it fails.
  void on_both(const std::string& command) const;

  std::array<std::string, 2> names_;
  std::unique_ptr<Relay> relay_;
};

}  // namespace test
