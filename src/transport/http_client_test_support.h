#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "squall/transport/http_client.h"

#include "http_test_support.h"

/// @file What tests of HTTP clients hear.

namespace squall::transport::test {

/// Keeps what becomes of a request.
struct Caller final : HttpClientHandler {
  void on_response(const HttpClientResponse& its_response) override {
    response = its_response;
    if (response_hook) response_hook();
  }
  void on_body(std::string_view bytes) override {
    body += bytes;
    if (body_hook) body_hook();
  }
  void on_done() override {
    ++done;
    if (done_hook) done_hook();
  }
  void on_failed(const Error& its_error, bool was_sent) override {
    error = its_error;
    sent = was_sent;
    ++failed;
  }

  HttpClientResponse response;
  std::string body;
  Error error;
  bool sent = false;
  int done = 0;
  int failed = 0;
  std::function<void()> response_hook;
  std::function<void()> body_hook;
  std::function<void()> done_hook;
};

}  // namespace squall::transport::test
