// Running things on the thread that Gloo's connections have.
#pragma once
#include <gloo/transport/tcp/device.h>
#include <gloo/transport/tcp/loop.h>

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace strata::distributed {

/// Runs what it is given on the thread of a device's connections, one after the other. Where another thread writes to a
/// connection, it holds that connection's lock, and Gloo's thread, woken by something that comes there, asks for the
/// lock again and again without sleeping: on few cores it does so in the place of the thread that holds the lock, for a
/// slice of the scheduler.
class Courier final : public gloo::transport::tcp::Handler {
 public:
  using Errand = std::function<void()>;
  explicit Courier(std::shared_ptr<gloo::transport::tcp::Device> device);
  /// What has not been run is not run any more.
  ~Courier() override;
  Courier(const Courier&) = delete;
  Courier& operator=(const Courier&) = delete;
  /// From any thread; `errand` throws nothing.
  void send(Errand errand);

 private:
  void handleEvents(int events) override;

  const std::shared_ptr<gloo::transport::tcp::Device> device_;
  const int wakes_;  ///< an eventfd
  std::mutex mutex_;
  std::vector<Errand> errands_;
};

}  // namespace strata::distributed
