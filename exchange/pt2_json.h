// What reads the JSON of exported programs shares. Internal to exchange.
#pragma once
#include <nlohmann/json.hpp>

#include "../core/error.h"
#include "pt2_graph.h"

namespace strata::pt2 {

using Json = nlohmann::json;

/// A number that is an integer and fits 64 bits.
int64_t integer_of(const Json& json);
/// A dtype by its number in schema.py.
DType dtype_of(const Json& json);

/// An object without its metadata; `what` is what messages call it.
Json parse_json(const std::string& text, const std::string& what);

/// What `use` makes of a text's JSON; a member that is missing or of another type is one Error with the file's name.
template <class Use>
auto read_json(const std::string& text, const std::string& what, Use&& use) {
  try {
    return use(parse_json(text, what));
  } catch (const nlohmann::json::exception& e) {
    STRATA_THROW("load_pt2: {} is damaged: {}", what, e.what());
  } catch (Error& e) {
    if (e.context().empty()) e.add_context(what);
    throw;
  }
}

}  // namespace strata::pt2
