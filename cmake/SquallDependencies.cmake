# Every dependency is a Debian 12 package; docs/decisions/0001-dependencies.md says why each.
find_package(Threads REQUIRED)
find_package(OpenSSL 3.0 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
if(SQUALL_TESTS)
  find_package(GTest REQUIRED)
endif()
