# Packages: `cpack` in the build folder makes a .deb of what `cmake --install` installs.
#
# Two builds are two packages, of which one is installed: `squall`, and `squall-compile`, which the build
# without the tuner makes (one program; the libraries that it is linked with differ). dpkg-shlibdeps finds
# those; libclang is loaded at run time, so that it is named here.
set(SQUALL_PACKAGER "Squall authors <squall@packages.invalid>" CACHE STRING
  "Who makes packages: NAME <MAIL>, as dpkg wants it")
set(CPACK_PACKAGE_NAME squall)
set(CPACK_DEBIAN_PACKAGE_PROVIDES squall-compile)
set(CPACK_DEBIAN_PACKAGE_CONFLICTS squall-compile)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS gcc) # tune, bench and check compile what they run
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake | meson | make, libc6-dev, gnuplot-nox") # plots of --html
set(squall_package_text "compile, and what measures: tune, bench, check, and a server for editors.")
if(NOT SQUALL_TUNER)
  set(CPACK_PACKAGE_NAME squall-compile)
  set(CPACK_DEBIAN_PACKAGE_PROVIDES "")
  set(CPACK_DEBIAN_PACKAGE_CONFLICTS squall)
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "")
  set(squall_package_text "compile, explain, show and doctor alone; nothing here measures.\n\
The package squall has all commands.")
endif()
set(CPACK_DEBIAN_PACKAGE_REPLACES ${CPACK_DEBIAN_PACKAGE_CONFLICTS})

set(squall_clangs 19 20 18 17)
if(libclang_name MATCHES "libclang-([0-9]+)[.]so")
  list(PREPEND squall_clangs ${CMAKE_MATCH_1}) # the one that was found is what apt installs
  list(REMOVE_DUPLICATES squall_clangs)
endif()
list(TRANSFORM squall_clangs PREPEND libclang1-)
list(JOIN squall_clangs " | " CPACK_DEBIAN_PACKAGE_DEPENDS)

set(CPACK_GENERATOR TGZ)
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(DPKG_SHLIBDEPS)
if(DPKG_SHLIBDEPS)
  set(CPACK_GENERATOR DEB)
endif()
set(CPACK_PACKAGE_CONTACT ${SQUALL_PACKAGER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "generator of fast, standalone tensor kernels in C and CUDA")
set(CPACK_PACKAGE_DESCRIPTION "A short description of a computation becomes a readable C or CUDA file that\n\
needs no library. This package has\n${squall_package_text}")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)

# What only a .deb holds: the copyright file, its changelog, compressed pages.
set(squall_deb ${CMAKE_BINARY_DIR}/package)
string(TIMESTAMP squall_package_date "%a, %d %b %Y %H:%M:%S +0000" UTC) # of SOURCE_DATE_EPOCH, if set
file(READ LICENSE squall_licence)
string(REGEX REPLACE "^MIT License\n+Copyright[^\n]*\n+" "" squall_licence "${squall_licence}")
string(REGEX REPLACE "\n+$" "" squall_licence "${squall_licence}")
string(REPLACE "\n\n" "\n.\n" squall_licence "${squall_licence}")
string(REPLACE "\n" "\n " squall_licence " ${squall_licence}")
file(STRINGS LICENSE squall_copyright REGEX "^Copyright ")
string(REGEX REPLACE "^Copyright [(]c[)] " "" squall_copyright "${squall_copyright}")
configure_file(cmake/package/copyright.in ${squall_deb}/copyright @ONLY)
configure_file(cmake/package/changelog.in ${squall_deb}/changelog @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/cmake/package/Finish.cmake)
set(CPACK_SQUALL_DEB ${squall_deb})
include(CPack)
