#include "../acts.h"
#include "kinds.h"

namespace squall::inject {

namespace {

std::string_view variant(const Scene& scene) { return scene.with.text("variant", "crlf"); }

void on_opened(Scene& scene) {
  ProcessAct act;
  act.what = ProcessAct::What::end_of_line;
  if (variant(scene) == "crlf") act.text = "\r\n";
  if (variant(scene) == "blank-lines") act.text = "\n\n \n";
  if (!act.text.empty()) order(scene, std::move(act), "lines that end otherwise");
}

/// A line break in a place where JSON takes white space: behind the opening brace.
void break_line(Scene& scene) {
  std::string bytes = scene.bytes();
  const std::size_t brace = bytes.find('{');
  if (brace == std::string::npos) return;
  scene.set_bytes(bytes.insert(brace + 1, "\n"), "a line break inside the message");
}

void on_traffic(Scene& scene) {
  if (variant(scene) == "raw-newline") return break_line(scene);
  if (variant(scene) == "content-length") {
    const std::string length = std::to_string(scene.bytes().size());
    scene.set_bytes("Content-Length: " + length + "\r\n\r\n" + scene.bytes(),
                    "framed by its length");
    scene.out.main->form = Send::Form::raw;
  } else if (variant(scene) == "none-at-eof" && scene.strike.seen++ == 0) {
    // Nothing ends this line: the output does.
    scene.set_bytes(scene.bytes(), "a last line without its end");
    scene.out.main->form = Send::Form::raw;
    ProcessAct act;
    act.what = ProcessAct::What::close_stdout;
    act.after = scene.out.main->after;
    order(scene, std::move(act), "the output ends");
  }
}

}  // namespace

const Fault line_ending_kind{
    .kind = "line-ending", .on_opened = on_opened, .on_traffic = on_traffic};

}  // namespace squall::inject
