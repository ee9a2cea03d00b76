"""Shows tidy.py one violation of each rule, and a tree without any: it must tell them apart."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tidy  # noqa: E402

README = "# x\n\nOne.\nTwo.\nThree.\n"


def found_in(files):
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = os.path.join(root, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return [f"{name}:{line}: {message}" for name, line, message in tidy.violations(root)]


class Tidy(unittest.TestCase):
    def assert_one(self, files, expected):
        found = found_in(files)
        self.assertEqual(len(found), 1, found)
        self.assertIn(expected, found[0])

    def in_library(self, code, library="json"):
        return {f"src/{library}/x.cc": code, f"src/{library}/x_test.cc": "\n",
                f"src/{library}/README.md": README}

    def test_a_clean_tree_passes(self):
        self.assertEqual(found_in(self.in_library("int x = 1'000;\nint y = 2'000;\n")), [])

    def test_banned_calls_are_found_in_code(self):
        for call in ("auto t = steady_clock::now();", "std::random_device d;",
                     "std::uniform_int_distribution<int> d;", "std::this_thread::sleep_for(1s);",
                     "auto* e = getenv(name);", "int r = rand();", "std::cout << 1;",
                     "printf(text);", "throw 1;", "std::regex r;", "using namespace std;"):
            with self.subTest(call):
                self.assert_one(self.in_library(call + "\n"), "src/json/x.cc:1: ")

    def test_banned_words_in_comments_and_strings_pass(self):
        code = '// we throw nothing\n/* rand()\n*/ auto s = "::now()"; auto r = R"(throw)";\n'
        self.assertEqual(found_in(self.in_library(code)), [])

    def test_code_after_a_string_is_still_read(self):
        self.assert_one(self.in_library('auto s = "a\\"b"; throw 1;\n'), "'throw'")
        self.assert_one(self.in_library("char c = '\"'; throw 1;\n"), "'throw'")

    def test_runtime_may_read_the_clock_but_not_throw(self):
        self.assertEqual(found_in(self.in_library("auto t = c::now();\n", "runtime")), [])
        self.assert_one(self.in_library("throw 1;\n", "runtime"), "'throw'")

    def test_a_test_may_throw_and_print_but_not_sleep(self):
        files = self.in_library("\n") | {"src/json/x_test.cc": "throw 1; std::cout << 1;\n"}
        self.assertEqual(found_in(files), [])
        files = self.in_library("\n") | {"src/json/x_test.cc": "sleep_for(1s);\n"}
        self.assert_one(files, "waits go through the loop")

    def test_long_lines_and_files_are_found(self):
        self.assert_one(self.in_library("//" + "x" * 99 + "\n"), "101 columns")
        self.assert_one(self.in_library("\n" * 900), "901 lines")

    def test_headers_need_pragma_once(self):
        files = self.in_library("\n") | {"src/json/x.h": "int x();\n"}
        self.assert_one(files, "src/json/x.h:1: a header begins")

    def test_what_a_library_shows_needs_a_test_or_a_reason(self):
        header = {"src/json/include/squall/json/y.h": "#pragma once\n"}
        untested = self.in_library("\n") | header | {"src/json/y.cc": "\n"}
        self.assert_one(untested, "src/json/y.cc:1: no y_test.cc")
        listing = "tests/tidy/untested.txt"
        self.assertEqual(found_in(untested | {listing: "src/json/y.cc  only wires\n"}), [])
        self.assert_one(untested | {listing: "src/json/y.cc\n"}, "has no reason")
        tested = untested | {"src/json/y_test.cc": "\n"}
        self.assert_one(tested | {listing: "src/json/y.cc  because\n"}, "for nothing")
        self.assert_one(tested | {listing: "src/json/z.cc  because\n"}, "is gone")

    def test_what_a_library_hides_needs_no_test_of_its_own(self):
        self.assertEqual(found_in(self.in_library("\n") | {"src/json/y.cc": "\n"}), [])

    def test_a_library_needs_some_test(self):
        self.assert_one({"src/json/y.cc": "\n", "src/json/README.md": README}, "without any test")

    def test_libraries_need_a_readme_of_the_right_size(self):
        self.assert_one({"src/json/x.h": "#pragma once\n"}, "every library has a README")
        self.assert_one(self.in_library("\n") | {"src/json/README.md": "x\n" * 40}, "40 lines")
        self.assert_one({"README.md": "x\n" * 151}, "more than 150 lines")

    def test_wording_that_does_not_belong_is_found(self):
        for text in ("# TO" "DO: later", "// FIX" "ME", "<<<<<" "<< HEAD",
                     "see /wo" "rk/main/x", "in /home/" "ann/x",
                     "https://registry.np" "mjs.org/x", "http://deb.deb" "ian.org/debian"):
            with self.subTest(text):
                self.assert_one({"docs/x.md": text + "\n"}, "docs/x.md:1: ")

    def test_a_missing_last_newline_is_found(self):
        self.assert_one({"docs/x.md": "x"}, "no newline at the end")


if __name__ == "__main__":
    unittest.main()
