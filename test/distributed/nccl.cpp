// Groups of NCCL between threads of this process, each with a device of its own: a library in NCCL's place that moves
// host memory and is strict about every rule, on streams that run later than the host.
#include <dlfcn.h>
#include <strata/distributed/device_group.h>
#include <strata/strata.h>

#include <atomic>
#include <thread>

#include "distributed/nccl/api.h"
#include "test/catch.h"
#include "test/distributed/cases.h"
#include "test/distributed/fake_nccl/device.h"
#include "test/distributed/nccl_ranks.h"

namespace strata {
namespace {

using namespace std::chrono_literals;
using namespace nccl_ranks;
namespace api = distributed::nccl;

Tensor mine(const Tensor& x, const ProcessGroup& g) {
  return x[g->rank()].to(Device(kCUDA, static_cast<DeviceIndex>(g->rank())));
}

/// What `f` gives on W ranks, beside what it gives on an axis of length W.
void check_same(const char* name, const Function& f, const Tensor& x) {
  INFO(name << " of " << strata::name(x.dtype()) << " on " << x.size(0));
  std::vector<Tensor> rows(static_cast<size_t>(x.size(0)));
  run_nccl_well(x.size(0), [&](const ProcessGroup& g) { rows[static_cast<size_t>(g->rank())] = f(mine(x, g)).cpu(); });
  CHECK(same_bits(stack(rows), on_axis(f, x)));
}

/// Lets a stream go on when it is opened.
class Gate {
 public:
  explicit Gate(
      const cuda::Stream& stream, std::function<void()> then = [] {}) {
    test::stream_at(stream.native()).enqueue([state = state_, then] {
      std::unique_lock lock(state->mutex);
      state->changed.wait(lock, [&] { return state->open; });
      then();
    });
  }
  void open() {
    const std::lock_guard lock(state_->mutex);
    state_->open = true;
    state_->changed.notify_all();
  }

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    bool open = false;
  };
  const std::shared_ptr<State> state_ = std::make_shared<State>();
};

bool starts_with(const std::string& text, const std::string& begin) {
  INFO(text);
  CHECK(text.substr(0, begin.size()) == begin);
  return text.starts_with(begin);
}

}  // namespace

TEST_CASE("collectives by NCCL have the bits of those over an axis of vmap, and so have their gradients") {
  if (!has_devices()) return;
  for (int64_t world : {1, 2, 3, 4}) {
    const Tensor x = input(world);
    std::vector<Function> functions;
    for (const Case& c : cases(world)) {
      functions.push_back(c.f);
      functions.push_back(
          [f = c.f](const Tensor& row) { return grad([&](Tensor t) { return (f(t) * f(t).cos()).sum(); })(row); });
    }
    std::vector<std::vector<Tensor>> got(static_cast<size_t>(world));
    run_nccl_well(world, [&](const ProcessGroup& g) {
      for (const Function& f : functions) got[static_cast<size_t>(g->rank())].push_back(f(mine(x, g)).cpu());
    });
    for (size_t i = 0; i < functions.size(); ++i) {
      INFO(cases(world)[i / 2].name << " on " << world << (i % 2 ? ", gradient" : ""));
      std::vector<Tensor> rows;
      for (const auto& of_rank : got) rows.push_back(of_rank.at(i));
      CHECK(same_bits(stack(rows), on_axis(functions[i], x)));
    }
  }
}

TEST_CASE("NCCL reduces and moves dtypes that it knows, and moves the others as bytes") {
  if (!has_devices()) return;
  const Tensor numbers = arange(24, kFloat).reshape({3, 8}) / 4;
  const auto sum = [](const Tensor& t) { return distributed::all_reduce(t, ReduceOp::SUM, "i"); };
  for (const DType t :
       {kByte, kChar, kInt, kLong, kBool, kHalf, kBFloat16, kFloat, kDouble, kComplexFloat, kComplexDouble})
    check_same("sum", sum, numbers.to(t));
  for (const DType t : {kByte, kLong, kHalf, kBFloat16})
    check_same(
        "max", [](const Tensor& x) { return distributed::all_reduce(x, ReduceOp::MAX, "i"); }, numbers.to(t));
  for (const DType t : {kShort, kBool, kBFloat16, kComplexDouble})
    check_same(
        "gather", [](const Tensor& x) { return distributed::all_gather_into_tensor(x, "i"); }, numbers.to(t));
  const std::vector<std::string> errors = run_nccl(2, [&](const ProcessGroup& g) { sum(mine(numbers.to(kShort), g)); });
  starts_with(errors[0], "all_reduce (call 1 of group i, rank 0 of 2): NCCL cannot reduce int16 by SUM");
}

TEST_CASE("pieces of different sizes and single messages go by NCCL too, and nothing to move is no special case") {
  if (!has_devices()) return;
  run_nccl_well(3, [&](const ProcessGroup& g) {
    const int64_t r = g->rank();
    const Tensor x = (arange(6, kDouble) + 10 * r).to(kCUDA);
    const Tensor y = distributed::all_to_all_single(x, {r + 1, r + 1, r + 1}, {1, 2, 3});  // rank i gets i + 1 of each
    if (r == 0) expect(same_bits(y.cpu(), tensor({0, 10, 20}, kDouble)), "the first numbers");
    if (r == 2) expect(same_bits(y.cpu(), tensor({3, 4, 5, 13, 14, 15, 23, 24, 25}, kDouble)), "the last numbers");

    const Tensor all = zeros({3}, TensorOptions(kDouble).device(kCUDA));
    Collective c{.kind = CollectiveKind::kAllGather, .dtype = kDouble, .device = x.device()};
    c.in = x.data_ptr(), c.in_count = r;  // none of rank 0
    c.out = all.data_ptr(), c.out_count = 3, c.out_counts = {0, 1, 2};
    g->run(c);
    expect(same_bits(all.cpu(), tensor({10, 20, 21}, kDouble)), "pieces of 0, 1 and 2 numbers");

    const Tensor none = zeros({0, 3}, TensorOptions(kCUDA));
    expect(distributed::all_reduce(none).numel() == 0, "nothing summed");
    expect(distributed::all_to_all_single(none).numel() == 0, "nothing exchanged");
    expect(distributed::all_gather_into_tensor(none).numel() == 0, "nothing gathered");

    Tensor other = zeros({6}, TensorOptions(kDouble).device(kCUDA));
    if (r == 0) distributed::send(x, 1), distributed::recv(other, 1);
    if (r == 1) distributed::recv(other, 0), distributed::send(x, 0);
    if (r < 2) expect(same_bits(other.cpu(), arange(6, kDouble) + 10 * (1 - r)), "the other's numbers");

    // A stream runs one call after the other, so these go round only as one.
    const int64_t next = (r + 1) % 3, before = (r + 2) % 3;
    const Tensor second = zeros({6}, other.options());
    for (const auto& work : distributed::batch_isend_irecv({{distributed::isend, x, next},
                                                            {distributed::isend, x + 1, next},
                                                            {distributed::irecv, other, before},
                                                            {distributed::irecv, second, before}}))
      work->wait();
    expect(same_bits(other.cpu(), arange(6, kDouble) + 10 * before), "from the rank before");
    expect(same_bits(second.cpu(), arange(6, kDouble) + 10 * before + 1), "and the second one");
    std::string no_tags;
    try {
      distributed::send(x, next, {}, 1);
    } catch (const Error& e) {
      no_tags = e.what();
    }
    expect(no_tags == "send: NCCL knows no tags, and this message has 1", no_tags);
    distributed::barrier();
  });
}

TEST_CASE("a collective waits for the stream that fills its memory, and later work of that stream for it") {
  if (!has_devices()) return;
  std::atomic<int> have_looked{0};
  run_nccl_well(2, [&](const ProcessGroup& g) {
    distributed::barrier();  // makes the communicator
    const Tensor x = zeros({4}, TensorOptions(kDouble).device(kCUDA));
    auto* const numbers = static_cast<double*>(x.data_ptr());
    x.cpu();
    Gate fill(cuda::current_stream(), [numbers] { std::fill_n(numbers, 4, 3.0); });
    const Collective sum = sum_of(x);
    g->run(sum);  // comes back though the stream has not even filled the memory
    double seen = 0;
    test::stream_at(cuda::current_stream().native()).enqueue([&] { seen = numbers[3]; });
    expect(!cuda::current_stream().query(), "a stream that waits");
    fill.open();
    cuda::current_stream().synchronize();
    expect(seen == 6, "the sum of what the stream wrote");

    // A stream that does not wait for the work may go on beside it.
    fake().hold(true);
    const std::shared_ptr<Work> work = g->start(sum);
    bool went_on = false;
    test::stream_at(cuda::current_stream().native()).enqueue([&] { went_on = true; });
    cuda::current_stream().synchronize();
    expect(went_on, "other work beside a collective");
    work->wait();
    expect(!cuda::current_stream().query(), "a stream that waits for the work");
    meet(have_looked, 2);
    fake().hold(false);
    expect(same_bits(x.cpu(), full({4}, 12.0, kDouble)), "the sum of sums");
  });
}

TEST_CASE("memory that is given up while NCCL uses it stays until it is done") {
  if (!has_devices()) return;
  run_nccl_well(2, [](const ProcessGroup& g) {
    distributed::barrier();
    fake().hold(true);
    std::shared_ptr<Work> work;
    {
      const Tensor x = ones({1000}, TensorOptions(kCUDA));
      work = g->start(sum_of(x));
    }
    fake().hold(false);
    work->wait();
    cuda::synchronize();
  });
}

TEST_CASE("a group that one rank closes ends on all, from any thread and with what happened") {
  if (!has_devices()) return;
  const auto start = std::chrono::steady_clock::now();
  std::atomic<int> past_barrier{0};
  const std::vector<std::string> errors = run_nccl(3, [&](const ProcessGroup& g) {
    distributed::barrier();
    meet(past_barrier, 3);
    if (g->rank() == 1) {
      std::thread([&] { g->close(); }).join();
      return g->run(sum_of(ones({2}, TensorOptions(kCUDA))));
    }
    const Tensor x = ones({1000}, TensorOptions(kCUDA));
    g->run(sum_of(x));           // the host goes on
    cuda::synchronize();         // the stream ends, by the abort
    distributed::all_reduce(x);  // and here it comes out
  });
  CHECK(std::chrono::steady_clock::now() - start < 5s);
  CHECK(errors[1] == "rank 1 has closed group i");
  for (const size_t rank : {0, 2})
    CHECK(errors[rank] ==
          "all_reduce (call 2 of group i, rank " + std::to_string(rank) + " of 3): rank 1 has closed group i");
}

TEST_CASE("a rank that closes the group before the others' first collective is told of as well") {
  if (!has_devices()) return;
  const std::vector<std::string> errors = run_nccl(2, [](const ProcessGroup& g) {
    if (g->rank() == 1) return g->close();
    distributed::barrier();  // the communicator waits for the other rank
  });
  CHECK(errors[0] == "barrier (call 1 of group i, rank 0 of 2): rank 1 has closed group i");
}

TEST_CASE("a rank that does not come to a collective of NCCL is waited for as long as was said") {
  if (!has_devices()) return;
  std::atomic<bool> is_over{false};
  const std::vector<std::string> errors = run_nccl(
      2,
      [&](const ProcessGroup& g) {
        distributed::barrier();
        while (g->rank() == 1 && !is_over) std::this_thread::yield();
        if (g->rank() == 1) return;
        const struct Over {
          ~Over() { flag = true; }
          std::atomic<bool>& flag;
        } over{is_over};
        const Tensor x = ones({3}, TensorOptions(kCUDA));
        const std::shared_ptr<Work> work = g->start(sum_of(x));
        work->wait();         // the stream waits, the host does not
        cuda::synchronize();  // ended by the deadline
        work->wait();         // whoever asks again is told
      },
      300ms);
  CHECK(errors[0] == "all_reduce (call 2 of group i, rank 0 of 2): not done after 300 ms");
  CHECK(errors[1] == "");
}

TEST_CASE("a rank that leaves is told of to those that wait for it") {
  if (!has_devices()) return;
  const std::vector<std::string> errors = run_nccl(
      2,
      [&](const ProcessGroup& g) {
        distributed::barrier();
        if (g->rank() == 0) distributed::barrier();
      },
      1s);
  CHECK(errors[0].starts_with("barrier (call 2 of group i, rank 0 of 2): "));
  CHECK(errors[1] == "");
}

TEST_CASE("what NCCL finds in the background ends the group on all ranks") {
  if (!has_devices()) return;
  const std::vector<std::string> errors = run_nccl(2, [&](const ProcessGroup& g) {
    distributed::barrier();
    fake().hold(true);
    g->run(sum_of(ones({3}, TensorOptions(kCUDA))));
    if (g->rank() == 1) fake().fail_rank(1);
    cuda::synchronize();
    distributed::barrier();
  });
  fake().fail_rank(-1);
  fake().hold(false);
  const std::string first =
      "all_reduce (call 2 of group i, rank 1 of 2): NCCL: remote process exited or there was a network error";
  CHECK(errors[1] == first);
  CHECK(errors[0] == "all_reduce (call 2 of group i, rank 0 of 2): " + first);
}

TEST_CASE("where launches are waited for, a collective is too, and throws by itself") {
  if (!has_devices()) return;
  cuda::set_launches_block(true);
  const std::vector<std::string> errors = run_nccl(
      2,
      [&](const ProcessGroup& g) {
        const Tensor x = ones({3}, TensorOptions(kCUDA));
        g->run(sum_of(x));
        expect(static_cast<float*>(x.data_ptr())[0] == 2, "a sum that is there");
        if (g->rank() == 0) g->run(sum_of(x));
      },
      1s);
  cuda::set_launches_block(false);
  CHECK(errors[0].starts_with("all_reduce (call 2 of group i, rank 0 of 2): "));
}

TEST_CASE("data-parallel training on devices sends its buckets by NCCL, from memory that was registered") {
  if (!has_devices()) return;
  manual_seed(7);
  const Tensor x = randn({8, 6}, kDouble), y = randn({8, 3}, kDouble);
  const auto make = [] {
    manual_seed(1);
    nn::Sequential net(nn::Linear(6, 5), nn::Tanh(), nn::Linear(5, 3));
    net->to(kDouble);
    return net;
  };
  nn::Sequential whole = make();
  nn::functional::mse_loss(whole->forward(x), y).backward();
  run_nccl_well(2, [&](const ProcessGroup& g) {
    static std::mutex one_at_a_time;  // of the generator, which ranks that are threads share
    std::unique_lock lock(one_at_a_time);
    nn::Sequential net = make();
    lock.unlock();
    net->to(Device(kCUDA, static_cast<DeviceIndex>(g->rank())));
    nn::parallel::DistributedDataParallel ddp(net, {.group = g, .bucket_cap_mb = 1e-4});
    const Tensor own_x = x.narrow(0, 4 * g->rank(), 4).to(kCUDA), own_y = y.narrow(0, 4 * g->rank(), 4).to(kCUDA);
    for (int step = 0; step < 3; ++step) {
      net->zero_grad();
      nn::functional::mse_loss(ddp(own_x), own_y).backward();
      for (size_t i = 0; i < whole->parameters().size(); ++i)
        expect(allclose(net->parameters()[i].grad().cpu(), whole->parameters()[i].grad(), 1e-12, 1e-14), "gradients");
    }
    expect(fake().registrations() > 0, "registered buckets");
    distributed::barrier();
  });
  CHECK(fake().registrations() == 0);
}

TEST_CASE("a rank that fails while gradients travel leaves nobody with wrong ones") {
  if (!has_devices()) return;
  std::atomic<int> are_ready{0};
  const std::vector<std::string> errors = run_nccl(2, [&](const ProcessGroup& g) {
    nn::Linear net(2, 2);
    net->to(kCUDA);
    nn::parallel::DistributedDataParallel ddp(net, {.group = g});
    distributed::barrier();
    meet(are_ready, 2);
    if (g->rank() == 1) return g->close();
    ddp(ones({1, 2}, TensorOptions(kCUDA))).sum().backward();
    expect(false, "an error of backward");
  });
  CHECK(errors[0].starts_with("all_reduce (call "));
  CHECK(errors[0].ends_with(": rank 1 has closed group i"));
}

TEST_CASE("tensors of the CPU go by Gloo and those of devices by NCCL, and one store serves both") {
  if (!has_devices() || !STRATA_HAS_GLOO) return;
  fake();
  std::vector<std::string> errors(2);
  std::vector<std::thread> ranks;
  const std::string store = "tcp://127.0.0.1:" + std::to_string(free_port());
  for (int64_t rank : {0, 1})
    ranks.emplace_back([&, rank] {
      try {
        cuda::set_device(static_cast<DeviceIndex>(rank));
        const ProcessGroup group = distributed::connect("cpu:gloo,cuda:nccl", options_of(rank, 2, store));
        const Tensor here = distributed::all_reduce(ones({2}), ReduceOp::SUM, group);
        const Tensor there = distributed::all_reduce(ones({2}, TensorOptions(kCUDA)), ReduceOp::SUM, group);
        expect(here.is_cpu() && same_bits(here, full({2}, 2.0)), "the CPU's sum");
        expect(there.is_cuda() && same_bits(there.cpu(), here), "the devices' sum");
        distributed::barrier(group);
      } catch (const std::exception& e) {
        errors[static_cast<size_t>(rank)] = e.what();
      }
    });
  for (std::thread& t : ranks) t.join();
  for (const std::string& e : errors) CHECK(e == "");
  CHECK(fake().broken_rules() == "");
  CHECK(fake().live_communicators() == 0);
  CHECK_THROWS_WITH(distributed::connect("mpi", {}),
                    "init_process_group: there is no backend mpi; take gloo, nccl or cpu:gloo,cuda:nccl");
}

TEST_CASE("a store serves one group of a name after the other, whatever happened to the first") {
  if (!has_devices()) return;
  fake();
  const std::string store = fresh_folder();
  std::vector<double> sums(2);
  std::vector<std::thread> ranks;
  for (int64_t rank : {0, 1})
    ranks.emplace_back([&, rank] {
      cuda::set_device(static_cast<DeviceIndex>(rank));
      const distributed::EngineOptions options = options_of(rank, 2, store);
      distributed::nccl_engine(options)->close();
      const ProcessGroup group = distributed::nccl_engine(options);
      sums[static_cast<size_t>(rank)] =
          distributed::all_reduce(ones({}, TensorOptions(kCUDA)), ReduceOp::SUM, group).item<double>();
    });
  for (std::thread& t : ranks) t.join();
  std::filesystem::remove_all(store.substr(7));
  CHECK(sums == std::vector<double>{2, 2});
  CHECK(fake().broken_rules() == "");
}

TEST_CASE("wrong calls of a group of NCCL") {
  if (!has_devices()) return;
  const std::vector<std::string> errors = run_nccl(2, [](const ProcessGroup& g) {
    distributed::barrier();
    if (g->rank() == 0) distributed::all_reduce(ones({2}));
    if (g->rank() == 1) distributed::all_reduce(ones({2}, TensorOptions(Device(kCUDA, 3))));
  });
  CHECK(errors[0] == "all_reduce: NCCL moves tensors of CUDA devices, not of cpu");
  CHECK(errors[1] ==
        "all_reduce (call 2 of group i, rank 1 of 2): this rank of the group is on cuda:1, the tensor on cuda:3");
}

TEST_CASE("ranks of NCCL that do not meet are told of") {
  if (!has_devices()) return;
  fake();
  distributed::EngineOptions options;
  options.name = "alone", options.rank = 1, options.world_size = 2;
  options.store = fresh_folder(), options.timeout = 100ms;
  CHECK_THROWS_WITH(distributed::nccl_engine(options),
                    Catch::Matchers::StartsWith("nccl: the 2 ranks of group alone did not meet: "));
  std::filesystem::remove_all(options.store.substr(7));
}

TEST_CASE("the library in NCCL's place tells of ranks that do not call alike") {
  if (!has_devices()) return;
  fake();
  const std::string store = fresh_folder();
  std::vector<std::thread> ranks;
  for (int64_t rank : {0, 1})
    ranks.emplace_back([&, rank] {
      const distributed::EngineOptions options = options_of(rank, 2, store);
      cuda::set_device(static_cast<DeviceIndex>(rank));
      const ProcessGroup group = distributed::nccl_engine(options);
      const Tensor x = ones({4}, TensorOptions(kCUDA));
      Collective c = sum_of(x);
      c.in_count = c.out_count = 4 - rank;
      group->run(c);
    });
  for (std::thread& t : ranks) t.join();
  std::filesystem::remove_all(store.substr(7));
  CHECK(fake().broken_rules() == "rank 1 calls another function than rank 0, or with other arguments\n");
}

TEST_CASE("the library in NCCL's place tells of calls that NCCL forbids") {
  if (!has_devices()) return;
  fake();
  const auto& nccl = [] {
    void* const library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_NOLOAD);
    api::Api a = {};
    const auto find = [&](const char* name, auto& entry) {
      entry = reinterpret_cast<std::decay_t<decltype(entry)>>(dlsym(library, name));
    };
    find("ncclGetUniqueId", a.GetUniqueId), find("ncclCommInitRankConfig", a.CommInitRankConfig);
    find("ncclCommGetAsyncError", a.CommGetAsyncError), find("ncclAllReduce", a.AllReduce);
    find("ncclSend", a.Send), find("ncclGroupEnd", a.GroupEnd);
    find("ncclCommFinalize", a.CommFinalize), find("ncclCommDestroy", a.CommDestroy);
    find("ncclCommAbort", a.CommAbort);
    return a;
  }();
  cuda::set_device(0);
  const Tensor x = ones({2}, TensorOptions(kCUDA));
  void* const stream = cuda::current_stream().native();
  api::UniqueId id = {};
  api::Comm comm = nullptr;
  api::Config config, blocking;
  blocking.blocking = 1;
  const auto sum = [&] { nccl.AllReduce(x.data_ptr(), x.data_ptr(), 2, api::kFloat32, api::kSum, comm, stream); };
  const auto settle = [&] {
    for (api::Result now = api::kInProgress; now == api::kInProgress;) nccl.CommGetAsyncError(comm, &now);
  };

  nccl.CommInitRankConfig(&comm, 1, id, 0, &config);
  CHECK(fake().broken_rules() == "ncclCommInitRankConfig with an unknown id\n");
  nccl.GetUniqueId(&id);
  nccl.CommInitRankConfig(&comm, 1, id, 0, &blocking);
  CHECK(fake().broken_rules() == "ncclCommInitRankConfig makes the host wait\n");
  nccl.CommInitRankConfig(&comm, 1, id, 0, &config);
  sum();
  CHECK(fake().broken_rules() == "ncclAllReduce on a communicator that is not ready\n");
  settle();
  sum(), sum();
  CHECK(fake().broken_rules() == "ncclAllReduce while an earlier call is in progress\n");
  settle();
  nccl.Send(x.data_ptr(), 2, api::kFloat32, 0, comm, stream);
  CHECK(fake().broken_rules() == "ncclSend to oneself outside of a group\n");
  nccl.GroupEnd();
  CHECK(fake().broken_rules() == "ncclGroupEnd without ncclGroupStart\n");
  nccl.CommDestroy(comm);
  CHECK(fake().broken_rules() == "ncclCommDestroy before the end\n");
  CHECK(fake().live_communicators() == 1);
  nccl.CommAbort(comm);
  sum();
  CHECK(fake().broken_rules() == "ncclAllReduce after ncclCommAbort\n");
  nccl.CommAbort(comm);
  CHECK(fake().broken_rules() == "ncclCommAbort after ncclCommAbort\n");
  CHECK(fake().live_communicators() == 0);
  cuda::synchronize();
}

}  // namespace strata
