// Capturing and replaying of CUDA graphs, and the positions of generators that they draw from: Note [Graphs].
#include "core/cuda_graph.h"

#include <atomic>

#include "core/cuda_backend.h"
#include "core/error.h"

namespace strata::cuda {
namespace {

constinit thread_local Graph* capturing = nullptr;

uint64_t new_pool() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

}  // namespace

/// What generators and kernels may know of the graph that is being captured.
struct CaptureAccess {
  static Generator::Position position(Graph& g, const Generator& generator, Generator::Position at) {
    for (size_t i = 0; i < g.draws_.size(); ++i) {
      Graph::Draws& d = g.draws_[i];
      if (d.generator != &generator) continue;
      STRATA_CHECK(at.seed == d.start.seed && at.offset >= d.start.offset,
                   "Graph: a generator was seeded inside of a capture; its replays go on from where it stands");
      d.on_device = true;
      return {reinterpret_cast<uintptr_t>(g.words_of(i)), at.offset - d.start.offset};
    }
    STRATA_THROW(
        "Graph: the capture draws from a generator that the graph does not know: call register_generator_state"
        " before");
  }
  static const uint64_t* words(const Graph& g, uint64_t seed) {
    for (size_t i = 0; i < g.draws_.size(); ++i)
      if (seed == reinterpret_cast<uintptr_t>(g.words_of(i))) return g.words_of(i);
    return nullptr;
  }
};

Generator::Position position_for_draw(const Generator& generator, Generator::Position at) {
  return capturing ? CaptureAccess::position(*capturing, generator, at) : at;
}
const uint64_t* captured_position(uint64_t seed) {
  return capturing ? CaptureAccess::words(*capturing, seed) : nullptr;
}
void refuse_capture(std::string_view what) {
  STRATA_CHECK(!capturing, "{}: the host would wait for the device, which cannot be captured into a graph", what);
}

MempoolId_t graph_pool_handle() { return {0, new_pool()}; }
bool is_current_stream_capturing() { return capturing != nullptr; }

Graph::~Graph() { release(); }

void Graph::register_generator_state(Generator& generator) {
  STRATA_CHECK(state_ == State::kEmpty, "Graph: generators are registered before the capture");
  generators_.push_back(&generator);
}

void Graph::begin(MempoolId_t pool) {
  STRATA_CHECK(!capturing, "Graph: this thread captures a graph already, and graphs do not nest");
  STRATA_CHECK(state_ == State::kEmpty, "Graph: it holds a capture already; reset() gives it up");
  Backend& b = backend();
  device_ = b.current_device();
  stream_ = b.current_stream(device_);
  pool_ = pool.second != 0 ? pool.second : new_pool();
  b.begin_capture(device_, stream_, pool_);
  state_ = State::kCapturing;
  capturing = this;
  draws_.push_back({&default_generator(), {}});
  for (Generator* const g : generators_) draws_.push_back({g, {}});
  for (Draws& d : draws_) d.start = d.generator->state();
  words_ = b.allocate(2 * sizeof(uint64_t) * draws_.size(), device_);
}

void Graph::end() {
  capturing = nullptr;
  for (Draws& d : draws_) {
    d.count = d.generator->state().offset - d.start.offset;
    d.generator->set_state(d.start);  // nothing was drawn yet
  }
  native_ = backend().end_capture(device_, stream_);
  state_ = State::kReady;
}

/// Ends a capture that failed.
void Graph::abandon() noexcept {
  try {
    if (capturing == this) end();
  } catch (const Error&) {  // what failed before says more
  }
  release();
}

void Graph::release() noexcept {
  if (state_ == State::kEmpty) return;
  if (capturing == this) return abandon();
  Backend& b = backend();
  if (native_) b.destroy_graph(native_);
  if (words_.handle) b.free(words_.handle);
  b.release_pool(device_, pool_);
  native_ = nullptr;
  words_ = {};
  draws_.clear();
  refreshes_.clear();
  state_ = State::kEmpty;
}

void Graph::capture_begin(MempoolId_t pool) {
  try {
    begin(pool);
  } catch (const Error&) {
    if (state_ == State::kCapturing) abandon();
    throw;
  }
}
void Graph::capture_end() {
  STRATA_CHECK(capturing == this, "Graph: this thread does not capture this graph");
  STRATA_CHECK(backend().current_stream(device_) == stream_,
               "Graph: the capture began on another stream than the current one");
  try {
    end();
  } catch (const Error&) {
    release();
    throw;
  }
}

void Graph::capture(const detail::Function<void()>& work, MempoolId_t pool) {
  const Stream now = current_stream(), side = Stream::from_pool(false, now.device_index());
  Event before(false);
  before.record(now);
  before.block(side);
  const StreamGuard guard(side);
  capture_begin(pool);
  try {
    work();
  } catch (...) {
    abandon();
    throw;
  }
  capture_end();
}

void Graph::replay() {
  STRATA_CHECK(state_ == State::kReady, "Graph: nothing was captured yet");
  STRATA_CHECK(!capturing, "Graph: a graph cannot be replayed inside of a capture");
  Backend& b = backend();
  void* const stream = b.current_stream(device_);
  for (const auto& refresh : refreshes_) refresh();
  for (size_t i = 0; i < draws_.size(); ++i) {
    const Draws& d = draws_[i];
    if (d.on_device) b.write_position(words_of(i), d.generator->advance(d.count), device_, stream);
  }
  b.launch_graph(native_, stream);
}

void Graph::reset() { release(); }

void before_each_replay(detail::Function<void()> refresh) {
  STRATA_CHECK(capturing, "before_each_replay: this thread captures no graph");
  capturing->refreshes_.push_back(std::move(refresh));
}

MempoolId_t Graph::pool() const {
  STRATA_CHECK(state_ != State::kEmpty, "Graph: it has a pool once it captures");
  return {0, pool_};
}

}  // namespace strata::cuda
