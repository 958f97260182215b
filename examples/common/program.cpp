// Options through CLI11.
#include "common/program.h"

#include <fmt/format.h>
#include <strata/train/file.h>

#include <CLI/CLI.hpp>
#include <exception>

namespace strata::examples {

Program::Program(const std::string& description) : app_(std::make_unique<CLI::App>(description)) {
  app_->option_defaults()->always_capture_default();
}
Program::~Program() = default;

void Program::option(const std::string& name, int64_t& value, const std::string& help) {
  app_->add_option(name, value, help)->type_name("N");
}
void Program::option(const std::string& name, double& value, const std::string& help) {
  app_->add_option(name, value, help)->type_name("X");
}
void Program::option(const std::string& name, std::string& value, const std::string& help, const std::string& kind) {
  app_->add_option(name, value, help)->type_name(kind);
}
void Program::plot_option(std::string& path) { option("--plot", path, "SVG to draw; none for none"); }

int Program::run(int argc, char** argv, const std::function<void()>& body) {
  try {
    app_->parse(argc, argv);
    body();
    return 0;
  } catch (const CLI::ParseError& e) {
    return app_->exit(e);
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}: {}\n", argv[0], e.what());
    return 1;
  }
}

void save_plot(const std::string& path, const std::string& title, const std::vector<train::Panel>& panels) {
  if (path == "none") return;
  train::write_file(path, train::svg_plot(title, panels));
  fmt::print("Plot in {}\n", path);
}

}  // namespace strata::examples
