#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "squall/server/registry.h"
#include "squall/server/state.h"

/// @file The invoices that the example serves, and the actions on them.

namespace invoices {

enum class Status { open, paid, void_ };
SQUALL_DESCRIBE_ENUM(Status, open, paid, void_)

struct Invoice {
  std::string id;
  std::string customer;
  std::int64_t cents = 0;
  Status status = Status::open;
};
SQUALL_DESCRIBE(Invoice, id, customer, cents, status)

/// Who calls, made afresh for each request.
struct Caller {
  std::string tenant;
};

/// Each tenant's invoices by id; one loop's.
using Store = std::map<std::string, std::map<std::string, Invoice>>;
[[nodiscard]] Store sample_store();

/// Declares all actions; `store` outlives what is compiled. Payments are kept in `state`, when
/// there is one, and taken from it.
void declare(squall::server::Registry& registry, Store& store,
             const std::shared_ptr<squall::server::ServerState>& state = nullptr);

}  // namespace invoices
