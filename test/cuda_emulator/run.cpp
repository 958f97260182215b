// Threads of an emulated block: they share a stack until one has to wait.
#include "test/cuda_emulator/run.h"

#include <cuda_runtime.h>
#include <setjmp.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <bit>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "test/cuda_stream.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

dim3 threadIdx, blockIdx, blockDim, gridDim;

namespace strata::emulator {
namespace {

constexpr size_t kStack = size_t{1} << 18;
constexpr int kLanes = 32;

/// A stack on which threads run one after the other. One that waits keeps it; the next threads get another.
struct Worker {
  ucontext_t context;
  jmp_buf place;  ///< where it goes on: jumps need no system calls, as switches of contexts do
  char* stack = nullptr;
  void* fake_stack = nullptr;  ///< AddressSanitizer's
  bool started = false;
};

struct Thread {
  enum State { kNew, kRunning, kAtBlock, kAtWarp, kDone } state = kNew;
  Worker* worker = nullptr;
  unsigned turn = 0;  ///< sync_warp calls so far
};

struct Warp {
  uint32_t arrived = 0;
  alignas(8) char values[2][kLanes][8];
};

bool falling_order = false;
int64_t launched = 0;
std::mutex one_launch;  // blockIdx and the like stand for one launch at a time

/// The block that runs.
class Block {
 public:
  Block(std::string_view op, dim3 threads, size_t shared_bytes, Body body, const void* kernel)
      : op_(op),
        body_(body),
        kernel_(kernel),
        threads_(threads.x * threads.y * threads.z),
        warps_((threads_.size() + kLanes - 1) / kLanes),
        ready_((threads_.size() + 63) / 64),
        shared_((shared_bytes + 15) / 16 * 2) {}

  void run() {
    threads_.assign(threads_.size(), {});
    ready_.assign(ready_.size(), 0);
    for (Warp& w : warps_) w.arrived = 0;
    next_ = done_ = at_block_ = 0;
    while (done_ < threads_.size()) resume(pick());
  }

  void sync_block() {
    ++at_block_;
    threads_[current_].state = Thread::kAtBlock;
    release_block();
    wait_while(Thread::kAtBlock);
  }

  void sync_warp(unsigned mask, const void* value, size_t bytes) {
    const size_t me = current_;
    Warp& warp = warps_[me / kLanes];
    ++threads_[me].turn;
    if (bytes > 0) std::memcpy(warp.values[threads_[me].turn % 2][me % kLanes], value, bytes);
    warp.arrived |= 1u << me % kLanes;
    threads_[me].state = Thread::kAtWarp;
    if ((warp.arrived & mask) == mask) release_warp(me / kLanes, mask);
    wait_while(Thread::kAtWarp);
  }

  const void* value_of_lane(int lane) const {
    return warps_[current_ / kLanes].values[threads_[current_].turn % 2][lane];
  }
  size_t current() const { return current_; }
  void* shared_memory() { return shared_.data(); }

 private:
  /// Threads that have ended are not waited for.
  void release_block() {
    if (at_block_ == 0 || at_block_ + done_ < threads_.size()) return;
    for (size_t t = 0; t < threads_.size(); ++t)
      if (threads_[t].state == Thread::kAtBlock) release(t);
    at_block_ = 0;
  }

  void release_warp(size_t warp, unsigned mask) {
    for (int lane = 0; lane < kLanes; ++lane)
      if (mask >> lane & 1u) release(warp * kLanes + static_cast<size_t>(lane));
    warps_[warp].arrived &= ~mask;
  }

  void release(size_t t) {
    threads_[t].state = Thread::kRunning;
    ready_[t / 64] |= uint64_t{1} << t % 64;
  }

  /// The current thread goes on once another one, or what it did itself, has released it.
  void wait_while(Thread::State state) {
    const size_t me = current_;
    while (threads_[me].state == state) to_scheduler();
    ready_[me / 64] &= ~(uint64_t{1} << me % 64);
  }

  /// The first thread that was released, in the order that threads run in.
  std::optional<size_t> first_ready() const {
    for (size_t i = 0; i < ready_.size(); ++i) {
      const size_t word = falling_order ? ready_.size() - 1 - i : i;
      if (const uint64_t bits = ready_[word])
        return word * 64 + static_cast<size_t>(falling_order ? 63 - std::countl_zero(bits) : std::countr_zero(bits));
    }
    return {};
  }

  /// A stack to go on with: one whose thread may run again, else a fresh one for threads not begun.
  Worker& pick() {
    if (next_ < threads_.size()) return idle_worker();
    const std::optional<size_t> t = first_ready();
    STRATA_CHECK(t, "{}: threads of block {} wait for others that never come: {} of {} have ended, {} are at a barrier",
                 op_, blockIdx.x, done_, threads_.size(), at_block_);
    set_current(*t);
    return *threads_[*t].worker;
  }

  Worker& idle_worker();
  void resume(Worker& w);
  void begin(Worker& w);
  void to_scheduler();
  static void enter();

  void run_threads() {
    while (next_ < threads_.size()) {
      const size_t n = next_++;
      set_current(falling_order ? threads_.size() - 1 - n : n);
      threads_[current_].state = Thread::kRunning;
      threads_[current_].worker = running_;
      body_(kernel_);
      threads_[current_].state = Thread::kDone;
      ++done_;
      release_block();
    }
  }

  void set_current(size_t t) {
    current_ = t;
    const auto i = static_cast<unsigned>(t);
    threadIdx = dim3(i % blockDim.x, i / blockDim.x % blockDim.y, i / (blockDim.x * blockDim.y));
  }

  const std::string_view op_;
  const Body body_;
  const void* const kernel_;
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  std::vector<uint64_t> ready_;  ///< a bit for each thread that was released and has not gone on
  std::vector<uint64_t> shared_;
  size_t next_ = 0, done_ = 0, at_block_ = 0, current_ = 0;
  Worker* running_ = nullptr;
};

Block* block = nullptr;
jmp_buf scheduler;
std::vector<std::unique_ptr<Worker>> idle;

Worker* new_worker() {
  auto w = std::make_unique<Worker>();
  void* const stack = mmap(nullptr, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  STRATA_CHECK(stack != MAP_FAILED, "the emulator has no memory for a stack");
  w->stack = static_cast<char*>(stack);
  return w.release();
}

/// AddressSanitizer wants to know of each change of stacks.
void leaving([[maybe_unused]] void** fake_stack, [[maybe_unused]] const void* to, [[maybe_unused]] size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(fake_stack, to, bytes);
#endif
}
void arrived([[maybe_unused]] void* fake_stack, [[maybe_unused]] const void** from, [[maybe_unused]] size_t* bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fake_stack, from, bytes);
#endif
}
const void* scheduler_stack = nullptr;
size_t scheduler_stack_bytes = 0;

Worker& Block::idle_worker() {
  if (idle.empty()) idle.emplace_back(new_worker());
  Worker* const w = idle.back().release();
  idle.pop_back();
  return *w;
}

void Block::resume(Worker& w) {
  running_ = &w;
  void* fake_stack = nullptr;
  leaving(&fake_stack, w.stack, kStack);
  if (_setjmp(scheduler) == 0) {
    if (w.started) _longjmp(w.place, 1);
    begin(w);
  }
  arrived(fake_stack, nullptr, nullptr);
}

void Block::begin(Worker& w) {
  w.started = true;
  getcontext(&w.context);
  w.context.uc_stack.ss_sp = w.stack;
  w.context.uc_stack.ss_size = kStack;
  w.context.uc_link = nullptr;
  makecontext(&w.context, &Block::enter, 0);
  setcontext(&w.context);
}

void Block::to_scheduler() {
  Worker& w = *running_;
  leaving(&w.fake_stack, scheduler_stack, scheduler_stack_bytes);
  if (_setjmp(w.place) == 0) _longjmp(scheduler, 1);
  arrived(w.fake_stack, &scheduler_stack, &scheduler_stack_bytes);
}

/// The bottom of a worker's stack. When no thread is left to begin, the worker waits for the next block.
void Block::enter() {
  arrived(nullptr, &scheduler_stack, &scheduler_stack_bytes);
  for (;;) {
    block->run_threads();
    idle.emplace_back(block->running_);
    block->to_scheduler();
  }
}

}  // namespace

void run_blocks(std::string_view op, dim3 blocks, dim3 threads, size_t shared_bytes, Body body, const void* kernel) {
  const std::lock_guard lock(one_launch);
  const auto count = uint64_t{threads.x} * threads.y * threads.z;
  STRATA_CHECK(count > 0 && count <= 1024 && blocks.x > 0 && blocks.y > 0 && blocks.z > 0 && blocks.y <= 65535 &&
                   blocks.z <= 65535 && shared_bytes <= 48 * 1024,
               "{}: no GPU starts {} x {} x {} blocks of {} threads with {} bytes of shared memory", op, blocks.x,
               blocks.y, blocks.z, count, shared_bytes);
  ++launched;
  gridDim = blocks;
  blockDim = threads;
  Block running(op, threads, shared_bytes, body, kernel);
  block = &running;
  for (unsigned z = 0; z < blocks.z; ++z)
    for (unsigned y = 0; y < blocks.y; ++y)
      for (unsigned x = 0; x < blocks.x; ++x) {
        blockIdx = dim3(x, y, z);
        running.run();
      }
}

void run_on_stream(std::string_view op, dim3 blocks, dim3 threads, size_t shared_bytes, cudaStream_t stream, Body body,
                   const void* kernel, size_t bytes) {
  if (!test::recording_of(stream)) return run_blocks(op, blocks, threads, shared_bytes, body, kernel);
  const auto* const begin = static_cast<const std::byte*>(kernel);
  test::give(stream, [=, kept = std::vector<std::byte>(begin, begin + bytes)] {
    run_blocks(op, blocks, threads, shared_bytes, body, kept.data());
  });
}

int64_t launches() { return launched; }
void set_falling_order(bool falling) { falling_order = falling; }
void* shared_memory() { return block->shared_memory(); }
void sync_block() { block->sync_block(); }
void sync_warp(unsigned mask, const void* value, size_t bytes) { block->sync_warp(mask, value, bytes); }
const void* value_of_lane(int lane) { return block->value_of_lane(lane); }
int lane() { return static_cast<int>(block->current() % kLanes); }

}  // namespace strata::emulator
