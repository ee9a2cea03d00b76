#include <cstdio>
#include <string>
#include <string_view>

#include "squall/report/write.h"

#include "recorded_run.h"

// The report that the tests in a browser look at, on stdout; with "hostile", one whose every text
// is markup and script.
int main(int count, char** words) {
  const bool hostile = count > 1 && std::string_view(words[1]) == "hostile";
  const auto html = squall::report::to_html(hostile ? squall::report::hostile_report()
                                                    : squall::report::sample_report());
  if (!html) return 1;
  return std::fwrite(html->data(), 1, html->size(), stdout) == html->size() ? 0 : 1;
}
