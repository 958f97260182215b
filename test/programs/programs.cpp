// The list of all programs, and how they print tensors.
#include "test/programs/programs.h"

#include <iomanip>

namespace programs {
namespace {

std::vector<Program>& list() {
  static std::vector<Program> programs;
  return programs;
}

std::string stem(const std::string& path) {
  const size_t begin = path.rfind('/') + 1;
  return path.substr(begin, path.rfind('.') - begin);
}

void show_values(std::ostream& out, const torch::Tensor& x) {
  const torch::Tensor values = x.to(torch::kFloat64).contiguous().view({-1});
  out << std::setprecision(9);
  for (int64_t i = 0; i < values.numel(); ++i) {
    const double value = values.data_ptr<double>()[i];
    out << ' ' << (value == 0 ? 0 : value);  // without the sign of zero
  }
  out << std::setprecision(6);
}

}  // namespace

Program::Program(const char* name, Run run, const char* file) : topic(stem(file)), name(name), run(run) {
  list().push_back(*this);
}
const std::vector<Program>& all_programs() { return list(); }

void show(std::ostream& out, const char* name, const torch::Tensor& tensor) {
  const torch::Tensor x = tensor.detach();
  out << name << ": " << x.toString() << " [";
  for (int64_t i = 0; i < x.dim(); ++i) out << (i ? ", " : "") << x.size(i);
  out << "]";
  show_values(out, x.is_complex() ? torch::view_as_real(x.resolve_conj()) : x);
  out << '\n';
}
void show(std::ostream& out, const torch::Tensor& x) { show(out, "value", x); }

}  // namespace programs
