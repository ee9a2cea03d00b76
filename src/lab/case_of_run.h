#pragma once

#include <memory>

#include "squall/base/result.h"
#include "squall/lab/runner.h"
#include "squall/lab/suite.h"
#include "squall/recording/case_writer.h"
#include "squall/recording/redactor.h"

namespace squall::lab {

/// What a run is made of, as its case says it.
[[nodiscard]] recording::Header header_of(const Scenario& scenario, const Target& target,
                                          Protocol protocol, const CaseOptions& options,
                                          const FaultSetup* faults);

/// Opens the case of a run that is about to begin, or has been.
[[nodiscard]] Result<std::unique_ptr<recording::CaseWriter>> open_case(
    const Scenario& scenario, const Target& target, Protocol protocol, const CaseOptions& options,
    const std::string& repeat, std::shared_ptr<const recording::Redactor> redactor,
    const FaultSetup* faults);

/// Replaces secrets in all that reports will show.
void redact(RunResult& result, const recording::Redactor& redactor);

}  // namespace squall::lab
