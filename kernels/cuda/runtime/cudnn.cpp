// cuDNN's descriptors, handles and heuristics.
#include "kernels/cuda/runtime/cudnn.h"

#include "core/error.h"
#include "kernels/cuda/runtime/launch.h"

namespace strata::cuda {
namespace {

/// Proposals beyond these are not looked at.
constexpr int64_t kMostProposals = 64;
constexpr int64_t kMostWorkspace = int64_t{1} << 30;

struct SharedHandle {
  std::mutex mutex;
  cudnnHandle_t raw = nullptr;
};
SharedHandle& shared_handle(DeviceIndex device) {
  // Never destroyed: cuDNN may be gone when static objects are.
  static auto* const handles = new SharedHandle[kMostDevices];
  return handles[device];
}

}  // namespace

void check_cudnn(cudnnStatus_t status, std::string_view what) {
  if (status == CUDNN_STATUS_SUCCESS) [[likely]]
    return;
  char details[512] = "";
  cudnnGetLastErrorString(details, sizeof(details));
  STRATA_THROW("{}: {} {}", what, cudnnGetErrorString(status), static_cast<const char*>(details));
}

CudnnDescriptor::CudnnDescriptor(cudnnBackendDescriptorType_t type) {
  check_cudnn(cudnnBackendCreateDescriptor(type, &raw_), "cudnnBackendCreateDescriptor");
}

CudnnDescriptor& CudnnDescriptor::set_all(cudnnBackendAttributeName_t attribute, cudnnBackendAttributeType_t type,
                                          int64_t count, const void* values) {
  check_cudnn(cudnnBackendSetAttribute(raw_, attribute, type, count, values), "cudnnBackendSetAttribute");
  return *this;
}

CudnnDescriptor& CudnnDescriptor::set(cudnnBackendAttributeName_t attribute,
                                      const std::vector<CudnnDescriptor>& values) {
  std::vector<cudnnBackendDescriptor_t> raw;
  for (const CudnnDescriptor& d : values) raw.push_back(d.raw_);
  return set_all(attribute, CUDNN_TYPE_BACKEND_DESCRIPTOR, static_cast<int64_t>(raw.size()), raw.data());
}

CudnnDescriptor& CudnnDescriptor::finalize() {
  check_cudnn(cudnnBackendFinalize(raw_), "cudnnBackendFinalize");
  return *this;
}

int64_t CudnnDescriptor::number(cudnnBackendAttributeName_t attribute) const {
  int64_t count = 0, value = 0;
  check_cudnn(cudnnBackendGetAttribute(raw_, attribute, CUDNN_TYPE_INT64, 1, &count, &value),
              "cudnnBackendGetAttribute");
  return value;
}

void CudnnDescriptor::read(cudnnBackendAttributeName_t attribute, CudnnDescriptor& into) const {
  int64_t count = 0;
  check_cudnn(cudnnBackendGetAttribute(raw_, attribute, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &count, &into.raw_),
              "cudnnBackendGetAttribute");
}

CudnnHandle::CudnnHandle(DeviceIndex device) : lock_(shared_handle(device).mutex) {
  SharedHandle& shared = shared_handle(device);
  if (!shared.raw) check_cudnn(cudnnCreate(&shared.raw), "cudnnCreate");
  raw_ = shared.raw;
  check_cudnn(cudnnSetStream(raw_, stream_of(device)), "cudnnSetStream");
}

std::vector<CudnnDescriptor> cudnn_proposals(const CudnnDescriptor& graph, cudnnBackendHeurMode_t mode) {
  CudnnDescriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph).set(CUDNN_ATTR_ENGINEHEUR_MODE, mode);
  if (!heuristics.try_finalize()) return {};
  std::vector<CudnnDescriptor> proposals;
  std::array<cudnnBackendDescriptor_t, kMostProposals> raw;
  for (auto& one : raw) one = proposals.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR).get();
  int64_t count = 0;
  check_cudnn(cudnnBackendGetAttribute(heuristics.get(), CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                                       kMostProposals, &count, raw.data()),
              "cudnnBackendGetAttribute");
  while (static_cast<int64_t>(proposals.size()) > count) proposals.pop_back();
  return proposals;
}

bool has_note(const CudnnDescriptor& proposal, cudnnBackendNumericalNote_t note) {
  CudnnDescriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  proposal.read(CUDNN_ATTR_ENGINECFG_ENGINE, engine);
  std::array<cudnnBackendNumericalNote_t, CUDNN_NUMERICAL_NOTE_TYPE_COUNT> notes;
  int64_t count = 0;
  check_cudnn(cudnnBackendGetAttribute(engine.get(), CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE,
                                       notes.size(), &count, notes.data()),
              "cudnnBackendGetAttribute");
  for (int64_t i = 0; i < count; ++i)
    if (notes[i] == note) return true;
  return false;
}

CudnnPlanPtr cudnn_plan(CudnnDescriptor proposal, cudnnHandle_t handle) {
  CudnnDescriptor d(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
  d.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, proposal).set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, handle);
  if (!d.try_finalize()) return nullptr;
  const int64_t workspace = d.number(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE);
  if (workspace > kMostWorkspace) return nullptr;
  return std::make_shared<const CudnnPlan>(CudnnPlan{std::move(proposal), std::move(d), workspace});
}

void cudnn_execute(const CudnnPlan& plan, const std::vector<int64_t>& ids, const std::vector<void*>& operands,
                   Device device, cudnnHandle_t handle) {
  Tensor workspace;  // the allocator hands it to the stream's next work as soon as this has been started
  if (plan.workspace > 0) workspace = empty_on_device({plan.workspace}, kByte, device);
  void* const memory = plan.workspace > 0 ? workspace.bytes() : nullptr;
  CudnnDescriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  pack.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, operands)
      .set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, ids)
      .set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, memory)
      .finalize();
  check_cudnn(cudnnBackendExecute(handle, plan.descriptor.get(), pack.get()), "cudnnBackendExecute");
}

}  // namespace strata::cuda
