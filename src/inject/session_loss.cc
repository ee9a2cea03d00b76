#include "squall/server/engine.h"

#include "tools.h"
#include "wrapping_outlet.h"

namespace squall::inject {

namespace {

/// Delivers the response, then ends the session.
class LastOutlet final : public WrappingOutlet {
 public:
  LastOutlet(std::unique_ptr<server::Outlet> inner, std::function<void()> end_session)
      : WrappingOutlet(std::move(inner)), end_session_(std::move(end_session)) {}
  void finish(int status, std::string_view response) override {
    inner().finish(status, response);
    end_session_();
  }

 private:
  std::function<void()> end_session_;
};

}  // namespace

void add_session_loss(server::Registry& registry) {
  registry.tool("session_loss")
      .describe("Makes the server forget this session, with this call or right behind it.")
      .only_on({server::Leg::session})
      .input(R"({
        "type": "object",
        "properties": {
          "activation": {"type": "string", "enum": ["during_request", "after_response"],
                         "description": "Whether the call itself is lost too."}
        },
        "required": ["activation"]
      })")
      .handle([](server::Context& context) {
        auto end_session = [&engine = context.engine(), id = std::string(context.session_id())] {
          engine.end_session(id);
        };
        const std::string_view activation = context.text("activation");
        context.around_outlet(
            [&](std::unique_ptr<server::Outlet> inner) -> std::unique_ptr<server::Outlet> {
              if (activation == "after_response") {
                return std::make_unique<LastOutlet>(std::move(inner), std::move(end_session));
              }
              CuttingOutlet::Plan plan;
              plan.behind = std::move(end_session);
              return std::make_unique<CuttingOutlet>(std::move(inner), std::move(plan));
            });
        return server::ToolResult::text("session loss activated " + std::string(activation));
      });
}

}  // namespace squall::inject
