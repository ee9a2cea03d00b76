#include "task_calls.h"

#include <algorithm>

#include "squall/mcp/names.h"
#include "squall/server/outlet.h"

#include "engine_state.h"

namespace squall::server {

namespace {

/// Where a call speaks once it is a task: into the store, and to those who listen to it. There is
/// nobody for its progress and its logs.
class TaskOutlet final : public Outlet {
 public:
  TaskOutlet(const ServedRequest& request, std::string task)
      : engine_(request.engine().state()),
        loop_(request.loop()),
        request_id_(request.id()),
        task_(std::move(task)),
        owner_(owner_of(request)) {}

  void send(std::string_view, bool) override {}
  void finish(int, std::string_view response) override {
    const std::string_view outcome = jsonrpc::outcome_member(response, request_id_);
    const TaskTime time = time_of(loop_);
    if (engine_.tasks.finish(task_, outcome, time)) engine_.publish_task(task_, owner_, time);
  }
  void abandon() override {
    const TaskTime time = time_of(loop_);
    if (engine_.tasks.abandon(task_, time)) engine_.publish_task(task_, owner_, time);
  }
  /// A task has no connection that could break: it is lost.
  void cut(Cut, std::string_view) override { abandon(); }
  [[nodiscard]] bool carries_requests() const override { return false; }

 private:
  Engine::State& engine_;
  runtime::Loop& loop_;
  jsonrpc::Id request_id_;
  std::string task_;
  std::string owner_;
};

/// The way from any thread to a call on its loop.
TaskCall call_of(ServedRequest& request) {
  TaskCall call;
  call.cancel = [weak = request.weak_from_this(), &loop = request.loop()] {
    loop.post([weak] {
      if (const auto found = weak.lock()) found->cancel();
    });
  };
  call.answer = [weak = request.weak_from_this(),
                 &loop = request.loop()](TaskCall::Answers answers) {
    loop.post([weak, answers = std::move(answers)] {
      const auto found = weak.lock();
      if (!found) return;
      constexpr std::int64_t kNoRequest = 0;  // of ours: the questions stand in the task
      for (const auto& [key, value] : answers) {
        found->answer(kNoRequest, key, {ClientAnswer::Kind::result, value});
      }
    });
  };
  return call;
}

void unknown_task(ServedRequest& request) {
  request.respond_error(jsonrpc::code::kInvalidParams, "unknown task");
}

void respond(ServedRequest& request, std::string members) {
  std::string response = request.begin_response(members.size());
  const std::string& suffix = request.pipeline().complete_suffix;
  // The suffix begins with the comma that members before it need.
  if (members.empty()) {
    response.append(suffix, 1);
  } else {
    response.append(members).append(suffix);
  }
  request.respond(std::move(response));
}

void get(ServedRequest& request, std::string_view id) {
  TaskStore& tasks = request.engine().state().tasks;
  auto members = tasks.describe(id, owner_of(request), true, time_of(request.loop()));
  if (!members) return unknown_task(request);
  respond(request, std::move(*members));
}

void acknowledge(ServedRequest& request, std::string_view id, TaskStore::Told told,
                 const TaskTime& time) {
  if (told == TaskStore::Told::unknown) return unknown_task(request);
  if (told == TaskStore::Told::changed) {
    request.engine().state().publish_task(id, owner_of(request), time);
  }
  respond(request, {});
}

void update(ServedRequest& request, std::string_view id) {
  const json::Value* responses = request.params().find("inputResponses");
  if (responses == nullptr || !responses->is_object()) {
    return request.respond_error(jsonrpc::code::kInvalidParams, "inputResponses must be an object");
  }
  const TaskTime time = time_of(request.loop());
  TaskStore& tasks = request.engine().state().tasks;
  FormSchemas& forms = request.engine().state().forms;
  acknowledge(request, id, tasks.answer(id, owner_of(request), *responses, time, forms), time);
}

void cancel(ServedRequest& request, std::string_view id) {
  const TaskTime time = time_of(request.loop());
  TaskStore& tasks = request.engine().state().tasks;
  acknowledge(request, id, tasks.cancel(id, owner_of(request), time), time);
}

}  // namespace

std::string_view owner_of(const ServedRequest& request) noexcept {
  if (!request.principal.empty()) return request.principal;
  return request.session() != nullptr ? std::string_view(request.session()->id)
                                      : std::string_view();
}

TaskTime time_of(runtime::Loop& loop) { return {loop.now(), loop.wall_time()}; }

bool knows_tasks(const ServedRequest& request) noexcept {
  return request.client.tasks && request.supports(mcp::Feature::extensions);
}

void refuse_without_tasks(ServedRequest& request) {
  json::Value named = json::Value::object({{mcp::extension::kTasks, json::Value::object()}});
  json::Value required = json::Value::object({{"extensions", std::move(named)}});
  const json::Value data = json::Value::object({{"requiredCapabilities", std::move(required)}});
  request.respond_error(mcp::code::kMissingCapability,
                        "this needs the extension " + std::string(mcp::extension::kTasks) +
                            ", which the request doesn't declare",
                        &data, 400);
}

bool become_task(ServedRequest& request) {
  if (request.is_task()) return true;
  if (request.over() || !request.may_become_task || !knows_tasks(request)) return false;
  const TaskTime time = time_of(request.loop());
  TaskStore& tasks = request.engine().state().tasks;
  auto id = tasks.add(owner_of(request), call_of(request), time);
  if (!id) return false;
  std::string response = request.begin_response();
  response += tasks.describe(*id, owner_of(request), false, time).value_or("");
  response += ",\"resultType\":\"task\",\"_meta\":{";
  response += request.pipeline().server_info_meta;
  response += '}';
  request.task_id = std::move(*id);
  request.respond_and_go_on(std::move(response),
                            std::make_unique<TaskOutlet>(request, request.task_id));
  return true;
}

void set_task_message(ServedRequest& request, std::string_view message) {
  if (!request.is_task()) return;
  const TaskTime time = time_of(request.loop());
  Engine::State& engine = request.engine().state();
  if (engine.tasks.set_message(request.task_id, message, time)) {
    engine.publish_task(request.task_id, owner_of(request), time);
  }
}

std::size_t ask_in_task(ServedRequest& request) {
  const TaskTime time = time_of(request.loop());
  Engine::State& engine = request.engine().state();
  const std::size_t open = engine.tasks.ask(request.task_id, request.questions, time);
  if (open != 0) engine.publish_task(request.task_id, owner_of(request), time);
  // None once it was cancelled: nobody answers then, and the cancellation is under way.
  return std::max<std::size_t>(1, open);
}

bool dispatch_task_method(ServedRequest& request) {
  const std::string_view method = request.method();
  const bool is_get = method == mcp::method::kTasksGet;
  const bool is_update = method == mcp::method::kTasksUpdate;
  if (!is_get && !is_update && method != mcp::method::kTasksCancel) return false;
  if (!knows_tasks(request)) {
    refuse_without_tasks(request);
    return true;
  }
  const std::optional<std::string_view> id = request.params().find_string("taskId");
  if (!id) {
    request.respond_error(jsonrpc::code::kInvalidParams, "taskId must be a string");
  } else if (is_get) {
    get(request, *id);
  } else if (is_update) {
    update(request, *id);
  } else {
    cancel(request, *id);
  }
  return true;
}

}  // namespace squall::server
