#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "request.h"
#include "task_store.h"

/// @file Requests that become tasks, and the methods by which clients follow them.

namespace squall::server {

/// Whose tasks a request may see and make; "" is everybody without a name.
[[nodiscard]] std::string_view owner_of(const ServedRequest& request) noexcept;
[[nodiscard]] TaskTime time_of(runtime::Loop& loop);

/// Whether the request declared the extension, in a revision that has extensions.
[[nodiscard]] bool knows_tasks(const ServedRequest& request) noexcept;
/// Answers with the error that asks for the extension.
void refuse_without_tasks(ServedRequest& request);

/// See `Context::become_task`.
bool become_task(ServedRequest& request);
/// See `Context::set_task_message`.
void set_task_message(ServedRequest& request, std::string_view message);
/// Makes the noted questions those of the request's task; gives how many answers that needs.
[[nodiscard]] std::size_t ask_in_task(ServedRequest& request);

/// Serves tasks/get, tasks/update and tasks/cancel; whether the method is one of these.
bool dispatch_task_method(ServedRequest& request);

}  // namespace squall::server
