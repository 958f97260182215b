// What the tests of nn share: files of PyTorch's numbers, and comparing with them.
#pragma once
#include <strata/strata.h>

#include <string>

#include "test/catch.h"
#include "test/source_dir.h"

namespace strata::test {

/// A file in test/nn, read when its first case is asked for.
class Reference {
 public:
  explicit Reference(const char* file) : file_(file) {}
  /// The part of the file that belongs to one case.
  serialize::InputArchive operator()(const std::string& name) const {
    if (!archive_) archive_.emplace().load_from(source_dir() + "/test/nn/" + file_);
    return archive_->nested(name);
  }

 private:
  const char* file_;
  mutable std::optional<serialize::InputArchive> archive_;
};

inline void check_close(const std::string& what, const Tensor& actual, const Tensor& expected, double rtol = 1e-9,
                        double atol = 1e-10) {
  INFO(what);
  REQUIRE(expected.defined());
  REQUIRE(actual.defined());
  REQUIRE(actual.sizes().vec() == expected.sizes().vec());
  CHECK(actual.detach().to(kDouble).allclose(expected.to(kDouble), rtol, atol));
}

}  // namespace strata::test
