#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>

#include "squall/transport/http.h"
#include "squall/transport/tls.h"

#include "http_test_support.h"
#include "tls_test_support.h"

namespace squall::transport {
namespace {

using namespace std::chrono_literals;
using test::CertificateFiles;
using test::Peer;
using testing::HasSubstr;

constexpr std::chrono::milliseconds kHandshakeWithin{10'000};

const CertificateFiles& files() {
  static const CertificateFiles made;
  return made;
}

TlsTrust trust_in(const CertificateFiles& its) { return {.ca_file = its.certificate}; }

/// Our client and our server, shaking hands over memory.
struct Bench {
  explicit Bench(const std::string& host, const CertificateFiles& of_server = files(),
                 const TlsTrust& trust = trust_in(files())) {
    auto [near, far] = runtime::make_stream_pair(*loop);
    server = std::make_unique<Peer>(
        make_tls_stream(*loop, std::move(far),
                        *TlsContext::load(of_server.certificate, of_server.key), kHandshakeWithin));
    auto stream = make_tls_client_stream(*loop, std::move(near), *TlsContext::for_client(trust),
                                         host, kHandshakeWithin);
    tls = stream.get();
    client = std::make_unique<Peer>(std::move(stream));
    client->stream->send("question");
    loop->run_ready();
  }

  std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  std::unique_ptr<Peer> server;
  std::unique_ptr<Peer> client;
  TlsClientStream* tls = nullptr;
};

TEST(TlsClientStream, SpeaksToWhomItTrusts) {
  for (const char* host : {"localhost", "127.0.0.1"}) {
    Bench bench(host);
    EXPECT_EQ(bench.server->received, "question") << host;
    EXPECT_EQ(bench.client->stream->pending(), 0U);
    bench.server->stream->send("answer");
    bench.loop->run_ready();
    EXPECT_EQ(bench.client->received, "answer");
    EXPECT_EQ(bench.tls->failure(), "");
    bench.client->stream->finish();
    bench.loop->run_ready();
    EXPECT_EQ(bench.server->end, runtime::End::finished);
  }
}

/// That nothing has been said, and why.
void expect_silence(Bench& bench, const char* why) {
  EXPECT_EQ(bench.server->received, "");
  EXPECT_EQ(bench.client->end, runtime::End::reset);
  EXPECT_THAT(bench.tls->failure(), HasSubstr(why));
  EXPECT_EQ(bench.client->stream->pending(), 8U) << "it never left";
}

TEST(TlsClientStream, SaysNothingToACertificateForAnotherName) {
  for (const char* host : {"example.com", "127.0.0.2", "sub.localhost", "::1"}) {
    Bench bench(host);
    expect_silence(bench, host);
  }
}

TEST(TlsClientStream, TakesNoCommonNameForAName) {
  const CertificateFiles nameless({.names = ""});
  Bench bench("localhost", nameless, trust_in(nameless));
  expect_silence(bench, "is not for 'localhost'");
}

TEST(TlsClientStream, TakesNoWildcardInsideAName) {
  const CertificateFiles wild({.names = "DNS:*.example.com,DNS:w*.other.org"});
  EXPECT_EQ(Bench("a.example.com", wild, trust_in(wild)).server->received, "question");
  for (const char* host : {"example.com", "a.b.example.com", "www.other.org"}) {
    Bench bench(host, wild, trust_in(wild));
    expect_silence(bench, host);
  }
}

TEST(TlsClientStream, SaysNothingToAStranger) {
  const CertificateFiles stranger;
  Bench bench("localhost", stranger);
  expect_silence(bench, "not trusted: self-signed certificate");
}

TEST(TlsClientStream, SaysNothingToACertificateOutOfItsTime) {
  const CertificateFiles old({.valid_from = -7200, .valid_until = -3600});
  Bench expired("localhost", old, trust_in(old));
  expect_silence(expired, "certificate has expired");
  const CertificateFiles early({.valid_from = 3600, .valid_until = 7200});
  Bench not_yet("localhost", early, trust_in(early));
  expect_silence(not_yet, "not yet valid");
}

TEST(TlsClientStream, SpeaksToAnybodyWhenToldTo) {
  const CertificateFiles stranger({.names = "DNS:elsewhere", .valid_until = -30});
  Bench bench("localhost", stranger, {.accept_any_certificate = true});
  EXPECT_EQ(bench.server->received, "question");
}

TEST(TlsClientStream, SaysWhyHandsWereNotShaken) {
  const auto loop = runtime::SimulatedLoop::make();
  const auto context = *TlsContext::for_client(trust_in(files()));
  const auto meet = [&](std::string_view said, bool leaves) {
    auto [near, far] = runtime::make_stream_pair(*loop);
    auto stream = make_tls_client_stream(*loop, std::move(near), context, "localhost", 1s);
    const TlsClientStream& tls = *stream;
    Peer client(std::move(stream));
    Peer server(std::move(far));
    server.stream->send(said);
    if (leaves) server.stream->close();
    loop->advance(1s);
    EXPECT_EQ(client.end, runtime::End::reset);
    return tls.failure();
  };
  EXPECT_THAT(meet("HTTP/1.1 400 Bad Request\r\n\r\n", false), HasSubstr("handshake failed"));
  EXPECT_THAT(meet("", true), HasSubstr("ended the connection during"));
  EXPECT_THAT(meet("", false), HasSubstr("took too long"));
}

TEST(TlsTrust, NamesTheFileThatWillNotDo) {
  const std::string missing = files().folder + "/none.pem";
  EXPECT_THAT(TlsContext::for_client({.ca_file = missing}).error().message, HasSubstr(missing));
  const std::string garbage = files().write("no-ca.pem", "no PEM at all");
  EXPECT_THAT(TlsContext::for_client({.ca_file = garbage}).error().message, HasSubstr(garbage));
}

TEST(TlsTrust, ReadsTheVariablesOfOpenSsl) {
  EXPECT_EQ(TlsTrust::from_environment({}), TlsTrust{});
  EXPECT_EQ(TlsTrust::from_environment({{"SSL_CERT_FILE", "/a"}, {"SSL_CERT_DIR", "/b"}}),
            (TlsTrust{.ca_file = "/a", .ca_directory = "/b"}));
}

TEST(TlsTrust, KnowsADirectoryByItsHashes) {
  const std::string folder = files().folder + "/hashed";
  std::filesystem::create_directory(folder);
  std::filesystem::copy_file(files().certificate, folder + "/authority.pem");
  ASSERT_EQ(std::system(("openssl rehash '" + folder + "'").c_str()), 0);
  Bench bench("localhost", files(), {.ca_directory = folder});
  EXPECT_EQ(bench.server->received, "question");
}

TEST(TlsTrust, TrustsTheSystemAndThereforeNotUs) {
  Bench bench("localhost", files(), {});
  expect_silence(bench, "not trusted");
}

}  // namespace
}  // namespace squall::transport
