// As archives are written.
#include "train/file.h"

#include "ops/file.h"

namespace strata::train {

void write_file(const std::string& path, std::string_view contents) {
  serialize::write_whole_file(path, [&](serialize::Sink& sink) { sink.write(contents.data(), contents.size()); });
}

}  // namespace strata::train
