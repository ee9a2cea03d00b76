#define PCRE2_CODE_UNIT_WIDTH 8
#include "ecma_regex.h"

#include <array>
#include <new>
#include <string>

#include <pcre2.h>

#include "plain_pattern.h"
#include "regex_translate.h"

namespace squall::schema {
namespace {

constexpr std::uint32_t kHeapMaxKib = 16 << 10;
constexpr std::uint32_t kNestingMax = 250;

// PCRE2's memory comes from operator new: what a program counts or replaces there includes it.
void* allocate(PCRE2_SIZE size, void* /*unused*/) { return ::operator new(size, std::nothrow); }
void release(void* block, void* /*unused*/) { ::operator delete(block); }

struct Free {
  void operator()(pcre2_general_context* context) const noexcept {
    pcre2_general_context_free(context);
  }
  void operator()(pcre2_code* code) const noexcept { pcre2_code_free(code); }
  void operator()(pcre2_match_data* data) const noexcept { pcre2_match_data_free(data); }
  void operator()(pcre2_match_context* context) const noexcept {
    pcre2_match_context_free(context);
  }
  void operator()(pcre2_compile_context* context) const noexcept {
    pcre2_compile_context_free(context);
  }
};

template <typename T>
using Owned = std::unique_ptr<T, Free>;

pcre2_general_context* memory() {
  static const Owned<pcre2_general_context> context(
      pcre2_general_context_create(allocate, release, nullptr));
  return context.get();
}

std::string message_of(int error) {
  std::array<PCRE2_UCHAR, 256> text{};
  pcre2_get_error_message(error, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

// Kept per thread: it grows to what the hungriest expression needed, at most kHeapMaxKib, and
// matching allocates no more. One pair is enough, we only ask whether there is a match.
pcre2_match_data* match_data_of_thread() {
  thread_local const Owned<pcre2_match_data> data(pcre2_match_data_create(1, memory()));
  return data.get();
}

}  // namespace

/// Either is there.
struct Regex::Code {
  std::optional<PlainPattern> plain;
  Owned<pcre2_code> code;
  Owned<pcre2_match_context> limits;
};

Result<Regex> Regex::compile(std::string_view pattern, std::uint32_t steps) {
  auto made = std::make_shared<Code>();
  made->plain = PlainPattern::read(pattern);
  if (made->plain) return Regex(std::move(made));
  SQUALL_TRY(const std::string translated, translate_ecma_regex(pattern));
  const Owned<pcre2_compile_context> context(pcre2_compile_context_create(memory()));
  Owned<pcre2_match_context> limits(pcre2_match_context_create(memory()));
  if (context == nullptr || limits == nullptr) {
    return fail(ErrorKind::internal, "no memory for a regular expression");
  }
  pcre2_set_parens_nest_limit(context.get(), kNestingMax);
  constexpr std::uint32_t kOptions = PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_MATCH_UNSET_BACKREF |
                                     PCRE2_NEVER_BACKSLASH_C | PCRE2_NO_UTF_CHECK;
  int error = 0;
  PCRE2_SIZE offset = 0;
  made->code.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated.data()), translated.size(),
                                 kOptions, &error, &offset, context.get()));
  if (made->code == nullptr) return fail(ErrorKind::invalid, message_of(error));
  made->limits = std::move(limits);
  pcre2_set_match_limit(made->limits.get(), steps);
  pcre2_set_depth_limit(made->limits.get(), steps);
  pcre2_set_heap_limit(made->limits.get(), kHeapMaxKib);
  return Regex(std::move(made));
}

std::optional<bool> Regex::matches(std::string_view text) const {
  if (code_->plain) return code_->plain->matches(text);
  const int result = pcre2_match(code_->code.get(), reinterpret_cast<PCRE2_SPTR>(text.data()),
                                 text.size(), 0, 0, match_data_of_thread(), code_->limits.get());
  if (result >= 0) return true;
  if (result == PCRE2_ERROR_NOMATCH) return false;
  return std::nullopt;
}

std::size_t Regex::bytes() const noexcept {
  if (code_->plain) return code_->plain->bytes();
  std::size_t bytes = 0;
  pcre2_pattern_info(code_->code.get(), PCRE2_INFO_SIZE, &bytes);
  return bytes;
}

}  // namespace squall::schema
