#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "squall/json/value.h"
#include "squall/mcp/revision.h"

/// @file Holds every message a server says against the official schema of its revision.

namespace squall::server::golden {

class Judge {
 public:
  /// The revision that claimless messages of a lane speak from here on.
  void set_revision(const std::string& lane, mcp::Revision revision) { spoken_[lane] = revision; }
  [[nodiscard]] std::optional<mcp::Revision> revision(const std::string& lane) const;
  /// Takes note of what the peer says, so that its answers can be told apart.
  void said(const std::string& lane, std::string_view text);
  /// What is wrong with a message (or batch) of the server's; nothing when all is well.
  [[nodiscard]] std::vector<std::string> heard(const std::string& lane, std::string_view text);

 private:
  struct Asked {
    std::string method;
    mcp::Revision revision;
  };
  void note(const std::string& lane, const json::Value& message);
  void judge(const std::string& lane, const json::Value& message, std::vector<std::string>& faults);
  void judge_response(const Asked& request, const std::string& lane, const json::Value& message,
                      std::vector<std::string>& faults);
  [[nodiscard]] std::vector<Asked> asked(const std::string& lane, const json::Value& message) const;

  std::map<std::string, mcp::Revision> spoken_;
  // By lane and id, and by id alone (a resumed stream); several where an id was used again.
  std::map<std::string, std::vector<Asked>> requests_;
  std::set<mcp::Revision> used_;
};

}  // namespace squall::server::golden
