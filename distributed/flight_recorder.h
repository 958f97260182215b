// What a rank has run last, for whoever has to find out why a job stopped.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "../core/communicator.h"

namespace strata::distributed {

/// One collective in a flight recorder. Times are nanoseconds of the steady clock.
struct FlightEntry {
  uint64_t id = 0;  ///< counts all that the rank has recorded, from 1 on
  std::string group;
  int64_t sequence = 0;  ///< the number of the call among those of its group
  CollectiveKind kind = CollectiveKind::kBarrier;
  DType dtype = kByte;
  ReduceOp op = ReduceOp::SUM;
  int64_t root = 0, in_count = 0, out_count = 0;
  int64_t start = 0, end = 0;
  bool is_finished = false;
};

/// A ring of the last collectives of all groups of a rank. Writing takes no lock, so that it costs no more than reading
/// the clock; any thread may read meanwhile. The idea, and what a dump holds, are those of PyTorch's flight recorder.
class FlightRecorder {
 public:
  /// Keeps at least this many entries; 0 for none.
  explicit FlightRecorder(size_t entries);
  FlightRecorder(const FlightRecorder&) = delete;
  FlightRecorder& operator=(const FlightRecorder&) = delete;

  /// STRATA_FLIGHT_RECORDER, or 64.
  static size_t default_entries();
  /// A number for a group's name.
  size_t add_group(const std::string& name);

  /// Records that a collective starts at `now` and returns its id.
  uint64_t begin(const Collective& c, int64_t sequence, size_t group, int64_t now);
  /// Records that it has ended well. Nothing where the ring has forgotten it.
  void end(uint64_t id, int64_t now);

  /// From the oldest to the newest.
  std::vector<FlightEntry> entries() const;
  static int64_t now();

 private:
  /// A writer takes an entry away by id 0 and gives it back with its new id, so a reader knows whether it has read a
  /// single one.
  struct Slot {
    std::atomic<uint64_t> id{0};
    std::atomic<int64_t> sequence{0}, root{0}, in_count{0}, out_count{0}, start{0}, end{0};
    std::atomic<uint64_t> what{0};
  };
  bool read(const Slot& slot, FlightEntry& entry) const;

  const size_t size_;  ///< a power of two, or 0
  const std::unique_ptr<Slot[]> slots_;
  std::atomic<uint64_t> next_{0};
  mutable std::mutex names_mutex_;
  std::vector<std::string> names_;
};

/// Whose entries are dumped, and why.
struct FlightDump {
  std::string group;
  int64_t rank = 0, world_size = 1;
  std::string failure;
};
/// Writes entries as lines of JSON, the first of which says who and why, to a file of the folder that
/// STRATA_FLIGHT_RECORDER_DIR names: it is there whole or not at all. Without that variable, a line with the last few
/// goes to stderr. Returns the file's name, or nothing. Throws nothing: a failure is under way.
std::string dump(const std::vector<FlightEntry>& entries, const FlightDump& about) noexcept;
/// The same as text: lines, and one short line.
std::string as_json_lines(const std::vector<FlightEntry>& entries, const FlightDump& about);
std::string as_short_line(const std::vector<FlightEntry>& entries, const FlightDump& about);

}  // namespace strata::distributed
