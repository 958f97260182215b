// The two containers of torch.save: zip archives of a pickle and its storages, and the older stream of pickles.
#include "ops/pickle.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "ops/file.h"
#include "ops/file_layout.h"
#include "ops/pickler.h"
#include "ops/unpickler.h"
#include "ops/zip.h"

namespace strata {
namespace serialize {

namespace {

/// The number with which files of the older format begin, as a pickle.
const std::string kMagic("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", 15);

/// Unpacked bytes of a zip archive's data.pkl, which describes tensors and holds none: a packed one of a few bytes may
/// claim a thousand times as many.
constexpr uint64_t kMostPickle = 64 << 20;

Storage storage_for(const StorageId& id, uint64_t available, const std::string& name) {
  STRATA_CHECK(id.bytes() <= available, "load: {} is truncated or corrupt: storage '{}' needs {} bytes, {} are there",
               name, id.key, id.bytes(), available);
  return Storage::adopt(StorageImpl::create(id.bytes()));
}

/// The folder in the archive that everything is in, "archive/" or the file's name.
std::string folder_of(const ZipReader& zip) {
  const std::string pickle = "data.pkl";
  for (const ZipRecord& r : zip.records())
    if (r.name == pickle || r.name.ends_with("/" + pickle)) return r.name.substr(0, r.name.size() - pickle.size());
  STRATA_THROW("load: {} is a zip archive, but none of PyTorch: it has no data.pkl", zip.source_name());
}

Value read_zip(Source& source) {
  ZipReader zip(source);
  const std::string folder = folder_of(zip);
  if (const ZipRecord* order = zip.find(folder + "byteorder"))
    STRATA_CHECK(order->size <= 16 && zip.read(*order) == "little", "load: {} is of a big-endian machine",
                 source.name());
  const ZipRecord& record = *zip.find(folder + "data.pkl");
  STRATA_CHECK(record.size <= kMostPickle, "load: {}: its data.pkl has {} bytes, at most {} are read", source.name(),
               record.size, kMostPickle);
  const std::string pickle = zip.read(record);
  Unpickler reader(source.name());
  size_t at = 0;
  reader.parse(pickle, at);
  return reader.build([&](const StorageId& id) {
    const ZipRecord* data = zip.find(folder + "data/" + id.key);
    STRATA_CHECK(data != nullptr, "load: {} has no storage '{}'", source.name(), id.key);
    STRATA_CHECK(data->size == id.bytes(), "load: {} is corrupt: storage '{}' has {} bytes in place of {}",
                 source.name(), id.key, data->size, id.bytes());
    Storage storage = storage_for(id, data->size, source.name());
    zip.read(*data, storage->data());
    return storage;
  });
}

/// Magic number, protocol, the machine it was written on, the value, the keys of the storages, and then each storage's
/// number of elements and bytes.
Value read_stream(Source& source) {
  std::string bytes(source.size(), '\0');
  source.read(0, bytes.data(), bytes.size());
  size_t at = kMagic.size();
  const StorageReader none = [&](const StorageId&) -> Storage {
    STRATA_THROW("load: {} is corrupt: a tensor stands in its header", source.name());
  };
  Unpickler header(source.name()), reader(source.name());
  header.parse(bytes, at);
  header.parse(bytes, at);
  const Value machine = header.build(none);
  const Value* little = machine.isGenericDict() ? machine.toGenericDict().find("little_endian") : nullptr;
  STRATA_CHECK(!little || !little->isBool() || little->toBool(), "load: {} is of a big-endian machine", source.name());
  reader.parse(bytes, at);
  header.parse(bytes, at);
  const std::vector<std::string> keys = header.build(none).to<std::vector<std::string>>();

  const auto wanted = reader.storages();
  std::unordered_map<std::string, uint64_t> places;
  for (const std::string& key : keys) {
    const auto found = wanted.find(key);
    STRATA_CHECK(found != wanted.end(), "load: {} is corrupt: it has an unknown storage '{}'", source.name(), key);
    const StorageId& id = found->second;
    STRATA_CHECK(bytes.size() - at >= 8 && id.bytes() <= bytes.size() - at - 8, "load: {} is truncated in storage '{}'",
                 source.name(), key);
    const uint64_t count = little_endian(bytes.data() + at, 8);
    STRATA_CHECK(count == id.count, "load: {} is corrupt: storage '{}' has {} elements in place of {}", source.name(),
                 key, count, id.count);
    places[key] = at + 8;
    at += 8 + id.bytes();
  }
  return reader.build([&](const StorageId& id) {
    const auto place = places.find(id.key);
    STRATA_CHECK(place != places.end(), "load: {} is truncated: storage '{}' is missing", source.name(), id.key);
    Storage storage = storage_for(id, bytes.size() - place->second, source.name());
    if (id.bytes() > 0) std::memcpy(storage->data(), bytes.data() + place->second, id.bytes());
    return storage;
  });
}

/// Puts what is written behind what is there.
class MemorySink : public Sink {
 public:
  void write(const char* data, uint64_t bytes) override { out.insert(out.end(), data, data + bytes); }
  std::vector<char> out;
};

}  // namespace

bool is_pickle(Source& source) {
  if (is_zip(source)) return true;
  if (source.size() < kMagic.size()) return false;
  std::string start(kMagic.size(), '\0');
  source.read(0, start.data(), start.size());
  return start == kMagic;
}

Value read_pickle(Source& source) {
  STRATA_CHECK(is_pickle(source), "load: {} is no file of torch.save", source.name());
  return is_zip(source) ? read_zip(source) : read_stream(source);
}

void write_pickle(const Value& value, Sink& sink) {
  Pickler pickler;
  const std::string pickle = pickler.pickle(value);
  ZipWriter zip(sink);
  zip.add("archive/data.pkl", pickle);
  zip.add("archive/byteorder", "little");
  const std::vector<Tensor>& storages = pickler.storages();
  for (size_t i = 0; i < storages.size(); ++i) {
    const Tensor& t = storages[i];
    zip.add("archive/data/" + std::to_string(i), t.numel() > 0 ? t.bytes() : nullptr, t.nbytes());
  }
  zip.add("archive/version", "3\n");
  zip.finish();
}

}  // namespace serialize

std::vector<char> pickle_save(const Value& value) {
  serialize::MemorySink sink;
  serialize::write_pickle(value, sink);
  return std::move(sink.out);
}

Value pickle_load(const std::vector<char>& data) {
  serialize::MemorySource source(data.data(), data.size(), "the buffer");
  return serialize::read_pickle(source);
}

void save_pt(const Value& value, const std::string& path) {
  serialize::write_whole_file(path, [&](serialize::Sink& sink) { serialize::write_pickle(value, sink); });
}

Value load_pt(const std::string& path) {
  serialize::FileSource source(path);
  return serialize::read_pickle(source);
}

}  // namespace strata
