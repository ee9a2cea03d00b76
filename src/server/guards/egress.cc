#include <algorithm>
#include <string>

#include "squall/json/parse.h"
#include "squall/server/guards/guards.h"

#include "../presenter/blocks.h"
#include "trim.h"

namespace squall::server {

namespace {

/// Room for the notice that something was cut.
constexpr std::size_t kNoticeBytes = 320;

std::size_t written_size(const Content& block, mcp::Revision revision) {
  std::string text;
  block.write(text, revision);
  return text.size();
}

/// What was cut, for the notice.
struct Loss {
  std::size_t blocks = 0;
  std::size_t texts = 0;
  std::vector<Trimmed> lists{};
  [[nodiscard]] bool any() const noexcept { return blocks + texts + lists.size() != 0; }
};

/// Cuts a text block to `bytes` as written. False when nothing of it can stay.
bool cut_text(Content& block, std::size_t bytes, mcp::Revision revision, Loss& loss) {
  const std::size_t frame = written_size(Content::text(""), revision);
  if (bytes <= frame) return false;
  // Text grows when it is written as a string: make room by what this one grows.
  const std::size_t plain = block.body().size();
  const std::size_t grown = written_size(block, revision) - frame;
  std::size_t room = bytes - frame;
  if (grown > plain) room = static_cast<std::size_t>(double(room) * double(plain) / double(grown));
  for (; room > 0; room = room * 3 / 4) {
    Content shorter = block;
    Loss more;
    auto value = json::parse(block.body());
    if (value && (value->is_array() || value->is_object())) {
      const auto trimmed = trim_list(*value, room);
      if (!trimmed) return false;
      more.lists.push_back(*trimmed);
      shorter.set_text(inert_json(*value));
    } else {
      const std::string_view text = trim_text(block.body(), room);
      if (text.empty()) return false;
      shorter.set_text(std::string(text));
      ++more.texts;
    }
    if (written_size(shorter, revision) > bytes) continue;
    block = std::move(shorter);
    loss.texts += more.texts;
    loss.lists.insert(loss.lists.end(), more.lists.begin(), more.lists.end());
    return true;
  }
  return false;
}

/// Cuts the structured content where that is wanted and its schema allows it.
void cut_structured(ToolResult& result, std::size_t bytes, const EgressOptions& options,
                    Loss& loss) {
  if (!options.trim_structured || !result.structured) return;
  json::Value shorter = *result.structured;
  const auto trimmed = trim_list(shorter, bytes);
  if (!trimmed) return;
  if (options.output && options.output->validate(shorter) != schema::Verdict::valid) return;
  result.structured = std::move(shorter);
  loss.lists.push_back(*trimmed);
}

std::string tell(const Loss& loss, std::size_t bytes) {
  std::string text = "The result was cut to " + std::to_string(bytes) + " bytes";
  for (const Trimmed& list : loss.lists) {
    text += "; a list shows " + std::to_string(list.kept) + " of its " + std::to_string(list.all) +
            " items";
    if (text.size() > kNoticeBytes / 2) break;
  }
  if (loss.texts != 0) text += "; " + std::to_string(loss.texts) + " text(s) end early";
  if (loss.blocks != 0) text += "; " + std::to_string(loss.blocks) + " block(s) are left out";
  return text + ". Ask for less: narrow the filter, or page.";
}

std::size_t size_of(const ToolResult& result, mcp::Revision revision) {
  std::size_t size = 0;
  for (const Content& block : result.content) size += written_size(block, revision);
  if (result.structured) size += json::to_string(*result.structured).size();
  return size;
}

class Egress final : public Stage {
 public:
  explicit Egress(EgressOptions options) : options_(std::move(options)) {}

  Task<Outcome<ToolResult>> around(std::string_view, Context& context, const Next& next) override {
    Task<Outcome<ToolResult>> inner = next();
    Outcome<ToolResult> outcome = co_await std::move(inner);
    if (ToolResult* result = outcome.result()) {
      cut_to_budget(*result, context.revision(), options_);
    }
    co_return outcome;
  }

 private:
  const EgressOptions options_;
};

}  // namespace

bool cut_to_budget(ToolResult& result, mcp::Revision revision, const EgressOptions& options) {
  // The engine would add this text behind us.
  if (result.structured && result.content.empty()) {
    result.add(Content::text(json::to_string(*result.structured)));
  }
  if (size_of(result, revision) <= options.bytes) return false;
  Loss loss;
  std::size_t guidance = kNoticeBytes;
  for (const Content& block : result.content) {
    if (block.is_guidance()) guidance += written_size(block, revision);
  }
  const std::size_t budget = options.bytes > guidance ? options.bytes - guidance : 0;
  // The structured content and the text that mirrors it share what there is.
  if (result.structured) cut_structured(result, budget / 2, options, loss);
  const std::size_t structured = result.structured ? json::to_string(*result.structured).size() : 0;
  std::size_t left = budget > structured ? budget - structured : 0;
  std::vector<Content> kept;
  for (Content& block : result.content) {
    const std::size_t size = written_size(block, revision);
    if (block.is_guidance()) {
      kept.push_back(std::move(block));
    } else if (size <= left) {
      left -= size;
      kept.push_back(std::move(block));
    } else if (block.is_text() && cut_text(block, left, revision, loss)) {
      left -= std::min(left, written_size(block, revision));
      kept.push_back(std::move(block));
    } else {
      ++loss.blocks;
    }
  }
  result.content = std::move(kept);
  if (loss.any()) result.add(notice_block("egress", tell(loss, options.bytes)));
  return loss.any();
}

std::shared_ptr<Stage> limit_egress(EgressOptions options) {
  return std::make_shared<Egress>(std::move(options));
}

}  // namespace squall::server
