#include "squall/base/crypto.h"

#include <cerrno>

#include <openssl/evp.h>
#include <sys/random.h>

#include "squall/base/assert.h"
#include "squall/base/text.h"

namespace squall::base {

namespace {

constexpr std::size_t kNonceBytes = 12;
constexpr std::size_t kTagBytes = 16;
constexpr std::size_t kSealedBytesMax = 1 << 20;

struct CipherContext {
  CipherContext() : context(EVP_CIPHER_CTX_new()) { SQUALL_ASSERT(context != nullptr); }
  ~CipherContext() { EVP_CIPHER_CTX_free(context); }
  CipherContext(const CipherContext&) = delete;
  CipherContext& operator=(const CipherContext&) = delete;
  EVP_CIPHER_CTX* context;
};

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

}  // namespace

void random_bytes(std::span<unsigned char> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t n = getrandom(out.data() + done, out.size() - done, 0);
    if (n < 0 && errno == EINTR) continue;
    SQUALL_ASSERT(n > 0);
    done += static_cast<std::size_t>(n);
  }
}

std::string random_uuid() {
  std::array<unsigned char, 16> bytes;
  random_bytes(bytes);
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0F) | 0x40);
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3F) | 0x80);
  std::string text =
      hex_encode(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  for (const std::size_t dash : {8, 13, 18, 23}) text.insert(dash, 1, '-');
  return text;
}

Sealer::Sealer() { random_bytes(key_); }

std::string Sealer::seal(std::string_view plain, std::string_view context) const {
  SQUALL_ASSERT(plain.size() <= kSealedBytesMax);
  std::string out(kNonceBytes + plain.size() + kTagBytes, '\0');
  random_bytes(std::span(bytes_of(out), kNonceBytes));
  const CipherContext cipher;
  unsigned char* text = bytes_of(out) + kNonceBytes;
  int size = 0;
  bool ok = EVP_EncryptInit_ex(cipher.context, EVP_aes_256_gcm(), nullptr, key_.data(),
                               bytes_of(out)) == 1;
  ok = ok && EVP_EncryptUpdate(cipher.context, nullptr, &size, bytes_of(context),
                               static_cast<int>(context.size())) == 1;
  ok = ok && EVP_EncryptUpdate(cipher.context, text, &size, bytes_of(plain),
                               static_cast<int>(plain.size())) == 1;
  ok = ok && EVP_EncryptFinal_ex(cipher.context, text + plain.size(), &size) == 1;
  ok = ok && EVP_CIPHER_CTX_ctrl(cipher.context, EVP_CTRL_GCM_GET_TAG, kTagBytes,
                                 text + plain.size()) == 1;
  SQUALL_ASSERT(ok);
  return base64url_encode(out);
}

std::optional<std::string> Sealer::open(std::string_view sealed, std::string_view context) const {
  if (sealed.size() > 2 * kSealedBytesMax) return std::nullopt;
  std::optional<std::string> raw = base64url_decode(sealed);
  if (!raw || raw->size() < kNonceBytes + kTagBytes) return std::nullopt;
  const std::size_t plain_size = raw->size() - kNonceBytes - kTagBytes;
  std::string plain(plain_size, '\0');
  unsigned char* text = bytes_of(*raw) + kNonceBytes;
  const CipherContext cipher;
  int size = 0;
  bool ok = EVP_DecryptInit_ex(cipher.context, EVP_aes_256_gcm(), nullptr, key_.data(),
                               bytes_of(*raw)) == 1;
  ok = ok && EVP_DecryptUpdate(cipher.context, nullptr, &size, bytes_of(context),
                               static_cast<int>(context.size())) == 1;
  ok = ok && EVP_DecryptUpdate(cipher.context, bytes_of(plain), &size, text,
                               static_cast<int>(plain_size)) == 1;
  ok = ok &&
       EVP_CIPHER_CTX_ctrl(cipher.context, EVP_CTRL_GCM_SET_TAG, kTagBytes, text + plain_size) == 1;
  ok = ok && EVP_DecryptFinal_ex(cipher.context, bytes_of(plain) + plain_size, &size) == 1;
  if (!ok) return std::nullopt;
  return plain;
}

}  // namespace squall::base
