// What the coroutine lint must flag (lines marked `bad`) and let pass (all others). Compiled by
// clang-query alone: g++ 12 would build the bad lines and free their temporaries twice.
#include <coroutine>
#include <functional>
#include <string>
#include <utility>

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  bool await_ready() const noexcept { return true; }
  void await_suspend(std::coroutine_handle<>) const noexcept {}
  int await_resume() const noexcept { return 0; }
};

struct Aggregate {
  std::string text;
  int number = 0;
};
struct Point {
  int x = 0;
  int y = 0;
};
class Built {
 public:
  explicit Built(std::string text, int number = 0) : text_(std::move(text)), number_(number) {}

 private:
  std::string text_;
  int number_;
};

Task run(std::function<void()> work);
Task take(Aggregate aggregate);
Task take_or_default(Aggregate aggregate = Aggregate{});
Task place(Point point);
Task build(Built built);
Aggregate make();
int count(int waited, Aggregate aggregate);
int count(int waited, std::function<void()> work);
Task spawn(std::function<Task()> body, Aggregate aggregate);

Task bad_lines(std::string text, bool flag) {
  co_await run([text] {});                                                // bad
  co_await run(std::function<void()>([text] {}));                         // bad
  co_await take({.text = text, .number = 2});                             // bad
  co_await take(Aggregate{.text = text});                                 // bad
  co_await take_or_default();                                             // bad
  co_await [](std::string) -> Task { co_return; }(text);                  // bad
  co_await build(flag ? Built{text} : Built{text, 2});                    // bad
  Built late = (co_await place({})) == 0 ? Built{text} : Built{text, 2};  // bad
  count(co_await place({}), {.text = text});                              // bad
  count(co_await place({}), [text] {});                                   // bad
  static_cast<void>(late);
}

Task good_lines(std::string text) {
  auto work = [text] {};
  co_await run(std::move(work));
  Aggregate named{.text = text, .number = 2};
  co_await take(std::move(named));
  co_await take(make());
  co_await place({1, 2});
  co_await build(Built{text, 3});
  const int chosen = (co_await place({})) == 0 ? 1 : 2;
  auto task = run([text] {});
  co_await std::move(task);
  auto lambda = [text]() -> Task { co_await place({}); };
  co_await lambda();
  spawn([text]() -> Task { co_await place({}); }, {.text = text});
  count(0, [text] {});
  const std::string joined = text + std::to_string(co_await place({}));
  count(co_await place({}), make());
  static_cast<void>(chosen);
}
