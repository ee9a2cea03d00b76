# Compiler flags every target of ours shares, as an interface target that is not installed.
add_library(squall_flags INTERFACE)
target_compile_options(squall_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
  -Woverloaded-virtual -Wcast-align -Wnull-dereference -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 warns wrongly about inlined library code and coroutine frames at -O2.
  target_compile_options(squall_flags INTERFACE -Wno-null-dereference -Wno-maybe-uninitialized
    -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -Wno-dangling-pointer)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # clang 19 holds libstdc++ 12's own use of std::get_temporary_buffer against whoever sorts.
  target_compile_options(squall_flags INTERFACE -Wno-deprecated-declarations)
endif()
if(SQUALL_SANITIZE)
  add_compile_options(-fsanitize=${SQUALL_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SQUALL_SANITIZE})
endif()
if(SQUALL_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
find_program(SQUALL_MOLD mold)
find_program(SQUALL_LLD ld.lld HINTS /usr/lib/llvm-19/bin)
if(SQUALL_STATIC)
  # A small program starts faster and keeps less in memory, and so does one whose start lies
  # together, which lld alone of the linkers can see to. tools/startup-order makes the list.
  add_compile_options(-ffunction-sections -fdata-sections)
  add_link_options(-Wl,--gc-sections)
endif()
if(SQUALL_STATIC AND SQUALL_LLD)
  get_filename_component(directory ${SQUALL_LLD} DIRECTORY)
  set(order ${PROJECT_SOURCE_DIR}/cmake/startup-order.txt)
  add_link_options(-B${directory} -fuse-ld=lld
    -Wl,--symbol-ordering-file=${order} -Wl,--no-warn-symbol-ordering)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${order})
elseif(SQUALL_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# Builds do not tell where they were made, so that two clones share one cache.
add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
find_program(SQUALL_CCACHE ccache)
if(SQUALL_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
    CCACHE_NOHASHDIR=1 ${SQUALL_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
