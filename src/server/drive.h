#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "squall/mcp/names.h"
#include "squall/server/engine.h"

#include "input.h"
#include "logging.h"
#include "request.h"

/// @file How a handler is run, whatever it gives back: guarded, over rounds of input, to one
/// response.

namespace squall::server {

/// One request's work and what becomes of its outcome.
template <typename T>
struct Job {
  const Handler<T>* handler;
  const void* entry;        ///< of the pipeline, for `write`
  std::string_view target;  ///< what the request is about: a name or a URI
  void (*write)(ServedRequest& request, const void* entry, T& result);
  /// The client can't be asked; `why` is for the caller to see.
  void (*unaskable)(ServedRequest& request, const std::string& why);
  /// What a handler that threw has given. The exception's text stays here: it may hold secrets.
  Outcome<T> (*thrown)();
  /// Runs the handler; tools put their stages around it here.
  Task<Outcome<T>> (*run)(ServedRequest& request, const Job& job);
};

template <typename T>
Outcome<T> run_plain(ServedRequest& request, const Job<T>& job) {
  try {
    return job.handler->plain(request.context());
  } catch (...) {
    log_exception(request, job.target);
    return job.thrown();
  }
}

template <typename T>
Task<Outcome<T>> run_handler(ServedRequest& request, const Job<T>& job) {
  if (job.handler->plain) co_return run_plain(request, job);
  try {
    Task<Outcome<T>> task = job.handler->coroutine(request.context());
    co_return co_await std::move(task);
  } catch (...) {
    log_exception(request, job.target);
  }
  co_return job.thrown();
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

/// Runs round after round until the handler has no more questions. `outcome` is that of the first
/// round when it has been run already.
template <typename T>
Task<void> drive(ServedRequest& request, Job<T> job, std::optional<Outcome<T>> outcome) {
  while (true) {
    if (!outcome) {
      Task<Outcome<T>> task = job.run(request, job);
      outcome.emplace(co_await std::move(task));
    }
    if (!outcome->needs_input() || ends_round(request)) {
      conclude(request, job, *outcome);
      co_return;
    }
    outcome.reset();
    if (const Result<void> sent = send_questions(request); !sent) {
      job.unaskable(request, sent.error().message);
      co_return;
    }
    ServedRequest::Answers answers{request};
    co_await answers;
    if (request.input_failure) {
      job.unaskable(request, *request.input_failure);
      co_return;
    }
  }
}

/// Starts a job; a plain handler without stages runs at once, without a coroutine.
template <typename T>
void start(const std::shared_ptr<ServedRequest>& request, const Job<T>& job) {
  if (const Result<void> taken = take_input(*request, job.target); !taken) {
    const json::Value data = json::Value::object({{"reason", "invalid_request_state"}});
    return request->respond_error(jsonrpc::code::kInvalidParams, taken.error().message, &data);
  }
  std::optional<Outcome<T>> outcome;
  if (job.handler->plain && job.run == &run_handler<T>) {
    outcome.emplace(run_plain(*request, job));
    if (!outcome->needs_input() || ends_round(*request)) {
      return conclude(*request, job, *outcome);
    }
  }
  request->start(drive<T>(*request, job, std::move(outcome)));
}

/// Ends the members of a result: `_meta` and what the revision adds.
inline void write_result_end(ServedRequest& request, const json::Value& meta,
                             std::string& response) {
  const Pipeline& pipeline = request.engine().pipeline();
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
