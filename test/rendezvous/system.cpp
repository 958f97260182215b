// A name service that takes its time, and a clock that is set: both are this program's own functions in the system's
// place, which the store's client and server call too.
#include <dlfcn.h>
#include <netdb.h>
#include <time.h>

#include <atomic>
#include <cstring>
#include <future>

#include "test/rendezvous/store_test.h"

using namespace std::chrono_literals;
using namespace store_test;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr const char* kSlowName = "slow.strata.test";
std::atomic<bool> name_service_goes_on{false};
std::atomic<time_t> jump{0};  ///< seconds that the clock of the day was set forward by

template <class Function>
Function* of_system(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" int getaddrinfo(const char* node, const char* service, const addrinfo* hints, addrinfo** list) {
  static auto* const system = of_system<decltype(getaddrinfo)>("getaddrinfo");
  const bool is_number = hints && (hints->ai_flags & AI_NUMERICHOST) != 0;
  if (!node || std::strcmp(node, kSlowName) != 0 || is_number) return system(node, service, hints, list);
  while (!name_service_goes_on) std::this_thread::sleep_for(1ms);
  return system("127.0.0.1", service, hints, list);
}

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  static auto* const system = of_system<decltype(clock_gettime)>("clock_gettime");
  const int result = system(clock, time);
  if (clock == CLOCK_REALTIME) time->tv_sec += jump;
  return result;
}

TEST_CASE("a name that the service takes long to find costs no more than the deadline") {
  TcpServer server(with_token());
  ClientOptions options = client_of(server);
  options.host = kSlowName, options.connect_timeout = 100ms;
  const auto begin = Clock::now();
  const std::string text = message_of<strata::rendezvous::StoreTimeout>([&] { TcpClient client(options); });
  CHECK(Clock::now() - begin < 1s);
  CHECK_THAT(text, ContainsSubstring("the name service has not found the host in time"));
  name_service_goes_on = true;
  options.connect_timeout = kSoon;
  CHECK(TcpClient(options).add("n", 2) == 2);
}

TEST_CASE("deadlines do not follow a clock that is set") {
  TcpServer server(with_token());
  TcpClient client(client_of(server));
  for (const time_t seconds : {7200, -7200}) {
    const auto before = std::chrono::system_clock::now();
    const auto begin = Clock::now();
    auto waits = std::async(std::launch::async, [&] {
      return message_of<strata::rendezvous::StoreTimeout>([&] { client.get("never", 300ms); });
    });
    std::this_thread::sleep_for(50ms);
    jump = seconds;
    const auto jumped = std::chrono::system_clock::now() - before;  // or this test shows nothing
    CHECK((seconds > 0 ? jumped > 1h : jumped < -1h));
    CHECK_THAT(waits.get(), ContainsSubstring("\"never\" not set within 300 ms"));
    jump = 0;
    const auto took = Clock::now() - begin;
    CHECK(took >= 300ms);
    CHECK(took < 1s);
    client.set("other", "x");
    CHECK(client.get("other", kSoon) == "x");
  }
}
