// Loading a file that may be damaged.
#pragma once
#include <strata/strata.h>

#include <string>

namespace strata::test {

/// The message of loading these bytes; empty where they are taken.
inline std::string loading_error(const std::string& bytes) {
  serialize::InputArchive archive;
  try {
    archive.load_from(bytes.data(), bytes.size());
    for (const std::string& key : archive.tensor_names()) archive.find(key);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace strata::test
