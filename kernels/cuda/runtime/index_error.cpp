// The reports of indices out of range: Note [Index errors of kernels].
#include "kernels/cuda/runtime/index_error.h"

#include <atomic>
#include <mutex>

namespace strata::cuda {
namespace {

/// One per device, made with the first kernel there that checks indices; never freed, since kernels may outlive all.
std::atomic<IndexReport*> reports[kMostDevices];
/// Devices from 0 on that may have a report.
std::atomic<int> devices{0};
std::mutex making;

/// With unified addressing the device knows host memory by the host's address.
IndexReport* make_report(DeviceIndex device) {
  const std::lock_guard lock(making);
  if (IndexReport* const there = reports[device]) return there;
  void* p = nullptr;
  check(cudaHostAlloc(&p, sizeof(IndexReport), cudaHostAllocMapped), "index errors");
  IndexReport* const report = new (p) IndexReport{};
  reports[device] = report;
  devices = std::max<int>(devices, device + 1);
  return report;
}

/// Only one thread throws a report.
void throw_report(IndexReport& r, int device) {
  const std::atomic_ref<uint32_t> state(r.state);
  uint32_t expected = kReportReady;
  if (!state.compare_exchange_strong(expected, kReportBegun)) return;
  const IndexReport found = r;
  state = kNoReport;
  const std::string text = strata::detail::format_message(found.format, {found.index, found.where, found.size});
  STRATA_CHECK_INDEX(false, "{} (found by an earlier kernel on cuda:{})", text, device);
}

}  // namespace

IndexErrors index_errors(const Tensor& t, const char* format) {
  const DeviceIndex device = t.device().index();
  IndexReport* report = reports[device].load(std::memory_order_acquire);
  if (!report) [[unlikely]]
    report = make_report(device);
  return {report, format};
}

void throw_index_errors() {
  const int n = devices.load(std::memory_order_relaxed);
  for (int i = 0; i < n; ++i) {
    IndexReport* const r = reports[i].load(std::memory_order_acquire);
    if (r && std::atomic_ref(r->state).load(std::memory_order_acquire) == kReportReady) [[unlikely]]
      throw_report(*r, i);
  }
}

}  // namespace strata::cuda
