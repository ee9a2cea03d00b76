#pragma once

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "squall/auth/fetch.h"
#include "squall/auth/form.h"
#include "squall/runtime/loop.h"

namespace squall::auth::test {

/// A network of handlers: each request is answered by the first whose method and URL (without its
/// query) fit, or with 404. Keeps what was asked.
class ScriptFetch final : public Fetch {
 public:
  using Handler = std::function<Result<FetchResponse>(const FetchRequest&)>;

  void on(std::string method, std::string url, Handler handler) {
    routes_.push_back({std::move(method), std::move(url), std::move(handler)});
  }
  /// Answers every request of that kind with this JSON.
  void on(std::string method, std::string url, std::string json, int status = 200) {
    on(std::move(method), std::move(url), [json = std::move(json), status](const FetchRequest&) {
      return FetchResponse{status, {{"Content-Type", "application/json"}}, json};
    });
  }

  Task<Result<FetchResponse>> fetch(FetchRequest request) override {
    requests.push_back(std::move(request));
    const FetchRequest& asked = requests.back();
    if (delay) co_await delay();
    const std::string where = asked.url.substr(0, asked.url.find('?'));
    // The latest route wins, so that a test can change its mind.
    for (auto route = routes_.rbegin(); route != routes_.rend(); ++route) {
      if (route->method == asked.method && route->url == where) co_return route->handler(asked);
    }
    co_return FetchResponse{404, {}, "not here"};
  }

  [[nodiscard]] std::size_t count(std::string_view method, std::string_view url) const {
    std::size_t hits = 0;
    for (const FetchRequest& request : requests) {
      if (request.method == method && request.url.substr(0, request.url.find('?')) == url) ++hits;
    }
    return hits;
  }
  /// The decoded form of the latest request to `url`.
  [[nodiscard]] Parameters last_form(std::string_view url) const {
    for (auto request = requests.rbegin(); request != requests.rend(); ++request) {
      if (request->url == url) return parse_query(request->body).value_or(Parameters());
    }
    return {};
  }

  std::deque<FetchRequest> requests;
  std::function<Task<void>()> delay;  ///< what happens before each answer

 private:
  struct Route {
    std::string method;
    std::string url;
    Handler handler;
  };
  std::vector<Route> routes_;
};

/// Runs a task that a simulated loop can finish, and gives its result.
template <typename T>
T finish(runtime::SimulatedLoop& loop, Task<T> task) {
  task.start();
  while (!task.done() && loop.run_ready()) continue;
  return task.take();
}

}  // namespace squall::auth::test
