// Fetching files of data from the network, with their checksums.
#pragma once
#include <string>

#include "../core/arg.h"

namespace strata::data {

/// What a download is checked against and whether it shows its progress.
struct DownloadOptions {
  /// 64 hexadecimal digits, large or small; without them any file is taken.
  STRATA_ARG(std::string, sha256);
  /// Whether a bar goes to stderr.
  STRATA_ARG(bool, progress) = false;
};

/// Fetches `url` (https, http or file) to `path` by the program `curl`, unless there is a file with that checksum
/// already, or any file where none is given. The file gets its name when it is whole and checked, so another process
/// never sees a part of it. Folders are made. Throws where curl is missing or fails, or the checksum differs.
void download(const std::string& url, const std::string& path, const DownloadOptions& options = {});

/// The SHA-256 of a file (FIPS 180-4) as 64 hexadecimal digits. Throws where it cannot be read.
std::string sha256_of_file(const std::string& path);

}  // namespace strata::data
