#include "squall/cli/cli.h"

#include "squall/fault/profile_schema.h"
#include "squall/json/write.h"
#include "squall/report/write.h"

#include "case_commands.h"
#include "completion.h"
#include "demo.h"
#include "fail.h"
#include "faults.h"
#include "help.h"
#include "parser.h"
#include "plan.h"
#include "profile.h"
#include "proxy.h"
#include "report_command.h"
#include "run.h"
#include "serve.h"
#include "version.h"

namespace squall::cli {
namespace {

/// Carries out each kind of command.
struct Runner {
  Console& console;

  Exit operator()(const HelpCommand& command) const {
    console.out(help_text(command_model(), command.path));
    return Exit::passed;
  }
  Exit operator()(const VersionCommand&) const {
    console.out("squall " + std::string(kVersion) + "\n");
    return Exit::passed;
  }
  Exit operator()(const DemoCommand& command) const { return demo(command, console); }
  Exit operator()(const ServeCommand& command) const { return serve(command, console); }
  Exit operator()(const ProxyCommand& command) const { return proxy(command, console); }
  Exit operator()(const RunCommand& command) const { return run_scenarios(command, console); }
  Exit operator()(const FaultsCommand& command) const { return faults(command, console); }
  Exit operator()(const ProfileCommand& command) const { return profile(command, console); }
  Exit operator()(const PlanCommand& command) const { return plan(command, console); }
  Exit operator()(const ReportCommand& command) const { return report(command, console); }
  Exit operator()(const CaseCommand& command) const { return manage_cases(command, console); }
  Exit operator()(const VerifyCommand& command) const { return verify(command, console); }
  Exit operator()(const ExplainCommand& command) const { return explain(command, console); }
  Exit operator()(const PinCommand& command) const { return pin(command, console); }
  Exit operator()(const DiffCommand& command) const { return diff(command, console); }
  Exit operator()(const ReplayCommand& command) const { return replay(command, console); }
  Exit operator()(const ShrinkCommand& command) const { return shrink(command, console); }
  Exit operator()(const SchemaCommand& command) const {
    if (command.name == "report") {
      console.out(report::json_schema());
    } else {
      console.out(json::to_pretty_string(fault::profile_schema()) + "\n");
    }
    return Exit::passed;
  }
  Exit operator()(const RemoteCommand& command) const { return visit_server(command, console); }
  Exit operator()(const CompletionCommand& command) const {
    console.out(completion_script(command_model(), command.shell));
    return Exit::passed;
  }
};

}  // namespace

Exit run(std::span<const char* const> words, Console& console) {
  const auto command = parse_command(words);
  if (!command) {
    const bool runs = !words.empty() && std::string_view(words.front()) == "run";
    if (runs) return refuse_run(words, command.error(), console);
    return complain(console, command.error());
  }
  return std::visit(Runner{console}, *command);
}

}  // namespace squall::cli
