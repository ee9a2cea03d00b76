#include "squall/json/parse.h"
#include "squall/json/write.h"

#include "fault_slots.h"
#include "malform.h"
#include "tools.h"
#include "wrapping_outlet.h"

namespace squall::inject {

namespace {

constexpr std::int64_t kWrongIdOffset = 1000;
constexpr char kNoUtf8 = '\xff';

json::Value wrong_id(const json::Value& id) {
  if (const auto number = id.as_int64()) return json::Value(*number + kWrongIdOffset);
  return json::Value("not-" + std::string(id.string()));
}

/// The variants that are still JSON.
bool change(std::string_view variant, json::Value& message) {
  if (variant == "missing-jsonrpc") {
    message.erase("jsonrpc");
  } else if (variant == "invalid-jsonrpc-version") {
    message.set("jsonrpc", "1.0");
  } else if (variant == "result-with-error") {
    message.set("error", json::Value::object({{"code", -32603},
                                              {"message", "an error beside a result"}}));
  } else if (variant == "wrong-id") {
    message.set("id", wrong_id(*message.find("id")));
  } else if (variant == "null-id") {
    message.set("id", json::Value());
  } else {
    return false;
  }
  return true;
}

/// Sends what `malform` makes of the response.
class MalformingOutlet final : public WrappingOutlet {
 public:
  MalformingOutlet(std::unique_ptr<server::Outlet> inner, std::string variant,
                   FaultSlots::Slot slot)
      : WrappingOutlet(std::move(inner)), variant_(std::move(variant)), slot_(std::move(slot)) {}
  void finish(int status, std::string_view response) override {
    const std::vector<std::string> pieces =
        malform(variant_, response).value_or(std::vector<std::string>{std::string(response)});
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) inner().send(pieces[i], false);
    inner().finish(status, pieces.back());
  }

 private:
  std::string variant_;
  FaultSlots::Slot slot_;
};

}  // namespace

std::optional<std::vector<std::string>> malform(std::string_view variant,
                                                std::string_view response) {
  const std::size_t half = response.size() / 2;
  if (variant == "truncated") return {{std::string(response.substr(0, half))}};
  if (variant == "not-json") return {{"this is not JSON"}};
  if (variant == "split") {
    return {{std::string(response.substr(0, half)), std::string(response.substr(half))}};
  }
  if (variant == "invalid-utf8") {
    std::string text(response);
    text.insert(text.rfind('"'), 1, kNoUtf8);  // within the last string
    return {{std::move(text)}};
  }
  auto message = json::parse(response);
  if (!message || !change(variant, *message)) return std::nullopt;
  return {{json::to_string(*message)}};
}

void add_malformed_message(server::Registry& registry) {
  registry.tool("malformed_message")
      .describe("Answers with a message that breaks JSON-RPC or JSON in the way chosen.")
      .input(R"({
        "type": "object",
        "properties": {
          "variant": {"type": "string",
                      "enum": ["missing-jsonrpc", "invalid-jsonrpc-version", "result-with-error",
                               "truncated", "not-json", "wrong-id", "null-id", "invalid-utf8",
                               "split"],
                      "description": "What is wrong with the response."}
        },
        "required": ["variant"]
      })")
      .handle([slots = FaultSlots("malformed_message")](server::Context& context) {
        FaultSlots::Slot slot = slots.arm();
        if (!slot.ok()) return slots.full();
        const std::string variant(context.text("variant"));
        context.around_outlet([&](std::unique_ptr<server::Outlet> inner) {
          return std::make_unique<MalformingOutlet>(std::move(inner), variant, std::move(slot));
        });
        return json_text(
            json::Value::object({{"status", "fault-activated"}, {"variant", variant}}));
      });
}

}  // namespace squall::inject
