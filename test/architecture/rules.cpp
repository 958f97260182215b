// Checks include lines and file layout against the rules of the house.
#include "test/architecture/rules.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>

namespace architecture {
namespace {

namespace fs = std::filesystem;
using Rooms = std::set<std::string, std::less<>>;

constexpr int kMostLines = 600;

// What each room may include besides itself. A room that is not here may include nothing of ours.
const std::map<std::string, Rooms, std::less<>> kArrows = {
    {"core", {}},
    {"dispatcher", {"core"}},
    {"profiler", {"core", "dispatcher"}},
    {"ops", {"core", "dispatcher"}},
    {"autograd", {"core", "dispatcher", "ops", "profiler"}},
    {"kernels", {"core", "dispatcher", "ops"}},
    {"kernels/cpu", {"core", "dispatcher", "ops", "kernels"}},
    {"kernels/cuda", {"core", "dispatcher", "ops", "kernels", "profiler"}},
    {"nn", {"core", "ops", "profiler"}},
    {"data", {"core", "ops"}},
    {"data/images", {"core", "ops", "data"}},
    {"transforms", {"core", "dispatcher", "ops", "autograd"}},
    {"compile", {"core", "dispatcher", "ops", "autograd", "transforms"}},
    {"exchange", {"core", "dispatcher", "ops", "autograd", "nn", "transforms", "compile"}},
    {"exchange/onnx", {"core", "dispatcher", "ops", "nn", "transforms", "exchange"}},
    {"optim", {"core", "ops", "nn"}},
    {"train", {"core", "dispatcher", "profiler", "ops", "nn", "optim", "data", "transforms", "compile"}},
    {"train/tensorboard", {"core", "train"}},
    {"distributed", {"core", "ops", "autograd", "nn"}},
    {"distributed/gloo", {"core", "distributed", "rendezvous"}},
    {"distributed/nccl", {"core", "distributed", "rendezvous"}},
    {"rendezvous", {}},
    {"launcher", {"rendezvous"}},
    {"strata.h",
     {"core", "dispatcher", "profiler", "ops", "autograd", "nn", "optim", "data", "transforms", "compile",
      "distributed", "exchange"}},
    {"custom_op.h", {"core", "dispatcher", "ops", "transforms"}},
    {"compat", {"strata.h"}},
    {"examples", {"strata.h"}},
    {"benchmarks", {"strata.h", "compat", "examples"}},
};

const Rooms kInstalled = {"core",  "dispatcher", "ops",         "autograd",    "nn",       "optim",
                          "data",  "transforms", "compile",     "distributed", "profiler", "exchange",
                          "train", "strata.h",   "custom_op.h", "compat"};

// Headers that would cost users' programs a dependency or seconds of compile time.
const Rooms kHeavyHeaders = {"functional", "iostream", "regex", "omp.h", "zlib.h", "cblas.h", "dnnl.h", "dnnl.hpp"};
// A program's optimizer overrides step(std::function<Tensor()>), libtorch's signature, only if the closure is that
// type.
const Rooms kHeavyAllowed = {"optim/optimizer.h: functional"};
const Rooms kHeavyFolders = {"fmt", "hwy", "CLI", "catch2", "benchmark"};

struct Include {
  std::string name;
  bool quoted;
};

bool is_header(std::string_view path) { return path.ends_with(".h") || path.ends_with(".cuh"); }

std::string first_folder(std::string_view path) { return std::string(path.substr(0, path.find('/'))); }

std::optional<Include> parse_include(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (!line.starts_with("#include")) return std::nullopt;
  size_t open = line.find_first_of("<\"");
  if (open == line.npos) return std::nullopt;
  size_t close = line.find_first_of(">\"", open + 1);
  return Include{std::string(line.substr(open + 1, close - open - 1)), line[open] == '"'};
}

// Where an include line leads that is meant relative to the file it stands in.
std::string beside_of(const fs::path& path, const Include& include) {
  return (path.parent_path() / include.name).lexically_normal().string();
}

// What stands for a header of libtorch: the build makes those of a list, each of which gives all of torch/torch.h.
std::string libtorch_header(const fs::path& root, const std::string& name) {
  const std::string listed = "\n" + read_text(root / "compat/headers.txt");
  return listed.find("\n" + name + "\n") == listed.npos ? "compat/" + name : "compat/torch/torch.h";
}

// The file of ours that an include line names, relative to the root; nothing for system and third-party headers.
std::optional<std::string> target_of(const fs::path& root, const std::string& path, const Include& include) {
  if (include.name.starts_with("strata/")) return include.name.substr(7);
  for (const char* folder : {"torch/", "ATen/", "c10/"})
    if (include.name.starts_with(folder)) return libtorch_header(root, include.name);
  if (!include.quoted || kHeavyFolders.contains(first_folder(include.name))) return std::nullopt;
  std::string beside = beside_of(path, include);
  if (fs::exists(root / beside)) return beside;
  const bool of_examples = path.starts_with("examples/") || path.starts_with("test/examples/");
  if (of_examples && fs::exists(root / "examples" / include.name)) return "examples/" + include.name;
  return include.name;
}

bool may_include(const std::string& from, const std::string& to) {
  if (from == to) return true;
  // A test may use whatever is installed, and the internals of what it tests.
  if (from == "test" || from.starts_with("test/")) {
    std::string tested = from.substr(std::min<size_t>(5, from.size()));
    if (tested.starts_with("cuda"))
      return to.starts_with("kernels") || to.starts_with("test") || kInstalled.contains(to);
    if (tested.empty() && to == "kernels/cuda") return true;  // the tests' device of host memory
    if (tested == "kernels" && to.starts_with("kernels")) return true;
    if (tested == "fuzz" && to == "rendezvous") return true;  // it reads foreign bytes, too
    return to == "test" || to == tested || to.starts_with(tested + "/") || kInstalled.contains(to);
  }
  auto arrows = kArrows.find(from);
  return arrows != kArrows.end() && arrows->second.contains(to);
}

std::string check_include(const fs::path& root, const std::string& path, const Include& include) {
  if (is_installed(path) && !path.starts_with("compat/") && !include.quoted &&
      ((kHeavyHeaders.contains(include.name) && !kHeavyAllowed.contains(path + ": " + include.name)) ||
       (include.name.find('/') != std::string::npos && kHeavyFolders.contains(first_folder(include.name))))) {
    return "an installed header includes <" + include.name + ">";
  }
  auto target = target_of(root, path, include);
  if (!target) return "";
  if (!fs::exists(root / *target)) return "includes " + include.name + ", which is not there";
  if (is_installed(path) && include.quoted && !fs::exists(root / beside_of(path, include))) {
    return "an installed header includes \"" + include.name + "\", not by its path relative to itself";
  }
  // Programs that users could have written name their own headers; the library's sources name them from the root.
  const bool is_program = first_folder(path) == "examples" || first_folder(path) == "benchmarks" ||
                          path.starts_with("test/compat/") || path.starts_with("test/examples/");
  if (path.ends_with(".cpp") && include.quoted && !fs::exists(root / include.name) && !is_program) {
    return "includes \"" + include.name + "\", not by its path from the root";
  }
  std::string from = room_of(path), to = room_of(*target);
  if (include.name.starts_with("strata/") && is_installed(*target)) to = "strata.h";  // a part of it, as users see it
  if (!may_include(from, to)) return from + " may not include " + to + " (" + include.name + ")";
  return "";
}

}  // namespace

std::string room_of(std::string_view path) {
  std::string folder = first_folder(path);
  // Libraries of their own.
  for (const char* library :
       {"data/images", "distributed/gloo", "distributed/nccl", "exchange/onnx", "train/tensorboard"})
    if (path.starts_with(std::string(library) + "/")) return library;
  if (folder != "kernels" && folder != "test") return folder;
  size_t end = path.find('/', folder.size() + 1);
  return end == path.npos ? folder : std::string(path.substr(0, end));
}

bool is_installed(std::string_view path) { return is_header(path) && kInstalled.contains(room_of(path)); }

std::vector<std::string> check_file(const fs::path& root, const std::string& path, const std::string& text) {
  std::vector<std::string> problems;
  auto report = [&](int line, const std::string& what) {
    problems.push_back(path + ":" + std::to_string(line) + ": " + what);
  };
  std::istringstream lines(text);
  std::string line;
  int number = 0;
  while (std::getline(lines, line)) {
    ++number;
    if (number == 1 && !(line.starts_with("// ") && line.size() > 12))
      report(1, "no first line that says what it is for");
    // compat/ is there to give namespaces other names, and that of a function may keep it from lookup by arguments.
    if (is_header(path) && !path.starts_with("compat/") && line.find("using namespace") != line.npos &&
        line != "using namespace by_name_alone;")
      report(number, "\"using namespace\" in a header");
    if (auto include = parse_include(line)) {
      if (auto problem = check_include(root, path, *include); !problem.empty()) report(number, problem);
    }
  }
  // Highway includes its -inl.h files once per instruction set.
  if (is_header(path) && !path.ends_with("-inl.h") && text.find("#pragma once") == text.npos)
    report(1, "a header without #pragma once");
  const bool is_made = path.ends_with("_data.cpp") || text.substr(0, text.find('\n')).find(" by script/") != text.npos;
  if (number > kMostLines && !is_made) report(number, "a file of more than 600 lines");
  return problems;
}

std::vector<std::string> source_files(const fs::path& root) {
  std::vector<std::string> files;
  for (const char* name : {"strata.h", "custom_op.h"})
    if (fs::exists(root / name)) files.push_back(name);
  Rooms folders = {"kernels", "test"};
  for (const auto& [room, arrows] : kArrows) folders.insert(first_folder(room));
  for (const auto& folder : folders) {
    if (!fs::is_directory(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      static const Rooms kExtensions = {".h", ".inc", ".cpp", ".cu", ".cuh"};
      if (kExtensions.contains(entry.path().extension().string())) {
        files.push_back(fs::relative(entry.path(), root).string());
      }
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace architecture
