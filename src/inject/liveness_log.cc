#include "squall/inject/fault_tools.h"
#include "squall/json/write.h"
#include "squall/runtime/line_writer.h"

namespace squall::inject {

namespace {

class LivenessLog final : public LivenessRecorder {
 public:
  explicit LivenessLog(int descriptor) : lines_(descriptor) {}
  void record(const LivenessEvent& event) override {
    std::string line;
    json::Writer writer(line);
    writer.begin_object().key("event").string("protocol_ping_liveness");
    writer.key("requestId").raw(event.request_id);
    writer.key("protocolPing").begin_object().key("outcome").string(event.ping).end_object();
    writer.key("transport").begin_object().key("outcome").string(event.transport).end_object();
    writer.end_object();
    lines_.write(line);
  }

 private:
  runtime::LineWriter lines_;
};

}  // namespace

std::shared_ptr<LivenessRecorder> make_liveness_log(int descriptor) {
  return std::make_shared<LivenessLog>(descriptor);
}

}  // namespace squall::inject
