// The machine that a pickle is a program for, with the instructions that plain data needs.
#include "ops/unpickler.h"

#include <charconv>
#include <cstring>

#include "core/error.h"
#include "ops/file_layout.h"
#include "ops/pickle_codes.h"

namespace strata::serialize {

/// What is left of a pickle.
class Unpickler::Bytes {
 public:
  Bytes(const std::string& bytes, size_t at, const Unpickler& reader) : bytes_(bytes), at_(at), reader_(reader) {}
  uint64_t number(size_t width) { return little_endian(take(width), width); }
  double big_endian_double() {
    const char* from = take(8);
    uint64_t v = 0;
    for (size_t i = 0; i < 8; ++i) v = v << 8 | static_cast<unsigned char>(from[i]);
    double d;
    std::memcpy(&d, &v, 8);
    return d;
  }
  std::string text(uint64_t n) { return {take(n), n}; }
  std::string line() {
    const size_t end = bytes_.find('\n', at_);
    if (end == bytes_.npos) reader_.fail("it is truncated");
    std::string out = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return out;
  }
  /// A signed integer of any length that 64 bits hold.
  int64_t long_number(uint64_t n) {
    const char* from = take(n);
    const bool negative = n > 0 && (from[n - 1] & 0x80) != 0;
    uint64_t v = negative ? ~uint64_t{0} : 0;
    for (uint64_t i = n; i-- > 0;) {
      const auto byte = static_cast<unsigned char>(from[i]);
      if (i >= 8 ? byte != (negative ? 0xff : 0) : false) reader_.fail("it has an integer of more than 64 bits");
      if (i < 8) v = v << 8 | byte;
    }
    if (n > 8 && ((v >> 63) != 0) != negative) reader_.fail("it has an integer of more than 64 bits");
    return static_cast<int64_t>(v);
  }
  size_t at() const { return at_; }

 private:
  const char* take(uint64_t n) {
    if (n > bytes_.size() - at_) reader_.fail("it is truncated");
    at_ += n;
    return bytes_.data() + (at_ - n);
  }
  const std::string& bytes_;
  size_t at_;
  const Unpickler& reader_;
};

void Unpickler::fail(const std::string& what) const {
  STRATA_THROW("load: {}: the pickle cannot be read: {}", name_, what);
}

void Unpickler::count(uint64_t parts) {
  parts_ += parts;
  if (parts_ > kMostParts) fail("it has more than " + std::to_string(kMostParts) + " parts");
}

Unpickler::Id Unpickler::add(Form form, Value leaf, std::vector<Id> items) {
  count(1 + items.size());
  nodes_.push_back({form, std::move(leaf), std::move(items)});
  return static_cast<Id>(nodes_.size() - 1);
}

Unpickler::Id Unpickler::top() {
  if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) fail("it takes a value that is not there");
  return stack_.back();
}

Unpickler::Id Unpickler::pop() {
  const Id id = top();
  stack_.pop_back();
  return id;
}

std::vector<Unpickler::Id> Unpickler::pop_to_mark() {
  if (marks_.empty()) fail("it has no mark");
  const auto from = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
  std::vector<Id> items(from, stack_.end());
  stack_.erase(from, stack_.end());
  marks_.pop_back();
  return items;
}

void Unpickler::parse(const std::string& bytes, size_t& at) {
  Bytes in(bytes, at, *this);
  nodes_.clear();
  stack_.clear();
  marks_.clear();
  memo_.clear();
  parts_ = 0;
  run(in);
  at = in.at();
}

void Unpickler::run(Bytes& in) {
  for (;;) {
    const int op = static_cast<int>(in.number(1));
    if (op == pickle::kStop) break;
    const bool known =
        push_simple(op, in) || push_text(op, in) || change_container(op) || remember(op, in) || make_object(op, in);
    if (!known) fail("instruction " + std::to_string(op) + " is not one of those that plain data needs");
  }
  root_ = pop();
}

bool Unpickler::push_simple(int op, Bytes& in) {
  switch (op) {
    case pickle::kProto:
      if (const uint64_t version = in.number(1); version > 5) fail("its protocol is " + std::to_string(version));
      return true;
    case pickle::kFrame:
      in.number(8);
      return true;
    case pickle::kMark:
      marks_.push_back(stack_.size());
      return true;
    case pickle::kNone:
      return push(Form::kLeaf), true;
    case pickle::kNewTrue:
    case pickle::kNewFalse:
      return push(Form::kLeaf, op == pickle::kNewTrue), true;
    case pickle::kBinInt:
      return push(Form::kLeaf, static_cast<int32_t>(in.number(4))), true;
    case pickle::kBinInt1:
      return push(Form::kLeaf, in.number(1)), true;
    case pickle::kBinInt2:
      return push(Form::kLeaf, in.number(2)), true;
    case pickle::kLong1:
      return push(Form::kLeaf, in.long_number(in.number(1))), true;
    case pickle::kLong4:
      return push(Form::kLeaf, in.long_number(in.number(4))), true;
    case pickle::kBinFloat:
      return push(Form::kLeaf, in.big_endian_double()), true;
    default:
      return false;
  }
}

bool Unpickler::push_text(int op, Bytes& in) {
  const auto push_string = [&](size_t width) { push(Form::kLeaf, in.text(in.number(width))); };
  const auto push_bytes = [&](size_t width) { push(Form::kLeaf, Value::Bytes{in.text(in.number(width))}); };
  switch (op) {
    case pickle::kShortBinUnicode:
    case pickle::kShortBinString:
      return push_string(1), true;
    case pickle::kBinUnicode:
    case pickle::kBinString:
      return push_string(4), true;
    case pickle::kBinUnicode8:
      return push_string(8), true;
    case pickle::kShortBinBytes:
      return push_bytes(1), true;
    case pickle::kBinBytes:
      return push_bytes(4), true;
    case pickle::kBinBytes8:
      return push_bytes(8), true;
    default:
      return false;
  }
}

bool Unpickler::change_container(int op) {
  const auto extend = [&](std::initializer_list<Form> forms, const std::vector<Id>& items) {
    Node& node = nodes_[top()];
    bool fits = false;
    for (const Form form : forms) fits = fits || node.form == form;
    if (!fits) fail("it adds to what is no container");
    count(items.size());
    node.items.insert(node.items.end(), items.begin(), items.end());
  };
  const auto pairs = [&](std::vector<Id> items) {
    if (items.size() % 2 != 0) fail("a dict has a key without a value");
    return items;
  };
  const auto last = [&](size_t n) {
    std::vector<Id> items(n);
    while (n-- > 0) items[n] = pop();
    return items;
  };
  switch (op) {
    case pickle::kEmptyList:
      return push(Form::kList), true;
    case pickle::kEmptyTuple:
      return push(Form::kTuple), true;
    case pickle::kEmptyDict:
      return push(Form::kDict), true;
    case pickle::kEmptySet:
      return push(Form::kSet), true;
    case pickle::kList:
      return push(Form::kList, {}, pop_to_mark()), true;
    case pickle::kTuple:
      return push(Form::kTuple, {}, pop_to_mark()), true;
    case pickle::kDict:
      return push(Form::kDict, {}, pairs(pop_to_mark())), true;
    case pickle::kFrozenSet:
      return push(Form::kSet, {}, pop_to_mark()), true;
    case pickle::kTuple1:
    case pickle::kTuple2:
    case pickle::kTuple3:
      return push(Form::kTuple, {}, last(static_cast<size_t>(op - pickle::kTuple1 + 1))), true;
    case pickle::kAppend:
      return extend({Form::kList}, last(1)), true;
    case pickle::kAppends:
      return extend({Form::kList}, pop_to_mark()), true;
    case pickle::kAddItems:
      return extend({Form::kSet}, pop_to_mark()), true;
    case pickle::kSetItem:
      return extend({Form::kDict}, last(2)), true;
    case pickle::kSetItems:
      return extend({Form::kDict}, pairs(pop_to_mark())), true;
    case pickle::kPop:
      return pop(), true;
    default:
      return false;
  }
}

bool Unpickler::remember(int op, Bytes& in) {
  const auto put = [&](uint64_t place) { memo_[place] = top(); };
  const auto get = [&](uint64_t place) {
    const auto found = memo_.find(place);
    if (found == memo_.end()) fail("it takes back what it never kept");
    stack_.push_back(found->second);
  };
  switch (op) {
    case pickle::kBinPut:
      return put(in.number(1)), true;
    case pickle::kLongBinPut:
      return put(in.number(4)), true;
    case pickle::kMemoize:
      return put(memo_.size()), true;
    case pickle::kBinGet:
      return get(in.number(1)), true;
    case pickle::kLongBinGet:
      return get(in.number(4)), true;
    default:
      return false;
  }
}

bool Unpickler::make_object(int op, Bytes& in) {
  switch (op) {
    case pickle::kGlobal: {
      const std::string module = in.line();
      push_global(module, in.line());
      return true;
    }
    case pickle::kStackGlobal: {
      const Id name = pop(), module = pop();
      push_global(text_of(module), text_of(name));
      return true;
    }
    case pickle::kReduce:
    case pickle::kNewObj: {
      const Id arguments = pop(), function = pop();
      call(function, arguments);
      return true;
    }
    case pickle::kBuild: {
      const Id state = pop();
      build_state(top(), state);
      return true;
    }
    case pickle::kBinPersId:
      persistent(pop());
      return true;
    default:
      return false;
  }
}

std::vector<Unpickler::Id> Unpickler::items_of(Id id) {
  count(nodes_[id].items.size());
  return nodes_[id].items;
}

const std::string& Unpickler::text_of(Id id) const {
  const Node& node = nodes_[id];
  if (node.form != Form::kLeaf || !node.leaf.isString()) fail("text was expected");
  return node.leaf.toStringRef();
}

int64_t Unpickler::integer_of(Id id) const {
  const Node& node = nodes_[id];
  if (node.form != Form::kLeaf || !node.leaf.isInt()) fail("an integer was expected");
  return node.leaf.toInt();
}

std::vector<int64_t> Unpickler::integers_of(Id id) const {
  const Node& node = nodes_[id];
  if (node.form != Form::kTuple && node.form != Form::kList) fail("a tuple of integers was expected");
  std::vector<int64_t> out;
  for (const Id item : node.items) out.push_back(integer_of(item));
  return out;
}

}  // namespace strata::serialize
