// Runs the programs. `test_programs FOLDER` compares what they print with what libtorch printed, which lies in
// FOLDER/expected; `test_programs --print TOPIC` prints a topic's texts; `test_programs --topics` the topics' names.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "test/programs/programs.h"
#include "test/programs/text.h"

namespace programs {
namespace {

std::string text_of(const Program& program) {
  std::ostringstream out;
  try {
    program.run(out);
  } catch (const std::exception& e) {
    out << "stopped by an error: " << std::string(e.what()).substr(0, 300) << '\n';
  }
  std::string text = out.str();
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

std::set<std::string> topics() {
  std::set<std::string> found;
  for (const auto& program : all_programs()) found.insert(program.topic);
  return found;
}

int print(const std::string& topic) {
  for (const auto& program : all_programs())
    if (program.topic == topic) std::cout << "== " << program.name << '\n' << text_of(program) << std::flush;
  return 0;
}

/// The programs that the list of known differences names, as topic/name.
std::set<std::string> read_known(const std::string& path) {
  std::ifstream in(path);
  std::set<std::string> known;
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') known.insert(line.substr(0, line.find(": ")));
  return known;
}

/// By name, the macro that a source keeps a program behind, for all those that this header still defines.
std::map<std::string, std::string> awaited_programs(const std::string& source, const std::string& header) {
  std::ifstream macros(header), in(source);
  std::set<std::string> defined;
  for (std::string line; std::getline(macros, line);)
    if (line.starts_with("#define ")) defined.insert(line.substr(8, line.find_first_of(" /", 8) - 8));
  std::map<std::string, std::string> found;
  std::string macro;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#ifndef AWAITS_")) macro = line.substr(8);
    if (line.starts_with("#endif")) macro.clear();
    const size_t open = line.find('"');
    if (!defined.contains(macro) || !line.starts_with("const Program ") || open == line.npos) continue;
    found[line.substr(open + 1, line.find('"', open + 1) - open - 1)] = macro;
  }
  return found;
}

struct Count {
  int agree = 0, known = 0, awaited = 0, wrong = 0;
};

void compare_topic(const std::string& folder, const std::string& topic, const std::set<std::string>& known,
                   Count& count) {
  auto expected = read_texts(folder + "/expected/" + topic + ".txt");
  for (const auto& program : all_programs()) {
    if (program.topic != topic) continue;
    const std::string name = topic + "/" + program.name;
    const auto text = expected.find(program.name);
    if (text == expected.end()) {
      std::cout << name << ": libtorch's text is missing; script/programs --record writes it\n";
      ++count.wrong;
      continue;
    }
    const std::string differs = difference(text->second, text_of(program));
    expected.erase(text);
    if (known.contains(name)) {
      ++(differs.empty() ? count.wrong : count.known);
      if (differs.empty()) std::cout << name << ": agrees now; take it out of known.txt\n";
    } else {
      ++(differs.empty() ? count.agree : count.wrong);
      if (!differs.empty()) std::cout << name << ": differs in " << differs << '\n';
    }
  }
  const auto awaited = awaited_programs(folder + "/" + topic + ".cpp", folder + "/awaited.h");
  for (const auto& [name, text] : expected) {
    const auto behind = awaited.find(name);
    ++(behind == awaited.end() ? count.wrong : count.awaited);
    std::cout << topic << '/' << name << ": not built"
              << (behind == awaited.end() ? ", and behind no macro of awaited.h" : " (" + behind->second + ")") << '\n';
  }
}

/// How many pairs of texts the comparison judges wrongly, before it judges programs.
int misjudged() {
  const auto same = [](const char* a, const char* b) { return difference(a, b).empty(); };
  const bool right[] = {same("x: 1.0  2", "x: 1.0000005 2"),
                        same("[1, 1e9]", "[1.5, 1e+09]"),
                        same("-0.5", "-.5"),
                        !same("x: 1.0", "x: 1.00001"),
                        !same("1000000", "1000001"),
                        !same("nan", "1.0"),
                        !same("a1", "a2"),
                        !same("1", "1\n2"),
                        !same("1 2", "1")};
  return static_cast<int>(std::count(std::begin(right), std::end(right), false));
}

int compare(const std::string& folder) {
  const auto known = read_known(folder + "/known.txt");
  Count count;
  count.wrong = misjudged();
  if (count.wrong) std::cout << "the comparison misjudges " << count.wrong << " of its own examples\n";
  for (const auto& topic : topics()) compare_topic(folder, topic, known, count);
  std::cout << count.agree << " programs agree with libtorch, " << count.known << " are known to differ, "
            << count.awaited << " are awaited, " << count.wrong << " are wrong\n";
  return count.wrong > 0;
}

}  // namespace
}  // namespace programs

int main(int argc, char* argv[]) {
  const std::string first = argc > 1 ? argv[1] : "";
  if (first == "--topics") {
    for (const auto& topic : programs::topics()) std::cout << topic << '\n';
    return 0;
  }
  if (first == "--print" && argc == 3) return programs::print(argv[2]);
  if (argc == 2) return programs::compare(first);
  std::cerr << "usage: test_programs FOLDER | --print TOPIC | --topics\n";
  return 2;
}
