#include "task_store.h"

#include <array>

#include "squall/base/crypto.h"
#include "squall/base/time_text.h"
#include "squall/json/write.h"

#include "input.h"

namespace squall::server {

namespace {

constexpr std::string_view kTooLarge =
    R"("error":{"code":-32603,"message":"the outcome is too large to be kept"})";

constexpr std::string_view kBroken =
    R"("error":{"code":-32603,"message":"the call gave no outcome"})";

void write_questions(json::Writer& writer,
                     const std::map<std::string, std::shared_ptr<const InputRequest>>& questions) {
  writer.key("inputRequests").begin_object();
  for (const auto& [key, question] : questions) {
    writer.key(key).begin_object().key("method").string(method_of(*question));
    writer.key("params").value(question->params).end_object();
  }
  writer.end_object();
}

}  // namespace

std::string_view to_text(TaskStatus status) noexcept {
  constexpr std::array<std::string_view, 5> kTexts{"working", "input_required", "completed",
                                                   "failed", "cancelled"};
  return kTexts[static_cast<std::size_t>(status)];
}

TaskStore::Calls TaskStore::expire(runtime::TimePoint now) {
  Calls cancels;
  while (!by_age_.empty()) {
    const auto it = tasks_.find(by_age_.front());
    Entry& entry = it->second;
    if (now < entry.ends) break;
    if (!entry.over() && entry.call.cancel) cancels.push_back(std::move(entry.call.cancel));
    bytes_ -= entry.outcome.size();
    const auto count = counts_.find(entry.owner);
    if (--count->second == 0) counts_.erase(count);
    tasks_.erase(it);
    by_age_.pop_front();
  }
  return cancels;
}

TaskStore::Entry* TaskStore::find(std::string_view id, std::string_view owner) {
  const auto it = tasks_.find(id);
  return it == tasks_.end() || it->second.owner != owner ? nullptr : &it->second;
}

TaskStore::Entry* TaskStore::find_open(const std::string& id) {
  const auto it = tasks_.find(id);
  return it == tasks_.end() || it->second.over() ? nullptr : &it->second;
}

bool TaskStore::fits(std::string_view owner) const {
  const auto count = counts_.find(owner);
  return tasks_.size() < options_.tasks_max &&
         (count == counts_.end() || count->second < options_.tasks_per_owner_max);
}

bool TaskStore::has_room(std::string_view owner, const TaskTime& time) {
  Calls cancels;
  bool room = false;
  {
    const std::lock_guard lock(mutex_);
    cancels = expire(time.now);
    room = fits(owner);
  }
  for (const auto& cancel : cancels) cancel();
  return room;
}

std::optional<std::string> TaskStore::add(std::string_view owner, TaskCall call,
                                          const TaskTime& time) {
  Calls cancels;
  std::optional<std::string> id;
  {
    const std::lock_guard lock(mutex_);
    cancels = expire(time.now);
    if (fits(owner)) {
      id = base::random_uuid();
      Entry entry;
      entry.owner = owner;
      entry.created = entry.updated = time.wall;
      entry.ends = time.now + options_.ttl;
      entry.call = std::move(call);
      by_age_.push_back(*id);
      tasks_.emplace(*id, std::move(entry));
      ++counts_[std::string(owner)];
    }
  }
  for (const auto& cancel : cancels) cancel();
  return id;
}

std::string TaskStore::text_of(std::string_view id, const Entry& entry, bool detailed) const {
  std::string out;
  json::Writer writer(out);
  writer.key("taskId").string(id).key("status").string(to_text(entry.status));
  if (!entry.message.empty()) writer.key("statusMessage").string(entry.message);
  writer.key("createdAt").string(base::utc_text(entry.created));
  writer.key("lastUpdatedAt").string(base::utc_text(entry.updated));
  writer.key("ttlMs").number(static_cast<std::int64_t>(options_.ttl.count()));
  writer.key("pollIntervalMs").number(static_cast<std::int64_t>(options_.poll_interval.count()));
  if (!detailed) return out;
  if (entry.status == TaskStatus::input_required) write_questions(writer, entry.questions);
  if (!entry.outcome.empty()) out.append(",").append(entry.outcome);
  return out;
}

std::optional<std::string> TaskStore::describe(std::string_view id, std::string_view owner,
                                               bool detailed, const TaskTime& time) {
  Calls cancels;
  std::optional<std::string> text;
  {
    const std::lock_guard lock(mutex_);
    cancels = expire(time.now);
    if (const Entry* entry = find(id, owner)) text = text_of(id, *entry, detailed);
  }
  for (const auto& cancel : cancels) cancel();
  return text;
}

bool TaskStore::set_message(const std::string& id, std::string_view message, const TaskTime& time) {
  const std::lock_guard lock(mutex_);
  Entry* entry = find_open(id);
  if (entry == nullptr || entry->message == message) return false;
  entry->message = message;
  entry->updated = time.wall;
  return true;
}

std::size_t TaskStore::ask(const std::string& id,
                           const std::vector<std::pair<std::string, InputRequest>>& questions,
                           const TaskTime& time) {
  const std::lock_guard lock(mutex_);
  Entry* entry = find_open(id);
  if (entry == nullptr) return 0;
  for (const auto& [key, question] : questions) {
    entry->questions.insert_or_assign(key, std::make_shared<const InputRequest>(question));
  }
  entry->status = TaskStatus::input_required;
  entry->updated = time.wall;
  return entry->questions.size();
}

void TaskStore::end(Entry& entry, TaskStatus status, const TaskTime& time) {
  entry.status = status;
  entry.updated = time.wall;
  entry.questions.clear();
  entry.call = {};
}

bool TaskStore::finish(const std::string& id, std::string_view outcome, const TaskTime& time) {
  const std::lock_guard lock(mutex_);
  Entry* entry = find_open(id);
  if (entry == nullptr) return false;
  if (outcome.empty()) outcome = kBroken;
  if (bytes_ + outcome.size() > options_.bytes_max) outcome = kTooLarge;
  const bool failed = outcome.starts_with("\"error\"");
  end(*entry, failed ? TaskStatus::failed : TaskStatus::completed, time);
  entry->outcome = outcome;
  bytes_ += outcome.size();
  return true;
}

bool TaskStore::abandon(const std::string& id, const TaskTime& time) {
  const std::lock_guard lock(mutex_);
  Entry* entry = find_open(id);
  if (entry == nullptr) return false;
  end(*entry, TaskStatus::cancelled, time);
  return true;
}

TaskStore::Told TaskStore::answer(std::string_view id, std::string_view owner,
                                  const json::Value& responses, const TaskTime& time,
                                  FormSchemas& forms) {
  std::vector<std::pair<std::string, std::shared_ptr<const InputRequest>>> asked;
  {
    const std::lock_guard lock(mutex_);
    const Entry* entry = find(id, owner);
    if (entry == nullptr || time.now >= entry->ends) return Told::unknown;
    for (const json::Member& member : responses.members()) {
      const auto it = entry->questions.find(std::string(member.name()));
      if (it != entry->questions.end()) asked.push_back(*it);
    }
  }
  // Judging an answer may compile a schema: not under the lock.
  std::erase_if(asked, [&](const auto& one) {
    return !is_usable_answer(*one.second, *responses.find(one.first), forms);
  });
  TaskCall::Answers answers;
  std::function<void(TaskCall::Answers)> deliver;
  {
    const std::lock_guard lock(mutex_);
    Entry* entry = find(id, owner);
    if (entry == nullptr) return Told::unknown;
    for (const auto& [key, question] : asked) {
      const auto it = entry->questions.find(key);
      if (it == entry->questions.end() || it->second != question) continue;  // another was faster
      entry->questions.erase(it);
      answers.emplace_back(key, *responses.find(key));
    }
    if (answers.empty()) return Told::unchanged;
    if (entry->questions.empty()) entry->status = TaskStatus::working;
    entry->updated = time.wall;
    deliver = entry->call.answer;
  }
  if (deliver) deliver(std::move(answers));
  return Told::changed;
}

TaskStore::Told TaskStore::cancel(std::string_view id, std::string_view owner,
                                  const TaskTime& time) {
  std::function<void()> cancel;
  {
    const std::lock_guard lock(mutex_);
    Entry* entry = find(id, owner);
    if (entry == nullptr || time.now >= entry->ends) return Told::unknown;
    if (entry->over()) return Told::unchanged;
    cancel = std::move(entry->call.cancel);
    end(*entry, TaskStatus::cancelled, time);
  }
  if (cancel) cancel();
  return Told::changed;
}

std::size_t TaskStore::size() const {
  const std::lock_guard lock(mutex_);
  return tasks_.size();
}

}  // namespace squall::server
