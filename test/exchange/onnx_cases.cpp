// Runs packed node tests.
#include "test/exchange/onnx_cases.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace strata::onnx_cases {
namespace {

namespace fs = std::filesystem;

/// How a value is packed; what is not negative is the length of a sequence.
constexpr int64_t kTensor = -1, kNone = -2, kE4m3fnuz = -3, kE5m2fnuz = -4;

/// A file that is there while the object lives.
class TemporaryFile {
 public:
  explicit TemporaryFile(const Tensor& bytes)
      : path_(fs::temp_directory_path() / ("onnx_case_" + std::to_string(getpid()) + ".onnx")) {
    std::ofstream file(path_, std::ios::binary);
    file.write(static_cast<const char*>(bytes.data_ptr()), bytes.numel());
  }
  ~TemporaryFile() { fs::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

std::string difference(const Tensor& got, const Tensor& wanted, double rtol, double atol) {
  if (got.dtype() != wanted.dtype())
    return std::string("gives ") + std::string(name(got.dtype())) + " for " + std::string(name(wanted.dtype()));
  if (got.sizes() != wanted.sizes()) {
    std::ostringstream text;
    text << "gives sizes " << got.sizes() << " for " << wanted.sizes();
    return text.str();
  }
  if (got.numel() == 0) return "";
  const bool wide = is_complex(got.dtype());
  const Tensor x = got.to(wide ? kComplexDouble : kDouble), y = wanted.to(wide ? kComplexDouble : kDouble);
  if (allclose(x, y, is_floating_point(got.dtype()) || wide ? rtol : 0,
               is_floating_point(got.dtype()) || wide ? atol : 0, true))
    return "";
  std::ostringstream text;
  text << "is off by up to " << (x - y).abs().nan_to_num(1e30).max().item<double>();
  return text.str();
}

std::string difference(const Value& got, const Value& wanted, double rtol, double atol) {
  if (got.isTensor() && wanted.isTensor()) return difference(got.toTensor(), wanted.toTensor(), rtol, atol);
  if (got.isNone() && wanted.isNone()) return "";
  if (!got.isList() || !wanted.isList() || got.toListRef().size() != wanted.toListRef().size())
    return std::string("gives ") + got.kind_name() + " for " + wanted.kind_name() + ", or another length";
  for (size_t i = 0; i < got.toListRef().size(); ++i) {
    const std::string wrong = difference(got.toListRef()[i], wanted.toListRef()[i], rtol, atol);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

std::string difference(const std::vector<Value>& got, const std::vector<Value>& wanted, double rtol, double atol) {
  if (got.size() != wanted.size()) return "gives " + std::to_string(got.size()) + " results";
  for (size_t i = 0; i < got.size(); ++i) {
    const std::string wrong = difference(got[i], wanted[i], rtol, atol);
    if (!wrong.empty()) return "result " + std::to_string(i) + " " + wrong;
  }
  return "";
}

/// The same as a program, if it can be one: values that say how large something is are not known there.
bool run_traced(OnnxModel& model, const std::vector<Value>& inputs, const std::vector<Value>& eager,
                std::string& wrong) {
  std::vector<Tensor> tensors;
  for (const Value& v : inputs) {
    if (!v.isTensor()) return false;
    tensors.push_back(v.toTensor());
  }
  std::vector<Tensor> out;
  try {
    out = model->program(tensors)(tensors);
  } catch (const Error&) {
    return false;
  }
  wrong = difference(std::vector<Value>(out.begin(), out.end()), eager, 1e-5, 1e-6);
  if (!wrong.empty()) wrong = "the program " + wrong;
  return true;
}

}  // namespace

Cases::Cases(const std::string& path) : tensors_(load_file(path)) {
  constexpr std::string_view kModel = "/model";
  for (const auto& item : tensors_)
    if (item.key().ends_with(kModel)) names_.push_back(item.key().substr(0, item.key().size() - kModel.size()));
}

std::vector<Value> Cases::values(const std::string& name, const std::string& kind) const {
  std::vector<Value> out;
  const Tensor codes = tensors_[name + "/" + kind];
  for (int64_t i = 0; i < codes.numel(); ++i) {
    const std::string key = name + "/" + kind + "/" + std::to_string(i);
    const auto code = codes[i].item<int64_t>();
    if (code == kNone) out.emplace_back();
    if (code == kTensor) out.emplace_back(tensors_[key]);
    if (code == kE4m3fnuz) out.emplace_back(tensors_[key].view(kFloat8_e4m3fnuz));
    if (code == kE5m2fnuz) out.emplace_back(tensors_[key].view(kFloat8_e5m2fnuz));
    if (code < 0) continue;
    Value::List list;
    for (int64_t k = 0; k < code; ++k) list.emplace_back(tensors_[key + "/" + std::to_string(k)]);
    out.emplace_back(std::move(list));
  }
  return out;
}

Outcome Cases::run(const std::string& name) const {
  const NoGradGuard no_grad;
  const Tensor tolerances = tensors_[name + "/tolerances"];
  Outcome outcome;
  try {
    const TemporaryFile file(tensors_[name + "/model"]);
    OnnxModel model = load_onnx(file.path());
    const std::vector<Value> inputs = values(name, "in"), got = model->run(inputs);
    outcome.wrong = difference(got, values(name, "out"), tolerances[0].item<double>(), tolerances[1].item<double>());
    if (outcome.wrong.empty()) outcome.traced = run_traced(model, inputs, got, outcome.wrong);
  } catch (const std::exception& e) {
    outcome.wrong = e.what();
  }
  return outcome;
}

}  // namespace strata::onnx_cases
