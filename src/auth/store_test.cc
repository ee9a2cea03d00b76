#include "squall/auth/store.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace squall::auth {
namespace {

class Folder {
 public:
  Folder() {
    std::string name = std::filesystem::temp_directory_path() / "squall-auth-XXXXXX";
    path = mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::filesystem::path path;
};

StoredToken a_token() {
  StoredToken stored;
  stored.issuer = "https://as.example";
  stored.resource = "https://mcp.example/mcp";
  stored.requested = {"a", "b"};
  stored.dpop_key = Secret("pem");
  stored.token.access_token = Secret("t-1");
  stored.token.refresh_token = Secret("r-1");
  stored.token.client_id = "c-1";
  stored.token.dpop = true;
  stored.token.expires = WallTime(std::chrono::seconds(1'900'000'000));
  stored.token.scopes = {"a"};
  return stored;
}

StoredClient a_client() {
  StoredClient client;
  client.id = "c-1";
  client.secret = Secret("s-1");
  client.method = ClientAuth::client_secret_post;
  client.redirect_uri = "http://127.0.0.1:4000/callback";
  client.expires = WallTime(std::chrono::seconds(1'900'000'000));
  return client;
}

void expect_kept(Store& store) {
  ASSERT_TRUE(store.keep_client("https://as.example", a_client()).has_value());
  ASSERT_TRUE(store.keep_token("https://mcp.example/mcp", a_token()).has_value());
  const auto client = store.client("https://as.example");
  ASSERT_TRUE(client.has_value() && client->has_value());
  EXPECT_EQ(to_json(**client), to_json(a_client()));
  EXPECT_EQ((*client)->secret.reveal(), "s-1");
  const auto token = store.token("https://mcp.example/mcp");
  ASSERT_TRUE(token.has_value() && token->has_value());
  EXPECT_EQ(to_json(**token), to_json(a_token()));
  EXPECT_EQ((*token)->token.refresh_token.reveal(), "r-1");
  EXPECT_EQ((*token)->token.expires, a_token().token.expires);
}

void expect_nothing_for_others(Store& store) {
  EXPECT_FALSE(store.client("https://other.example").value().has_value());
  EXPECT_FALSE(store.client("https://as.example/").value().has_value());
  EXPECT_FALSE(store.token("https://mcp.example").value().has_value());
}

void expect_forgotten(Store& store) {
  ASSERT_TRUE(store.keep_token("https://mcp.example/mcp", std::nullopt).has_value());
  ASSERT_TRUE(store.keep_client("https://as.example", std::nullopt).has_value());
  EXPECT_FALSE(store.token("https://mcp.example/mcp").value().has_value());
  EXPECT_FALSE(store.client("https://as.example").value().has_value());
}

TEST(MemoryStore, KeepsAndForgets) {
  MemoryStore store;
  expect_kept(store);
  expect_nothing_for_others(store);
  expect_forgotten(store);
}

TEST(FileStore, KeepsAndForgets) {
  const Folder folder;
  FileStore store(folder.path / "new" / "credentials.json");
  expect_nothing_for_others(store);
  expect_kept(store);
  FileStore another(folder.path / "new" / "credentials.json");
  EXPECT_TRUE(another.token("https://mcp.example/mcp").value().has_value());
  expect_forgotten(store);
}

TEST(FileStore, IsForItsOwnerAlone) {
  const Folder folder;
  const std::filesystem::path file = folder.path / "new" / "credentials.json";
  FileStore store(file);
  expect_kept(store);
  struct stat status = {};
  ASSERT_EQ(stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600U);
  ASSERT_EQ(stat(file.parent_path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0700U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(file.parent_path()), {}), 1);
}

TEST(FileStore, RefusesAFileThatOthersMayRead) {
  const Folder folder;
  const std::filesystem::path file = folder.path / "credentials.json";
  FileStore store(file);
  expect_kept(store);
  for (const mode_t mode : {0640U, 0604U, 0660U}) {
    ASSERT_EQ(chmod(file.c_str(), mode), 0);
    EXPECT_EQ(store.client("https://as.example").error().kind, ErrorKind::invalid);
    EXPECT_FALSE(store.keep_token("x", a_token()).has_value());
  }
  ASSERT_EQ(chmod(file.c_str(), 0600), 0);
  expect_kept(store);
}

TEST(FileStore, FollowsNoLinkAndTakesNoFolder) {
  const Folder folder;
  std::filesystem::create_symlink(folder.path / "elsewhere", folder.path / "link");
  EXPECT_FALSE(FileStore(folder.path / "link").client("x").has_value());
  EXPECT_FALSE(FileStore(folder.path).client("x").has_value());
}

TEST(FileStore, RefusesWhatItCannotReadAndKeepsIt) {
  const Folder folder;
  const std::filesystem::path file = folder.path / "credentials.json";
  for (const std::string_view text : {"t0psecret", R"({"version":2})", "{}", "",
                                      R"({"version":1,"tokens":{"x":{"issuer":"y"}}})"}) {
    std::ofstream(file) << text;
    ASSERT_EQ(chmod(file.c_str(), 0600), 0);
    FileStore store(file);
    const auto token = store.token("x");
    ASSERT_FALSE(token.has_value()) << text;
    EXPECT_FALSE(token.error().message.contains("t0psecret"));
  }
}

TEST(FileStore, LeavesTheOldFileWhenItCannotWrite) {
  const Folder folder;
  const std::filesystem::path file = folder.path / "credentials.json";
  FileStore store(file);
  expect_kept(store);
  StoredToken large = a_token();
  large.token.access_token = Secret(std::string(FileStore::kBytesMax, 'x'));
  EXPECT_EQ(store.keep_token("large", large).error().kind, ErrorKind::limit);
  EXPECT_TRUE(store.token("https://mcp.example/mcp").value().has_value());
}

}  // namespace
}  // namespace squall::auth
