#pragma once

#include <string>

#include "squall/json/value.h"

/// @file The calls of the experiment: three tools in turn, over and over.

namespace squall::article {

struct Call {
  std::string tool;
  json::Value arguments;
};

inline Call call_number(int n) {
  switch (n % 3) {
    case 0:
      return {"get_account_balance",
              json::Value::object({{"account_id", "ACC-" + std::to_string(1000 + n % 997)}})};
    case 1:
      return {"search", json::Value::object({{"query", "retry policy " + std::to_string(n % 1009)},
                                             {"limit", 1 + n % 10}})};
    default:
      return {"read_file",
              json::Value::object({{"path", "/notes/" + std::to_string(n % 503) + ".md"}})};
  }
}

}  // namespace squall::article
