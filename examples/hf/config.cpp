// Entries of config.json, each checked before it is used.
#include "hf/config.h"

#include <strata/strata.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace hf {

using Json = nlohmann::json;

Config::Config(const std::string& folder) : path_(folder + "/config.json") {
  std::ifstream file(path_);
  STRATA_CHECK(file.good(), "there is no file {}", path_);
  entries_ = std::make_shared<const Json>(Json::parse(file, nullptr, /*allow_exceptions=*/false));
  STRATA_CHECK(entries_->is_object(), "{} is no JSON object", path_);
}

Config::Config(std::string path, const Json& entries)
    : path_(std::move(path)), entries_(std::make_shared<const Json>(entries)) {}

const Json* Config::find(const std::string& name) const {
  const auto at = entries_->find(name);
  return at == entries_->end() || at->is_null() ? nullptr : &*at;
}

void Config::fail(const std::string& name, const char* wanted) const {
  STRATA_THROW("{}: \"{}\" has to be {}", path_, name, wanted);
}

bool Config::has(const std::string& name) const { return find(name) != nullptr; }

int64_t Config::count(const std::string& name) const {
  const Json* value = find(name);
  if (!value || !value->is_number_integer() || value->get<int64_t>() < 1) fail(name, "an integer of 1 or more");
  return value->get<int64_t>();
}

double Config::number(const std::string& name, double otherwise) const {
  const Json* value = find(name);
  if (value && !value->is_number()) fail(name, "a number");
  return value ? value->get<double>() : otherwise;
}

bool Config::flag(const std::string& name, bool otherwise) const {
  const Json* value = find(name);
  if (value && !value->is_boolean()) fail(name, "true or false");
  return value ? value->get<bool>() : otherwise;
}

std::string Config::text(const std::string& name, const std::string& otherwise) const {
  const Json* value = find(name);
  if (value && !value->is_string()) fail(name, "text");
  return value ? value->get<std::string>() : otherwise;
}

std::optional<Config> Config::part(const std::string& name) const {
  const Json* value = find(name);
  if (!value) return std::nullopt;
  if (!value->is_object()) fail(name, "an object");
  return Config(path_, *value);
}

int64_t Config::size_of(const std::string& name, int64_t otherwise) const {
  const std::optional<Config> object = part(name);
  return object ? static_cast<int64_t>(object->entries_->size()) : otherwise;
}

}  // namespace hf
