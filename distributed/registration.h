// Memory that a group sends again and again.
#pragma once
#include <cstddef>
#include <memory>

namespace strata::distributed {

/// What a group may be beside a Communicator: one that sends memory faster, or with less work for the device, where it
/// was told of it before.
class RegistersMemory {
 public:
  virtual ~RegistersMemory() = default;
  /// Registers device memory until what it returns is gone, which has to be before the memory is; empty where the
  /// group cannot. All ranks register memory of the same size in the same order.
  virtual std::shared_ptr<void> register_memory(void* data, size_t bytes) = 0;
};

}  // namespace strata::distributed
