#include "fetch.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "squall/base/text.h"

namespace squall::proxy {

namespace {

constexpr std::array<std::string_view, 15> kOwnHeaders = {
    "Connection",
    "Keep-Alive",
    "Proxy-Connection",
    "Proxy-Authenticate",
    "Proxy-Authorization",
    "TE",
    "Trailer",
    "Transfer-Encoding",
    "Upgrade",
    "Host",
    "Content-Length",
    "Accept-Encoding",
    "Expect",
    "Date",
    "HTTP2-Settings",
};

bool is_own(std::string_view name) {
  return std::ranges::any_of(
      kOwnHeaders, [name](std::string_view own) { return base::equals_ignoring_case(own, name); });
}

}  // namespace

Headers end_to_end(const Headers& headers) {
  std::vector<std::string> named;  // by Connection, as belonging to it
  for (const auto& [name, value] : headers) {
    if (!base::equals_ignoring_case(name, "Connection")) continue;
    std::string_view rest = value;
    while (!rest.empty()) {
      const std::size_t comma = rest.find(',');
      named.emplace_back(base::trim(rest.substr(0, comma)));
      rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
  }
  Headers out;
  for (const auto& header : headers) {
    const bool of_connection = std::ranges::any_of(named, [&header](const std::string& name) {
      return base::equals_ignoring_case(name, header.first);
    });
    if (!of_connection && !is_own(header.first)) out.push_back(header);
  }
  return out;
}

void set_header(Headers& headers, const std::string& name, std::string value) {
  std::erase_if(headers, [&name](const auto& header) {
    return base::equals_ignoring_case(header.first, name);
  });
  headers.emplace_back(name, std::move(value));
}

const std::string* find_header(const Headers& headers, std::string_view name) {
  for (const auto& header : headers) {
    if (base::equals_ignoring_case(header.first, name)) return &header.second;
  }
  return nullptr;
}

Fetch::Fetch(transport::HttpClient& client, Owner& owner, std::uint64_t exchange,
             std::size_t message_bytes_max)
    : client_(client),
      owner_(owner),
      exchange_(exchange),
      message_bytes_max_(message_bytes_max),
      blocks_(message_bytes_max),
      events_(message_bytes_max) {}

Fetch::~Fetch() {
  if (id_) client_.cancel(*id_);
}

void Fetch::start(const transport::Url& url, transport::HttpClientRequest request) {
  id_ = client_.request(url, std::move(request), *this, false);
}

void Fetch::on_response(const transport::HttpClientResponse& response) {
  const std::string* type = response.header("Content-Type");
  stream_ = type != nullptr && base::to_lower(*type).starts_with("text/event-stream");
  owner_.on_head(exchange_, static_cast<unsigned>(response.status), end_to_end(response.headers),
                 stream_);
}

void Fetch::on_body(std::string_view bytes) {
  const std::weak_ptr<bool> alive = alive_;
  if (!stream_) {
    too_large_ = too_large_ || body_.size() + bytes.size() > message_bytes_max_;
    if (!too_large_) body_ += bytes;
    return;
  }
  // The owner may let go of us at any event: gather them first.
  std::vector<std::pair<std::string, transport::SseReader::Event>> blocks;
  bool fits = blocks_.feed(bytes, [this, &blocks](std::string_view block) {
    transport::SseReader::Event event;
    static_cast<void>(events_.feed(
        block, [&event](transport::SseReader::Event&& one) { event = std::move(one); }));
    blocks.emplace_back(block, std::move(event));
  });
  for (auto& [block, event] : blocks) {
    owner_.on_event(exchange_, block, std::move(event));
    if (alive.expired()) return;
  }
  if (fits) return;
  if (id_) client_.cancel(*std::exchange(id_, std::nullopt));
  owner_.on_failed(exchange_, "an event beyond all limits", true);
}

void Fetch::on_done() {
  id_.reset();
  if (too_large_) return owner_.on_failed(exchange_, "a body beyond all limits", true);
  if (!stream_) return owner_.on_body(exchange_, std::move(body_));
  const std::weak_ptr<bool> alive = alive_;
  if (!blocks_.rest().empty()) owner_.on_event(exchange_, blocks_.rest(), {});
  if (!alive.expired()) owner_.on_stream_end(exchange_);
}

void Fetch::on_failed(const Error& error, bool sent) {
  id_.reset();
  owner_.on_failed(exchange_, error.message, sent);
}

}  // namespace squall::proxy
