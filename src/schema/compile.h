#pragma once

#include <memory>

#include "squall/base/result.h"
#include "squall/json/value.h"
#include "squall/schema/schema.h"

#include "documents.h"
#include "program.h"

namespace squall::schema {

/// Compiles `schema`; without the check, it must be known to satisfy its metaschema.
[[nodiscard]] Result<std::shared_ptr<const Program>> compile_program(const json::Value& schema,
                                                                     const CompileOptions& options,
                                                                     Documents::Check check);

/// Whether `schema`, which stands for (a part of) `resource`, satisfies the resource's metaschema.
[[nodiscard]] Result<void> check_against_metaschema(const json::Value& schema,
                                                    const Resource& resource,
                                                    const CompileOptions& options);

}  // namespace squall::schema
