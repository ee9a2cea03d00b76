#include "squall/cases/explain.h"

#include <algorithm>

#include "squall/fault/profile.h"
#include "squall/json/write.h"

#include "case_commands.h"

namespace squall::cli {

namespace {

std::string pad(std::string_view text, std::size_t width) {
  std::string out(text);
  out.resize(std::max(width, text.size() + 1), ' ');
  return out;
}

std::string rule_text(const cases::ToldRule& told) {
  const recording::Considered& rule = told.rule;
  std::string out = "  " + pad(line_of(rule.rule, 64), 20) +
                    pad(line_of(rule.kind, 64) + " (" + line_of(rule.layer, 20) + ")", 26) +
                    pad(cases::name_of(rule.standing), 13) + line_of(told.why) + "\n";
  if (!rule.site.empty()) out += std::string(22, ' ') + "at " + line_of(rule.site) + "\n";
  if (rule.parameters.size() > 0) {
    out += std::string(22, ' ') + "with " + line_of(json::to_string(rule.parameters)) + "\n";
  }
  return out;
}

std::string handed_text(const cases::Handed& handed) {
  const recording::Delivered& delivered = handed.delivered;
  std::string out = "delivered   " + std::string(cases::name_of(delivered.delivery));
  if (!delivered.rule.empty()) out += " by " + line_of(delivered.rule, 64);
  if (!delivered.how.empty()) out += ": " + line_of(delivered.how);
  if (delivered.drawn.count() != 0) out += ", " + fault::time_text(delivered.drawn) + " drawn";
  out += "\n";
  if (handed.bytes) out += "            " + line_of(*handed.bytes) + "\n";
  return out;
}

std::string text_of(const cases::Explanation& one) {
  std::string out = line_of(one.what) + "  (event " + std::to_string(one.seq);
  if (one.in != 0) out += ", arrival " + std::to_string(one.in);
  out += ")\nsite        " + line_of(one.site) + "\n";
  if (!one.message.empty()) out += "message     " + line_of(one.message) + "\n";
  out += one.rules.empty() ? "rules       none was asked\n" : "rules\n";
  for (const cases::ToldRule& told : one.rules) out += rule_text(told);
  if (one.order_sensitive) {
    out += "in another order, the " + std::to_string(one.in_flight.size()) +
           " calls under way beside it could have decided otherwise\n";
  }
  if (one.in != 0) out += "executed    " + std::string(cases::name_of(one.executed)) + "\n";
  if (one.clean) out += "clean       " + line_of(*one.clean) + "\n";
  for (const cases::Handed& handed : one.handed) out += handed_text(handed);
  if (one.clean && one.handed.empty()) out += "delivered   as it came\n";
  return out;
}

std::string summary_of(const cases::Explanation& one) {
  std::string out = pad(std::to_string(one.seq), 8) + line_of(one.what) + "  " + line_of(one.site);
  for (const cases::ToldRule& told : one.rules) {
    if (told.rule.standing != recording::Standing::won) continue;
    out += "  " + line_of(told.rule.rule, 64);
    if (told.rule.rule != told.rule.kind) out += " (" + line_of(told.rule.kind, 64) + ")";
  }
  return out + "\n";
}

}  // namespace

Exit explain(const ExplainCommand& command, Console& console) {
  const auto record = recording::read_case(command.path);
  if (!record) return refuse(command.json, record.error(), console);
  std::vector<cases::Explanation> found;
  if (command.where.empty()) {
    found = cases::explain_struck(*record);
  } else {
    auto there = cases::explain_at(*record, command.where);
    if (!there) return refuse(command.json, there.error(), console);
    found = *std::move(there);
  }
  if (command.json) {
    json::Value all = json::Value::array();
    for (const cases::Explanation& one : found) all.push_back(cases::to_json(one));
    console.out(json::to_pretty_string(json::Value::object({{"arrivals", all}})) + "\n");
    return Exit::passed;
  }
  if (command.where.empty()) {
    if (found.empty()) console.out("nothing struck\n");
    for (const cases::Explanation& one : found) console.out(summary_of(one));
    if (!found.empty()) {
      console.out("\nsquall explain " + line_of(command.path) + " " +
                  std::to_string(found.front().seq) + " tells of the first, rule by rule\n");
    }
    return Exit::passed;
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    console.out((i == 0 ? "" : "\n") + text_of(found[i]));
  }
  return Exit::passed;
}

}  // namespace squall::cli
