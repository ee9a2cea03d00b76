#include "squall/recording/case_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "squall/recording/case_writer.h"

#include "scratch.h"

namespace squall::recording {
namespace {

using testing::HasSubstr;

std::string header_text() { return to_text(sample_header()).value(); }

std::string lines(int count) {
  std::string out;
  for (int i = 1; i <= count; ++i) {
    out += to_line({.seq = static_cast<std::uint64_t>(i), .at = {}, .body = Exit{}}) + "\n";
  }
  return out;
}

TEST(ParseCase, TakesAnyBeginningOfItsEvents) {
  const std::string whole = lines(3);
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const auto read = parse_case(header_text(), whole.substr(0, size));
    ASSERT_TRUE(read.has_value()) << read.error().message;
    const std::size_t complete = size / (whole.size() / 3);
    EXPECT_EQ(read->events.size(), complete);
    EXPECT_EQ(read->ended_early.empty(), size > 0 && size % (whole.size() / 3) == 0);
  }
}

TEST(ParseCase, SaysWhichLineIsWrong) {
  const std::pair<std::string, const char*> refused[] = {
      {"{}\n", "events.jsonl:1: /event"},
      {lines(1) + "garbage\n", "events.jsonl:2: "},
      {lines(1) + lines(1), "events.jsonl:2: /seq: expected 2"},
      {"\n", "events.jsonl:1: "},
  };
  for (const auto& [events, why] : refused) {
    const auto read = parse_case(header_text(), events);
    ASSERT_FALSE(read.has_value()) << events;
    EXPECT_THAT(read.error().message, HasSubstr(why));
  }
}

TEST(ParseCase, IsBounded) {
  EXPECT_FALSE(parse_case(header_text(), lines(3), {.events_max = 2}).has_value());
  EXPECT_FALSE(parse_case(header_text(), lines(3), {.bytes_max = 20}).has_value());
}

TEST(ReadCase, FollowsNoLinkOutOfTheFolder) {
  const Scratch scratch;
  const auto folder = scratch / "x.case";
  std::filesystem::create_directory(folder);
  write_text(scratch / "elsewhere", header_text());
  std::filesystem::create_symlink(scratch / "elsewhere", folder / "case.json");
  EXPECT_FALSE(read_case(folder).has_value());
}

TEST(ReadCase, SaysWhatIsMissing) {
  const Scratch scratch;
  EXPECT_EQ(read_case(scratch / "none.case").error().kind, ErrorKind::not_found);
  std::filesystem::create_directory(scratch / "x.case");
  EXPECT_THAT(read_case(scratch / "x.case").error().message, HasSubstr("case.json: cannot read"));
  write_text(scratch / "x.case" / "case.json", header_text());
  const auto read = read_case(scratch / "x.case");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_FALSE(read->ended_early.empty());
}

TEST(BytesOf, RefusesABlobThatIsNotWhatWasRecorded) {
  const Scratch scratch;
  auto writer =
      CaseWriter::create(scratch / "cases", sample_header(), std::make_shared<const Redactor>())
          .value();
  writer->add({}, sample_message(std::string(kInlineBytesMax + 1, 'x')));
  const auto read = read_case(writer->folder()).value();
  const Payload& payload = std::get<Message>(read.events[0].body).payload;
  ASSERT_TRUE(bytes_of(read, payload).has_value());
  EXPECT_FALSE(bytes_of(read, payload, {.blob_bytes_max = 10}).has_value());

  write_text(writer->folder() / "blobs" / payload.blob, std::string(kInlineBytesMax + 1, 'y'));
  EXPECT_THAT(bytes_of(read, payload).error().message, HasSubstr("isn't what was recorded"));
}

}  // namespace
}  // namespace squall::recording
