// Taking over the memory of arguments.
#include "compile/donate.h"

#include <algorithm>

namespace strata::func::compiling {
namespace {

/// Exchanges what the tensor holds with `other`.
void exchange(const Tensor& t, const Tensor& other) { t.impl()->swap_contents(*other.impl()); }

/// What has saved `like` sees that it was written to since.
Tensor without_bytes(const Tensor& like) {
  const Storage empty(IntrusivePtr<StorageImpl>::adopt(StorageImpl::create(1)));
  empty.resize_(0);
  empty->set_version(like.impl()->version() + 1);
  auto* const impl = new TensorImpl(like.dtype(), like.device(), empty);
  impl->set_geometry(like.sizes(), like.strides(), like.storage_offset());
  return Tensor::adopt(impl);
}

[[noreturn]] void refuse(size_t leaf, const Tensor& t, const char* why) {
  STRATA_THROW("compile: tensor {} of the arguments, of shape {}, is donated, but {}", leaf, t.sizes(), why);
}

void check_can_be_taken(const Program& program, TensorList inputs, size_t leaf) {
  const Tensor& t = inputs[leaf];
  if (t.requires_grad()) refuse(leaf, t, "requires a gradient; donate what requires none");
  if (t.impl()->base() && t.impl()->base()->use_count() > 1)
    refuse(leaf, t, "is a view; donate a clone() of it, or the tensor that it shows");
  if (!t.storage().resizable()) refuse(leaf, t, "its memory came from outside; donate a clone() of it");
  for (size_t i = 0; i < inputs.size(); ++i)
    if (i != leaf && inputs[i].defined() && inputs[i].is_same(t)) refuse(leaf, t, "is another argument as well");
  for (const Program::Constant& c : program.constants())
    if (c.value.is_same(t)) refuse(leaf, t, "is captured by the function as well");
}

/// What was taken, given back unless all could be.
class Taking {
 public:
  Taking() = default;
  ~Taking() {
    for (const auto& [of, taken] : list_) exchange(of, taken);
  }
  Taking(const Taking&) = delete;
  Taking& operator=(const Taking&) = delete;
  void take(Tensor& input, size_t leaf) {
    const auto& [of, taken] = list_.emplace_back(input, without_bytes(input));
    of.impl()->forget_base();  // which nobody else has
    exchange(of, taken);
    if (taken.storage()->use_count() > 1)
      refuse(leaf, of, "other tensors show its memory; let go of them, or donate a clone()");
    input = taken;
  }
  void keep() { list_.clear(); }

 private:
  std::vector<std::pair<Tensor, Tensor>> list_;
};

}  // namespace

std::vector<bool> donated_leaves(const std::vector<int64_t>& donate, const std::vector<size_t>& leaves_of_arguments) {
  std::vector<bool> donated;
  if (donate.empty()) return donated;
  const auto arguments = static_cast<int64_t>(leaves_of_arguments.size());
  for (int64_t number : donate)
    STRATA_CHECK(number >= 0 && number < arguments, "compile: donate names argument {}; the function has {}", number,
                 arguments);
  for (int64_t i = 0; i < arguments; ++i) {
    const bool is_donated = std::find(donate.begin(), donate.end(), i) != donate.end();
    donated.insert(donated.end(), leaves_of_arguments[static_cast<size_t>(i)], is_donated);
  }
  return donated;
}

void check_not_written(const Program& program, const std::vector<bool>& donated) {
  for (size_t i = 0; i < donated.size(); ++i)
    for (const Program::Effect& e : program.effects())
      STRATA_CHECK(!donated[i] || e.target != program.inputs()[i],
                   "compile: the function writes to tensor {} of its arguments, which is donated; return what it "
                   "becomes, or do not donate it",
                   i);
}

void take_donated(const Program& program, std::vector<Tensor>& inputs, const std::vector<bool>& donated) {
  const auto is_taken = [&](size_t i) { return donated[i] && inputs[i].defined() && inputs[i].has_storage(); };
  for (size_t i = 0; i < donated.size(); ++i)
    if (is_taken(i)) check_can_be_taken(program, inputs, i);
  Taking taking;
  for (size_t i = 0; i < donated.size(); ++i)
    if (is_taken(i)) taking.take(inputs[i], i);
  taking.keep();
}

}  // namespace strata::func::compiling
