// Messages: holes filled in order, shapes printed as tuples, the right exception type.
#include "core/error.h"

#include "core/device.h"
#include "test/catch.h"

namespace strata {

TEST_CASE("messages fill their holes in order") {
  CHECK(detail::format_message("a {} b {}", {1, "x"}) == "a 1 b x");
  CHECK(detail::format_message("no holes", {}) == "no holes");
  CHECK(detail::format_message("{} {}", {1}) == "1 {}");
  CHECK(detail::format_message("{}", {1, 2}) == "1");
  CHECK(detail::format_message("{}", {IntArrayRef({2, 3})}) == "(2, 3)");
  CHECK(detail::format_message("{}", {IntArrayRef({4})}) == "(4,)");
  CHECK(detail::format_message("{}", {IntArrayRef()}) == "()");
  CHECK(detail::format_message("{} {} {}", {-1, true, 2.5}) == "-1 true 2.5");
  CHECK(detail::format_message("{}", {UINT64_MAX}) == "18446744073709551615");
  CHECK(detail::format_message("a } b { c", {1}) == "a } b { c");
}

TEST_CASE("checks throw the exception that libtorch programs expect") {
  const int n = 3;
  CHECK_NOTHROW([&] { STRATA_CHECK(n == 3, "never"); }());
  CHECK_THROWS_WITH([&] { STRATA_CHECK(n == 4, "op: n is {}", n); }(), "op: n is 3");
  CHECK_THROWS_AS([&] { STRATA_CHECK_INDEX(n < 3, "index {}", n); }(), IndexError);
  CHECK_THROWS_AS([&] { STRATA_CHECK_INDEX(n < 3, "index {}", n); }(), std::runtime_error);
  try {
    STRATA_THROW("plain {}", "text");
  } catch (const Error& e) {
    CHECK(std::string(e.what_without_backtrace()) == "plain text");
    CHECK(e.msg() == "plain text");
  }
}

TEST_CASE("device names are parsed and printed") {
  CHECK(Device("cpu") == Device(kCPU));
  CHECK(Device("cuda").type() == kCUDA);
  CHECK_FALSE(Device("cuda").has_index());
  CHECK(Device("cuda:1").index() == 1);
  CHECK(Device("cuda:1").str() == "cuda:1");
  CHECK(Device("cuda").str() == "cuda");
  CHECK(Device("cpu:0").is_cpu());
  CHECK(Device("cpu:0") == Device("cpu"));
  CHECK_FALSE(Device("cuda:0") == Device("cuda:1"));
  CHECK_FALSE(Device("cuda:0") == Device("cpu"));
}

TEST_CASE("wrong device names are errors") {
  for (const char* text :
       {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda:200", "CPU", "cpu:", ":1", "cuda:99999999999"}) {
    INFO("'" << text << "'");
    CHECK_THROWS_AS(Device(text), Error);
  }
  CHECK_THROWS_WITH(Device("gpu"),
                    "device 'gpu': expected cpu, cuda or privateuseone, with or without a number (cuda:1)");
}

}  // namespace strata
