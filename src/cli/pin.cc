#include "squall/cases/pin.h"

#include "squall/json/write.h"

#include "case_commands.h"

namespace squall::cli {

Exit pin(const PinCommand& command, Console& console) {
  const auto record = recording::read_case(command.path);
  if (!record) return refuse(command.json, record.error(), console);
  const auto schedule = cases::pin(*record);
  if (!schedule) return refuse(command.json, schedule.error(), console);
  console.out(command.json ? json::to_pretty_string(*schedule) + "\n"
                           : cases::to_yaml(*schedule, "the strikes of case " + record->run_id));
  return Exit::passed;
}

}  // namespace squall::cli
