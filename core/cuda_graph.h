// CUDA graphs: work that is recorded once and then started as a whole, as often as wanted.
#pragma once
#include <utility>
#include <vector>

#include "cuda.h"
#include "function.h"
#include "generator.h"

namespace strata::cuda {

// Note [Graphs]
// What a graph captures is not run, only written down with the addresses of its tensors: a replay reads and writes the
// same memory. So tensors made before are its inputs, to be kept and filled with `copy_`; tensors that the capture
// leaves behind are its outputs, new in each replay. Memory allocated during a capture comes from a pool that serves
// nothing else until the graph is reset. Graphs with one pool share that memory: they are replayed in the order they
// were captured, one at a time, and an output is read before the next graph replays.
//
// The host's part is not recorded: values that it computes (a learning rate, a count of steps, the branch it takes)
// stay as they were in the capture. What would make the host wait (`item`, copies to the host, `nonzero`) is refused.
// Random numbers are new in each replay, those that the same calls outside of a graph would have drawn: the graph keeps
// the generator's position in device memory, and `replay` moves the generator on.

/// Names a pool of memory that graphs share; (0, 0) is none.
using MempoolId_t = std::pair<uint64_t, uint64_t>;
/// A new name, for `Graph::capture_begin`.
MempoolId_t graph_pool_handle();
/// Does this thread capture a graph?
bool is_current_stream_capturing();

/// Inside of a capture: `refresh` runs on the host before each replay, for numbers of the host that the captured
/// kernels read from device memory.
void before_each_replay(strata::detail::Function<void()> refresh);

class Graph {
 public:
  Graph() = default;
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// Captures what `work` starts on the current device, on a stream of its own that comes after the current one. When
  /// `work` throws, the capture ends, the graph stays empty, and the error goes on.
  void capture(const strata::detail::Function<void()>& work, MempoolId_t pool = {0, 0});
  /// The same by hand, on the current stream, which may not be the default one: from here to `capture_end`.
  void capture_begin(MempoolId_t pool = {0, 0});
  void capture_end();
  /// Starts the captured work on the current stream.
  void replay();
  /// Gives up what was captured, and its memory once nothing uses it.
  void reset();
  /// The graph's pool, for others to share.
  MempoolId_t pool() const;
  /// Before the capture: this generator, which must outlive the graph, is drawn from, besides the default one.
  void register_generator_state(Generator& generator);

 private:
  friend struct CaptureAccess;
  friend void before_each_replay(strata::detail::Function<void()> refresh);
  struct Draws {
    Generator* generator;
    Generator::Position start;  ///< where it stood when the capture began
    uint64_t count = 0;         ///< draws of one replay
    bool on_device = false;     ///< did a kernel draw?
  };
  enum class State { kEmpty, kCapturing, kReady };

  void begin(MempoolId_t pool);
  void end();
  void abandon() noexcept;
  void release() noexcept;
  uint64_t* words_of(size_t draws) const { return static_cast<uint64_t*>(words_.data) + 2 * draws; }

  State state_ = State::kEmpty;
  DeviceIndex device_ = 0;
  void* stream_ = nullptr;
  void* native_ = nullptr;
  uint64_t pool_ = 0;
  Block words_;  ///< seed and offset of each generator, in device memory
  std::vector<Generator*> generators_;
  std::vector<Draws> draws_;
  std::vector<strata::detail::Function<void()>> refreshes_;
};
using CUDAGraph = Graph;

}  // namespace strata::cuda
