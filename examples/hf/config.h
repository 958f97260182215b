// What a model of Hugging Face says of itself in its config.json.
#pragma once
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace hf {

/// The entries of a folder's config.json. An entry that is null counts as one that is not there; one of another type is
/// an error that names file and entry.
class Config {
 public:
  /// Reads `folder`/config.json. Throws for what is not there or no JSON object.
  explicit Config(const std::string& folder);

  const std::string& path() const { return path_; }
  std::string model_type() const { return text("model_type", ""); }
  bool has(const std::string& name) const;
  /// Throws where the entry is missing, as those without a default do, or below 1.
  int64_t count(const std::string& name) const;
  int64_t count(const std::string& name, int64_t otherwise) const { return has(name) ? count(name) : otherwise; }
  double number(const std::string& name, double otherwise) const;
  bool flag(const std::string& name, bool otherwise) const;
  std::string text(const std::string& name, const std::string& otherwise) const;
  /// The entries of an entry that is an object.
  std::optional<Config> part(const std::string& name) const;
  /// How many entries an object has, or `otherwise` where there is none.
  int64_t size_of(const std::string& name, int64_t otherwise) const;

 private:
  Config(std::string path, const nlohmann::json& entries);
  /// Null where there is no such entry.
  const nlohmann::json* find(const std::string& name) const;
  [[noreturn]] void fail(const std::string& name, const char* wanted) const;

  std::string path_;
  std::shared_ptr<const nlohmann::json> entries_;
};

}  // namespace hf
