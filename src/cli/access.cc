#include "access.h"

#include <utility>

#include "remote_text.h"

namespace squall::cli {
namespace {

std::string value_of(const Variables& variables, std::string_view name) {
  const auto found = variables.find(name);
  return found == variables.end() ? std::string() : found->second;
}

std::unique_ptr<auth::Store> make_store(const Variables& variables) {
  const std::filesystem::path file = credentials_file(variables);
  if (file.empty()) return std::make_unique<auth::MemoryStore>();
  return std::make_unique<auth::FileStore>(file);
}

transport::HttpClientOptions client_options(const client::HttpLinkOptions& http) {
  transport::HttpClientOptions options;
  options.trust = http.trust;
  options.proxies = http.proxies;
  return options;
}

auth::CodeGrantOptions grant_options(const std::string& client_id, const Variables& variables) {
  auth::CodeGrantOptions options;
  if (client_id.empty()) return options;
  auth::KnownAccount known;
  known.account.id = client_id;
  known.account.secret = auth::Secret(value_of(variables, "SQUALL_CLIENT_SECRET"));
  options.accounts.push_back(std::move(known));
  return options;
}

}  // namespace

auth::ShowAddress show_address(runtime::SystemLoop& loop, Console& console,
                               const Variables& variables, bool alone) {
  const std::string browser = value_of(variables, "BROWSER");
  return [&loop, &console, browser, alone](const std::string& url) -> Result<void> {
    if (!alone && !console.live() && browser.empty()) {
      return fail(ErrorKind::unavailable,
                  "a person has to go to an address, and none can be seen here: use a terminal, "
                  "--no-browser, or a token in SQUALL_TOKEN");
    }
    console.err((alone ? std::string("Go to this address:\n  ")
                       : "A browser should open this address; if not, go there yourself:\n  ") +
                printable(url) + "\n");
    if (alone) return {};
    // It may be missing; the address has been told.
    static_cast<void>(auth::open_browser(loop, browser)(url));
    return {};
  };
}

std::filesystem::path credentials_file(const Variables& variables) {
  std::filesystem::path home = value_of(variables, "XDG_DATA_HOME");
  // The base directory specification ignores relative ones.
  if (home.is_absolute()) return home / "squall" / "credentials.json";
  home = value_of(variables, "HOME");
  if (!home.is_absolute()) return {};
  return home / ".local" / "share" / "squall" / "credentials.json";
}

Access::Access(runtime::SystemLoop& loop, const std::string& url,
               const client::HttpLinkOptions& http, const Variables& variables,
               const std::string& client_id, auth::ShowAddress show)
    : http_(loop, client_options(http)),
      fetch_(http_),
      store_(make_store(variables)),
      redirector_(loop, std::move(show)),
      grant_(loop, fetch_, *store_, redirector_, grant_options(client_id, variables)),
      authorization_(loop, fetch_, *store_, grant_, url),
      authorizer_(authorization_) {}

}  // namespace squall::cli
