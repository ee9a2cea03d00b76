#include "squall/transport/tls.h"

#include <thread>
#include <vector>

#include <gmock/gmock.h>

#include "squall/transport/http.h"

#include "http_test_support.h"
#include "tls_test_support.h"

namespace squall::transport {
namespace {

using namespace std::chrono_literals;
using test::CertificateFiles;
using test::TlsClient;
using testing::HasSubstr;

constexpr std::chrono::milliseconds kHandshakeWithin{10'000};

const CertificateFiles& files() {
  static const CertificateFiles made;
  return made;
}

std::shared_ptr<const TlsContext> context() {
  static const auto loaded = TlsContext::load(files().certificate, files().key);
  return loaded.value();
}

/// Keeps what comes, and pauses when told to.
struct Ear final : runtime::ByteStream::Receiver {
  void on_bytes(std::string_view bytes) override {
    heard += bytes;
    if (pause_after_each) stream->pause();
    if (drop) stream.reset();
  }
  void on_end(runtime::End how) override {
    end = how;
    if (drop) stream.reset();
  }
  void on_drained() override { ++drained; }
  std::unique_ptr<runtime::ByteStream> stream;
  std::string heard;
  std::optional<runtime::End> end;
  int drained = 0;
  bool pause_after_each = false;
  bool drop = false;
};

/// A TLS stream and a client at its far end.
struct Bench {
  explicit Bench(TlsClient::Options options = {}) {
    auto [near, far] = runtime::make_stream_pair(*loop);
    ear.stream = make_tls_stream(*loop, std::move(near), context(), kHandshakeWithin);
    ear.stream->start(ear);
    client = std::make_unique<TlsClient>(options, far);
  }
  void shake_hands() {
    client->step();
    loop->run_ready();
  }

  std::unique_ptr<runtime::SimulatedLoop> loop = runtime::SimulatedLoop::make();
  Ear ear;
  std::unique_ptr<TlsClient> client;
};

TEST(TlsContext, NamesTheFileThatWillNotDo) {
  const std::string missing = files().folder + "/none.pem";
  const std::string garbage = files().write("garbage.pem", "no PEM at all");
  EXPECT_THAT(TlsContext::load(missing, files().key).error().message,
              HasSubstr("certificate '" + missing + "': "));
  EXPECT_THAT(TlsContext::load(garbage, files().key).error().message, HasSubstr(garbage));
  EXPECT_THAT(TlsContext::load(files().certificate, missing).error().message,
              HasSubstr("key '" + missing + "': "));
  EXPECT_THAT(TlsContext::load(files().certificate, garbage).error().message, HasSubstr(garbage));
  EXPECT_FALSE(TlsContext::load(files().folder, files().key).has_value());
}

TEST(TlsContext, WantsTheKeyOfTheCertificate) {
  const CertificateFiles other;
  const auto loaded = TlsContext::load(files().certificate, other.key);
  ASSERT_FALSE(loaded.has_value());
  EXPECT_THAT(loaded.error().message, HasSubstr(other.key));
}

TEST(TlsStream, CarriesBytesBothWaysInBothVersions) {
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    Bench bench({.version_max = version});
    bench.shake_hands();
    ASSERT_TRUE(bench.client->ready());
    EXPECT_EQ(SSL_version(bench.client->ssl), version);
    bench.client->send("question");
    bench.loop->run_ready();
    EXPECT_EQ(bench.ear.heard, "question");
    const std::string answer(100'000, 'a');
    bench.ear.stream->send(answer);
    bench.loop->run_ready();
    EXPECT_EQ(bench.client->received, answer);
    EXPECT_EQ(bench.ear.stream->pending(), 0U);
  }
}

TEST(TlsStream, RefusesWhatIsOlderThan12) {
  Bench bench({.version_max = TLS1_1_VERSION});
  bench.shake_hands();
  EXPECT_FALSE(bench.client->ready());
  EXPECT_TRUE(bench.client->failed);
  EXPECT_EQ(bench.ear.end, runtime::End::reset);
}

TEST(TlsStream, AgreesOnHttp11AndOnNothingElse) {
  Bench both({.alpn = "\x02h2\x08http/1.1"});
  both.shake_hands();
  const unsigned char* chosen = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(both.client->ssl, &chosen, &size);
  EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(chosen), size), "http/1.1");
  Bench other({.alpn = "\x02h2"});
  other.shake_hands();
  EXPECT_FALSE(other.client->ready());
}

TEST(TlsStream, SharesOneContextBetweenThreads) {
  std::vector<std::thread> threads;
  std::atomic<int> served = 0;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&served] {
      for (int round = 0; round < 20; ++round) {
        Bench bench;
        bench.shake_hands();
        bench.client->send("x");
        bench.loop->run_ready();
        if (bench.ear.heard == "x") ++served;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(served, 80);
}

TEST(TlsStream, TakesBytesInAnyCut) {
  Bench bench;
  bench.client->step();
  bench.loop->run_ready();
  SSL_write(bench.client->ssl, "in pieces", 9);
  for (const char byte : bench.client->take_output()) {
    bench.client->stream->send({&byte, 1});
    bench.loop->run_ready();
  }
  EXPECT_EQ(bench.ear.heard, "in pieces");
}

TEST(TlsStream, ResetsWhoeverDoesNotShakeHandsInTime) {
  Bench bench;
  bench.client->stream->send("\x16\x03\x01");  // the beginning of a record, and no more
  bench.loop->advance(kHandshakeWithin - 1ms);
  EXPECT_FALSE(bench.ear.end.has_value());
  bench.loop->advance(1ms);
  EXPECT_EQ(bench.ear.end, runtime::End::reset);
  EXPECT_EQ(bench.client->end, runtime::End::reset);
}

TEST(TlsStream, LeavesAConnectionAloneOnceHandsAreShaken) {
  Bench bench;
  bench.shake_hands();
  bench.loop->advance(10 * kHandshakeWithin);
  EXPECT_FALSE(bench.ear.end.has_value());
}

TEST(TlsStream, EndsOnWhatIsNoTls) {
  for (const std::string& hello :
       {std::string("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), std::string(200'000, '\0'),
        std::string("\x16\x03\x01\xff\xff", 5) + std::string(70'000, 'x')}) {
    Bench bench;
    bench.client->stream->send(hello);
    bench.loop->run_ready();
    EXPECT_EQ(bench.ear.end, runtime::End::reset);
    EXPECT_EQ(bench.ear.heard, "");
  }
}

TEST(TlsStream, EndsOnARecordThatWasTamperedWith) {
  Bench bench;
  bench.shake_hands();
  SSL_write(bench.client->ssl, "secret", 6);
  std::string record = bench.client->take_output();
  record.back() ^= 1;
  bench.client->stream->send(record);
  bench.loop->run_ready();
  EXPECT_EQ(bench.ear.end, runtime::End::reset);
  EXPECT_EQ(bench.ear.heard, "");
}

TEST(TlsStream, TellsAnEndFromACut) {
  Bench ended;
  ended.shake_hands();
  SSL_shutdown(ended.client->ssl);
  ended.client->flush();
  ended.loop->run_ready();
  EXPECT_EQ(ended.ear.end, runtime::End::finished);
  ended.ear.stream->send("we may still speak");
  ended.loop->run_ready();
  EXPECT_EQ(ended.client->received, "we may still speak");

  Bench cut;
  cut.shake_hands();
  cut.client->stream->finish();
  cut.loop->run_ready();
  EXPECT_EQ(cut.ear.end, runtime::End::reset);
}

TEST(TlsStream, SaysThatItEnds) {
  Bench bench;
  bench.shake_hands();
  bench.ear.stream->send("last words");
  bench.ear.stream->finish();
  bench.ear.stream->send("too late");
  bench.loop->run_ready();
  EXPECT_EQ(bench.client->received, "last words");
  EXPECT_TRUE(bench.client->goodbye);
  EXPECT_EQ(bench.client->end, runtime::End::finished);
}

TEST(TlsStream, DoesNotRenegotiate) {
  Bench bench({.version_max = TLS1_2_VERSION});
  bench.shake_hands();
  SSL_renegotiate(bench.client->ssl);
  bench.client->step();
  bench.loop->run_ready();
  EXPECT_TRUE(bench.client->failed);  // it takes our "no" for an error
}

TEST(TlsStream, EndsAFloodOfKeyUpdates) {
  Bench bench;
  bench.shake_hands();
  for (int i = 0; i < 10'000 && !bench.ear.end; ++i) {
    SSL_key_update(bench.client->ssl, SSL_KEY_UPDATE_REQUESTED);
    bench.client->step();
    bench.loop->run_ready();
  }
  EXPECT_EQ(bench.ear.end, runtime::End::reset);
}

TEST(TlsStream, BearsKeyUpdatesBetweenBytes) {
  Bench bench;
  bench.shake_hands();
  for (int i = 0; i < 200; ++i) {
    SSL_key_update(bench.client->ssl, SSL_KEY_UPDATE_REQUESTED);
    bench.client->send("x");
    bench.loop->run_ready();
  }
  EXPECT_EQ(bench.ear.heard, std::string(200, 'x'));
  EXPECT_FALSE(bench.ear.end.has_value());
}

TEST(TlsStream, HoldsBytesBackWhilePaused) {
  Bench bench;
  bench.shake_hands();
  bench.ear.pause_after_each = true;
  for (const char* piece : {"one", "two", "three"}) {
    SSL_write(bench.client->ssl, piece, static_cast<int>(std::string_view(piece).size()));
  }
  bench.client->flush();  // three records at once
  bench.loop->run_ready();
  EXPECT_EQ(bench.ear.heard, "one");
  bench.ear.stream->resume();
  EXPECT_EQ(bench.ear.heard, "one");  // never from inside
  bench.loop->run_ready();
  EXPECT_EQ(bench.ear.heard, "onetwo");
  bench.ear.stream->resume();
  bench.loop->run_ready();
  EXPECT_EQ(bench.ear.heard, "onetwothree");
}

TEST(TlsStream, CountsWhatIsPendingInPlainBytes) {
  Bench bench;
  bench.shake_hands();
  bench.client->stream->pause();
  const std::string much(4 << 20, 'x');
  bench.ear.stream->send(much);
  bench.loop->run_ready();
  const std::size_t before = bench.ear.stream->pending();
  EXPECT_GT(before, 0U);
  EXPECT_LE(before, much.size());
  bench.ear.stream->send("ten bytes.");
  EXPECT_EQ(bench.ear.stream->pending(), before + 10);  // no more: a peer that takes nothing shows
  bench.client->stream->resume();
  bench.loop->run_ready();
  EXPECT_EQ(bench.ear.stream->pending(), 0U);
  EXPECT_EQ(bench.ear.drained, 1);
  EXPECT_EQ(bench.client->received.size(), much.size() + 10);
}

TEST(TlsStream, KeepsWhatIsSentBeforeTheHandshake) {
  Bench bench;
  bench.ear.stream->send("early");
  EXPECT_EQ(bench.ear.stream->pending(), 5U);
  bench.ear.stream->finish();
  bench.shake_hands();
  EXPECT_EQ(bench.client->received, "early");
  EXPECT_TRUE(bench.client->goodbye);
  EXPECT_EQ(bench.ear.drained, 1);
}

TEST(TlsStream, MayBeDestroyedInsideAnyCall) {
  Bench by_bytes;
  by_bytes.shake_hands();
  by_bytes.ear.drop = true;
  by_bytes.client->send("x");
  by_bytes.loop->run_ready();
  EXPECT_EQ(by_bytes.ear.stream, nullptr);
  Bench by_end;
  by_end.ear.drop = true;
  by_end.client->stream->send("no TLS, whatever it may be");
  by_end.loop->run_ready();
  EXPECT_EQ(by_end.ear.stream, nullptr);
  Bench by_time;
  by_time.ear.drop = true;
  by_time.loop->advance(kHandshakeWithin);
  EXPECT_EQ(by_time.ear.stream, nullptr);
}

TEST(HttpServer, ServesOverTls) {
  const auto loop = runtime::SimulatedLoop::make();
  test::TestHandler handler;
  HttpServer server(*loop, handler, {.tls = context()});
  ASSERT_TRUE(server.listen({}).has_value());
  std::unique_ptr<TlsClient> client;
  loop->connect("127.0.0.1", server.port(), 1s, [&](auto stream) {
    client = std::make_unique<TlsClient>(*std::move(stream));
    client->step();
  });
  loop->run_ready();
  ASSERT_NE(client, nullptr);
  ASSERT_TRUE(client->ready());
  client->send("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n");
  loop->run_ready();
  EXPECT_EQ(client->received, test::json_reply("GET /a ") + test::json_reply("GET /b "));
  loop->advance(61s);  // the keep-alive is over
  EXPECT_TRUE(client->goodbye || client->end.has_value());
}

TEST(HttpServer, CountsAHandshakeAsPartOfTheHead) {
  const auto loop = runtime::SimulatedLoop::make();
  test::TestHandler handler;
  HttpServer server(*loop, handler, {.header_timeout = 3s, .tls = context()});
  ASSERT_TRUE(server.listen({}).has_value());
  std::unique_ptr<test::Peer> peer;
  loop->connect("127.0.0.1", server.port(), 1s, [&](auto stream) {
    peer = std::make_unique<test::Peer>(*std::move(stream));
  });
  loop->run_ready();
  EXPECT_EQ(server.connections(), 1U);
  loop->advance(3s);
  EXPECT_EQ(server.connections(), 0U);
  EXPECT_EQ(peer->end, runtime::End::reset);
}

}  // namespace
}  // namespace squall::transport
