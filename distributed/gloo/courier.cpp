// An eventfd among the descriptors that Gloo's thread waits for.
#include "distributed/gloo/courier.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <utility>

#include "core/error.h"

namespace strata::distributed {

Courier::Courier(std::shared_ptr<gloo::transport::tcp::Device> device)
    : device_(std::move(device)), wakes_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  STRATA_CHECK(wakes_ >= 0, "gloo: no eventfd can be had");
  device_->registerDescriptor(wakes_, EPOLLIN, this);
}

/// Gloo returns when its thread has left `handleEvents`.
Courier::~Courier() {
  device_->unregisterDescriptor(wakes_, this);
  close(wakes_);
}

void Courier::send(Errand errand) {
  bool is_first;
  {
    const std::lock_guard lock(mutex_);
    is_first = errands_.empty();
    errands_.push_back(std::move(errand));
  }
  if (is_first) eventfd_write(wakes_, 1);
}

void Courier::handleEvents(int) {
  eventfd_t count;
  eventfd_read(wakes_, &count);
  std::vector<Errand> errands;
  {
    const std::lock_guard lock(mutex_);
    errands.swap(errands_);
  }
  for (const Errand& errand : errands) errand();
}

}  // namespace strata::distributed
