// Each call on files is looked up in the C library behind this program, and passed on unless its turn has come.
#include "test/distributed/workers/file_faults.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <string_view>

namespace strata {
namespace {

struct Watch {
  std::mutex mutex;
  std::string folder;  ///< empty: nothing is watched
  int64_t call = 0, made = 0;
  Fault fault = Fault::kNone;
  std::map<std::string, int64_t> by_name;
  std::string failed;
  std::array<bool, 1024> is_ours = {};  ///< descriptors of files in the folder
};

Watch& watch() {
  static auto* const watch = new Watch;
  return *watch;
}

bool is_ours(int fd) { return fd >= 0 && static_cast<size_t>(fd) < watch().is_ours.size() && watch().is_ours[fd]; }
bool is_ours(const char* path) { return !watch().folder.empty() && std::string_view(path).starts_with(watch().folder); }
bool is_ours(int at, const char* path) { return path[0] == '/' ? is_ours(path) : is_ours(at); }

int opened(int fd, bool ours) {
  if (fd >= 0 && static_cast<size_t>(fd) < watch().is_ours.size()) watch().is_ours[fd] = ours;
  return fd;
}

/// Counts a call, and says what is to happen to it. One that needs space is one that a full disk refuses.
Fault count(const char* name, bool needs_space) {
  Watch& w = watch();
  const std::lock_guard lock(w.mutex);
  ++w.by_name[name];
  const int64_t number = ++w.made;
  const bool is_its_turn = w.fault == Fault::kFull ? number >= w.call && needs_space : number == w.call;
  if (is_its_turn) w.failed = name;
  return is_its_turn ? w.fault : Fault::kNone;
}

/// Whether the call is refused; does not return where the process is to die.
bool is_refused(const char* name, bool needs_space = false) {
  const Fault fault = count(name, needs_space);
  if (fault == Fault::kKill) raise(SIGKILL);
  if (fault == Fault::kError) errno = EIO;
  if (fault == Fault::kFull) errno = ENOSPC;
  return fault == Fault::kError || fault == Fault::kFull;
}

template <class F>
F* next(F*, const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

void arm(const std::string& folder, int64_t call, Fault fault) {
  watch().folder = folder, watch().call = call, watch().fault = fault;
}
int64_t calls_made() { return watch().made; }
std::string failed_call() { return watch().failed; }
std::map<std::string, int64_t> calls_by_name() { return watch().by_name; }

}  // namespace strata

using namespace strata;

extern "C" {

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  const bool creates = (flags & O_CREAT) != 0;
  if (is_ours(path) && is_refused(creates ? "create" : "open", creates)) return -1;
  return opened(next(&open, "open")(path, flags, mode), is_ours(path));
}

int openat(int at, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  const bool ours = is_ours(at, path);
  if (ours && is_refused("openat", (flags & O_CREAT) != 0)) return -1;
  return opened(next(&openat, "openat")(at, path, flags, mode), ours);
}

ssize_t write(int fd, const void* data, size_t bytes) {
  const auto write_on = [&](size_t n) { return next(&write, "write")(fd, data, n); };
  if (!is_ours(fd)) return write_on(bytes);
  const Fault fault = count("write", true);
  if (fault == Fault::kNone) return write_on(bytes);
  if (fault == Fault::kShort) return write_on((bytes + 1) / 2);
  if (fault == Fault::kKill) write_on(bytes / 2), raise(SIGKILL);
  errno = fault == Fault::kFull ? ENOSPC : EIO;
  return -1;
}

ssize_t pread(int fd, void* to, size_t bytes, off_t offset) {
  return is_ours(fd) && is_refused("pread") ? -1 : next(&pread, "pread")(fd, to, bytes, offset);
}

int fsync(int fd) { return is_ours(fd) && is_refused("fsync") ? -1 : next(&fsync, "fsync")(fd); }

int close(int fd) {
  const bool refused = is_ours(fd) && is_refused("close");
  opened(fd, false);
  const int error = errno, result = next(&close, "close")(fd);  // the descriptor is gone in any case
  if (!refused) return result;
  errno = error;
  return -1;
}

DIR* fdopendir(int fd) { return is_ours(fd) && is_refused("fdopendir") ? nullptr : next(&fdopendir, "fdopendir")(fd); }

int mkdir(const char* path, mode_t mode) noexcept {
  return is_ours(path) && is_refused("mkdir", true) ? -1 : next(&mkdir, "mkdir")(path, mode);
}

int rename(const char* from, const char* to) noexcept {
  return is_ours(from) && is_refused("rename") ? -1 : next(&rename, "rename")(from, to);
}

int renameat2(int from_at, const char* from, int to_at, const char* to, unsigned flags) noexcept {
  if (is_ours(from) && is_refused("renameat2")) return -1;
  return next(&renameat2, "renameat2")(from_at, from, to_at, to, flags);
}

int unlink(const char* path) noexcept {
  return is_ours(path) && is_refused("unlink") ? -1 : next(&unlink, "unlink")(path);
}

int unlinkat(int at, const char* path, int flags) noexcept {
  return is_ours(at, path) && is_refused("unlinkat") ? -1 : next(&unlinkat, "unlinkat")(at, path, flags);
}

int remove(const char* path) noexcept {
  return is_ours(path) && is_refused("remove") ? -1 : next(&remove, "remove")(path);
}

}  // extern "C"
