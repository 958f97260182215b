// Reads a .pt2 archive: a zip of the graph's JSON and of weights as raw bytes (torch/export/pt2_archive).
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "core/error.h"
#include "exchange/pt2_graph.h"
#include "ops/cast.h"
#include "ops/file.h"
#include "ops/file_layout.h"
#include "ops/view.h"
#include "ops/zip.h"

namespace strata::pt2 {
namespace {

using serialize::ZipReader;
using serialize::ZipRecord;

/// Bytes of a graph's text, which takes several times as many in memory; the largest models have some 50 MiB. PyTorch
/// packs nothing, so what is packed is of another hand, and may unpack to a thousand times what it takes in the file.
constexpr uint64_t kMostJson = 512 << 20, kMostPackedJson = 16 << 20;
constexpr uint64_t kMostShared = 8;  ///< how many times as large as their records all tensors may be together

/// Where a model lies in an archive: in `folder`, under `name`.
struct Place {
  std::string folder, name;
};

Place find_model(const ZipReader& zip) {
  const std::string models = "models/", ending = ".json";
  std::vector<Place> found;
  for (const ZipRecord& r : zip.records()) {
    const size_t at = r.name.find(models);
    if (at == r.name.npos || (at > 0 && r.name[at - 1] != '/') || !r.name.ends_with(ending)) continue;
    const size_t begin = at + models.size();
    found.push_back({r.name.substr(0, at), r.name.substr(begin, r.name.size() - begin - ending.size())});
  }
  STRATA_CHECK(!found.empty(),
               "load_pt2: {} has no models/NAME.json: it is none of torch.export, or older than torch 2.8",
               zip.source_name());
  STRATA_CHECK(found.size() == 1, "load_pt2: {} holds {} models, '{}' and '{}' among them; save one per file",
               zip.source_name(), found.size(), found[0].name, found[1].name);
  return found[0];
}

std::string text_of(ZipReader& zip, const std::string& name) {
  const ZipRecord* const record = zip.find(name);
  STRATA_CHECK(record != nullptr, "load_pt2: {} has no '{}'", zip.source_name(), name);
  const uint64_t most = record->deflated ? kMostPackedJson : kMostJson;
  STRATA_CHECK(record->size <= most, "load_pt2: {}: '{}' has {} bytes, at most {} are read", zip.source_name(), name,
               record->size, most);
  return zip.read(*record);
}

/// The elements that a layout reaches, from the record's first on; none where it overflows.
std::optional<int64_t> extent(const Layout& l) {
  int64_t last = l.offset;
  for (size_t i = 0; i < l.sizes.size(); ++i) {
    int64_t span = 0;
    if (l.sizes[i] == 0) return 0;
    if (__builtin_mul_overflow(l.sizes[i] - 1, l.strides[i], &span) || __builtin_add_overflow(last, span, &last))
      return std::nullopt;
  }
  return last < INT64_MAX ? std::optional(last + 1) : std::nullopt;
}

/// How many elements a tensor has, where that can be counted.
std::optional<int64_t> count(const Layout& l) {
  int64_t n = 1;
  for (const int64_t size : l.sizes)
    if (__builtin_mul_overflow(n, size, &n)) return std::nullopt;
  return n;
}

/// Reads tensors. Those that share a record and a layout are one tensor, as they were in Python.
class WeightReader {
 public:
  explicit WeightReader(ZipReader& zip) : zip_(zip) {
    for (const ZipRecord& r : zip.records()) left_ += kMostShared * r.size;
  }

  Tensor read(const std::string& folder, const Payload& payload) {
    const std::string record = folder + payload.record;
    const Layout& layout = payload.layout;
    std::vector<Known>& known = known_[record];
    for (const Known& k : known)
      if (k.layout == layout) return k.tensor;
    Tensor t = values(record, zip_.find(record), layout);
    t.requires_grad_(layout.requires_grad);
    known.push_back({layout, t});
    return t;
  }

 private:
  struct Known {
    Layout layout;
    Tensor tensor;
  };

  Tensor values(const std::string& name, const ZipRecord* record, const Layout& layout) {
    const std::optional<int64_t> elements = count(layout), reach = extent(layout);
    STRATA_CHECK(elements && reach, "load_pt2: a tensor of shape {} is too large", layout.sizes);
    if (*elements == 0) return empty_cpu(layout.sizes, layout.dtype);
    STRATA_CHECK(record != nullptr, "load_pt2: the file has no '{}'", name);
    const auto there = static_cast<int64_t>(record->size / item_size(layout.dtype));
    STRATA_CHECK(*reach <= there && *elements <= there && record->size % item_size(layout.dtype) == 0,
                 "load_pt2: '{}' has {} bytes, a tensor of shape {} and {} needs {} elements", name, record->size,
                 layout.sizes, strata::name(layout.dtype), *reach);
    const uint64_t bytes = static_cast<uint64_t>(*elements) * item_size(layout.dtype);
    STRATA_CHECK(bytes <= left_, "load_pt2: too many tensors share the record '{}'", name);
    left_ -= bytes;
    const bool whole = layout.offset == 0 && *elements == there && layout.strides == contiguous_strides(layout.sizes);
    Tensor flat = whole ? empty_cpu(layout.sizes, layout.dtype) : empty_cpu(there, layout.dtype);
    zip_.read(*record, flat.bytes());
    if (layout.dtype == kBool) serialize::make_bools(flat.bytes(), record->size);
    return whole ? flat : clone(as_strided(flat, layout.sizes, layout.strides, layout.offset));
  }

  ZipReader& zip_;
  std::unordered_map<std::string, std::vector<Known>> known_;  ///< by record
  uint64_t left_ = 0;                                          ///< bytes that tensors may still take
};

}  // namespace

Model read_model(const std::string& path) {
  serialize::FileSource source(path);
  ZipReader zip(source);
  const Place place = find_model(zip);
  if (const ZipRecord* order = zip.find(place.folder + "byteorder"))
    STRATA_CHECK(order->size <= 16 && zip.read(*order) == "little", "load_pt2: {} is of a big-endian machine", path);
  const std::string graph = place.folder + "models/" + place.name + ".json";
  Model model = parse_model(text_of(zip, graph), zip.source_name() + ": " + graph);
  WeightReader reader(zip);
  for (const char* kind : {"weights", "constants"}) {
    const std::string folder = place.folder + "data/" + kind + "/";
    const std::string config = folder + place.name + "_" + kind + "_config.json";
    if (!zip.find(config)) continue;
    for (const Payload& p : parse_payloads(text_of(zip, config), zip.source_name() + ": " + config))
      model.tensors.emplace(p.name, reader.read(folder, p));
  }
  return model;
}

}  // namespace strata::pt2
