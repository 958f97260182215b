// Choosing a group by the device of a tensor.
#include "distributed/device_group.h"

#include "core/cuda.h"
#include "core/error.h"
#include "distributed/registration.h"
#include "distributed/split.h"
#include "distributed/watched_group.h"

namespace strata::distributed {
namespace {

class DeviceGroup final : public Communicator, public Divisible, public RegistersMemory {
 public:
  DeviceGroup(ProcessGroup cpu, ProcessGroup cuda) : cpu_(std::move(cpu)), cuda_(std::move(cuda)) {
    STRATA_CHECK(cpu_->name() == cuda_->name() && cpu_->rank() == cuda_->rank() && cpu_->size() == cuda_->size(),
                 "device_group: {} and {} are not groups of the same ranks", cpu_->name(), cuda_->name());
  }
  const std::string& name() const override { return cpu_->name(); }
  int64_t rank() const override { return cpu_->rank(); }
  int64_t size() const override { return cpu_->size(); }
  void run(const Collective& c) override { of(c).run(c); }
  std::shared_ptr<Work> start(const Collective& c) override { return of(c).start(c); }
  std::shared_ptr<Work> start_messages(std::span<const Collective> messages) override {
    return of(messages[0]).start_messages(messages);
  }
  void close() override {
    cuda_->close();
    cpu_->close();
  }
  ProcessGroup split(int64_t color, int64_t key, const std::string& name) override {
    ProcessGroup cpu = distributed::split(cpu_, color, key, name), cuda = distributed::split(cuda_, color, key, name);
    return cpu ? device_group(std::move(cpu), std::move(cuda)) : nullptr;
  }
  std::shared_ptr<void> register_memory(void* data, size_t bytes) override {
    auto* const registers = dynamic_cast<RegistersMemory*>(cuda_.get());
    return registers ? registers->register_memory(data, bytes) : nullptr;
  }

 private:
  Communicator& of(const Collective& c) { return c.device.is_cuda() ? *cuda_ : *cpu_; }

  const ProcessGroup cpu_, cuda_;
};

/// Which engines a rank has.
struct Engines {
  explicit Engines(const std::string& backend) {
    const bool both = backend == "cpu:gloo,cuda:nccl" || backend == "cuda:nccl,cpu:gloo";
    has_gloo = both || backend == "gloo" || backend == "cpu:gloo";
    has_nccl = both || backend == "nccl" || backend == "cuda:nccl";
    STRATA_CHECK(has_gloo || has_nccl,
                 "init_process_group: there is no backend {}; take gloo, nccl or cpu:gloo,cuda:nccl", backend);
  }
  bool has_gloo = false, has_nccl = false;
};

}  // namespace

void check_backend(const std::string& backend) { Engines{backend}; }

/// NCCL's engine keeps rank 0's store open for as long as the group lives, so Gloo's finds it there.
ProcessGroup connect(const std::string& backend, EngineOptions options) {
  const Engines engines(backend);
  if (!engines.has_nccl) return watched_group(options);
  STRATA_CHECK(cuda::is_available(), "init_process_group: nccl is for CUDA devices, and there is none");
  const ProcessGroup cuda = nccl_engine(options);
  if (!engines.has_gloo) return cuda;
  if (options.store.starts_with("tcp://")) options.store.replace(0, 3, "agent");
  return device_group(watched_group(options), cuda);
}

ProcessGroup device_group(ProcessGroup cpu, ProcessGroup cuda) {
  return std::make_shared<DeviceGroup>(std::move(cpu), std::move(cuda));
}

}  // namespace strata::distributed
