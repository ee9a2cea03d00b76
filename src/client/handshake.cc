#include "handshake.h"

#include <algorithm>
#include <utility>

#include "squall/client/era_cache.h"
#include "squall/mcp/names.h"

namespace squall::client {

namespace {

/// The versions in `data.supported` of a refusal, or in `supportedVersions`.
std::vector<std::string_view> texts_of(const json::Value* list) {
  std::vector<std::string_view> out;
  if (list == nullptr) return out;
  for (const json::Value& item : list->items()) {
    if (item.is_string()) out.push_back(item.string());
  }
  return out;
}

bool contains(const std::vector<std::string_view>& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

bool any_modern(const std::vector<std::string_view>& versions) {
  return std::any_of(versions.begin(), versions.end(), mcp::is_modern_text);
}

const std::string kModernText = std::string(mcp::to_text(mcp::kLatestModern));

/// The newest revision with a handshake that both know.
std::optional<mcp::Revision> newest_legacy(const std::vector<std::string_view>& versions) {
  std::optional<mcp::Revision> best;
  for (const std::string_view text : versions) {
    const auto revision = mcp::revision_from(text);
    if (!revision || !mcp::supports(*revision, mcp::Feature::handshake)) continue;
    if (!best || *best < *revision) best = revision;
  }
  return best;
}

/// What `server/discover` says, if the answer can be read at all and we have a version in common.
std::optional<Server> read_discovery(const json::Value& result) {
  if (!contains(texts_of(result.find("supportedVersions")), kModernText)) return std::nullopt;
  Server server;
  server.revision = mcp::kLatestModern;
  const json::Value* const capabilities = result.find("capabilities");
  if (capabilities != nullptr && capabilities->is_object()) {
    server.capabilities = *capabilities;
  } else {
    server.capabilities = json::Value::object();
  }
  server.instructions = std::string(result.find_string("instructions").value_or(""));
  const json::Value* const meta = result.find("_meta");
  const json::Value* const info = meta ? meta->find(mcp::meta::kServerInfo) : nullptr;
  if (info != nullptr) server.info = *info;
  return server;
}

bool says_wrong_address(const Failure& why) {
  const int status = why.loss.status;
  return why.kind == OutcomeKind::lost && why.loss.cause == Loss::Cause::http_status &&
         (status == 400 || status == 404 || status == 405);
}

}  // namespace

Task<Outcome<Server>> Handshake::run() {
  if (options_.negotiation == Negotiation::legacy) co_return co_await legacy();
  if (options_.negotiation == Negotiation::modern) co_return co_await probe(false);
  const std::string origin = core_.link().origin();
  if (options_.eras && options_.eras->is_modern(origin) == false) {
    tell("the server is remembered as legacy");
    Outcome<Server> server = co_await legacy();
    const bool mistaken = !server && server.error().kind == OutcomeKind::protocol_error;
    if (!mistaken) co_return server;
    options_.eras->forget(origin);
  }
  co_return co_await probe(true);
}

Task<Outcome<Server>> Handshake::again() {
  core_.link().forget_session();
  co_return co_await initialize(core_.envelope().revision());
}

void Handshake::remember(bool modern) {
  const std::string origin = core_.link().origin();
  if (options_.eras && !origin.empty()) options_.eras->remember(origin, modern);
}

Task<Outcome<Server>> Handshake::probe(bool may_fall_back) {
  core_.set_revision(mcp::kLatestModern);
  CallOptions limits;
  limits.timeout(options_.probe_timeout);
  Request request(mcp::method::kDiscover, "", limits);
  request.handshake = true;
  request.withdrawable = false;  // a server that knows no discover knows no modern cancellation
  for (bool first = true;; first = false) {
    Outcome<Answer> answer = co_await core_.exchange(request);
    if (answer) {
      std::optional<Server> server = read_discovery(answer->json());
      if (server) {
        remember(true);
        tell("the server speaks " + kModernText);
        co_return *std::move(server);
      }
      Failure why = invalid("the answer to server/discover names no version that we speak");
      co_return co_await discover_failed(std::move(why), may_fall_back);
    }
    switch (judge(answer.error(), first)) {
      case Verdict::again:
        tell("server/discover was refused in the modern way, and is asked once more");
        continue;
      case Verdict::modern: {
        // Recognised modern errors: whatever else is wrong, the server is modern.
        remember(true);
        tell("the server is modern by its error: " + answer.error().message);
        Server unknown;
        unknown.revision = mcp::kLatestModern;
        unknown.capabilities = json::Value::object();
        co_return unknown;
      }
      case Verdict::legacy: {
        Failure why = std::move(answer).error();
        co_return co_await discover_failed(std::move(why), may_fall_back);
      }
      case Verdict::fail:
        co_return fail_modern(std::move(answer).error());
    }
  }
}

Handshake::Verdict Handshake::judge(const Failure& why, bool first) const {
  if (why.kind == OutcomeKind::protocol_error) {
    if (why.code == mcp::code::kHeaderMismatch) return first ? Verdict::again : Verdict::modern;
    if (why.code == mcp::code::kMissingCapability) return Verdict::modern;
    if (why.code != mcp::code::kUnsupportedVersion) return Verdict::legacy;
    const auto supported = texts_of(why.data.find("supported"));
    if (contains(supported, kModernText)) return first ? Verdict::again : Verdict::fail;
    return any_modern(supported) ? Verdict::fail : Verdict::legacy;
  }
  if (why.kind == OutcomeKind::timeout || why.kind == OutcomeKind::invalid) return Verdict::legacy;
  if (why.kind != OutcomeKind::lost || why.loss.cause != Loss::Cause::http_status) {
    return Verdict::fail;
  }
  return why.loss.status < 500 && why.loss.status != 429 ? Verdict::legacy : Verdict::fail;
}

Outcome<Server> Handshake::fail_modern(Failure why) const {
  const auto supported = texts_of(why.data.find("supported"));
  if (why.code == mcp::code::kUnsupportedVersion && !supported.empty()) {
    why.message = "no version in common: the server speaks";
    for (const std::string_view version : supported) why.message += " " + std::string(version);
  }
  return std::unexpected(std::move(why));
}

Task<Outcome<Server>> Handshake::discover_failed(Failure why, bool may_fall_back) {
  if (!may_fall_back) {
    why.message = "the server does not speak " + kModernText + ": " + why.message;
    co_return fail_modern(std::move(why));
  }
  tell("server/discover failed (" + why.message + "): falling back to initialize");
  co_return co_await legacy();
}

Task<Outcome<Server>> Handshake::legacy() {
  Outcome<Server> server = co_await initialize(options_.legacy_offer);
  if (server) {
    remember(false);
    co_return server;
  }
  Failure why = std::move(server).error();
  if (says_wrong_address(why)) co_return co_await over_sse(std::move(why));
  const auto supported = texts_of(why.data.find("supported"));
  const bool about_versions =
      why.kind == OutcomeKind::protocol_error &&
      (why.code == mcp::code::kUnsupportedVersion || why.code == jsonrpc::code::kInvalidParams);
  if (!about_versions || supported.empty()) co_return std::unexpected(std::move(why));
  const std::optional<mcp::Revision> other = newest_legacy(supported);
  if (other && *other != options_.legacy_offer) co_return co_await initialize(*other);
  if (contains(supported, kModernText) && options_.negotiation == Negotiation::automatic) {
    co_return co_await probe(false);
  }
  co_return fail_modern(std::move(why));
}

Task<Outcome<Server>> Handshake::initialize(mcp::Revision offer) {
  core_.set_revision(offer);
  std::string members;
  append_member(members, "protocolVersion", mcp::to_text(offer));
  append_value(members, "capabilities", capabilities_of(options_, offer));
  append_value(members, "clientInfo", options_.info.to_json());
  Request request(mcp::method::kInitialize, std::move(members), CallOptions());
  request.handshake = true;
  request.withdrawable = false;  // the specification forbids to cancel it
  Outcome<Answer> answer = co_await core_.exchange(request);
  if (!answer) co_return std::unexpected(std::move(answer).error());
  co_return co_await initialized(*answer);
}

Task<Outcome<Server>> Handshake::initialized(const Answer& answer) {
  const json::Value& result = answer.json();
  const std::string version(result.find_string("protocolVersion").value_or(""));
  const auto revision = mcp::revision_from(version);
  if (!revision || !mcp::supports(*revision, mcp::Feature::handshake)) {
    co_return std::unexpected(invalid("the server answered initialize with version \"" +
                                      version.substr(0, 40) +
                                      "\", which we don't speak in a session"));
  }
  Server server;
  server.revision = *revision;
  server.capabilities = json::Value::object();
  if (const auto* const found = result.find("capabilities"); found && found->is_object()) {
    server.capabilities = *found;
  }
  if (const auto* const info = result.find("serverInfo")) server.info = *info;
  server.instructions = std::string(result.find_string("instructions").value_or(""));
  core_.set_revision(*revision);
  // Over HTTP the first request must not overtake this one.
  std::optional<Loss> loss = co_await core_.deliver(mcp::notification::kInitialized, "");
  if (loss) co_return std::unexpected(lost(*std::move(loss)));
  if (options_.listen_legacy) core_.link().open_stream();
  tell("a session of " + version);
  co_return server;
}

/// The last resort: the transport of 2024-11-05.
Task<Outcome<Server>> Handshake::over_sse(Failure first) {
  tell("initialize got status " + std::to_string(first.loss.status) + ": trying HTTP+SSE");
  std::optional<Loss> refused = co_await core_.fall_back_to_sse();
  if (refused) co_return std::unexpected(std::move(first));
  Outcome<Server> server = co_await initialize(options_.legacy_offer);
  if (server) remember(false);
  co_return server;
}

}  // namespace squall::client
