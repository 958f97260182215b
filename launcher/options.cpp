// Reads the command line with CLI11, after the command to start has been taken off it.
#include "launcher/options.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>

#include "launcher/devices.h"

namespace strata::launcher {
namespace {

using Words = std::vector<std::string>;

[[noreturn]] void refuse(const std::string& text) {
  throw Exit(kBadArguments, "stratarun: " + text + " (stratarun --help lists the options)");
}

// Options that become more than one field, or a number of something else.
struct Texts {
  std::string nproc_per_node = "1", nnodes = "1", rdzv_conf, redirects, tee, numa_binding;
  int64_t shutdown_timeout = 30;
  bool no_python = false;
};

std::string environment_name(std::string name) {
  name = name.substr(name.find("--") + 2);
  for (char& letter : name) letter = letter == '-' ? '_' : static_cast<char>(std::toupper(letter));
  return "PET_" + name;
}

const std::map<std::string, Binding> kBindings = {{"node", Binding::kNode},
                                                  {"socket", Binding::kSocket},
                                                  {"exclusive", Binding::kExclusive},
                                                  {"core-complex", Binding::kCoreComplex}};

void add_options(CLI::App& app, Options& options, Texts& texts) {
  std::string group;
  const auto add = [&](const char* name, auto& value, const char* kind, const char* text) {
    return app.add_option(name, value, text)->option_text(kind)->group(group)->envname(environment_name(name));
  };
  const auto add_flag = [&](const char* name, bool& value, const char* text) {
    app.add_flag(name, value, text)->option_text(" ")->group(group)->envname(environment_name(name));
  };
  app.set_help_flag("-h,--help", "Print this text and exit")->group("Help");
  group = "Workers and nodes";
  add("--nproc-per-node", texts.nproc_per_node, "N",
      "Workers on this node: a number, cpu (one for each core), gpu (one for each GPU) or auto (gpu, else cpu) [1]");
  add("--nnodes", texts.nnodes, "N|MIN:MAX", "Nodes of the job; with MIN:MAX they may come and go [1]");
  add("--node-rank", options.node_rank, "N", "Which of the nodes this is [0]")->check(CLI::NonNegativeNumber);
  add_flag("--elastic", options.elastic,
           "Replace a worker that fails and keep the others, where they run elastic::run; MIN:MAX implies it");
  add_flag("--standalone", options.standalone,
           "A job of this node alone, with a free port; --rdzv-* are not looked at");
  add("--rdzv-endpoint", options.rdzv_endpoint, "HOST:PORT", "Where the nodes meet: node 0's address");
  add("--rdzv-id", options.rdzv_id, "ID", "The job's name, the same on all nodes [drawn at random]");
  add("--rdzv-conf", texts.rdzv_conf, "NAME=N,...",
      "join_timeout, seconds for all nodes (of MIN:MAX the least) to come [600]; last_call_timeout, seconds for more "
      "than MIN [30]; keep_alive_interval, seconds between two signs of life [1]; keep_alive_max_attempt, how many may "
      "be missed [10]");
  add("--rdzv-backend", options.rdzv_backend, "NAME", "static or c10d, which are the same here")
      ->check(CLI::IsMember({"static", "c10d"}));
  add("--role", options.role, "NAME", "ROLE_NAME of the workers [default]");
  add("--master-addr", options.master_addr, "HOST",
      "MASTER_ADDR of the workers [that of --rdzv-endpoint, else 127.0.0.1]");
  add("--master-port", options.master_port, "PORT", "MASTER_PORT of the workers [a free port, a new one each attempt]")
      ->check(CLI::Range(1, 65535));
  add("--numa-binding", texts.numa_binding, "NAME",
      "Cores a worker may use, of its GPU's NUMA node: node (all), socket, exclusive (an equal share of its own) or "
      "core-complex (one cache's); without GPUs workers are spread over the nodes [all cores]")
      ->check(CLI::IsMember(&kBindings));
  group = "Failures";
  add("--max-restarts", options.max_restarts, "N", "How often all workers are started again when one fails [0]")
      ->check(CLI::NonNegativeNumber);
  add("--monitor-interval", options.monitor_interval, "SECONDS",
      "Taken for torchrun's sake: workers are not polled, an exit is seen at once")
      ->check(CLI::PositiveNumber);
  add("--shutdown-timeout", texts.shutdown_timeout, "SECONDS",
      "From the first signal that stops workers to SIGKILL [30, or TORCH_ELASTIC_SHUTDOWN_TIMEOUT]")
      ->check(CLI::NonNegativeNumber);
  group = "Output";
  add("--log-dir", options.log_dir, "FOLDER",
      "Files of what workers print: FOLDER/ID/attempt_<n>/<rank>/stdout.log and stderr.log");
  add("-r,--redirects", texts.redirects, "SETS",
      "Streams that go to files only: 0 none, 1 stdout, 2 stderr, 3 both; or by local rank, as in 0:1,1:3");
  add("-t,--tee", texts.tee, "SETS", "Streams that go to files and to the terminal; with --log-dir alone: 3");
  group = "Others";
  add_flag("--no-python", texts.no_python, "Taken for torchrun's sake: stratarun starts any program as it is");
}

// CLI11 knows nothing of the command behind the options, and breaks no lines.
class Help : public CLI::Formatter {
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: stratarun [options] program [arguments of the program]\n"
           "       stratarun --nproc-per-node 2 ./train --epochs 3\n";
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    constexpr size_t kWidth = 100 - kColumn;
    std::string text = option->get_description();
    for (size_t line = 0; text.size() - line > kWidth;) {
      const size_t space = text.rfind(' ', line + kWidth);
      if (space == text.npos || space <= line) break;
      text[space] = '\n';
      line = space + 1;
    }
    return text;
  }

  std::string make_group(std::string group, bool positional, std::vector<const CLI::Option*> options) const override {
    std::string text = Formatter::make_group(group, positional, options);
    if (text.ends_with('\n')) text.pop_back();
    return text;
  }

 public:
  static constexpr size_t kColumn = 34;
};

std::string dashes(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

// Splits `argv` into options, each as "--name=value", and the command. Only what stands before the command is looked
// at.
std::pair<Words, Words> split(const CLI::App& app, int argc, const char* const* argv) {
  const char* const* const end = argv + argc;
  Words ours;
  for (argv += std::min(argc, 1); argv != end; ++argv) {
    const std::string word = *argv;
    if (word == "--") return {ours, Words(argv + 1, end)};
    if (word.size() < 2 || word[0] != '-') break;
    const size_t name_end = word[1] == '-' ? std::min(word.find('='), word.size()) : 2;
    const auto* option = app.get_option_no_throw(dashes(word.substr(0, name_end)));
    if (!option) refuse("there is no option " + word.substr(0, name_end));
    std::string text = "--" + option->get_lnames().front();
    if (option->get_expected_min() > 0) {
      const bool attached = name_end < word.size();
      if (!attached && argv + 1 == end) refuse(word + " wants a value");
      text += "=" + (attached ? word.substr(name_end + (word[name_end] == '=')) : std::string(*++argv));
    }
    ours.push_back(text);
  }
  return {ours, Words(argv, end)};
}

int number(const std::string& option, const std::string& text) {
  size_t used = 0;
  try {
    const int value = std::stoi(text, &used);
    if (used == text.size()) return value;
  } catch (const std::logic_error&) {  // no number, or one that no int holds
  }
  refuse(fmt::format("{}: \"{}\" is not a number", option, text));
}

int parse_nproc(const std::string& text) {
  if (text == "cpu") return count_cpus();
  const bool known = text == "gpu" || text == "auto";
  const int gpus = known ? static_cast<int>(visible_gpus().size()) : 0;
  if (text == "gpu" && gpus == 0) refuse("--nproc-per-node gpu: no GPU is visible here");
  const int value = !known ? number("--nproc-per-node", text) : gpus > 0 ? gpus : count_cpus();
  if (value < 1) refuse(fmt::format("--nproc-per-node: at least 1 is wanted, {} was given", value));
  return value;
}

void parse_nnodes(const std::string& text, Options& options) {
  const size_t colon = text.find(':');
  options.min_nodes = number("--nnodes", text.substr(0, colon));
  options.max_nodes = colon == text.npos ? options.min_nodes : number("--nnodes", text.substr(colon + 1));
  if (options.min_nodes < 1 || options.max_nodes < options.min_nodes)
    refuse(fmt::format("--nnodes: N or MIN:MAX with 1 <= MIN <= MAX is wanted, \"{}\" was given", text));
}

void parse_conf(const std::string& text, Options& options) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string entry = text.substr(begin, end - begin);
    const size_t sign = std::min(entry.find('='), entry.size());
    const std::string name = entry.substr(0, sign);
    const int value = sign == entry.size() ? 0 : number("--rdzv-conf", entry.substr(sign + 1));
    if (value < 1) refuse(fmt::format("--rdzv-conf: \"{}\" is not NAME=N with N >= 1", entry));
    if (name == "join_timeout")
      options.join_timeout = std::chrono::seconds(value);
    else if (name == "last_call_timeout")
      options.last_call_timeout = std::chrono::seconds(value);
    else if (name == "keep_alive_interval")
      options.keep_alive_interval = std::chrono::seconds(value);
    else if (name == "keep_alive_max_attempt")
      options.keep_alive_max_attempt = value;
    else
      refuse(
          fmt::format("--rdzv-conf knows join_timeout, last_call_timeout, keep_alive_interval and "
                      "keep_alive_max_attempt, not {}",
                      name));
    begin = end + 1;
  }
}

void finish(Options& options, const Texts& texts) {
  if (options.command.empty()) refuse("no program was named");
  options.nproc_per_node = parse_nproc(texts.nproc_per_node);
  if (!texts.numa_binding.empty()) options.numa_binding = kBindings.at(texts.numa_binding);
  parse_nnodes(texts.nnodes, options);
  if (options.standalone && options.max_nodes > 1) refuse("--standalone is a job of one node, --nnodes of several");
  if (options.node_rank >= options.max_nodes)
    refuse(fmt::format("--node-rank {} is not below --nnodes {}", options.node_rank, options.max_nodes));
  if (options.rdzv_id.find('/') != options.rdzv_id.npos || options.rdzv_id.starts_with('.'))
    refuse("--rdzv-id names a folder of --log-dir, so it may have no / and no leading dot");
  parse_conf(texts.rdzv_conf, options);
  options.redirects = Streams(texts.redirects);
  options.tee = Streams(texts.tee);
  options.shutdown_timeout = std::chrono::seconds(texts.shutdown_timeout);
}

}  // namespace

Streams::Streams(const std::string& text) {
  const auto set_of = [&](const std::string& digit) {
    if (digit.size() != 1 || digit[0] < '0' || digit[0] > '3')
      refuse(fmt::format("--redirects and --tee want 0 to 3 or a list such as 0:1,1:3, \"{}\" was given", text));
    return digit[0] - '0';
  };
  given_ = !text.empty();
  if (!given_) return;
  if (text.find(':') == text.npos) {
    all_ = set_of(text);
    return;
  }
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string entry = text.substr(begin, end - begin);
    const size_t colon = std::min(entry.find(':'), entry.size());
    if (colon == entry.size()) refuse(fmt::format("\"{}\" in \"{}\" is not RANK:SET", entry, text));
    by_local_rank_[number("--redirects or --tee", entry.substr(0, colon))] = set_of(entry.substr(colon + 1));
    begin = end + 1;
  }
}

int Streams::of(int local_rank) const {
  const auto found = by_local_rank_.find(local_rank);
  return found == by_local_rank_.end() ? all_ : found->second;
}

Options parse_options(int argc, const char* const* argv) {
  Options options;
  Texts texts;
  if (const char* seconds = std::getenv("TORCH_ELASTIC_SHUTDOWN_TIMEOUT"))
    texts.shutdown_timeout = number("TORCH_ELASTIC_SHUTDOWN_TIMEOUT", seconds);
  CLI::App app(
      "Starts a program once for each rank of a distributed job, watches over all of them, and ends the\n"
      "whole job when one fails. The options are torchrun's; each may be given by an environment variable,\n"
      "--log-dir for example by PET_LOG_DIR.\n");
  app.formatter(std::make_shared<Help>());
  app.get_formatter()->column_width(Help::kColumn);
  add_options(app, options, texts);
  auto [words, command] = split(app, argc, argv);
  options.command = command;
  std::reverse(words.begin(), words.end());  // CLI11 takes them off the back
  try {
    app.parse(words);
  } catch (const CLI::CallForHelp&) {
    throw Exit(0, app.help());
  } catch (const CLI::ParseError& error) {
    refuse(error.what());
  }
  finish(options, texts);
  return options;
}

std::string find_program(const std::string& program) {
  Words candidates;
  if (program.find('/') != program.npos) {
    candidates.push_back(program);
  } else {
    const char* path = std::getenv("PATH");
    const std::string folders = path ? path : "/usr/local/bin:/usr/bin:/bin";
    for (size_t begin = 0; begin <= folders.size();) {
      const size_t end = std::min(folders.find(':', begin), folders.size());
      candidates.push_back((end == begin ? "." : folders.substr(begin, end - begin)) + "/" + program);
      begin = end + 1;
    }
  }
  bool found = false;
  for (const auto& candidate : candidates) {
    struct stat file;
    if (stat(candidate.c_str(), &file) != 0) continue;
    if (S_ISREG(file.st_mode) && access(candidate.c_str(), X_OK) == 0) return candidate;
    found = true;
  }
  if (!found) throw Exit(kProgramMissing, fmt::format("stratarun: there is no program {}", program));
  throw Exit(kNotExecutable, fmt::format("stratarun: {} is not executable (a script is started by its interpreter: "
                                         "stratarun ... python {})",
                                         program, program));
}

}  // namespace strata::launcher
