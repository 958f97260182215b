// The keys that launchers meet by. Those of an attempt begin with its generation, which node 0's server ends.
#include "launcher/participant.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "launcher/environment.h"
#include "rendezvous/address.h"
#include "rendezvous/handshake.h"

namespace strata::launcher {
namespace {

using nlohmann::json;
using namespace rendezvous;

constexpr milliseconds kSlice{500};   // of a wait, after which it asks whether it should go on
constexpr milliseconds kQuery{2000};  // for the store's answer
constexpr milliseconds kProbe{200};   // for an answer that is there as a rule, or never
constexpr int kProbes = 3;
constexpr milliseconds kLeave{3000};       // the host's patience with those who have yet to read the end
constexpr milliseconds kPlanSlack{30000};  // for the host's answer, after its own wait for the nodes

// Throws Exit where what a node was started with does not fit to node 0's.
void compare(const json& node, const Options& options) {
  const auto differ = [&](const char* option, const char* name, int own) {
    if (node.at(name) == own) return;
    throw Exit(kBadArguments,
               fmt::format("stratarun: node {} ({}) was started with {} {}, node 0 with {}", node.at("node").get<int>(),
                           node.at("host").get<std::string>(), option, node.at(name).get<int>(), own));
  };
  differ("--nnodes", "nnodes", options.max_nodes);
  differ("--nnodes with a MIN of", "min_nodes", options.min_nodes);
  differ("--max-restarts", "max_restarts", options.max_restarts);
}

/// The generation runs without this node, which has asked for the next one.
struct NotTakenIn {};

/// The store is elsewhere by now.
struct Moved {
  std::string place;
};

/// Where a host tells those who look for the job at its endpoint that it is elsewhere.
constexpr const char* kMoved = "moved_to";

/// Is it said by whoever listens there?
bool is_refusal(const StoreError& error) {
  return dynamic_cast<const TokenRefused*>(&error) || dynamic_cast<const StoreReplaced*>(&error);
}

/// Whether a failed connection shows that the store which was there has ended.
bool shows_end(const StoreError& error) { return is_refusal(error) || dynamic_cast<const StoreGone*>(&error); }

Verdict decode(const std::string& text) {
  const json end = json::parse(text);
  return {.succeeded = end.at("succeeded"),
          .is_final = end.at("is_final"),
          .grows = end.at("grows"),
          .leaves = end.at("leaves"),
          .is_silent = end.at("is_silent"),
          .node = end.at("node"),
          .reason = end.at("reason")};
}

std::vector<int> missing_nodes(const std::map<int, std::string>& came, int nodes) {
  std::vector<int> missing;
  for (int node = 0; node < nodes; ++node)
    if (!came.contains(node)) missing.push_back(node);
  return missing;
}

std::string describe(const json& node) {
  return fmt::format("{}, pid {}", node.at("host").get<std::string>(), node.at("pid").get<int>());
}

}  // namespace

std::string host_name() {
  std::array<char, 256> name = {};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

void end_attempt(Store& store, const Verdict& verdict, int64_t generation) {
  const json text = {{"succeeded", verdict.succeeded}, {"is_final", verdict.is_final},   {"grows", verdict.grows},
                     {"leaves", verdict.leaves},       {"is_silent", verdict.is_silent}, {"node", verdict.node},
                     {"reason", verdict.reason}};
  store.compare_set(generation_key(generation, "end"), "", text.dump(-1, ' ', false, json::error_handler_t::replace));
}

Verdict read_end(Store& store, int64_t generation) {
  const std::string end = generation_key(generation, "end");
  return store.check({end}) ? decode(store.get(end, kQuery)) : Verdict();
}

void count_success(Store& store, int node, int nodes, int64_t generation) {
  if (store.add(generation_key(generation, "succeeded"), 1) == nodes)
    end_attempt(store, {.succeeded = true, .is_final = true, .node = node, .reason = ""}, generation);
}

RendezvousInfo Participant::meet(int64_t last, const Opening& opening) {
  for (;;) {
    connect();
    try {
      if (is_host()) open(last + 1);
      generation_ = generation_after(last);
      come();
      if (is_host()) client_->set(key("plan"), assemble(opening));
      return plan();
    } catch (const Moved& moved) {
      give_up();
      client_.reset();
      generation_ = -1;
      succession_.move_to(moved.place);
    } catch (const NotTakenIn&) {
      last = generation_;
    } catch (const GenerationOver&) {  // this node was slow, and the others have gone on
      last = std::max(last, generation_);
    } catch (const StoreError& error) {
      client_.reset();
      if (!may_lose_host())
        throw Exit(kJobFailed, fmt::format("stratarun: node 0 has gone while the nodes met: {}", error.what()));
      last = std::max(last, generation_);
      pause(kSlice / 5);  // then connecting shows what it was
    } catch (const Quit&) {
      give_up();
      throw;
    }
  }
}

void Participant::connect() {
  if (client_) return;
  try {
    client_ = connection(options_.join_timeout);
  } catch (const StoreReplaced& error) {
    throw Exit(kJobFailed, fmt::format("stratarun: node 0 has been started anew: {}", error.what()));
  } catch (const TokenRefused&) {
    throw Exit(kBadArguments,
               fmt::format("stratarun: the store at {} is another job's: its --rdzv-id or STRATA_STORE_TOKEN is not "
                           "this one's (--rdzv-id {})",
                           options_.rdzv_endpoint, options_.rdzv_id));
  } catch (const StoreError& error) {  // nobody listens, or the host has no name
    throw Exit(kJobFailed, fmt::format("stratarun: node 0 did not come within {} s: {}", options_.join_timeout.count(),
                                       error.what()));
  }
  if (options_.any_number_of_nodes()) place_ = standby_(client_->own_host());
}

/// Was this node in a generation before, whose other nodes can do without the host?
bool Participant::may_lose_host() const { return options_.any_number_of_nodes() && !succession_.nodes().empty(); }

std::unique_ptr<TcpClient> Participant::another_connection() { return connection(milliseconds(1000 * silence())); }

/// Begins anew each second: where packets are lost, the system takes longer from one attempt of its own to the next.
std::unique_ptr<TcpClient> Participant::connection(milliseconds patience) {
  ClientOptions to = succession_.address();
  if (may_lose_host()) patience = std::min(patience, milliseconds(1000 * silence()));
  to.connect_timeout = std::min(milliseconds(1000), patience);
  to.waits_for_start = !may_lose_host();
  for (const Deadline deadline(patience);; pause(kSlice)) {
    check_quit();
    try {
      return std::make_unique<TcpClient>(to);
    } catch (const StoreError& error) {
      if (may_lose_host() && shows_end(error)) throw HostLost{true, error.what()};
      if (may_lose_host() && deadline.passed()) throw HostLost{false, error.what()};
      if (is_refusal(error) || deadline.passed()) throw;
    }
  }
}

/// Whether the one that has served has ended, as far as its machine says so. A process that is killed closes one socket
/// after the other, so for a moment somebody may seem to listen who never answers.
bool Participant::host_has_ended() {
  ClientOptions to = succession_.address();
  to.connect_timeout = kProbe;
  to.waits_for_start = false;
  for (int attempt = 0; attempt < kProbes; ++attempt, pause(kProbe / 2)) {
    try {
      const TcpClient probe(to);
      return false;
    } catch (const StoreError& error) {
      if (shows_end(error)) return true;
    }
  }
  return false;
}

/// Throws Moved where a host has said that the job which this node looks for is elsewhere.
void Participant::look_for_move(int64_t last) {
  if (!options_.any_number_of_nodes() || last >= 0 || !client_->check({kMoved})) return;
  const std::string place = client_->get(kMoved, kQuery);
  if (place != host_and_port(succession_.address().host, succession_.address().port)) throw Moved{place};
}

/// A host that is not at the endpoint tells whoever has been started there since.
void Participant::tell_where() {
  ClientOptions to = succession_.endpoint();
  to.connect_timeout = to.query_timeout = kProbe;
  to.waits_for_start = false;
  try {
    TcpClient(to).set(kMoved, place_);
  } catch (const StoreError&) {  // as a rule nobody is there
  }
}

void Participant::open(int64_t generation) {
  if (options_.any_number_of_nodes()) client_->delete_key(kMoved);
  client_->multi_set({"generation", generation_key(generation, "open")}, {std::to_string(generation), ""});
}

int64_t Participant::generation_after(int64_t last) {
  for (const Deadline deadline(options_.join_timeout + kPlanSlack); !deadline.passed();) {
    check_quit();
    try {
      look_for_move(last);
      const int64_t now = std::stoll(client_->get("generation", kSlice));
      if (now > last) return now;
      client_->wait({generation_key(last + 1, "open")}, kSlice);
    } catch (const StoreTimeout&) {
    } catch (const GenerationOver&) {
    }
  }
  throw Exit(kJobFailed, fmt::format("stratarun: node 0 has not begun attempt {}", last + 1));
}

void Participant::come() {
  const std::string own = json{
      {"node", options_.node_rank},
      {"host", host_name()},
      {"pid", getpid()},
      {"nonce", random_hex(8)},
      {"place", place_},
      {"nproc", options_.nproc_per_node},
      {"nnodes", options_.max_nodes},
      {"min_nodes", options_.min_nodes},
      {"max_restarts",
       options_.max_restarts}}.dump();
  // Where nodes may come again, the one in this place may be dead, and the others are about to notice it.
  const Deadline deadline(options_.any_number_of_nodes() ? milliseconds(2000 * silence()) : milliseconds(0));
  for (;; pause(kSlice)) {
    const std::string held = client_->compare_set(node_key("node", options_.node_rank), "", own);
    if (held == own) break;
    check_quit();
    if (deadline.passed())
      throw Exit(kBadArguments,
                 fmt::format("stratarun: --node-rank {} is taken, by {}; each node wants a rank of its own",
                             options_.node_rank, describe(json::parse(held))));
  }
  client_->set(node_key("beat", options_.node_rank), "0");
}

/// Reads who has come since; returns whether all have. Throws Exit for a node that does not fit.
bool Participant::look_for_nodes() {
  for (int node = 0; node < options_.max_nodes; ++node) {
    if (came_.contains(node) || !client_->check({node_key("node", node)})) continue;
    came_[node] = client_->get(node_key("node", node), kQuery);
    try {
      compare(json::parse(came_[node]), options_);
    } catch (const Exit&) {
      if (!options_.any_number_of_nodes() || generation_ == 0) throw;
      came_.erase(node);  // a job that runs does not end for it; it finds out by itself
    }
  }
  return static_cast<int>(came_.size()) == options_.max_nodes;
}

/// Until all have come, or of MIN:MAX those that are expected, or enough have and no more do for a while.
void Participant::wait_for_nodes(const Opening& opening) {
  const Deadline deadline(options_.join_timeout);
  std::optional<Deadline> last_call;
  for (came_.clear(); !look_for_nodes();) {
    look_for_move(generation_ - 1);
    const int least = std::max(options_.min_nodes, opening.quorum);
    const bool enough = static_cast<int>(came_.size()) >= least;
    std::vector<int> missing = opening.expected;
    std::erase_if(missing, [&](int node) { return came_.contains(node); });
    if (options_.any_number_of_nodes() && enough && missing.empty() && !opening.expected.empty()) return;
    if (enough && !last_call) last_call.emplace(options_.last_call_timeout);
    if (last_call && last_call->passed()) return;
    if (missing.empty() || !options_.any_number_of_nodes()) missing = missing_nodes(came_, options_.max_nodes);
    check_quit();
    if (deadline.passed() && !enough)
      throw Exit(kJobFailed,
                 fmt::format("stratarun: of {} nodes {} came within {} s; missing: node {}", options_.max_nodes,
                             came_.size(), options_.join_timeout.count(), fmt::join(missing, ", ")));
    const Deadline& next = last_call ? *last_call : deadline;
    try {
      client_->wait({node_key("node", missing[0])}, std::min(kSlice, milliseconds(next.left())));
    } catch (const StoreTimeout&) {
    }
  }
}

/// The host's answer to all: what the attempt is made of, or why there is none.
std::string Participant::assemble(const Opening& opening) {
  try {
    wait_for_nodes(opening);
  } catch (const Exit& exit) {
    return json{{"code", exit.code}, {"error", exit.what()}, {"came", came_.size()}}.dump();
  }
  json first = json::array(), nodes = json::array(), places = json::array();
  int world_size = 0;
  for (const auto& [rank, text] : came_) {
    first.push_back(world_size);
    nodes.push_back(rank);
    const json node = json::parse(text);
    places.push_back(node.at("place"));
    world_size += node.at("nproc").get<int>();
  }
  const std::string& host = succession_.address().host;
  return json{{"host", options_.node_rank},
              {"nodes", nodes},
              {"places", places},
              {"first", first},
              {"world_size", world_size},
              {"restarts", opening.restarts},
              {"nnodes", options_.max_nodes},
              {"min_nodes", options_.min_nodes},
              {"max_restarts", options_.max_restarts},
              {"master_addr", options_.master_addr.empty() ? host : options_.master_addr},
              {"master_port", options_.master_port > 0 ? options_.master_port : free_port(is_loopback(host))},
              {"store", opening.store},
              {"token", opening.token.empty() ? make_token() : opening.token}}
      .dump();
}

RendezvousInfo Participant::plan() {
  json plan;
  for (const Deadline deadline(options_.join_timeout + kPlanSlack); plan.is_null();) {
    check_quit();
    look_for_move(generation_ - 1);
    try {
      plan = json::parse(client_->get(key("plan"), kSlice));
    } catch (const StoreTimeout& error) {
      if (deadline.passed()) throw Exit(kJobFailed, fmt::format("stratarun: node 0 is silent: {}", error.what()));
    }
  }
  if (plan.contains("error")) {
    leave(plan.at("came"));
    throw Exit(plan.at("code"), plan.at("error").get<std::string>());
  }
  const auto nodes = plan.at("nodes").get<std::vector<int>>();
  const auto place = std::find(nodes.begin(), nodes.end(), options_.node_rank) - nodes.begin();
  if (place == static_cast<std::ptrdiff_t>(nodes.size())) ask_to_take_part(plan.dump());
  std::map<int, std::string> places;
  for (size_t i = 0; i < nodes.size(); ++i) places[nodes[i]] = plan.at("places").at(i);
  succession_.begin(plan.at("host"), places);
  others_ = nodes;
  std::erase(others_, succession_.host());
  silent_for_.assign(others_.size(), 0);
  beats_.assign(others_.size(), "");
  RendezvousInfo info;
  info.generation = generation_;
  info.restarts = plan.at("restarts");
  info.group_rank = static_cast<int>(place);
  info.group_world_size = static_cast<int>(nodes.size());
  info.nodes = nodes;
  info.first_rank = plan.at("first").at(static_cast<size_t>(place));
  info.world_size = plan.at("world_size");
  info.master_addr = plan.at("master_addr");
  info.master_port = plan.at("master_port");
  info.environment.push_back("STRATA_STORE_TOKEN=" + plan.at("token").get<std::string>());
  const std::string store = plan.at("store");
  if (!store.empty()) info.environment.push_back("STRATA_STORE=" + store);
  return info;
}

/// This node has come to a generation that runs. Throws Exit where it never can take part, and NotTakenIn otherwise.
void Participant::ask_to_take_part(const std::string& plan) {
  const json others = json::parse(plan);
  const auto check = [&](const char* option, const char* name, int own) {
    if (others.at(name) == own) return;
    give_up();
    throw Exit(kBadArguments, fmt::format("stratarun: this node was started with {} {}, node 0 with {}", option, own,
                                          others.at(name).get<int>()));
  };
  check("--nnodes", "nnodes", options_.max_nodes);
  check("--nnodes with a MIN of", "min_nodes", options_.min_nodes);
  check("--max-restarts", "max_restarts", options_.max_restarts);
  if (client_->add(key("succeeded"), 0) == 0) {
    const auto reason = fmt::format("node {} ({}, pid {}) has come", options_.node_rank, host_name(), getpid());
    end_attempt(*client_, {.grows = true, .node = options_.node_rank, .reason = reason}, generation_);
  }
  for (;;) {
    check_quit();
    if (const auto end = wait_for_end()) {
      if (end->is_final)
        throw Exit(end->succeeded ? 0 : kJobFailed, "stratarun: the job has ended before this node could take part");
      throw NotTakenIn();
    }
  }
}

/// Takes back that this node has come, so that the others go on waiting for it.
void Participant::give_up() {
  try {
    if (client_ && generation_ >= 0) client_->delete_key(node_key("node", options_.node_rank));
  } catch (const StoreError&) {  // then nobody is left to be told
  }
}

Verdict Participant::watch() {
  int unheard = 0;
  for (int beat = 1;; ++beat) {
    check_quit();
    try {
      client_->set(node_key("beat", options_.node_rank), std::to_string(beat));
      if (is_host()) watch_others();
      if (is_host() && !succession_.is_at_endpoint()) tell_where();
      unheard = 0;
      if (const auto end = wait_for_end()) return *end;
    } catch (const GenerationOver&) {
      return {.follows = true,
              .node = succession_.host(),
              .reason = fmt::format("node {} has begun the next attempt", succession_.host())};
    } catch (const StoreReplaced& error) {
      return host_lost(true, fmt::format("node {} has been started anew ({})", succession_.host(), error.what()));
    } catch (const StoreError& error) {
      if (options_.any_number_of_nodes() && host_has_ended())
        return host_lost(true, fmt::format("node {} has ended ({})", succession_.host(), error.what()));
      if (++unheard >= options_.keep_alive_max_attempt)
        return host_lost(false, fmt::format("node {} has not been heard of for {} s ({})", succession_.host(),
                                            silence(), error.what()));
      pause(options_.keep_alive_interval);
    }
  }
}

/// A job of a fixed number of nodes ends with its host.
Verdict Participant::host_lost(bool has_ended, const std::string& reason) {
  return {.is_final = !options_.any_number_of_nodes(),
          .leaves = options_.any_number_of_nodes(),
          .is_silent = !has_ended,
          .node = succession_.host(),
          .reason = reason};
}

std::optional<Verdict> Participant::wait_for_end() {
  try {
    return decode(client_->get(key("end"), options_.keep_alive_interval));
  } catch (const StoreTimeout&) {
    return std::nullopt;
  }
}

/// Turns are counted, not seconds, so that a host that was stopped for a while does not find all others silent.
void Participant::watch_others() {
  std::vector<std::string> keys;
  for (const int node : others_) keys.push_back(node_key("beat", node));
  const auto beats = client_->multi_get(keys, kQuery);
  for (size_t i = 0; i < beats.size(); ++i) {
    silent_for_[i] = beats[i] == beats_[i] ? silent_for_[i] + 1 : 0;
    if (silent_for_[i] < options_.keep_alive_max_attempt) continue;
    const int node = others_[i];
    const json known = json::parse(client_->get(node_key("node", node), kQuery));
    end_attempt(
        *client_,
        {.succeeded = false,
         .is_final = false,
         .leaves = options_.any_number_of_nodes(),
         .is_silent = true,
         .node = node,
         .reason = fmt::format("node {} ({}) has not been heard of for {} s", node, describe(known), silence())},
        generation_);
  }
  beats_ = beats;
}

int64_t Participant::silence() const {
  return options_.keep_alive_interval.count() * options_.keep_alive_max_attempt / 1000;
}

void Participant::leave(int nodes) {
  try {
    const bool is_last = client_->add(key("left"), 1) == nodes;
    if (is_last) client_->set(key("all_left"), "");
    if (is_host()) client_->wait({key("all_left")}, kLeave);
  } catch (const StoreError&) {  // who is silent is not waited for any longer
  }
}

void Participant::quit() {
  const std::lock_guard lock(mutex_);
  quit_ = true;
  quitting_.notify_all();
}

void Participant::pause(milliseconds time) {
  std::unique_lock lock(mutex_);
  quitting_.wait_for(lock, time, [this] { return quit_; });
}

void Participant::check_quit() {
  const std::lock_guard lock(mutex_);
  if (quit_) throw Quit();
}

}  // namespace strata::launcher
