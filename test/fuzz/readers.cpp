// A libFuzzer target for each reader of foreign bytes; STRATA_FUZZ_READER names the one that runs. A reader may refuse
// by an exception; what the sanitizers see, a hang and memory without bound are faults. script/fuzz builds and runs it.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>

#include "data/csv.h"
#include "data/idx.h"
#include "data/image.h"
#include "exchange/program_file.h"
#include "exchange/pt2.h"
#include "exchange/pt2_graph.h"
#include "ops/binary.h"
#include "ops/creation.h"
#include "ops/pickle.h"
#include "ops/serialize.h"
#include "ops/tensor_files.h"
#include "rendezvous/tcp_server.h"
#include "transforms/trace.h"

using namespace strata;

namespace {

using Bytes = std::string;
struct Reader {
  std::function<void(const Bytes&)> read;
  std::function<void(const std::string& path)> write_seed;
};

/// A file in memory that holds `bytes`, for readers that take paths.
class MemoryFile {
 public:
  explicit MemoryFile(const Bytes& bytes) : fd_(memfd_create("fuzz", 0)) {
    if (write(fd_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

TensorMap some_tensors() {
  TensorMap map;
  map.insert("weight", ones({2, 3}));
  map.insert("steps", zeros({}, kLong));
  return map;
}

void write_text(const std::string& path, const Bytes& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

/// In two of the modes, of which the bytes' number chooses one.
void read_picture(const Bytes& bytes) {
  data::decode_image(bytes, bytes.size() % 2 ? data::ImageMode::kUnchanged : data::ImageMode::kGrayAlpha);
}

/// One of the files of test/data/make_pictures.py.
Bytes picture(const std::string& name) {
  const Tensor file = load_file("test/data/pictures.safetensors")[name + ".file"];
  return {reinterpret_cast<const char*>(file.data_ptr<uint8_t>()), static_cast<size_t>(file.numel())};
}

/// Sends `bytes` to a store's server that serves whoever connects, and waits until it has had enough of them.
void send_to_store(const Bytes& bytes) {
  static rendezvous::TcpServer& server = *new rendezvous::TcpServer([] {
    rendezvous::ServerOptions options;
    options.plain = true;
    options.max_bytes = 64 << 20;
    ::siginterrupt(SIGALRM, 0);  // libFuzzer's clock, which would end a connection that is being made
    return options;
  }());
  const int client = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(server.port());
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    std::perror("fuzz: no connection to the store");
    std::abort();
  }
  (void)!::send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  ::shutdown(client, SHUT_WR);
  char answer[4096];
  while (::recv(client, answer, sizeof answer, 0) > 0) {
  }
  ::close(client);
}

const std::map<std::string, Reader>& readers() {
  static const std::map<std::string, Reader> all = {
      {"safetensors",
       {[](const Bytes& bytes) { load_file(MemoryFile(bytes).path()); },
        [](const std::string& path) { save_file(some_tensors(), path); }}},
      {"npy",
       {[](const Bytes& bytes) { load_npy(MemoryFile(bytes).path()); },
        [](const std::string& path) {
          save_npy(ones({2, 3}), path);
        }}},
      {"npz",
       {[](const Bytes& bytes) { load_npz(MemoryFile(bytes).path()); },
        [](const std::string& path) { save_npz(some_tensors(), path); }}},
      {"pickle",
       {[](const Bytes& bytes) {
          pickle_load({bytes.begin(), bytes.end()});
        },
        [](const std::string& path) {
          save_pt(Value(ones({2, 3})), path);
        }}},
      {"archive",
       {[](const Bytes& bytes) {
          Tensor tensor;
          load(tensor, bytes.data(), bytes.size());
        },
        [](const std::string& path) {
          save(ones({2, 3}), path);
        }}},
      {"program",
       {[](const Bytes& bytes) { func::Program::load(bytes.data(), bytes.size()); },
        [](const std::string& path) {
          const auto traced = func::trace([](Tensor x) { return x * x; })(ones({2, 3}));
          save(traced, path);
        }}},
      {"csv",
       {[](const Bytes& bytes) {
          std::istringstream stream(bytes);
          data::read_csv(stream);
        },
        [](const std::string& path) { write_text(path, "a,b\n1,2.5\n\"x, \"\"y\"\"\",-3e7\n"); }}},
      {"idx",
       {[](const Bytes& bytes) {
          // Unpacking a gibibyte of zeros is no fault, but would be all that the fuzzer does.
          data::idx::parse(bytes, "fuzz", bytes.size() % 2 ? 1 : 3, 1 << 20);
        },
        [](const std::string& path) {
          write_text(path, Bytes("\0\0\x08\x01\0\0\0\x04"
                                 "abcd",
                                 12));
        }}},
      {"pt2_graph",
       {[](const Bytes& bytes) { pt2::parse_model(bytes, "fuzz"); },
        [](const std::string& path) {
          write_text(path, R"({"graph_module":{"graph":{"inputs":[],"outputs":[],"nodes":[],"tensor_values":{}},)"
                           R"("signature":{"input_specs":[],"output_specs":[]}},"schema_version":{"major":8}})");
        }}},
      {"pt2_payloads",
       {[](const Bytes& bytes) { pt2::parse_payloads(bytes, "fuzz"); },
        [](const std::string& path) { write_text(path, R"({"config":{"w":{"path_name":"weight_0"}}})"); }}},
      {"pt2",
       {[](const Bytes& bytes) { load_pt2(MemoryFile(bytes).path()); },
        [](const std::string& path) {
          std::filesystem::copy_file("test/exchange/data/cond.pt2", path,
                                     std::filesystem::copy_options::overwrite_existing);
        }}},
      {"png",
       {read_picture,
        [](const std::string& path) {
          data::write_png(path, ones({3, 2, 2}, kUInt8));
        }}},
      {"jpeg",
       {read_picture,
        [](const std::string& path) {
          data::write_jpeg(path, ones({3, 9, 9}, kUInt8));
        }}},
      {"gif", {read_picture, [](const std::string& path) { write_text(path, picture("gif")); }}},
      {"bmp", {read_picture, [](const std::string& path) { write_text(path, picture("bmp")); }}},
      {"pnm", {read_picture, [](const std::string& path) { write_text(path, picture("ppm_16")); }}},
      {"store",
       {send_to_store,
        [](const std::string& path) {
          // A client of torch greets, sets key "/a" to "b" and asks for it.
          write_text(path,
                     Bytes("\x00\xCE\xF7\x85\x3C\x01\2\0\0\0\0\0\0\0/a\1\0\0\0\0\0\0\0b\3\2\0\0\0\0\0\0\0/a", 37));
        }}},
  };
  return all;
}

const Reader* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  if (const char* folder = std::getenv("STRATA_FUZZ_SEEDS")) {
    for (const auto& [name, reader] : readers()) {
      reader.write_seed(std::string(folder) + "/" + name);
      std::puts(name.c_str());
    }
    std::fflush(nullptr);
    std::_Exit(0);
  }
  const char* name = std::getenv("STRATA_FUZZ_READER");
  const auto found = readers().find(name ? name : "");
  if (found == readers().end()) {
    std::fprintf(stderr, "fuzz: STRATA_FUZZ_READER=%s names no reader\n", name ? name : "");
    std::exit(2);
  }
  chosen = &found->second;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    chosen->read(Bytes(reinterpret_cast<const char*>(data), size));
  } catch (const std::exception&) {  // is how readers refuse
  }
  return 0;
}
