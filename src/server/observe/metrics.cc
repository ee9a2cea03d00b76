#include <charconv>

#include "squall/server/observe/adapters.h"

namespace squall::server {

namespace {

double seconds(runtime::Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

std::string number(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

/// `name="value"` with what the format asks to be escaped.
void append_label(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append("=\"");
  for (const char c : value) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_head(std::string& out, std::string_view name, std::string_view type,
                 std::string_view help) {
  out.append("# HELP ").append(name).append(" ").append(help).append("\n");
  out.append("# TYPE ").append(name).append(" ").append(type).append("\n");
}

}  // namespace

void Metrics::Histogram::add(double value) {
  std::size_t bucket = 0;
  while (bucket < kBucketsSeconds.size() && value > kBucketsSeconds[bucket]) ++bucket;
  ++counts[bucket];
  sum += value;
}

void Metrics::on_execute(const CallFacts& facts) {
  // A tool that there isn't has a name of the caller's choice.
  const bool known = facts.code != "UNKNOWN_TOOL";
  std::string tool = known ? facts.tool : "other";
  Labels labels{tool, facts.action, std::string(to_text(facts.ending)), facts.code};
  const std::lock_guard lock(mutex_);
  if (calls_.size() >= series_max_ && !calls_.contains(labels)) {
    labels = {"other", "", std::string(to_text(facts.ending)), ""};
  }
  ++calls_[labels];
  if (tools_.size() >= series_max_ && !tools_.contains(tool)) tool = "other";
  PerTool& per_tool = tools_[tool];
  per_tool.took.add(seconds(facts.took));
  per_tool.waited.add(seconds(facts.waited));
  per_tool.shed += facts.shed ? 1 : 0;
}

void Metrics::write(std::string& out, std::string_view name, std::string_view tool,
                    const Histogram& histogram) {
  const auto line = [&](std::string_view suffix, std::string_view bound, const std::string& value) {
    out.append(name).append(suffix).append("{");
    append_label(out, "tool", tool);
    if (!bound.empty()) {
      out += ',';
      append_label(out, "le", bound);
    }
    out.append("} ").append(value).append("\n");
  };
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    count += histogram.counts[i];
    const bool last = i == kBucketsSeconds.size();
    line("_bucket", last ? "+Inf" : number(kBucketsSeconds[i]), std::to_string(count));
  }
  line("_sum", "", number(histogram.sum));
  line("_count", "", std::to_string(count));
}

std::string Metrics::text() const {
  const std::lock_guard lock(mutex_);
  std::string out;
  append_head(out, "squall_calls_total", "counter", "Calls of tools that are over.");
  for (const auto& [labels, count] : calls_) {
    constexpr std::array<std::string_view, 4> kNames{"tool", "action", "ending", "code"};
    out += "squall_calls_total{";
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (i != 0) out += ',';
      append_label(out, kNames[i], labels[i]);
    }
    out.append("} ").append(std::to_string(count)).append("\n");
  }
  append_head(out, "squall_calls_shed_total", "counter", "Calls that a guard has turned away.");
  for (const auto& [tool, per_tool] : tools_) {
    out += "squall_calls_shed_total{";
    append_label(out, "tool", tool);
    out.append("} ").append(std::to_string(per_tool.shed)).append("\n");
  }
  append_head(out, "squall_call_seconds", "histogram", "How long calls took, waiting included.");
  for (const auto& [tool, per_tool] : tools_)
    write(out, "squall_call_seconds", tool, per_tool.took);
  append_head(out, "squall_call_wait_seconds", "histogram",
              "How long calls waited for their turn.");
  for (const auto& [tool, per_tool] : tools_) {
    write(out, "squall_call_wait_seconds", tool, per_tool.waited);
  }
  return out;
}

}  // namespace squall::server
