#include "squall/schema/schema.h"

#include "compile.h"
#include "evaluate.h"

namespace squall::schema {

Result<Schema> Schema::compile(const json::Value& schema, const CompileOptions& options) {
  SQUALL_TRY(auto program, compile_program(schema, options, Documents::Check::yes));
  return Schema(std::move(program));
}

Verdict Schema::validate(const json::Value& instance) const {
  return evaluate(*program_, instance, nullptr).verdict;
}

Verdict Schema::validate(const json::Value& instance, std::vector<Violation>& violations) const {
  const Verdict verdict = validate(instance);
  // Going on after the first violation may meet a limit that the verdict did not need.
  if (verdict == Verdict::invalid) (void)evaluate(*program_, instance, &violations);
  return verdict;
}

}  // namespace squall::schema
