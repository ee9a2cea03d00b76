#include <cstdio>
#include <string>

#include "squall/report/write.h"

#include "recorded_run.h"

// The report that the tests in a browser look at, on stdout.
int main() {
  const auto html = squall::report::to_html(squall::report::sample_report());
  if (!html) return 1;
  return std::fwrite(html->data(), 1, html->size(), stdout) == html->size() ? 0 : 1;
}
