#include <string>

#include "squall/fault/profile.h"
#include "squall/inject/command.h"

namespace squall::inject {

namespace {

std::string at(std::chrono::nanoseconds after) {
  return after.count() == 0 ? "" : " after " + fault::time_text(after);
}

std::string by(const std::string& rule, const std::string& how) {
  std::string out;
  if (!rule.empty()) out += " by " + rule;
  if (!how.empty()) out += ": " + how;
  return out;
}

struct Text {
  std::string operator()(const Send& send) const {
    std::string out = send.to == Send::To::client ? "send to client" : "send to upstream";
    if (send.form == Send::Form::event) out += " as stream bytes";
    if (send.form == Send::Form::raw) out += " raw";
    if (send.via == Send::Via::get_stream) out += " on the GET stream";
    if (send.via == Send::Via::other_exchange) out += " on stream " + std::to_string(send.other);
    out += send.bytes ? " " + std::to_string(send.bytes->size()) + " bytes" : " as it came";
    return out + (send.last ? " last" : "") + at(send.after) + by(send.rule, send.how);
  }
  std::string operator()(const Answer& answer) const {
    return "answer " + std::to_string(answer.status) + at(answer.after) +
           by(answer.rule, answer.how);
  }
  std::string operator()(const End& end) const {
    constexpr std::string_view kCuts[] = {"close", "abort", "reset"};
    return "end by " + std::string(kCuts[static_cast<std::size_t>(end.how)]) + at(end.after) +
           by(end.rule, end.how_text);
  }
  std::string operator()(const Shape& shape) const { return "shape" + by(shape.rule, shape.how); }
  std::string operator()(const Line& line) const {
    return "line " + std::to_string(line.connection) + by(line.rule, line.how);
  }
  std::string operator()(const ProcessAct& act) const {
    return "process " + std::to_string(act.process) + at(act.after) + by(act.rule, act.how);
  }
  std::string operator()(const SessionAct& act) const { return "session" + by(act.rule, act.how); }
  std::string operator()(const Wake& wake) const {
    return "wake " + std::to_string(wake.token) + at(wake.after);
  }
};

}  // namespace

std::string to_text(const Command& command) { return std::visit(Text(), command); }

}  // namespace squall::inject
