# One folder under src/ is one library. `squall_library` declares it and holds it to the layers of
# docs/ARCHITECTURE.md: a library may use only what lies below it, and sees no other headers.

set(SQUALL_LAYER_base 0)
set(SQUALL_LAYER_json 1)
set(SQUALL_LAYER_runtime 1)
set(SQUALL_LAYER_schema 2)
set(SQUALL_LAYER_jsonrpc 2)
set(SQUALL_LAYER_mcp 3)
set(SQUALL_LAYER_transport 3)
set(SQUALL_LAYER_server 4)
set(SQUALL_LAYER_cli 7)

# squall_library(NAME SOURCES a.cc ... [USES base json ...] [LINKS PkgConfig::X ...])
function(squall_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;LINKS" ${ARGN})
  if(NOT DEFINED SQUALL_LAYER_${name})
    message(FATAL_ERROR "library ${name} has no layer in cmake/SquallLibrary.cmake")
  endif()
  add_library(squall_${name} STATIC ${ARG_SOURCES})
  add_library(squall::${name} ALIAS squall_${name})
  set_target_properties(squall_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(squall_${name} PUBLIC cxx_std_23)
  target_include_directories(squall_${name} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
  target_link_libraries(squall_${name} PRIVATE $<BUILD_INTERFACE:squall_flags>)
  foreach(used IN LISTS ARG_USES)
    if(NOT SQUALL_LAYER_${used} LESS SQUALL_LAYER_${name})
      message(FATAL_ERROR "${name} (layer ${SQUALL_LAYER_${name}}) may not use ${used} "
                          "(layer ${SQUALL_LAYER_${used}})")
    endif()
    target_link_libraries(squall_${name} PUBLIC squall_${used})
  endforeach()
  # Boost gives headers to our sources alone: nobody who links us needs it.
  list(TRANSFORM ARG_LINKS REPLACE "^Boost::headers$" "$<BUILD_INTERFACE:Boost::headers>")
  target_link_libraries(squall_${name} PRIVATE ${ARG_LINKS})
  # The command line is the program's own; what lies below it is for others to build on.
  if(NOT name STREQUAL "cli")
    install(TARGETS squall_${name} EXPORT squall ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(DIRECTORY include/squall DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    set_property(GLOBAL APPEND PROPERTY SQUALL_INSTALLED_LIBRARIES ${name})
  endif()
endfunction()

# Labels by which tools/test picks tests; `tests_LABEL` builds the programs of one.
#   coroutine: runs under g++'s address sanitizer too.  concurrent: under the thread sanitizer.
foreach(label IN ITEMS unit coroutine concurrent)
  add_custom_target(tests_${label})
endforeach()

# squall_test(NAME SOURCES a_test.cc ... USES json ... [LABELS coroutine concurrent]):
# one GoogleTest program per library. Every one has the label "unit"; LABELS adds to it.
function(squall_test name)
  if(NOT SQUALL_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;LINKS;LABELS" ${ARGN})
  list(APPEND ARG_LABELS unit)
  list(REMOVE_DUPLICATES ARG_LABELS)
  add_executable(${name} ${ARG_SOURCES})
  foreach(used IN LISTS ARG_USES)
    target_link_libraries(${name} PRIVATE squall_${used})
  endforeach()
  target_link_libraries(${name} PRIVATE squall_flags GTest::gmock_main ${ARG_LINKS})
  target_compile_definitions(${name} PRIVATE SQUALL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  # Tests may look at the private headers of the library they stand beside.
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  set(launcher "")
  if(SQUALL_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With a sanitizer g++ makes no tail calls, so coroutines that resume each other in turn go
    # deep where they otherwise would not: give them a stack for it.
    set(launcher prlimit --stack=1073741824:)
  endif()
  add_test(NAME ${name} COMMAND ${launcher} $<TARGET_FILE:${name}> --gtest_brief=1)
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 300)
  foreach(label IN LISTS ARG_LABELS)
    if(NOT TARGET tests_${label})
      message(FATAL_ERROR "test ${name} has the unknown label ${label}")
    endif()
    add_dependencies(tests_${label} ${name})
  endforeach()
endfunction()

# squall_fuzz(NAME USES json ...): the fuzz target fuzz_NAME.cc, run by tools/fuzz.
add_custom_target(fuzz_targets)
function(squall_fuzz name)
  cmake_parse_arguments(ARG "" "" "USES" ${ARGN})
  add_executable(fuzz_${name} fuzz_${name}.cc)
  foreach(used IN LISTS ARG_USES)
    target_link_libraries(fuzz_${name} PRIVATE squall_${used})
  endforeach()
  target_link_libraries(fuzz_${name} PRIVATE squall_flags)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  add_dependencies(fuzz_targets fuzz_${name})
endfunction()
