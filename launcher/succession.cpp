// The order in which nodes follow each other as hosts.
#include "launcher/succession.h"

#include <fmt/format.h>

#include <cstdlib>
#include <tuple>

#include "rendezvous/address.h"

namespace strata::launcher {

using rendezvous::ClientOptions;

ClientOptions store_address(const Options& options) {
  const std::string& text = options.rdzv_endpoint;
  const auto refuse = [&] {
    return Exit(kBadArguments, fmt::format("stratarun: --rdzv-endpoint: \"{}\" is not HOST:PORT", text));
  };
  ClientOptions to;
  // Whoever knows neither the secret nor, where there is none, the job's name is no node of it.
  const char* const token = std::getenv("STRATA_STORE_TOKEN");
  to.token = "run " + options.rdzv_id + (token ? std::string(" ") + token : "");
  to.query_timeout = rendezvous::milliseconds(2000);
  const size_t bracket = text.starts_with('[') ? text.find(']') : 0;
  if (bracket == text.npos) throw refuse();
  const size_t colon = text.find(':', bracket);
  to.host = bracket ? text.substr(1, bracket - 1) : text.substr(0, colon);
  const std::string port = colon == text.npos ? "29400" : text.substr(colon + 1);
  const bool is_number = !port.empty() && port.size() <= 5 && port.find_first_not_of("0123456789") == port.npos;
  const int number = is_number ? std::stoi(port) : 0;
  if (to.host.empty() || number < 1 || number > 65535) throw refuse();
  to.port = static_cast<uint16_t>(number);
  return to;
}

Succession::Succession(const Options& options) : endpoint_(store_address(options)), address_(endpoint_) {
  address_.identity = std::make_shared<rendezvous::StoreIdentity>();
}

void Succession::begin(int host, const std::map<int, std::string>& places) {
  host_ = host;
  places_ = places;
  may_live_.clear();
  for (const auto& entry : places) may_live_.insert(entry.first);
  passed_silent_ = false;
}

bool Succession::lose_host(bool has_ended) {
  places_.erase(host_);
  if (has_ended)
    may_live_.erase(host_);
  else
    passed_silent_ = true;
  if (places_.empty() || static_cast<int>(places_.size()) < quorum()) return false;
  serve_at(places_.begin()->first, places_.begin()->second);
  return true;
}

void Succession::move_to(const std::string& place) { serve_at(-1, place); }

void Succession::serve_at(int host, const std::string& place) {
  host_ = host;
  std::tie(address_.host, address_.port) = rendezvous::split_host_and_port(place);
  address_.identity = std::make_shared<rendezvous::StoreIdentity>();
}

std::vector<int> Succession::nodes() const {
  std::vector<int> nodes;
  for (const auto& entry : places_)
    if (may_live_.contains(entry.first)) nodes.push_back(entry.first);
  return nodes;
}

int Succession::quorum() const {
  const auto count = static_cast<int>(may_live_.size());
  return passed_silent_ ? count / 2 + 1 : (count + 1) / 2;
}

}  // namespace strata::launcher
