#include "squall/recording/case_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "squall/recording/case_reader.h"

#include "scratch.h"

namespace squall::recording {
namespace {

using std::chrono::nanoseconds;
using testing::HasSubstr;
using testing::Not;

std::shared_ptr<const Redactor> no_secrets() { return std::make_shared<const Redactor>(); }

std::unique_ptr<CaseWriter> open_case(const Scratch& scratch, CaseLimits limits = {}) {
  auto writer = CaseWriter::create(scratch / "cases", sample_header(), no_secrets(), limits);
  EXPECT_TRUE(writer.has_value()) << writer.error().message;
  return *std::move(writer);
}

TEST(CaseWriter, WritesWhatTheReaderReads) {
  const Scratch scratch;
  const auto writer = open_case(scratch);
  writer->add(nanoseconds(5), sample_message("{\"id\":1}"));
  ASSERT_TRUE(writer->learn(json::Value::object({{"name", "s"}}), "abc").has_value());
  ASSERT_TRUE(writer->finish(nanoseconds(9)).has_value());

  const auto read = read_case(writer->folder());
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->header, writer->header());
  EXPECT_EQ(read->header.tools_sha256, "abc");
  EXPECT_EQ(read->run_id, writer->id());
  EXPECT_EQ(read->run_hash, writer->run_hash());
  EXPECT_EQ(read->ended_early, "");
  ASSERT_EQ(read->events.size(), 2u);
  EXPECT_EQ(read->events[0].body, EventBody(sample_message("{\"id\":1}")));
  EXPECT_EQ(read->events[1].at, nanoseconds(9));
}

TEST(CaseWriter, IsReadableAtEveryMoment) {
  const Scratch scratch;
  const auto writer = open_case(scratch);
  EXPECT_THAT(read_case(writer->folder())->ended_early, HasSubstr("ended before the run"));
  writer->add({}, sample_message("x"));
  const auto read = read_case(writer->folder());
  EXPECT_EQ(read->events.size(), 1u);
  EXPECT_THAT(read->ended_early, HasSubstr("ended before the run"));
}

TEST(CaseWriter, NeverWritesOverAnotherCase) {
  const Scratch scratch;
  const auto first = open_case(scratch);
  const auto second = open_case(scratch);
  EXPECT_NE(first->folder(), second->folder());
  EXPECT_EQ(second->id(), first->id() + "-2");
  EXPECT_EQ(second->header().run, 2u);
}

TEST(CaseWriter, KeepsTheFolderToItsOwner) {
  const Scratch scratch;
  const auto writer = open_case(scratch);
  for (const auto& folder : {scratch / "cases", writer->folder()}) {
    struct stat about{};
    ASSERT_EQ(::stat(folder.c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777u, 0700u);
  }
  struct stat about{};
  ASSERT_EQ(::stat((writer->folder() / "events.jsonl").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777u, 0600u);
}

TEST(CaseWriter, PutsLargePayloadsIntoFilesOnce) {
  const Scratch scratch;
  const auto writer = open_case(scratch);
  const std::string large(kInlineBytesMax + 1, 'x');
  writer->add({}, sample_message(large));
  writer->add({}, sample_message(large));
  writer->add({}, sample_message(std::string(kInlineBytesMax, 'y')));
  ASSERT_TRUE(writer->finish({}).has_value());

  const auto read = read_case(writer->folder());
  const Payload& payload = std::get<Message>(read->events[0].body).payload;
  EXPECT_EQ(payload.bytes, "");
  EXPECT_EQ(payload.size, large.size());
  EXPECT_EQ(bytes_of(*read, payload).value(), large);
  EXPECT_EQ(std::get<Message>(read->events[2].body).payload.blob, "");
  const std::filesystem::directory_iterator blobs(writer->folder() / "blobs");
  EXPECT_EQ(std::distance(blobs, {}), 1);
}

TEST(CaseWriter, DropsAndCountsWhatHasNoRoomButKeepsTheVerdict) {
  const Scratch scratch;
  const auto writer = open_case(scratch, {.events_max = 2});
  for (int i = 0; i < 5; ++i) writer->add({}, sample_message("x"));
  writer->add({}, Verdict{});
  const auto finished = writer->finish({});
  ASSERT_FALSE(finished.has_value());
  EXPECT_THAT(finished.error().message, HasSubstr("3 events were not recorded: the case is full"));

  const auto read = read_case(writer->folder());
  ASSERT_EQ(read->events.size(), 4u);
  const Exit& exit = std::get<Exit>(read->events[3].body);
  EXPECT_EQ(exit.dropped, 3u);
  EXPECT_EQ(exit.why, "the case is full");
}

TEST(CaseWriter, BoundsItsBlobsToo) {
  const Scratch scratch;
  const auto writer = open_case(scratch, {.blob_bytes_max = kInlineBytesMax + 1});
  writer->add({}, sample_message(std::string(kInlineBytesMax + 1, 'x')));
  writer->add({}, sample_message(std::string(kInlineBytesMax + 1, 'y')));
  EXPECT_FALSE(writer->finish({}).has_value());
  EXPECT_EQ(read_case(writer->folder())->events.size(), 2u);
}

TEST(CaseWriter, RefusesAFullFolder) {
  const Scratch scratch;
  const auto first = open_case(scratch, {.cases_max = 1});
  const auto second =
      CaseWriter::create(scratch / "cases", sample_header(), no_secrets(), {.cases_max = 1});
  ASSERT_FALSE(second.has_value());
  EXPECT_THAT(second.error().message, HasSubstr("squall case prune"));
}

TEST(CaseWriter, SaysWhyAFolderCannotBeMade) {
  const Scratch scratch;
  write_text(scratch / "file", "");
  const auto writer = CaseWriter::create(scratch / "file/cases", sample_header(), no_secrets());
  ASSERT_FALSE(writer.has_value());
  EXPECT_THAT(writer.error().message, HasSubstr("Not a directory"));
}

TEST(CaseWriter, WritesNoSecretAnywhere) {
  const Scratch scratch;
  const std::string secret = "sesame-open-sesame";
  const auto redactor = std::make_shared<const Redactor>(std::vector<Secret>{{"TOKEN", secret}});
  Header header = sample_header();
  header.target = json::Value::object({{"url", "http://x/?t=" + secret}});
  header.repeat = "squall run --header 'X: " + secret + "'";
  auto writer = CaseWriter::create(scratch / "cases", header, redactor).value();

  Spawn spawn;
  spawn.command = {"server", "--token=" + secret};
  writer->add({}, spawn);
  Message message = sample_message("{\"t\":\"" + secret + "\"}");
  message.http = json::Value::object(
      {{"headers", json::Value::object({{"Authorization", "Basic abc"}, {"x", secret}})}});
  writer->add({}, message);
  Considered rule;
  rule.site = "[\"call\",\"" + secret + "\"]";
  rule.parameters = json::Value::array({secret});
  Decision decision;
  decision.rules = {rule};
  writer->add({}, decision);
  Delivered delivered;
  delivered.payload = Payload(std::string(kInlineBytesMax, 'x') + secret);
  delivered.how = secret;
  writer->add({}, delivered);
  Verdict verdict;
  verdict.expectations = {{.name = secret, .expected = secret, .received = secret}};
  writer->add({}, verdict);
  Exit exit;
  exit.last_lines = {"token is " + secret};
  writer->add({}, exit);
  ASSERT_TRUE(writer->learn(json::Value::object({{"name", secret}}), "").has_value());
  ASSERT_TRUE(writer->finish({}, secret).has_value());

  std::string all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(writer->folder())) {
    if (entry.is_regular_file()) all += read_text(entry.path());
  }
  EXPECT_THAT(all, Not(HasSubstr("sesame")));
  EXPECT_THAT(all, Not(HasSubstr("Basic abc")));
  EXPECT_THAT(all, HasSubstr("\"redacted\":true"));
  EXPECT_TRUE(read_case(writer->folder()).has_value());
}

}  // namespace
}  // namespace squall::recording
