#include "invoices.h"

#include <utility>

namespace invoices {

using namespace squall;
using namespace squall::server;

namespace {

struct GetInvoice {
  std::string id;
};
SQUALL_DESCRIBE(GetInvoice, id)

struct ListInvoices {
  std::optional<Status> status;
  std::int64_t limit = 20;
};
SQUALL_DESCRIBE(ListInvoices, status, limit)

struct PayInvoice {
  std::string id;
  std::int64_t cents = 0;
};
SQUALL_DESCRIBE(PayInvoice, id, cents)

struct InvoiceList {
  std::vector<Invoice> invoices;
  std::int64_t more = 0;  // that the limit left out
};
SQUALL_DESCRIBE(InvoiceList, invoices, more)

const schema::Constraint kInvoiceId = schema::pattern("^INV-[0-9]+$");

Checked require_tenant(Caller& caller) {
  if (caller.tenant.empty()) return refuse("UNAUTHORIZED", "no tenant is named");
  return {};
}

std::expected<Invoice*, ToolError> find(Store& store, const Caller& caller, const std::string& id) {
  auto& own = store[caller.tenant];
  if (const auto found = own.find(id); found != own.end()) return &found->second;
  return std::unexpected(tool_error("NOT_FOUND", "there is no invoice " + id)
                             .recovery("List the invoices to see which there are.")
                             .action("list"));
}

InvoiceList list(const std::map<std::string, Invoice>& own, const ListInvoices& in) {
  InvoiceList out;
  for (const auto& [id, invoice] : own) {
    if (in.status && invoice.status != *in.status) continue;
    if (std::cmp_less(out.invoices.size(), in.limit)) {
      out.invoices.push_back(invoice);
    } else {
      ++out.more;
    }
  }
  return out;
}

/// Writes a payment down before the caller hears of it.
Result<void> keep_payment(const Caller& caller, const std::string& id, ServerState& state) {
  json::Value paid = state.get("paid");
  paid.push_back(json::Value::array({caller.tenant, id}));
  SQUALL_CHECK(state.set("paid", std::move(paid)));
  return state.save();
}

void restore_payments(Store& store, const ServerState& state) {
  const json::Value paid = state.get("paid");
  for (const json::Value& one : paid.items()) {
    if (one.size() != 2) continue;
    auto& own = store[std::string(one.items()[0].string())];
    const auto found = own.find(std::string(one.items()[1].string()));
    if (found != own.end()) found->second.status = Status::paid;
  }
}

}  // namespace

Store sample_store() {
  Store store;
  for (const Invoice& one : {Invoice{"INV-1", "Ada", 125'000, Status::open},
                             Invoice{"INV-2", "Grace", 4'200, Status::paid},
                             Invoice{"INV-3", "Edsger", 99, Status::open}}) {
    store["acme"].emplace(one.id, one);
  }
  return store;
}

void declare(Registry& registry, Store& store, const std::shared_ptr<ServerState>& state) {
  if (state) restore_payments(store, *state);
  registry.context([](Context& context) {
    Caller caller;
    caller.tenant = context.header("X-Tenant").value_or("acme");
    return caller;
  });

  Router billing = registry.router("billing");
  billing.describe("Invoices of one tenant").use(require_tenant);

  billing.query<GetInvoice>("get")
      .describe("Look one invoice up")
      .constrain(&GetInvoice::id, kInvoiceId, schema::describe("The number printed on it"))
      .handle([&store](Caller& caller, const GetInvoice& in) -> std::expected<Invoice, ToolError> {
        const auto invoice = find(store, caller, in.id);
        if (!invoice) return std::unexpected(invoice.error());
        return **invoice;
      });

  billing.query<ListInvoices>("list")
      .describe("List invoices, all or those of one status")
      .constrain(&ListInvoices::limit, schema::optional(), schema::min(1), schema::max(100))
      .tags({"reports"})
      .egress(64_KiB, Structured::trim)
      .handle([&store](Caller& caller, const ListInvoices& in) {
        return list(store[caller.tenant], in);
      });

  billing.mutation<PayInvoice>("pay")
      .describe("Pay an open invoice in full")
      .constrain(&PayInvoice::id, kInvoiceId)
      .constrain(&PayInvoice::cents, schema::min(1))
      .handle([&store, state](Caller& caller,
                              const PayInvoice& in) -> std::expected<Invoice, ToolError> {
        const auto invoice = find(store, caller, in.id);
        if (!invoice) return std::unexpected(invoice.error());
        if ((*invoice)->status != Status::open || (*invoice)->cents != in.cents) {
          return std::unexpected(tool_error("CONFLICT", in.id + " is not open at this amount")
                                     .recovery("Get the invoice and look at it again.")
                                     .action("get"));
        }
        if (state) {
          const Result<void> kept = keep_payment(caller, in.id, *state);
          if (!kept) return std::unexpected(to_tool_error(kept.error()));
        }
        (*invoice)->status = Status::paid;
        return **invoice;
      });
}

}  // namespace invoices
