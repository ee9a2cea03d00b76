#include "listen.h"

#include <utility>

#include "squall/json/write.h"
#include "squall/mcp/names.h"

#include "remote_text.h"

namespace squall::cli {
namespace {

using client::Change;
using json::Value;
namespace note = mcp::notification;

std::string_view name_of(Change::What what) {
  switch (what) {
    case Change::What::tools:
      return "tools";
    case Change::What::prompts:
      return "prompts";
    case Change::What::resources:
      return "resources";
    case Change::What::resource:
      break;
  }
  return "resource";
}

std::string log_text(const Value& params) {
  std::string out = printable(params.find_string("level").value_or("log"));
  if (const auto logger = params.find_string("logger")) out += " " + printable(*logger);
  const Value* const data = params.find("data");
  if (data == nullptr) return out;
  return out + ": " + printable(data->is_string() ? data->string() : json::to_string(*data));
}

Value to_json(const client::Interest& interest) {
  Value uris = Value::array();
  for (const std::string& uri : interest.uris) uris.push_back(uri);
  return Value::object({{"tools", interest.tools},
                        {"prompts", interest.prompts},
                        {"resources", interest.resources},
                        {"uris", std::move(uris)}});
}

std::string to_text(const client::Interest& interest) {
  std::string out;
  const auto add = [&out](std::string_view what) {
    out += (out.empty() ? "" : ", ") + std::string(what);
  };
  if (interest.tools) add("tools");
  if (interest.prompts) add("prompts");
  if (interest.resources) add("resources");
  for (const std::string& uri : interest.uris) add(printable(uri));
  return out;
}

}  // namespace

std::string notification_text(std::string_view method, const Value& params) {
  if (method == note::kToolsChanged) return "tools changed";
  if (method == note::kPromptsChanged) return "prompts changed";
  if (method == note::kResourcesChanged) return "resources changed";
  if (method == note::kResourceUpdated) {
    return "resource changed: " + printable(params.find_string("uri").value_or(""));
  }
  if (method == note::kMessage) return log_text(params);
  return printable(method) + " " + printable(json::to_string(params));
}

Value notification_json(std::string_view method, const Value& params) {
  return Value::object({{"event", "notification"}, {"method", method}, {"params", params}});
}

Task<std::optional<client::Failure>> Ear::listen(std::vector<std::string> uris) {
  asked_ = uris.size();
  client::Interest interest = client::Interest::in_all(std::move(uris));
  const auto subscription = client_.subscribe(std::move(interest), *this);
  co_return co_await ended_;
}

void Ear::on_granted(const client::Interest& granted) {
  const std::string watched = to_text(granted);
  console_.err(watched.empty() ? "squall: the server tells no changes; listening all the same"
                               : "squall: listening to changes of " + watched);
  console_.err("; Ctrl-C ends it\n");
  if (granted.uris.size() < asked_) {
    console_.err("squall: the server does not tell changes of the other resources\n");
  }
  if (!json_) return;
  const Value line = Value::object({{"event", "listening"}, {"watches", to_json(granted)}});
  console_.out(json::to_string(line) + "\n");
}

/// Changes that the server told are printed as notifications; what is guessed has none.
void Ear::on_change(const client::Change& change) {
  if (!change.guessed) return;
  if (json_) {
    Value line = Value::object({{"event", "missed"}, {"what", name_of(change.what)}});
    if (!change.uri.empty()) line.set("uri", change.uri);
    console_.out(json::to_string(line) + "\n");
  } else {
    console_.out(std::string(name_of(change.what)) + " may have changed" +
                 (change.uri.empty() ? "" : ": " + printable(change.uri)) + "\n");
  }
}

void Ear::on_ended(const client::Failure* failure) {
  ended_.set(failure != nullptr ? std::optional(*failure) : std::nullopt);
}

}  // namespace squall::cli
