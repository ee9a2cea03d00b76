#include "squall/recording/run_hash.h"

#include "squall/base/crypto.h"
#include "squall/base/text.h"

namespace squall::recording {

void extend_run_hash(std::string& hash, const Event& event) {
  const base::Sha256 digest = base::sha256(hash + to_hashed_line(event) + "\n");
  hash = base::hex_encode({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace squall::recording
