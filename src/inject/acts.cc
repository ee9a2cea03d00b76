#include "acts.h"

namespace squall::inject {

void order(Scene& scene, Line line, std::string how) {
  scene.did();
  line.connection = scene.ongoing.connection;
  line.rule = scene.rule();
  line.how = std::move(how);
  scene.out.behind.emplace_back(std::move(line));
}

void order(Scene& scene, ProcessAct act, std::string how) {
  scene.did();
  act.process = scene.ongoing.process;
  act.rule = scene.rule();
  act.how = std::move(how);
  scene.out.behind.emplace_back(std::move(act));
}

Send raw_bytes(const Scene& scene, std::string bytes, std::string how) {
  Send send;
  send.form = Send::Form::raw;
  send.connection = scene.ongoing.connection;
  send.bytes = std::move(bytes);
  send.rule = scene.rule();
  send.how = std::move(how);
  send.delivery = recording::Delivery::made_up;
  return send;
}

}  // namespace squall::inject
