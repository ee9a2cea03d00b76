#include "fault_line.h"

#include <utility>

#include "squall/inject/faulty_link.h"

namespace squall::lab {

Result<std::unique_ptr<FaultLine>> FaultLine::make(const FaultSetup& setup, runtime::Loop& loop,
                                                   WireLog& wire) {
  inject::InjectorOptions options;
  options.record = wire.recorder() != nullptr;
  SQUALL_TRY(auto injector, inject::Injector::make(setup.profile, setup.seed, std::move(options)));
  if (!setup.counters.is_null()) SQUALL_CHECK(injector->stand_at(setup.counters));
  wire.let_be_relayed();
  return std::unique_ptr<FaultLine>(new FaultLine(std::move(injector), loop, wire));
}

std::unique_ptr<client::Link> FaultLine::in_front_of(std::unique_ptr<client::Link> link) {
  inject::FaultyLinkOptions options;
  options.recorder = wire_.recorder();
  options.began = wire_.began();
  options.arrivals = &wire_.arrivals();
  options.connection = ++connections_;
  return inject::make_faulty_link(loop_, std::move(link), *injector_, options);
}

std::vector<std::string> FaultLine::fired() const {
  std::vector<std::string> out;
  for (const auto& [rule, count] : injector_->fired()) {
    if (count > 0) out.push_back(rule);
  }
  return out;
}

}  // namespace squall::lab
