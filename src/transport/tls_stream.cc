#include <algorithm>
#include <array>
#include <deque>
#include <utility>

#include <openssl/err.h>

#include "lifetime.h"
#include "tls_context.h"

namespace squall::transport {

namespace {

/// The most plain bytes of one record.
constexpr std::size_t kRecordBytesMax = 16 << 10;
/// What may come from the peer without any plain byte among it: a handshake, or a record at its
/// largest several times over. Key updates, empty records and the like end here.
constexpr std::size_t kIdleBytesMax = 128 << 10;
/// The same counted in pieces, each of which costs us work: a key update is 27 bytes.
constexpr std::size_t kIdleRepliesMax = 32;

/// Both sides; they differ in who speaks first.
class TlsStream final : public TlsClientStream, private runtime::ByteStream::Receiver {
 public:
  /// `host` is whom a client wants; a server has none.
  TlsStream(runtime::Loop& loop, std::unique_ptr<runtime::ByteStream> stream,
            std::shared_ptr<const TlsContext> context, std::optional<std::string> host,
            std::chrono::milliseconds handshake_within)
      : loop_(loop),
        stream_(std::move(stream)),
        context_(std::move(context)),
        host_(std::move(host)),
        ssl_(new_connection()),
        handshake_within_(handshake_within) {}
  ~TlsStream() override {
    loop_.cancel(timer_);
    loop_.cancel(wake_);
  }

  void start(ByteStream::Receiver& receiver) override;
  void pause() override;
  void resume() override;
  void send(std::string_view bytes) override;
  [[nodiscard]] std::size_t pending() const override;
  void finish() override;
  void close() override;
  void reset() override;
  [[nodiscard]] std::string peer() const override { return stream_->peer(); }
  [[nodiscard]] const std::string& failure() const override { return failure_; }

 private:
  /// Where a piece of plain text ends in what has been sent encrypted.
  struct Piece {
    std::uint64_t encrypted_end;
    std::size_t plain;
  };

  void on_bytes(std::string_view bytes) override;
  void on_end(runtime::End end) override;
  void on_drained() override;
  void on_peer_finished() override;

  [[nodiscard]] SslPtr new_connection() const;
  bool shake_hands();
  void note_failure();
  void read_plain();
  void write_plain(std::string_view bytes);
  std::size_t flush();
  void forget_taken() const;
  void say_goodbye();
  void end_with(runtime::End end);

  runtime::Loop& loop_;
  std::unique_ptr<runtime::ByteStream> stream_;
  std::shared_ptr<const TlsContext> context_;
  std::optional<std::string> host_;
  SslPtr ssl_;
  std::chrono::milliseconds handshake_within_;
  ByteStream::Receiver* receiver_ = nullptr;
  runtime::TimerId timer_ = runtime::TimerId::none;
  runtime::TimerId wake_ = runtime::TimerId::none;
  std::string early_;  // sent before the handshake was done
  std::uint64_t encrypted_ = 0;
  mutable std::deque<Piece> pieces_;  // sent, and perhaps not yet taken by the peer
  mutable std::size_t plain_pending_ = 0;
  std::size_t idle_bytes_ = 0;
  std::size_t idle_replies_ = 0;
  bool ready_ = false;
  bool paused_ = false;
  bool finishing_ = false;
  bool over_ = false;  // nothing more comes from the peer
  bool owes_drain_ = false;
  std::string failure_;
  Lifetime life_;
};

SslPtr TlsStream::new_connection() const {
  const auto& context = static_cast<const OpenSslContext&>(*context_);
  return host_ ? context.new_client_connection(*host_) : context.new_server_connection();
}

void TlsStream::start(ByteStream::Receiver& receiver) {
  receiver_ = &receiver;
  if (!ready_ && timer_ == runtime::TimerId::none) {
    timer_ = loop_.call_after(handshake_within_, [this] {
      timer_ = runtime::TimerId::none;
      if (ready_ || over_) return;
      failure_ = "the TLS handshake took too long";
      stream_->reset();
      end_with(runtime::End::reset);
    });
  }
  stream_->start(*this);
  if (host_ && ssl_ && !ready_ && !over_) shake_hands();
}

// ---- From the peer

void TlsStream::on_bytes(std::string_view bytes) {
  if (over_) return;
  idle_bytes_ += bytes.size();
  const bool kept =
      ssl_ && BIO_write(SSL_get_rbio(ssl_.get()), bytes.data(), static_cast<int>(bytes.size())) > 0;
  if (!kept) return end_with(runtime::End::reset);
  read_plain();
}

void TlsStream::on_end(runtime::End) {
  // A peer that means to end says so first, and then `over_` is set.
  if (over_) return;
  if (!ready_) failure_ = "the peer ended the connection during the TLS handshake";
  end_with(runtime::End::reset);
}

/// Whether the handshake is done; what it has to say to the peer is sent.
bool TlsStream::shake_hands() {
  ERR_clear_error();
  const int result = SSL_do_handshake(ssl_.get());
  const int error = SSL_get_error(ssl_.get(), result);
  flush();
  if (result != 1) {
    if (error == SSL_ERROR_WANT_READ) return false;
    note_failure();
    end_with(runtime::End::reset);
    return false;
  }
  ready_ = true;
  loop_.cancel(std::exchange(timer_, runtime::TimerId::none));
  if (!early_.empty()) write_plain(std::exchange(early_, {}));
  if (finishing_) say_goodbye();
  return true;
}

void TlsStream::note_failure() {
  const bool verified = SSL_get_verify_mode(ssl_.get()) != SSL_VERIFY_NONE;
  const long verdict = verified ? SSL_get_verify_result(ssl_.get()) : X509_V_OK;
  if (verdict == X509_V_ERR_HOSTNAME_MISMATCH || verdict == X509_V_ERR_IP_ADDRESS_MISMATCH) {
    failure_ = "the server's certificate is not for '" + host_.value_or("") + "'";
  } else if (verdict != X509_V_OK) {
    failure_ = "the server's certificate is not trusted: ";
    failure_ += X509_verify_cert_error_string(verdict);
  } else {
    failure_ = "the TLS handshake failed: " + openssl_reason();
  }
}

void TlsStream::read_plain() {
  LifetimeWatch watch(life_);
  if (!ready_ && !shake_hands()) {
    if (!watch.ended() && !over_ && idle_bytes_ > kIdleBytesMax) end_with(runtime::End::reset);
    return;
  }
  if (owes_drain_ && pending() == 0) {
    owes_drain_ = false;
    receiver_->on_drained();
    if (watch.ended()) return;
  }
  std::array<char, kRecordBytesMax> plain;
  while (!paused_ && !over_) {
    ERR_clear_error();
    const int count = SSL_read(ssl_.get(), plain.data(), static_cast<int>(plain.size()));
    const int error = count > 0 ? SSL_ERROR_NONE : SSL_get_error(ssl_.get(), count);
    if (flush() > 0) ++idle_replies_;
    if (count > 0) {
      idle_bytes_ = 0;
      idle_replies_ = 0;
      receiver_->on_bytes({plain.data(), static_cast<std::size_t>(count)});
      if (watch.ended()) return;
      continue;
    }
    if (error == SSL_ERROR_ZERO_RETURN) return end_with(runtime::End::finished);
    const bool flood = idle_bytes_ > kIdleBytesMax || idle_replies_ > kIdleRepliesMax;
    if (error != SSL_ERROR_WANT_READ || flood) end_with(runtime::End::reset);
    return;
  }
}

void TlsStream::end_with(runtime::End end) {
  over_ = true;
  if (end == runtime::End::reset) finishing_ = true;  // nothing that we say would be understood
  receiver_->on_end(end);
}

// ---- To the peer

void TlsStream::send(std::string_view bytes) {
  if (finishing_ || bytes.empty()) return;
  if (!ready_) {
    early_ += bytes;
    owes_drain_ = true;
    return;
  }
  write_plain(bytes);
  owes_drain_ = pending() > 0;
}

void TlsStream::write_plain(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, kRecordBytesMax);
    bytes.remove_prefix(piece.size());
    ERR_clear_error();
    // A memory BIO takes everything; what fails here is a connection that is over.
    if (SSL_write(ssl_.get(), piece.data(), static_cast<int>(piece.size())) <= 0) return;
    flush();
    pieces_.push_back({encrypted_, piece.size()});
    plain_pending_ += piece.size();
    forget_taken();
  }
}

/// Sends what OpenSSL has written; how much that was.
std::size_t TlsStream::flush() {
  BIO* const out = SSL_get_wbio(ssl_.get());
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(out, &bytes);
  if (size <= 0) return 0;
  const auto count = static_cast<std::size_t>(size);
  encrypted_ += count;
  stream_->send({bytes, count});
  static_cast<void>(BIO_reset(out));
  return count;
}

void TlsStream::forget_taken() const {
  const std::uint64_t taken = encrypted_ - stream_->pending();
  while (!pieces_.empty() && pieces_.front().encrypted_end <= taken) {
    plain_pending_ -= pieces_.front().plain;
    pieces_.pop_front();
  }
}

std::size_t TlsStream::pending() const {
  forget_taken();
  return plain_pending_ + early_.size();
}

void TlsStream::on_drained() {
  // Before the handshake is done, what drains is our part of it.
  if (!early_.empty()) return;
  forget_taken();
  if (std::exchange(owes_drain_, false)) receiver_->on_drained();
}

void TlsStream::say_goodbye() {
  ERR_clear_error();
  SSL_shutdown(ssl_.get());
  flush();
  stream_->finish();
}

void TlsStream::finish() {
  if (std::exchange(finishing_, true)) return;
  if (ready_) say_goodbye();
}

void TlsStream::on_peer_finished() {
  if (paused_ && !over_) receiver_->on_peer_finished();
}

void TlsStream::pause() {
  paused_ = true;
  stream_->pause();
}

void TlsStream::resume() {
  paused_ = false;
  stream_->resume();
  // Records that came before the pause wait in OpenSSL; whoever resumes need not expect them yet.
  if (wake_ != runtime::TimerId::none) return;
  wake_ = loop_.call_after(runtime::Duration::zero(), [this] {
    wake_ = runtime::TimerId::none;
    if (ready_ && !paused_ && !over_) read_plain();
  });
}

void TlsStream::close() {
  over_ = true;
  finishing_ = true;
  early_ = {};
  stream_->close();
}

void TlsStream::reset() {
  over_ = true;
  finishing_ = true;
  early_ = {};
  stream_->reset();
}

}  // namespace

std::unique_ptr<runtime::ByteStream> make_tls_stream(runtime::Loop& loop,
                                                     std::unique_ptr<runtime::ByteStream> stream,
                                                     std::shared_ptr<const TlsContext> context,
                                                     std::chrono::milliseconds handshake_within) {
  return std::make_unique<TlsStream>(loop, std::move(stream), std::move(context), std::nullopt,
                                     handshake_within);
}

std::unique_ptr<TlsClientStream> make_tls_client_stream(
    runtime::Loop& loop, std::unique_ptr<runtime::ByteStream> stream,
    std::shared_ptr<const TlsContext> context, std::string host,
    std::chrono::milliseconds handshake_within) {
  return std::make_unique<TlsStream>(loop, std::move(stream), std::move(context), std::move(host),
                                     handshake_within);
}

}  // namespace squall::transport
