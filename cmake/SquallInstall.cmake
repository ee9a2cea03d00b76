# What `cmake --install` lays down beside libraries and headers: the program, and what lets others
# find them: a CMake package (`find_package(squall)`, targets squall::server and so on) and a
# pkg-config file.
include(CMakePackageConfigHelpers)

if(TARGET squall)
  install(TARGETS squall RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/squall)
install(EXPORT squall NAMESPACE squall:: FILE squallTargets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/squallConfig.cmake.in squallConfig.cmake
  INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change anything.
write_basic_package_version_file(squallConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/squallConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/squallConfigVersion.cmake DESTINATION ${package_dir})

# Libraries were declared from the lowest layer up; a linker wants users before what they use.
get_property(libraries GLOBAL PROPERTY SQUALL_INSTALLED_LIBRARIES)
list(REVERSE libraries)
list(TRANSFORM libraries PREPEND "-lsquall_")
list(JOIN libraries " " SQUALL_PC_LIBRARIES)
# Relative, so that an installed tree may be moved.
file(RELATIVE_PATH SQUALL_PC_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/squall.pc.in squall.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/squall.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
