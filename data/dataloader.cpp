// Defaults of the data loader's options, and the message of a worker's exception.
#include "data/dataloader.h"

#include <string>

namespace strata::data {
namespace {

std::string message_of(const std::exception_ptr& original) {
  const std::string start = "Caught exception in DataLoader worker thread.";
  try {
    std::rethrow_exception(original);
  } catch (const std::exception& e) {
    return start + " Original message: " + e.what();
  } catch (...) {
    return start;
  }
}

}  // namespace

FullDataLoaderOptions::FullDataLoaderOptions(const DataLoaderOptions& options)
    : batch_size(options.batch_size()),
      workers(options.workers()),
      max_jobs(options.max_jobs().value_or(2 * workers)),
      timeout(options.timeout()),
      enforce_ordering(options.enforce_ordering()),
      drop_last(options.drop_last()),
      pin_memory(options.pin_memory() && cuda::is_available()) {
  if (options.pin_memory() && !pin_memory)
    warn_once("data loader: pin_memory is set, but there is no CUDA device: batches stay in ordinary memory");
  STRATA_CHECK(batch_size > 0, "data loader: batch_size must be at least 1");
  STRATA_CHECK(workers == 0 || max_jobs > 0, "data loader: max_jobs must be at least 1");
}

WorkerException::WorkerException(std::exception_ptr original)
    : Error(message_of(original)), original_exception(std::move(original)) {}

}  // namespace strata::data
