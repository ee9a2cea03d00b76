#include <string>

#include <benchmark/benchmark.h>

#include "squall/json/canonical.h"
#include "squall/json/parse.h"
#include "squall/json/write.h"

#if defined(SQUALL_BENCH_BOOST_JSON)
#include <boost/json.hpp>
#endif

namespace squall::json {
namespace {

/// A tools/call request as a 2026-07-28 client sends it, 299 bytes.
const std::string kCall =
    R"({"jsonrpc":"2.0","id":1234,"method":"tools/call","params":{"name":"search_orders",)"
    R"("arguments":{"customer_id":"CUST-10442","status":["open","held"],"limit":50,)"
    R"("min_total":19.99,"include_lines":true,"note":null},"_meta":{)"
    R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":"p-77"}}})";

/// What a server with many tools lists: 500 of them.
std::string make_list() {
  std::string text = R"({"jsonrpc":"2.0","id":1,"result":{"tools":[)";
  for (int i = 0; i < 500; ++i) {
    if (i != 0) text += ',';
    text += R"({"name":"tool_)" + std::to_string(i) +
            R"(","title":"Look something up","description":"Finds what was asked for.\nSays \"no\")"
            R"( when there is nothing – and why.","inputSchema":{"type":"object","properties":{)"
            R"("query":{"type":"string","minLength":1,"maxLength":256},"limit":{"type":"integer",)"
            R"("minimum":1,"maximum":100,"default":10}},"required":["query"],)"
            R"("additionalProperties":false}})";
  }
  return text + "]}}";
}

void count_bytes(benchmark::State& state, const std::string& text) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

void parse_warm(benchmark::State& state, const std::string& text) {
  Document document;
  for (auto _ : state) {
    if (!document.parse_borrowed(text)) state.SkipWithError("refused");
    benchmark::DoNotOptimize(&document.root());
  }
  count_bytes(state, text);
}

void write_warm(benchmark::State& state, const std::string& text) {
  Document document;
  if (!document.parse_borrowed(text)) state.SkipWithError("refused");
  std::string out;
  for (auto _ : state) {
    out.clear();
    write(out, document.root());
    benchmark::DoNotOptimize(out.data());
  }
  count_bytes(state, text);
}

void ParseCall(benchmark::State& state) { parse_warm(state, kCall); }
BENCHMARK(ParseCall);
void ParseList(benchmark::State& state) { parse_warm(state, make_list()); }
BENCHMARK(ParseList);
void WriteCall(benchmark::State& state) { write_warm(state, kCall); }
BENCHMARK(WriteCall);
void WriteList(benchmark::State& state) { write_warm(state, make_list()); }
BENCHMARK(WriteList);

void ParseCallOwned(benchmark::State& state) {
  for (auto _ : state) {
    auto value = parse(kCall);
    benchmark::DoNotOptimize(value);
  }
  count_bytes(state, kCall);
}
BENCHMARK(ParseCallOwned);

void CanonicalCall(benchmark::State& state) {
  const auto value = parse(kCall);
  for (auto _ : state) {
    auto text = canonical(*value);
    benchmark::DoNotOptimize(text);
  }
  count_bytes(state, kCall);
}
BENCHMARK(CanonicalCall);

#if defined(SQUALL_BENCH_BOOST_JSON)
void parse_with_boost(benchmark::State& state, const std::string& text) {
  std::vector<unsigned char> buffer(std::size_t{8} << 20);
  boost::json::parser parser;
  for (auto _ : state) {
    boost::json::monotonic_resource memory(buffer.data(), buffer.size());
    parser.reset(&memory);
    parser.write(text);
    auto value = parser.release();
    benchmark::DoNotOptimize(value);
  }
  count_bytes(state, text);
}
void BoostParseCall(benchmark::State& state) { parse_with_boost(state, kCall); }
BENCHMARK(BoostParseCall);
void BoostParseList(benchmark::State& state) { parse_with_boost(state, make_list()); }
BENCHMARK(BoostParseList);

void write_with_boost(benchmark::State& state, const std::string& text) {
  const auto value = boost::json::parse(text);
  boost::json::serializer serializer;
  std::vector<char> out(std::size_t{2} << 20);
  for (auto _ : state) {
    serializer.reset(&value);
    auto written = serializer.read(out.data(), out.size());
    benchmark::DoNotOptimize(written);
  }
  count_bytes(state, text);
}
void BoostWriteCall(benchmark::State& state) { write_with_boost(state, kCall); }
BENCHMARK(BoostWriteCall);
void BoostWriteList(benchmark::State& state) { write_with_boost(state, make_list()); }
BENCHMARK(BoostWriteList);
#endif

}  // namespace
}  // namespace squall::json
