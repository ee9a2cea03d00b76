#include "serve.h"

#include <gtest/gtest.h>

#include "captured_console.h"
#include "version.h"

namespace squall::cli {
namespace {

// A server that runs to its end is tested with the program, in apps/.

TEST(EndpointUrl, PutsIpv6IntoBrackets) {
  server::HttpOptions http;
  EXPECT_EQ(endpoint_url(http, 3000), "http://127.0.0.1:3000/mcp");
  http.host = "::1";
  http.path = "/x";
  EXPECT_EQ(endpoint_url(http, 1), "http://[::1]:1/x");
  http.tls_certificate = "certificate.pem";
  EXPECT_EQ(endpoint_url(http, 1), "https://[::1]:1/x");
}

TEST(ListeningLine, CanBeParsed) {
  ServeCommand command;
  const std::string start = "squall " + std::string(kVersion) + " listening on ";
  EXPECT_EQ(listening_line(command, "stdio"),
            start + "stdio transport=stdio legacy=both resume=off threads=1");
  command.http = true;
  command.engine.legacy = server::Legacy::stateless;
  command.engine.resume.enabled = true;
  command.http_options.threads = 3;
  EXPECT_EQ(listening_line(command, "http://127.0.0.1:1/mcp"),
            start + "http://127.0.0.1:1/mcp transport=http legacy=stateless resume=on threads=3");
}

TEST(Serve, RefusesADescriptorThatIsNotOpen) {
  ServeCommand command;
  command.ready_fd = 1'000'000;
  CapturedConsole console;
  EXPECT_EQ(serve(command, console), Exit::could_not);
  EXPECT_EQ(console.errors, "squall: descriptor 1000000 is not open\n");
  EXPECT_EQ(console.output, "");
}

TEST(Serve, SaysWhyItCannotListen) {
  ServeCommand command;
  command.http = true;
  command.http_options.host = "203.0.113.1";  // nobody's here: kept for documentation
  CapturedConsole console;
  EXPECT_EQ(serve(command, console), Exit::could_not);
  EXPECT_TRUE(console.errors.starts_with("squall: ")) << console.errors;
  EXPECT_EQ(console.errors.find('\n'), console.errors.size() - 1);
}

}  // namespace
}  // namespace squall::cli
