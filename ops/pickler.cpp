// Pickles of plain values and tensors.
#include "ops/pickler.h"

#include <cstring>

#include "core/error.h"
#include "core/grad_mode.h"
#include "ops/file_layout.h"
#include "ops/pickle_codes.h"
#include "ops/storage_types.h"

namespace strata::serialize {

namespace {

std::string latin1_as_utf8(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes) {
    const auto c = static_cast<unsigned char>(byte);
    if (c < 0x80) {
      text += byte;
    } else {
      text += static_cast<char>(0xc0 | c >> 6);
      text += static_cast<char>(0x80 | (c & 0x3f));
    }
  }
  return text;
}

/// All of a tensor's storage as one row.
Tensor whole_storage(const Tensor& t) {
  const auto count = static_cast<int64_t>(t.storage().nbytes() / item_size(t.dtype()));
  Tensor whole = empty_cpu({0}, t.dtype());
  return whole.set_(t.storage(), 0, {count}, {1});
}

}  // namespace

void Pickler::put_integer(int64_t value) {
  if (value >= 0 && value < 256) {
    put(pickle::kBinInt1);
    put_number(out_, static_cast<uint64_t>(value), 1);
  } else if (value >= INT32_MIN && value <= INT32_MAX) {
    put(pickle::kBinInt);
    put_number(out_, static_cast<uint64_t>(value), 4);
  } else {
    put(pickle::kLong1);
    put_number(out_, 8, 1);
    put_number(out_, static_cast<uint64_t>(value), 8);
  }
}

void Pickler::put_double(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, 8);
  put(pickle::kBinFloat);
  for (int shift = 56; shift >= 0; shift -= 8) out_ += static_cast<char>(bits >> shift);
}

void Pickler::put_text(const std::string& text) {
  STRATA_CHECK(text.size() <= UINT32_MAX, "save: a text of {} bytes is too long for a pickle", text.size());
  put(pickle::kBinUnicode);
  put_number(out_, text.size(), 4);
  out_ += text;
}

/// As Python does in this protocol, which has no bytes.
void Pickler::put_bytes(const std::string& bytes) {
  put_global("_codecs", "encode");
  put_text(latin1_as_utf8(bytes));
  put_text("latin1");
  put(pickle::kTuple2);
  put(pickle::kReduce);
}

void Pickler::put_global(const std::string& module, const std::string& name) {
  put(pickle::kGlobal);
  out_ += module + "\n" + name + "\n";
}

void Pickler::put_integers(IntArrayRef values) {
  put(pickle::kMark);
  for (const int64_t v : values) put_integer(v);
  put(pickle::kTuple);
}

void Pickler::put_items(const Value::List& items, int depth) {
  put(pickle::kMark);
  for (const Value& item : items) put_value(item, depth + 1);
}

void Pickler::put_value(const Value& value, int depth) {
  STRATA_CHECK(depth <= pickle::kDeepest, "save: a value is nested more than {} deep", pickle::kDeepest);
  switch (value.kind()) {
    case Value::Kind::kNone:
      return put(pickle::kNone);
    case Value::Kind::kBoolean:
      return put(value.toBool() ? pickle::kNewTrue : pickle::kNewFalse);
    case Value::Kind::kInteger:
      return put_integer(value.toInt());
    case Value::Kind::kFloating:
      return put_double(value.toDouble());
    case Value::Kind::kComplexNumber:
      put_global("__builtin__", "complex");
      put_double(value.toComplexDouble().real());
      put_double(value.toComplexDouble().imag());
      put(pickle::kTuple2);
      return put(pickle::kReduce);
    case Value::Kind::kText:
      return put_text(value.toStringRef());
    case Value::Kind::kBytes:
      return put_bytes(value.toBytes());
    case Value::Kind::kElementType:
      return put_global("torch", name(value.toScalarType()));
    case Value::Kind::kPlace:
      put_global("torch", "device");
      put_text(value.toDevice().str());
      put(pickle::kTuple1);
      return put(pickle::kReduce);
    case Value::Kind::kTensorValue:
      return put_tensor(value.toTensor());
    case Value::Kind::kList:
      put(pickle::kEmptyList);
      put_items(value.toListRef(), depth);
      return put(pickle::kAppends);
    case Value::Kind::kTuple:
      put_items(value.toListRef(), depth);
      return put(pickle::kTuple);
    case Value::Kind::kSet:
      put_global("__builtin__", "set");
      put(pickle::kEmptyList);
      put_items(value.toListRef(), depth);
      put(pickle::kAppends);
      put(pickle::kTuple1);
      return put(pickle::kReduce);
    case Value::Kind::kDict:
      put(pickle::kEmptyDict);
      put(pickle::kMark);
      for (const auto& [key, item] : value.toGenericDict()) {
        put_value(key, depth + 1);
        put_value(item, depth + 1);
      }
      return put(pickle::kSetItems);
    case Value::Kind::kObject:
      STRATA_THROW("save: an object of a program's own class cannot be saved; save what it holds");
  }
}

size_t Pickler::place_of(const Tensor& tensor) {
  const auto [at, is_new] = places_.emplace(tensor.storage().get(), storages_.size());
  if (is_new) storages_.push_back(whole_storage(tensor));
  STRATA_CHECK(storages_[at->second].dtype() == tensor.dtype(),
               "save: a {} and a {} tensor share memory; clone one of them", name(storages_[at->second].dtype()),
               name(tensor.dtype()));
  return at->second;
}

void Pickler::put_storage(const Tensor& tensor, std::string_view type) {
  const size_t place = place_of(tensor);
  put(pickle::kMark);
  put_text("storage");
  if (type.empty())
    put_global("torch.storage", "UntypedStorage");
  else
    put_global("torch", std::string(type));
  put_text(std::to_string(place));
  put_text("cpu");
  const Tensor& whole = storages_[place];
  put_integer(type.empty() ? static_cast<int64_t>(whole.nbytes()) : whole.numel());
  put(pickle::kTuple);
  put(pickle::kBinPersId);
}

void Pickler::put_tensor(const Tensor& given) {
  STRATA_CHECK(given.defined(), "save: a tensor is undefined");
  STRATA_CHECK(given.has_storage(), "save: a tensor of shape {} on {} has no storage, so no values to save",
               given.sizes(), given.device().str());
  const NoGradGuard no_grad;
  // A device's memory is copied, and kept so that the copy's address stays its own.
  const Tensor t = given.is_cpu() ? given.detach() : given.detach().cpu().contiguous();
  const std::string_view type = storage_name(t.dtype());
  put_global("torch._utils", type.empty() ? "_rebuild_tensor_v3" : "_rebuild_tensor_v2");
  put(pickle::kMark);
  put_storage(t, type);
  put_integer(t.storage_offset());
  put_integers(t.sizes());
  put_integers(t.strides());
  put(given.requires_grad() ? pickle::kNewTrue : pickle::kNewFalse);
  put_global("collections", "OrderedDict");
  put(pickle::kEmptyTuple);
  put(pickle::kReduce);
  if (type.empty()) put_global("torch", name(t.dtype()));
  put(pickle::kTuple);
  put(pickle::kReduce);
}

std::string Pickler::pickle(const Value& value) {
  out_.clear();
  put(pickle::kProto);
  put_number(out_, 2, 1);
  put_value(value, 0);
  put(pickle::kStop);
  return std::move(out_);
}

}  // namespace strata::serialize
