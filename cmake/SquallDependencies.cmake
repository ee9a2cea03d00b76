# Every dependency is a Debian 12 package; docs/decisions/0001-dependencies.md says why each.
if(SQUALL_STATIC)
  set(OPENSSL_USE_STATIC_LIBS TRUE)
endif()
find_package(Threads REQUIRED)
find_package(OpenSSL 3.0 REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
if(SQUALL_TESTS)
  find_package(GTest REQUIRED)
endif()

if(SQUALL_STATIC)
  # A program linked so starts about five times faster than with shared libraries; libc stays
  # shared, for name resolution. Programs only: the libraries stay fit for any linking.
  add_link_options(-static-libstdc++ -static-libgcc -no-pie)
  foreach(dependency IN ITEMS PCRE2=pcre2-8 YAML=yaml ZLIB=z)
    string(REGEX MATCH "^(.*)=(.*)$" _ ${dependency})
    find_library(SQUALL_${CMAKE_MATCH_1}_ARCHIVE lib${CMAKE_MATCH_2}.a REQUIRED)
    set_target_properties(PkgConfig::${CMAKE_MATCH_1} PROPERTIES
      INTERFACE_LINK_LIBRARIES ${SQUALL_${CMAKE_MATCH_1}_ARCHIVE})
  endforeach()
endif()
