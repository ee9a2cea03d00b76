#include "squall/lab/library.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

namespace squall::lab {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

/// A folder of its own, with files in it.
class Library : public testing::Test {
 protected:
  Library() {
    std::string name = (fs::temp_directory_path() / "squall-library-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    write("b.json", R"({"name":"b","call":{"tool":"t","args":{}},"expect":{"outcome":"success"}})");
    write("a.yaml", "squall: 1\nname: a\ntags: [slow]\nsteps: [ { wait: 1ms } ]\n");
    write("in/c.yml", "squall: 1\nname: see\nsteps: [ { wait: 1ms } ]\n");
    write("in/target.yaml", "squall: 1\ntarget: { transport: stdio, command: x }\n");
    write("in/profile.yaml", "squall: 1\nname: p\nrules: []\n");
    write("notes.txt", "no scenario");
    write("x.case/case.json", "{}");
    write(".hidden/d.yaml", "no scenario");
  }
  ~Library() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  [[nodiscard]] std::string at(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

TEST_F(Library, FindsFilesFoldersAndPatternsOnceInOrder) {
  const std::vector<std::string> words = {folder_.string(), at("b.json"), at("*.yaml")};
  const auto files = find_files(words);
  ASSERT_TRUE(files.has_value()) << files.error().message;
  EXPECT_THAT(*files, ElementsAre(at("a.yaml"), at("b.json"), at("in/c.yml")));
  const std::vector<std::string> nothing = {at("*.nope")};
  EXPECT_THAT(find_files(nothing).error().message, HasSubstr("no file fits"));
}

TEST_F(Library, TellsTheMistakesOfAllFiles) {
  write("d.yaml", "squall: 1\nname: d\nstepz: []\n");
  write("e.yaml", "squall: 1\nname: e\nsteps: [ { wait: 1 } ]\n");
  const std::vector<std::string> words = {folder_.string(), at("missing.json")};
  const auto loaded = load_scenarios(words);
  ASSERT_FALSE(loaded.has_value());
  for (const char* part : {"d.yaml:", "/stepz: unknown key; did you mean \"steps\"?", "e.yaml:",
                           "missing.json: No such file"}) {
    EXPECT_THAT(loaded.error().message, HasSubstr(part));
  }
}

TEST_F(Library, ChoosesByNameFileAndTag) {
  const std::vector<std::string> words = {folder_.string()};
  const auto all = load_scenarios(words);
  ASSERT_TRUE(all.has_value()) << all.error().message;
  ASSERT_THAT(*all, SizeIs(3));
  const auto names = [&](const Selection& selection) {
    std::string out;
    for (const Scenario& each : *all) out += selection.wants(each) ? each.name + " " : "";
    return out;
  };
  EXPECT_EQ(names({}), "a b see ");
  EXPECT_EQ(names({.filter = "ee"}), "see ");
  EXPECT_EQ(names({.filter = "*/in/*"}), "see ");
  EXPECT_EQ(names({.tags = {"slow", "other"}}), "a ");
}

TEST_F(Library, ReadsNoFileBeyondItsLimit) {
  write("big.json", std::string((1 << 20) + 1, ' '));
  EXPECT_THAT(read_file(at("big.json")).error().message, HasSubstr("larger than 1 MiB"));
  EXPECT_FALSE(read_file(folder_.string()).has_value());
}

}  // namespace
}  // namespace squall::lab
