#pragma once

#include "squall/json/value.h"

namespace squall::schema {

/// Whether `schema` is for certain a 2020-12 schema: made of the everyday keywords alone, with
/// values that the metaschema accepts, and neither large nor deep. What this says no to may still
/// be a schema; the metaschema knows. Compiling that costs more than all else a small server does
/// before its first answer, so schemas that can do without it are let through here.
[[nodiscard]] bool is_plain_schema(const json::Value& schema);

}  // namespace squall::schema
