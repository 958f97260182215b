// Reading the tables of files, and parts of tensors by them.
#include "distributed/checkpoint_table.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/grad_mode.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/file.h"

namespace strata::distributed::checkpoint {
namespace {

using Json = nlohmann::json;
constexpr const char* kShardingInfo = "DCP_SHARDING_INFO";
constexpr const char* kSavedOffsets = "saved_offsets";
constexpr int64_t kLargest = INT64_MAX / 4;  // sums of two are numbers still

Sizes offsets_of(const Json& info, const serialize::Entry& e, const std::string& file) {
  if (info.is_null()) return Sizes(e.shape.size(), 0);
  const bool is_there = info.contains(e.key) && info[e.key].is_object() && info[e.key].contains(kSavedOffsets) &&
                        info[e.key][kSavedOffsets].is_array();
  STRATA_CHECK(is_there, "'{}': {} does not say where '{}' lies", file, kShardingInfo, e.key);
  Sizes offsets;
  for (const Json& value : info[e.key][kSavedOffsets]) {
    const bool fits = value.is_number_unsigned() && value.get<uint64_t>() <= kLargest;
    STRATA_CHECK(fits, "'{}': tensor '{}' has a bad offset", file, e.key);
    offsets.push_back(value.get<int64_t>());
  }
  const bool is_small = std::all_of(e.shape.begin(), e.shape.end(), [](int64_t n) { return n <= kLargest; });
  STRATA_CHECK(offsets.size() == e.shape.size() && is_small, "'{}': tensor '{}' has {} dims and {} offsets", file,
               e.key, e.shape.size(), offsets.size());
  return offsets;
}

/// Reads short runs that lie close together at once.
class Window {
 public:
  explicit Window(serialize::Source& source) : source_(source) {}
  /// `stride` bytes lie from one run's start to the next one's, and the last one ends at `end`.
  void read(uint64_t at, char* to, uint64_t bytes, uint64_t stride, uint64_t end) {
    if (bytes >= kWindow / 4 || stride > bytes * 8) return source_.read(at, to, bytes);
    if (at < begin_ || at + bytes > begin_ + buffer_.size()) {
      buffer_.resize(std::min(kWindow, end - at));
      begin_ = at;
      source_.read(at, buffer_.data(), buffer_.size());
    }
    std::memcpy(to, buffer_.data() + (at - begin_), bytes);
  }

 private:
  static constexpr uint64_t kWindow = 1 << 20;
  serialize::Source& source_;
  std::vector<char> buffer_;
  uint64_t begin_ = 0;
};

/// The numbers of a box that lies in a chunk, row by row.
class PartReader {
 public:
  PartReader(serialize::Source& source, const Chunk& chunk, const Box& part, uint64_t item_size)
      : window_(source), chunk_(chunk), part_(part) {
    strides_.assign(part.shape.size(), item_size);
    for (size_t d = part.shape.size(); d-- > 1;)
      strides_[d - 1] = strides_[d] * static_cast<uint64_t>(chunk.box.shape[d]);
    // Dims that are there in full, and the one before them, are one run of bytes.
    run_dim_ = part.shape.size();
    run_ = item_size;
    while (run_dim_ > 0) {
      --run_dim_;
      run_ *= static_cast<uint64_t>(part.shape[run_dim_]);
      if (part.shape[run_dim_] != chunk.box.shape[run_dim_]) break;
    }
    last_end_ = chunk.position + run_;
    for (size_t d = 0; d < part.shape.size(); ++d)
      last_end_ += strides_[d] * static_cast<uint64_t>(offset(d) + (d < run_dim_ ? part.shape[d] - 1 : 0));
  }
  void read(char* to) {
    to_ = to;
    descend(0, chunk_.position);
  }

 private:
  int64_t offset(size_t dim) const { return part_.offsets[dim] - chunk_.box.offsets[dim]; }
  void descend(size_t dim, uint64_t at) {
    if (dim == part_.shape.size() || dim == run_dim_) {
      for (size_t d = dim; d < part_.shape.size(); ++d) at += strides_[d] * static_cast<uint64_t>(offset(d));
      window_.read(at, to_, run_, run_dim_ > 0 ? strides_[run_dim_ - 1] : run_, last_end_);
      to_ += run_;
      return;
    }
    for (int64_t i = 0; i < part_.shape[dim]; ++i)
      descend(dim + 1, at + strides_[dim] * static_cast<uint64_t>(offset(dim) + i));
  }

  Window window_;
  const Chunk& chunk_;
  const Box& part_;
  std::vector<uint64_t> strides_;
  size_t run_dim_;
  uint64_t run_, last_end_;
  char* to_ = nullptr;
};

void make_bools(const Tensor& t) {
  for (int64_t i = 0; i < t.numel(); ++i) t.bytes()[i] = t.bytes()[i] != 0;  // others have no meaning in C++
}

/// What a chunk has of the item's tensor.
void read_chunk(serialize::Source& source, DType dtype, const Chunk& chunk, const Item& item) {
  const Box part = intersection(chunk.box, item.box);
  if (part.numel() == 0) return;
  const NoGradGuard no_grad;
  const Tensor values = empty(part.shape, dtype);
  PartReader(source, chunk, part, item_size(dtype)).read(static_cast<char*>(values.data_ptr()));
  if (dtype == kBool) make_bools(values);
  part_of(item.tensor.detach(), item.box, part).copy_(values);
}

}  // namespace

bool TableEntry::is_integral() const { return strata::is_integral(dtype, /*include_bool=*/true); }

std::string Table::describe(size_t index) const {
  const std::string& path = files_[index];
  serialize::FileSource source(path);
  const serialize::Header header = serialize::read_header(source);
  Json info;
  if (const std::string* const text = header.text.find(kShardingInfo)) {
    info = Json::parse(*text, nullptr, false);
    STRATA_CHECK(info.is_object(), "'{}': {} is not a JSON object", path, kShardingInfo);
  }
  Json rows = Json::array();
  for (const serialize::Entry& e : header.entries)
    rows.push_back(
        {index, e.key, static_cast<int>(e.dtype), offsets_of(info, e, path), e.shape, header.data_start + e.begin});
  return rows.dump();
}

void Table::add(const std::string& description) {
  for (const Json& row : Json::parse(description)) {
    const Box box{row[3].get<Sizes>(), row[4].get<Sizes>()};
    const auto dtype = static_cast<DType>(row[2].get<int>());
    const auto name = row[1].get<std::string>();
    auto& entry = entries_.try_emplace(name, TableEntry{dtype, box.shape, {}}).first->second;
    STRATA_CHECK(entry.dtype == dtype && entry.sizes.size() == box.shape.size(),
                 "checkpoint: '{}' has tensor '{}' in another dtype or number of dims than other files",
                 files_[row[0].get<size_t>()], name);
    for (size_t d = 0; d < box.shape.size(); ++d)
      entry.sizes[d] = std::max(entry.sizes[d], box.offsets[d] + box.shape[d]);
    entry.chunks.push_back({box, row[0].get<size_t>(), row[5].get<uint64_t>()});
  }
}

const TableEntry* Table::find(const std::string& name) const {
  const auto at = entries_.find(name);
  return at == entries_.end() ? nullptr : &at->second;
}

std::vector<std::string> Table::names_below(const std::string& prefix) const {
  std::vector<std::string> names;
  for (auto at = entries_.lower_bound(prefix); at != entries_.end() && at->first.starts_with(prefix); ++at)
    names.push_back(at->first.substr(prefix.size()));
  return names;
}

const TableEntry& Table::at(const std::string& name) const {
  const TableEntry* const entry = find(name);
  STRATA_CHECK(entry, "the checkpoint has no tensor '{}'", name);
  std::vector<Box> boxes;
  for (const Chunk& chunk : entry->chunks) boxes.push_back(chunk.box);
  check_cover(name, entry->sizes, boxes);
  return *entry;
}

void Table::check(const Item& item) const {
  const TableEntry& entry = at(item.name);
  STRATA_CHECK(entry.sizes == item.sizes, "tensor '{}' has shape {} in the checkpoint, {} here", item.name,
               IntArrayRef(entry.sizes), IntArrayRef(item.sizes));
}

void Table::read(const Item& item) const {
  for (const Chunk& chunk : find(item.name)->chunks) {
    if (intersection(chunk.box, item.box).numel() == 0) continue;
    serialize::FileSource source(files_[chunk.file]);
    read_chunk(source, find(item.name)->dtype, chunk, item);
  }
}

void Table::read_from(serialize::Source& source, size_t index, const Item& item) const {
  for (const Chunk& chunk : find(item.name)->chunks)
    if (chunk.file == index) read_chunk(source, find(item.name)->dtype, chunk, item);
}

// ---- What is written by whom ----------------------------------------------------------------------------------------

std::string describe(const std::vector<Item>& items) {
  Json rows = Json::array();
  for (const Item& item : items)
    rows.push_back({item.name, static_cast<int>(item.tensor.dtype()), item.sizes, item.box.offsets, item.box.shape,
                    item.is_lowest});
  return rows.dump();
}

namespace {

struct Part {
  std::string name;
  Box box;
  bool is_lowest;
  uint64_t bytes;
  std::vector<std::pair<size_t, size_t>> holders = {};  ///< rank and item
};

struct Known {
  int dtype;
  Sizes sizes;
  size_t rank;
  std::vector<Box> boxes = {};
};

class Assignment {
 public:
  void add(size_t rank, const Json& rows) {
    for (size_t i = 0; i < rows.size(); ++i) {
      const Json& row = rows[i];
      const auto name = row[0].get<std::string>();
      const Box box{row[3].get<Sizes>(), row[4].get<Sizes>()};
      const auto dtype = row[1].get<int>();
      Known& known = known_.try_emplace(name, Known{dtype, row[2].get<Sizes>(), rank}).first->second;
      STRATA_CHECK(known.dtype == dtype && known.sizes == row[2].get<Sizes>(),
                   "checkpoint: ranks {} and {} have tensor '{}' in other shapes or dtypes", known.rank, rank, name);
      const auto [at, is_new] = index_.try_emplace({name, box.offsets, box.shape}, parts_.size());
      if (is_new) {
        const uint64_t bytes = static_cast<uint64_t>(box.numel()) * item_size(static_cast<DType>(dtype));
        parts_.push_back({name, box, row[5].get<bool>(), bytes});
        known.boxes.push_back(box);
      }
      auto& holders = parts_[at->second].holders;
      STRATA_CHECK(holders.empty() || holders.back().first != rank, "checkpoint: two tensors are named '{}'", name);
      holders.emplace_back(rank, i);
    }
  }
  std::vector<std::vector<size_t>> share_out(size_t ranks) {
    for (const auto& [name, known] : known_) check_cover(name, known.sizes, known.boxes);
    std::stable_sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.bytes > b.bytes; });
    std::vector<std::vector<size_t>> items(ranks);
    std::vector<uint64_t> bytes(ranks, 0);
    for (const Part& part : parts_) {
      auto writer = part.holders.front();
      for (const auto& holder : part.holders)
        if (!part.is_lowest && bytes[holder.first] < bytes[writer.first]) writer = holder;
      items[writer.first].push_back(writer.second);
      bytes[writer.first] += part.bytes;
    }
    for (auto& list : items) std::sort(list.begin(), list.end());
    return items;
  }

 private:
  std::map<std::string, Known> known_;
  std::map<std::tuple<std::string, Sizes, Sizes>, size_t> index_;
  std::vector<Part> parts_;
};

}  // namespace

std::vector<std::vector<size_t>> assign(const Texts& descriptions) {
  std::vector<Json> tables;
  for (const std::string& text : descriptions.distinct()) tables.push_back(Json::parse(text));
  Assignment assignment;
  for (size_t rank = 0; rank < descriptions.size(); ++rank) assignment.add(rank, tables[descriptions.place(rank)]);
  return assignment.share_out(descriptions.size());
}

std::vector<std::vector<const Item*>> by_files(const std::vector<Item>& items, const std::vector<size_t>& own) {
  std::map<std::string, size_t> seen;
  std::vector<std::vector<const Item*>> files;
  for (const size_t i : own) {
    const size_t file = seen[items[i].name]++;
    if (files.size() <= file) files.resize(file + 1);
    files[file].push_back(&items[i]);
  }
  return files;
}

std::string describe_memory(size_t index, const std::vector<const Item*>& items) {
  Json rows = Json::array();
  uint64_t position = 0;
  for (const Item* const item : items) {
    rows.push_back(
        {index, item->name, static_cast<int>(item->tensor.dtype()), item->box.offsets, item->box.shape, position});
    position += static_cast<uint64_t>(item->box.numel()) * item_size(item->tensor.dtype());
  }
  return rows.dump();
}

OrderedDict<std::string, std::string> metadata_of(const std::vector<const Item*>& items) {
  Json info = Json::object();
  for (const Item* const item : items) info[item->name] = {{kSavedOffsets, item->box.offsets}};
  return {{kShardingInfo, info.dump()}, {"DCP_VERSION", "1.0"}, {"format", "pt"}};
}

std::string shard_name(int64_t rank, size_t file, size_t files) {
  const auto five = [](uint64_t n) {
    const std::string digits = std::to_string(n);
    return std::string(digits.size() < 5 ? 5 - digits.size() : 0, '0') + digits;
  };
  return "shard-" + five(static_cast<uint64_t>(rank) + 1) + "-model-" + five(file + 1) + "-of-" + five(files) +
         ".safetensors";
}

}  // namespace strata::distributed::checkpoint
