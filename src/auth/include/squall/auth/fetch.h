#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "squall/base/result.h"
#include "squall/runtime/task.h"

namespace squall::auth {

using Headers = std::vector<std::pair<std::string, std::string>>;

/// The value of a header, any case; null when there is none. `ordinal` counts those of one name.
[[nodiscard]] const std::string* find_header(const Headers& headers, std::string_view name,
                                             std::size_t ordinal = 0);

struct FetchRequest {
  FetchRequest(std::string request_method, std::string request_url)
      : method(std::move(request_method)), url(std::move(request_url)) {}
  std::string method;
  std::string url;
  Headers headers;
  std::string body;
};

struct FetchResponse {
  int status = 0;
  Headers headers;
  std::string body;
};

/// How this library reaches the network: one request, one whole answer.
///
/// Redirects are answers and not followed; bodies beyond `kDocumentBytesMax` and answers that take
/// too long are errors. Whoever implements it keeps URLs, headers and bodies out of errors and
/// logs: they hold secrets.
class Fetch {
 public:
  virtual Task<Result<FetchResponse>> fetch(FetchRequest request) = 0;

 protected:
  ~Fetch() = default;
};

}  // namespace squall::auth
