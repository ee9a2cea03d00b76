#pragma once

#include <cstddef>
#include <vector>

#include "squall/json/value.h"
#include "squall/schema/schema.h"

#include "program.h"

namespace squall::schema {

struct Evaluation {
  Verdict verdict = Verdict::valid;
  std::size_t steps = 0;  ///< taken
};

/// Runs `program` on `instance`: up to the first violation when `violations` is null, else on to
/// the limit of errors, which are appended.
[[nodiscard]] Evaluation evaluate(const Program& program, const json::Value& instance,
                                  std::vector<Violation>* violations);

}  // namespace squall::schema
