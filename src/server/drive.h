#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "squall/mcp/names.h"
#include "squall/server/engine.h"
#include "squall/server/tool_error.h"

#include "input.h"
#include "logging.h"
#include "request.h"

/// @file How a handler is run, whatever it gives back: guarded, over rounds of input, to one
/// response.

namespace squall::server {

/// The client can't be asked, or has refused; `why` is for the caller to see.
[[nodiscard]] inline ToolError input_unavailable(const std::string& why) {
  return {"INPUT_UNAVAILABLE", why};
}

/// One request's work and what becomes of its outcome.
template <typename T>
struct Job {
  const Handler<T>* handler;
  const void* entry;        ///< of the pipeline, for `write`
  std::string_view target;  ///< what the request is about: a name or a URI
  void (*write)(ServedRequest& request, const void* entry, T& result);
  /// What the caller gets instead of a result when the engine, the server's own context or a
  /// handler that threw says no.
  Outcome<T> (*refused)(const ToolError& error);
  /// What stands around a plain handler when nothing there waits; null: nothing does.
  Outcome<T> (*run_now)(ServedRequest& request, const Job& job);
  /// What is done to the last outcome of a handler that was started so; null: nothing is.
  void (*finish_now)(ServedRequest& request, const Job& job, Outcome<T>& outcome);
  /// What stands around all rounds of the handler; null: nothing does.
  Task<Outcome<T>> (*run)(ServedRequest& request, const Job& job);
  /// What stands around each round of the handler; null: nothing does.
  Task<Outcome<T>> (*run_round)(ServedRequest& request, const Job& job);
};

/// What a handler that threw has given: a ToolError as it is. Any other exception's text stays
/// here, as it may hold secrets.
template <typename T, typename F>
Outcome<T> guarded(ServedRequest& request, const Job<T>& job, F&& run) {
  try {
    return run();
  } catch (const ToolError& error) {
    return job.refused(error);
  } catch (...) {
    log_exception(request, job.target);
    return job.refused(internal_error());
  }
}

template <typename T>
Outcome<T> run_plain(ServedRequest& request, const Job<T>& job) {
  return guarded<T>(request, job, [&] { return job.handler->plain(request.context()); });
}

template <typename T>
Task<Outcome<T>> run_handler(ServedRequest& request, const Job<T>& job) {
  if (job.handler->plain) co_return run_plain(request, job);
  std::optional<ToolError> refusal;
  try {
    Task<Outcome<T>> task = job.handler->coroutine(request.context());
    co_return co_await std::move(task);
  } catch (const ToolError& error) {
    refusal = error;
  } catch (...) {
    log_exception(request, job.target);
    refusal = internal_error();
  }
  co_return job.refused(*refusal);
}

template <typename T>
void conclude(ServedRequest& request, const Job<T>& job, Outcome<T>& outcome) {
  if (request.over()) return;
  if (T* result = outcome.result()) return job.write(request, job.entry, *result);
  if (const ProtocolError* error = outcome.error()) {
    const json::Value* data = error->data.is_null() ? nullptr : &error->data;
    return request.respond_error(error->code, error->message, data);
  }
  respond_input_required(request, job.target);
}

/// Whether questions end the request, and its answers come with another one.
inline bool ends_round(const ServedRequest& request) {
  return request.supports(mcp::Feature::input_required) && !request.is_task();
}

/// Runs round after round until the handler has no more questions, or the caller has to come back
/// with the answers. `outcome` is that of the first round when it has been run already.
template <typename T>
Task<Outcome<T>> run_rounds(ServedRequest& request, const Job<T>& job,
                            std::optional<Outcome<T>> outcome) {
  while (true) {
    if (!outcome) {
      Task<Outcome<T>> task =
          job.run_round != nullptr ? job.run_round(request, job) : run_handler(request, job);
      outcome.emplace(co_await std::move(task));
    }
    if (!outcome->needs_input() || ends_round(request)) {
      co_return *std::move(outcome);
    }
    outcome.reset();
    if (const Result<void> sent = send_questions(request); !sent) {
      co_return job.refused(input_unavailable(sent.error().message));
    }
    ServedRequest::Answers answers{request};
    co_await answers;
    if (request.input_failure) co_return job.refused(input_unavailable(*request.input_failure));
  }
}

template <typename T>
Task<void> drive(ServedRequest& request, Job<T> job, std::optional<Outcome<T>> outcome) {
  const bool begun = outcome.has_value();
  Task<Outcome<T>> task =
      job.run != nullptr ? job.run(request, job) : run_rounds(request, job, std::move(outcome));
  Outcome<T> last = co_await std::move(task);
  if (begun && job.finish_now != nullptr) {
    job.finish_now(request, job, last);
  }
  conclude(request, job, last);
}

/// Starts a job; a plain handler that nothing makes wait runs at once, without a coroutine.
template <typename T>
void start(const std::shared_ptr<ServedRequest>& request, const Job<T>& job) {
  if (const Result<void> taken = take_input(*request, job.target); !taken) {
    const json::Value data = json::Value::object({{"reason", "invalid_request_state"}});
    return request->respond_error(jsonrpc::code::kInvalidParams, taken.error().message, &data);
  }
  std::optional<Outcome<T>> outcome;
  if (job.handler->plain && job.run == nullptr) {
    outcome.emplace(job.run_now != nullptr ? job.run_now(*request, job) : run_plain(*request, job));
    if (!outcome->needs_input() || ends_round(*request)) {
      if (job.finish_now != nullptr) job.finish_now(*request, job, *outcome);
      return conclude(*request, job, *outcome);
    }
  }
  request->start(drive<T>(*request, job, std::move(outcome)));
}

/// Makes the server's own context of this request, when its registry has a factory. Nothing, or why
/// the request must not go on.
[[nodiscard]] std::optional<ToolError> make_own_context(ServedRequest& request);

/// What a prompt or a resource says of a ToolError: they have no results that are errors.
template <typename T>
Outcome<T> protocol_refusal(const ToolError& error) {
  return ProtocolError(jsonrpc::code::kInternalError, error.message(), error.structured());
}

/// Ends the members of a result: `_meta` and what the revision adds.
inline void write_result_end(ServedRequest& request, const json::Value& meta,
                             std::string& response) {
  const Pipeline& pipeline = request.pipeline();
  const bool modern = request.supports(mcp::Feature::result_type);
  if (!meta.is_object()) {
    if (modern) response += pipeline.complete_suffix;
    return;
  }
  if (modern) response += ",\"resultType\":\"complete\"";
  response += ",\"_meta\":{";
  json::Writer writer(response);
  for (const json::Member& member : meta.members()) {
    if (member.name() == mcp::meta::kServerInfo) continue;
    writer.key(member.name()).value(member.value);
  }
  if (modern) writer.raw(pipeline.server_info_meta);
  response += '}';
}

}  // namespace squall::server
