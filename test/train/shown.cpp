// What people see: bars, tables, summaries and plots.
#include <strata/strata.h>
#include <strata/train/train.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "test/catch.h"
#include "test/files.h"

using namespace strata;
using namespace strata::train;
using Catch::Matchers::ContainsSubstring;

namespace {

bool is_start(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }
int64_t columns(const std::string& text) { return std::count_if(text.begin(), text.end(), is_start); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Where an entity or a control character is none, or "".
std::string bad_text(const std::string& text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '>' || (static_cast<unsigned char>(text[i]) < 0x20 && text[i] != '\n')) return text.substr(i);
    if (text[i] != '&') continue;
    const std::string rest = text.substr(i, 6);
    if (rest.rfind("&amp;", 0) != 0 && rest.rfind("&lt;", 0) != 0 && rest.rfind("&gt;", 0) != 0) return text.substr(i);
  }
  return "";
}

/// What keeps a document from being well-formed XML, or "": tags that nest, attributes in quotes and each once, text
/// without marks.
std::string xml_problem(const std::string& xml) {
  std::vector<std::string> open;
  size_t at = 0;
  while (at < xml.size()) {
    const size_t begin = xml.find('<', at), end = xml.find('>', begin);
    if (begin == xml.npos) return open.empty() && xml.find_first_not_of("\n", at) == xml.npos ? "" : "text at the end";
    if (end == xml.npos) return "an open tag";
    if (const auto bad = bad_text(xml.substr(at, begin - at)); !bad.empty()) return "text: " + bad.substr(0, 40);
    std::string tag = xml.substr(begin + 1, end - begin - 1);
    at = end + 1;
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "closes " + tag;
      open.pop_back();
      continue;
    }
    const bool is_empty = tag.back() == '/';
    if (is_empty) tag.pop_back();
    size_t place = tag.find(' ');
    if (!is_empty) open.push_back(tag.substr(0, place));
    std::vector<std::string> names;
    while (place < tag.size()) {
      const size_t equals = tag.find("=\"", place), close = tag.find('"', equals + 2);
      if (equals == tag.npos || close == tag.npos) return "attributes of " + tag.substr(0, 60);
      names.push_back(tag.substr(place + 1, equals - place - 1));
      if (tag.substr(equals + 2, close - equals - 2).find_first_of("<&") != tag.npos) return "a value in " + tag;
      place = close + 1;
    }
    std::sort(names.begin(), names.end());
    if (std::adjacent_find(names.begin(), names.end()) != names.end()) return "an attribute twice in " + tag;
  }
  return open.empty() ? "" : "unclosed " + open.back();
}

void check_svg(const std::string& svg) {
  CHECK(xml_problem(svg) == "");
  for (const char* wrong : {"nan", "inf", "\"-0.0\""}) {
    INFO(wrong);
    CHECK(svg.substr(0, svg.find("data:image")).find(wrong) == svg.npos);
  }
}

}  // namespace

TEST_CASE("tables align their columns") {
  CHECK(format_table({"epoch", "loss"}, {{"1", "0.25"}, {"10", "0.125"}}) ==
        "epoch   loss\n"
        "-----  -----\n"
        "    1   0.25\n"
        "   10  0.125\n");
  CHECK(format_table({"größe", "n"}, {{"ä", "1"}}, 1) ==
        "größe  n\n"
        "-----  -\n"
        "ä      1\n");
  CHECK_THAT(error_of([] { format_table({"a"}, {{"1", "2"}}); }), ContainsSubstring("2 cells under a header of 1"));
}

TEST_CASE("counts and durations read well") {
  CHECK(format_count(0) == "0");
  CHECK(format_count(999) == "999");
  CHECK(format_count(1234567) == "1,234,567");
  CHECK(format_count(-123456) == "-123,456");
  CHECK(format_duration(4.25) == "4.2 s");
  CHECK(format_duration(192) == "3 min 12 s");
  CHECK(format_duration(7500) == "2 h 5 min");
}

TEST_CASE("the progress bar says how far, how fast and how long") {
  const std::string status = format_status({250, 1000, 0, 2}, "images", "loss 0.5");
  CHECK(status == " 25 %  125 images/s  loss 0.5  ETA 6.0 s");
  CHECK(format_status({0, 1000, 0, 0}, "images", "") == "  0 %  0 images/s");
  CHECK(format_status({700, 1000, 600, 50}, "steps", "") == " 70 %  2.00 steps/s  ETA 2 min 30 s");
  CHECK(format_status({1500, 0, 0, 2}, "steps", "") == "1,500  750 steps/s");
  const std::string line = format_bar("epoch 1/4", 0.25, status, 80);
  CHECK(line == "epoch 1/4 ▕" + std::string("██████▌") + std::string(19, ' ') + "▏ " + status);
}

TEST_CASE("the progress bar stays within the terminal") {
  for (int64_t width = 0; width < 150; ++width) {
    for (const double fraction : {0.0, 0.001, 0.333, 0.999, 1.0, 1.5}) {
      const std::string line = format_bar("épöque", fraction, " 99 %  999 images/s  loss 0.5  ETA 6.0 s", width);
      CHECK(columns(line) <= std::max<int64_t>(width - 1, 0));
      CHECK((line.empty() || is_start(line[0])));
    }
  }
}

TEST_CASE("the progress bar is silent where stderr is no terminal") {
  const TemporaryFile file;
  const int terminal = ::dup(STDERR_FILENO);
  REQUIRE(std::freopen(file.path.c_str(), "w", stderr) != nullptr);
  {
    Progress quiet(10);
    Progress lines(10, ProgressOptions("images").line_interval(1e-9));
    Progress other_rank(10, ProgressOptions("images").line_interval(1e-9).enabled(false));
    other_rank.update(5, "not this one");
    for (int i = 1; i <= 10; ++i) quiet.advance(1, "quiet", {{"loss", 0.5}});
    lines.update(5, "epoch 1", {{"loss", tensor(0.25)}, {"lr", 1e-3}});
    CHECK(quiet.done() == 10);
  }
  std::fflush(stderr);
  ::dup2(terminal, STDERR_FILENO);
  ::close(terminal);
  const auto text = bytes_of(file.path);
  const auto written = lines_of(std::string(text.begin(), text.end()));
  REQUIRE(written.size() == 1);
  CHECK_THAT(written[0], ContainsSubstring("epoch 1:  50 %  "));
  CHECK_THAT(written[0], ContainsSubstring("images/s  loss 0.25  lr 0.001  ETA "));
}

TEST_CASE("files are replaced whole or not at all") {
  const TemporaryFile file;
  write_file(file.path, "first");
  write_file(file.path, "second");
  const auto text = bytes_of(file.path);
  CHECK(std::string(text.begin(), text.end()) == "second");
  CHECK_THAT(error_of([] { write_file("/no/such/folder/file", "x"); }), ContainsSubstring("/no/such/folder/file"));
}

TEST_CASE("a summary counts as PyTorch does, and leaves the model as it was") {
  serialize::InputArchive reference;
  reference.load_from(source_dir() + "/test/train/reference.safetensors");
  const auto expected = [&](const char* name) { return reference.find(name).item<int64_t>(); };
  nn::Sequential net(nn::Conv2d(nn::Conv2dOptions(3, 8, 3).stride(2).padding(1)), nn::ReLU(),
                     nn::Conv2d(nn::Conv2dOptions(8, 8, 3).groups(4)),
                     nn::ConvTranspose2d(nn::ConvTranspose2dOptions(8, 4, 2).stride(2)), nn::Flatten(),
                     nn::Linear(4 * 14 * 14, 10), nn::Dropout(0.5));
  net[1]->eval();
  manual_seed(3);
  const auto before = default_generator().state();
  const Summary s = summary(net, zeros({2, 3, 18, 18}));
  CHECK(s.flops == expected("flops_convolutions"));
  CHECK(default_generator().state().offset == before.offset);
  CHECK((net->is_training() && net[6]->is_training() && !net[1]->is_training()));
  REQUIRE(s.rows.size() == 8);
  CHECK(s.rows[1].outputs == std::vector<std::vector<int64_t>>{{2, 8, 9, 9}});
  CHECK(s.rows[1].parameters == 8 * 3 * 9 + 8);
  CHECK(s.rows[1].output_bytes == 4 * 2 * 8 * 9 * 9);
  CHECK(s.rows[0].flops == s.rows[1].flops + s.rows[3].flops + s.rows[4].flops + s.rows[6].flops);
  int64_t parameters = 0;
  for (const Tensor& p : net->parameters()) parameters += p.numel();
  CHECK(s.parameters == parameters);
  CHECK(s.parameter_bytes == 4 * parameters);
  CHECK_THAT(s.str(), ContainsSubstring("  0 (Conv2d"));
  CHECK_THAT(s.str(), ContainsSubstring("(2, 8, 9, 9)"));
  CHECK(summary(nn::Sequential(nn::Linear(20, 30), nn::Tanh(), nn::Linear(30, 5)), zeros({4, 7, 20})).flops ==
        expected("flops_mlp"));
}

namespace {
struct SharedImpl : nn::Module {
  Tensor forward(const Tensor& x) { return scaled_dot_product_attention(inner(inner(x)), x, x) + hidden->forward(x); }
  nn::Linear inner = register_module("inner", nn::Linear(8, 8));
  nn::Linear hidden = register_module("hidden", nn::Linear(8, 8));
  nn::LSTM unused = register_module("unused", nn::LSTM(4, 3));
};
STRATA_MODULE(Shared);
}  // namespace

TEST_CASE("a summary counts calls, attention, LSTMs, and what no hook sees") {
  const Summary s = summary(Shared(), zeros({2, 3, 5, 8}));
  CHECK(s.rows[1].calls == 2);
  CHECK(s.rows[1].flops == 2 * (2 * 2 * 3 * 5 * 8 * 8));
  CHECK(s.rows[2].calls == 0);
  CHECK_THAT(s.str(), ContainsSubstring("not called"));
  CHECK_THAT(s.str(), ContainsSubstring("× 2"));
  const int64_t attention = 2 * 3 * (2 * 5 * 5 * 8) * 2, linear = 2 * 2 * 3 * 5 * 8 * 8;
  CHECK(s.flops == attention + 3 * linear);
  // Seven steps of a batch of two: four gates from four features and three states.
  CHECK(summary(nn::LSTM(4, 3), zeros({7, 2, 4})).flops == 7 * 2 * 2 * (4 * 3) * (4 + 3));
  // By pointer, with an exception on the way.
  const auto net = std::make_shared<SharedImpl>();
  CHECK_THROWS_AS(summary(net, zeros({2, 3})), Error);
  CHECK(net->is_training());
  CHECK(summary(net, zeros({2, 3, 5, 8})).flops == s.flops);
}

TEST_CASE("plots of curves have axes with ticks and labels, and a legend") {
  const Curves curves{"Loss <1>", "epoch", "nats & more", {1, 2, 3}, {{"train", {1, NAN, 0.5}}, {"test", {0.25}}}};
  const std::string svg = svg_plot("a < b & c\x01", {curves, curves, curves}, 2);
  check_svg(svg);
  for (const char* text :
       {"a &lt; b &amp; c", ">epoch<", ">nats &amp; more<", ">train<", ">test<", ">0.6<", ">1.0<", ">3<"}) {
    INFO(text);
    CHECK(svg.find(text) != svg.npos);
  }
  Curves log = curves;
  log.log_y = true;
  log.series = {{"", {1e-3, 0, 1e3}}};
  check_svg(svg_plot("", {log}));
  CHECK(svg_plot("", {log}).find(">100<") != std::string::npos);
  for (const std::vector<double>& y :
       {std::vector<double>{}, {2}, {2, 2}, {1e9, 1e9 + 1}, {INFINITY}, {1e-300, 2e-300}})
    check_svg(svg_plot("title", {Curves{"Loss", "epoch", "loss", {1, 2}, {{"train", y}}}}));
  CHECK_THAT(error_of([] {
               svg_plot("", {Curves{"", "", "", {1}, {{"line", {1, 2}}}}});
             }),
             ContainsSubstring("'line' has 2 points, x has 1"));
}

TEST_CASE("histograms count every finite value once") {
  const Bars bars = histogram("Weights", "value", {{"a", tensor({0.0f, 0.5f, 1.0f, NAN})}, {"b", tensor({2, 2})}}, 4);
  CHECK(bars.edges == std::vector<double>{0, 0.5, 1, 1.5, 2});
  CHECK(bars.series[0].y == std::vector<double>{1, 1, 1, 0});
  CHECK(bars.series[1].y == std::vector<double>{0, 0, 0, 2});
  check_svg(svg_plot("Histogram", {bars}));
  for (const Tensor& t : {zeros({0}), ones({3}), full({2}, INFINITY)})
    check_svg(svg_plot("", {histogram("", "", {{"", t}})}));
  const std::string text = terminal_plot(bars, TerminalOptions().width(40));
  for (const auto& line : lines_of(text)) CHECK(columns(line) <= 40);
  CHECK_THAT(text, ContainsSubstring("████"));
}

TEST_CASE("confusion matrices and pictures become plots") {
  ConfusionMatrix matrix(3);
  matrix.update(tensor({0, 1, 1, 2}), tensor({0, 1, 2, 2}));
  const Matrix panel = confusion("Confusion", matrix, {"cat", "dog & co", "a very long name"});
  CHECK(panel.values == std::vector<double>{1, 0, 0, 0, 1, 0, 0, 1, 1});
  const std::string svg = svg_plot("", {panel});
  check_svg(svg);
  for (const char* text : {">cat<", ">dog &amp; co<", ">predicted<", ">actual<"}) CHECK(svg.find(text) != svg.npos);
  CHECK_THAT(terminal_plot(panel), ContainsSubstring("dog & co"));
  const Images images{"Digits", linspace(0, 1, 5 * 3 * 4 * 6).reshape({5, 3, 4, 6}), {"a", "b", "c", "d", "<"}, 2};
  check_svg(svg_plot("", {images}));
  // The first bytes of a PNG of six by four pixels in RGB: signature, length and kind of the first chunk, its sizes.
  CHECK_THAT(svg_plot("", {images}), ContainsSubstring("data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAYAAAAECAIAAA"));
  CHECK(lines_of(terminal_plot(images, TerminalOptions().width(14))).size() == 1 + 3 * (2 + 1));
  CHECK_THAT(error_of([] {
               svg_plot("", {Images{"", zeros({2, 2, 3, 3}), {}, 0}});
             }),
             ContainsSubstring("(N, 1 or 3, H, W), got (2, 2, 3, 3)"));
}

TEST_CASE("curves in the terminal keep to its width") {
  const Curves curves{"Loss", "step", "nats", counted(1, 200), {{"train", counted(1, 200)}, {"test", counted(2, 150)}}};
  for (const int64_t width : {30, 80, 120}) {
    const auto lines = lines_of(terminal_plot(curves, TerminalOptions().width(width).height(10)));
    CHECK(lines.size() == 1 + 10 + 1 + 1 + 1 + 1);
    for (const auto& line : lines) CHECK(columns(line) <= width);
  }
  // A line from corner to corner by dots: the first cell of the last row has its lowest left dot.
  const auto lines =
      lines_of(terminal_plot(Curves{"", "", "", {0, 1}, {{"", {0, 1}}}}, TerminalOptions().width(20).height(4)));
  CHECK_THAT(lines[4], ContainsSubstring("┤⣀"));
  CHECK_THAT(terminal_plot(curves, TerminalOptions().color(true)), ContainsSubstring("\x1b[34m"));
}
