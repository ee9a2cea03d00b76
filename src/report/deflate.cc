#include "deflate.h"

#include <zlib.h>

namespace squall::report {

Result<std::string> deflate(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  const int outcome = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                                reinterpret_cast<const Bytef*>(bytes.data()),
                                static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
  if (outcome != Z_OK) {
    return fail(ErrorKind::internal, "zlib cannot compress: " + std::to_string(outcome));
  }
  out.resize(size);
  return out;
}

}  // namespace squall::report
