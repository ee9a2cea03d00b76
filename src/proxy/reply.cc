#include "reply.h"

#include <algorithm>
#include <charconv>

#include "squall/base/text.h"
#include "squall/jsonrpc/message.h"

namespace squall::proxy {

namespace {

using inject::Shape;
using std::chrono::nanoseconds;

constexpr std::size_t kSlicesMax = 10'000;  // of one body, each a timer
constexpr std::string_view kContentType = "Content-Type";

bool is_named(const std::pair<std::string, std::string>& header, std::string_view name) {
  return base::equals_ignoring_case(header.first, name);
}

/// Takes a header out of the list.
std::string take(Headers& headers, std::string_view name) {
  std::string out;
  std::erase_if(headers, [&](auto& header) {
    if (!is_named(header, name)) return false;
    out = std::move(header.second);
    return true;
  });
  return out;
}

transport::HttpReply made_of(unsigned status, Headers headers, std::string body) {
  transport::HttpReply reply;
  reply.status = static_cast<int>(status);
  reply.content_type = take(headers, kContentType);
  reply.headers = std::move(headers);
  reply.body = std::move(body);
  return reply;
}

std::string hexadecimal(std::size_t number) {
  char text[16];
  const auto [end, error] = std::to_chars(text, text + sizeof text, number, 16);
  static_cast<void>(error);
  return {text, end};
}

}  // namespace

std::string error_body(int code, std::string_view message, const jsonrpc::Id& id) {
  std::string out;
  jsonrpc::write_error(out, id, code, message);
  return out;
}

transport::HttpReply error_reply(int status, int code, std::string_view message) {
  transport::HttpReply reply;
  reply.status = status;
  reply.content_type = "application/json";
  reply.body = error_body(code, message);
  return reply;
}

Reply::Reply(std::shared_ptr<transport::HttpExchange> exchange, std::shared_ptr<Wire> wire)
    : exchange_(std::move(exchange)),
      wire_(std::move(wire)),
      loop_(exchange_->loop()),
      trickle_(std::make_shared<Slowly>(loop_)) {}

void Reply::shape(Shape shape) {
  if (begun_) return;
  if (!shape_) {
    shape_ = std::move(shape);
    return;
  }
  // Strikes of several layers: each has its say, the later one where they disagree.
  if (shape.status) shape_->status = shape.status;
  for (auto& header : shape.set_headers) shape_->set_headers.push_back(std::move(header));
  for (auto& name : shape.drop_headers) shape_->drop_headers.push_back(std::move(name));
  if (shape.session_id) shape_->session_id = std::move(shape.session_id);
  if (shape.framing != Shape::Framing::usual) shape_->framing = shape.framing;
  if (shape.chunks != Shape::Chunks::right) shape_->chunks = shape.chunks;
  if (shape.length_off != 0) shape_->length_off = shape.length_off;
  if (shape.pace != inject::Pace{}) shape_->pace = shape.pace;
}

/// Whether the response is to be wrong in a way that no honest writer can write it.
bool Reply::by_hand() const {
  return shape_ && (shape_->chunks != Shape::Chunks::right || shape_->length_off != 0 ||
                    shape_->pace != inject::Pace{});
}

void Reply::adjust(unsigned& status, Headers& headers) const {
  if (!shape_) return;
  if (shape_->status) status = *shape_->status;
  for (const std::string& name : shape_->drop_headers) take(headers, name);
  for (const auto& header : shape_->set_headers) {
    take(headers, header.first);
    headers.push_back(header);
  }
  if (!shape_->session_id) return;
  constexpr std::string_view kSession = "Mcp-Session-Id";
  take(headers, kSession);
  if (!shape_->session_id->empty()) headers.emplace_back(kSession, *shape_->session_id);
}

std::size_t Reply::pending() const { return hand_ ? wire_->pending() : exchange_->pending(); }

void Reply::whole(unsigned status, Headers headers, std::string body) {
  if (begun_ || over_) return;
  begun_ = true;
  adjust(status, headers);
  if (!by_hand()) {
    over_ = true;
    exchange_->reply(made_of(status, std::move(headers), std::move(body)));
    return wire_->response_over();
  }
  const bool chunks = shape_->chunks != Shape::Chunks::right;
  head_by_hand(status, headers, chunks ? std::nullopt : std::optional(body.size()));
  body_by_hand(body);
  end_by_hand();
}

void Reply::open(unsigned status, Headers headers) {
  if (begun_ || over_) return;
  begun_ = true;
  adjust(status, headers);
  if (by_hand()) return head_by_hand(status, headers, std::nullopt);
  exchange_->open(made_of(status, std::move(headers), {}), {});
}

void Reply::write(std::string_view bytes) {
  if (over_ || bytes.empty()) return;
  if (hand_) return body_by_hand(bytes);
  exchange_->write(bytes);
}

void Reply::finish() {
  if (over_) return;
  if (hand_) return end_by_hand();
  over_ = true;
  exchange_->finish();
  wire_->response_over();
}

void Reply::cut(inject::Cut how) {
  if (over_) return;
  if (how == inject::Cut::close && begun_) return finish();
  over_ = true;
  if (!hand_) {
    exchange_->drop(how == inject::Cut::reset);
    return;
  }
  trickle_->at(trickle_->next(), [wire = wire_, how] { wire->end(how == inject::Cut::reset); });
}

void Reply::head_by_hand(unsigned status, const Headers& headers,
                         std::optional<std::size_t> length) {
  hand_ = true;
  wire_->take_over();
  std::string head = "HTTP/1.1 " + std::to_string(status) + " " +
                     std::string(transport::reason_phrase(static_cast<int>(status))) + "\r\n";
  for (const auto& [name, value] : headers) head += name + ": " + value + "\r\n";
  chunked_ = !length.has_value();
  if (chunked_) {
    head += "Transfer-Encoding: chunked\r\n";
  } else {
    const auto off = shape_->length_off;
    const std::int64_t said = std::max<std::int64_t>(static_cast<std::int64_t>(*length) + off, 0);
    head += "Content-Length: " + std::to_string(said) + "\r\n";
  }
  head += "Connection: close\r\n\r\n";
  const auto& pace = shape_->pace;
  if (!pace.headers_too || pace.over.count() == 0) return leave(std::move(head), pace.latency);
  // The head trickles as the body will, in as many parts.
  const std::size_t parts = std::max<std::size_t>(pace.parts, 1);
  const std::size_t slice = std::max<std::size_t>(head.size() / parts, 1);
  for (std::size_t at = 0; at < head.size(); at += slice) {
    leave(head.substr(at, slice), at == 0 ? nanoseconds{} : nanoseconds(pace.over / parts));
  }
}

/// Lets bytes go once what came before has left, and `after` more.
void Reply::leave(std::string bytes, nanoseconds after) {
  trickle_->at(trickle_->next() + after,
               [wire = wire_, bytes = std::move(bytes)] { wire->write(bytes); });
}

void Reply::body_by_hand(std::string_view bytes) {
  const auto& pace = shape_->pace;
  if (pace.cut_after) {
    const std::uint64_t left = *pace.cut_after - std::min(*pace.cut_after, body_bytes_);
    if (bytes.size() >= left) {
      body_bytes_ += left;
      if (left != 0) write_slice(std::string(bytes.substr(0, static_cast<std::size_t>(left))));
      return cut(pace.cut);
    }
  }
  body_bytes_ += bytes.size();
  std::size_t slice = bytes.size();
  if (pace.over.count() != 0) {
    slice = std::max<std::size_t>(bytes.size() / std::max<std::size_t>(pace.parts, 1), 1);
  }
  constexpr std::uint64_t kSlicesASecond = 20;
  if (pace.bytes_per_second != 0) {
    slice = static_cast<std::size_t>(
        std::max<std::uint64_t>(pace.bytes_per_second / kSlicesASecond, 1));
  }
  if (pace.slice != 0) slice = pace.slice;
  slice = std::max(slice, bytes.size() / kSlicesMax);
  while (!bytes.empty()) {
    write_slice(std::string(bytes.substr(0, slice)));
    bytes.remove_prefix(std::min(slice, bytes.size()));
  }
}

void Reply::write_slice(std::string bytes) {
  const auto& pace = shape_->pace;
  nanoseconds after = slices_++ == 0 ? nanoseconds{} : pace.pause;
  if (pace.over.count() != 0) after += pace.over / std::max<std::size_t>(pace.parts, 1);
  if (pace.bytes_per_second != 0) {
    after += nanoseconds(bytes.size() * std::uint64_t{1'000'000'000} / pace.bytes_per_second);
  }
  if (!chunked_) return leave(std::move(bytes), after);
  switch (shape_->chunks) {
    case Shape::Chunks::malformed:
      return leave("XYZ\r\n" + bytes + "\r\n", after);
    case Shape::Chunks::early_close:
      // Half of what the chunk promises; `end_by_hand` closes behind it.
      return leave(hexadecimal(bytes.size()) + "\r\n" + bytes.substr(0, bytes.size() / 2), after);
    case Shape::Chunks::garbage_then_close:
    case Shape::Chunks::right:
      break;
  }
  leave(hexadecimal(bytes.size()) + "\r\n" + bytes + "\r\n", after);
}

void Reply::end_by_hand() {
  if (std::exchange(over_, true)) return;
  if (chunked_) {
    switch (shape_->chunks) {
      case Shape::Chunks::right:
        leave("0\r\n\r\n", {});
        break;
      case Shape::Chunks::garbage_then_close:
        leave("\x01garbage\xff\xfe\r\n", {});
        break;
      case Shape::Chunks::malformed:
      case Shape::Chunks::early_close:
        break;
    }
  }
  trickle_->at(trickle_->next(), [wire = wire_] {
    wire->response_over();
    wire->end(false);
  });
}

}  // namespace squall::proxy
